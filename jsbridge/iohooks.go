package jsbridge

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// ioHooks gives the Web APIs what their streams need of the isolate.
func (iso *Isolate) ioHooks(env *webapi.Env) {
	env.Async = iso.async
	env.Later = func() func(func()) {
		iso.cur.ctx.untracked = true
		return iso.cur.post
	}
	env.Own = iso.own
	env.Owner, env.Foreign = iso.owner, iso.foreign
	env.Clone = iso.cloneValue
	env.Cache = iso.cfg.Cache
	env.IsFetcher = func(v goja.Value) bool {
		_, ok := hostOf[*jsStub](iso, v)
		return ok
	}
	env.Fetch = func(fetcher *goja.Object, input, init goja.Value) goja.Value {
		c := goja.FunctionCall{This: goja.Undefined(), Arguments: []goja.Value{input, init}}
		if fetcher == nil {
			return iso.globalFetch(c)
		}
		s, _ := hostOf[*jsStub](iso, fetcher)
		return s.fetch(c)
	}
	env.ErrorOf = func(v goja.Value) error {
		e := iso.errorOf(v, "")
		e.Remote = true // as its reader sees it
		return e
	}
	env.ErrorValue = func(err error) goja.Value {
		var aborted *abortError
		var e *durable.Error
		switch {
		case errors.As(err, &aborted) && aborted.iso == iso:
			return aborted.reason
		case errors.As(err, &e):
			return iso.errorValue(e)
		}
		return nil
	}
}

// async runs work on a goroutine of its own and then done in a turn of the code
// that runs now. A virtual clock stands still meanwhile.
func (iso *Isolate) async(work, done func()) {
	f := iso.cur
	f.ctx.inFlight++
	end := iso.cfg.Scheduler.Outside()
	go func() {
		defer end()
		work()
		f.post(func() {
			f.ctx.inFlight--
			done()
		})
	}()
}

// ownedStream is a stream that ends with its context.
type ownedStream struct{ end func() }

func (s *ownedStream) stop() { s.end() }

// own implements webapi.Env.Own.
func (iso *Isolate) own(hold bool, stop func()) (release func()) {
	ctx := iso.cur.ctx
	s := &ownedStream{stop}
	ctx.own(s)
	unhold := func() {}
	if hold && !iso.rpc.unheld {
		unhold = ctx.hold()
	}
	released := false
	return func() {
		if released {
			return
		}
		released = true
		ctx.disown(s)
		unhold()
	}
}
