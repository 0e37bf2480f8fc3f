package runtime_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// The model check of the whole: random sequences of calls, faults, evictions and
// moves of the clock, played by a script, with objects in JavaScript and their
// storage in SQLite. The rules that it is held against are those of package
// durable's model, seen from outside.

var modelSeed = flag.Uint64("model.seed", 0, "check this sequence only")

const modelSequences = 1000

const modelScript = `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
import { faults, clock, evict } from "durashim:test";
export class Obj extends DurableObject {
  static { retryable(this.prototype.madd, this.prototype.msync, this.prototype.mslow); }
  write(n, o) { console.log("run " + n); return this.ctx.storage.put("call " + n, 1, o); }
  add(n) { this.write(n); }
  madd(n) { this.write(n); }
  async sync(n) { this.write(n, { allowUnconfirmed: true }); await this.ctx.storage.sync(); }
  async msync(n) { await this.sync(n); }
  async slow(n) { await scheduler.wait(700); this.write(n); }
  async mslow(n) { await this.slow(n); }
  async txn(n) { await this.ctx.storage.transaction(async () => { this.write(n); await scheduler.wait(1); }); }
  lazy(n) { this.write(n, { allowUnconfirmed: true }); }
  fail(n) { console.log("run " + n); throw Object.assign(new Error("thrown"), { retryable: true }); }
  abort(n) { this.write(n); this.ctx.abort("aborted"); }
  async has(n) { return await this.ctx.storage.get("call " + n) === 1; }
}
export default { async fetch(req, env) {
  const results = [], objects = [], kept = { a: env.OBJ.getByName("a"), b: env.OBJ.getByName("b") };
  for (const s of await req.json()) {
    switch (s.kind) {
    case "call": {
      const n = results.push(null) - 1;
      objects.push(s.object);
      const stub = s.kept ? kept[s.object] : env.OBJ.getByName(s.object, { retry: s.retry });
      const extra = s.plain ? [] : [() => {}];
      stub[s.method](n, ...extra).then(() => results[n] = "ok", (e) => results[n] = e.message);
      break;
    }
    case "fault":
      try { faults[s.fault](...(s.ms ? [s.ms] : []), s.where); } catch (e) { if (!e.message.includes("busy")) throw e; }
      break;
    case "clock": await clock.advance(s.ms); break;
    case "evict": await evict(env.OBJ.getByName(s.object)); break;
    }
  }
  faults.clear();
  await clock.advance(120_000);
  const stored = [];
  for (const [n, o] of objects.entries()) stored.push(await env.OBJ.getByName(o).has(n));
  return Response.json({ results, stored });
} };`

type modelStep struct {
	Kind   string         `json:"kind"`
	Object string         `json:"object,omitempty"`
	Method string         `json:"method,omitempty"`
	Kept   bool           `json:"kept,omitempty"`
	Plain  bool           `json:"plain,omitempty"`
	Retry  map[string]int `json:"retry,omitempty"`
	Fault  string         `json:"fault,omitempty"`
	Ms     int            `json:"ms"`
	Where  map[string]any `json:"where,omitempty"`
}

func (s modelStep) String() string {
	text, _ := json.Marshal(s)
	return string(text)
}

func modelSteps(seed uint64) (steps []modelStep) {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	methods := []string{"add", "madd", "add", "madd", "sync", "msync", "slow", "mslow", "txn", "lazy", "fail", "abort"}
	names := durable.FaultNames()
	for range 2 + r.IntN(10) {
		s := modelStep{Kind: pick("call", "call", "call", "fault", "fault", "clock", "clock", "evict")}
		switch s.Kind {
		case "call":
			s.Object, s.Method, s.Kept, s.Plain = pick("a", "b"), pick(methods...), r.IntN(3) > 0, r.IntN(10) > 0
			if !s.Kept {
				s.Retry = map[string]int{"maxRetries": r.IntN(6), "timeoutMs": []int{500, 1000, 10000}[r.IntN(3)]}
			}
		case "fault":
			// The uncertain kinds more often, since that is where the rules are.
			s.Fault = pick(append(names, "dropReply", "dropConnection", "dropRequest", "crashDuring", "crashAfter")...)
			if durable.FaultTakesDuration(s.Fault) {
				s.Ms = []int{300, 2000, 35000}[r.IntN(3)]
			}
			s.Where = map[string]any{"times": 1 + r.IntN(3)}
			if r.IntN(2) == 0 {
				s.Where["method"] = pick(methods...)
			}
			if n := r.IntN(4); n > 0 {
				s.Where["attempt"] = n
			}
		case "clock":
			s.Ms = []int{0, 1, 100, 400, 700, 1000, 12000}[r.IntN(7)]
		case "evict":
			s.Object = pick("a", "b")
		}
		steps = append(steps, s)
	}
	return steps
}

