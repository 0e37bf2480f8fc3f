package structclone

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
)

// messages were stored by workerd 2026-11-17; the comment is the expression.
var messages = []string{
	"ff0f5f",                   // undefined
	"ff0f30",                   // null
	"ff0f54",                   // true
	"ff0f4900",                 // 0
	"ff0f4e0000000000000080",   // -0
	"ff0f49feffffff07",         // 1073741823
	"ff0f4e000000000000d041",   // 1073741824
	"ff0f49ffffffff07",         // -1073741824
	"ff0f4e000000000000f87f",   // NaN
	"ff0f5a00",                 // 0n
	"ff0f5a110100000000000000", // -1n
	"ff0f5a2000000000000000000100000000000000", // 18446744073709551616n
	"ff0f220568e96c6c6f",                       // "h\u00e9llo"
	"ff0f6302ac20",                             // "\u20ac"
	"ff0f41016302ac20240001",                   // ["\u20ac"]
	"ff0f4102220161006302ac20240002",           // ["a","\u20ac"]
	"ff0f6f006302ac206302ac207b01",             // {"\u20ac":"\u20ac"}
	"ff0f4100240000",                           // []
	"ff0f4102490249042201784902240102",         // Object.assign([1,2],{x:1})
	"ff0f61e8074000e807",                       // new Array(1000)
	"ff0f61ffffffff0f4e0000c0ffffffef4149022203666f6f22036261724002ffffffff0f", // a[4294967294]=1; a.foo="bar"
	"ff0f41036f22017849027b012d2d240003",                                       // holes made by a getter
	"ff0f6f490222036f6e654904220374776f220162490222016149047b04",               // {b:1,a:2,2:"two",1:"one"}
	"ff0f4400b08756febc7842",                                                   // new Date(1700000000123)
	"ff0f41067a1001000000000000006e000000000000f03f79732201736f7b005e05240006", // boxed, a reference
	"ff0f52220361622b03",                                                       // /ab+/gi
	"ff0f5200630c5c007500320030003200380000",                                   // new RegExp("\u2028")
	"ff0f3b22016b6f22016149027b016f22016f49027b013b3a003a04",                   // new Map([["k",{a:1}],[{o:1},new Map()]])
	"ff0f2749022201616f22017849027b012c03",                                     // new Set([1,"a",{x:1}])
	"ff0f7e0408000000005642000003",                                             // new Uint8Array(new ArrayBuffer(4,{maxByteLength:8}))
	"ff0f4202003e5668000200",                                                   // new Float16Array([1.5])
	"ff0f410342040000000056420004005e0156770202005e01240003",                   // [new Uint8Array(b), new Int16Array(b,2,1), b]
	"ff0f5c0a0022054d7945727222016d6f2205737461636b2201537b01",                 // named error
	"ff0f6f2201655c0a0122016d6f2205737461636b220153220473656c665e017b027b01",   // {e}, e.self=e
	"ff0f41035c0a0122016d6f2205737461636b2201537b016f7b005e03240003",           // [e,x,x]
	"ff0f72546d22016d732201532e",                                               // TypeError, V8's form
	"ff0f726d22016d73220153635e002e",                                           // e.cause=e, V8's form
}

// TestCopy reads and writes every message again, byte by byte.
func TestCopy(t *testing.T) {
	for _, m := range messages {
		data, err := hex.DecodeString(m)
		if err != nil {
			t.Fatal(err)
		}
		var r Reader
		var w Writer
		// Where the message lies must not matter for its padding.
		w.Reset([]byte{1})
		if err := r.Reset(data, 0); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
		if err := copyAll(&r, &w); err != nil {
			t.Errorf("%s: %v", m, err)
			continue
		}
		if got := w.Bytes()[1:]; !bytes.Equal(got, data) {
			t.Errorf("%s\n%x copied", m, got)
		}
		if r.Offset() != len(data) {
			t.Errorf("%s: read to %d of %d", m, r.Offset(), len(data))
		}
	}
}

