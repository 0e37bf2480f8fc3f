package jsbridge

import (
	"slices"
	"sync"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/inflight"
)

// session is a context's end of all that it shares with other contexts by
// reference. What it exports has a number; others know an export by its address
// and reach it with messages to the loop of its owner, never through JavaScript
// values, even within one isolate. A session belongs to its isolate's loop.
type session struct {
	// serves says that the context was started by a call from outside: what it
	// exports keeps it alive. The exports of other requests end with them.
	serves  bool
	exports map[uint64]*export
	imports map[uint64]*rpcImport
	last    uint64                        // number given to an export or import
	calls   inflight.List[*durable.Error] // calls of exports that are being served
}

// export is a function, an RpcTarget or a plain object that others can call.
type export struct {
	target  *goja.Object
	count   int                // references in other hands and in messages
	gate    *durable.InputGate // through which calls enter; nil: no gate
	release func()             // ends the hold on the context
}

// reference is something that messages name and that calls are sent to: an export
// of a context, or something of the host's. It may be used from any goroutine.
type reference interface {
	call(kind durable.Kind, path []string, m message, done func(durable.Result, *durable.Error)) (cancel func())
	add()
	drop()
}

// deadRef is what the receiver of a stub has that its sender had disposed of.
type deadRef struct{ err *durable.Error }

func (r deadRef) call(_ durable.Kind, _ []string, m message, done func(durable.Result, *durable.Error)) (cancel func()) {
	m.drop()
	done(durable.Result{}, r.err)
	return nil
}

func (deadRef) add()  {}
func (deadRef) drop() {}

// address names an export. It may be used from any goroutine; ctx is looked into
// on the owner's loop only.
type address struct {
	ctx *IOContext
	id  uint64
}

// export gives an object a number, with one reference to it.
func (iso *Isolate) export(target *goja.Object) address {
	ctx := iso.cur.ctx
	s := &ctx.refs
	if s.exports == nil {
		s.exports = make(map[uint64]*export)
	}
	// Calls of it are part of the critical section in which it was made
	// (measured on workerd).
	x := &export{target: target, count: 1, gate: iso.cur.gate, release: func() {}}
	if s.serves || ctx.act != nil {
		x.release = ctx.hold()
	}
	ctx.untracked = true // calls from outside may go on with what waits
	s.last++
	s.exports[s.last] = x
	return address{ctx, s.last}
}

// add counts one more reference. It may be called from any goroutine.
func (a address) add() {
	a.ctx.iso.Loop.Post(func() {
		if x := a.ctx.refs.exports[a.id]; x != nil {
			x.count++
		}
	})
}

// drop counts one reference less; the last one disposes of the target. It may be
// called from any goroutine.
func (a address) drop() {
	a.ctx.iso.Loop.Post(func() {
		s := &a.ctx.refs
		x := s.exports[a.id]
		if x == nil {
			return
		}
		if x.count--; x.count > 0 {
			return
		}
		delete(s.exports, a.id)
		(&frame{ctx: a.ctx, gate: x.gate}).enter(func() {
			a.ctx.iso.disposeTarget(x.target)
			x.release()
		})
	})
}

// release is drop on the owner's loop, where it costs little unless it is the last
// reference.
func (a address) release(x *export) {
	if x.count > 1 {
		x.count--
		return
	}
	a.drop()
}

// disposeTarget calls the disposer of a target that nobody can reach any more.
func (iso *Isolate) disposeTarget(target *goja.Object) {
	ex := iso.rt.Try(func() {
		if fn, ok := goja.AssertFunction(orUndefined(target.GetSymbol(iso.rpc.dispose))); ok {
			if _, ex := iso.call(fn, target); ex != nil {
				panic(ex.Value())
			}
		}
	})
	if ex != nil {
		iso.reportError(ex.Value())
	}
}

// rpcImport is another context's export as this one knows it. It holds one
// reference for all the stubs that share it.
type rpcImport struct {
	ctx   *IOContext
	id    uint64
	at    reference
	stubs int // not disposed of
}

// importRef takes over one reference to an export, with one stub for it.
func (iso *Isolate) importRef(at reference) *rpcImport {
	s := &iso.cur.ctx.refs
	if s.imports == nil {
		s.imports = make(map[uint64]*rpcImport)
	}
	s.last++
	i := &rpcImport{ctx: iso.cur.ctx, id: s.last, at: at, stubs: 1}
	s.imports[i.id] = i
	return i
}

func (i *rpcImport) drop() {
	if i.stubs--; i.stubs == 0 && i.ctx.refs.imports[i.id] != nil {
		delete(i.ctx.refs.imports, i.id)
		i.at.drop()
	}
}

// closeRefs ends the session with its context: calls that are being served get
// err, what was exported cannot be reached any more, what was imported is given
// back.
func (c *IOContext) closeRefs(err *durable.Error) {
	s := &c.refs
	s.calls.Fail(err)
	s.exports = nil
	ids := make([]uint64, 0, len(s.imports))
	for id := range s.imports {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		s.imports[id].at.drop()
	}
	s.imports = nil
}

// refTable is what a message holds by reference; its bytes name the entries by
// their place. It implements [durable.Refs].
type refTable struct {
	mu   sync.Mutex
	refs []any // reference, *durable.Stub, Service, or what encodeBody sends

	first firstRef
}

// take returns the entries, once: from then on they belong to the caller.
func (t *refTable) take() []any {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	refs := t.refs
	t.refs = nil
	return refs
}

// Drop implements [durable.Refs].
func (t *refTable) Drop() { dropRefs(t.take()) }

func dropRefs(refs []any) {
	for _, r := range refs {
		switch r := r.(type) {
		case reference:
			r.drop()
		case sentWritable:
			r.at.drop()
		case sentReadable:
			_ = r.body.Close()
		case *httpmsg.Response:
			_ = r.Body.Close()
		case *httpmsg.Request:
			_ = r.Body.Close()
		}
	}
}

// message is encoded arguments or an encoded result.
type message struct {
	data []byte
	refs *refTable // nil: everything is in the bytes
	gave bool      // stubs in it were the sender's and are no longer
}

// durableRefs avoids an interface that holds a nil pointer.
func (m message) durableRefs() durable.Refs {
	if m.refs == nil {
		return nil
	}
	return m.refs
}

// drop gives up a message that is not sent.
func (m message) drop() { m.refs.Drop() }

// received is the message that came with refs.
func receivedMessage(data []byte, refs durable.Refs) message {
	t, _ := refs.(*refTable)
	return message{data: data, refs: t}
}
