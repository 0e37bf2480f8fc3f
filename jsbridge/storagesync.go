package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
)

// What is refused where a namespace has no SQLite (measured on workerd).
const (
	noSQLOnDisk = "SQL is not enabled for this Durable Object class. To enable it, change `new_classes` to `new_sqlite_classes` within the 'migrations' " +
		"field in your wrangler.jsonc or wrangler.toml file. If using workerd directly,set `enableSql = true` in your workerd config for the class. " +
		"Note that this change cannot be made after the class is already deployed to production."
	noSQLInMemory = "This Durable Object is not backed by SQLite storage, so the SQL API is not available. SQL can be enabled on a new Durable Object " +
		"class by using the `new_sqlite_classes` instead of `new_classes` under `[[migrations]]` in your wrangler.toml, but an already-deployed class " +
		"cannot be converted to SQLite (except by deleting the existing data)."
	noKV = "The storage.kv (synchronous KV) API is only available for SQLite-backed Durable Objects, but this object's namespace is not declared to use " +
		"SQLite. You can use the older, asyncronous interface via methods of `storage` itself (e.g. `storage.get()`). "
	noKVOnDisk = noKV + "Alternatively, to enable SQLite, change `new_classes` to `new_sqlite_classes` within the 'migrations' field in your " +
		"wrangler.jsonc or wrangler.toml file. If using workerd directly, set `enableSql = true` in your workerd config for the class. " +
		"Note that this change cannot be made after the class is already deployed to production."
	noKVInMemory = noKV + "SQLite can be enabled on a new Durable Object class by using the `new_sqlite_classes` instead of `new_classes` under " +
		"`migrations` in your wrangler.jsonc or wrangler.toml, but an already-deployed class cannot be converted to SQLite (except by deleting the " +
		"existing data)."
	noRecovery = "This Durable Object's storage back-end does not implement point-in-time recovery."
)

// needSQL throws where the namespace has no SQLite.
func (i *instance) needSQL(onDisk, inMemory string) {
	message := ""
	switch i.act.Mode() {
	case durable.StorageKV:
		message = onDisk
	case durable.StorageMemory:
		message = inMemory
	default:
		return
	}
	i.class.iso.throw(&durable.Error{Name: "Error", Message: message})
}

// newSQL makes the SqlStorage of an object.
func (iso *Isolate) newSQL(o *operations) *goja.Object {
	proto := iso.prototype("SqlStorage", nil, func(p *goja.Object) {
		missing := func(name string) native {
			return func(c goja.FunctionCall) goja.Value {
				receiver[*operations](iso, c).i.needSQL(noSQLOnDisk, noSQLInMemory)
				iso.throw(errNotImplemented("SqlStorage." + name))
				return nil
			}
		}
		iso.method(p, "exec", 0, missing("exec()"))
		iso.getter(p, "databaseSize", missing("databaseSize"))
	})
	return iso.object(proto, o)
}

// newSyncKV makes the SyncKvStorage of an object.
func (iso *Isolate) newSyncKV(o *operations) *goja.Object {
	proto := iso.prototype("SyncKvStorage", nil, func(p *goja.Object) {
		method := func(name string, f func(*operations, *storage.Store, goja.FunctionCall) goja.Value) {
			iso.method(p, name, 0, func(c goja.FunctionCall) goja.Value {
				o := receiver[*operations](iso, c)
				o.i.needSQL(noKVOnDisk, noKVInMemory)
				return f(o, o.i.store(), c)
			})
		}
		method("get", (*operations).kvGet)
		method("list", (*operations).kvList)
		method("put", (*operations).kvPut)
		method("delete", (*operations).kvDelete)
	})
	return iso.object(proto, o)
}

// kvKey reads the key of a synchronous method.
func (o *operations) kvKey(c goja.FunctionCall, method string) string {
	iso := o.i.class.iso
	if len(c.Arguments) == 0 {
		iso.throwType("Failed to execute '%s' on 'SyncKvStorage': parameter 1 is not of type 'string'.", method)
	}
	return iso.keyOf(c.Arguments[0])
}

