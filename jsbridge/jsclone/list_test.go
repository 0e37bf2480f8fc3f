package jsclone

import (
	"testing"

	"github.com/dop251/goja"
)

// A list is an array on the wire, and comes back element by element.
func TestList(t *testing.T) {
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := rt.RunString(`({a: [1, 2]})`)
	if err != nil {
		t.Fatal(err)
	}
	in := []goja.Value{rt.ToValue(1), goja.Undefined(), shared, shared, rt.ToValue("x")}
	data, err := c.EncodeList(nil, in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	array, err := c.Encode(nil, rt.NewArray(1, goja.Undefined(), shared, shared, "x"), Options{})
	if err != nil || string(array) != string(data) {
		t.Errorf("as a list %q, as an array %q, %v", data, array, err)
	}
	out, err := c.DecodeList(data, Options{})
	if err != nil || len(out) != len(in) {
		t.Fatalf("%v, %v", out, err)
	}
	if out[0].ToInteger() != 1 || !goja.IsUndefined(out[1]) || out[4].String() != "x" {
		t.Errorf("%v", out)
	}
	if out[2] != out[3] || out[2].(*goja.Object).Get("a").String() != "1,2" {
		t.Errorf("the object that is there twice came back as %v and %v", out[2], out[3])
	}
}

func TestListErrors(t *testing.T) {
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.EncodeList([]byte("kept"), []goja.Value{goja.NewSymbol("s")}, Options{}); err == nil {
		t.Error("a symbol was encoded")
	}
	for _, data := range []string{"", "\xff\x0fo{\x00", "\xff\x0fA\x01^\x00$\x00\x01", "\xff\x0fA\x02I\x02"} {
		if list, err := c.DecodeList([]byte(data), Options{}); err == nil {
			t.Errorf("%q gives %v", data, list)
		}
	}
}
