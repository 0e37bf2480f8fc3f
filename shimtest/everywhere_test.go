package shimtest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/shimtest"
)

const inventory = "../examples/inventory"

// stock reads a quantity, and reads again when the connection broke: reading
// twice does no harm.
func stock(tb testing.TB, w *shimtest.World, item string) (n int) {
	tb.Helper()
	for range 3 {
		v, err := w.Namespace("INVENTORY").GetByName("main").Call(tb.Context(), "quantity", item)
		if err == nil {
			if err = v.Decode(&n); err == nil {
				return n
			}
		}
		if !errors.Is(err, durable.ErrRetryable) {
			tb.Fatal(err)
		}
	}
	tb.Fatal("three readings failed")
	return 0
}

// A quantity that was set is there, and one that was added was added at most once,
// and exactly once if the caller was told so.
func inventoryBody(tb testing.TB, w *shimtest.World) {
	warehouse := w.Namespace("INVENTORY").GetByName("main")
	if _, err := warehouse.Call(tb.Context(), "setQuantity", "apple", 5); err != nil {
		tb.Errorf("setQuantity is marked, and failed: %v", err)
	}
	_, err := warehouse.Call(tb.Context(), "addOne", "apple")
	if n := stock(tb, w, "apple"); n != 6 && (err == nil || n != 5) {
		tb.Errorf("there are %d apples, addOne: %v", n, err)
	}
}

func TestInventoryHoldsEverywhere(t *testing.T) {
	shimtest.Everywhere(t, inventory, inventoryBody)
}