func (o *operations) kvGet(s *storage.Store, c goja.FunctionCall) goja.Value {
	key := o.kvKey(c, "get")
	data, found, err := s.Get(key)
	o.i.check(err)
	if !found {
		return goja.Undefined()
	}
	return o.i.storedValue(key, data)
}

func (o *operations) kvPut(s *storage.Store, c goja.FunctionCall) goja.Value {
	key := o.kvKey(c, "put")
	if len(c.Arguments) < 2 {
		o.i.class.iso.throwType("Failed to execute 'put' on 'SyncKvStorage': parameter 2 is not of type 'Value'.")
	}
	e := o.i.encodeStored(key, c.Arguments[1])
	o.i.check(s.Put(e.Key, e.Value))
	o.i.act.Wrote(false)
	return goja.Undefined()
}

func (o *operations) kvDelete(s *storage.Store, c goja.FunctionCall) goja.Value {
	found, err := s.Delete(o.kvKey(c, "delete"))
	o.i.check(err)
	o.i.act.Wrote(false)
	return o.i.class.iso.rt.ToValue(found)
}

// kvIterator walks a kv.list(). It is live.
type kvIterator struct {
	i    *instance
	it   *storage.Iter
	done bool
}

// kvList returns an iterator. Only one is valid at a time: the next kv.list(), or
// list(), ends it unless it has come to its end (measured on workerd).
func (o *operations) kvList(s *storage.Store, c goja.FunctionCall) goja.Value {
	i, iso := o.i, o.i.class.iso
	var opts *goja.Object
	if v := c.Argument(0); !goja.IsUndefined(v) && !goja.IsNull(v) {
		var ok bool
		if opts, ok = v.(*goja.Object); !ok {
			iso.throwType("Failed to execute 'list' on 'SyncKvStorage': parameter 1 is not of type 'ListOptions'.")
		}
	}
	k := &kvIterator{i: i, it: s.List(iso.listOptions(opts))}
	i.listing = k
	proto := iso.prototype("ListIterator", iso.js.iteratorProto, func(p *goja.Object) {
		iso.method(p, "next", 0, func(c goja.FunctionCall) goja.Value { return receiver[*kvIterator](iso, c).next() })
		self := iso.function("[Symbol.iterator]", 0, func(c goja.FunctionCall) goja.Value { return c.This })
		_ = p.DefineDataPropertySymbol(goja.SymIterator, self, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	})
	return iso.object(proto, k)
}

func (k *kvIterator) next() goja.Value {
	i, rt := k.i, k.i.class.iso.rt
	if !k.done && i.listing != k {
		i.class.iso.throw(&durable.Error{Name: "Error", Message: "kv.list() iterator was invalidated because a new call to kv.list() was started. " +
			"Only one kv.list() iterator can exist at a time."})
	}
	i.store()
	step := rt.NewObject()
	if !k.done && k.it.Next() {
		key := k.it.Key()
		_ = step.Set("done", false)
		_ = step.Set("value", rt.NewArray(key, i.storedValue(key, k.it.Value())))
		return step
	}
	if !k.done {
		i.check(k.it.Err())
		k.done = true
	}
	_ = step.Set("done", true)
	_ = step.Set("value", goja.Undefined())
	return step
}

// currentBookmark: there is no history, so there is one bookmark.
func (o *operations) currentBookmark(goja.FunctionCall) goja.Value {
	if o.i.act.Mode() == durable.StorageMemory {
		return o.noRecovery(goja.FunctionCall{})
	}
	o.i.store()
	return o.i.class.iso.soon(1, o.i.class.iso.rt.ToValue("00000000-00000000-00000000-00000000000000000000000000000000"))
}

func (o *operations) bookmarkForTime(c goja.FunctionCall) goja.Value {
	v := c.Argument(0)
	_, isObject := v.(*goja.Object)
	if t := v.ExportType(); !(isObject && v.(*goja.Object).ClassName() == "Date") && (isObject || t != typeInt && t != typeFloat) {
		o.badArgument("getBookmarkForTime", 1, "date")
	}
	return o.noRecovery(c)
}

func (o *operations) noRecovery(goja.FunctionCall) goja.Value {
	o.i.store()
	o.i.class.iso.throw(&durable.Error{Name: "Error", Message: noRecovery})
	return nil
}
