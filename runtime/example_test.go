package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

const inventory = "../examples/inventory"

// Five lines open a project and call a method of an object.
func ExampleOpen() {
	ctx := context.Background()
	err := func() error {
		rt, err := runtime.Open("../examples/inventory", runtime.Options{})
		if err != nil {
			return err
		}
		defer rt.Close()
		warehouse := rt.Namespace("INVENTORY").GetByName("main")
		value, err := warehouse.Call(ctx, "setQuantity", "apple", 5)
		if err != nil {
			return err
		}
		var quantity int
		if err := value.Decode(&quantity); err != nil {
			return err
		}
		fmt.Println(quantity)
		return nil
	}()
	fmt.Println(err)
	// Output:
	// 5
	// <nil>
}

// Two callers meet in an object. On the virtual clock they take turns in the same
// order every time, however the machine schedules their goroutines.
func ExampleVirtualClock_Together() {
	clock := runtime.NewVirtualClock()
	rt, err := runtime.Open(inventory, runtime.Options{Clock: clock})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rt.Close()
	adds := func(name string, times int) func(context.Context) {
		return func(ctx context.Context) {
			for range times {
				value, err := rt.Namespace("INVENTORY").GetByName("main").Call(ctx, "addOne", "apple")
				var n int
				if err == nil {
					err = value.Decode(&n)
				}
				fmt.Println(name, n, err)
			}
		}
	}
	clock.Together(context.Background(), adds("ada", 3), adds("bob", 2))
	// Output:
	// ada 1 <nil>
	// bob 2 <nil>
	// ada 3 <nil>
	// bob 4 <nil>
	// ada 5 <nil>
}

