package durable

import (
	"strings"
	"testing"

	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// script is a place in an application; equal scripts are one context.
type script struct {
	request int
	site    string
	asked   *int
}

func (s *script) Context() any {
	if s.asked != nil {
		*s.asked++
	}
	if s.request == 0 {
		return []int{} // not comparable
	}
	return s.request
}
func (s *script) CallSite() string { return s.site }

func from(request int, method, args string) Op {
	return Op{Kind: RPC, Method: method, Args: []byte(args), Replayable: true, Origin: &script{request: request, site: "a.ts:3:9"}}
}

func TestLayersMultiply(t *testing.T) {
	w := newWorld(t)
	var warned []string
	w.ns.Engine.Repeats = NewRepeats(func(target Target, op *Op, r *Repetition) {
		warned = append(warned, op.Method+" "+r.Site+" "+r.Product())
	})
	w.plan(RefuseRequest().Method("add").Always())
	s := w.stub(retry(4, 60_000))
	w.call(s, from(1, "add", "x")) // the loop
	w.call(s, from(1, "add", "y")) // other arguments
	w.call(s, from(2, "add", "x")) // another request
	w.call(s, from(1, "add", "x"))
	w.call(w.stub(retry(4, 60_000)), from(1, "add", "x")) // a stub of its own, as loops have
	layers := w.line.Layers()
	if len(layers) != 1 {
		t.Fatalf("got %v", layers)
	}
	l := layers[0]
	if l.Product() != "3 × 5 = 15" || l.Attempts != 15 || l.Runs != 0 || l.Site != "a.ts:3:9" || len(l.Calls) != 3 || l.Calls[0] != 1 || l.Calls[2] != 5 {
		t.Errorf("got %+v", l)
	}
	if len(warned) != 1 || warned[0] != "add a.ts:3:9 2 × 5 = 10" {
		t.Errorf("warned of %q", warned)
	}
	text := w.line.Text(nil)
	for _, want := range []string{
		"the application's round 3 of #1, at a.ts:3:9: up to 3 × 5 = 15 attempts",
		"WARNING: retries multiply: 3 × 5 = 15 attempts: the application at a.ts:3:9 made COUNTER(\"a\").add",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	var b strings.Builder
	if err := WriteJSON(&b, w.line.Calls(), w.line.Epoch()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"product": 15`, `"round": 3`, `"attemptsBefore": 10`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the JSON lacks %q:\n%s", want, b.String())
		}
	}
	if text := w.line.Text(func(r *CallRecord) bool { return r.Seq == 2 }); strings.Contains(text, "WARNING") {
		t.Errorf("a warning of calls that are not shown:\n%s", text)
	}
}

// What is no repetition, and what multiplies nothing.
func TestNoLayers(t *testing.T) {
	for name, do := range map[string]func(w *world){
		"without automatic retries": func(w *world) {
			w.plan(RefuseRequest().Always())
			for range 3 {
				w.call(w.stub(retry(0, 10_000)), from(1, "add", "x"))
			}
		},
		"thrown by the object": func(w *world) {
			for range 3 {
				w.call(w.stub(DefaultRetry()), from(1, "fail", "x"))
			}
		},
		"after a success": func(w *world) {
			w.plan(RefuseRequest().Attempt(1))
			for range 3 {
				w.call(w.stub(DefaultRetry()), from(1, "add", "x"))
			}
		},
		"side by side": func(w *world) {
			w.plan(RefuseRequest().Always())
			s := w.stub(DefaultRetry())
			done := make(chan struct{}, 2)
			for range 2 {
				s.Call(from(1, "add", "x"), func(Result, *Error) { done <- struct{}{} })
			}
			for range 60 {
				if err := w.clock.Advance(w.t.Context(), 1e9); err != nil {
					w.t.Fatal(err)
				}
			}
			<-done
			<-done
		},
		"from nowhere known": func(w *world) {
			w.plan(RefuseRequest().Always())
			for range 2 {
				w.call(w.stub(DefaultRetry()), rpc("add"))
				w.call(w.stub(DefaultRetry()), from(0, "add", "x"))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.ns.Engine.Repeats = NewRepeats(func(Target, *Op, *Repetition) { t.Error("warned") })
			do(w)
			if l := w.line.Layers(); len(l) != 0 {
				t.Errorf("got %v", l)
			}
		})
	}
}

// A success ends the loop: what comes after begins anew.
func TestLayersEndWithSuccess(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Repeats = NewRepeats(nil)
	w.plan(RefuseRequest().Times(6))
	for range 3 {
		w.call(w.stub(retry(4, 60_000)), from(1, "add", "x"))
	}
	l := w.line.Layers()
	if len(l) != 1 || l[0].Product() != "2 × 5 = 10" || l[0].Attempts != 7 || l[0].Runs != 1 {
		t.Errorf("got %+v", l)
	}
	if n := w.ns.Engine.Repeats.pending.Load(); n != 0 {
		t.Errorf("%d operations are remembered", n)
	}
}

// Only so much is remembered, and calls that succeed cost nothing.
func TestRepeatsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Repeats = NewRepeats(nil)
	asked := 0
	w.call(w.stub(DefaultRetry()), Op{Kind: RPC, Method: "add", Replayable: true, Origin: &script{request: 1, asked: &asked}})
	if asked != 0 {
		t.Error("a call without a failure was asked for its context")
	}
	allocs := func(r *Repeats) float64 {
		ns := &Namespace{Transport: nullTransport{}, Engine: &Engine{Scheduler: sched.NewReal(), Random: random.New(), Repeats: r}}
		s, op := ns.Get(ObjectID{}, "", DefaultRetry(), "test"), from(1, "add", "x")
		return testing.AllocsPerRun(100, func() { s.Call(op, func(Result, *Error) {}) })
	}
	if with, without := allocs(NewRepeats(nil)), allocs(nil); with != without {
		t.Errorf("%v allocations for a call that is watched, %v for one that is not", with, without)
	}
	w.plan(RefuseRequest().Always())
	for i := range maxRepeats + 10 {
		w.call(w.stub(retry(1, 10_000)), from(i+1, "add", "x"))
	}
	r := w.ns.Engine.Repeats
	if len(r.failed) != maxRepeats || len(r.order) != maxRepeats {
		t.Errorf("%d and %d are remembered", len(r.failed), len(r.order))
	}
}
