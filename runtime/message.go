package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sync"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/structclone"
	"github.com/durashim/durashim/jsbridge"
)

// form says how a Go value travels.
type form uint8

const (
	asData form = iota
	asFunction
	asTarget
	asRef
	asStub
	asHeaders
	asRequest
	asResponse
	asReadable
	asWritable
	asValue // not at all
)

// forms keeps what formOf found, which depends on the type alone.
var forms sync.Map // reflect.Type to form

var (
	typeReader = reflect.TypeFor[io.Reader]()
	typeWriter = reflect.TypeFor[io.Writer]()
)

func formOf(t reflect.Type) form {
	if f, ok := forms.Load(t); ok {
		return f.(form)
	}
	f := asData
	switch {
	case t.Kind() == reflect.Func:
		f = asFunction
	case t == reflect.TypeFor[*Target]():
		f = asTarget
	case t == reflect.TypeFor[*Ref]():
		f = asRef
	case t == reflect.TypeFor[*Stub]():
		f = asStub
	case t == reflect.TypeFor[Value]():
		f = asValue
	case t == reflect.TypeFor[http.Header]():
		f = asHeaders
	case t == reflect.TypeFor[*http.Request]():
		f = asRequest
	case t == reflect.TypeFor[*http.Response]():
		f = asResponse
	case t.Implements(typeReader):
		f = asReadable
	case t.Implements(typeWriter):
		f = asWritable
	}
	forms.Store(t, f)
	return f
}

// sending is a message that is being encoded.
type sending struct {
	rt      *Runtime
	ctx     context.Context // of the call
	entries []any           // of the message's table
}

// encodeArguments encodes the arguments of a call.
func (rt *Runtime) encodeArguments(ctx context.Context, args []any) ([]byte, durable.Refs, error) {
	if args == nil {
		args = []any{}
	}
	return rt.encode(ctx, args)
}

// encodeResult encodes what a Go function returned.
func (rt *Runtime) encodeResult(ctx context.Context, v any) (durable.Result, error) {
	data, refs, err := rt.encode(ctx, v)
	return durable.Result{Value: data, Refs: refs}, err
}

func (rt *Runtime) encode(ctx context.Context, v any) ([]byte, durable.Refs, error) {
	s := sending{rt: rt, ctx: ctx}
	data, err := govalue.MarshalHost(v, s.encodeHost)
	if err == nil && len(data) > maxMessage {
		err = fmt.Errorf("arguments and results are limited to 32 MiB, and this value has %d bytes", len(data))
	}
	if err != nil {
		jsbridge.DropRefs(s.entries)
		return nil, nil, err
	}
	return data, jsbridge.NewRefs(s.entries), nil
}

// maxMessage is how large arguments or a result may be, in bytes (measured on
// workerd).
const maxMessage = 32 << 20

// encodeHost implements [govalue.EncodeHost].
func (s *sending) encodeHost(w *structclone.Writer, v reflect.Value) (bool, error) {
	f := formOf(v.Type())
	if f == asData || !v.CanInterface() {
		return false, nil
	}
	if f == asHeaders {
		jsbridge.WriteHeaders(w, httpmsg.HeaderFromHTTP(v.Interface().(http.Header)))
		return true, nil
	}
	e, err := s.entry(f, v)
	if err != nil {
		return false, err
	}
	jsbridge.WriteRef(w, len(s.entries))
	s.entries = append(s.entries, e)
	return true, nil
}

// entry makes the entry of the message's table for a value.
func (s *sending) entry(f form, v reflect.Value) (any, error) {
	switch f {
	case asFunction:
		return s.rt.export(s.ctx, &exported{self: v})
	case asTarget:
		t := v.Interface().(*Target)
		switch {
		case t.err != nil:
			return nil, t.err
		case !t.v.IsValid():
			return nil, errors.New("a zero runtime.Target has no methods; NewTarget makes one that has")
		}
		return s.rt.export(s.ctx, &exported{target: t, dispose: t.dispose})
	case asRef:
		return v.Interface().(*Ref).retained()
	case asStub:
		stub := v.Interface().(*Stub)
		if err := stub.usable(); err != nil {
			return nil, err
		}
		return stub.stub, nil
	case asRequest:
		return s.request(v.Interface().(*http.Request))
	case asResponse:
		return s.response(v.Interface().(*http.Response))
	case asReadable:
		return jsbridge.SentReadable{Body: s.body(v.Interface().(io.Reader), httpmsg.UnknownLength)}, nil
	case asWritable:
		return s.writable(v.Interface().(io.Writer))
	}
	return nil, errors.New("a Value cannot be sent; send what it decodes into")
}