// A worker can be part of the program; no file is read.
func ExampleNew() {
	rt, err := runtime.New(runtime.Config{
		Modules: []runtime.Module{{Name: "main.ts", Source: `
import { DurableObject } from "cloudflare:workers";
interface Env { UNIT: string }
export class Counter extends DurableObject<Env> {
  async add(n: number) {
    const total = (await this.ctx.storage.get<number>("total") ?? 0) + n;
    await this.ctx.storage.put("total", total);
    return total + " " + this.env.UNIT;
  }
}
export default {};
`}},
		Classes: []runtime.Class{{Binding: "COUNTER", Class: "Counter"}},
		Vars:    map[string]string{"UNIT": "apples"},
	}, runtime.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	counter := rt.Namespace("COUNTER").GetByName("a")
	for _, n := range []int{2, 3} {
		v, err := counter.Call(context.Background(), "add", n)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(v.Any())
	}
	// Output:
	// 2 apples <nil>
	// 5 apples <nil>
}

// An error in a module names the module, the line and the column.
func ExampleNew_errors() {
	_, err := runtime.New(runtime.Config{
		Modules: []runtime.Module{
			{Name: "main.js", Source: "import { price } from './prices.js';\nexport default {};"},
			{Name: "prices.js", Source: "export const price =\n  5 euros;"},
		},
	}, runtime.Options{})
	fmt.Println(err)
	// Output:
	// prices.js:2:5: Expected ";" but found "euros"
	//       5 euros;
	//         ^
}

// Results decode into Go values by the rules of encoding/json's tags.
func ExampleStub_Call() {
	rt, err := runtime.Open(inventory, runtime.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	warehouse := rt.Namespace("INVENTORY").GetByName("main")
	ctx := context.Background()
	for item, n := range map[string]int{"apple": 5, "pear": 2} {
		if _, err := warehouse.Call(ctx, "setQuantity", item, n); err != nil {
			log.Fatal(err)
		}
	}
	v, err := warehouse.Call(ctx, "items")
	if err != nil {
		log.Fatal(err)
	}
	var stock struct {
		Apples int `json:"apple"`
		Pears  int `json:"pear"`
	}
	if err := v.Decode(&stock); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", stock)
	// Output: {Apples:5 Pears:2}
}

const counters = `
import { DurableObject, RpcTarget } from "cloudflare:workers";
class Counter extends RpcTarget {
  #n = 0;
  add(k) { return this.#n += k; }
  [Symbol.dispose]() { console.log("disposed of at " + this.#n); }
}
export class Obj extends DurableObject {
  counter() { return new Counter(); }
  nothing() {}
  async count(n, progress) { for (let i = 1; i <= n; i++) await progress(i, n); }
  async buy(account) { await account.withdraw(5); return await account.balance(); }
  async upper(stream) { return stream.pipeThrough(new TransformStream({
    transform(chunk, c) { c.enqueue(chunk.map((b) => b >= 97 && b <= 122 ? b - 32 : b)); },
  })); }
  answer() { return new Response("hello", { status: 202, headers: { "x-by": "object" } }); }
}
export default {};`

// open starts a worker with a class Obj, and returns one of its objects.
func openObj(script string, o runtime.Options) (*runtime.Runtime, *runtime.Stub) {
	rt, err := runtime.New(runtime.Config{
		Modules: []runtime.Module{{Name: "main.js", Source: script}},
		Classes: []runtime.Class{{Binding: "OBJ", Class: "Obj"}},
	}, o)
	if err != nil {
		log.Fatal(err)
	}
	return rt, rt.Namespace("OBJ").GetByName("a")
}

// A script calls a Go function that was an argument.
func ExampleStub_Call_function() {
	rt, obj := openObj(counters, runtime.Options{})
	defer rt.Close()
	progress := func(ctx context.Context, done, of int) error {
		fmt.Println(done, "of", of)
		return ctx.Err()
	}
	if _, err := obj.Call(context.Background(), "count", 3, progress); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 of 3
	// 2 of 3
	// 3 of 3
}

// Account is a Go value whose methods scripts call.
type Account struct{ balance int }

func (a *Account) Balance() int { return a.balance }

func (a *Account) Withdraw(n int) error {
	if n > a.balance {
		return &runtime.Error{Name: "RangeError", Message: "not so much money"}
	}
	a.balance -= n
	return nil
}

func ExampleNewTarget() {
	rt, obj := openObj(counters, runtime.Options{})
	defer rt.Close()
	account := runtime.NewTarget(&Account{balance: 7})
	for range 2 {
		v, err := obj.Call(context.Background(), "buy", account)
		fmt.Println(v, err)
	}
	// Output:
	// 2 <nil>
	// undefined RangeError: not so much money
}

// A result may be a reference to something of the script's.
func ExampleRef() {
	rt, obj := openObj(counters, runtime.Options{Console: func(_, _, text string) { fmt.Println(text) }})
	defer rt.Close()
	ctx := context.Background()
	v, err := obj.Call(ctx, "counter")
	if err != nil {
		log.Fatal(err)
	}
	var counter *runtime.Ref
	if err := v.Decode(&counter); err != nil {
		log.Fatal(err)
	}
	fmt.Println(counter.Call(ctx, "add", 2))
	fmt.Println(counter.Call(ctx, "add", 3))
	_ = v.Close() // and so the counter is disposed of
	fmt.Println(counter.Call(ctx, "add", 1))
	fmt.Println(obj.Call(ctx, "nothing"))
	// Output:
	// 2 <nil>
	// 5 <nil>
	// undefined RPC stub used after being disposed.
	// disposed of at 5
	// undefined <nil>
}

// Streams go both ways.
func ExampleValue_Decode_streams() {
	rt, obj := openObj(counters, runtime.Options{})
	defer rt.Close()
	v, err := obj.Call(context.Background(), "upper", strings.NewReader("from a reader\n"))
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	var upper io.Reader
	if err := v.Decode(&upper); err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(os.Stdout, upper); err != nil {
		log.Fatal(err)
	}
	// Output: FROM A READER
}

func ExampleValue_Decode_response() {
	rt, obj := openObj(counters, runtime.Options{})
	defer rt.Close()
	v, err := obj.Call(context.Background(), "answer")
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	var res *http.Response
	if err := v.Decode(&res); err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	fmt.Println(v.Kind(), res.StatusCode, res.Header.Get("X-By"), string(body), err)
	// Output: Response 202 object hello <nil>
}

// A value has a text for people, and an error that says where it does not fit.
func ExampleValue() {
	rt, obj := openObj(`
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  stock() { return { items: [{ name: "apple", n: 5 }, { name: "pear", n: "two" }], at: new Map([["x", 1n]]), f() {} }; }
}
export default {};`, runtime.Options{})
	defer rt.Close()
	v, err := obj.Call(context.Background(), "stock")
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	fmt.Println(v.Kind(), v)
	var stock struct {
		Items []struct {
			N int `json:"n"`
		} `json:"items"`
	}
	fmt.Println(v.Decode(&stock))
	// Output:
	// Object {items: [{name: "apple", n: 5}, {name: "pear", n: "two"}], at: Map {"x" => 1n}, f: [RpcStub]}
	// value: at .items[1].n: a string does not fit into a Go int
}

func ExampleRuntime_Fetch() {
	rt, err := runtime.Open(inventory, runtime.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	ctx := context.Background()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://inventory/items/apple", strings.NewReader("5"))
	if err != nil {
		log.Fatal(err)
	}
	res, err := rt.Fetch(ctx, req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	fmt.Println(res.StatusCode, res.Header.Get("Content-Type"), string(body), err)
	// Output: 200 application/json {"apple":5} <nil>
}

// The front door is an http.Handler, for any server or middleware.
func ExampleRuntime_Handler() {
	rt, err := runtime.Open(inventory, runtime.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	mux := http.NewServeMux()
	mux.Handle("/stock/", http.StripPrefix("/stock", rt.Handler()))
	srv := httptest.NewServer(mux)
	defer srv.Close()
	res, err := http.Post(srv.URL+"/stock/items/apple/add", "", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	fmt.Println(res.Status, string(body), err)
	// Output: 200 OK {"apple":1} <nil>
}

const sleeper = `
import { DurableObject } from "cloudflare:workers";
export class Sleeper extends DurableObject {
  async sleep(ms) { await new Promise((r) => setTimeout(r, ms)); return new Date(); }
}
export default {};`

// An hour passes at once when nothing else is left to do.
func ExampleVirtualClock() {
	clock := runtime.NewVirtualClock()
	rt, err := runtime.New(runtime.Config{
		Modules: []runtime.Module{{Name: "main.js", Source: sleeper}},
		Classes: []runtime.Class{{Binding: "SLEEPER", Class: "Sleeper"}},
	}, runtime.Options{Clock: clock})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	fmt.Println(clock.Now().UTC())
	v, err := rt.Namespace("SLEEPER").GetByName("s").Call(context.Background(), "sleep", time.Hour.Milliseconds())
	if err != nil {
		log.Fatal(err)
	}
	var woke time.Time
	if err := v.Decode(&woke); err != nil {
		log.Fatal(err)
	}
	fmt.Println(woke.UTC())
	// Output:
	// 2026-01-01 00:00:00 +0000 UTC
	// 2026-01-01 01:00:00 +0000 UTC
}

// The reply to a marked method is lost, and the platform calls it again; the
// reply to another one is lost, and the caller gets the error.
func ExampleRuntime_Faults() {
	seed := uint64(1)
	rt, err := runtime.Open(inventory, runtime.Options{Clock: runtime.NewVirtualClock(), Seed: &seed, Record: true})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	if err := rt.Faults().Add(durable.DropReply().Method("setQuantity"), durable.DropReply().Method("addOne")); err != nil {
		log.Fatal(err)
	}
	warehouse := rt.Namespace("INVENTORY").GetByName("main")
	_, err = warehouse.Call(context.Background(), "setQuantity", "apple", 5)
	fmt.Println("setQuantity:", err)
	_, err = warehouse.Call(context.Background(), "addOne", "apple")
	fmt.Println("addOne:", err)
	for _, c := range rt.Timeline().Calls() {
		fmt.Println(c.Method, "ran", c.Runs(), "times")
	}
	// Output:
	// setQuantity: <nil>
	// addOne: Network connection lost.
	// setQuantity ran 2 times
	// addOne ran 1 times
}

// What an object throws and what happens to the connection are one type of
// error; errors.Is tells them apart, errors.As gets at the fields.
func ExampleError() {
	rt, err := runtime.Open(inventory, runtime.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	warehouse := rt.Namespace("INVENTORY").GetByName("main")
	_, err = warehouse.Call(context.Background(), "setQuantity", "apple", -1)
	fmt.Println(errors.Is(err, durable.ErrRemote), errors.Is(err, durable.ErrRetryable))
	if e, ok := errors.AsType[*runtime.Error](err); ok {
		fmt.Println(e.Name)
		fmt.Println(e.Message)
	}
	// Output:
	// true false
	// RangeError
	// quantity must be a whole number, not -1
}

// The objects are in one process, the program that calls them is another. Here
// both are the same process, over a socket of the machine.
func ExampleRuntime_NewHost() {
	key := []byte("both processes know this key")
	objects, err := runtime.Open("../examples/inventory", runtime.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer objects.Close()
	host, err := objects.NewHost(key)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go host.Serve(l)

	rt, err := runtime.Open("../examples/inventory", runtime.Options{
		Connect: &runtime.Connect{Address: l.Addr().String(), Key: key},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	quantity, err := rt.Namespace("INVENTORY").GetByName("main").Call(context.Background(), "setQuantity", "apple", 5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(quantity.Any())
	// Output: 5 <nil>
}
