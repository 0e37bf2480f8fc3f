package runtime_test

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/durashim/durashim/runtime"
)

func TestValueKinds(t *testing.T) {
	rt := open(t, project(t, `
import { DurableObject } from "cloudflare:workers";
const values = {
  undefined: () => undefined, null: () => null, boolean: () => true, number: () => 1.5, bigint: () => 12n, string: () => "a\nb",
  Object: () => ({ a: 1 }), Array: () => [1, [2]], Map: () => new Map([[1, 2]]), Set: () => new Set([1]), Date: () => new Date(5),
  RegExp: () => /a/g, Error: () => new TypeError("no"), ArrayBuffer: () => new ArrayBuffer(2), Uint8Array: () => new Uint8Array(3),
  Float64Array: () => new Float64Array(2), DataView: () => new DataView(new ArrayBuffer(4)), RpcStub: () => () => 1,
  ReadableStream: () => new ReadableStream(), WritableStream: () => new WritableStream(), Request: () => new Request("http://a"),
  Response: () => new Response("x"), Headers: () => new Headers({ a: "b" }), Blob: () => new Blob(["abc"]),
  DOMException: () => new DOMException("m", "AbortError"), boxed: () => new Number(1), Fetcher: (env) => env.OBJ.getByName("b"),
};
export class Obj extends DurableObject {
  get(kind) { return values[kind](this.env); }
}
export default {};
`, "Obj"), nil)
	obj := rt.Namespace("OBJ").GetByName("a")
	for kind, want := range map[runtime.Kind]string{
		runtime.KindUndefined: "undefined", runtime.KindNull: "null", runtime.KindBoolean: "true", runtime.KindNumber: "1.5",
		runtime.KindBigInt: "12n", runtime.KindString: `"a\nb"`, runtime.KindObject: "{a: 1}", runtime.KindArray: "[1, [2]]",
		runtime.KindMap: "Map {1 => 2}", runtime.KindSet: "Set {1}", runtime.KindDate: "new Date(5)", runtime.KindRegExp: "/a/g",
		runtime.KindError: "...", runtime.KindArrayBuffer: "ArrayBuffer(2)", "Uint8Array": "Uint8Array(3)", "Float64Array": "Float64Array(2)",
		"DataView": "DataView(4)", runtime.KindRPCStub: "[RpcStub]", runtime.KindReadableStream: "[ReadableStream]",
		runtime.KindWritableStream: "[WritableStream]", runtime.KindRequest: "[Request]", runtime.KindResponse: "[Response]",
		runtime.KindHeaders: "[Headers]", runtime.KindBlob: "[Blob]", runtime.KindDOMException: "[DOMException]",
		runtime.KindFetcher: "[Fetcher]",
	} {
		v, err := obj.Call(t.Context(), "get", string(kind))
		if err != nil {
			t.Fatal(kind, err)
		}
		if v.Kind() != kind || v.String() != want {
			t.Errorf("%s: kind %s, text %s, want %s", kind, v.Kind(), v, want)
		}
		if v.IsNull() != (kind == runtime.KindNull) || v.IsUndefined() != (kind == runtime.KindUndefined) {
			t.Errorf("%s: null %v, undefined %v", kind, v.IsNull(), v.IsUndefined())
		}
		if _, err := v.Any(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		_ = v.Close()
		// A closed value still has a kind and a text.
		if v.Kind() != kind || v.String() != want {
			t.Errorf("%s, closed: kind %s, text %s", kind, v.Kind(), v)
		}
	}
	v, err := obj.Call(t.Context(), "get", "boxed")
	if err != nil || v.Kind() != runtime.KindObject {
		t.Error(v.Kind(), err)
	}
}

func TestZeroValue(t *testing.T) {
	var v runtime.Value
	x, err := v.Any()
	if v.Kind() != runtime.KindUndefined || v.String() != "undefined" || !v.IsUndefined() || v.IsNull() || x != nil || err != nil {
		t.Error(v.Kind(), v, x, err)
	}
	n := 5
	if err := v.Decode(&n); err != nil || n != 5 {
		t.Error(n, err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnyValues(t *testing.T) {
	rt := open(t, project(t, `
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  all() { return { n: 1, s: "a", l: [true, null], b: new Uint8Array([1]), big: 2n ** 70n, blob: new Blob(["abc"]) }; }
}
export default {};
`, "Obj"), nil)
	v, err := rt.Namespace("OBJ").GetByName("a").Call(t.Context(), "all")
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.Any()
	want := map[string]any{
		"n": 1.0, "s": "a", "l": []any{true, nil}, "b": []byte{1}, "big": new(big.Int).Lsh(big.NewInt(1), 70), "blob": []byte("abc"),
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
