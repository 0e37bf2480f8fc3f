// Package builtin holds the node: modules that the real runtime offers to
// Workers, and the value formatter its console prints through, as JavaScript
// that goja runs.
//
// Each module is one script under js/, compiled once per process and
// evaluated at its first use in each runtime. The package needs nothing of the
// event loop; the one thing it asks of its user is the two functions behind
// AsyncLocalStorage (see [New]).
package builtin

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/dop251/goja"
)

//go:embed js/*.js
var sources embed.FS

// A script is a module's source, compiled at its first use and shared by all
// runtimes of the process: a goja.Program is immutable.
type script struct {
	once sync.Once
	prg  *goja.Program
	err  error
}

func (s *script) program(file string) (*goja.Program, error) {
	s.once.Do(func() {
		src, err := sources.ReadFile("js/" + file + ".js")
		if err != nil {
			s.err = err
			return
		}
		ast, err := goja.Parse("node-internal:"+file, string(src))
		if err != nil {
			s.err = err
			return
		}
		s.prg, s.err = goja.CompileAST(ast, false)
	})
	return s.prg, s.err
}

// compiled has one entry for each file under js/, made at start and never
// changed, so that reading it needs no lock.
var compiled = func() map[string]*script {
	m := make(map[string]*script)
	entries, err := sources.ReadDir("js")
	if err != nil {
		panic(err) // the directory is embedded: only a broken build gets here
	}
	for _, e := range entries {
		m[e.Name()[:len(e.Name())-len(".js")]] = new(script)
	}
	return m
}()

// Modules maps every specifier that a Worker may import to the names the
// module exports, "default" included. Specifiers come in both forms that the
// real runtime accepts, "node:assert" and "assert". The map is the caller's.
func Modules() map[string][]string {
	m := make(map[string][]string, 2*len(public))
	for name, p := range public {
		m["node:"+name] = slices.Clone(p.names)
		m[name] = slices.Clone(p.names)
	}
	return m
}

// Specifiers returns the sorted keys of [Modules].
func Specifiers() []string {
	return slices.Sorted(maps.Keys(Modules()))
}

// A Set is the built-in modules of one goja runtime. Like the runtime itself
// it belongs to one goroutine at a time.
type Set struct {
	rt     *goja.Runtime
	host   *goja.Object
	native *goja.Object
	req    goja.Value
	loaded map[string]*goja.Object
	busy   map[string]bool
}

// New returns the built-in modules for rt. Nothing is evaluated before the
// first Load.
//
// host is an object with what only the embedding program can do:
//
//	getAsyncContext()   the value that the last setAsyncContext of this
//	                    asynchronous flow has set, or undefined
//	setAsyncContext(v)  sets it for the rest of the flow
//	nodeVersion(), env(), now(), nextTick(f), getBuiltinModule(id)
//	                    what node:process is made of: the version of Node.js
//	                    to claim, an object with the variables, milliseconds,
//	                    and a microtask
//
// The program carries that value across awaits and promise reactions
// (goja.AsyncContextTracker); v is immutable. Without the two functions
// node:async_hooks still loads, as node:process does without its own, and AsyncLocalStorage throws an error that
// names the missing one. A nil host is an empty object.
func New(rt *goja.Runtime, host *goja.Object) *Set {
	if host == nil {
		host = rt.NewObject()
	}
	s := &Set{
		rt:     rt,
		host:   host,
		loaded: make(map[string]*goja.Object),
		busy:   make(map[string]bool),
	}
	s.native = newNative(rt)
	s.req = rt.ToValue(func(call goja.FunctionCall) goja.Value {
		o, err := s.Load(call.Argument(0).String())
		if err != nil {
			if ex, ok := err.(*goja.Exception); ok {
				panic(ex.Value())
			}
			panic(rt.NewGoError(err))
		}
		return o
	})
	return s
}

// forced lets the end of JavaScript by force through: a script must not be able
// to catch it.
func forced(err error) {
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	if errors.As(err, &interrupted) || errors.As(err, &overflow) {
		panic(err)
	}
}

// Load evaluates the module behind a specifier, at its first use, and returns
// the object of its exports: one property for each name that [Modules] lists.
// Besides those it knows the modules that only other parts of this program
// use, such as "internal:inspect". An unknown specifier is an error.
func (s *Set) Load(specifier string) (*goja.Object, error) {
	if specifier == "internal:native" {
		return s.native, nil
	}
	file, ok := fileOf(specifier)
	if !ok {
		return nil, fmt.Errorf("no such built-in module %q", specifier)
	}
	if o, ok := s.loaded[file]; ok {
		return o, nil
	}
	if s.busy[file] {
		return nil, fmt.Errorf("built-in module %q requires itself", specifier)
	}
	s.busy[file] = true
	defer delete(s.busy, file)
	prg, err := compiled[file].program(file)
	if err != nil {
		return nil, fmt.Errorf("built-in module %q: %w", specifier, err)
	}
	v, err := s.rt.RunProgram(prg)
	if err != nil {
		forced(err)
		return nil, fmt.Errorf("built-in module %q: %w", specifier, err)
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, fmt.Errorf("built-in module %q: the script is not a function", specifier)
	}
	v, err = fn(goja.Undefined(), s.req, s.host)
	if err != nil {
		forced(err)
		return nil, fmt.Errorf("built-in module %q: %w", specifier, err)
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, fmt.Errorf("built-in module %q: it returned no object", specifier)
	}
	s.loaded[file] = o
	return o, nil
}
