package shimtest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/valuetext"
)

// Repeatable is a call that [Audit] is to repeat.
type Repeatable struct {
	// Setup brings a fresh world into the state that the call starts from; nil
	// leaves it empty.
	Setup func(tb testing.TB, w *World)

	Namespace string // the binding
	Object    string // its name
	Method    string
	Args      []any // by the rules of [runtime.Stub.Call]

	// Request makes the request of a call of stub.fetch(), instead of a method.
	Request func() *http.Request
}

func (c *Repeatable) label() string {
	if c.Request != nil {
		return fmt.Sprintf("%s(%q).fetch", c.Namespace, c.Object)
	}
	return fmt.Sprintf("%s(%q).%s", c.Namespace, c.Object, c.Method)
}

// missing is the result of a call of a method that the object does not have. To
// the timeline it is an answer of the object's, like any other.
func (c *Repeatable) missing() string {
	return fmt.Sprintf("throws TypeError: The RPC receiver does not implement the method %q.", c.Method)
}

// AuditReport is what [Audit] found.
type AuditReport struct {
	Call string
	// Differences are what a second run changes: a result, a key, a row, an alarm,
	// a call or a request that leaves. None means that the call is safe to repeat,
	// from this state and with these arguments.
	Differences []Difference
	// Notes are repetitions that are harmless as far as can be seen: a call of
	// another object with the same arguments whose effect shows nowhere in storage,
	// a GET or HEAD, a request with the same Idempotency-Key.
	Notes []string
}

// Difference is one thing that is not the same after one run and after two.
type Difference struct {
	What  string // "result", `INVENTORY("main") key "item:apple"`
	Once  string // its value after one run, "" if there is none
	Twice string // after two
}

// Audit runs a call once in one world and twice in another, from the same stored
// state, and fails t when anything that others can see differs: what the call
// returns or throws; the keys, SQL rows and alarms of all objects of the project;
// the calls that it makes to other objects; the requests that it sends outside.
// That is what retryable() promises: running the method again does no harm.
//
// Both worlds have the same seed, and the clock does not move between the runs:
// what differs is not due to time or chance. A method that stores a random value
// differs all the same, because its second run draws another one, as a retry does.
// Requests outside must be answered by [Outbound]. Whether the method is marked
// makes no difference: audit it before you mark it. A call whose method never runs,
// because its name is wrong or the object's constructor throws, fails t.
func Audit(t testing.TB, dir string, call Repeatable, options ...Option) *AuditReport {
	t.Helper()
	set := apply(options)
	r := &AuditReport{Call: call.label()}
	once := auditRun(t, dir, call, *set, 1)
	if once == nil {
		return r // what failed here fails in the other world as well
	}
	twice := auditRun(t, dir, call, *set, 2)
	if twice == nil {
		return r
	}
	if a, b := once.runs[0], twice.runs[0]; a.result != b.result {
		t.Errorf("shimtest: audit of %s: the first run is not the same in two equal worlds: %s, and %s", r.Call, a.result, b.result)
		return r
	}
	r.compare(once, twice)
	if len(r.Differences) > 0 {
		t.Error(r.String())
	}
	return r
}

// audited is a world after its runs.
type audited struct {
	runs  []auditedRun
	state map[string]string // what is stored, by its name
}

// auditedRun is what one run of the call did that others can see at once.
type auditedRun struct {
	result   string
	calls    []string
	requests []sentRequest
}

