package durable

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/durashim/durashim/internal/random"
	"github.com/google/uuid"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fixedBackoff(d time.Duration) Backoff {
	return func(int, *random.Source) time.Duration { return d }
}

func TestClaims(t *testing.T) {
	now := time.Unix(0, 0)
	at := func(s int) time.Time { return now.Add(time.Duration(s) * time.Second) }
	id := func(i int) (id uuid.UUID) { id[0], id[1] = byte(i), byte(i>>8); return id }
	var c claims
	c.release(id(1)) // of nothing
	if !c.take(id(1), at(10), at(0)) {
		t.Error("a fresh identity is refused")
	}
	if c.take(id(1), at(10), at(10)) {
		t.Error("a duplicate at the very end of the window is accepted")
	}
	if !c.take(id(1), at(20), at(11)) {
		t.Error("the claim outlives its window")
	}
	c.release(id(1))
	if !c.take(id(1), at(20), at(11)) {
		t.Error("a released identity is refused")
	}
	// The claims that have expired do not pile up, and the others stay.
	for i := range 10_000 {
		if !c.take(id(i+2), at(i/100), at(i/100-1)) {
			t.Fatalf("claim %d is refused", i)
		}
	}
	if n := len(c.until); n > 2*300+64 {
		t.Errorf("%d claims are kept, about 200 are alive", n)
	}
	for i := range 100 { // those of the last second
		if c.take(id(9900+i+2), at(99), at(99)) {
			t.Fatalf("claim %d was lost", 9900+i)
		}
	}
}

// The values are what workerd derives.
func TestIDDerivation(t *testing.T) {
	f := NewIDFactory("obj-key")
	const want = "790d0f7b9bee2720a321a2f24942fd27c8507ddd786ab8679d0ede2fcb7115f9"
	id := f.FromName("a")
	if id.String() != want {
		t.Errorf("%s, want %s", id, want)
	}
	for _, s := range []string{want, strings.ToUpper(want)} {
		if got, err := f.FromString(s); err != nil || got != id {
			t.Errorf("FromString(%s): %v, %v", s, got, err)
		}
	}
	u, err := f.Unique(random.Seeded(1))
	must(t, err)
	if got, err := f.FromString(u.String()); err != nil || got != u {
		t.Errorf("a unique id is not of its namespace: %v", err)
	}
	if again, _ := f.Unique(random.Seeded(1)); again != u {
		t.Error("the same randomness gives another id")
	}
	if _, err := f.Unique(strings.NewReader("short")); err == nil {
		t.Error("a source that runs dry gives an id")
	}
	for s, message := range map[string]string{
		"":              "Invalid Durable Object ID: must be 64 hex digits",
		want[1:]:        "Invalid Durable Object ID: must be 64 hex digits",
		want + "0":      "Invalid Durable Object ID: must be 64 hex digits",
		"x" + want[1:]:  "Invalid Durable Object ID: must be 64 hex digits",
		want[:63] + "0": "Durable Object ID is not valid for this namespace.",
		NewIDFactory("other").FromName("a").String(): "Durable Object ID is not valid for this namespace.",
	} {
		_, err := f.FromString(s)
		var e *Error
		if !errors.As(err, &e) || e.Name != "TypeError" || e.Message != message {
			t.Errorf("FromString(%q): %v, want a TypeError %q", s, err, message)
		}
	}
}

func TestRetryOptionBounds(t *testing.T) {
	const (
		badCount   = "retry.maxRetries must be an integer between 0 and 10"
		badTimeout = "retry.timeoutMs must be an integer between 500 and 60000"
	)
	nan, inf, negZero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	check := func(what string, v float64, err error, want string) {
		t.Helper()
		var e *Error
		switch {
		case want == "" && err != nil:
			t.Errorf("%s %v: %v", what, v, err)
		case want != "" && (!errors.As(err, &e) || e.Name != "RangeError" || e.Message != want):
			t.Errorf("%s %v: %v, want a RangeError %q", what, v, err, want)
		}
	}
	for _, v := range []float64{0, negZero, 1, 10} {
		o := DefaultRetry()
		check("maxRetries", v, o.SetMaxRetries(v), "")
		if o.MaxRetries() != int(v) || o.Timeout() != RetryTimeoutDefault {
			t.Errorf("%v: %+v", v, o)
		}
	}
	for _, v := range []float64{500, 60000, 12345} {
		o := DefaultRetry()
		check("timeoutMs", v, o.SetTimeout(v), "")
		if o.Timeout() != time.Duration(v)*time.Millisecond || o.MaxRetries() != MaxRetriesDefault {
			t.Errorf("%v: %+v", v, o)
		}
	}
	for _, v := range []float64{nan, inf, -inf, 1.5, -1, 11, 1e300, 0.1} {
		o := DefaultRetry()
		check("maxRetries", v, o.SetMaxRetries(v), badCount)
		if o != DefaultRetry() {
			t.Errorf("a refused value changed the options: %+v", o)
		}
	}
	for _, v := range []float64{nan, inf, -inf, 499, 500.5, 60001, -1, 0, 1e300} {
		o := DefaultRetry()
		check("timeoutMs", v, o.SetTimeout(v), badTimeout)
		if o != DefaultRetry() {
			t.Errorf("a refused value changed the options: %+v", o)
		}
	}
}

