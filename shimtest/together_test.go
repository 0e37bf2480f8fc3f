package shimtest_test

import (
	"context"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/shimtest"
)

// Ten callers add one each, and the replies to some of them are lost. What each of
// them sees is the same in every run.
func TestTogetherIsDeterministic(t *testing.T) {
	run := func(tb testing.TB) string {
		w := shimtest.New(tb, inventory)
		w.Fault(durable.DropReply().Probability(0.3).Times(3), durable.RefuseRequest().Probability(0.3).Times(3))
		var callers []func(context.Context)
		for range 10 {
			callers = append(callers, func(ctx context.Context) {
				main := w.Namespace("INVENTORY").GetByName("main")
				if _, err := main.Call(ctx, "addOne", "apple"); err != nil {
					tb.Log(err)
				}
				if _, err := main.Call(ctx, "quantity", "apple"); err != nil {
					tb.Log(err)
				}
			})
		}
		w.Together(callers...)
		return w.Timeline().Text(nil)
	}
	first := run(t)
	for range 20 {
		if again := run(t); again != first {
			t.Fatalf("got\n%s\nwant\n%s", again, first)
		}
	}
}