// playModel plays a sequence and returns what is wrong with its outcome, and its
// timeline.
func playModel(ctx context.Context, dir string, seed uint64, steps []modelStep) (line string, err error) {
	runs, uncaught := map[string]int{}, []string(nil)
	rt, err := runtime.Open(dir, runtime.Options{Clock: runtime.NewVirtualClock(), Seed: &seed, Record: true, Tests: true,
		Console: func(_, _, text string) { runs[text]++ }, Uncaught: func(_, text string) { uncaught = append(uncaught, text) }})
	if err != nil {
		return "", err
	}
	defer rt.Close()
	body, err := json.Marshal(steps)
	if err != nil {
		return "", err
	}
	w := httptest.NewRecorder()
	rt.Handler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "http://model/", strings.NewReader(string(body))))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		return "", err
	}
	line = rt.Timeline().Text(nil)
	if w.Code != http.StatusOK {
		return line, fmt.Errorf("status %d: %s %q", w.Code, text, uncaught)
	}
	var got struct {
		Results []*string
		Stored  []bool
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return line, err
	}
	var calls []durable.CallRecord
	for _, c := range rt.Timeline().Calls() {
		if c.Method != "has" {
			calls = append(calls, c)
		}
	}
	n := 0
	for _, s := range steps {
		if s.Kind != "call" {
			continue
		}
		if got.Results[n] == nil {
			return line, fmt.Errorf("call %d (%s) has not ended", n, s.Method)
		}
		if err := modelRules(s, &calls[n], runs[fmt.Sprint("run ", n)], *got.Results[n], got.Stored[n]); err != nil {
			return line, fmt.Errorf("call %d (%s): %w", n, s.Method, err)
		}
		n++
	}
	return line, nil
}

// modelRules holds the end of a call against the rules.
func modelRules(s modelStep, c *durable.CallRecord, runs int, result string, stored bool) error {
	first, last := "", ""
	started := time.Time{}
	for _, e := range c.Events {
		switch e.Kind {
		case durable.EventFailed, durable.EventRejected:
			if e.Err != nil {
				last = e.Err.Message
			}
			if first == "" {
				first = last
			}
		case durable.EventSent:
			started = e.At
		}
	}
	ok := result == "ok"
	deadline := c.Started.Add(c.Retry.Timeout())
	marked := s.Method[0] == 'm'
	again := 0
	for _, e := range c.Events {
		if e.Kind == durable.EventFault && e.Point == durable.PointDuplicated {
			again++
		}
	}
	retries := c.Outcome != durable.Succeeded && c.Outcome != durable.Failed && c.Attempts() > 1
	switch {
	case c.Outcome == durable.Pending:
		return fmt.Errorf("it has not ended")
	case ok != (c.Outcome == durable.Succeeded || c.Outcome == durable.Recovered):
		return fmt.Errorf("%v, and the caller got %q", c.Outcome, result)
	case !marked && runs > 1:
		return fmt.Errorf("an unmarked method ran %d times", runs)
	case runs > c.Attempts()+again, ok && runs == 0:
		return fmt.Errorf("it ran %d times in %d attempts", runs, c.Attempts())
	case ok && s.Method != "lazy" && !stored:
		return fmt.Errorf("a confirmed write is lost")
	case c.Attempts() > 1+c.Retry.MaxRetries(), !s.Plain && c.Attempts() > 1:
		return fmt.Errorf("%d attempts", c.Attempts())
	case c.Attempts() > 1 && started.After(deadline):
		return fmt.Errorf("a retry started after the window")
	case retries && c.Ended().After(deadline):
		return fmt.Errorf("a retry went on after the window")
	}
	want := last
	switch c.Outcome {
	case durable.ClaimRejected, durable.Exhausted, durable.BudgetExhausted, durable.UnableToRetry:
		want = first
	case durable.Succeeded, durable.Recovered:
		want = "ok"
	}
	if result != want {
		return fmt.Errorf("%v, and the caller got %q instead of %q", c.Outcome, result, want)
	}
	return nil
}

func TestModel(t *testing.T) {
	dir := project(t, modelScript, "Obj")
	first, last := uint64(1), uint64(modelSequences)
	if testing.Short() {
		last /= 10
	}
	if *modelSeed != 0 {
		first, last = *modelSeed, *modelSeed
	}
	for seed := first; seed <= last; seed++ {
		steps := modelSteps(seed)
		if _, err := playModel(t.Context(), dir, seed, steps); err == nil {
			continue
		}
		for i := len(steps) - 1; i >= 0; i-- { // what it does not need to fail
			fewer := slices.Delete(slices.Clone(steps), i, i+1)
			if _, err := playModel(t.Context(), dir, seed, fewer); err != nil {
				steps = fewer
			}
		}
		line, err := playModel(t.Context(), dir, seed, steps)
		var text strings.Builder
		for _, s := range steps {
			fmt.Fprintf(&text, "  %v\n", s)
		}
		t.Fatalf("sequence %d: %v\n%s%s(go test ./runtime -run TestModel -model.seed=%d)", seed, err, text.String(), line, seed)
	}
}
