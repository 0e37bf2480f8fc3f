package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// newStorage makes the DurableObjectStorage of an object in memory.
//
// Reads are modelled as asynchronous, although the store is not: their result
// arrives in a later turn, and until then the input gate is closed. A put is
// accepted at once and becomes durable after the turn.
func (iso *Isolate) newStorage(i *instance) *goja.Object {
	proto := iso.prototype("DurableObjectStorage", nil, func(p *goja.Object) {
		op := func(name string, length int, f func(*instance, *storage.Store, goja.FunctionCall) goja.Value) {
			iso.method(p, name, length, func(c goja.FunctionCall) goja.Value {
				i := receiver[*instance](iso, c)
				var ret goja.Value
				ex := iso.rt.Try(func() {
					s, err := i.act.Store()
					if err != nil {
						iso.throw(err)
					}
					ret = f(i, s, c)
				})
				if ex != nil {
					return iso.settled(func() goja.Value { panic(ex.Value()) })
				}
				return ret
			})
		}
		op("get", 1, (*instance).storageGet)
		op("put", 2, (*instance).storagePut)
		op("delete", 1, (*instance).storageDelete)
		op("list", 0, (*instance).storageList)
		op("deleteAll", 0, (*instance).storageDeleteAll)
		op("sync", 0, (*instance).storageSync)
		for _, name := range []string{"transaction", "transactionSync", "getAlarm", "setAlarm", "deleteAlarm",
			"getCurrentBookmark", "getBookmarkForTime", "onNextSessionRestoreBookmark"} {
			iso.method(p, name, 0, func(goja.FunctionCall) goja.Value {
				iso.throw(errNotImplemented("DurableObjectStorage." + name + "()"))
				return nil
			})
		}
		for _, name := range []string{"sql", "kv"} {
			iso.getter(p, name, func(goja.FunctionCall) goja.Value {
				iso.throw(errNotImplemented("DurableObjectStorage." + name))
				return nil
			})
		}
	})
	return iso.object(proto, i)
}

// storageResult returns a promise that a later turn settles; the input gate is
// closed until then.
func (i *instance) storageResult(make func() goja.Value) goja.Value {
	iso := i.class.iso
	d := iso.newDeferred()
	gate := d.frame.gate
	if d.frame.ctx != i.ctx || gate == nil {
		gate = i.act.In
	}
	gate.Lock()
	iso.Loop.Post(func() {
		iso.turn(d.frame, func() { d.settle(make) })
		gate.Unlock()
	})
	return d.promise
}

// storedValue decodes a stored value; one that cannot be decoded is an error
// that names its key.
func (i *instance) storedValue(key string, data []byte) goja.Value {
	v, err := i.class.iso.clone.Decode(data, jsclone.Options{})
	if err != nil {
		i.class.iso.throw(&durable.Error{Name: "Error", Message: "durashim: the value stored under the key \"" + key + "\" cannot be read: " + err.Error()})
	}
	return v
}

func (i *instance) newMap(entries []storage.Entry) goja.Value {
	iso := i.class.iso
	m := iso.construct(iso.rt.GlobalObject().Get("Map").(*goja.Object))
	set, _ := goja.AssertFunction(m.Get("set"))
	for _, e := range entries {
		if _, ex := iso.call(set, m, iso.rt.ToValue(e.Key), i.storedValue(e.Key, e.Value)); ex != nil {
			panic(ex)
		}
	}
	return m
}

// keys reads an argument that is a key or an array of keys.
func (i *instance) keys(c goja.FunctionCall, method string) (key string, list []string) {
	iso := i.class.iso
	v := c.Argument(0)
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "Array" {
		list = []string{}
		iso.rt.ForOf(o, func(v goja.Value) bool {
			list = append(list, v.String())
			return true
		})
		return "", list
	}
	if len(c.Arguments) == 0 || goja.IsUndefined(v) {
		iso.throwType("Failed to execute '%s' on 'DurableObjectStorageOperations': parameter 1 is not of type 'string or Array'.", method)
	}
	return v.String(), nil
}

func (i *instance) storageGet(s *storage.Store, c goja.FunctionCall) goja.Value {
	iso := i.class.iso
	key, list := i.keys(c, "get")
	if list == nil {
		data, found, err := s.Get(key)
		if err != nil {
			iso.throw(err)
		}
		return i.storageResult(func() goja.Value {
			if !found {
				return goja.Undefined()
			}
			return i.storedValue(key, data)
		})
	}
	values, err := s.GetMany(list)
	if err != nil {
		iso.throw(err)
	}
	var entries []storage.Entry
	for n, v := range values {
		if v != nil {
			entries = append(entries, storage.Entry{Key: list[n], Value: v})
		}
	}
	return i.storageResult(func() goja.Value { return i.newMap(entries) })
}

