package durable

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPlaceOfAnError(t *testing.T) {
	for stack, want := range map[string]string{
		"Error: m\n\tat boom (src/index.ts:12:9(3))\n\tat x (src/a.ts:1:1(2))\n": "src/index.ts:12:9",
		"Error: m\n    at async boom (src/index.ts:12:9)":                        "src/index.ts:12:9",
		"Error: m\n\tat src/(group)/a.ts:1:2(31)\n":                              "src/(group)/a.ts:1:2",
		"Error: m\n\tat boom (src/(group)/a.ts:1:2(31))\n":                       "src/(group)/a.ts:1:2",
		"Error: m\n\tat parse (native)\n\tat src/a.ts:1:2(31)":                   "src/a.ts:1:2",
		"Error: m\n\tat equal (node-internal:assert:3:4(1))\n\tat a.js:5:6(1)":   "a.js:5:6",
		"Error: m\n\tat parse (native)\n":                                        "",
		"Error: m":                                                               "",
		"":                                                                       "",
	} {
		e := &Error{Name: "Error", Message: "m", Stack: stack}
		if got := e.Place(); got != want {
			t.Errorf("%q: got %q, want %q", stack, got, want)
		}
	}
	e := &Error{Name: "RangeError", Message: "m\n    at fake (b.ts:1:1)", Stack: "RangeError: m\n    at fake (b.ts:1:1)\n    at a.ts:2:2"}
	if got := e.Place(); got != "a.ts:2:2" {
		t.Errorf("a message that looks like a stack: got %q", got)
	}
	e.ThrownAt = "src/c.ts:3:3"
	if got := e.Place(); got != "src/c.ts:3:3" {
		t.Errorf("an error of a callee: got %q", got)
	}
	if got := (*Error)(nil).Place(); got != "" {
		t.Errorf("no error: got %q", got)
	}
}

// The timeline says where a method threw, and a message of several lines does not
// leave its column.
func TestTimelineOfAnErrorInTheSource(t *testing.T) {
	epoch := time.Unix(0, 0)
	line := NewTimeline(epoch)
	err := &Error{Name: "RangeError", Message: "two\n\nlines\n", Stack: "RangeError: two\n\nlines\n\n\tat m (src/a.ts:2:3(1))"}
	line.calls = append(line.calls, &CallRecord{Seq: 1, Started: epoch, Kind: Get, Method: "m", Events: []Event{
		{At: epoch, Kind: EventSent, Attempt: 1},
		{At: epoch, Kind: EventRan, Attempt: 1, Err: err},
		{At: epoch, Kind: EventFailed, Attempt: 1, Delivery: Answered, Err: err.remote()},
	}})
	pad := strings.Repeat(" ", 26)
	want := "     0.000 ms             method threw: RangeError: two\n\n" + pad + "lines, at src/a.ts:2:3\n" +
		"     0.000 ms             failed, answered: RangeError: two\n\n" + pad + "lines [remote]\n"
	if got := fmt.Sprint(line); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
	var b strings.Builder
	if err := WriteJSON(&b, line.Calls(), epoch); err != nil || strings.Count(b.String(), `"thrownAt": "src/a.ts:2:3"`) != 2 {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// A script may set any text as the stack of its error.
func FuzzPlace(f *testing.F) {
	f.Add("Error: m\n\tat boom (src/index.ts:12:9(3))\n", "m")
	f.Add("    at async a b (c (d):1:2)", "")
	f.Fuzz(func(t *testing.T, stack, message string) {
		at := (&Error{Name: "Error", Message: message, Stack: stack}).Place()
		if strings.ContainsAny(at, "\n") || !strings.Contains(stack, at) {
			t.Errorf("%q of %q", at, stack)
		}
	})
}
