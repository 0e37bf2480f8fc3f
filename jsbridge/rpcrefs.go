package jsbridge

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// moving is a message while it is encoded or decoded: the codec's hooks find here
// what the message holds by reference.
type moving struct {
	sent  []any      // the table of a message that is being encoded
	given []*rpcStub // stubs in it that the sender loses
	first firstRef   // in the table

	table []any      // of a message that is being decoded; what was taken is nil
	stubs []*rpcStub // made of it
}

// encodeRPC encodes a result. The stubs in it go to the caller: for the callee
// they are disposed of.
func (iso *Isolate) encodeRPC(v goja.Value) (message, error) {
	return iso.encoding(true, func() ([]byte, error) { return iso.clone.Encode(nil, v, iso.cloning.rpc) })
}

// encodeArguments encodes the arguments of a call, as an array. Stubs among them
// stay with the caller, unless the flag rpc_params_dup_stubs is off
// (https://developers.cloudflare.com/workers/configuration/compatibility-flags/).
func (iso *Isolate) encodeArguments(args []goja.Value) (message, error) {
	return iso.encoding(!iso.compat("rpc_params_dup_stubs"), func() ([]byte, error) {
		return iso.clone.EncodeList(nil, args, iso.cloning.rpc)
	})
}

func (iso *Isolate) encoding(give bool, encode func() ([]byte, error)) (message, error) {
	var m moving
	outer := iso.rpc.moving
	iso.rpc.moving = &m
	data, err := encode()
	iso.rpc.moving = outer
	if err == nil && len(data) > maxMessage {
		err = &durable.Error{Name: "Error", Message: fmt.Sprintf(
			"Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: %d bytes.", len(data))}
	}
	if give {
		disposeAll(m.given) // also when the rest cannot be sent (measured on workerd)
	}
	if err != nil {
		dropRefs(m.sent)
		return message{}, err
	}
	if len(m.sent) == 0 {
		return message{data: data}, nil
	}
	return message{data, &refTable{refs: m.sent, first: m.first}, give && len(m.given) > 0}, nil
}

// encodeRef writes an entry of the table and takes over the reference.
func (iso *Isolate) encodeRef(e *jsclone.Encoder, ref any) {
	e.BeginHost(tagRef)
	iso.writeRef(e, ref)
}

// writeRef is encodeRef within a host object that has begun.
func (iso *Isolate) writeRef(e *jsclone.Encoder, ref any) {
	m := iso.rpc.moving
	if len(m.sent) == 0 {
		m.first = firstRef{e.Item(), iso.kindOfRef(ref)}
	}
	e.W.RawUint32(uint32(len(m.sent)))
	m.sent = append(m.sent, ref)
}

// encodeProxy encodes the platform's own proxies, and those of scripts that can
// be reached through a stub.
func (iso *Isolate) encodeProxy(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	if s, ok := hostOf[*jsStub](iso, o); ok {
		if err := s.usable(iso.cur); err != nil {
			return false, err
		}
		if s.object != nil {
			iso.encodeRef(e, s.object)
		} else {
			iso.encodeRef(e, s.service)
		}
		return true, nil
	}
	if r := iso.rpcRefOf(o); r != nil {
		if !r.isStub() {
			return false, jsclone.NewUnsupportedTypeError(r.class())
		}
		if r.ref.disposed {
			iso.encodeRef(e, deadRef{errStubDisposed}) // it fails where it is used (measured on workerd)
			return true, nil
		}
		if err := r.ref.usable(iso.cur); err != nil {
			return false, err
		}
		r.ref.imp.at.add()
		iso.encodeRef(e, r.ref.imp.at)
		iso.rpc.moving.given = append(iso.rpc.moving.given, r.ref)
		return true, nil
	}
	if _, ok := hostOf[*durable.Namespace](iso, o); ok {
		return false, jsclone.NewUnsupportedTypeError("DurableObjectNamespace")
	}
	if !iso.canExport(o) {
		return false, nil // the codec refuses it
	}
	iso.encodeRef(e, iso.export(o))
	return true, nil
}

// decodeRPC makes a result, and returns the stubs in it.
func (iso *Isolate) decodeRPC(m message) (v goja.Value, stubs []*rpcStub, err error) {
	if m.refs == nil {
		v, err = iso.clone.Decode(m.data, iso.cloning.decode)
		return v, nil, err
	}
	stubs, err = iso.decoding(m, func() (err error) { v, err = iso.clone.Decode(m.data, iso.cloning.decode); return err })
	return v, stubs, err
}

// decodeArguments makes the arguments of a call, and returns the stubs in them.
func (iso *Isolate) decodeArguments(m message) (args []goja.Value, stubs []*rpcStub, err error) {
	if m.refs == nil {
		args, err = iso.clone.DecodeList(m.data, iso.cloning.decode)
		return args, nil, err
	}
	stubs, err = iso.decoding(m, func() (err error) { args, err = iso.clone.DecodeList(m.data, iso.cloning.decode); return err })
	return args, stubs, err
}

func (iso *Isolate) decoding(m message, decode func() error) ([]*rpcStub, error) {
	in := moving{table: m.refs.take()}
	outer := iso.rpc.moving
	iso.rpc.moving = &in
	err := decode()
	iso.rpc.moving = outer
	dropRefs(in.table) // what the bytes do not name
	if err != nil {
		disposeAll(in.stubs)
		return nil, err
	}
	return in.stubs, nil
}

// readRef takes an entry of the table.
func (iso *Isolate) readRef(d *jsclone.Decoder) (any, error) {
	i, err := d.R.RawUint32()
	if err != nil {
		return nil, err
	}
	m := iso.rpc.moving
	if m == nil || uint64(i) >= uint64(len(m.table)) || m.table[i] == nil {
		return nil, fmt.Errorf("the message names reference %d, which it does not have", i)
	}
	ref := m.table[i]
	m.table[i] = nil
	return ref, nil
}

// decodeRef makes the stub of an entry of the table.
func (iso *Isolate) decodeRef(d *jsclone.Decoder) (goja.Value, error) {
	ref, err := iso.readRef(d)
	if err != nil {
		return nil, err
	}
	m := iso.rpc.moving
	switch ref := ref.(type) {
	case reference:
		s := iso.newStub(iso.importRef(ref))
		m.stubs = append(m.stubs, s)
		return s.object(), nil
	case sentReadable:
		return iso.newReadable(ref.body), nil
	case sentWritable:
		return iso.newWritable(ref.at), nil
	case *httpmsg.Response:
		return iso.api.NewResponse(ref), nil
	case *httpmsg.Request:
		return iso.api.NewRequest(ref), nil
	case *durable.Stub:
		return iso.newFetcher(ref.Sent(iso.cfg.Name)), nil
	case Service:
		return iso.newServiceStub(ref), nil
	}
	return nil, fmt.Errorf("a reference of an unknown kind: %T", ref)
}
