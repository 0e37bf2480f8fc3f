package prelude

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

const (
	// maxJSONDepth is how deep arrays and objects may nest in the text that
	// JSON.parse takes. The engine's parser recurses on Go's stack, whose
	// overflow ends the process; V8 has no such limit. 100,000 levels need
	// about 50 MB of stack.
	maxJSONDepth = 100_000
	// maxArray is the length in elements above which an array of undefined
	// elements is not made: it takes 16 bytes for each, at once.
	maxArray = maxBuffer / 16
)

// installJSON guards JSON.parse against texts that nest without end, and lets
// [Prelude.ParseJSON] do what it can. Nothing else in the language reaches the
// engine's parser, and a body that a client sends does.
func (p *Prelude) installJSON() error {
	json := p.rt.Get("JSON").ToObject(p.rt)
	native, ok := goja.AssertFunction(json.Get("parse"))
	if !ok {
		return errMissing("JSON.parse")
	}
	return hidden(json, "parse", p.function("parse", 2, func(c goja.FunctionCall) goja.Value {
		args := c.Arguments
		text, ok := c.Argument(0).(goja.String)
		if !ok {
			// Converted once, so that what was checked is what is parsed.
			switch v := c.Argument(0).(type) {
			case *goja.Symbol: // an error
			case *goja.Object:
				text, ok = v.ToString().(goja.String)
			default:
				text, ok = p.rt.ToValue(v.String()).(goja.String)
			}
			if ok {
				args = []goja.Value{text, c.Argument(1)}
			}
		}
		if ok && goja.IsUndefined(c.Argument(1)) {
			if v := p.parseJSON(text); v != nil {
				return v
			}
		}
		if ok && text.Length() > maxJSONDepth && nestsDeeper(text.String(), maxJSONDepth) {
			p.throw("RangeError", "Maximum call stack size exceeded")
		}
		v, err := native(c.This, args...)
		if err != nil {
			rethrow(err)
		}
		return v
	}))
}

// parseJSON returns nil for what the engine is to parse.
func (p *Prelude) parseJSON(text goja.String) goja.Value {
	if p.ParseJSON == nil {
		return nil
	}
	s := text.String()
	if strings.ContainsRune(s, utf8.RuneError) {
		return nil // perhaps a lone surrogate, which has no form in UTF-8
	}
	v, err := p.ParseJSON(s, maxJSONDepth)
	var syntax *structclone.JSONError
	switch {
	case err == nil:
		return v
	case !errors.As(err, &syntax):
		rethrow(err)
	case syntax.Reason == structclone.JSONDeep:
		p.throw("RangeError", "Maximum call stack size exceeded")
	}
	p.throw("SyntaxError", "%s", jsonMessage(s, syntax))
	return nil
}

// nestsDeeper reports whether brackets of a JSON text, outside of its strings,
// nest more than limit deep. The text need not be valid.
func nestsDeeper(text string, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\\' {
				i++
			}
		case c == '[' || c == '{':
			if depth++; depth > limit {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

// installArrays guards the methods of arrays that allocate by a length which
// has no memory behind it.
func (p *Prelude) installArrays() error {
	array := p.rt.Get("Array").ToObject(p.rt)
	proto := array.Get("prototype").ToObject(p.rt)
	guard := func(on *goja.Object, name string, length int, check func(*goja.FunctionCall)) error {
		native, ok := goja.AssertFunction(on.Get(name))
		if !ok {
			return errMissing("Array method " + name)
		}
		return hidden(on, name, p.function(name, length, func(c goja.FunctionCall) goja.Value {
			check(&c)
			v, err := native(c.This, c.Arguments...)
			if err != nil {
				rethrow(err)
			}
			return v
		}))
	}
	if err := guard(array, "from", 1, func(c *goja.FunctionCall) {
		o, ok := c.Argument(0).(*goja.Object)
		if !ok || o.ClassName() != "Object" {
			return
		}
		if it := o.GetSymbol(goja.SymIterator); it != nil && !goja.IsUndefined(it) && !goja.IsNull(it) {
			return
		}
		o, n := p.arrayLike(o)
		p.checkArray(n)
		c.Arguments = replaced(c.Arguments, 0, o)
	}); err != nil {
		return err
	}
	for _, m := range []struct {
		name   string
		length int
	}{{"toReversed", 0}, {"toSorted", 1}, {"toSpliced", 2}, {"with", 2}} {
		if err := guard(proto, m.name, m.length, func(c *goja.FunctionCall) {
			if o, ok := c.This.(*goja.Object); ok {
				o, n := p.arrayLike(o)
				p.checkArray(n)
				c.This = o
			}
		}); err != nil {
			return err
		}
	}
	return guard(proto, "join", 1, func(c *goja.FunctionCall) {
		o, ok := c.This.(*goja.Object)
		if !ok {
			return
		}
		// Only lengths that matter are worth the conversion of the separator.
		n, ok := number(o.Get("length"))
		if !ok || n < 1<<20 {
			return
		}
		size := 1
		if a := c.Argument(0); !goja.IsUndefined(a) {
			sep := p.rt.ToValue(a.String())
			size = sep.(goja.String).Length()
			c.Arguments = []goja.Value{sep}
		}
		if (n-1)*float64(size) > maxString {
			p.throw("RangeError", "Invalid string length")
		}
	})
}

func (p *Prelude) checkArray(n float64) {
	if n > maxArray {
		p.throw("RangeError", "Invalid array length")
	}
}

// arrayLike gives the length of an array-like object. When the length is an
// object itself it is converted here, once, and the array-like that is returned
// for the engine has the number in its place.
func (p *Prelude) arrayLike(o *goja.Object) (*goja.Object, float64) {
	v := o.Get("length")
	if n, ok := number(v); ok {
		return o, n
	}
	l, ok := v.(*goja.Object)
	if !ok {
		return o, 0
	}
	n := l.ToFloat()
	fixed := p.rt.CreateObject(o)
	if err := hidden(fixed, "length", p.rt.ToValue(n)); err != nil {
		rethrow(err)
	}
	return fixed, n
}

// replaced returns args with another value at i. The engine's own slice is
// part of its stack and stays as it is.
func replaced(args []goja.Value, i int, v goja.Value) []goja.Value {
	if args[i] == v {
		return args
	}
	args = append([]goja.Value(nil), args...)
	args[i] = v
	return args
}
