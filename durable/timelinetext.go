package durable

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/durashim/durashim/internal/valuetext"
)

// WriteText writes the calls for which keep is true (nil keeps all) in a form
// for people: a heading for each call, then a line for each step with the time
// since the start of the call.
func (t *Timeline) WriteText(w io.Writer, keep func(*CallRecord) bool) error {
	calls := t.Calls()
	kept := map[int]bool{}
	for i := range calls {
		r := &calls[i]
		if keep != nil && !keep(r) {
			continue
		}
		kept[r.Seq] = true
		if _, err := io.WriteString(w, r.text(t.epoch)); err != nil {
			return err
		}
	}
	for _, l := range LayersOf(calls) {
		if !slices.ContainsFunc(l.Calls, func(seq int) bool { return kept[seq] }) {
			continue
		}
		if _, err := fmt.Fprintf(w, "WARNING: retries multiply: %s\n", l.String()); err != nil {
			return err
		}
	}
	return nil
}

func (r *CallRecord) text(epoch time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d %s  at %s", r.Seq, r.Label(), millis(r.Started.Sub(epoch)))
	if r.Caller != "" {
		fmt.Fprintf(&b, ", called by %s", r.Caller)
	}
	b.WriteByte('\n')
	if rep := r.Repeats; rep != nil {
		fmt.Fprintf(&b, "  %11s  %s\n", "", rep.text())
	}
	attempt := 0
	for _, e := range r.Events {
		who := ""
		if e.Attempt != attempt && e.Kind != EventEnded {
			attempt = e.Attempt
			who = "attempt " + strconv.Itoa(attempt)
		}
		fmt.Fprintf(&b, "  %11s  %-10s %s\n", millis(e.At.Sub(r.Started)), who, hang(r.describe(&e)))
	}
	return b.String()
}

// hang indents the lines of a text after the first like that one: messages may
// have several.
func hang(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", 26) + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// words is the text of an error, without an empty end.
func (e *Error) words() string { return strings.TrimRight(e.Error(), "\n") }

// text says that a call repeats others.
func (r *Repetition) text() string {
	s := "the application's round " + strconv.Itoa(r.Round)
	if r.First > 0 {
		s += " of #" + strconv.Itoa(r.First)
	}
	if r.Site != "" {
		s += ", at " + r.Site
	}
	return s + ": up to " + r.Product() + " attempts"
}

// Crashed reports whether the host crashed in an attempt before the n-th.
func (r *CallRecord) Crashed(n int) bool {
	for i := range r.Events {
		switch e := &r.Events[i]; e.Point {
		case PointCrashBefore, PointCrashDuring, PointCrashAfter:
			if e.Kind == EventFault && e.Attempt < n {
				return true
			}
		}
	}
	return false
}

// Name names what is called: INVENTORY("main").setQuantity.
func (r *CallRecord) Name() string { return r.Target.Label() + "." + r.Method }

// Label names the object: INVENTORY("main"), or by the beginning of its id if the
// name is not known.
func (t *Target) Label() string {
	if t.Name == "" {
		return t.Namespace + "(" + t.ID.String()[:8] + ")"
	}
	return t.Namespace + "(" + strconv.Quote(t.Name) + ")"
}

// Label names the call: INVENTORY("main").setQuantity("apple", 5).
func (r *CallRecord) Label() string {
	args := ""
	switch r.Kind {
	case RPC:
		args = "(" + valuetext.Arguments(r.Args, 60) + ")"
	case Fetch:
		args = "()"
	}
	return r.Name() + args
}

func (r *CallRecord) describe(e *Event) string {
	switch e.Kind {
	case EventSent:
		if e.Retry {
			return "sent again, flagged as a retry"
		}
		return "sent"
	case EventFault:
		return "FAULT: " + e.Fault
	case EventClaimed:
		return "claimed by the host"
	case EventStarted:
		return "method starts"
	case EventRan:
		switch {
		case e.Err == nil:
			return "method finished"
		case e.Err.Reset:
			return "method ended, the object was reset: " + e.Err.words()
		}
		text := "method threw: " + e.Err.words()
		if at := e.Err.Place(); at != "" {
			text += ", at " + at
		}
		return text
	case EventFailed:
		return fmt.Sprintf("failed, %s: %s%s", e.Delivery, e.Err.words(), flags(e.Err))
	case EventRejected:
		if r.Crashed(e.Attempt) {
			return "rejected by the host: the one before it crashed, and this one cannot know what ran there"
		}
		return "rejected by the host: it has seen this request before"
	case EventDuplicateRejected:
		return "duplicate rejected by the host: it has seen this request before"
	case EventBackoff:
		return "waits " + millis(e.Wait) + " before retrying"
	case EventEnded:
		if e.Err != nil {
			text := fmt.Sprintf("=> %s: %s", r.Outcome, e.Err.words())
			if !r.RunsKnown() {
				text += r.summary()
			}
			return text
		}
		return fmt.Sprintf("=> %s", r.Outcome) + r.summary()
	}
	return ""
}

func (r *CallRecord) summary() string {
	n, runs := r.Attempts(), r.Runs()
	switch {
	case !r.RunsKnown():
		return fmt.Sprintf(" (%d attempts, ran at least %d×: what the host did last is not known)", n, runs)
	case n == 1 && runs == 1:
		return ""
	}
	return fmt.Sprintf(" (%d attempts, ran %d×)", n, runs)
}

func flags(e *Error) string {
	var f []string
	for _, p := range []struct {
		on   bool
		name string
	}{{e.Retryable, "retryable"}, {e.Overloaded, "overloaded"}, {e.Remote, "remote"}, {e.Reset, "durableObjectReset"}} {
		if p.on {
			f = append(f, p.name)
		}
	}
	if f == nil {
		return ""
	}
	return " [" + strings.Join(f, ", ") + "]"
}

// millis writes a duration in milliseconds with three decimals.
func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 3, 64) + " ms"
}

// String returns the whole timeline as text, so that one can be printed.
func (t *Timeline) String() string { return t.Text(nil) }

// Text returns what WriteText writes.
func (t *Timeline) Text(keep func(*CallRecord) bool) string {
	var b strings.Builder
	_ = t.WriteText(&b, keep) // a Builder does not fail
	return b.String()
}
