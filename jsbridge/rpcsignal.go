package jsbridge

import (
	"fmt"
	"sync"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/jsclone"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// abortSignalRPC is the compatibility flag without which signals are not sent
// (https://developers.cloudflare.com/workers/configuration/compatibility-flags/).
const abortSignalRPC = "enable_abortsignal_rpc"

var errNoSignals = &jsclone.CloneError{Message: "AbortSignal serialization is not enabled."}

// sentSignal is an AbortSignal in a message that was not aborted when it was
// sent: the way on which its reason follows.
type sentSignal struct{ link *signalLink }

// signalLink takes the reason of a signal from its isolate to that of who
// received it, once.
type signalLink struct {
	mu     sync.Mutex
	reason []byte // encoded; nil: not aborted yet
	listen func(reason []byte)
}

func (l *signalLink) fire(reason []byte) {
	l.mu.Lock()
	l.reason = reason
	listen := l.listen
	l.mu.Unlock()
	if listen != nil {
		listen(reason)
	}
}

func (l *signalLink) on(listen func(reason []byte)) {
	l.mu.Lock()
	l.listen = listen
	reason := l.reason
	l.mu.Unlock()
	if reason != nil {
		listen(reason)
	}
}

// encodeSignal encodes an AbortSignal: with its reason, or with a link on which
// the reason follows. A signal that itself came in a message has no such link
// when it is sent on, and a reason that holds something by reference does not
// follow (both measured on workerd).
func (iso *Isolate) encodeSignal(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if !iso.compat(abortSignalRPC) {
		return false, errNoSignals
	}
	e.BeginHost(tagSignal)
	if reason, aborted := iso.api.Aborted(o); aborted {
		e.W.RawUint32(1)
		return true, e.Value(reason)
	}
	e.W.RawUint32(0)
	link := &signalLink{}
	iso.writeRef(e, sentSignal{link})
	if iso.api.OriginOf(o) == webapi.ReceivedSignal {
		return true, nil
	}
	iso.api.OnAbort(o, func(reason goja.Value) {
		m, err := iso.encodeRPC(reason)
		if err == nil && m.refs == nil {
			link.fire(m.data)
		}
		m.drop()
	})
	return true, nil
}

// decodeSignal makes the signal of a message.
func (iso *Isolate) decodeSignal(d *jsclone.Decoder) (goja.Value, error) {
	aborted, err := d.R.RawUint32()
	if err != nil {
		return nil, err
	}
	signal, abort := iso.api.NewAbortSignal()
	iso.api.SetSignalOrigin(signal, webapi.ReceivedSignal)
	d.SetHost(signal)
	if aborted == 1 {
		reason, err := d.Value()
		if err != nil {
			return nil, err
		}
		abort(reason)
		return signal, nil
	}
	ref, err := iso.readRef(d)
	if err != nil {
		return nil, err
	}
	sent, ok := ref.(sentSignal)
	if !ok {
		return nil, fmt.Errorf("the message has a %T where a signal should be", ref)
	}
	f := iso.cur
	f.ctx.untracked = true // code may go on when the signal is aborted
	sent.link.on(func(reason []byte) {
		f.post(func() {
			v, err := iso.clone.Decode(reason, iso.cloning.decode)
			if err != nil {
				v = iso.errorValue(err)
			}
			abort(v)
		})
	})
	return signal, nil
}

// decodeSignalled makes the Request of a message that has a signal.
func (iso *Isolate) decodeSignalled(d *jsclone.Decoder) (goja.Value, error) {
	ref, err := iso.readRef(d)
	if err != nil {
		return nil, err
	}
	m, ok := ref.(*httpmsg.Request)
	if !ok {
		return nil, fmt.Errorf("the message has a %T where a request should be", ref)
	}
	r := iso.api.NewRequest(m)
	d.SetHost(r)
	v, err := d.Value()
	if err != nil {
		return nil, err
	}
	signal, ok := v.(*goja.Object)
	if !ok || !iso.api.IsAbortSignal(signal) {
		return nil, fmt.Errorf("the message has a request with something else than a signal")
	}
	iso.api.SetRequestSignal(r, signal)
	return r, nil
}
