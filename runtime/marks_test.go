package runtime_test

import (
	"testing"

	"github.com/durashim/durashim/durable"
)

const markScript = `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";

export class Base extends DurableObject {
  static { retryable(this.prototype.set); }
  async set() { return "base"; }
}
export class Inherits extends Base {}
export class Overrides extends Base {
  async set() { return super.set(); }
}
export class Bound extends Base {}
Bound.prototype.set = Base.prototype.set.bind(null);
export class Wraps extends Base {}
Wraps.prototype.set = function (...args) { return Base.prototype.set.apply(this, args); };
export class Remarks extends Base {
  static { retryable(this.prototype.set); }
  async set() { return "remarked"; }
}
export class Unmarked extends DurableObject {
  async set() { return "plain"; }
}
export default {};
`

// The mark sits on the function object, found through the prototype chain: the
// announcement names an override, a bound copy and a wrapper as unmarked.
func TestMarkIsOnTheFunctionObject(t *testing.T) {
	for class, marked := range map[string]bool{
		"Base": true, "Inherits": true, "Remarks": true,
		"Overrides": false, "Bound": false, "Wraps": false, "Unmarked": false,
	} {
		t.Run(class, func(t *testing.T) {
			rt := open(t, project(t, markScript, class), nil)
			if err := rt.Faults().Add(durable.DropReply().Method("set")); err != nil {
				t.Fatal(err)
			}
			_, err := rt.Namespace(upper(class)).GetByName("a").Call(t.Context(), "set")
			r := rt.Timeline().Calls()[0]
			switch {
			case marked && (err != nil || r.Runs() != 2 || r.Outcome != durable.Recovered):
				t.Errorf("want it to run twice and succeed; err %v\n%s", err, rt.Timeline().Text(nil))
			case !marked && (err == nil || r.Runs() != 1 || r.Outcome != durable.ClaimRejected):
				t.Errorf("want it to run once and fail; err %v\n%s", err, rt.Timeline().Text(nil))
			}
		})
	}
}

// Nothing of the mark shows on the function.
func TestMarkDoesNotShow(t *testing.T) {
	rt := open(t, project(t, `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
const describe = (f) => JSON.stringify([Reflect.ownKeys(f).map(String), f.name, f.length, Object.isExtensible(f), String(f)]);
export class A extends DurableObject {
  set(a, b) {}
  compare() {
    const before = describe(A.prototype.set);
    const result = retryable(A.prototype.set);
    return [result === undefined, before === describe(A.prototype.set)];
  }
}
export default {};
`, "A"), nil)
	v, err := rt.Namespace("A").GetByName("a").Call(t.Context(), "compare")
	var same []bool
	if err == nil {
		err = v.Decode(&same)
	}
	if err != nil || len(same) != 2 || !same[0] || !same[1] {
		t.Errorf("%v, %v", same, err)
	}
}
