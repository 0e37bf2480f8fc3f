package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
)

// fate is what an attempt meets with at a fault point, by the meaning of the
// point alone: whether it brings a result, an error that the platform may retry,
// or one that it must not; and whether the object began to run it.
type fate struct {
	end  string // "result", "lost", "forgotten" (lost, and the host that comes next cannot know) or "final"
	err  string
	runs int // of an unmarked method
	more int // further runs of a marked one in the same attempt
}

const (
	lost       = "Network connection lost."
	aborted    = "Application called abort() to reset Durable Object."
	overloaded = "Durable Object is overloaded. Too many requests queued."
	notWritten = "Internal error in Durable Object storage write caused object to be reset; reference = "
)

var fates = map[durable.FaultPoint]fate{
	// The object never sees these.
	durable.PointRequestRefused: {"lost", lost, 0, 0},
	durable.PointRequestDropped: {"lost", lost, 0, 0},
	durable.PointOverloaded:     {"final", overloaded, 0, 0},
	// The object has begun when the connection breaks.
	durable.PointConnectionDropped: {"lost", lost, 1, 0},
	durable.PointReplyDropped:      {"lost", lost, 1, 0},
	// The host is gone, with what it knew.
	durable.PointCrashBefore: {"forgotten", lost, 0, 0},
	durable.PointCrashDuring: {"forgotten", lost, 1, 0},
	durable.PointCrashAfter:  {"forgotten", lost, 1, 0},
	// The object fails and says so.
	durable.PointWriteFailed: {"final", notWritten, 1, 0},
	durable.PointAbortBefore: {"final", aborted, 0, 0},
	durable.PointAbortDuring: {"final", aborted, 1, 0},
	durable.PointAbortAfter:  {"final", aborted, 1, 0},
	// Late, or in another instance, but all is well.
	durable.PointRequestDelayed: {"result", "", 1, 0},
	durable.PointReplyDelayed:   {"result", "", 1, 0},
	durable.PointEvictBefore:    {"result", "", 1, 0},
	// Answered late, when what it wrote is durable.
	durable.PointStorageUnavailable: {"result", "", 1, 0},
	// The second delivery is rejected, unless the method is marked.
	durable.PointDuplicated: {"result", "", 1, 1},
}

// expect derives a cell from the announcement's rules:
//
//   - only a call that can be sent again unchanged, through a stub from get() or
//     getByName(), with nothing pipelined on it, is retried;
//   - five attempts are made at most;
//   - an error that was answered, or overloaded, ends the call with that error;
//   - a broken connection is retried: what the object has begun runs again only
//     if it is marked, else the call fails with the first error; a host that came
//     after the one which had the request cannot know, and treats it as begun;
//   - when attempts are used up, or a retry is impossible, the first error stands.
func expect(t *testing.T, c cell) result {
	f, ok := fates[c.fault.Point()]
	if !ok {
		t.Fatalf("no rule for %v", c.fault.Point())
	}
	retried := c.call == eligible
	identity := c.call == eligible || c.call == pipelined // pipelining comes after the identity was given
	switch {
	case !retried && c.attempt > 1:
		return result{na: naAttempt}
	case c.fault.Point() == durable.PointDuplicated && !identity:
		return result{na: naDuplicate}
	}
	r := result{attempts: c.attempt, runs: f.runs, err: f.err}
	if c.marked {
		r.runs += f.more
	}
	first := c.attempt == 1
	switch f.end {
	case "result":
		r.outcome = durable.Recovered
		if first {
			r.outcome = durable.Succeeded
		}
		return r
	case "final":
		r.outcome = durable.Other
		if first {
			r.outcome = durable.Failed
		}
		return r
	}
	switch {
	case !retried:
		r.outcome = durable.UnableToRetry
	case c.attempt == 5:
		r.outcome = durable.Exhausted
	case (f.runs > 0 || f.end == "forgotten") && !c.marked:
		r.attempts, r.outcome = r.attempts+1, durable.ClaimRejected
	default:
		r.attempts, r.runs, r.outcome, r.err = r.attempts+1, r.runs+1, durable.Recovered, ""
	}
	return r
}

func TestMatrix(t *testing.T) {
	all := cells()
	if want := 2 * 2 * 4 * len(fates) * 3; len(all) != want {
		t.Errorf("%d cells, want %d: a fault point is missing", len(all), want)
	}
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.String()] {
			t.Errorf("%v: twice", c)
		}
		seen[c.String()] = true
		got, rec, err := c.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(got.err) == len(notWritten)+24 && strings.HasPrefix(got.err, notWritten) {
			got.err = notWritten // the reference is a random one
		}
		if want := expect(t, c); got != want {
			t.Errorf("%v:\n got %+v\nwant %+v", c, got, want)
		}
		if got.na != "" {
			if rec.Attempts() != 1 {
				t.Errorf("%v: n/a (%s), and yet there were %d attempts", c, got.na, rec.Attempts())
			}
			for _, e := range rec.Events {
				if e.Kind == durable.EventFault && e.Attempt == c.attempt {
					t.Errorf("%v: n/a (%s), and yet a fault acted", c, got.na)
				}
			}
		}
		if !c.marked && got.runs > 1 {
			t.Errorf("%v: an unmarked method ran %d times", c, got.runs)
		}
	}
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	page := t.TempDir() + "/matrix.html"
	if err := run(t.Context(), &b, page); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != len(cells())+1 {
		t.Errorf("%d lines for %d cells", len(lines), len(cells()))
	}
	for _, want := range []string{
		"RPC unmarked eligible reply dropped after the method finished 1 2 1 claim rejected Network connection lost.",
		"fetch marked eligible host crashed while the method ran 2 3 2 recovered",
		"n/a " + naDuplicate,
	} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("the table lacks %q", want)
		}
	}
}
