package runtime_test

import (
	"testing"

	"github.com/durashim/durashim/runtime"
)

const storageBenchScript = `
import { DurableObject } from "cloudflare:workers";
export class Store extends DurableObject {
  async call(n) {
    const stub = this.env.STORE.getByName("callee");
    for (let i = 0; i < n; i++) await stub.twoAwaits("k");
  }
  async getAndPut(n) {
    const stub = this.env.STORE.getByName("callee");
    for (let i = 0; i < n; i++) await stub.addOne("k");
  }
  async gets(n) { await this.ctx.storage.put("k", 1); for (let i = 0; i < n; i++) await this.ctx.storage.get("k"); }
  async puts(n) { for (let i = 0; i < n; i++) await this.ctx.storage.put("k", i); }
  async transactions(n) {
    for (let i = 0; i < n; i++) await this.ctx.storage.transaction((txn) => txn.put("k", i));
  }
  // what addOne does, but for the storage
  async twoAwaits(key) {
    const n = (await this.nothing(key) ?? 0) + 1;
    await this.nothing(key, n);
    return n;
  }
  async addOne(key) {
    const n = (await this.ctx.storage.get(key) ?? 0) + 1;
    await this.ctx.storage.put(key, n);
    return n;
  }
  async nothing() {}
}
export default {};
`

// BenchmarkStorage: the difference of getAndPut and call is what a get and a put
// add to a call, the commit behind the reply included.
func BenchmarkStorage(b *testing.B) {
	for _, where := range []string{"memory", "disk"} {
		for _, method := range []string{"call", "getAndPut", "gets", "puts", "transactions"} {
			b.Run(where+"/"+method, func(b *testing.B) {
				o := runtime.Options{}
				if where == "disk" {
					o.PersistTo = b.TempDir()
				}
				rt, err := runtime.Open(project(b, storageBenchScript, "Store"), o)
				if err != nil {
					b.Fatal(err)
				}
				defer rt.Close()
				stub := rt.Namespace("STORE").GetByName("caller")
				if _, err := stub.Call(b.Context(), "call", 1); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				b.ResetTimer()
				if _, err := stub.Call(b.Context(), method, b.N); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
