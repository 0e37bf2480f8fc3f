package jsbridge

import (
	"sync"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// pipe takes calls of what the result of a call names to where the result is
// made, while the call runs: they are sent at once, wait there, and need not wait
// for the result to travel. It belongs to the caller's result; the callee knows it
// by [durable.Op.Pipe] and may use it from its own goroutine.
//
// The callee may be unable to take them: it has no object to look into, the result
// holds stubs that it gives away, or it is in another process. Then they wait at
// the caller, who follows them when it has the result.
type pipe struct {
	mu      sync.Mutex
	end     *pipeEnd     // nil while there is none
	over    bool         // the caller has the result
	waiting []*pipelined // for the result
}

// pipeEnd is a result where it was made.
type pipeEnd struct {
	ctx   *IOContext
	gate  *durable.InputGate
	value *goja.Object
}

// push sends a call after the one whose result it names. It reports false when
// the caller has that result.
func (p *pipe) push(c *pipelined) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.over:
		return false
	case p.end != nil:
		p.end.take(c, nil)
	default:
		p.waiting = append(p.waiting, c)
	}
	return true
}

// resolve gives the pipe its end, in a turn of the callee. What waits is sent by
// deliver, to be called when the result has left; until then it keeps the context
// alive. A call that was delivered twice has the later end.
func (p *pipe) resolve(e *pipeEnd) (deliver func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting := p.waiting
	if p.waiting = nil; !p.over {
		p.end = e
	}
	if len(waiting) == 0 {
		return nil
	}
	release := e.ctx.hold()
	return func() {
		for _, c := range waiting {
			e.take(c, e.ctx.hold())
		}
		release()
	}
}

// close returns what the caller must follow itself.
func (p *pipe) close() []*pipelined {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting := p.waiting
	p.over, p.end, p.waiting = true, nil, nil
	return waiting
}

// take sends a call to the end. release, called on its loop, ends the hold on its
// context; it may be nil.
func (e *pipeEnd) take(c *pipelined, release func()) {
	done := c.d.answered
	answered, tracked := e.ctx.iso.track(func(err *durable.Error) { done(durable.Result{}, err) })
	if !tracked {
		c.m.drop()
		return
	}
	answer := func(res durable.Result, err *durable.Error) {
		if answered() {
			done(res, err)
			c.m.drop() // what the callee has not taken
		} else if res.Refs != nil {
			res.Refs.Drop()
		}
	}
	posted := e.ctx.iso.Loop.Post(func() {
		if e.ctx.dead != nil {
			if answered() {
				c.returned()
			}
			return
		}
		e.ctx.serveRef(&export{target: e.value, gate: e.gate}, true, c.kind, c.path, c.m, nil, answer)
		if release != nil {
			release()
		}
	})
	if !posted {
		answer(durable.Result{}, errClosed)
	}
}

// pipedTarget finds what a call names that came through a pipe. Where the path
// leads to a stub, the stub goes on with the rest.
func (iso *Isolate) pipedTarget(s *served) (this, v goja.Value) {
	v = s.root
	path := s.path()
	if len(path) == 0 {
		this = v // a function is its own this (measured on workerd)
	}
	for i := 0; ; i++ {
		fetcher, stub := iso.remoteOf(v)
		rest := path[i:]
		switch {
		case len(rest) == 0:
			return this, v
		case stub != nil:
			return goja.Undefined(), (&rpcRef{iso: iso, ref: stub, path: rest}).wrap()
		case fetcher != nil:
			if fetcher.object != nil && (rest[0] == "id" || rest[0] == "name") {
				iso.throwMissing(rest[0])
			}
			return goja.Undefined(), (&rpcRef{iso: iso, stub: fetcher, path: rest}).wrap()
		}
		kind := iso.receiverKind(v)
		if kind == noReceiver {
			iso.throwMissing(path[max(i-1, 0)])
		}
		o := v.(*goja.Object)
		iso.checkName(o, kind, rest[0])
		this, v = o, orUndefined(o.Get(rest[0]))
	}
}
