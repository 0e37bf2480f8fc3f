package prelude

import (
	"runtime"
	"sync"
	"weak"

	"github.com/dop251/goja"
)

// weakState serves WeakRef and FinalizationRegistry with Go's collector.
type weakState struct {
	never bool
	kept  []*goja.Object // targets that may not vanish before the turn ends

	mu   sync.Mutex
	dead []*cell // filled by the collector's goroutine
}

// cell is one registration in a FinalizationRegistry.
type cell struct {
	reg     *registry
	held    goja.Value
	token   weak.Pointer[goja.Object]
	cleanup runtime.Cleanup
}

type registry struct {
	callback goja.Callable
	cells    map[*cell]struct{}
}

// keep notes that JavaScript saw the target in this turn: WeakRefs must agree
// about it until the turn is over.
func (w *weakState) keep(o *goja.Object) {
	if n := len(w.kept); n == 0 || w.kept[n-1] != o {
		w.kept = append(w.kept, o)
	}
}

// weakRef makes the function that derefs one target.
func (p *Prelude) weakRef(c goja.FunctionCall) goja.Value {
	target := c.Argument(0).ToObject(p.rt)
	if p.weak.never {
		return p.rt.ToValue(func(goja.FunctionCall) goja.Value { return target })
	}
	p.weak.keep(target)
	ptr := weak.Make(target)
	return p.rt.ToValue(func(goja.FunctionCall) goja.Value {
		o := ptr.Value()
		if o == nil {
			return goja.Undefined()
		}
		p.weak.keep(o)
		return o
	})
}

// registry makes the object with the two operations of one registry.
func (p *Prelude) registry(c goja.FunctionCall) goja.Value {
	fn, _ := goja.AssertFunction(c.Argument(0)) // checked by the caller
	r := &registry{callback: fn, cells: map[*cell]struct{}{}}
	o := p.rt.NewObject()
	// Setting a property of a fresh ordinary object cannot fail.
	_ = o.Set("register", func(c goja.FunctionCall) goja.Value {
		p.register(r, c.Argument(0).ToObject(p.rt), c.Argument(1), c.Argument(2))
		return goja.Undefined()
	})
	_ = o.Set("unregister", func(c goja.FunctionCall) goja.Value {
		ptr := weak.Make(c.Argument(0).ToObject(p.rt))
		found := false
		for x := range r.cells {
			if x.token == ptr {
				found = true
				x.cleanup.Stop()
				delete(r.cells, x)
			}
		}
		return p.rt.ToValue(found)
	})
	return o
}

func (p *Prelude) register(r *registry, target *goja.Object, held, token goja.Value) {
	x := &cell{reg: r, held: held}
	if t, ok := token.(*goja.Object); ok {
		x.token = weak.Make(t)
	}
	r.cells[x] = struct{}{}
	if p.weak.never {
		return
	}
	w := &p.weak
	x.cleanup = runtime.AddCleanup(target, func(x *cell) {
		w.mu.Lock()
		w.dead = append(w.dead, x)
		w.mu.Unlock()
	}, x)
}

// StartTurn must be called before every turn of JavaScript: it lets go of the
// targets that the last turn kept alive and runs the callbacks of registries
// whose targets were collected since. Each callback is a call into the runtime
// of its own, so the microtasks run after it. What callbacks throw is returned;
// the real runtime reports it as an uncaught exception.
//
// With nothing to do it costs a few nanoseconds.
func (p *Prelude) StartTurn() []error {
	w := &p.weak
	if len(w.kept) > 0 {
		clear(w.kept)
		w.kept = w.kept[:0]
	}
	w.mu.Lock()
	dead := w.dead
	w.dead = nil
	w.mu.Unlock()
	var errs []error
	for _, x := range dead {
		if _, ok := x.reg.cells[x]; !ok {
			continue // unregistered meanwhile
		}
		delete(x.reg.cells, x)
		if _, err := x.reg.callback(goja.Undefined(), x.held); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