func TestExploreNamesEveryPlace(t *testing.T) {
	five := shimtest.Points(durable.PointRequestRefused, durable.PointRequestDropped, durable.PointConnectionDropped,
		durable.PointReplyDropped, durable.PointEvictBefore)
	all := shimtest.Explore(t, inventory, inventoryBody, five)
	var names []string
	for _, p := range all {
		if !p.Acted || p.Broke {
			t.Errorf("%s: acted %v, broke %v", p.Name, p.Acted, p.Broke)
		}
		names = append(names, p.Name)
	}
	want := []string{"no fault"}
	for _, method := range []string{"setQuantity", "addOne", "quantity"} {
		for _, f := range []string{"refuse request", "drop request", "drop connection", "drop reply", "evict before"} {
			if f != "evict before" || method != "setQuantity" { // the object is not in memory yet
				want = append(want, fmt.Sprintf(`INVENTORY("main").%s#1/%s`, method, f))
			}
			if method == "quantity" && (f == "drop connection" || f == "drop reply") {
				// The body reads again then, and that call is a place as well.
				for _, g := range []string{"refuse request", "drop request", "drop connection", "drop reply", "evict before"} {
					want = append(want, fmt.Sprintf(`INVENTORY("main").quantity#1/%s, then INVENTORY("main").quantity#2/%s`, f, g))
				}
			}
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	again := shimtest.Explore(t, inventory, inventoryBody, five)
	for i := range all {
		if all[i].Timeline != again[i].Timeline {
			t.Errorf("%s is not the same the second time:\n%s\n%s", all[i].Name, all[i].Timeline, again[i].Timeline)
		}
	}
	if n := len(shimtest.Explore(t, inventory, inventoryBody, five, shimtest.Extra(3))); n != 18 {
		t.Errorf("with three extra runs there are %d, want 18", n)
	}
}

// addOne must succeed: it does not where its reply is lost.
func TestABodyThatBreaks(t *testing.T) {
	body := func(tb testing.TB, w *shimtest.World) {
		if _, err := w.Namespace("INVENTORY").GetByName("main").Call(tb.Context(), "addOne", "apple"); err != nil {
			tb.Fatalf("addOne: %v", err)
		}
	}
	broke := map[string]string{}
	for _, p := range shimtest.Explore(t, inventory, body) {
		if p.Broke {
			broke[strings.TrimPrefix(p.Name, `INVENTORY("main").addOne#1/`)] = strings.Join(p.Log, "\n") + "\n" + p.Timeline
		}
	}
	names := []string{"drop connection", "drop reply", "crash before", "crash during", "crash after"}
	for _, name := range names {
		for _, want := range []string{"everywhere_test.go:", "addOne: Network connection lost.", "claim rejected"} {
			if !strings.Contains(broke[name], want) {
				t.Errorf("%s lacks %q: %s", name, want, broke[name])
			}
		}
	}
	if len(broke) != len(names) {
		t.Errorf("broke in %v", broke)
	}
	resets := shimtest.Explore(t, inventory, body, shimtest.Points(shimtest.ResetPoints()...))
	for i, p := range resets {
		if p.Broke != (i > 0) || !p.Acted {
			t.Errorf("%s: broke %v, acted %v", p.Name, p.Broke, p.Acted)
		}
	}
	if len(resets) != 6 {
		t.Errorf("%d runs with resets, want 6", len(resets))
	}
}

// What one fault breaks is told of once: the calls that the body makes beyond
// those of the calm run are not tried with a second fault then. How many runs the
// bound leaves out is logged.
func TestOneFaultBreaksOnce(t *testing.T) {
	body := func(breaks bool) func(testing.TB, *shimtest.World) {
		return func(tb testing.TB, w *shimtest.World) {
			if _, err := w.Namespace("INVENTORY").GetByName("main").Call(tb.Context(), "addOne", "apple"); err != nil {
				stock(tb, w, "apple")
				if breaks {
					tb.Error("half done")
				}
			}
		}
	}
	point := shimtest.Points(durable.PointReplyDropped)
	if all := shimtest.Explore(t, inventory, body(true), point); len(all) != 2 || !all[1].Broke {
		t.Errorf("%+v", all)
	}
	rec := &recorder{TB: t}
	if all := shimtest.Explore(rec, inventory, body(false), point, shimtest.Extra(0)); len(all) != 2 ||
		!strings.Contains(rec.text.String(), "1 runs with two faults were left out; Extra raises the bound, which is 0") {
		t.Errorf("%s\n%+v", rec.text.String(), all)
	}
}

// A body that breaks without a fault is run once; a panic is a failure; cleanups
// run, and a plan of the body's own that never acts is one too.
func TestABodyThatNeverHolds(t *testing.T) {
	cleaned := 0
	for want, body := range map[string]func(testing.TB, *shimtest.World){
		"panic: oh no": func(tb testing.TB, _ *shimtest.World) {
			tb.Cleanup(func() { cleaned++ })
			panic("oh no")
		},
		"never acted: not delivered, method nothing": func(_ testing.TB, w *shimtest.World) {
			w.Fault(durable.RefuseRequest().Method("nothing"))
		},
		"a b": func(tb testing.TB, _ *shimtest.World) {
			tb.Cleanup(func() { cleaned++ })
			tb.Error("a", "b")
		},
	} {
		all := shimtest.Explore(t, inventory, body)
		if len(all) != 1 || !all[0].Broke || !strings.Contains(strings.Join(all[0].Log, "\n"), want) {
			t.Errorf("want %q: %+v", want, all)
		}
	}
	if cleaned != 2 {
		t.Errorf("%d cleanups ran, want 2", cleaned)
	}
}

// Calls that do not come again cannot be tried.
func TestABodyThatDependsOnMore(t *testing.T) {
	runs := 0
	all := shimtest.Explore(t, inventory, func(tb testing.TB, w *shimtest.World) {
		if runs++; runs == 1 {
			_, err := w.Namespace("INVENTORY").GetByName("main").Call(tb.Context(), "addOne", "apple")
			if err != nil {
				tb.Error(err)
			}
		}
	})
	if len(all) != 8 || !all[1].Broke || !strings.Contains(strings.Join(all[1].Log, "\n"), "the call that the fault was for never came") {
		t.Errorf("got %+v", all)
	}
}
