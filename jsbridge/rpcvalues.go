package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// Tags of the platform's objects in messages within this process. They are never
// stored.
const (
	tagDOMException uint32 = iota + 1
	tagHeaders
	tagBlob
	tagRef // an entry of the message's refTable
	tagRequest
	tagResponse
	tagSignal
	tagSignalled // a Request with a signal
)

// maxMessage is how large arguments or a result may be, in bytes (measured on
// workerd).
const maxMessage = 32 << 20

// cloning are the ways in which values leave and enter an isolate.
type cloning struct {
	rpc    jsclone.Options // arguments and results
	thrown jsclone.Options // what a method threw
	local  jsclone.Options // structuredClone
	stored jsclone.Options // storage
	decode jsclone.Options // what came from elsewhere
}

func (iso *Isolate) initCloning() {
	errors := jsclone.ErrorsEnhanced
	if !iso.compat("enhanced_error_serialization") {
		errors = jsclone.ErrorsV8
	}
	c := &iso.cloning
	c.rpc = jsclone.Options{ClassInstances: jsclone.ClassInstancesReject, Errors: errors, EncodeHost: iso.encodeForRPC}
	c.thrown = jsclone.Options{Errors: errors, EncodeHost: iso.encodeForLocal}
	c.local = jsclone.Options{EncodeHost: iso.encodeForClone, DecodeHost: iso.decodeHost}
	c.stored = c.local
	c.stored.EncodeHost = iso.encodeForStorage
	c.decode = jsclone.Options{LocalErrorStack: true, DecodeHost: iso.decodeHost}
}

// encodeForRPC encodes the objects of the platform that travel as values, puts
// what travels by reference into the table and refuses the others.
func (iso *Isolate) encodeForRPC(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if o.ExportType() == typeProxy {
		return iso.encodeProxy(e, o)
	}
	if done, err := iso.encodeValueObject(e, o); done || err != nil {
		return done, err
	}
	switch {
	case isFunction(o), iso.inherits(o, iso.js.rpcTarget):
		iso.encodeRef(e, iso.export(o))
		return true, nil
	case iso.api.IsAbortSignal(o):
		return iso.encodeSignal(e, o)
	}
	if done, err := iso.encodeBody(e, o); done || err != nil {
		return done, err
	}
	return false, iso.refuseWeak(o)
}

// encodeForLocal is encodeForRPC for structuredClone and for thrown values.
func (iso *Isolate) encodeForLocal(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if o.ExportType() == typeProxy {
		if s, ok := hostOf[*jsStub](iso, o); ok {
			if err := s.usable(iso.cur); err != nil {
				return false, err
			}
			return false, &jsclone.CloneError{Message: "ServiceStub cannot be serialized in this context."}
		}
		if r := iso.rpcRefOf(o); r != nil {
			return false, &jsclone.CloneError{Message: "#<" + r.class() + "> could not be cloned."}
		}
		return false, nil
	}
	if done, err := iso.encodeValueObject(e, o); done || err != nil {
		return done, err
	}
	if iso.api.IsAbortSignal(o) {
		message := errNoSignals.Message
		if iso.compat(abortSignalRPC) {
			message = "AbortSignal can only be serialized for RPC."
		}
		return false, &jsclone.CloneError{Message: message}
	}
	if iso.isPlatformObject(o) {
		return false, jsclone.NewUnsupportedTypeError(iso.constructorName(o))
	}
	if iso.inherits(o, iso.js.rpcTarget) {
		return false, &jsclone.CloneError{Message: "Remote RPC references can only be serialized for RPC."}
	}
	return false, iso.refuseWeak(o)
}

// encodeForStorage is encodeForLocal for storage, which has another complaint
// about stubs (measured on workerd).
func (iso *Isolate) encodeForStorage(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if r := iso.rpcRefOf(o); r != nil && r.isStub() {
		return false, &jsclone.CloneError{Message: "RpcStub cannot be serialized in this context."}
	}
	return iso.encodeForLocal(e, o)
}

// encodeValueObject encodes a DOMException, Headers or Blob.
func (iso *Isolate) encodeValueObject(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if message, name, ok := iso.api.DOMExceptionOf(o); ok {
		e.BeginHost(tagDOMException)
		e.W.RawString(name)
		e.W.RawString(message)
		return true, nil
	}
	if list, ok := iso.api.HeadersOf(o); ok {
		e.BeginHost(tagHeaders)
		writeHeaders(e, list)
		return true, nil
	}
	data, typ, name, ok := iso.api.BlobOf(o)
	if ok && name == "" {
		e.BeginHost(tagBlob)
		e.W.RawString(typ)
		e.W.RawUint32(uint32(len(data)))
		e.W.RawBytes(data)
		return true, nil
	}
	return false, nil
}

// decodeHost makes what encodeValueObject wrote.
func (iso *Isolate) decodeHost(d *jsclone.Decoder, tag uint32) (goja.Value, error) {
	switch tag {
	case tagDOMException:
		name, err := d.R.RawString()
		if err != nil {
			return nil, err
		}
		message, err := d.R.RawString()
		if err != nil {
			return nil, err
		}
		return iso.api.NewDOMException(message, name), nil
	case tagHeaders:
		list, err := readHeaders(&d.R)
		if err != nil {
			return nil, err
		}
		return iso.api.NewHeaders(list), nil
	case tagBlob:
		typ, err := d.R.RawString()
		if err != nil {
			return nil, err
		}
		n, err := d.R.RawUint32()
		if err != nil {
			return nil, err
		}
		data, err := d.R.RawBytes(n)
		if err != nil {
			return nil, err
		}
		return iso.api.NewBlob(append([]byte(nil), data...), typ), nil
	case tagRef:
		return iso.decodeRef(d)
	case tagRequest, tagResponse:
		return iso.decodeMessage(d, tag)
	case tagSignal:
		return iso.decodeSignal(d)
	case tagSignalled:
		return iso.decodeSignalled(d)
	}
	return nil, nil
}

// refuseWeak refuses what the engine does not have and the codec therefore takes
// for objects of a script's classes: two built-in classes, and async generators.
func (iso *Isolate) refuseWeak(o *goja.Object) error {
	if p := o.Prototype(); p != nil && p != iso.js.objectProto {
		// The loader marks them so.
		var tag goja.Value
		_ = iso.rt.Try(func() { tag = p.GetSymbol(goja.SymToStringTag) })
		if s, ok := tag.(goja.String); ok && s.String() == "AsyncGenerator" {
			return &jsclone.CloneError{Message: "[object AsyncGenerator] could not be cloned."}
		}
	}
	if name := iso.constructorName(o); name == "WeakRef" || name == "FinalizationRegistry" {
		class, ok := iso.rt.GlobalObject().Get(name).(*goja.Object)
		if ok && o.Prototype() == class.Get("prototype") {
			return &jsclone.CloneError{Message: "#<" + name + "> could not be cloned."}
		}
	}
	return nil
}

func (iso *Isolate) constructorName(o *goja.Object) string {
	if ctor, ok := o.Get("constructor").(*goja.Object); ok {
		if n, ok := ctor.Get("name").(goja.String); ok {
			return n.String()
		}
	}
	return "Object"
}

// inherits reports whether proto is on the prototype chain of o.
func (iso *Isolate) inherits(o, proto *goja.Object) bool {
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		if p == proto {
			return true
		}
	}
	return false
}

func isFunction(v goja.Value) bool {
	_, ok := goja.AssertFunction(v)
	return ok
}
