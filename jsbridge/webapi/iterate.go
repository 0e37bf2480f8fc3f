package webapi

import (
	"github.com/dop251/goja"
)

// iterator is the attachment of the objects that entries(), keys() and
// values() return.
type iterator struct {
	slot
	next func() (goja.Value, bool)
}

func init() {
	for id, name := range map[classID]string{
		classKeyIterator:   "KeyIterator",
		classValueIterator: "ValueIterator",
		classEntryIterator: "EntryIterator",
	} {
		classSpecs[id] = classSpec{name: name, parent: noParent, hidden: true, init: initIterator}
	}
}

func initIterator(a *API, c *class) {
	// The prototype inherits from %IteratorPrototype%, which can only be
	// reached through an iterator.
	arrayIterator, err := a.rt.RunString("[][Symbol.iterator]()")
	must(err)
	must(c.proto.SetPrototype(arrayIterator.ToObject(a.rt).Prototype().Prototype()))
	c.method("next", func(call goja.FunctionCall) goja.Value {
		it := this[*iterator](a, call.This)
		res := a.rt.NewObject()
		var v goja.Value
		ok := false
		if it.next != nil {
			v, ok = it.next()
		}
		if !ok {
			v, it.next = goja.Undefined(), nil
		}
		must(res.Set("done", !ok))
		must(res.Set("value", v))
		return res
	})
	c.symbolMethod(goja.SymIterator, func(call goja.FunctionCall) goja.Value { return call.This })
}

// iteration adds entries, keys, values and Symbol.iterator to a class. open
// checks the receiver and returns access to the entries by position; asking
// for the position of each step makes an iterator live.
func (a *API) iteration(c *class, open func(this goja.Value) func(i int) (key, value goja.Value, ok bool)) {
	maker := func(id classID, pick func(k, v goja.Value) goja.Value) native {
		return func(call goja.FunctionCall) goja.Value {
			at, i := open(call.This), 0
			return a.instance(id, &iterator{next: func() (goja.Value, bool) {
				k, v, ok := at(i)
				if !ok {
					return nil, false
				}
				i++
				return pick(k, v), true
			}})
		}
	}
	entry := func(k, v goja.Value) goja.Value { return a.rt.NewArray(k, v) }
	c.method("entries", maker(classEntryIterator, entry))
	c.method("keys", maker(classKeyIterator, func(k, _ goja.Value) goja.Value { return k }))
	c.method("values", maker(classValueIterator, func(_, v goja.Value) goja.Value { return v }))
	c.symbolMethod(goja.SymIterator, maker(classEntryIterator, entry))
}

// callback reads the arguments of a forEach call and returns a function that
// calls back with value, key and the collection.
func (a *API) callback(call goja.FunctionCall, class string) func(value, key goja.Value) {
	f, ok := goja.AssertFunction(a.need(call.Arguments, 0, class, "forEach", "function"))
	if !ok {
		a.badParam(0, class, "forEach", "function")
	}
	receiver, self := call.Argument(1), call.This
	return func(value, key goja.Value) {
		if _, err := f(receiver, value, key, self); err != nil {
			a.rethrow(err)
		}
	}
}

// rethrow passes on what a callback threw.
func (a *API) rethrow(err error) {
	if ex, ok := err.(*goja.Exception); ok {
		panic(ex.Value())
	}
	// An interrupt must reach the outermost caller as it is.
	panic(err)
}
