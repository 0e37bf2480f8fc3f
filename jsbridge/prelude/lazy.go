package prelude

import "github.com/dop251/goja"

// lazyGlobals are made by the JavaScript part when a program first looks at them.
var lazyGlobals = []string{"DisposableStack", "AsyncDisposableStack", "WeakRef", "Atomics", "FinalizationRegistry"}

// installLazy defines the globals that make(name) makes.
func (p *Prelude) installLazy(make goja.Value) error {
	call, ok := goja.AssertFunction(make)
	if !ok {
		return errMissing("lazy part of the prelude")
	}
	for _, name := range lazyGlobals {
		err := p.lazyGlobal(name, func() goja.Value {
			v, err := call(goja.Undefined(), p.rt.ToValue(name))
			if err != nil {
				rethrow(err)
			}
			return v
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// lazyGlobal defines a global whose value is made when it is first read. Until
// then its descriptor shows an accessor.
func (p *Prelude) lazyGlobal(name string, make func() goja.Value) error {
	g := p.rt.GlobalObject()
	var value goja.Value
	get := p.rt.ToValue(func(goja.FunctionCall) goja.Value {
		if value == nil {
			value = make()
			_ = hidden(g, name, value) // fails if the global object is frozen
		}
		return value
	})
	set := p.rt.ToValue(func(c goja.FunctionCall) goja.Value {
		if err := g.DefineDataProperty(name, c.Argument(0), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			rethrow(err)
		}
		return goja.Undefined()
	})
	return g.DefineAccessorProperty(name, get, set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// hide is hidden(object, key, value, writable, configurable) for the JavaScript
// part: a property that is not enumerable.
func (p *Prelude) hide(c goja.FunctionCall) goja.Value {
	o, flag := c.Argument(0).(*goja.Object), func(i int) goja.Flag { return goja.ToFlag(c.Argument(i).ToBoolean()) }
	var err error
	if s, ok := c.Argument(1).(*goja.Symbol); ok {
		err = o.DefineDataPropertySymbol(s, c.Argument(2), flag(3), flag(4), goja.FLAG_FALSE)
	} else {
		err = o.DefineDataProperty(c.Argument(1).String(), c.Argument(2), flag(3), flag(4), goja.FLAG_FALSE)
	}
	if err != nil {
		rethrow(err)
	}
	return goja.Undefined()
}

// accessor is accessor(object, key, get, set) for the JavaScript part, where set
// gets its receiver as this. Both become functions with the names of accessors.
func (p *Prelude) accessor(c goja.FunctionCall) goja.Value {
	o := c.Argument(0).(*goja.Object)
	symbol, _ := c.Argument(1).(*goja.Symbol)
	label := c.Argument(1).String()
	if symbol != nil {
		label = "[" + symbol.String() + "]"
	}
	wrap := func(kind string, length int, v goja.Value) *goja.Object {
		call, _ := goja.AssertFunction(v)
		return p.function(kind+label, length, func(c goja.FunctionCall) goja.Value {
			v, err := call(c.This, c.Arguments...)
			if err != nil {
				rethrow(err)
			}
			return v
		})
	}
	get, set := wrap("get ", 0, c.Argument(2)), wrap("set ", 1, c.Argument(3))
	var err error
	if symbol != nil {
		err = o.DefineAccessorPropertySymbol(symbol, get, set, goja.FLAG_TRUE, goja.FLAG_FALSE)
	} else {
		err = o.DefineAccessorProperty(label, get, set, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	if err != nil {
		rethrow(err)
	}
	return goja.Undefined()
}

// missingFlags is flags(RegExp.prototype, get) for the JavaScript part: the
// accessors of flags that the engine does not know; get(receiver, name) gives
// their value.
func (p *Prelude) missingFlags(c goja.FunctionCall) goja.Value {
	o := c.Argument(0).(*goja.Object)
	value, _ := goja.AssertFunction(c.Argument(1))
	for _, name := range []string{"hasIndices", "unicodeSets"} {
		get := p.function("get "+name, 0, func(c goja.FunctionCall) goja.Value {
			v, err := value(goja.Undefined(), c.This, p.rt.ToValue(name))
			if err != nil {
				rethrow(err)
			}
			return v
		})
		if err := o.DefineAccessorProperty(name, get, nil, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			rethrow(err)
		}
	}
	return goja.Undefined()
}
