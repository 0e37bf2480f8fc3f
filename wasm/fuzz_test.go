package wasm

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// FuzzCompile feeds the reader and the rewriter. What is accepted must compile
// to the same shape when it is compiled again, and an instance without imports
// must be stoppable, so that no input hangs.
func FuzzCompile(f *testing.F) {
	files, err := filepath.Glob("testdata/*.wasm")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("\x00asm\x01\x00\x00\x00"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := parse(data)
		if err != nil {
			return
		}
		for _, l := range b.memories {
			if l.Min > 64 {
				return // only costs memory
			}
		}
		for _, l := range b.tables {
			if l.Min > 1<<16 {
				return
			}
		}
		again, err := parse(data)
		if err != nil || !bytes.Equal(b.rewrite(), again.rewrite()) {
			t.Fatal("rewriting is not repeatable", err)
		}
		m, err := Compile(data)
		if err != nil {
			return
		}
		if len(m.Imports) > 0 {
			return
		}
		s := NewStore()
		i, err := s.Instantiate(m, nil)
		if err != nil {
			return
		}
		ctx, cancel := context.WithCancel(bg)
		cancel()
		for _, x := range i.Exports {
			if fn, ok := x.(*Func); ok {
				if err := fn.Call(ctx, make([]uint64, fn.Type().Slots())); err == nil {
					t.Error("a cancelled call ran")
				}
				if s.FuncOf(fn.Ref()) != fn {
					t.Error("a reference is to another function")
				}
			}
		}
	})
}

// FuzzLEB checks the number formats against each other.
func FuzzLEB(f *testing.F) {
	f.Add(uint64(0), int64(0))
	f.Add(uint64(1<<32-1), int64(-1))
	f.Add(uint64(1<<63), int64(-1<<63))
	f.Fuzz(func(t *testing.T, u uint64, s int64) {
		r := &reader{data: appendULEB(nil, u)}
		if got := r.uleb(64); got != u || r.err != nil {
			t.Errorf("%d became %d, %v", u, got, r.err)
		}
		r = &reader{data: appendSLEB(nil, s)}
		if got := r.sleb(64); got != s || r.err != nil {
			t.Errorf("%d became %d, %v", s, got, r.err)
		}
	})
}
