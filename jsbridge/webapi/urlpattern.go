package webapi

import (
	"sync"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/jsbridge/webapi/urlpattern"
)

// urlPattern is the attachment of a URLPattern.
type urlPattern struct {
	slot
	p *urlpattern.Pattern
}

func init() {
	classSpecs[classURLPattern] = classSpec{
		name: "URLPattern", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			a.attach(call.This, &urlPattern{p: a.newURLPattern(call.Arguments)})
		},
		init: initURLPattern,
	}
}

func initURLPattern(a *API, c *class) {
	a.takeRegExp()
	for f := range urlpattern.NumComponents {
		c.getter(urlpattern.Fields[f], func(v goja.Value) goja.Value {
			return a.rt.ToValue(this[*urlPattern](a, v).p.Component(urlpattern.Field(f)).String())
		})
	}
	c.getter("hasRegExpGroups", func(v goja.Value) goja.Value {
		return a.rt.ToValue(this[*urlPattern](a, v).p.HasRegExpGroups())
	})
	c.method("test", func(call goja.FunctionCall) goja.Value {
		_, _, ok := a.matchURL(call, "Failed to test URLPattern")
		return a.rt.ToValue(ok)
	})
	c.method("exec", func(call goja.FunctionCall) goja.Value {
		inputs, res, ok := a.matchURL(call, "Failed to exec URLPattern")
		if !ok {
			return goja.Null()
		}
		return a.urlPatternResult(this[*urlPattern](a, call.This).p, inputs, res)
	})
}

// takeRegExp fetches what regular expressions need. It is called late because the
// engine makes them when they are first asked for, which a world that needs none
// should not pay for. A script may have taken the global away by then, so the way
// leads over a literal.
func (a *API) takeRegExp() {
	v, err := a.rt.RunProgram(regexpLiteral())
	if err != nil {
		a.rethrow(err)
	}
	proto := v.(*goja.Object).Prototype()
	ctor, _ := proto.Get("constructor").(*goja.Object)
	exec, ok := goja.AssertFunction(proto.Get("exec"))
	if ctor == nil || !ok {
		a.throwTypeError("URLPattern needs RegExp, which the script has taken away")
	}
	a.intrinsics["RegExp"], a.regexpExec = ctor, exec
}

var regexpLiteral = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("durashim:regexp", "/(?:)/", true)
})

// newURLPattern makes a pattern of the constructor's arguments: (input, base,
// options) or (input, options). Whatever is wrong with a pattern, the real
// runtime says no more than that it is.
func (a *API) newURLPattern(args []goja.Value) *urlpattern.Pattern {
	arg := func(i int) goja.Value {
		if i < len(args) {
			return args[i]
		}
		return goja.Undefined()
	}
	text, init := a.urlPatternInput(arg(0))
	var base *string
	options := arg(1)
	if !isNullish(options) && !isObject(options) || len(args) > 2 {
		if !isNullish(options) {
			s := a.str(options)
			base = &s
		}
		options = arg(2)
	}
	ignoreCase := false
	if !isNullish(options) {
		o, ok := options.(*goja.Object)
		if !ok {
			a.badCtorParam(2, "URLPattern", "URLPatternOptions")
		}
		ignoreCase = field(o, "ignoreCase").ToBoolean()
	}
	var p *urlpattern.Pattern
	var err error
	switch {
	case text != nil:
		p, err = urlpattern.ParseString(*text, base, ignoreCase, a.urlPatternEngine)
	case base == nil:
		p, err = urlpattern.New(init, ignoreCase, a.urlPatternEngine)
	}
	if err != nil || p == nil {
		a.throwTypeError("Failed to construct URLPattern")
	}
	return p
}

// urlPatternInput reads a URL that is given as text or in parts.
func (a *API) urlPatternInput(v goja.Value) (text *string, init urlpattern.Init) {
	if isNullish(v) {
		return nil, init
	}
	o, ok := v.(*goja.Object)
	if !ok {
		s := a.str(v)
		return &s, init
	}
	for f, name := range urlpattern.Fields {
		if part := field(o, name); !isUndefined(part) {
			s := a.str(part)
			init[f] = &s
		}
	}
	return nil, init
}

// matchURL matches the arguments of test and exec, and returns them as the
// result shows them.
func (a *API) matchURL(call goja.FunctionCall, failure string) (inputs []any, res *[urlpattern.NumComponents]urlpattern.Result, ok bool) {
	p := this[*urlPattern](a, call.This).p
	text, init := a.urlPatternInput(call.Argument(0))
	var base *string
	if v := call.Argument(1); !isUndefined(v) {
		s := a.str(v)
		base = &s
	}
	if text == nil {
		if base != nil {
			a.throwTypeError(failure)
		}
		o := a.rt.NewObject()
		for f, name := range urlpattern.Fields {
			var part goja.Value = goja.Undefined()
			if init[f] != nil {
				part = a.rt.ToValue(*init[f])
			}
			must(o.Set(name, part))
		}
		res, ok = p.MatchInit(init)
		return []any{o}, res, ok
	}
	inputs = []any{*text}
	if base != nil {
		inputs = append(inputs, *base)
	}
	res, ok = p.MatchString(*text, base)
	return inputs, res, ok
}

// urlPatternResult makes the URLPatternResult of a match.
func (a *API) urlPatternResult(p *urlpattern.Pattern, inputs []any, res *[urlpattern.NumComponents]urlpattern.Result) *goja.Object {
	out := a.rt.NewObject()
	must(out.Set("inputs", a.rt.NewArray(inputs...)))
	for f, r := range res {
		component, groups := a.rt.NewObject(), a.rt.NewObject()
		names := p.Component(urlpattern.Field(f)).Names()
		// The real runtime lists them from the last to the first.
		for i := len(names) - 1; i >= 0; i-- {
			var v goja.Value = goja.Undefined()
			if r.Groups[i] != nil {
				v = a.rt.ToValue(*r.Groups[i])
			}
			must(groups.DefineDataProperty(names[i], v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
		}
		must(component.Set("input", r.Input))
		must(component.Set("groups", groups))
		must(out.Set(urlpattern.Fields[f], component))
	}
	return out
}

// urlPatternEngine compiles a regular expression with the script's engine.
// goja has no v flag, which the standard asks for; the u flag is next to it.
func (a *API) urlPatternEngine(source string, ignoreCase bool) (urlpattern.Regexp, error) {
	flags := "u"
	if ignoreCase {
		flags = "ui"
	}
	re, err := a.rt.New(a.intrinsics["RegExp"], a.rt.ToValue(source), a.rt.ToValue(flags))
	if err != nil {
		return nil, err
	}
	return &scriptRegexp{a, re}, nil
}

type scriptRegexp struct {
	a  *API
	re *goja.Object
}

// Groups implements [urlpattern.Regexp].
func (r *scriptRegexp) Groups(input string) ([]*string, bool) {
	v, err := r.a.regexpExec(r.re, r.a.rt.ToValue(input))
	if err != nil {
		r.a.rethrow(err)
	}
	m, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	n := int(m.Get("length").ToInteger())
	groups := make([]*string, 0, n)
	for i := 1; i < n; i++ {
		if g := m.Get(itoa(i)); isUndefined(g) {
			groups = append(groups, nil)
		} else {
			s := g.String()
			groups = append(groups, &s)
		}
	}
	return groups, true
}
