package jsbridge

import (
	"errors"
	"fmt"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/structclone"
)

// Ref is one reference to something that calls are sent to: a function, an
// RpcTarget or a plain object of a script, or something of the host's that
// scripts reach through an RpcStub. It may be used from any goroutine.
type Ref interface {
	// Call sends a call of what op.Path and op.Method name, or of the target
	// itself if both are empty, or reads it. It must not block. done is called
	// once, on any goroutine and perhaps before Call returns. cancel, nil where
	// there is nothing to cancel, says that nobody waits for the end any more;
	// it may be called at any time.
	Call(op durable.Op, done func(durable.Result, *durable.Error)) (cancel func())
	// Retain counts one more reference, Release one less. After the last the
	// target is disposed of.
	Retain()
	Release()
}

// SentReadable is a ReadableStream in a message; the receiver closes the body.
type SentReadable struct{ Body httpmsg.Body }

// SentWritable is a WritableStream in a message. Sink has the methods write,
// which takes an ArrayBuffer and ends when there is room for more, close and
// abort.
type SentWritable struct{ Sink Ref }

// NewRefs makes the table of a message whose bytes name its entries with
// [WriteRef]. An entry is a [Ref], of which the table takes over one reference, a
// [SentReadable], a [SentWritable], a *httpmsg.Request, a *httpmsg.Response, a
// [*durable.Stub] or a [Service]. Without entries the result is nil: everything
// is in the bytes.
func NewRefs(entries []any) durable.Refs {
	if len(entries) == 0 {
		return nil
	}
	t := &refTable{refs: make([]any, len(entries)), first: firstRef{-1, kindOfEntry(entries[0])}}
	for i, e := range entries {
		switch e := e.(type) {
		case Ref:
			t.refs[i] = inward(e)
		case SentReadable:
			t.refs[i] = sentReadable{e.Body}
		case SentWritable:
			t.refs[i] = sentWritable{inward(e.Sink)}
		default:
			t.refs[i] = e
		}
	}
	return t
}

// TakeRefs returns what a message holds by reference, in the form that [NewRefs]
// takes it; r may be nil. It can be taken once and then belongs to the caller.
func TakeRefs(r durable.Refs) []any {
	t, _ := r.(*refTable)
	refs := t.take()
	for i, e := range refs {
		switch e := e.(type) {
		case reference:
			refs[i] = outward(e)
		case sentReadable:
			refs[i] = SentReadable{e.body}
		case sentWritable:
			refs[i] = SentWritable{outward(e.at)}
		}
	}
	return refs
}

// DropRefs gives up entries of a table that nobody takes.
func DropRefs(entries []any) {
	if t := NewRefs(entries); t != nil {
		t.Drop()
	}
}

// foreignRef is something of the host's as isolates know it.
type foreignRef struct{ Ref }

func (h foreignRef) call(kind durable.Kind, path []string, m message, done func(durable.Result, *durable.Error)) func() {
	op := durable.Op{Kind: kind, Args: m.data, Refs: m.durableRefs()}
	if n := len(path); n > 0 {
		op.Path, op.Method = path[:n-1], path[n-1]
	}
	return h.Call(op, func(res durable.Result, err *durable.Error) {
		done(res, err)
		m.drop() // what the callee has not taken
	})
}

func (h foreignRef) add()  { h.Retain() }
func (h foreignRef) drop() { h.Release() }

// scriptRef is something of a script's as the host knows it.
type scriptRef struct{ at reference }

// Call implements [Ref].
func (r scriptRef) Call(op durable.Op, done func(durable.Result, *durable.Error)) func() {
	var path []string
	if op.Method != "" || len(op.Path) > 0 {
		path = append(op.Path[:len(op.Path):len(op.Path)], op.Method)
	}
	return r.at.call(op.Kind, path, receivedMessage(op.Args, op.Refs), done)
}

// Retain implements [Ref].
func (r scriptRef) Retain() { r.at.add() }

// Release implements [Ref].
func (r scriptRef) Release() { r.at.drop() }

// inward and outward change a reference's form without counting.
func inward(r Ref) reference {
	if s, ok := r.(scriptRef); ok {
		return s.at
	}
	return foreignRef{r}
}

func outward(r reference) Ref {
	if h, ok := r.(foreignRef); ok {
		return h.Ref
	}
	return scriptRef{r}
}

// cancelled is a call that ends with the context of its caller.
type cancelled struct{ cancel func() }

func (c *cancelled) stop() { c.cancel() }

// WriteRef writes a value that stands for entry i of the message's table.
func WriteRef(w *structclone.Writer, i int) {
	w.HostObject(tagRef)
	w.RawUint32(uint32(i))
}

// WriteHeaders writes a Headers object.
func WriteHeaders(w *structclone.Writer, list httpmsg.Header) {
	w.HostObject(tagHeaders)
	w.RawUint32(uint32(len(list)))
	for _, f := range list {
		w.RawString(f.Name)
		w.RawString(f.Value)
	}
}

// HostRef is what [ReadHost] returns for an entry of the message's table: its
// place.
type HostRef int

// ReadHost reads the payload of an object of the platform, up to its end. The
// result is a [HostRef], an httpmsg.Header, the bytes of a Blob, or a
// *govalue.Error for a DOMException.
func ReadHost(r *structclone.Reader, tag uint32) (any, error) {
	switch tag {
	case tagRef:
		i, err := r.RawUint32()
		return HostRef(i), err
	case tagHeaders:
		return readHeaders(r)
	case tagBlob:
		if _, err := r.RawString(); err != nil {
			return nil, err
		}
		n, err := r.RawUint32()
		if err != nil {
			return nil, err
		}
		data, err := r.RawBytes(n)
		return append([]byte{}, data...), err
	case tagDOMException:
		name, err := r.RawString()
		if err != nil {
			return nil, err
		}
		message, err := r.RawString()
		return &govalue.Error{Name: name, Message: message}, err
	case tagSignal:
		return nil, errors.New("an AbortSignal has no Go form; send what it says, or cancel the context of the call")
	case tagSignalled:
		return nil, errors.New("a Request with a signal has no Go form; send one without, such as new Request(request, { signal: null })")
	}
	return nil, fmt.Errorf("the message has an object of an unknown kind (%d)", tag)
}

func readHeaders(r *structclone.Reader) (list httpmsg.Header, err error) {
	n, err := r.RawUint32()
	if err != nil {
		return nil, err
	}
	for range n {
		var f httpmsg.Field
		if f.Name, err = r.RawString(); err != nil {
			return nil, err
		}
		if f.Value, err = r.RawString(); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}
