package httpmsg_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/durashim/durashim/internal/httpmsg"
)

func TestPipe(t *testing.T) {
	closed := 0
	p := httpmsg.NewPipe(func() { closed++ })
	var room []error
	write := func(s string) bool {
		return p.WriteAsync([]byte(s), func(err error) { room = append(room, err) })
	}
	if !write("ab") || !write("cd") || p.WriteAsync(make([]byte, 128<<10), func(err error) { room = append(room, err) }) {
		t.Fatal("room for two small chunks, then none")
	}
	if !p.Ready() {
		t.Error("not ready")
	}
	buf := make([]byte, 1)
	for _, want := range []string{"a", "b"} {
		if n, err := p.Read(buf); n != 1 || err != nil || string(buf) != want {
			t.Errorf("read %q, %v", buf[:n], err)
		}
	}
	if len(room) != 0 {
		t.Error("room for 128 KiB and a rest")
	}
	var got []byte
	next := func() (err error) {
		p.ReadAsync(func(c []byte, e error) { got, err = c, e })
		return err
	}
	if err := next(); err != nil || string(got) != "cd" {
		t.Errorf("%q, %v", got, err)
	}
	if err := next(); err != nil || len(got) != 128<<10 || len(room) != 1 || room[0] != nil {
		t.Errorf("%d bytes, %v, room %v", len(got), err, room)
	}
	// A read that waits gets what is written next.
	waiting := ""
	p.ReadAsync(func(c []byte, _ error) { waiting = string(c) })
	if !write("ef") || waiting != "ef" {
		t.Errorf("waiting got %q", waiting)
	}
	p.CloseWithError(nil)
	p.CloseWithError(errors.New("too late"))
	if err := next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if err := p.Close(); err != nil || closed != 0 {
		t.Errorf("Close after the end: %v, %d calls", err, closed)
	}
}

func TestPipeReaderGivesUp(t *testing.T) {
	closed := 0
	p := httpmsg.NewPipe(func() { closed++ })
	var room, read error
	for p.WriteAsync([]byte("x"), func(err error) { room = err }) {
	}
	p.Close()
	p.Close()
	if !errors.Is(room, io.ErrClosedPipe) || closed != 1 {
		t.Errorf("writer got %v; %d calls", room, closed)
	}
	p.ReadAsync(func(_ []byte, err error) { read = err })
	if !errors.Is(read, io.ErrClosedPipe) {
		t.Errorf("read after Close: %v", read)
	}
	room = nil
	if p.WriteAsync([]byte("x"), func(err error) { room = err }) || !errors.Is(room, io.ErrClosedPipe) {
		t.Errorf("write after Close: %v", room)
	}
}

func TestPipeFails(t *testing.T) {
	boom := errors.New("boom")
	p := httpmsg.NewPipe(nil)
	p.WriteAsync([]byte("x"), nil)
	p.CloseWithError(boom)
	data, err := io.ReadAll(p)
	if string(data) != "x" || err != boom {
		t.Errorf("%q, %v", data, err)
	}
}

func zip(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.Bytes()
}

func TestEncodedBody(t *testing.T) {
	good := zip("hello")
	for _, c := range []struct {
		name, encoding string
		data           []byte
		want           string
		err            string
	}{
		{"gzip", "GZIP", good, "hello", ""},
		{"none", "", good, string(good), ""},
		{"unknown", "zstd", good, string(good), ""},
		{"empty", "gzip", nil, "", ""},
		{"not gzip", "gzip", []byte("hello hello hello"), "", "Gzip decompression failed."},
		{"short", "gzip", []byte("h"), "", "Gzip decompression failed."},
		{"corrupt", "gzip", append(bytes.Clone(good[:10]), bytes.Repeat([]byte{0xff}, 20)...), "", "Gzip decompression failed."},
		{"br", "br", []byte("x"), "", "durashim does not implement Content-Encoding: br"},
	} {
		b := httpmsg.StreamBody(bytes.NewReader(c.data), int64(len(c.data))).WithEncoding(c.encoding)
		data, err := b.Decoded().ReadAll(-1)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.err || c.err == "" && string(data) != c.want {
			t.Errorf("%s: %q, %v", c.name, data, err)
		}
	}
	if b := httpmsg.NoBody().WithEncoding("gzip").Decoded(); !b.IsNone() {
		t.Error("no body became one")
	}
}

func FuzzDecoded(f *testing.F) {
	f.Add(zip("hello"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := httpmsg.BytesBody(data).WithEncoding("gzip")
		got, err := b.Decoded().ReadAll(1 << 20)
		if z, zerr := gzip.NewReader(bytes.NewReader(data)); zerr == nil && err == nil {
			want, _ := io.ReadAll(io.LimitReader(z, 1<<20))
			if !bytes.Equal(got, want) {
				t.Errorf("%q", got)
			}
		}
	})
}

func BenchmarkPipe(b *testing.B) {
	chunk := []byte(strings.Repeat("x", 16<<10))
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	p := httpmsg.NewPipe(nil)
	for b.Loop() {
		p.WriteAsync(chunk, nil)
		p.ReadAsync(func([]byte, error) {})
	}
}
