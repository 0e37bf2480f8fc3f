package durable

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
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
		// Rare kinds cut the text.
		{"1, ...", 2, func(w *structclone.Writer) { w.Int32(1); w.BeginMap(); w.EndMap(0) }},
		{"...", 1, func(w *structclone.Writer) { w.BeginSet(); w.EndSet(0) }},
		{"...", 1, func(w *structclone.Writer) { w.BoxedBool(true) }},
		{"{}, ...", 2, func(w *structclone.Writer) { id := w.BeginObject(); w.EndObject(0); w.BackRef(id) }},
		{"...", 1, func(w *structclone.Writer) { w.BeginSparseArray(9); w.EndSparseArray(0, 9) }},
		{"...", 1, func(w *structclone.Writer) { w.BigInt(huge) }},
	}
}

func TestArgText(t *testing.T) {
	for _, c := range argCases() {
		data := args(c.n, c.data)
		if got := argText(data, 60); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	for _, bad := range [][]byte{{}, {0xff}, {0xff, 15, 'I', 2}, []byte("\xff\x0fA\x02I\x02"), args(1, func(w *structclone.Writer) { w.BeginObject() })} {
		if got := argText(bad, 60); !strings.HasSuffix(got, "...") {
			t.Errorf("%q: got %q", bad, got)
		}
	}
	if got := argText(nil, 60); got != "" {
		t.Errorf("no arguments: %q", got)
	}
}

// Whatever the bytes, the text is one line of valid UTF-8 and not much longer
// than asked for.
func FuzzArgText(f *testing.F) {
	for _, c := range argCases() {
		if data := args(c.n, c.data); len(data) < 1000 {
			f.Add(data, 60)
		}
	}
	f.Add([]byte("\xff\x0fA\x01o\"\x01aA\x01o{\x00$\x00\x01{\x01$\x00\x01"), 20)
	f.Fuzz(func(t *testing.T, data []byte, max int) {
		max = max & 0xff
		got := argText(bytes.Clone(data), max)
		if len(got) > max+len("...") {
			t.Errorf("%d bytes, want at most %d: %q", len(got), max, got)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r") {
			t.Errorf("not a line of text: %q", got)
		}
	})
}

// The golden text shows every kind of step.
func TestTimelineText(t *testing.T) {
	w := newWorld(t, "marked")
	w.ns.Engine.Backoff = fixedBackoff(250 * time.Millisecond)
	must(t, w.clock.Advance(t.Context(), 1500*time.Millisecond))
	w.plan(RefuseRequest().Method("add").Attempt(1), DropReply().Method("add").Attempt(2), DropReply().Method("marked"), DropRequest().Method("fetch"))
	s := w.stub(DefaultRetry())
	w.call(s, Op{Kind: RPC, Method: "add", Replayable: true, Args: args(2, func(w *structclone.Writer) { w.String("apple"); w.Int32(5) })})
	w.call(s, rpc("marked"))
	w.call(s, rpc("fail"))
	w.call(w.ns.Get(ObjectID{0xab, 0xcd}, "", retry(0, 500), ""), Op{Kind: Fetch, Method: "fetch"})
	const want = `#1 COUNTER("a").add("apple", 5)  at 1500.000 ms, called by test
     0.000 ms  attempt 1  sent
     0.000 ms             FAULT: not delivered
     0.000 ms             failed, not delivered: Network connection lost. [retryable]
     0.000 ms             waits 250.000 ms before retrying
   250.000 ms  attempt 2  sent
   250.000 ms             claimed by the host
   250.000 ms             method starts
   250.000 ms             method finished
   250.000 ms             FAULT: reply dropped after the method finished
   250.000 ms             failed, uncertain: Network connection lost. [retryable]
   250.000 ms             waits 250.000 ms before retrying
   500.000 ms  attempt 3  sent again, flagged as a retry
   500.000 ms             rejected by the host: it has seen this request before
   500.000 ms             => claim rejected: Network connection lost.
#2 COUNTER("a").marked()  at 2000.000 ms, called by test
     0.000 ms  attempt 1  sent
     0.000 ms             claimed by the host
     0.000 ms             method starts
     0.000 ms             method finished
     0.000 ms             FAULT: reply dropped after the method finished
     0.000 ms             failed, uncertain: Network connection lost. [retryable]
     0.000 ms             waits 250.000 ms before retrying
   250.000 ms  attempt 2  sent again, flagged as a retry
   250.000 ms             claimed by the host
   250.000 ms             method starts
   250.000 ms             method finished
   250.000 ms             => recovered (2 attempts, ran 2×)
#3 COUNTER("a").fail()  at 2250.000 ms, called by test
     0.000 ms  attempt 1  sent
     0.000 ms             claimed by the host
     0.000 ms             method starts
     0.000 ms             method threw: thrown by the object
     0.000 ms             failed, answered: thrown by the object [retryable, remote]
     0.000 ms             => failed: thrown by the object
#4 COUNTER(abcd0000).fetch()  at 2250.000 ms
     0.000 ms  attempt 1  sent
     0.000 ms             FAULT: request dropped before the object saw it
     0.000 ms             failed, uncertain: Network connection lost. [retryable]
     0.000 ms             => unable to retry: Network connection lost.
`
	if got := w.line.Text(nil); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := w.line.Text(func(r *CallRecord) bool { return r.Method == "none" }); got != "" {
		t.Errorf("kept %q", got)
	}
}
