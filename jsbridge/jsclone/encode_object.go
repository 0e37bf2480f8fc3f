package jsclone

import (
	"math/big"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// visit returns what forEach of a Map or Set visits. The entries are those of
// the moment: what getters change later does not count, as in V8.
func (e *Encoder) visit(each native, o, fn *goja.Object) []goja.Value {
	c := e.c
	outer := c.collect
	c.collect = nil
	on(each, o, fn)
	items := c.collect
	c.collect = outer
	return items
}

func (e *Encoder) mapObject(o *goja.Object) error {
	e.seen.add(o, e.W.BeginMap())
	items := e.visit(e.c.mapEach, o, e.c.onMapKey)
	for _, v := range items {
		if err := e.Value(v); err != nil {
			return err
		}
	}
	e.W.EndMap(uint32(len(items) / 2))
	return nil
}

func (e *Encoder) setObject(o *goja.Object) error {
	e.seen.add(o, e.W.BeginSet())
	items := e.visit(e.c.setEach, o, e.c.onSetKey)
	for _, v := range items {
		if err := e.Value(v); err != nil {
			return err
		}
	}
	e.W.EndSet(uint32(len(items)))
	return nil
}

// rare writes every kind of object that is not one of the frequent ones.
func (e *Encoder) rare(o *goja.Object, impl *iface) error {
	l, c := e.l, e.c
	switch impl.tab {
	case l.sparse:
		return e.sparseArray(o, uint32(o.Get("length").ToInteger()))
	case l.date:
		e.seen.add(o, e.W.Date(on(c.dateValue, o).ToFloat()))
		return nil
	case l.regexp:
		return e.regexp(o, impl)
	case l.str:
		e.seen.add(o, e.W.BoxedString())
		return e.Value(on(c.stringValue, o))
	case l.boxed:
		return e.boxed(o)
	case l.buffer:
		return e.buffer(o)
	case l.typed:
		name := on(c.typeOfView, o).String()
		return e.view(o, viewTypes[name], c.bufferOf, c.offsetOf, c.lengthOf)
	case l.view:
		return e.view(o, structclone.DataView, c.viewBuffer, c.viewOffset, c.viewLength)
	case l.err:
		return e.errorObject(o)
	}
	// Only what scripts can make with the language alone is known from here on;
	// the rest is the host's.
	if handled, err := e.askHost(o); handled || err != nil {
		return err
	}
	switch impl.tab {
	case l.proxy:
		return e.proxy(o)
	case l.templated, l.guarded:
		// Built-in objects without a state of their own, such as Math.
		if isCallable(o) || o == c.rt.GlobalObject() {
			return c.notCloneable(o)
		}
		if proto := o.Prototype(); proto != c.objectProto && e.opts.ClassInstances == ClassInstancesReject {
			return NewUnsupportedTypeError(className(proto))
		}
		return e.anyObject(o)
	case l.protoArray:
		return e.sparseArray(o, uint32(o.Get("length").ToInteger()))
	case l.goMap:
		return e.anyObject(o)
	case l.goSlice:
		return e.goSlice(o)
	}
	return c.notCloneable(o)
}

// anyObject writes an object by its properties, whatever its implementation.
func (e *Encoder) anyObject(o *goja.Object) error {
	e.seen.add(o, e.W.BeginObject())
	n, err := e.properties(o, nil)
	if err != nil {
		return err
	}
	e.W.EndObject(n)
	return nil
}

// goSlice writes a slice that Go code passed to a script.
func (e *Encoder) goSlice(o *goja.Object) error {
	n := uint32(o.Get("length").ToInteger())
	e.seen.add(o, e.W.BeginDenseArray(n))
	for i := uint32(0); i < n; i++ {
		if err := e.Value(o.Get(indexName(i))); err != nil {
			return err
		}
	}
	e.W.EndDenseArray(0, n)
	return nil
}

// proxy refuses a proxy that the hook did not take. V8 refuses them all; RPC,
// through the hook, makes stubs of functions and of what behaves like a plain
// object or an RpcTarget.
func (e *Encoder) proxy(o *goja.Object) error {
	if isCallable(o) || e.opts.ClassInstances != ClassInstancesReject || o.Prototype() == e.c.objectProto {
		return e.c.notCloneable(o)
	}
	return &CloneError{Message: "Proxy could not be serialized because it is not a valid RPC receiver type. " +
		"The Proxy must emulate either a plain object or an RpcTarget, as indicated by the Proxy's prototype chain."}
}

func (e *Encoder) boxed(o *goja.Object) error {
	c := e.c
	switch o.ClassName() {
	case "Boolean":
		e.seen.add(o, e.W.BoxedBool(on(c.booleanValue, o).ToBoolean()))
	case "Number":
		e.seen.add(o, e.W.BoxedNumber(on(c.numberValue, o).ToFloat()))
	default: // a BigInt or a Symbol
		if _, ok := o.Export().(*big.Int); !ok {
			return c.notCloneable(o)
		}
		e.seen.add(o, e.W.BoxedBigInt(c.bigInt(on(c.bigintValue, o))))
	}
	return nil
}

func (e *Encoder) buffer(o *goja.Object) error {
	b := o.Export().(goja.ArrayBuffer)
	if b.Detached() {
		return &CloneError{Message: "An ArrayBuffer is detached and could not be cloned."}
	}
	e.seen.add(o, e.W.ArrayBuffer(b.Bytes()))
	return nil
}

var viewTypes = map[string]structclone.ViewType{}

func init() {
	for _, t := range []structclone.ViewType{
		structclone.Int8Array, structclone.Uint8Array, structclone.Uint8ClampedArray, structclone.Int16Array,
		structclone.Uint16Array, structclone.Int32Array, structclone.Uint32Array, structclone.Float16Array,
		structclone.Float32Array, structclone.Float64Array, structclone.BigInt64Array, structclone.BigUint64Array,
	} {
		viewTypes[t.Name()] = t
	}
}

// view writes a view, after its buffer or a reference to it.
func (e *Encoder) view(o *goja.Object, t structclone.ViewType, buffer, offset, length native) error {
	b := on(buffer, o).(*goja.Object)
	if id, ok := e.seen.lookup(b); ok {
		e.W.BackRef(id)
	} else if err := e.buffer(b); err != nil {
		return err
	}
	e.seen.add(o, e.W.View(structclone.View{
		Type:   t,
		Offset: uint32(on(offset, o).ToInteger()),
		Length: uint32(on(length, o).ToInteger()),
	}))
	return nil
}