// references are what a message holds by reference, as Go sees it.
type references struct {
	rt  *Runtime
	ctx context.Context // of the call that brought the message

	mu     sync.Mutex
	table  []any // what nobody has decoded yet; others are nil
	made   []any // what was decoded
	kinds  []Kind
	closed bool
}

// receive takes the references of a message.
func (rt *Runtime) receive(ctx context.Context, refs durable.Refs) *references {
	r := &references{rt: rt, ctx: ctx, table: jsbridge.TakeRefs(refs)}
	r.made, r.kinds = make([]any, len(r.table)), make([]Kind, len(r.table))
	for i, e := range r.table {
		r.kinds[i] = kindOfEntry(e)
	}
	if len(r.table) > 0 {
		rt.held.add(r)
	}
	return r
}

// decodeHost implements [govalue.DecodeHost]. r may be nil.
func (r *references) decodeHost(rd *structclone.Reader, tag uint32) (any, error) {
	v, err := jsbridge.ReadHost(rd, tag)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case jsbridge.HostRef:
		return r.at(int(v))
	case httpmsg.Header:
		h := make(http.Header, len(v))
		v.ToHTTP(h)
		return h, nil
	}
	return v, nil
}

// at returns the Go form of an entry, the same one each time.
func (r *references) at(i int) (any, error) {
	if r == nil {
		return nil, errors.New("the message names a reference that it does not have")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, errValueClosed
	case i < 0 || i >= len(r.table):
		return nil, errors.New("the message names a reference that it does not have")
	case r.made[i] != nil:
		return r.made[i], nil
	}
	v, err := r.goForm(r.table[i])
	if err != nil {
		return nil, err
	}
	r.made[i], r.table[i] = v, nil
	return v, nil
}

var errValueClosed = errors.New("the value was closed")

func (r *references) goForm(entry any) (any, error) {
	switch e := entry.(type) {
	case jsbridge.Ref:
		return r.rt.newRef(e, nil), nil
	case jsbridge.SentReadable:
		return r.readable(e.Body), nil
	case jsbridge.SentWritable:
		return &streamWriter{ctx: r.ctx, ref: r.rt.newRef(e.Sink, nil)}, nil
	case *httpmsg.Response:
		return r.httpResponse(e), nil
	case *httpmsg.Request:
		return r.httpRequest(e)
	case *durable.Stub:
		return &Stub{rt: r.rt, stub: e.Sent(goCaller)}, nil
	case jsbridge.Service:
		return r.rt.newRef(serviceRef{e}, e), nil
	}
	return nil, fmt.Errorf("durashim has no Go form for a %T", entry)
}

// forget implements [held].
func (r *references) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.table, r.made = true, nil, nil
}

// release gives up what a Go function was called with: references that it did
// not duplicate, and what it did not look at. Streams that it did look at are its
// own.
func (r *references) release() { r.end(false) }

// close gives up everything.
func (r *references) close() { r.end(true) }

func (r *references) end(streams bool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	table, made, closed := r.table, r.made, r.closed
	r.closed, r.table, r.made = true, nil, nil
	r.mu.Unlock()
	if closed {
		return
	}
	r.rt.held.remove(r)
	var rest []any
	for _, e := range table {
		if e != nil {
			rest = append(rest, e)
		}
	}
	jsbridge.DropRefs(rest)
	for _, v := range made {
		switch v := v.(type) {
		case *Ref:
			_ = v.Close()
		case *streamReader:
			if streams {
				_ = v.Close()
			}
		case *streamWriter:
			if streams {
				_ = v.CloseWithError(errValueClosed)
			}
		case *http.Response:
			if streams {
				_ = v.Body.Close()
			}
		case *http.Request:
			if streams && v.Body != nil {
				_ = v.Body.Close()
			}
		}
	}
}
