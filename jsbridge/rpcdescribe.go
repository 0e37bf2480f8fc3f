package jsbridge

import (
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// firstRef says what the first reference of a message is, for the error of a
// transport that cannot carry it.
type firstRef struct {
	arg  int // the argument that it is in; -1 for a result
	what string
}

var _ durable.RefsDescriber = (*refTable)(nil)

// DescribeRef implements [durable.RefsDescriber].
func (t *refTable) DescribeRef() (argument int, what string) { return t.first.arg, t.first.what }

// kindOfRef names an entry of the table, with its article.
func (iso *Isolate) kindOfRef(ref any) string {
	switch ref := ref.(type) {
	case address:
		x := iso.cur.ctx.refs.exports[ref.id]
		switch {
		case ref.ctx != iso.cur.ctx || x == nil:
			return "a stub"
		case isFunction(x.target):
			return "a function"
		case iso.inherits(x.target, iso.js.rpcTarget):
			return "an RpcTarget"
		}
		return "an object"
	case sentSignal:
		return "an AbortSignal"
	case sentReadable:
		return kindOfEntry(SentReadable{})
	case sentWritable:
		return kindOfEntry(SentWritable{})
	case reference:
		return "a stub"
	}
	return kindOfEntry(ref)
}

// kindOfEntry names an entry that came from outside of the isolate, with its
// article.
func kindOfEntry(entry any) string {
	switch entry.(type) {
	case Ref:
		return "a function, RpcTarget or stub"
	case SentReadable:
		return "a ReadableStream"
	case SentWritable:
		return "a WritableStream"
	case *httpmsg.Response:
		return "a Response"
	case *httpmsg.Request:
		return "a Request"
	case *durable.Stub:
		return "the stub of an object"
	}
	return "the stub of a service"
}
