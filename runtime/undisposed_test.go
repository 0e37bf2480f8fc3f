package runtime_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/durashim/durashim/runtime"
)

const leaky = `
import { DurableObject, RpcTarget } from "cloudflare:workers";
class Item extends RpcTarget {
	n() { return 1; }
	child() { return new Item(); }
}
export class Cart extends DurableObject {
	open() { return new Item(); }
	list() { return { items: [1, new Item()], more: new Map([["f", () => 1]]) }; }
	plain() { return { a: 1 }; }
	async hold() { this.held = await this.env.CART.getByName("other").open(); }
}
const ways = {
	async leaks(cart) {
		const item = await cart.open();
		item.dup();
		await cart.list();
		await item.child();
	},
	async disposes(cart) {
		using item = await cart.open();
		using list = await cart.list();
		using promise = cart.open();
		const copy = (await promise).dup();
		copy[Symbol.dispose]();
	},
	async pipelines(cart) {
		await cart.open().n();
		await cart.plain();
		cart.open();
	},
	async object(cart) { await cart.hold(); },
	async throws(cart) { await cart.open(); throw new Error("x"); },
	async caught(cart) { await cart.open().catch(() => {}).finally(() => {}); },
	async aborts(cart, ctx) { await cart.open(); ctx.abort("x"); },
	async given(cart) { return await cart.open(); },
};
export default { async fetch(request, env, ctx) {
	await ways[new URL(request.url).pathname.slice(1)](env.CART.getByName("a"), ctx);
	return new Response();
} };
`

func TestUndisposed(t *testing.T) {
	dir := project(t, leaky, "Cart")
	const result, stub = "An RPC result was not disposed properly: ", "An RPC stub was not disposed properly: "
	for _, c := range []struct {
		way  string
		want []string
	}{
		{"leaks", []string{
			result + `CART("a").open()`,
			stub + `dup() of CART("a").open()`,
			result + `.items[1] of CART("a").list()`,
			result + `.more.values()[0] of CART("a").list()`,
			result + `(stub).child()`,
		}},
		{"disposes", nil},
		{"pipelines", nil},
		{"object", nil},
		{"throws", []string{result + `CART("a").open()`}},
		{"caught", []string{result + `CART("a").open()`}},
		{"aborts", nil},
		{"given", []string{result + `CART("a").open()`}}, // it goes no further than the handler
	} {
		t.Run(c.way, func(t *testing.T) {
			for _, tests := range []bool{true, false} {
				rt := open(t, dir, func(o *runtime.Options) { o.Tests = tests })
				if res, err := rt.Fetch(t.Context(), request(t, "http://x/"+c.way)); err == nil {
					_ = res.Body.Close()
				}
				if err := rt.Clock().Settle(t.Context()); err != nil {
					t.Fatal(err)
				}
				var got, want []string
				for _, u := range rt.Undisposed() {
					if u.Worker != "w" || u.Export != "default" {
						t.Errorf("received by %s, %s", u.Worker, u.Export)
					}
					got = append(got, fmt.Sprint(u))
				}
				if tests {
					want = c.want
				}
				if !slices.Equal(got, want) {
					t.Errorf("Tests %v:\n%q, want\n%q", tests, got, want)
				}
			}
		})
	}
}

func request(t *testing.T, url string) *http.Request {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}
