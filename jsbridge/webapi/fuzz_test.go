package webapi

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzMultipart(f *testing.F) {
	f.Add("--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nv\r\n--X--", "X")
	f.Add("--X--", "X")
	f.Add("--X\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\nContent-Type: t/p\n\nv\n--X--\n", "X")
	f.Fuzz(func(t *testing.T, data, boundary string) {
		parts, err := parseMultipart([]byte(data), boundary)
		if err != nil && parts != nil {
			t.Error("parts along with an error")
		}
		total := 0
		for _, p := range parts {
			total += len(p.data)
		}
		if total > len(data) {
			t.Errorf("%d bytes of parts out of %d", total, len(data))
		}
	})
}

func FuzzMIME(f *testing.F) {
	f.Add(`text/html; charset="utf-8"; x=y`)
	f.Add(`a/b;c="d\"e";;=`)
	f.Fuzz(func(t *testing.T, s string) {
		once := normalizeMIME(s)
		if twice := normalizeMIME(once); twice != once {
			t.Errorf("%q becomes %q, then %q", s, once, twice)
		}
	})
}

func FuzzQuery(f *testing.F) {
	f.Add("a=1&b=%20+&=x&c&&d=")
	f.Add("%zz=%4&%ff")
	f.Fuzz(func(t *testing.T, s string) {
		list := parseQuery(s)
		back := parseQuery(list.encode())
		if len(back) != len(list) {
			t.Fatalf("%q: %v, then %v", s, list, back)
		}
		for i := range list {
			if back[i] != list[i] {
				t.Errorf("%q: %v, then %v", s, list[i], back[i])
			}
		}
	})
}

// FuzzDecoder checks that cutting the input in two changes nothing.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte("h\xc3\xa9\xff\xf0\x9f\x98"), 2, "utf-8")
	f.Add([]byte("\x61\x00\x3d\xd8\x00\xde\x01"), 3, "utf-16le")
	f.Add([]byte("\x83\x65\x83"), 1, "shift_jis")
	f.Fuzz(func(t *testing.T, data []byte, cut int, label string) {
		name, legacy, ok := lookupEncoding(label)
		if !ok {
			return
		}
		whole := &textDecoder{encoding: name, legacy: legacy}
		want, _ := whole.decode(append([]byte(nil), data...), false)
		if !utf8.ValidString(want) {
			t.Errorf("%q decodes to invalid UTF-8", data)
		}
		switch name {
		case "utf-8", "utf-16le", "utf-16be":
		default:
			return // golang.org/x/text decides where a bad character ends
		}
		cut = max(0, min(cut, len(data)))
		d := &textDecoder{encoding: name}
		first, _ := d.decode(append([]byte(nil), data[:cut]...), true)
		second, _ := d.decode(append([]byte(nil), data[cut:]...), false)
		if got := first + second; got != want {
			t.Errorf("%q cut at %d: %q, whole %q", data, cut, got, want)
		}
	})
}

func FuzzURL(f *testing.F) {
	f.Add("http://u:p@h:8/a/../b?c#d", "")
	f.Add("foo:bar  #x", "")
	f.Add("../x", "http://a/b/c")
	f.Fuzz(func(t *testing.T, raw, base string) {
		u, ok := parseURL(raw, base)
		if !ok {
			return
		}
		if strings.ContainsAny(u.Href(false), "\n\r\t") {
			t.Errorf("%q: line breaks in %q", raw, u.Href(false))
		}
		urlOrigin(u)
	})
}
