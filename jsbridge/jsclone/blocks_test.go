package jsclone

import (
	"testing"

	"github.com/dop251/goja"
)

// The version of goja and of Go that this module is built with must be known;
// objects made by goja itself would do, but slowly.
func TestBlocks(t *testing.T) {
	l, err := theLayout()
	if err != nil {
		t.Fatal(err)
	}
	if knownMaps && !l.blocks {
		t.Errorf("objects are made in pieces: %v", l.blocksErr)
	}
}

func TestTagged(t *testing.T) {
	rt, c := newCodec(t)
	proto := eval(t, rt, "({get p() { return this.own }})").(*goja.Object)
	o := c.NewTagged(proto, 5)
	if o == nil {
		t.Skip("not with this version of Go")
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
