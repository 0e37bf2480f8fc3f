package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// encodeForClone is encodeForLocal for structuredClone and messages of ports:
// there a Request or Response without a body is a value too (measured on
// workerd).
func (iso *Isolate) encodeForClone(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if o == iso.rt.GlobalObject() {
		return false, &jsclone.CloneError{Message: "#<ServiceWorkerGlobalScope> could not be cloned."}
	}
	if o.ExportType() == typeProxy {
		return iso.encodeForLocal(e, o)
	}
	onlyRPC := func(class string) (bool, error) {
		return false, &jsclone.CloneError{Message: class + " can only be serialized for RPC."}
	}
	switch {
	case iso.api.IsAbortSignal(o):
		if iso.compat(abortSignalRPC) {
			return onlyRPC("AbortSignal")
		}
		return false, errNoSignals
	case iso.api.IsReadableStream(o):
		return onlyRPC("ReadableStream")
	case iso.api.IsWritableStream(o):
		return onlyRPC("WritableStream")
	case iso.api.IsRequest(o), iso.api.IsResponse(o):
		if !goja.IsNull(o.Get("body")) {
			return onlyRPC("ReadableStream")
		}
	}
	if class := iso.api.StreamClassOf(o); class != "" {
		return false, jsclone.NewUnsupportedTypeError(class)
	}
	if iso.api.IsRequest(o) {
		m, err := iso.api.RequestOf(o)
		if err != nil {
			return false, err
		}
		e.BeginHost(tagRequest)
		for _, s := range []string{m.Method, m.URL, m.Redirect} {
			e.W.RawString(s)
		}
		writeHeaders(e, m.Header)
		return true, nil
	}
	if iso.api.IsResponse(o) && iso.api.WebSocketOf(o) == nil {
		m, _, err := iso.api.ResponseOf(o)
		if err != nil {
			return false, err
		}
		e.BeginHost(tagResponse)
		e.W.RawUint32(uint32(m.Status))
		e.W.RawString(m.StatusText)
		writeHeaders(e, m.Header)
		return true, nil
	}
	return iso.encodeForLocal(e, o)
}

func writeHeaders(e *jsclone.Encoder, list httpmsg.Header) {
	e.W.RawUint32(uint32(len(list)))
	for _, f := range list {
		e.W.RawString(f.Name)
		e.W.RawString(f.Value)
	}
}

// decodeMessage makes the Request or Response that encodeForClone wrote.
func (iso *Isolate) decodeMessage(d *jsclone.Decoder, tag uint32) (goja.Value, error) {
	if tag == tagRequest {
		var text [3]string
		for i := range text {
			var err error
			if text[i], err = d.R.RawString(); err != nil {
				return nil, err
			}
		}
		list, err := readHeaders(&d.R)
		if err != nil {
			return nil, err
		}
		return iso.api.NewRequest(&httpmsg.Request{Method: text[0], URL: text[1], Redirect: text[2], Header: list}), nil
	}
	status, err := d.R.RawUint32()
	if err != nil {
		return nil, err
	}
	text, err := d.R.RawString()
	if err != nil {
		return nil, err
	}
	list, err := readHeaders(&d.R)
	if err != nil {
		return nil, err
	}
	return iso.api.NewResponse(&httpmsg.Response{Status: int(status), StatusText: text, Header: list}), nil
}