func (i *instance) encodeStored(v goja.Value) []byte {
	iso := i.class.iso
	if goja.IsUndefined(v) {
		iso.throwType("put() called with undefined value.")
	}
	data, err := iso.clone.Encode(nil, v, jsclone.Options{})
	if err != nil {
		iso.throw(err)
	}
	return data
}

func (i *instance) storagePut(s *storage.Store, c goja.FunctionCall) goja.Value {
	iso := i.class.iso
	if o, ok := c.Argument(0).(*goja.Object); ok {
		var entries []storage.Entry
		for _, k := range o.Keys() {
			if v := o.Get(k); !goja.IsUndefined(v) {
				entries = append(entries, storage.Entry{Key: k, Value: i.encodeStored(v)})
			}
		}
		if err := s.PutMany(entries); err != nil {
			iso.throw(err)
		}
		return i.wrote(c.Argument(1))
	}
	if len(c.Arguments) < 2 {
		i.keys(c, "put")
		i.encodeStored(goja.Undefined())
	}
	if err := s.Put(c.Argument(0).String(), i.encodeStored(c.Argument(1))); err != nil {
		iso.throw(err)
	}
	return i.wrote(c.Argument(2))
}

// wrote returns the promise of a put: it is accepted at once.
func (i *instance) wrote(options goja.Value) goja.Value {
	i.act.Wrote(i.option(options, "allowUnconfirmed"))
	return i.class.iso.settled(goja.Undefined)
}

func (i *instance) option(v goja.Value, name string) bool {
	o, ok := v.(*goja.Object)
	return ok && orUndefined(o.Get(name)).ToBoolean()
}

func (i *instance) storageDelete(s *storage.Store, c goja.FunctionCall) goja.Value {
	iso := i.class.iso
	key, list := i.keys(c, "delete")
	var result any
	var err error
	if list == nil {
		result, err = s.Delete(key)
	} else {
		result, err = s.DeleteMany(list)
	}
	if err != nil {
		iso.throw(err)
	}
	i.act.Wrote(i.option(c.Argument(1), "allowUnconfirmed"))
	return i.storageResult(func() goja.Value { return iso.rt.ToValue(result) })
}

func (i *instance) storageDeleteAll(s *storage.Store, c goja.FunctionCall) goja.Value {
	if err := s.DeleteAll(!i.class.iso.compat("delete_all_deletes_alarm")); err != nil {
		i.class.iso.throw(err)
	}
	i.act.Wrote(i.option(c.Argument(0), "allowUnconfirmed"))
	return i.storageResult(goja.Undefined)
}

func (i *instance) storageSync(_ *storage.Store, _ goja.FunctionCall) goja.Value {
	iso := i.class.iso
	d := iso.newDeferred()
	i.act.Out.Leave(func() { d.later(goja.Undefined) })
	return d.promise
}

func (i *instance) storageList(s *storage.Store, c goja.FunctionCall) goja.Value {
	iso := i.class.iso
	var o storage.ListOptions
	if opts, ok := c.Argument(0).(*goja.Object); ok {
		str := func(name string) *string {
			if v := orUndefined(opts.Get(name)); !goja.IsUndefined(v) && !goja.IsNull(v) {
				s := v.String()
				return &s
			}
			return nil
		}
		start := str("start")
		o.Start, o.StartAfter, o.End, o.Prefix = deref(start), str("startAfter"), str("end"), deref(str("prefix"))
		o.Reverse = orUndefined(opts.Get("reverse")).ToBoolean()
		if v := orUndefined(opts.Get("limit")); !goja.IsUndefined(v) && !goja.IsNull(v) {
			n := v.ToInteger()
			if n <= 0 {
				iso.throwType("List limit must be positive.")
			}
			o.Limit = int(n)
		}
		if start != nil && o.StartAfter != nil {
			iso.throwType("list() cannot be called with both start and startAfter values.")
		}
	}
	var entries []storage.Entry
	it := s.List(o)
	for it.Next() {
		entries = append(entries, storage.Entry{Key: it.Key(), Value: it.Value()})
	}
	if err := it.Err(); err != nil {
		iso.throw(err)
	}
	return i.storageResult(func() goja.Value { return i.newMap(entries) })
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
