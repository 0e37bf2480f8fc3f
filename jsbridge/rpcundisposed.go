package jsbridge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// UndisposedStub is a stub that came in the result of a call and that its receiver
// never disposed of, although the request in which it was received is over. The
// end of the request did it instead; in a request that goes on for long, or in an
// object, the other side would have kept what the stub stands for
// (https://developers.cloudflare.com/workers/runtime-apis/rpc/lifecycle/).
type UndisposedStub struct {
	// Worker and Export say whose code received it: the name of the worker and
	// of its export.
	Worker, Export string
	// Call is the call in whose result it came, such as CARTS("ann").open().
	Call string
	// Position is where in the result it was, such as .items[0]; it is empty
	// when the result itself is the stub.
	Position string
	// Duplicate says that the stub was made of that one by dup().
	Duplicate bool
}

// String begins with the words of workerd.
func (u UndisposedStub) String() string {
	what := "An RPC result was not disposed properly: "
	if u.Duplicate {
		what = "An RPC stub was not disposed properly: dup() of "
	}
	if u.Position != "" {
		what += u.Position + " of "
	}
	return what + u.Call
}

// Undisposed collects the stubs that nobody disposes of. The zero value is ready.
// It is safe for use by many goroutines.
//
// What counts is a stub in a result that a script has looked at; the results of
// calls that only others were pipelined on belong to the platform. Stubs that
// objects hold do not count: an object may keep them for later calls. Nor do those
// of requests that were ended by force, in which no code could have run.
type Undisposed struct {
	mu   sync.Mutex
	last int // number given to an entry
	open map[*rpcStub]*undisposed
}

type undisposed struct {
	UndisposedStub
	ctx      *IOContext
	received int // in this order
	looked   bool
	ended    int // when the request ended; 0: it has not
}

// List returns the stubs, in the order in which their requests ended and they were
// received. A runtime on a virtual clock has the same list every time.
func (u *Undisposed) List() []UndisposedStub {
	u.mu.Lock()
	var found []*undisposed
	for _, e := range u.open {
		if e.ended > 0 && e.looked {
			found = append(found, e)
		}
	}
	u.mu.Unlock()
	slices.SortFunc(found, func(a, b *undisposed) int {
		return cmp.Or(cmp.Compare(a.ended, b.ended), cmp.Compare(a.received, b.received))
	})
	list := make([]UndisposedStub, len(found))
	for i, e := range found {
		list[i] = e.UndisposedStub
	}
	return list
}

// undisposed returns what collects the stubs of the script; nil: nothing does.
func (iso *Isolate) undisposed() *Undisposed {
	if iso.cfg.Test == nil {
		return nil
	}
	return iso.cfg.Test.Undisposed
}

// receive notes the stubs of a result.
func (u *Undisposed) receive(r *rpcResult, v goja.Value) {
	ctx := r.frame.ctx
	if len(r.stubs) == 0 || ctx.act != nil {
		return
	}
	iso := ctx.iso
	export := ctx.entry.Export
	places := iso.placesOf(v)
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, s := range r.stubs {
		u.last++
		s.noted = true
		u.put(s, &undisposed{ctx: ctx, received: u.last, looked: r.looked, UndisposedStub: UndisposedStub{
			Worker: iso.cfg.Name, Export: export, Call: r.name, Position: places[s],
		}})
	}
}

func (u *Undisposed) put(s *rpcStub, e *undisposed) {
	if u.open == nil {
		u.open = make(map[*rpcStub]*undisposed)
	}
	u.open[s] = e
}

// look notes that a script waits for a result.
func (u *Undisposed) look(stubs []*rpcStub) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, s := range stubs {
		if e := u.open[s]; e != nil {
			e.looked = true
		}
	}
}

// duplicate notes a stub that was made of another one.
func (u *Undisposed) duplicate(of, s *rpcStub) {
	u.mu.Lock()
	defer u.mu.Unlock()
	e := u.open[of]
	if e == nil {
		return
	}
	u.last++
	c := *e
	c.Duplicate, c.received = true, u.last
	s.noted = true
	u.put(s, &c)
}

func (u *Undisposed) disposed(s *rpcStub) {
	u.mu.Lock()
	delete(u.open, s)
	u.mu.Unlock()
}

// end notes the end of a request; forced forgets its stubs.
func (u *Undisposed) end(ctx *IOContext, forced bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.last++
	for s, e := range u.open {
		switch {
		case e.ctx != ctx:
		case forced:
			delete(u.open, s)
		case e.ended == 0:
			e.ended = u.last
		}
	}
}

// placesOf finds the stubs in a result.
func (iso *Isolate) placesOf(v goja.Value) map[*rpcStub]string {
	places := make(map[*rpcStub]string)
	seen := make(map[*goja.Object]bool)
	var walk func(v goja.Value, at string)
	walk = func(v goja.Value, at string) {
		o, ok := v.(*goja.Object)
		if !ok || seen[o] {
			return
		}
		seen[o] = true
		if o.ExportType() == typeProxy {
			if _, s := iso.remoteOf(v); s != nil {
				places[s] = at
			}
			return
		}
		if isFunction(o) {
			return
		}
		switch name := iso.constructorName(o); {
		case name == "Map":
			n := 0
			iso.rt.ForOf(o, func(pair goja.Value) bool {
				walk(pair.(*goja.Object).Get("0"), fmt.Sprintf("%s.keys()[%d]", at, n))
				walk(pair.(*goja.Object).Get("1"), fmt.Sprintf("%s.values()[%d]", at, n))
				n++
				return true
			})
		case name == "Set":
			n := 0
			iso.rt.ForOf(o, func(v goja.Value) bool {
				walk(v, fmt.Sprintf("%s.values()[%d]", at, n))
				n++
				return true
			})
		case o.ClassName() == "Array" || o.Prototype() == iso.js.objectProto:
			for _, k := range o.Keys() {
				place := at + "." + k
				if isIndex(k) {
					place = at + "[" + k + "]"
				}
				walk(o.Get(k), place)
			}
		}
	}
	_ = iso.rt.Try(func() { walk(v, "") }) // what a script's patches throw says nothing
	return places
}

// callName names a call as the timeline does.
func callName(to remoteEnd, kind durable.Kind, path []string) string {
	at := "(stub)"
	if s, ok := to.(*jsStub); ok {
		at = "(service)"
		if s.object != nil {
			t := s.object.Target()
			at = t.Label()
		}
	}
	return pathName(at, kind, path)
}

func pathName(at string, kind durable.Kind, path []string) string {
	name := strings.Join(append([]string{at}, path...), ".")
	if kind == durable.RPC {
		name += "()"
	}
	return name
}
