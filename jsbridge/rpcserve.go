package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// served is what an RPC call is served with.
type served struct {
	op     *durable.Op
	root   *goja.Object // where the names start
	kind   receiverKind
	self   bool                // the root itself is called or read
	piped  bool                // the root is a result, and the call came through its pipe
	object *durable.Activation // whose id durableObjectId names; nil for none
	tail   []goja.Value        // what an exported handler gets after its argument
	finish func(durable.Result, *durable.Error)
}

// serve finds what the call names and calls or reads it. It must be called in a
// turn; finish is called once, in this turn or a later one.
func (iso *Isolate) serve(s served) {
	// Only what the method itself threw names the object (measured on workerd).
	fromCode := false
	fail := func(v goja.Value) {
		id := ""
		if fromCode && s.object != nil {
			id = s.object.ID().String()
		}
		s.finish(durable.Result{}, iso.errorOf(v, id))
	}
	// The stubs among the arguments are disposed of when the call ends; what the
	// callee keeps it has duplicated.
	var stubs []*rpcStub
	finish := s.finish
	s.finish = func(res durable.Result, err *durable.Error) {
		finish(res, err)
		disposeAll(stubs) // the caller learns of the end first
	}
	var ret goja.Value
	ex := iso.rt.Try(func() {
		this, v := iso.target(&s)
		if s.op.Kind == durable.Get {
			ret = v
			return
		}
		fn, ok := goja.AssertFunction(v)
		if !ok {
			iso.throwNotFunction(s.path())
		}
		fromCode = true
		var args []goja.Value
		args, stubs = iso.arguments(receivedMessage(s.op.Args, s.op.Refs))
		if s.kind == handlerReceiver && len(s.op.Path) == 0 {
			iso.checkHandler(s.op.Method, v.(*goja.Object), len(args))
			args = append(args, s.tail...)
		}
		r, ex := iso.call(fn, this, args...)
		if ex != nil {
			panic(ex)
		}
		ret = r
	})
	if ex != nil {
		fail(ex.Value())
		return
	}
	done := func(v goja.Value) {
		m, err := iso.encodeRPC(v)
		if err != nil {
			fromCode = false
			fail(iso.errorValue(err))
			return
		}
		var deliver func()
		if p, ok := s.op.Pipe.(*pipe); ok && !m.gave {
			if o, ok := v.(*goja.Object); ok {
				deliver = p.resolve(&pipeEnd{iso.cur.ctx, iso.cur.gate, o})
			}
		}
		s.finish(durable.Result{Value: m.data, Refs: m.durableRefs()}, nil)
		if deliver != nil {
			deliver()
		}
	}
	if _, isObject := ret.(*goja.Object); !isObject {
		done(ret)
		return
	}
	iso.then(ret, done, fail)
}

// path is the whole path of a call.
func (s *served) path() []string {
	if s.self {
		return nil
	}
	return append(append([]string(nil), s.op.Path...), s.op.Method)
}

// target follows the path of a call.
func (iso *Isolate) target(s *served) (this, v goja.Value) {
	if s.piped {
		return iso.pipedTarget(s)
	}
	if s.self {
		return s.root, s.root // a function is its own this (measured on workerd)
	}
	if len(s.op.Path) == 0 && s.kind != plainReceiver {
		iso.checkName(s.root, s.kind, s.op.Method)
		return s.root, orUndefined(s.root.Get(s.op.Method))
	}
	return iso.walk(s.root, s.kind, s.path())
}

// arguments decodes the arguments of a call.
func (iso *Isolate) arguments(m message) ([]goja.Value, []*rpcStub) {
	args, stubs, err := iso.decodeArguments(m)
	if err != nil {
		iso.throw(err)
	}
	return args, stubs
}

// checkHandler throws unless an exported function that belongs to no class can
// be called with so many arguments (measured on workerd).
func (iso *Isolate) checkHandler(name string, fn *goja.Object, args int) {
	if n := fn.Get("length"); n != nil && n.ToInteger() > 3 {
		iso.throwType("Cannot call handler function \"%s\" over RPC because it has the wrong number of arguments. "+
			"A simple function handler can only be called over RPC if it has exactly the arguments (arg, env, ctx), "+
			"where only the first argument comes from the client. To support multi-argument RPC functions, use class-based "+
			"syntax (extending WorkerEntrypoint) instead.", name)
	}
	if args != 1 {
		iso.throwType("Attempted to call RPC function \"%s\" with the wrong number of arguments. When calling a top-level "+
			"handler function that is not declared as part of a class, you must always send exactly one argument. In order to "+
			"support variable numbers of arguments, the server must use class-based syntax (extending WorkerEntrypoint) instead.", name)
	}
}
