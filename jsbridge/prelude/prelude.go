// Package prelude gives goja the parts of the JavaScript language that it
// lacks, and takes away those that would end the process.
//
// Call [Install] once on every new runtime, before any other code runs in it.
// What is added behaves as in V8, down to names, lengths, attributes and error
// texts; the differences that remain are listed in the package's tests.
package prelude

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

//go:embed js/*.js js/rare/*.js
var sources embed.FS

// order of the parts: each uses names of those before it.
var (
	parts     = []string{"core", "math", "suppressed", "iterator", "newer", "guards", "lazy"}
	rareParts = []string{"rare/numbers", "rare/dispose", "rare/zip", "rare/atomics", "rare/weak", "rare/exports"}
)

const fileName = "durashim:prelude"

// Compile compiles the JavaScript part, once per process. [Install] does it if
// nobody has. The program belongs to no runtime and may run in several at a time.
func Compile() (*goja.Program, error) { return program() }

var program = sync.OnceValues(func() (*goja.Program, error) { return compile("host", parts) })

// rareProgram is what few programs use: compiling it takes as long as the rest.
var rareProgram = sync.OnceValues(func() (*goja.Program, error) {
	return compile("{host, apply, ownKeys, getOwnPropertyDescriptor, TypeErr, RangeErr, isObject, define, hidden, show, incompatible, "+
		"callable, unbig, weakGet, weakSet, Helper, close, closing, step, f16round, SuppressedErrorImpl}", rareParts)
})

// compile makes the program of a function with the given parameters.
func compile(parameters string, parts []string) (*goja.Program, error) {
	var b strings.Builder
	b.WriteString("(function(" + parameters + "){")
	for _, p := range parts {
		src, err := sources.ReadFile("js/" + p + ".js")
		if err != nil {
			return nil, err
		}
		b.Write(src)
		b.WriteByte('\n')
	}
	b.WriteString("})")
	ast, err := goja.Parse(fileName, b.String(), parser.WithDisableSourceMaps)
	if err != nil {
		return nil, err
	}
	return goja.CompileAST(ast, true)
}

// Prelude is what was installed in one runtime. Its methods may be called only
// from the goroutine that runs the runtime, and not while JavaScript runs.
type Prelude struct {
	rt      *goja.Runtime
	classes map[string]*goja.Object // the error classes, which a program may take away
	weak    weakState
	errs    errorState
	code    codegen
	typed   map[string]func() *goja.Object // the constructors of typed arrays

	// ParseJSON makes the value of a JSON text that nests at most so many arrays
	// and objects deep, or gives a *structclone.JSONError. If nil, the engine's
	// parser is used, which is slower and words its errors differently.
	ParseJSON func(text string, maxDepth int) (goja.Value, error)
}

// Options change what Install does. The zero value is right for programs.
type Options struct {
	// NeverCollect makes WeakRef and FinalizationRegistry hold their targets
	// for good, so that the garbage collector's timing cannot show. The
	// specification allows it. For runs that must be repeatable.
	NeverCollect bool
}

// Install puts the prelude into rt. It also turns off goja's loading of source
// maps from the file system for code that is compiled while rt runs.
func Install(rt *goja.Runtime, o Options) (*Prelude, error) {
	prg, err := program()
	if err != nil {
		return nil, fmt.Errorf("prelude: %w", err)
	}
	rt.SetParserOptions(parser.WithDisableSourceMaps)
	p := &Prelude{rt: rt, classes: map[string]*goja.Object{}}
	p.weak.never = o.NeverCollect
	v, err := rt.RunProgram(prg)
	if err != nil {
		return nil, fmt.Errorf("prelude: %w", err)
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, fmt.Errorf("prelude: the program is no function")
	}
	host := rt.NewObject()
	for _, f := range []struct {
		name string
		f    func(goja.FunctionCall) goja.Value
	}{{"weak", p.weakRef}, {"registry", p.registry}, {"define", p.define}, {"hidden", p.hide}, {"accessor", p.accessor},
		{"flags", p.missingFlags}, {"rare", p.rare}} {
		if err := host.Set(f.name, f.f); err != nil {
			return nil, fmt.Errorf("prelude: %w", err)
		}
	}
	if err := host.Set("maxString", maxString); err != nil {
		return nil, fmt.Errorf("prelude: %w", err)
	}
	for _, step := range []func() error{
		// The JavaScript part uses the error classes that programs see, but
		// the engine's own Reflect.apply.
		p.installErrors,
		func() error {
			lazy, err := fn(goja.Undefined(), host)
			if err != nil {
				return err
			}
			return p.installLazy(lazy)
		},
		p.installBuffers,
		p.installApply,
		p.installJSON,
		p.installArrays,
		p.installCodegen,
	} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("prelude: %w", err)
		}
	}
	return p, nil
}

// rare runs the part that few programs use.
func (p *Prelude) rare(c goja.FunctionCall) goja.Value {
	prg, err := rareProgram()
	if err != nil {
		panic(p.rt.NewGoError(err))
	}
	v, err := p.rt.RunProgram(prg)
	if err != nil {
		rethrow(err)
	}
	fn, _ := goja.AssertFunction(v)
	if v, err = fn(goja.Undefined(), c.Arguments...); err != nil {
		rethrow(err)
	}
	return v
}

// define copies the data properties of an object as hidden ones.
func (p *Prelude) define(c goja.FunctionCall) goja.Value {
	to, from := c.Argument(0).ToObject(p.rt), c.Argument(1).ToObject(p.rt)
	for _, k := range from.GetOwnPropertyNames() {
		if err := hidden(to, k, from.Get(k)); err != nil {
			rethrow(err)
		}
	}
	for _, k := range from.Symbols() {
		if err := to.DefineDataPropertySymbol(k, from.GetSymbol(k), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			rethrow(err)
		}
	}
	return goja.Undefined()
}

// function makes a native function with the name and length that JavaScript
// sees.
func (p *Prelude) function(name string, length int, f func(goja.FunctionCall) goja.Value) *goja.Object {
	return p.named(p.rt.ToValue(f).(*goja.Object), name, length)
}

// constructor is function for constructors.
func (p *Prelude) constructor(name string, length int, f func(goja.ConstructorCall) *goja.Object) *goja.Object {
	return p.named(p.rt.ToValue(f).(*goja.Object), name, length)
}

func (p *Prelude) named(o *goja.Object, name string, length int) *goja.Object {
	// Both properties are configurable on every function, so this cannot fail.
	if err := o.DefineDataProperty("name", p.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		panic(err)
	}
	if length != 0 { // the engine's own value
		if err := o.DefineDataProperty("length", p.rt.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
			panic(err)
		}
	}
	return o
}

// hidden defines a property as those of built-in objects are: writable and
// configurable, not enumerable.
func hidden(o *goja.Object, name string, v goja.Value) error {
	return o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// throw raises an error of the given built-in class.
func (p *Prelude) throw(class, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	e, err := p.rt.New(p.classes[class], p.rt.ToValue(text))
	if err != nil {
		rethrow(err)
	}
	panic(e)
}

// rethrow passes on what a call made from a native function ended with.
func rethrow(err error) {
	panic(err)
}
