package shimtest

import (
	"fmt"

	"github.com/durashim/durashim/durable"
)

// CallAssert checks what became of a call. Each of its methods reports an error
// to the test when the call is otherwise, the first with the timeline of the call, and
// returns the same CallAssert, so that checks read as a sentence:
//
//	w.AssertCall("addOne").Attempts(2).Runs(1).Outcome(durable.ClaimRejected)
//
// It looks at the call as it was when AssertCall was called.
type CallAssert struct {
	w *World
	r *durable.CallRecord

	shown bool // the timeline was printed with an earlier failure
}

// AssertCall checks the latest call of a method, "fetch" for stub.fetch(); the
// test ends if there is none.
func (w *World) AssertCall(method string) *CallAssert {
	w.t.Helper()
	return &CallAssert{w: w, r: w.LastCall(method)}
}

// Attempts checks how many attempts were made, the first included.
func (a *CallAssert) Attempts(n int) *CallAssert {
	a.w.t.Helper()
	return a.number("attempts", a.r.Attempts(), n)
}

// Runs checks how often the method was entered, in all attempts together.
func (a *CallAssert) Runs(n int) *CallAssert {
	a.w.t.Helper()
	return a.number("runs", a.r.Runs(), n)
}

// Faults checks how many faults acted on the call.
func (a *CallAssert) Faults(n int) *CallAssert {
	a.w.t.Helper()
	return a.number("faults", a.r.Faults(), n)
}

// Outcome checks how the call ended.
func (a *CallAssert) Outcome(o durable.Outcome) *CallAssert {
	a.w.t.Helper()
	if a.r.Outcome != o {
		a.fail(fmt.Sprintf("outcome is %q, want %q", a.r.Outcome, o))
	}
	return a
}

// Error checks the message of the error that the caller got; "" means that the
// call succeeded.
func (a *CallAssert) Error(message string) *CallAssert {
	a.w.t.Helper()
	got := ""
	if a.r.Err != nil {
		got = a.r.Err.Message
	}
	if got != message {
		a.fail(fmt.Sprintf("error is %q, want %q", got, message))
	}
	return a
}

func (a *CallAssert) number(what string, got, want int) *CallAssert {
	a.w.t.Helper()
	if got != want {
		a.fail(fmt.Sprintf("%s: %d, want %d", what, got, want))
	}
	return a
}

func (a *CallAssert) fail(text string) {
	a.w.t.Helper()
	if a.shown {
		a.w.t.Errorf("shimtest: %s: %s", a.r.Label(), text)
		return
	}
	a.shown = true
	line := a.w.Timeline().Text(func(c *durable.CallRecord) bool { return c.Seq == a.r.Seq })
	a.w.t.Errorf("shimtest: %s: %s\n%s", a.r.Label(), text, line)
}
