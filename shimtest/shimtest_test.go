package shimtest_test

import (
	"errors"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/shimtest"
)

func TestLostReplies(t *testing.T) {
	w := shimtest.New(t, "../examples/inventory")
	warehouse := w.Namespace("INVENTORY").GetByName("main")
	w.Fault(durable.DropReply().Method("setQuantity"), durable.DropReply().Method("addOne"))
	if _, err := warehouse.Call(t.Context(), "setQuantity", "apple", 5); err != nil || w.LastCall("setQuantity").Runs() != 2 {
		t.Errorf("setQuantity is marked, so it runs again: %v", err)
	}
	if _, err := warehouse.Call(t.Context(), "addOne", "apple"); !errors.Is(err, durable.ErrRetryable) || w.LastCall("addOne").Runs() != 1 {
		t.Errorf("addOne is not, so the caller gets the first error: %v", err)
	}
}
