package faultfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config/source"
)

func TestParse(t *testing.T) {
	got, err := Parse("f.jsonc", []byte(`[
  // Comments and trailing commas are fine.
  { "fault": "dropReply", "namespace": "INVENTORY", "object": "main", "method": "addOne", "caller": "go", "call": 2, "times": 2 },
  { "fault": "delayRequest", "delay": "250ms", "probability": 0.1, "times": "always", },
  { "fault": "delayReply", "delay": 1500.5, "attempt": 11 },
  { "times": 3, "for": "1m30s", "fault": "refuseRequest" },
  { "fault": "storageUnavailable", "duration": 2000 },
  { "fault": "overload", "for": 300 },
]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []durable.Fault{
		durable.DropReply().Namespace("INVENTORY").Object("main").Method("addOne").Caller("go").Call(2).Times(2),
		durable.DelayRequest(250 * time.Millisecond).Probability(0.1).Always(),
		durable.DelayReply(1500500 * time.Microsecond).Attempt(11),
		durable.RefuseRequest().For(90 * time.Second).Times(3),
		durable.StorageUnavailable(2 * time.Second),
		durable.Overload().For(300 * time.Millisecond),
	}
	for i, f := range want {
		if w := f.From(fmt.Sprintf("f.jsonc:%d:3", i+3)); got[i] != w {
			t.Errorf("plan %d: %v from %s, want %v from %s", i, got[i], got[i].Origin(), w, w.Origin())
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d plans, want %d", len(got), len(want))
	}
	for _, name := range durable.FaultNames() { // every fault can be written
		text := fmt.Sprintf(`[{"fault": %q}]`, name)
		if f := timeField(name); f != "" {
			text = fmt.Sprintf(`[{"fault": %q, %q: 1}]`, name, f)
		}
		if _, err := Parse("f", []byte(text)); err != nil {
			t.Error(err)
		}
	}
	if plans, err := Parse("f", []byte("[]")); err != nil || plans != nil {
		t.Errorf("no plans: %v, %v", plans, err)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                                       `f:1:1: `,
		`[`:                                      `f:1:`,
		`{"fault": "dropReply"}`:                 `f:1:1: a file of faults is an array of plans`,
		`[1]`:                                    `f:1:2: a plan is an object such as`,
		`[{"method": "a"}]`:                      `f:1:2: the plan lacks the field "fault"; there are abortAfter, abortBefore`,
		`[{"fault": 1}]`:                         `f:1:12: "fault" must be a string, not a number`,
		"[\n  {\"fault\": \"dropRepli\"}]":       `f:2:13: there is no fault "dropRepli" (did you mean "dropReply"?); there are abortAfter,`,
		`[{"fault": "dropReply", "metod": "a"}]`: `f:1:25: dropReply has no field "metod" (did you mean "method"?); there are fault, namespace,`,
		`[{"fault": "dropReply", "delay": 1}]`:   `f:1:25: dropReply has no field "delay"`,
		`[{"fault": "delayReply", "duration": 1}]`:             `f:1:26: delayReply has no field "duration"`,
		`[{"fault": "delayReply"}]`:                            `f:1:2: delayReply needs the field "delay", such as "250ms" or 250`,
		`[{"fault": "storageUnavailable"}]`:                    `f:1:2: storageUnavailable needs the field "duration"`,
		`[{"fault": "delayReply", "delay": "250"}]`:            `f:1:35: "delay" must be a positive number of milliseconds, or a text such as "250ms" or "1m30s", not "250"`,
		`[{"fault": "delayReply", "delay": -1}]`:               `f:1:35: "delay" must be a positive number of milliseconds`,
		`[{"fault": "delayReply", "delay": 1e300}]`:            `f:1:35: "delay" must be`,
		`[{"fault": "dropReply", "for": 0}]`:                   `f:1:32: "for" must be a positive number`,
		`[{"fault": "dropReply", "for": null}]`:                `f:1:32: "for" must be a positive number of milliseconds, or a text such as "250ms" or "1m30s", not null`,
		`[{"fault": "dropReply", "call": 0}]`:                  `f:1:33: "call" must be a positive integer, not 0`,
		`[{"fault": "dropReply", "attempt": 1.5}]`:             `f:1:36: "attempt" must be a positive integer, not 1.5`,
		`[{"fault": "dropReply", "attempt": "1"}]`:             `f:1:36: "attempt" must be a positive integer, not "1"`,
		`[{"fault": "dropReply", "times": "never"}]`:           `f:1:34: "times" must be a positive integer or "always", not "never"`,
		`[{"fault": "dropReply", "times": -1}]`:                `f:1:34: "times" must be a positive integer or "always", not -1`,
		`[{"fault": "dropReply", "probability": 2}]`:           `f:1:40: "probability" must be a number greater than 0 and at most 1, not 2`,
		`[{"fault": "dropReply", "method": ""}]`:               `f:1:35: "method" must be a string that is not empty, not ""`,
		`[{"fault": "dropReply", "method": ["a"]}]`:            `f:1:35: "method" must be a string that is not empty, not an array`,
		`[{"fault": "dropReply", "method": "a", "method": 1}]`: `f:1:40: duplicate field "method"`,
		"[\n {\"fault\": \"dropReply\", \"attempt\": 12}]":     `f:2:2: fault (reply dropped after the method finished, attempt 12): attempt must be between 1 and 11`,
		`[{"fault": "overload", "call": 1, "times": 2}]`:       `f:1:2: fault (rejected as overloaded, call 1, 2 times): it ends the call`,
	} {
		plans, err := Parse("f", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n got %v (%v)\nwant %s", text, err, plans, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`[{"fault": "dropReply", "method": "a", "times": "always"}]`))
	f.Add([]byte(`[{"fault": "delayReply", "delay": "1h", "for": 1e3, "probability": 0.5}, // x` + "\n]"))
	f.Add([]byte(`[{"fault": "storageUnavailable", "duration": 1, "call": 1, "attempt": 2}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		plans, err := Parse("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("an error without its place: %v", err)
			}
			var e *source.Error
			if errors.As(err, &e) && e.Pos.Line < 1 {
				t.Errorf("line %d", e.Pos.Line)
			}
			return
		}
		for _, p := range plans {
			if err := p.Check(); err != nil {
				t.Errorf("accepted: %v", err)
			}
		}
	})
}
