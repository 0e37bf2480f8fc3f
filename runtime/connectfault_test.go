package runtime_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/runtime"
)

// Faults over a connection have the effects that they have in one process, on what
// is stored too.
func TestRemoteFaults(t *testing.T) {
	for _, c := range []struct {
		fault   durable.Fault
		method  string
		outcome durable.Outcome
		runs    int
		stored  float64 // add counts from 1, set sets 7
	}{
		{durable.DropConnection(), "add", durable.ClaimRejected, 1, 2},
		{durable.DropReply(), "add", durable.ClaimRejected, 1, 2},
		{durable.DropReply(), "set", durable.Recovered, 2, 7},
		{durable.DropReply().Times(2), "set", durable.Recovered, 3, 7},
		{durable.Duplicate(), "add", durable.Succeeded, 1, 2},
		{durable.EvictBefore(), "add", durable.Succeeded, 1, 2},
		{durable.AbortDuring(), "add", durable.Failed, 1, 1},
		{durable.FailWrite(), "add", durable.Failed, 1, 1},
		{durable.StorageUnavailable(5 * time.Millisecond), "add", durable.Succeeded, 1, 2},
		{durable.CrashBefore(), "add", durable.ClaimRejected, 0, 1},
		{durable.CrashDuring(), "add", durable.ClaimRejected, 1, 1},
		{durable.CrashAfter(), "add", durable.ClaimRejected, 1, 2},
		{durable.CrashAfter(), "set", durable.Recovered, 2, 7},
	} {
		t.Run(fmt.Sprintf("%v/%s", c.fault, c.method), func(t *testing.T) {
			t.Parallel()
			plan := c.fault.Namespace("A").Method(c.method)
			if c.method == "add" {
				plan = plan.Call(2) // the first one sets the scene
			}
			o := runtime.Options{Record: true, Faults: []durable.Fault{plan}, Backoff: func(int, *random.Source) time.Duration { return 0 }}
			_, client := pairWith(t, project(t, crashing, "A", "B"), o, (*runtime.Host).AllowFaults)
			a := client.Namespace("A").GetByName("a")
			if _, err := a.Call(t.Context(), "add"); err != nil {
				t.Fatal(err)
			}
			var args []any
			if c.method == "set" {
				args = []any{7}
			}
			_, err := a.Call(t.Context(), c.method, args...)
			calls := client.Timeline().Calls()
			r := calls[len(calls)-1]
			if r.Outcome != c.outcome || r.Runs() != c.runs || !r.RunsKnown() {
				t.Errorf("%v, ran %d×, %v; want %v, %d×\n%s", r.Outcome, r.Runs(), err, c.outcome, c.runs, client.Timeline().Text(nil))
			}
			if got := look(t, client, "A", "a"); got[2] != c.stored {
				t.Errorf("stored: %v, want %v\n%s", got[2], c.stored, client.Timeline().Text(nil))
			}
			if m := client.Faults().Missed(); len(m) > 0 {
				t.Errorf("missed: %v\n%s", m, client.Timeline().Text(nil))
			}
		})
	}
}

const signals = `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  async fetch(request) {
    console.log("entered");
    await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
    console.log(request.signal.reason.message);
    return new Response("too late");
  }
  fine() { return "fine"; }
}
export default {
  async fetch(request, env) {
    const signal = AbortSignal.timeout(20);
    try { await env.A.getByName("a").fetch("http://a/", { signal }); } catch (e) { return new Response(e.name); }
  }
};
`

// A caller that gives up tells the object so, over a connection as in one process:
// by its signal, by its context, and by the end of the retry window.
func TestRemoteCancel(t *testing.T) {
	for _, remote := range []bool{false, true} {
		t.Run(fmt.Sprintf("remote %v", remote), func(t *testing.T) {
			said := make(chan string, 100)
			dir := project(t, signals, "A")
			write(t, dir, "wrangler.json", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01", "compatibility_flags": ["enable_request_signal"],
				"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "v1", "new_sqlite_classes": ["A"]}]}`)
			o := runtime.Options{Console: func(_, _, text string) { said <- text },
				Backoff: func(int, *random.Source) time.Duration { return 0 }}
			var rt *runtime.Runtime
			if remote {
				_, rt = pair(t, dir, o)
			} else {
				rt = open(t, dir, func(p *runtime.Options) { p.Console, p.Backoff, p.Clock = o.Console, o.Backoff, nil })
			}
			expect := func(want string) {
				t.Helper()
				select {
				case got := <-said:
					if !strings.Contains(got, want) {
						t.Errorf("the object said %q, want %q", got, want)
					}
				case <-t.Context().Done():
					t.Fatal("nothing said")
				}
			}
			if got := page(t, rt, "http://x/"); got != "TimeoutError" {
				t.Errorf("the caller got %q", got)
			}
			expect("entered")
			expect("The client has disconnected")

			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := rt.Namespace("A").GetByName("b").Fetch(ctx, httptest.NewRequest("GET", "http://a/", nil))
				done <- err
			}()
			expect("entered")
			cancel()
			if err := <-done; err == nil {
				t.Error("a call whose context ended succeeded")
			}
			expect("The client has disconnected")

			// The retry of a call outlasts the window: the first attempt is lost.
			if err := rt.Faults().Add(durable.DropRequest().Method("fetch")); err != nil {
				t.Fatal(err)
			}
			_, err := rt.Namespace("A").GetByName("c", runtime.RetryTimeout(500*time.Millisecond)).Fetch(t.Context(), httptest.NewRequest("GET", "http://a/", nil))
			if err == nil || err.Error() != "Network connection lost." {
				t.Errorf("a call beyond its window: %v", err)
			}
			expect("entered")
			expect("The client has disconnected")
			if _, err := rt.Namespace("A").GetByName("c").Call(t.Context(), "fine"); err != nil {
				t.Error(err)
			}
		})
	}
}
