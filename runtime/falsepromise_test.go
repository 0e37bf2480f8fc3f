package runtime_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// An await of what only looks like a promise is beyond the engine. The call fails
// and nothing else does.
func TestFalsePromise(t *testing.T) {
	rt, err := runtime.Open(project(t, `
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  #n = 0;
  async literal() { return await { constructor: Promise }; }
  async inherited() { await null; return await Object.create(Promise.prototype); }
  async blocked() { await this.ctx.blockConcurrencyWhile(async () => { await { constructor: Promise }; }); }
  next() { return ++this.#n; }
}
export default {};
`, "Obj"), runtime.Options{Clock: runtime.NewVirtualClock()})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	obj := rt.Namespace("OBJ").GetByName("x")
	next := func() (n int) {
		v, err := obj.Call(t.Context(), "next")
		if err == nil {
			err = v.Decode(&n)
		}
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for i, method := range []string{"literal", "inherited"} {
		if got := next(); got != i+1 {
			t.Errorf("the object has lost its memory: %d", got)
		}
		_, err := obj.Call(t.Context(), method)
		if e := (*durable.Error)(nil); !errors.As(err, &e) || e.Name != "TypeError" || !strings.Contains(e.Message, "no promise") {
			t.Errorf("%s: %v", method, err)
		}
	}
	// Nobody would open the gate again.
	if _, err := obj.Call(t.Context(), "blocked"); !errors.Is(err, durable.ErrReset) {
		t.Errorf("blocked: %v", err)
	}
	obj = rt.Namespace("OBJ").GetByName("x")
	if got := next(); got != 1 {
		t.Errorf("after the reset: %d", got)
	}
}
