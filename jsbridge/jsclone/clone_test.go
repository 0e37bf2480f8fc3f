package jsclone

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// roundTrip clones the value of src and binds it to the name clone.
func roundTrip(t *testing.T, rt *goja.Runtime, c *Codec, src string, opts Options) goja.Value {
	t.Helper()
	data, err := c.Encode(nil, eval(t, rt, src), opts)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	v, err := c.Decode(data, opts)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	if err := rt.Set("clone", v); err != nil {
		t.Fatal(err)
	}
	return v
}

func wantTrue(t *testing.T, rt *goja.Runtime, src string) {
	t.Helper()
	if v := eval(t, rt, src); !v.ToBoolean() {
		t.Errorf("not true: %s", src)
	}
}

func TestIdentity(t *testing.T) {
	rt, c := newCodec(t)
	roundTrip(t, rt, c, "(()=>{const o={}; o.self=o; const b=new ArrayBuffer(4), d=new Date(1), e=new Error('m'); e.me=e;"+
		"return {o, also:o, u:new Uint8Array(b), v:new DataView(b,1), d, d2:d, m:new Map([[o,d]]), e, big:Array.from({length:40},(_,i)=>({i})), last:o}})()", Options{})
	for _, src := range []string{
		"clone.o === clone.also && clone.o.self === clone.o && clone.last === clone.o",
		"clone.u.buffer === clone.v.buffer && clone.v.byteOffset === 1 && clone.v.byteLength === 3",
		"(clone.u[1] = 7, clone.v.getUint8(0) === 7)",
		"clone.d === clone.d2 && clone.m.get(clone.o) === clone.d",
		"clone.e.me === clone.e && clone.e instanceof Error",
		"clone.big.length === 40 && clone.big[39].i === 39",
	} {
		wantTrue(t, rt, src)
	}
}

// The attributes of a decoded error are those that workerd gives.
func TestErrorShape(t *testing.T) {
	rt, c := newCodec(t)
	src := "(()=>{const e=new TypeError('m',{cause:'c'}); e.stack='S'; e.code=5; return e})()"
	roundTrip(t, rt, c, src, Options{})
	wantTrue(t, rt, "clone instanceof TypeError && clone.message === 'm' && clone.stack === 'S' && clone.cause === 'c' && clone.code === 5")
	wantTrue(t, rt, "Object.keys(clone).join() === 'stack,cause,code'")
	roundTrip(t, rt, c, src, Options{LocalErrorStack: true})
	wantTrue(t, rt, "clone.stack !== 'S' && Object.keys(clone).join() === 'cause,code'")
	roundTrip(t, rt, c, src, Options{Errors: ErrorsV8})
	wantTrue(t, rt, "clone instanceof TypeError && clone.stack === 'S' && clone.cause === 'c' && !('code' in clone) && Object.keys(clone).length === 0")
	roundTrip(t, rt, c, "Object.assign(new Error('m'),{name:'Mine'})", Options{})
	wantTrue(t, rt, "clone.name === 'Mine' && Object.getPrototypeOf(clone) === Error.prototype && Object.keys(clone).includes('name')")
	roundTrip(t, rt, c, "new AggregateError([new RangeError('in')],'m')", Options{})
	wantTrue(t, rt, "clone instanceof AggregateError && clone.errors[0] instanceof RangeError && clone.errors.length === 1")
}

