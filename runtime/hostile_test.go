package runtime_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
)

func (c *hostileCase) script() string {
	members, ok := strings.CutPrefix(c.body, "members:")
	if !ok {
		members = "async run() { " + c.body + " }"
	}
	return `import { DurableObject } from "cloudflare:workers";
` + c.module + `
export class Victim extends DurableObject { ` + members + ` }
export class Neighbour extends DurableObject {
  count = 0;
  // It uses the language's own means only: the victim may have taken away all else.
  async next(n) {
    await null;
    await this.ctx.storage.put("n", n);
    const seen = await this.ctx.storage.get("n");
    if (seen !== n) throw "stored " + n + ", read " + seen;
    return ++this.count;
  }
  echo(x) { return x; }
  async fetch(request) { return new Response(request.method + (await request.text())); }
}
export default {};
`
}

// armed is a turn limit of 150 ms that counts from when it is switched on: how
// long a script takes to load on a busy machine is not what is tested.
type armed struct{ on atomic.Bool }

type armedTimer struct {
	*time.Timer
	a *armed
}

func (a *armed) timer(f func()) jsbridge.TurnTimer {
	t := time.AfterFunc(time.Hour, f)
	t.Stop()
	return &armedTimer{t, a}
}

func (a *armedTimer) Reset(d time.Duration) bool {
	if !a.a.on.Load() {
		d = time.Minute
	}
	return a.Timer.Reset(d)
}

// outcome says what a call came to, in one line.
func outcome(v runtime.Value, err error) string {
	var e *durable.Error
	switch {
	case errors.As(err, &e):
		s := e.Name + ": " + e.Message
		if e.Reset {
			s += " [reset]"
		}
		return s
	case err != nil:
		return "Go error: " + err.Error()
	}
	x, err := v.Any()
	if err != nil {
		return "not decoded: " + err.Error()
	}
	b, err := json.Marshal(x)
	if err != nil {
		return "not encoded: " + err.Error()
	}
	return "value " + string(b)
}

// runHostile calls the victim between two calls of a neighbour, and says what
// the victim's caller got and what the second call of the neighbour came to.
func runHostile(t *testing.T, c *hostileCase) (got, after string) {
	cpu := &armed{}
	rt := open(t, project(t, c.script(), "Victim", "Neighbour"), func(o *runtime.Options) {
		o.Record = false
		o.Limits = jsbridge.Limits{Turn: 150 * time.Millisecond, CPU: cpu.timer}
	})
	beside := rt.Namespace("NEIGHBOUR").GetByName("beside")
	if got := outcome(beside.Call(t.Context(), "next", 1)); got != "value 1" {
		t.Fatalf("the neighbour before: %s", got)
	}
	cpu.on.Store(c.want == turnLimit)
	got = outcome(rt.Namespace("VICTIM").GetByName("v").Call(t.Context(), "run"))
	cpu.on.Store(false)
	return got, outcome(beside.Call(t.Context(), "next", 2))
}

// Whatever a script does, its caller gets an answer, and an object beside it in
// the same isolate keeps its memory and goes on. The answers are those of the
// real runtime.
func TestHostileScripts(t *testing.T) {
	all := slices.Concat(hostileCases, hostileNewer)
	for i := range all {
		c := &all[i]
		t.Run(c.name, func(t *testing.T) {
			got, after := runHostile(t, c)
			if got != c.want {
				t.Errorf("\n got %.300s\nwant %s", got, c.want)
			}
			if after != "value 2" {
				t.Errorf("the neighbour after: %.300s", after)
			}
		})
	}
}

// The list of differences stays true: what has come to agree moves to the cases.
func TestHostileDifferences(t *testing.T) {
	for i := range hostileDifferences {
		c := &hostileDifferences[i]
		t.Run(c.name, func(t *testing.T) {
			got, after := runHostile(t, c)
			if got == c.want && after == "value 2" {
				t.Errorf("no longer differs: %s", got)
			}
			t.Logf("\n  here %.200s\n there %.200s\n neighbour %.100s", got, c.want, after)
		})
	}
}

// The same ends while a script loads: an error, no hang.
func TestHostileStart(t *testing.T) {
	for script, want := range map[string]string{
		"for (;;) {}":                          " limit",
		"await null; for (;;) {}":              "CPU time limit",
		"const a = []; for (;;) await a":       "CPU time limit",
		"const f = () => f() + 1; f()":         "main.js:1:",
		"throw { toString() { throw 1 } }":     "the script failed to load",
		"throw Object.create(null)":            "the script failed to load",
		"Object.prototype.then = 1; throw 'x'": "the script failed to load: x",
	} {
		rt, err := runtime.Open(project(t, script+";\nexport default {};\n"), runtime.Options{Limits: jsbridge.Limits{Turn: time.Second}})
		if err == nil {
			t.Errorf("%s: no error", script)
			_ = rt.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v lacks %q", script, err, want)
		}
	}
}
