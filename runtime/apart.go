package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config/source"
	"github.com/durashim/durashim/internal/sched"
)

func byClass(a, b *namespace) int { return strings.Compare(a.class, b.class) }

// named returns the namespaces that calls know by a name: the name of a binding,
// or of a class for ctx.exports; "" stands for all.
func (rt *Runtime) named(name string) (list []*namespace) {
	for _, w := range rt.workers {
		for _, b := range w.env {
			if b.Namespace != nil && (name == "" || b.Name == name) {
				list = append(list, rt.namespaceOf(b.Namespace))
			}
		}
		for class, ns := range w.namespaces {
			if name == "" || class == name {
				list = append(list, ns)
			}
		}
	}
	slices.SortFunc(list, func(a, b *namespace) int {
		if c := strings.Compare(a.worker.name, b.worker.name); c != 0 {
			return c
		}
		return byClass(a, b)
	})
	return slices.Compact(list)
}

func (rt *Runtime) namespaceOf(n *durable.Namespace) *namespace {
	for _, w := range rt.workers {
		for _, ns := range w.namespaces {
			if n.Transport == durable.Transport(ns.transport) {
				return ns
			}
		}
	}
	return nil
}

// namespaceNames are all that named knows.
func (rt *Runtime) namespaceNames() (names []string) {
	for _, w := range rt.workers {
		for _, b := range w.env {
			if b.Namespace != nil {
				names = append(names, b.Name)
			}
		}
		for class := range w.namespaces {
			names = append(names, class)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// prepareFault refuses a plan that cannot be carried out in this project, and
// gives a namespace that is to crash isolates of its own. from is the loop of the
// script that makes the plan, nil for the Go API.
func (rt *Runtime) prepareFault(f durable.Fault, from sched.Loop) error {
	spaces := rt.named(f.Where())
	if len(spaces) == 0 {
		names := rt.namespaceNames()
		if f.Where() == "" || len(names) == 0 {
			return f.Errorf("the project has no Durable Objects")
		}
		return f.Errorf("there is no namespace %q%s; there are %s", f.Where(), source.DidYouMean(f.Where(), names), strings.Join(names, ", "))
	}
	if rt.client != nil {
		if f.Point().Inside() {
			if err := rt.client.RequireFaults(); err != nil {
				return f.Errorf("%w", err)
			}
		}
		return nil
	}
	if f.NeedsStorage() && !slices.ContainsFunc(spaces, func(ns *namespace) bool { return ns.mode != durable.StorageMemory }) {
		return f.Errorf("the storage of the namespace is memory alone, which does not fail")
	}
	if !f.Crashes() {
		return nil
	}
	if err := rt.setApart(spaces, from); err != nil {
		return f.Errorf("%w", err)
	}
	return nil
}

// setApart gives namespaces isolates of their own and says which, once.
func (rt *Runtime) setApart(spaces []*namespace, from sched.Loop) error {
	var moved []string
	defer func() {
		if moved == nil {
			return
		}
		attrs := []any{"classes", strings.Join(moved, ", ")}
		if len(moved) > 1 {
			attrs = append(attrs, "hint", "a fault with a namespace leaves the other classes where they are")
		}
		rt.log.Info("a fault may crash these classes, so each runs in an isolate of its own: variables of its modules are not shared with the rest of the worker, as in production", attrs...)
	}()
	for _, ns := range spaces {
		did, err := ns.setApart(from)
		if err != nil {
			return err
		}
		if did {
			moved = append(moved, ns.class)
		}
	}
	return nil
}

// setApart gives the namespace isolates of its own: a crash of its host must not
// take the rest of the worker along. Before the worker runs that is all there is
// to do; afterwards objects that are in memory and idle are evicted. did is false if
// it has them already.
func (ns *namespace) setApart(from sched.Loop) (did bool, err error) {
	w := ns.worker
	w.mu.Lock()
	apart := ns.apart
	w.mu.Unlock()
	if apart {
		return false, nil
	}
	var slots []*slot
	for i := range ns.hosts {
		slots = append(slots, w.newSlot(i, ns))
	}
	if running := w.main() != nil; running {
		if err := ns.move(slots, from); err != nil {
			for _, s := range slots {
				if s.iso.Load() == nil {
					s.loop.Close()
				}
			}
			return false, err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ns.apart = true
	w.slots = append(w.slots, slots...)
	return true, nil
}

// move starts the isolates and lets them take over from the shared ones.
func (ns *namespace) move(slots []*slot, from sched.Loop) error {
	for i, s := range slots {
		old := ns.hosts[i].Load()
		if old.Unavailable != nil {
			return fmt.Errorf("the worker %s exports no class %s", ns.worker.name, ns.class)
		}
		l, err := s.load(s.loop)
		if err != nil {
			return err
		}
		inTheWay, ok := 0, false
		if err := ns.worker.rt.on(old.Loop, from, func() { inTheWay, ok = old.Move(l.hosts[ns]) }); err != nil {
			return err
		}
		if !ok {
			what := "one of its objects is busy"
			switch memory := ns.mode == durable.StorageMemory; {
			case memory && inTheWay == 1:
				what = "one of its objects is in memory, and so is all that it stored"
			case memory:
				what = fmt.Sprintf("%d of its objects are in memory, and so is all that they stored", inTheWay)
			case inTheWay != 1:
				what = fmt.Sprintf("%d of its objects are busy", inTheWay)
			}
			return fmt.Errorf("%s shares an isolate with its worker and has to leave it before it can crash, but %s; make the plan before its objects are called, or when their calls have ended", ns.class, what)
		}
		s.install(l)
	}
	return nil
}

// on runs f on a loop and waits for it. from is the loop of the work that calls
// it, nil for none.
func (rt *Runtime) on(loop, from sched.Loop, f func()) error {
	if from != nil && (from == loop || rt.opts.Clock != nil) {
		f() // under the virtual clock nothing else runs meanwhile
		return nil
	}
	done := make(chan struct{})
	if !loop.Post(func() { defer close(done); f() }) {
		return errClosed
	}
	return rt.sched.Wait(context.Background(), done)
}