// TestTruncated cuts every message at every place: an error each time, with an
// offset inside what is left.
func TestTruncated(t *testing.T) {
	for _, m := range messages {
		data, _ := hex.DecodeString(m)
		for n := 2; n < len(data); n++ {
			var r Reader
			var w Writer
			if err := r.Reset(data[:n], 0); err != nil {
				t.Fatal(err)
			}
			err := copyAll(&r, &w)
			if data[n] == tagView && err == nil {
				continue // a buffer by itself is a value
			}
			var s *SyntaxError
			if !errors.As(err, &s) || s.Offset < 0 || s.Offset > n {
				t.Errorf("%s cut at %d: %v", m, n, err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "no header at offset 0",
		"4954":                              "no header at offset 0",
		"ff0c4954":                          "version 12 is not one of 13 to 15",
		"ff104954":                          "version 16 is not one of 13 to 15",
		"ff0f":                              "message ends where a tag should be at offset 2",
		"ff0f21":                            "unknown tag '!' at offset 2",
		"ff0f7500":                          "unknown tag 'u' (SharedArrayBuffer) at offset 2",
		"ff0f5c0aff":                        "message is cut off at offset 4, tag '\\\\'",
		"ff0f5c0a0e":                        "unknown class of error at offset 2, tag '\\\\'",
		"ff0f22ffffffff0f61":                "message is cut off at offset 8, tag '\"'",
		"ff0f41ffffffff0f":                  "array is longer than the message at offset 2, tag 'A'",
		"ff0f410441040000000000":            "array is longer than the message at offset 4, tag 'A'",
		"ff0f42ffffffff0f":                  "message is cut off at offset 8, tag 'B'",
		"ff0f5affffffff0f":                  "BigInt is too long at offset 3, tag 'Z'",
		"ff0f5a01":                          "BigInt is -0 at offset 3, tag 'Z'",
		"ff0f630161":                        "two-byte string of an odd number of bytes at offset 5, tag 'c'",
		"ff0f5e00":                          "reference to an object that has not begun at offset 2, tag '^'",
		"ff0f6f22016149027b02":              "the count at the end is wrong at offset 8, tag '{'",
		"ff0f4101490224000200":              "the length at the end is wrong at offset 6, tag '$'",
		"ff0f6f24":                          "the end does not match the beginning at offset 3, tag '$'",
		"ff0f7b00":                          "the end does not match the beginning at offset 2, tag '{'",
		"ff0f6f5449027b01":                  "a property key must be a string or a number at offset 3, tag 'T'",
		"ff0f6f2201612d7b01":                "a hole outside a dense array at offset 6, tag '-'",
		"ff0f42040000000056420005 00":       "view goes beyond its buffer at offset 8, tag 'V'",
		"ff0f4204000000005657010200":        "view is not aligned to its elements at offset 8, tag 'V'",
		"ff0f42040000000056210000 00":       "unknown type of view '!' at offset 8, tag 'V'",
		"ff0f4204000000005642000003":        "view of a resizable buffer on a fixed one at offset 8, tag 'V'",
		"ff0f7e0402":                        "buffer is longer than its greatest length at offset 2, tag '~'",
		"ff0f5249":                          "a string is missing at offset 3, tag 'R'",
		"ff0f5c0a0122016d49":                "an error's properties must be an object at offset 8, tag 'I'",
		"ff0f" + strings.Repeat("4101", 30): "nesting is too deep at offset 42, tag 'A'",
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(in, " ", ""))
		if err != nil {
			t.Fatal(in, err)
		}
		var r Reader
		var w Writer
		if err = r.Reset(data, 20); err == nil {
			err = copyAll(&r, &w)
		}
		if err == nil || err.Error() != "structured clone: "+want {
			t.Errorf("%s:\n got %v\nwant %s", in, err, want)
		}
	}
}

// An array may claim no more elements than there are bytes, whatever the nesting.
func TestNestedClaims(t *testing.T) {
	data := []byte{0xff, 15}
	total := 0
	for range 1000 {
		data = append(data, 'A', 0xe8, 0x07) // 1000 elements each
	}
	var r Reader
	if err := r.Reset(data, 0); err != nil {
		t.Fatal(err)
	}
	var tok Token
	for r.Next(&tok) == nil {
		total += int(tok.Int)
	}
	if total > len(data) {
		t.Errorf("%d elements claimed by %d bytes", total, len(data))
	}
}

func TestNumbers(t *testing.T) {
	for f, smi := range map[float64]bool{0: true, math.Copysign(0, -1): false, 1<<30 - 1: true, 1 << 30: false, -1 << 30: true,
		-1<<30 - 1: false, 1.5: false, math.NaN(): false, math.Inf(1): false, math.Inf(-1): false} {
		if IsSmi(f) != smi {
			t.Errorf("IsSmi(%v) is %v", f, !smi)
		}
	}
}

func TestStrings(t *testing.T) {
	for s, want := range map[string]string{
		"":             "2200",
		"abc":          "2203616263",
		"h\u00e9":      "220268e9",
		"\u0100":       "63020001",
		"a\U0001f600":  "630661003dd800de",
		"bad \xff utf": "6312" + "6200610064002000fdff2000750074006600",
	} {
		var w Writer
		w.Reset(nil)
		w.Header()
		w.String(s)
		if got := hex.EncodeToString(w.Bytes()[2:]); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
		var r Reader
		var tok Token
		if err := r.Reset(w.Bytes(), 0); err != nil {
			t.Fatal(err)
		}
		if err := r.Next(&tok); err != nil || tok.Str.String() != strings.ToValidUTF8(s, "\ufffd") {
			t.Errorf("%q is read as %q, %v", s, tok.Str.String(), err)
		}
		var u Writer
		u.Reset(nil)
		u.Header()
		u.UTF16(tok.Str.AppendUTF16(nil))
		if !bytes.Equal(u.Bytes(), w.Bytes()) {
			t.Errorf("%q: %x through UTF-16", s, u.Bytes())
		}
	}
	lone := String{Bytes: []byte{0x00, 0xd8, 0x41, 0}, Encoding: UTF16LE}
	if got := lone.String(); got != "\ufffdA" {
		t.Errorf("lone surrogate: %q", got)
	}
}

func TestHostPayload(t *testing.T) {
	var w Writer
	w.Reset(nil)
	w.Header()
	w.BeginDenseArray(2)
	id := w.HostObject(300)
	w.RawUint64(1 << 40)
	w.RawDouble(1.5)
	w.RawString("h\u00e9")
	w.BeginObject()
	w.EndObject(0)
	w.BackRef(id)
	w.EndDenseArray(0, 2)
	var r Reader
	var tok Token
	if err := r.Reset(w.Bytes(), 0); err != nil {
		t.Fatal(err)
	}
	next := func(k Kind) {
		t.Helper()
		if err := r.Next(&tok); err != nil || tok.Kind != k {
			t.Fatalf("kind %d, %v; want %d", tok.Kind, err, k)
		}
	}
	next(KindDenseArray)
	next(KindHost)
	if tok.Int != 300 || tok.ID != id {
		t.Errorf("host object %d, number %d", tok.Int, tok.ID)
	}
	u, err1 := r.RawUint64()
	f, err2 := r.RawDouble()
	s, err3 := r.RawString()
	if err := errors.Join(err1, err2, err3); err != nil || u != 1<<40 || f != 1.5 || s != "h\u00e9" {
		t.Errorf("payload %v %v %q, %v", u, f, s, err)
	}
	next(KindObject)
	if err := r.EndHost(); err == nil {
		t.Error("a host object ended inside a value")
	}
	next(KindEnd)
	if err := r.EndHost(); err != nil {
		t.Error(err)
	}
	next(KindBackRef)
	next(KindEnd)
	if !r.Done() {
		t.Error("not done")
	}
}

func TestRegExpFlags(t *testing.T) {
	for flags, bits := range map[string]uint32{"": 0, "gi": 3, "dgimsuy": 0xbf, "v": 0x100} { // stored by workerd
		got, ok := RegExpFlags(flags)
		back, ok2 := RegExpFlagString(bits)
		if got != bits || !ok || back != flags || !ok2 {
			t.Errorf("%q: %x %v, %q %v", flags, got, ok, back, ok2)
		}
	}
	if _, ok := RegExpFlags("x"); ok {
		t.Error("unknown letter taken")
	}
	if _, ok := RegExpFlagString(1 << 20); ok {
		t.Error("unknown bit taken")
	}
}

func FuzzReader(f *testing.F) {
	for _, m := range messages {
		data, _ := hex.DecodeString(m)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Reader
		var once, twice Writer
		if r.Reset(data, 100) != nil || copyAll(&r, &once) != nil {
			return
		}
		if err := r.Reset(once.Bytes(), 100); err != nil {
			t.Fatal(err)
		}
		if err := copyAll(&r, &twice); err != nil {
			t.Fatalf("a copy is not read: %v\n%x", err, once.Bytes())
		}
		if !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("not stable\n%x\n%x", once.Bytes(), twice.Bytes())
		}
	})
}

