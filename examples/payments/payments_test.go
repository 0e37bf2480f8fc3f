package payments

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/shimtest"
)

// post sends a request to the worker, and reports whether it succeeded.
func post(w *shimtest.World, path string) bool {
	res, err := w.Fetch(httptest.NewRequest("POST", "http://shop.example"+path, nil))
	return err == nil && res.StatusCode == 200
}

// charged reads the account. The reading is marked and survives any single fault.
func charged(tb testing.TB, w *shimtest.World) (cents int) {
	tb.Helper()
	v, err := w.Namespace("ACCOUNT").GetByName("ada").Call(tb.Context(), "charged")
	if err == nil {
		err = v.Decode(&cents)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return cents
}

// chargesOnce is what must hold of every way to charge, wherever a fault acts:
// nobody is charged twice, and who is told that the charge was made was charged.
func chargesOnce(path string) func(testing.TB, *shimtest.World) {
	return func(tb testing.TB, w *shimtest.World) {
		ok := post(w, path)
		cents := charged(tb, w)
		if cents > 500 {
			tb.Errorf("charged %d cents instead of 500", cents)
		}
		if ok && cents != 500 {
			tb.Errorf("the order is said to be paid, and %d cents were charged", cents)
		}
	}
}

// The safe way holds in every place, calls between objects included.
func TestOrdersArePaidOnce(t *testing.T) {
	shimtest.Everywhere(t, ".", chargesOnce("/order"))
}

// The mistakes are found where they are, and nowhere else.
func TestMistakesAreFound(t *testing.T) {
	for path, method := range map[string]string{"/marked": "chargeMarked", "/loop": "charge"} {
		// The method ran, or may have run, and nobody knows.
		var want, broke []string
		for _, f := range []string{"drop connection", "drop reply", "crash after"} {
			want = append(want, fmt.Sprintf(`ACCOUNT("ada").%s#1/%s`, method, f))
		}
		for _, p := range shimtest.Explore(t, ".", chargesOnce(path)) {
			if p.Broke && !strings.Contains(p.Name, ", then ") {
				broke = append(broke, p.Name)
			}
		}
		if !slices.Equal(broke, want) {
			t.Errorf("%s: broke in\n%s\nwant\n%s", path, strings.Join(broke, "\n"), strings.Join(want, "\n"))
		}
	}
}

// auditOf audits a method of an account that was charged before.
func auditOf(tb testing.TB, method string, args ...any) *shimtest.AuditReport {
	tb.Helper()
	return shimtest.Audit(tb, ".", shimtest.Repeatable{
		Setup: func(tb testing.TB, w *shimtest.World) {
			if _, err := w.Namespace("ACCOUNT").GetByName("ada").Call(tb.Context(), "charge", 100); err != nil {
				tb.Fatal(err)
			}
		},
		Namespace: "ACCOUNT", Object: "ada", Method: method, Args: args,
	})
}

func TestChargeOnceIsSafeToRepeat(t *testing.T) { auditOf(t, "chargeOnce", "payment 1", 500) }

// quiet is a test whose failure is what is expected.
type quiet struct {
	testing.TB
	failed bool
}

func (q *quiet) Error(...any)          { q.failed = true }
func (q *quiet) Errorf(string, ...any) { q.failed = true }

func TestChargeMarkedIsNot(t *testing.T) {
	q := &quiet{TB: t}
	r := auditOf(q, "chargeMarked", 500)
	const want = `ACCOUNT("ada").chargeMarked is not safe to repeat. Run once, and run twice, from the same state:
    result                       once: 600  twice: 1100
    ACCOUNT("ada") key "charged"  once: 600  twice: 1100`
	if got := r.String(); !q.failed || strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("failed %v, got\n%s\nwant\n%s", q.failed, got, want)
	}
}

// The loop around a call that is retried anyway is named, with what it multiplies.
func TestTheLoopIsNamed(t *testing.T) {
	w := shimtest.New(t, ".")
	w.Fault(durable.RefuseRequest().Method("charge").Always())
	if post(w, "/loop") {
		t.Error("the charge was made")
	}
	layers := w.Timeline().Layers()
	if len(layers) != 1 || layers[0].Product() != "3 × 5 = 15" || layers[0].Site != "chargeWithRetries (src/index.ts:76:28)" {
		t.Errorf("got %v", layers)
	}
}