// auditRun makes a world and runs the call n times; nil if that failed, which t
// then knows.
func auditRun(t testing.TB, dir string, call Repeatable, set settings, n int) (a *audited) {
	t.Helper()
	net := &network{answer: set.runtime.Outbound}
	set.runtime.Outbound = net
	c := collect(t, t.Name(), func(tb testing.TB) {
		w := open(tb, dir, &set)
		if call.Setup != nil {
			call.Setup(tb, w)
		}
		settle(tb, w, time.Nanosecond)
		out := &audited{}
		for range n {
			before := len(w.Calls(""))
			net.take()
			run := auditedRun{result: call.do(tb, w)}
			if made := w.Calls("")[before:]; len(made) == 0 || made[0].Runs() == 0 || run.result == call.missing() {
				tb.Fatalf("shimtest: the method never ran, so there is nothing to compare: the call %s", run.result)
			}
			settle(tb, w, time.Nanosecond)
			run.requests = net.take()
			for _, r := range w.Calls("")[before:] {
				if r.Caller != goCaller {
					run.calls = append(run.calls, r.Label())
				}
			}
			slices.Sort(run.calls)
			out.runs = append(out.runs, run)
		}
		// What the runs left for later, alike in both worlds.
		settle(tb, w, 5*time.Second)
		out.state = state(tb, w)
		a = out
	})
	if c.Failed() {
		t.Errorf("shimtest: audit of %s:\n%s", call.label(), strings.Join(c.report(), "\n"))
		return nil
	}
	return a
}

// goCaller is how calls from Go are named on the timeline.
const goCaller = "go"

// settle lets everything happen that is due, what comes from outside included: the
// clock cannot move before that, so it moves a little.
func settle(tb testing.TB, w *World, d time.Duration) {
	tb.Helper()
	if w.Clock() == nil {
		tb.Fatalf("shimtest: an audit needs the virtual clock")
	}
	if err := w.Clock().Advance(tb.Context(), d); err != nil {
		tb.Fatalf("shimtest: %v", err)
	}
}

// do makes the call and writes what came of it.
func (c *Repeatable) do(tb testing.TB, w *World) string {
	stub := w.Namespace(c.Namespace).GetByName(c.Object)
	if c.Request != nil {
		res, err := stub.Fetch(tb.Context(), c.Request())
		if err != nil {
			return thrown(tb, err)
		}
		body, err := readAll(res)
		if err != nil {
			return "breaks off: " + err.Error()
		}
		return fmt.Sprintf("%d %s", res.StatusCode, body)
	}
	v, err := stub.Call(tb.Context(), c.Method, c.Args...)
	if err != nil {
		return thrown(tb, err)
	}
	return valuetext.Value(v.Data(), maxText, nil)
}

// thrown writes what a call threw; that it could not be made at all ends the run.
func thrown(tb testing.TB, err error) string {
	tb.Helper()
	var e *durable.Error
	if !errors.As(err, &e) {
		tb.Fatal(err)
	}
	return "throws " + e.Error()
}

// maxText bounds the values in a report, in bytes.
const maxText = 120

// state writes what all objects have stored.
func state(tb testing.TB, w *World) map[string]string {
	tb.Helper()
	stored, err := w.Stored()
	if err != nil {
		tb.Fatalf("shimtest: %v", err)
	}
	labels := map[string]string{}
	for _, r := range w.Calls("") {
		labels[r.Target.ID.String()] = r.Target.Label()
	}
	out := map[string]string{}
	for _, s := range stored {
		label := labels[s.ID]
		if label == "" {
			label = s.Namespace + "(" + s.ID[:8] + ")"
		}
		for _, e := range s.Keys {
			out[fmt.Sprintf("%s key %q", label, e.Key)] = valueOf(e.Value)
		}
		if s.Alarm != "" {
			out[label+" alarm"] = s.Alarm
		}
		for _, t := range s.Tables {
			out[fmt.Sprintf("%s table %s", label, t.Name)] = t.Schema
			counts := map[string]int{}
			for _, row := range t.Rows {
				counts[row]++
			}
			for row, n := range counts {
				out[fmt.Sprintf("%s table %s row (%s)", label, t.Name, row)] = times(n)
			}
		}
	}
	return out
}

// valueOf writes a value; of one too long to be shown whole it also says how it
// differs from others that begin alike.
func valueOf(data []byte) string {
	text := valuetext.Value(data, maxText, nil)
	if strings.HasSuffix(text, "...") {
		text += fmt.Sprintf(" (%d bytes, %s)", len(data), digest(data))
	}
	return text
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