// Setters on prototypes must not run, and __proto__ is a name like others.
func TestDecodeIsNotAssignment(t *testing.T) {
	rt, c := newCodec(t)
	eval(t, rt, "Object.defineProperty(Object.prototype,'trap',{set(){throw 1},configurable:true})")
	data, err := c.Encode(nil, eval(t, rt, "Object.defineProperty(JSON.parse('{\"__proto__\":{\"x\":1}}'),'trap',{value:2,enumerable:true})"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Decode(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Set("clone", v); err != nil {
		t.Fatal(err)
	}
	wantTrue(t, rt, "Object.getPrototypeOf(clone) === Object.prototype && Object.keys(clone).join() === '__proto__,trap' && clone.trap === 2 && clone.x === undefined")
	// The names came in the message's order, the indexes must still come first.
	roundTrip(t, rt, c, "{b:1}", Options{})
	eval(t, rt, "clone[3]=1, clone.a=2, delete clone.b")
	wantTrue(t, rt, "Object.keys(clone).join() === '3,a'")
}

// A codec does not look at built-in functions again after New.
func TestPatchedBuiltins(t *testing.T) {
	rt, c := newCodec(t)
	eval(t, rt, "globalThis.m = new Map([[1, new Set([2])]])")
	eval(t, rt, `(() => {
		const bad = {value() { throw "patched" }}, accessor = {get() { throw "patched" }};
		for (const k of ["set", "forEach"]) Object.defineProperty(Map.prototype, k, bad);
		for (const k of ["add", "forEach"]) Object.defineProperty(Set.prototype, k, bad);
		for (const C of [Date, String, Number, Boolean]) for (const k of ["getTime", "valueOf"]) Object.defineProperty(C.prototype, k, bad);
		for (const k of ["source", "flags"]) Object.defineProperty(RegExp.prototype, k, accessor);
		for (const k of ["buffer", "byteOffset", "byteLength"]) Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), k, accessor);
		Object.defineProperty(Array.prototype, Symbol.iterator, bad);
		globalThis.d = new Date(7);
		globalThis.Map = globalThis.Set = globalThis.Date = globalThis.RegExp = globalThis.Error = bad.value;
	})()`)
	for _, src := range []string{"/a/gi", "Object(1)", "Object('s')", "Object(true)", "[1,,2]", "{a:1}", "new Uint8Array(2)", "m", "d"} {
		before, err := c.Encode(nil, eval(t, rt, src), Options{})
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		after, err := c.Encode(nil, roundTrip(t, rt, c, src, Options{}), Options{})
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: %x, clone %x, %v", src, before, after, err)
		}
	}
}

func TestClassInstances(t *testing.T) {
	opts := Options{ClassInstances: ClassInstancesReject}
	for src, class := range map[string]string{
		"new (class Foo {})":             "Foo",
		"Object.create(null)":            "Object",
		"new (class {})":                 "Object",
		"Object.create({x:1})":           "Object",
		"[{a:new (class Bar {})}]":       "Bar",
		"Object.prototype":               "Object",
		"Object.create({constructor:5})": "Object",
	} {
		rt, c := newCodec(t)
		_, err := c.Encode(nil, eval(t, rt, src), opts)
		want := `Could not serialize object of type "` + class + `". This type does not support serialization.`
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	rt, c := newCodec(t)
	for _, src := range []string{"{a:1}", "[1]", "Object.freeze({a:1})", "Math", "new (class M extends Map {})([[1,2]])",
		"new (class A extends Array {})(1,2)", "Date.prototype", "new (class E extends Error {})('m')"} {
		if _, err := c.Encode(nil, eval(t, rt, src), opts); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	for _, src := range []string{"new Proxy([1],{})", "new Proxy(new Map(),{})", "new Proxy(Object.create(null),{})"} {
		if _, err := c.Encode(nil, eval(t, rt, src), opts); err == nil || !strings.HasPrefix(err.Error(), "Proxy could not be serialized because") {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestExceptions(t *testing.T) {
	rt, c := newCodec(t)
	for src, want := range map[string]string{"{get a(){throw new RangeError('boom')}}": "boom", "[{get a(){throw 5}}]": "5",
		"(()=>{const e=new Error(); Object.defineProperty(e,'name',{get(){throw 6}}); return e})()": "6"} {
		_, err := c.Encode(nil, eval(t, rt, src), Options{})
		var ex *goja.Exception
		if !errors.As(err, &ex) || !strings.Contains(ex.Value().String(), want) {
			t.Errorf("%s: %v", src, err)
		}
	}
	// The codec works on after a failure, also from inside a getter.
	inner := func(goja.FunctionCall) goja.Value {
		data, err := c.Encode(nil, rt.ToValue("inner"), Options{})
		if err != nil {
			panic(err)
		}
		v, err := c.Decode(data, Options{})
		if err != nil {
			panic(err)
		}
		return v
	}
	if err := rt.Set("inner", inner); err != nil {
		t.Fatal(err)
	}
	roundTrip(t, rt, c, "{a:{get x(){return inner()}}, b:[1], get c(){return inner()}, d:2}", Options{})
	wantTrue(t, rt, "clone.a.x === 'inner' && clone.b[0] === 1 && clone.c === 'inner' && clone.d === 2")
	// A getter that deletes what comes later, also of the object around it.
	roundTrip(t, rt, c, "(()=>{const o={a:{get x(){delete o.b; o.z=1; return 1}},b:2,c:3,d:4}; return o})()", Options{})
	wantTrue(t, rt, "JSON.stringify(clone) === '{\"a\":{\"x\":1},\"c\":3,\"d\":4}'")
}

func TestDepth(t *testing.T) {
	rt, c := newCodec(t)
	for _, wrap := range []string{"[a]", "{a}", "new Map([[1,a]])", "new Set([a])", "Object.assign(new Error(),{a})", "(()=>{const x=new Array(2);x[1]=a;return x})()"} {
		// workerd manages 3000 levels of arrays and objects, and not 5000.
		v := eval(t, rt, "(()=>{let a=0; for (let i=0;i<3000;i++) a="+wrap+"; return a})()")
		data, err := c.Encode(nil, v, Options{})
		if err != nil {
			t.Fatalf("%s: %v", wrap, err)
		}
		if _, err := c.Decode(data, Options{}); err != nil {
			t.Errorf("%s: %v", wrap, err)
		}
		var syntax *structclone.SyntaxError
		if _, err := c.Decode(data, Options{MaxDepth: 100}); !errors.As(err, &syntax) {
			t.Errorf("%s: decoding beyond the limit: %v", wrap, err)
		}
		v = eval(t, rt, "(()=>{let a=0; for (let i=0;i<20000;i++) a="+wrap+"; return a})()")
		var deep *DepthError
		if _, err := c.Encode(nil, v, Options{}); !errors.As(err, &deep) {
			t.Errorf("%s: %v", wrap, err)
		}
	}
}

func TestDetached(t *testing.T) {
	rt, c := newCodec(t)
	b := rt.NewArrayBuffer([]byte{1})
	if err := rt.Set("b", b); err != nil {
		t.Fatal(err)
	}
	v := eval(t, rt, "[new Uint8Array(b)]")
	b.Detach()
	if _, err := c.Encode(nil, v, Options{}); err == nil || err.Error() != "An ArrayBuffer is detached and could not be cloned." {
		t.Errorf("got %v", err)
	}
}

func TestHostObjects(t *testing.T) {
	rt, c := newCodec(t)
	eval(t, rt, "globalThis.Headers = class Headers { constructor(k,v){this.k=k;this.v=v} }")
	opts := Options{
		ClassInstances: ClassInstancesReject,
		EncodeHost: func(e *Encoder, o *goja.Object) (bool, error) {
			if _, ok := goja.AssertFunction(o); ok {
				e.BeginHost(20)
				return true, e.Value(rt.ToValue("fn"))
			}
			if !rt.InstanceOf(o, rt.Get("Headers").(*goja.Object)) {
				return false, nil
			}
			e.BeginHost(4)
			e.W.RawUint32(1)
			e.W.RawString(o.Get("k").String())
			return true, e.Value(o.Get("v"))
		},
		DecodeHost: func(d *Decoder, tag uint32) (goja.Value, error) {
			switch tag {
			case 20:
				return d.Value()
			case 4:
				o := rt.NewObject()
				d.SetHost(o)
				if n, err := d.R.RawUint32(); err != nil || n != 1 {
					return nil, errors.New("bad count")
				}
				k, err := d.R.RawString()
				if err != nil {
					return nil, err
				}
				v, err := d.Value()
				if err != nil {
					return nil, err
				}
				return o, o.Set(k, v)
			}
			return nil, nil
		},
	}
	roundTrip(t, rt, c, "(()=>{const h=new Headers('a',{}); h.v.back=h; return [h,h,{n:1},()=>1]})()", opts)
	wantTrue(t, rt, "clone[0] === clone[1] && clone[0].a.back === clone[0] && clone[2].n === 1 && clone[3] === 'fn'")

	var host *HostTagError
	data, err := c.Encode(nil, eval(t, rt, "[new Headers('a','b')]"), opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Decode(data, Options{}); !errors.As(err, &host) || host.Tag != 4 || host.Offset != 4 {
		t.Errorf("unknown host object: %v", err)
	}
	want := errors.New("from the hook")
	opts.EncodeHost = func(*Encoder, *goja.Object) (bool, error) { return false, want }
	if _, err := c.Encode(nil, eval(t, rt, "()=>1"), opts); err != want {
		t.Errorf("error of a hook: %v", err)
	}
}

// What workerd does with messages that are not as they should be; it refuses
// those that we refuse.
func TestDecodeOdd(t *testing.T) {
	rt, c := newCodec(t)
	for src, want := range map[string]string{
		"\xff\x0fI\x54\x00\x11":                                "42", // what follows is ignored
		"\xff\x0dI\x54":                                        "42",
		"\xff\x0dB\x03\x01\x02\x03VB\x00\x03":                  "Uint8Array0,3ArrayBuffer1,2,3",
		"\xff\x0fS\x03\xe2\x82\xac":                            `"€"`,
		"\xff\x0fU\xff\xff\xff\xff\x0f":                        "4294967295",
		"\xff\x0fo" + "U\x05I\x02{\x01":                        `Object{"5":1}`,
		"\xff\x0foN\x00\x00\x00\x00\x00\x00\xf8\x3fI\x02{\x01": `Object{"1.5":1}`,
		"\xff\x0fD\x00\x00\x00\x00\x00\x00\xf8\x3f":            "Date1",
		"\xff\x0fD\x00\x00\x00\x00\x00\x00\xf0\x7f":            "DateNaN",
		"\xff\x0fZ\x06\x01\x02\x03":                            "197121n",
		"\xff\x0fI\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01":    "-2147483648",
		"\xff\x0f'I\x02I\x02,\x02":                             "Set(1)",
		"\xff\x0fN\x00\x00\x00\x00\x00\x00\x14\x40":            "5",
		"\xff\x0fc\x02a\x00":                                   `"a"`,
	} {
		v, err := c.Decode([]byte(src), Options{})
		if err != nil {
			t.Errorf("%x: %v", src, err)
		} else if got := shown(t, rt, v); got != want {
			t.Errorf("%x: %s, want %s", src, got, want)
		}
	}
	for _, src := range []string{"\xff\x0cI\x54", "\xff\x0f", "", "\xff\x0fo\"\x01a-{\x01", "\xff\x0fo\"\x01aI\x02{\x02",
		"\xff\x0f^\x00", "\xff\x0fB\x04\x00\x00\x00\x00VB\x00\x05\x00", "\xff\x0fB\x04\x00\x00\x00\x00VW\x01\x02\x00",
		"\xff\x0fu\x00", "\xff\x0fR\"\x01[\x00", "\xff\x0fR\"\x01a\xff\x03", "\xff\x0f;I\x02I\x04:\x01", "\xff\x0fZ\x01"} {
		if v, err := c.Decode([]byte(src), Options{}); err == nil {
			t.Errorf("%x: read as %v", src, v)
		}
	}
	if v, err := c.Decode([]byte("I\x54"), Options{Headerless: true}); err != nil || v.ToInteger() != 42 {
		t.Errorf("without a header: %v, %v", v, err)
	}
	if _, err := c.Decode([]byte("I\x54"), Options{}); err == nil {
		t.Error("a missing header went unnoticed")
	}
}

func TestPackageFunctions(t *testing.T) {
	rt := goja.New()
	data, err := Encode(rt, eval(t, rt, "{a:[1,'b']}"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode(rt, data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(t, rt, v); got != `Object{"a":Array2{"0":1,"1":"b"}}` {
		t.Error(got)
	}
}

// Decoded objects and arrays are filled from the inside; they must then behave
// like any other.
func TestDecodedObjectsWork(t *testing.T) {
	rt, c := newCodec(t)
	roundTrip(t, rt, c, "Object.assign([3,1,2],{extra:1})", Options{})
	wantTrue(t, rt, `clone.push(0) === 4 && clone.sort().join() === "0,1,2,3" && clone.pop() === 3 && clone.length === 3 &&
		(clone.length = 1, clone.length === 1 && !(1 in clone)) && Object.keys(clone).join() === "0,extra" && [...clone, 5].length === 2`)
	roundTrip(t, rt, c, "[1,{},,4]", Options{})
	wantTrue(t, rt, `clone.length === 4 && !(2 in clone) && Object.keys(clone).join() === "0,1,3" && clone.flat().length === 3 &&
		(clone[2] = 3, clone.splice(1,1), clone.join() === "1,3,4") && Array.isArray(clone)`)
	roundTrip(t, rt, c, "[]", Options{})
	wantTrue(t, rt, "clone.length === 0 && clone.push(1,2) === 2 && clone.shift() === 1")
	roundTrip(t, rt, c, "Object.fromEntries(Array.from({length:50},(_,i)=>['k'+i,i]))", Options{})
	wantTrue(t, rt, `(() => { const seen = []; for (const k in clone) { if (k === "k3") { delete clone.k4; clone.z = 1 } seen.push(k) }
		clone[7] = 7; const keys = Object.keys(clone);
		return seen.length === 49 && keys[0] === "7" && keys[1] === "k0" && keys.at(-1) === "z" && keys.length === 51 && JSON.stringify({...clone}).length > 300 })()`)
	roundTrip(t, rt, c, `{"\ud800":1, "\u20ac":"\udfff", ok:2}`, Options{})
	wantTrue(t, rt, `clone["\ud800"] === 1 && clone["\u20ac"] === "\udfff" && Object.keys(clone).length === 3`)
	roundTrip(t, rt, c, "(()=>{const a=[]; a[4294967294]=1; a[5]=2; return a})()", Options{})
	wantTrue(t, rt, "clone.length === 4294967295 && clone[5] === 2 && Object.keys(clone).length === 2")
}

func TestGoValues(t *testing.T) {
	rt, c := newCodec(t)
	for _, set := range []struct {
		v    any
		want string
	}{
		{map[string]any{"a": []any{1, "x", nil}}, `Object{"a":Array3{"0":1,"1":"x","2":null}}`},
		{"a string from Go, longer than sixteen bytes, \u20ac", "\"a string from Go, longer than sixteen bytes, \u20ac\""},
		{[]any{}, "Array0{}"},
	} {
		data, err := c.Encode(nil, rt.ToValue(set.v), Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := c.Decode(data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := shown(t, rt, v); got != set.want {
			t.Errorf("%v: %s", set.v, got)
		}
	}
}

// An interrupt in a getter ends the script around the encoding too.
func TestInterrupt(t *testing.T) {
	rt, c := newCodec(t)
	if err := rt.Set("stop", func(goja.FunctionCall) goja.Value { rt.Interrupt("enough"); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := rt.Set("clone", func(call goja.FunctionCall) goja.Value {
		_, err := c.Encode(nil, call.Argument(0), Options{})
		t.Errorf("Encode returned %v", err)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	_, err := rt.RunString("try { clone({get a(){ stop(); for(;;); }}) } finally { globalThis.went = 'on' }")
	var i *goja.InterruptedError
	if !errors.As(err, &i) || rt.Get("went") != nil {
		t.Fatalf("got %v, went %v", err, rt.Get("went"))
	}
	rt.ClearInterrupt()
	roundTrip(t, rt, c, "{b:1}", Options{})
}