func TestFaultConcerns(t *testing.T) {
	id := NewIDFactory("k").FromName("apple")
	target := Target{Namespace: "INVENTORY", ID: id, Name: "apple"}
	for _, c := range []struct {
		f    Fault
		want bool
	}{
		{DropReply(), true},
		{DropReply().Namespace("INVENTORY").Object("apple").Method("set").Caller("go"), true},
		{DropReply().Object(id.String()), true},
		{DropReply().Namespace("OTHER"), false},
		{DropReply().Object("pear"), false},
		{DropReply().Method("fetch"), false},
		{DropReply().Caller("worker"), false},
	} {
		if got := c.f.concerns(target, "set", "go"); got != c.want {
			t.Errorf("%v: concerns %v, want %v", c.f, got, c.want)
		}
	}
}

func TestFaultString(t *testing.T) {
	for want, f := range map[string]Fault{
		"not delivered": RefuseRequest(),
		"request dropped before the object saw it, always": DropRequest().Always(),
		"reply dropped after the method finished, namespace N, object o, method m, caller c, attempt 2, 3 times": DropReply().
			Namespace("N").Object("o").Method("m").Caller("c").Attempt(2).Times(3),
		"reply delayed by 2s, call 3, probability 0.5, for 1m0s": DelayReply(2 * time.Second).Call(3).For(time.Minute).Probability(0.5),
		"request delivered twice, 2 times, for 1s":               Duplicate().For(time.Second).Times(2),
	} {
		if got := f.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFaultsAreChecked(t *testing.T) {
	fs := &Faults{}
	for text, f := range map[string]Fault{
		"no fault point":                   {},
		"attempt must be between 1 and 11": DropReply().Attempt(12),
		"attempt 12":                       DropReply().Attempt(12),
		"attempt 0":                        DropReply().Attempt(0),
		"attempt -1":                       DropReply().Attempt(-1),
		"times must not be negative":       DropReply().Times(-1),
		"times must not be 0":              DropReply().Times(0),
		"call must be at least 1":          DropReply().Call(0),
		"for must be positive":             DropReply().For(0),
		"for -1s":                          DropReply().For(-time.Second),
		"greater than 0 and at most 1":     DropReply().Probability(0),
		"probability 1.5":                  DropReply().Probability(1.5),
		"probability -0.1":                 DropReply().Probability(-0.1),
		"probability NaN":                  DropReply().Probability(math.NaN()),
		"the delay must be positive":       DelayReply(0),
		"request delayed by -1s":           DelayRequest(-time.Second),
	} {
		if err := fs.Add(RefuseRequest(), f); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v, want %q", f, err, text)
		}
	}
	if len(fs.active) != 0 {
		t.Errorf("a list with a bad plan left %d plans in force", len(fs.active))
	}
}

func TestFaultsCountAndClear(t *testing.T) {
	w := newWorld(t)
	w.plan(RefuseRequest().Times(2), DropRequest().Method("other"), DropReply().Attempt(4))
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Faults() != 2 || r.Attempts() != 3 {
		t.Errorf("%d faults\n%s", r.Faults(), w.line.Text(nil))
	}
	unused := w.faults.Clear()
	if fmt.Sprint(unused) != "[request dropped before the object saw it, method other reply dropped after the method finished, attempt 4]" {
		t.Errorf("unused: %v", unused)
	}
	if u := w.faults.Unused(); len(u) != 2 {
		t.Errorf("after Clear, what missed is forgotten: %v", u)
	}
	if r := w.call(w.stub(DefaultRetry()), rpc("other")); r.Faults() != 0 {
		t.Error("a cleared fault acts")
	}
}

// Many goroutines use one stub at once, some of whose calls break it.
func TestStubLearnsConcurrently(t *testing.T) {
	broken := &Error{Name: "Error", Message: "aborted", Reset: true, Remote: true}
	ns := &Namespace{Name: "N", IDs: NewIDFactory("n"), Engine: newWorld(t).ns.Engine, Transport: transportFunc(func(a *Attempt) {
		switch a.Request(1).Op.Method {
		case "abort":
			a.Done(Reply{Delivery: Answered, Err: broken, Session: 7, Broken: true})
		default:
			a.Done(Reply{Delivery: Answered, Session: 7})
		}
	})}
	s := ns.Get(ns.IDs.FromName("a"), "a", DefaultRetry(), "test")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				method := "add"
				if g == 0 && i == 100 {
					method = "abort"
				}
				ended := false
				s.Call(rpc(method), func(_ Result, err *Error) {
					ended = true
					if err != nil && err.Message != "aborted" {
						t.Error(err)
					}
				})
				if !ended {
					t.Error("the call has not ended")
				}
			}
		})
	}
	wg.Wait()
	s.Call(rpc("add"), func(_ Result, err *Error) {
		if err == nil || err.Message != "aborted" || err.Remote {
			t.Errorf("the stub forgot that it is broken: %v", err)
		}
	})
	if s.session != 7 {
		t.Errorf("session %d", s.session)
	}
}

type transportFunc func(a *Attempt)

func (f transportFunc) Send(a *Attempt) { f(a) }
func (transportFunc) Cancel(*Attempt)   {}