func BenchmarkCopy(b *testing.B) {
	var w Writer
	w.Reset(nil)
	w.Header()
	w.BeginDenseArray(1000)
	for i := range 1000 {
		w.BeginObject()
		w.OneByte("name")
		w.OneByte("apple")
		w.OneByte("qty")
		w.Number(float64(i))
		w.EndObject(2)
	}
	w.EndDenseArray(0, 1000)
	data := bytes.Clone(w.Bytes())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var r Reader
	for b.Loop() {
		w.Reset(w.Bytes()[:0])
		if err := r.Reset(data, 0); err != nil {
			b.Fatal(err)
		}
		if err := copyAll(&r, &w); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleWriter() {
	var w Writer
	w.Reset(nil)
	w.Header()
	w.BeginObject()
	w.OneByte("n")
	w.BigInt(big.NewInt(-1))
	w.EndObject(1)
	fmt.Printf("%x\n", w.Bytes())
	// Output: ff0f6f22016e5a1101000000000000007b01
}

func ExampleReader() {
	data := []byte("\xff\x0fA\x02\"\x05appleI\x0a$\x00\x02")
	var r Reader
	if err := r.Reset(data, 0); err != nil {
		panic(err)
	}
	var t Token
	for !r.Done() {
		if err := r.Next(&t); err != nil {
			panic(err)
		}
		switch t.Kind {
		case KindDenseArray:
			fmt.Println("array of", t.Int)
		case KindString:
			fmt.Println(t.Str)
		case KindInt:
			fmt.Println(t.Int)
		case KindEnd:
			fmt.Println("end")
		}
	}
	// Output:
	// array of 2
	// apple
	// 5
	// end
}
