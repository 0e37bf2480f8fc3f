package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// Zero values fail with errors that say what to do, and do not panic.
func TestZeroValues(t *testing.T) {
	var ns runtime.Namespace
	var stub runtime.Stub
	var ref runtime.Ref
	var noRef *runtime.Ref
	ctx := t.Context()
	for name, f := range map[string]func() error{
		"Namespace.GetByName":  func() error { _, err := ns.GetByName("a").Call(ctx, "f"); return err },
		"Namespace.GetByID":    func() error { _, err := ns.GetByID("00").Get(ctx, "f"); return err },
		"Namespace.IDFromName": func() error { _, err := ns.IDFromName("a"); return err },
		"Stub.Call":            func() error { _, err := stub.Call(ctx, "f"); return err },
		"Stub.Fetch":           func() error { _, err := stub.Fetch(ctx, mustRequest(t)); return err },
		"Ref.Call":             func() error { _, err := ref.Call(ctx, "f"); return err },
		"Ref.Invoke":           func() error { _, err := noRef.Invoke(ctx); return err },
		"Ref.Dup":              func() error { _, err := noRef.Dup(); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), "zero") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if stub.ID() != "" || ref.Close() != nil || noRef.Close() != nil {
		t.Error("a zero value does something")
	}
	rt := open(t, project(t, goFunctions, "Obj"), nil)
	for _, arg := range []any{&stub, &ref, &runtime.Target{}, runtime.Value{}} {
		if _, err := rt.Namespace("OBJ").GetByName("a").Call(ctx, "echo", arg); err == nil {
			t.Errorf("a zero %T is sent", arg)
		}
	}
}

func TestErrClosed(t *testing.T) {
	rt := open(t, project(t, goFunctions, "Obj"), nil)
	obj := rt.Namespace("OBJ").GetByName("a")
	v, err := obj.Call(t.Context(), "counter", 1)
	var ref *runtime.Ref
	if err == nil {
		err = v.Decode(&ref)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() error{
		"Stub.Call":     func() error { _, err := obj.Call(t.Context(), "echo", 1); return err },
		"Stub.Call fn":  func() error { _, err := obj.Call(t.Context(), "echo", func() {}); return err },
		"Stub.Fetch":    func() error { _, err := obj.Fetch(t.Context(), mustRequest(t)); return err },
		"Runtime.Fetch": func() error { _, err := rt.Fetch(t.Context(), mustRequest(t)); return err },
		"Ref.Call":      func() error { _, err := ref.Call(t.Context(), "add", 1); return err },
	} {
		if err := f(); !errors.Is(err, durable.ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if tests := rt.Tests(); len(tests) != 0 {
		t.Error(tests)
	}
}

// A function that the script does not duplicate ends with its call.
func TestGoFunctionEndsWithItsCall(t *testing.T) {
	rt := open(t, project(t, `
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  keep(f) { this.f = f; }
  async use() { return await this.f(); }
}
export default {};
`, "Obj"), nil)
	obj := rt.Namespace("OBJ").GetByName("a")
	if _, err := obj.Call(t.Context(), "keep", func() {}); err != nil {
		t.Fatal(err)
	}
	if _, err := obj.Call(t.Context(), "use"); err == nil || !strings.Contains(err.Error(), "RPC stub used after being disposed.") {
		t.Error(err)
	}
}

// A stub may have its own limits for retries.
func ExampleMaxRetries() {
	rt, err := runtime.Open(inventory, runtime.Options{
		Clock:  runtime.NewVirtualClock(),
		Faults: []durable.Fault{durable.RefuseRequest().Method("addOne").Times(3)},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	ns := rt.Namespace("INVENTORY")
	_, err = ns.GetByName("main", runtime.MaxRetries(1)).Call(context.Background(), "addOne", "apple")
	fmt.Println(errors.Is(err, durable.ErrRetryable), err)
	v, err := ns.GetByName("main", runtime.RetryTimeout(30*time.Second)).Call(context.Background(), "addOne", "apple")
	fmt.Println(v, err)
	// Output:
	// true Network connection lost.
	// 1 <nil>
}

func ExampleStub_Fetch() {
	rt, obj := openObj(`
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  async fetch(req) { return new Response(req.method + " " + new URL(req.url).pathname + ": " + await req.text()); }
}
export default {};`, runtime.Options{})
	defer rt.Close()
	ctx := context.Background()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://object/notes", strings.NewReader("buy apples"))
	if err != nil {
		log.Fatal(err)
	}
	res, err := obj.Fetch(ctx, req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	fmt.Println(string(body), err)
	// Output: POST /notes: buy apples <nil>
}

// A property is read without a call; a method is a reference.
func ExampleStub_Get() {
	rt, obj := openObj(`
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  get size() { return 3; }
  double(x) { return 2 * x; }
}
export default {};`, runtime.Options{})
	defer rt.Close()
	ctx := context.Background()
	fmt.Println(obj.Get(ctx, "size"))
	v, err := obj.Get(ctx, "double")
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	var double *runtime.Ref
	if err := v.Decode(&double); err != nil {
		log.Fatal(err)
	}
	fmt.Println(double.Invoke(ctx, 21))
	// Output:
	// 3 <nil>
	// 42 <nil>
}

// A reference that shall outlive the value that it came out of is duplicated.
func ExampleRef_Dup() {
	rt, obj := openObj(counters, runtime.Options{})
	defer rt.Close()
	ctx := context.Background()
	counter, err := func() (*runtime.Ref, error) {
		v, err := obj.Call(ctx, "counter")
		if err != nil {
			return nil, err
		}
		defer v.Close()
		var r *runtime.Ref
		if err := v.Decode(&r); err != nil {
			return nil, err
		}
		return r.Dup()
	}()
	if err != nil {
		log.Fatal(err)
	}
	defer counter.Close()
	fmt.Println(counter.Call(ctx, "add", 5))
	// Output: 5 <nil>
}

// The clock moves by hand, too, and runs what falls due on the way.
func ExampleVirtualClock_Advance() {
	clock := runtime.NewVirtualClock()
	rt, obj := openObj(`
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  every(ms) { setInterval(() => console.log("tick"), ms); }
}
export default {};`, runtime.Options{Clock: clock, Console: func(_, _, text string) { fmt.Println(text, clock.Now().UTC().Format("15:04:05")) }})
	defer rt.Close()
	ctx := context.Background()
	if _, err := obj.Call(ctx, "every", 20_000); err != nil {
		log.Fatal(err)
	}
	fmt.Println(clock.Advance(ctx, time.Minute))
	// Output:
	// tick 00:00:20
	// tick 00:00:40
	// tick 00:01:00
	// <nil>
}
