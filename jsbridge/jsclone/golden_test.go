package jsclone

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

type goldenCase struct{ src, want, note string }

func golden(t testing.TB, name string) []goldenCase {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []goldenCase
	for s := bufio.NewScanner(f); s.Scan(); {
		parts := append(strings.Split(s.Text(), "\t"), "", "")
		cases = append(cases, goldenCase{parts[0], parts[1], parts[2]})
	}
	return cases
}

func newCodec(t testing.TB) (*goja.Runtime, *Codec) {
	t.Helper()
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		t.Fatal(err)
	}
	return rt, c
}

func eval(t testing.TB, rt *goja.Runtime, src string) goja.Value {
	t.Helper()
	v, err := rt.RunString("(" + src + ")")
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return v
}

// show renders a value completely, in JavaScript, so that two can be compared.
const show = `(function(top) {
	const seen = new Map();
	function walk(v) {
		if (Object.is(v, -0)) return "-0";
		if (typeof v === "bigint") return v + "n";
		if (typeof v === "string") return JSON.stringify(v);
		if (v === null || typeof v !== "object") return String(v);
		if (seen.has(v)) return "#" + seen.get(v);
		seen.set(v, seen.size);
		const tag = Object.prototype.toString.call(v).slice(8, -1);
		let s = tag === "Math" || tag === "JSON" || tag === "Map" && !(v instanceof Map) ? "Object" : tag;
		if (v instanceof Date) s += v.getTime();
		else if (v instanceof RegExp) s += v;
		else if (v instanceof Boolean || v instanceof Number || v instanceof BigInt) s += Object.is(v.valueOf(), -0) ? "-0" : v.valueOf();
		else if (v instanceof String) return s + JSON.stringify(String(v));
		else if (v instanceof Map || v instanceof Set) return s + "(" + [...v].flat().map(walk).join() + ")";
		else if (v instanceof ArrayBuffer) return s + [...new Uint8Array(v)];
		else if (ArrayBuffer.isView(v)) return s + v.byteOffset + "," + v.byteLength + walk(v.buffer);
		else if (s === "Error") s += walk(v.name) + walk(v.message);
		if (v instanceof Date || v instanceof RegExp || s !== tag && tag !== "Error" && s !== "Object") return s;
		if (Array.isArray(v)) s += v.length;
		const names = s.startsWith("Error") ? Object.getOwnPropertyNames(v).filter(k => k !== "name" && k !== "message" && !/^\d/.test(k)) : Object.keys(v);
		return s + "{" + names.map(k => JSON.stringify(k) + ":" + walk(v[k])).join() + "}";
	}
	return walk(top);
})`

func shown(t testing.TB, rt *goja.Runtime, v goja.Value) string {
	t.Helper()
	f, _ := goja.AssertFunction(eval(t, rt, show))
	s, err := f(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// TestGolden holds the codec against what the real runtime stored: the same
// expression gives the same bytes, and its bytes give the same value.
func TestGolden(t *testing.T) {
	for file, opts := range map[string]Options{"values.txt": {}, "errors-v8.txt": {Errors: ErrorsV8}} {
		for _, g := range golden(t, file) {
			t.Run(g.src, func(t *testing.T) { checkGolden(t, g, opts) })
		}
	}
}

func checkGolden(t *testing.T, g goldenCase, opts Options) {
	rt, c := newCodec(t)
	want, err := hex.DecodeString(g.want)
	if err != nil {
		t.Fatal(err)
	}
	note, _, _ := strings.Cut(g.note, ":")
	if note == "absent" {
		if !strings.Contains(g.src, "/") { // a RegExp with unknown flags is goja's exception
			var u *UnsupportedError
			if _, err := c.Decode(want, opts); !errors.As(err, &u) {
				t.Fatalf("decoding what goja lacks gave %v", err)
			}
		} else if _, err := c.Decode(want, opts); err == nil {
			t.Fatal("decoding what goja lacks gave no error")
		}
		return
	}
	v := eval(t, rt, g.src)
	got, err := c.Encode(nil, v, opts)
	if err != nil {
		t.Fatal(err)
	}
	if same := bytes.Equal(got, want); same == (note == "differs") {
		t.Fatalf("note %q, but\n got %x\nwant %x", g.note, got, want)
	}
	clone, err := c.Decode(want, opts)
	if note == "unreadable" {
		var e *CloneError
		if !errors.As(err, &e) {
			t.Fatalf("unreadable value gave %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	// Getters have side effects, V8's form of errors loses parts, and the source
	// of a RegExp made from a string is escaped in another way.
	lossy := opts.Errors == ErrorsV8 || note == "once" || note == "differs" || strings.Contains(g.src, "get x(") ||
		strings.Contains(g.src, "defineProperty") || strings.Contains(g.src, "new RegExp(")
	if !lossy {
		if a, b := shown(t, rt, v), shown(t, rt, clone); a != b {
			t.Errorf("value differs\n got %s\nwant %s", b, a)
		}
	}
	again, err := c.Encode(nil, clone, opts)
	if err != nil {
		t.Fatal(err)
	}
	if note != "differs" && bytes.Equal(again, want) == (note == "once") {
		t.Errorf("note %q, but the clone encodes as\n got %x\nwant %x", g.note, again, want)
	}
}

// TestRefused holds the texts of errors against the real runtime's.
func TestRefused(t *testing.T) {
	for _, g := range golden(t, "refused.txt") {
		t.Run(g.src, func(t *testing.T) {
			rt, c := newCodec(t)
			v := eval(t, rt, g.src)
			out, err := c.Encode([]byte("kept"), v, Options{})
			var e *CloneError
			if !errors.As(err, &e) || e.Message != g.want || e.Name() != "DataCloneError" {
				t.Errorf("got %v, want %s", err, g.want)
			}
			if string(out) != "kept" {
				t.Errorf("buffer is %q after an error", out)
			}
		})
	}
}
