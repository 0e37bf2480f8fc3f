package jsbridge

import "github.com/dop251/goja"

// soon returns a promise that is fulfilled with v after so many promise jobs.
// That is how the real runtime answers what it needs not wait for: a put, and a
// get of what is at hand, two jobs later (measured on workerd).
func (iso *Isolate) soon(jobs int, v goja.Value) goja.Value {
	p := iso.newPromise()
	iso.afterJobs(jobs, func() {
		if err := p.resolve(v); err != nil {
			panic(err) // a forced end; guard deals with it
		}
	})
	return p.value
}

// afterJobs runs f as a promise job, behind the n-1 that it takes to get there.
func (iso *Isolate) afterJobs(n int, f func()) {
	switch {
	case n == 0:
		f()
	case iso.state != nil:
		iso.state.add(func() { iso.afterJobs(n-1, f) })
	default:
		iso.microtask(func() { iso.afterJobs(n-1, f) })
	}
}

// rejected returns a promise that is rejected.
func (iso *Isolate) rejected(reason goja.Value) goja.Value {
	p := iso.newPromise()
	if err := p.reject(reason); err != nil {
		panic(err)
	}
	return p.value
}

// read returns the promise of something that had to be read: a later turn
// fulfils it, and until then the input gate is closed, unless concurrency is
// allowed.
func (i *instance) read(concurrent bool, v goja.Value) goja.Value {
	iso := i.class.iso
	d := iso.newDeferred()
	result := func() goja.Value { return v }
	if concurrent {
		i.act.Reach(func() { d.later(result) })
		return d.promise
	}
	gate := d.frame.gate
	if gate == nil {
		gate = i.act.In
	}
	gate = gate.Lock()
	iso.Loop.Post(func() {
		i.act.Reach(func() {
			iso.turn(d.frame, func() { d.settle(result) })
			gate.Unlock()
		})
	})
	return d.promise
}
