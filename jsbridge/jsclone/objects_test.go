package jsclone

import (
	"runtime"
	"testing"

	"github.com/dop251/goja"
)

// The version of goja that this module is built with must be known; objects with
// another kind of tag would do, but cost more.
func TestTagsFit(t *testing.T) {
	l, err := theLayout()
	if err != nil {
		t.Fatal(err)
	}
	if !l.tags {
		t.Errorf("objects cannot be tagged: %v", l.tagsErr)
	}
}

func TestTagged(t *testing.T) {
	rt, c := newCodec(t)
	proto := eval(t, rt, "({get p() { return this.own }})").(*goja.Object)
	o := c.NewTagged(proto, 5)
	if o == nil {
		t.Fatal("objects cannot be tagged")
	}
	if err := rt.Set("o", o); err != nil {
		t.Fatal(err)
	}
	wantTrue(t, rt, `o.own = 1, o[Symbol.iterator] = 2, o.p === 1 && Object.keys(o).join() === "own" &&
		String(o) === "[object Object]" && Reflect.ownKeys(o).length === 2`)
	if c.Tag(o) != 5 {
		t.Errorf("the tag is %v", c.Tag(o))
	}
	for _, src := range []string{"Object.create(o)", "new Proxy(o, {})", "({...o})", "[]", "()=>1", "Object.prototype", "globalThis", "/a/"} {
		if tag := c.Tag(eval(t, rt, src).(*goja.Object)); tag != nil {
			t.Errorf("%s has the tag %v", src, tag)
		}
	}
}

// Decoded objects survive the collector and later changes.
func TestDecodedObjectsAreKept(t *testing.T) {
	rt, c := newCodec(t)
	data, err := c.Encode(nil, eval(t, rt, `Array.from({length: 300}, (_, i) => ({i, s: "text " + i, f: i + 0.5, a: [i, [i], {}], o: {x: {y: i}}}))`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Set("kept", rt.NewArray()); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		v, err := c.Decode(data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := rt.Set("clone", v); err != nil {
			t.Fatal(err)
		}
		eval(t, rt, `(() => { for (const r of clone) {
			kept.push(r.a, r.o.x); // the rest may go
			for (let i = 0; i < 12; i++) r.a[2]["k" + i] = {i};
			r.a.name = "n"; r.a.push(r.o.x.y);
			delete r.a[2].k3;
		} })()`)
		runtime.GC()
	}
	wantTrue(t, rt, `kept.length === 12000 && kept.every((v, n) => {
		const i = (n >> 1) % 300;
		if (n % 2) return v.y === i && Object.keys(v).join() === "y";
		return v[0] === i && v[1][0] === i && v[3] === i && v.length === 4 && v.name === "n" &&
			Object.keys(v[2]).join() === "k0,k1,k2,k4,k5,k6,k7,k8,k9,k10,k11" && v[2].k11.i === 11;
	})`)
}
