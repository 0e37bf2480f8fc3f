package jsbridge

import (
	"strings"

	"github.com/dop251/goja"
)

// receiverKind says which names of a value a remote caller reaches.
type receiverKind uint8

const (
	// noReceiver has none: a primitive, an array, an instance of a class.
	noReceiver receiverKind = iota
	// classReceiver is an instance of DurableObject or WorkerEntrypoint: what
	// its class and the ancestors define.
	classReceiver
	// targetReceiver is an RpcTarget: the same, with fewer reserved names.
	targetReceiver
	// plainReceiver is a plain object or a function: own properties.
	plainReceiver
	// handlerReceiver is an object that a script exports: own and inherited
	// properties.
	handlerReceiver
)

// reserved are the names that cannot be called on an object over RPC (measured
// on workerd).
var reserved = map[string]bool{
	"fetch": true, "connect": true, "alarm": true, "webSocketMessage": true, "webSocketClose": true,
	"webSocketError": true, "dup": true, "constructor": true,
}

// walk follows a path from a root value. It returns the last value and the
// object that has it. A name that cannot be reached is a TypeError.
func (iso *Isolate) walk(root goja.Value, kind receiverKind, path []string) (this *goja.Object, v goja.Value) {
	v = root
	if kind == plainReceiver {
		kind = iso.receiverKind(root)
		if kind == noReceiver {
			iso.throwMissing(path[0])
		}
	}
	for i, name := range path {
		if i > 0 {
			if kind = iso.receiverKind(v); kind == noReceiver {
				iso.throwMissing(path[i-1])
			}
		}
		this = v.(*goja.Object)
		iso.checkName(this, kind, name)
		v = orUndefined(this.Get(name))
	}
	return this, v
}

// receiverKind tells how a value that was reached on a path takes names.
func (iso *Isolate) receiverKind(v goja.Value) receiverKind {
	o, ok := v.(*goja.Object)
	switch {
	case !ok:
		return noReceiver
	case o.Prototype() == iso.js.objectProto, isFunction(o):
		return plainReceiver
	case iso.inherits(o, iso.js.rpcTarget):
		return targetReceiver
	}
	return noReceiver
}

// checkName throws unless a remote caller may reach the property.
func (iso *Isolate) checkName(o *goja.Object, kind receiverKind, name string) {
	if reserved[name] && (kind != targetReceiver || name == "dup" || name == "constructor") {
		iso.throwType("'%s' is a reserved method and cannot be called over RPC.", name)
	}
	key := iso.rt.ToValue(name)
	own := iso.hasOwn(o, key)
	switch kind {
	case plainReceiver:
		if own {
			return
		}
	case handlerReceiver:
		if own || iso.inheritsName(o, key) {
			return
		}
	default:
		if !own && iso.inheritsName(o, key) {
			return
		}
	}
	iso.throwMissing(name)
}

// hasOwn reports whether o itself has a property.
func (iso *Isolate) hasOwn(o *goja.Object, key goja.Value) bool {
	iso.rpc.args = [2]goja.Value{o, key}
	has := iso.js.hasOwn(goja.FunctionCall{This: goja.Undefined(), Arguments: iso.rpc.args[:]})
	iso.rpc.args = [2]goja.Value{}
	return has.ToBoolean()
}

// inheritsName reports whether a prototype of o other than Object.prototype has
// a property.
func (iso *Isolate) inheritsName(o *goja.Object, key goja.Value) bool {
	for p := o.Prototype(); p != nil && p != iso.js.objectProto; p = p.Prototype() {
		if iso.hasOwn(p, key) {
			return true
		}
	}
	return false
}

func (iso *Isolate) throwMissing(name string) {
	iso.throwType("The RPC receiver does not implement the method \"%s\".", name)
}

// throwNotFunction complains about a call of something else; an empty path is
// the result of a call itself.
func (iso *Isolate) throwNotFunction(path []string) {
	what := "(this)"
	if len(path) > 0 {
		what = strings.Join(path, ".")
	}
	iso.throwType("\"%s\" is not a function.", what)
}
