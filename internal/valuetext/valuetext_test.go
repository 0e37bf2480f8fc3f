package valuetext

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/durashim/durashim/internal/structclone"
)

// args encodes an array of n arguments that write makes.
func args(n uint32, write func(w *structclone.Writer)) []byte {
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	w.BeginDenseArray(n)
	write(&w)
	w.EndDenseArray(0, n)
	return w.Bytes()
}

type argCase struct {
	want string
	n    uint32
	data func(w *structclone.Writer)
}

func argCases() []argCase {
	huge := new(big.Int).Lsh(big.NewInt(1), 1<<20)
	num := func(f float64) func(w *structclone.Writer) { return func(w *structclone.Writer) { w.Double(f) } }
	return []argCase{
		{"", 0, func(*structclone.Writer) {}},
		{"undefined, null, true, false", 4, func(w *structclone.Writer) { w.Undefined(); w.Null(); w.Bool(true); w.Bool(false) }},
		{"-7, 12n, 1.5", 3, func(w *structclone.Writer) { w.Int32(-7); w.BigInt(big.NewInt(12)); w.Double(1.5) }},
		// The texts of numbers are JavaScript's.
		{"1700000000000", 1, num(1.7e12)},
		{"100000000000000000000", 1, num(1e20)},
		{"1e+21", 1, num(1e21)},
		{"-1.5e-7", 1, num(-1.5e-7)},
		{"0.000001", 1, num(1e-6)},
		{"5e-324", 1, num(5e-324)},
		{"-0, NaN, Infinity, -Infinity", 4, func(w *structclone.Writer) {
			for _, f := range []float64{math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1)} {
				w.Double(f)
			}
		}},
		{`"apple", 5`, 2, func(w *structclone.Writer) { w.String("apple"); w.Int32(5) }},
		{`"é\n\"日本"`, 1, func(w *structclone.Writer) { w.String("é\n\"日本") }},
		{`"` + strings.Repeat("a", 58) + `"`, 1, func(w *structclone.Writer) { w.String(strings.Repeat("a", 58)) }},
		{`1, "` + strings.Repeat("a", 55) + `...`, 2, func(w *structclone.Writer) { w.Int32(1); w.String(strings.Repeat("a", 1<<20)) }},
		{`"` + strings.Repeat("日", 19) + `...`, 1, func(w *structclone.Writer) { w.String(strings.Repeat("日", 1<<20)) }},
		{"[1, , [2]], 3", 2, func(w *structclone.Writer) {
			w.BeginDenseArray(3)
			w.Int32(1)
			w.Hole()
			w.BeginDenseArray(1)
			w.Int32(2)
			w.EndDenseArray(0, 1)
			w.EndDenseArray(0, 3)
			w.Int32(3)
		}},
		{"[1, extra: 2]", 1, func(w *structclone.Writer) {
			w.BeginDenseArray(1)
			w.Int32(1)
			w.String("extra")
			w.Int32(2)
			w.EndDenseArray(1, 1)
		}},
		{`{a: 1, $b_2: "x", "a-b": {}, 3: null, "": 0, "l\ne": 0}`, 1, func(w *structclone.Writer) {
			w.BeginObject()
			w.String("a")
			w.Int32(1)
			w.String("$b_2")
			w.String("x")
			w.String("a-b")
			w.BeginObject()
			w.EndObject(0)
			w.Int32(3)
			w.Null()
			w.String("")
			w.Int32(0)
			w.String("l\ne")
			w.Int32(0)
			w.EndObject(6)
		}},
		{"ArrayBuffer(3), Uint16Array(2)", 2, func(w *structclone.Writer) {
			w.ArrayBuffer([]byte("abc"))
			w.ArrayBuffer([]byte("abcd"))
			w.View(structclone.View{Type: structclone.Uint16Array, Length: 4})
		}},
		{"new Date(5), new Date(NaN)", 2, func(w *structclone.Writer) { w.Date(5); w.Date(math.NaN()) }},
		{"/a+/gi", 1, func(w *structclone.Writer) {
			flags, _ := structclone.RegExpFlags("gi")
			w.RegExp()
			w.OneByte("a+")
			w.RegExpFlags(flags)
		}},
		{`Map {1 => "a", [] => Set {2, 3}}`, 1, func(w *structclone.Writer) {
			w.BeginMap()
			w.Int32(1)
			w.String("a")
			w.BeginDenseArray(0)
			w.EndDenseArray(0, 0)
			w.BeginSet()
			w.Int32(2)
			w.Int32(3)
			w.EndSet(2)
			w.EndMap(2)
		}},
		// Rare kinds cut the text.
		{"...", 1, func(w *structclone.Writer) { w.HostObject(7); w.RawUint32(1) }},
		{"...", 1, func(w *structclone.Writer) { w.BoxedBool(true) }},
		{"{}, ...", 2, func(w *structclone.Writer) { id := w.BeginObject(); w.EndObject(0); w.BackRef(id) }},
		{"...", 1, func(w *structclone.Writer) { w.BeginSparseArray(9); w.EndSparseArray(0, 9) }},
		{"...", 1, func(w *structclone.Writer) { w.BigInt(huge) }},
	}
}

func TestArguments(t *testing.T) {
	for _, c := range argCases() {
		data := args(c.n, c.data)
		if got := Arguments(data, 60); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	for _, bad := range [][]byte{{}, {0xff}, {0xff, 15, 'I', 2}, []byte("\xff\x0fA\x02I\x02"), args(1, func(w *structclone.Writer) { w.BeginObject() })} {
		if got := Arguments(bad, 60); !strings.HasSuffix(got, "...") {
			t.Errorf("%q: got %q", bad, got)
		}
	}
	if got := Arguments(nil, 60); got != "" {
		t.Errorf("no arguments: %q", got)
	}
}

func TestValue(t *testing.T) {
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	w.BeginObject()
	w.String("f")
	w.HostObject(7)
	w.RawUint32(3)
	w.EndObject(1)
	host := func(r *structclone.Reader, tag uint32) (string, bool) {
		n, err := r.RawUint32()
		return "[" + strings.Repeat("f", int(n)) + "]", err == nil && tag == 7
	}
	if got := Value(w.Bytes(), 60, host); got != "{f: [fff]}" {
		t.Errorf("got %s", got)
	}
	if got := Value(w.Bytes(), 60, nil); got != "{f: ..." {
		t.Errorf("got %s", got)
	}
}

// Whatever the bytes, the text is one line of valid UTF-8 and not much longer
// than asked for.
func FuzzArguments(f *testing.F) {
	for _, c := range argCases() {
		if data := args(c.n, c.data); len(data) < 1000 {
			f.Add(data, 60)
		}
	}
	f.Add([]byte("\xff\x0fA\x01o\"\x01aA\x01o{\x00$\x00\x01{\x01$\x00\x01"), 20)
	f.Fuzz(func(t *testing.T, data []byte, max int) {
		max = max & 0xff
		got := Arguments(bytes.Clone(data), max)
		if len(got) > max+len("...") {
			t.Errorf("%d bytes, want at most %d: %q", len(got), max, got)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r") {
			t.Errorf("not a line of text: %q", got)
		}
	})
}
