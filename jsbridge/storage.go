package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
)

// keyspace is what get, put, delete and list work on: the storage of an object,
// or what a transaction shows of it.
type keyspace interface {
	Get(key string) ([]byte, bool, error)
	Put(key string, value []byte) error
	Delete(key string) (bool, error)
	Entries(storage.ListOptions) ([]storage.Entry, error)
}

// operations is what a DurableObjectStorage holds, and, with txn set, a
// DurableObjectTransaction.
type operations struct {
	i   *instance
	txn *transaction
}

func (o *operations) class() string {
	if o.txn != nil {
		return "DurableObjectTransaction"
	}
	return "DurableObjectStorage"
}

// newStorage makes the DurableObjectStorage of an object.
//
// What SQLite has is at hand, so its answers come within the turn; only in
// memory, where the real runtime has a cache, a read may take a turn and close
// the input gate meanwhile. A put is accepted at once and becomes durable after
// the turn (all measured on workerd).
func (iso *Isolate) newStorage(i *instance) *goja.Object {
	proto := iso.prototype("DurableObjectStorage", nil, func(p *goja.Object) {
		s := storageMethods{iso, p, false}
		s.define()
		s.async("transaction", (*operations).transaction)
		for _, name := range []string{"getAlarm", "setAlarm", "deleteAlarm"} {
			s.async(name, func(o *operations, _ goja.FunctionCall) goja.Value {
				iso.throw(errNotImplemented("DurableObjectStorage." + name + "()"))
				return nil
			})
		}
		s.async("sync", (*operations).sync)
		s.sync("transactionSync", (*operations).transactionSync)
		s.async("getCurrentBookmark", (*operations).currentBookmark)
		s.async("getBookmarkForTime", (*operations).bookmarkForTime)
		s.async("onNextSessionRestoreBookmark", (*operations).noRecovery)
	})
	o := &operations{i: i}
	obj := iso.object(proto, o)
	own := func(name string, v goja.Value) {
		_ = obj.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	own("kv", iso.newSyncKV(o))
	own("sql", iso.newSQL(o))
	return obj
}

// storageMethods defines methods of DurableObjectStorage or of
// DurableObjectTransaction on a prototype.
type storageMethods struct {
	iso *Isolate
	p   *goja.Object
	txn bool
}

func (s storageMethods) define() {
	s.async("get", (*operations).get)
	s.async("list", (*operations).list)
	s.async("put", (*operations).put)
	s.sync("delete", (*operations).delete)
	if s.txn {
		s.sync("deleteAll", (*operations).deleteAll)
	} else {
		s.async("deleteAll", (*operations).deleteAll)
	}
}

// sync defines a method that throws.
func (s storageMethods) sync(name string, f func(*operations, goja.FunctionCall) goja.Value) {
	iso, txn := s.iso, s.txn
	iso.method(s.p, name, 0, func(c goja.FunctionCall) goja.Value {
		o := receiver[*operations](iso, c)
		if (o.txn != nil) != txn {
			iso.throwType("Illegal invocation: function called with incorrect `this` reference. " +
				"See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.")
		}
		return f(o, c)
	})
}

// async defines a method whose errors reject its promise.
func (s storageMethods) async(name string, f func(*operations, goja.FunctionCall) goja.Value) {
	s.sync(name, func(o *operations, c goja.FunctionCall) (ret goja.Value) {
		if ex := s.iso.rt.Try(func() { ret = f(o, c) }); ex != nil {
			return s.iso.rejected(ex.Value())
		}
		return ret
	})
}

// store returns the object's storage for code that may use it.
func (i *instance) store() *storage.Store {
	iso := i.class.iso
	iso.checkForeign(i.ctx, "ActorCacheInterface")
	s, err := i.act.Store()
	i.check(err)
	return s
}

// check resets the object when its storage has failed; the code that runs ends.
func (i *instance) check(err error) {
	if err == nil {
		return
	}
	iso := i.class.iso
	i.act.StorageFailed(err)
	if iso.cur.ctx == i.ctx {
		iso.rt.Interrupt(abortMark{})
	}
	iso.throw(durable.StorageError(err))
}

// space returns what a method works on.
func (o *operations) space(method string) keyspace {
	s := o.i.store()
	if o.txn != nil {
		return o.txn.space(s, method)
	}
	return s
}

// storedValue decodes a stored value; one that cannot be decoded is an error
// that names its key.
func (i *instance) storedValue(key string, data []byte) goja.Value {
	v, err := i.class.iso.clone.Decode(data, i.class.iso.cloning.local)
	if err != nil {
		i.class.iso.throw(&durable.Error{Name: "Error", Message: "durashim: the value stored under the key \"" + key + "\" cannot be read: " + err.Error()})
	}
	return v
}

func (i *instance) newMap(entries []storage.Entry) goja.Value {
	iso := i.class.iso
	m := iso.construct(iso.js.mapCtor)
	for _, e := range entries {
		on(iso.js.mapSet, m, iso.rt.ToValue(e.Key), i.storedValue(e.Key, e.Value))
	}
	return m
}

func (o *operations) sync(goja.FunctionCall) goja.Value {
	i := o.i
	i.store()
	if i.act.Mode() == durable.StorageMemory {
		return i.class.iso.soon(1, goja.Undefined())
	}
	d := i.class.iso.newDeferred()
	i.act.Synced(func() { d.later(goja.Undefined) })
	return d.promise
}
