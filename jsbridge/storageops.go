package jsbridge

import (
	"fmt"
	"slices"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
)

// Limits of storage in memory. A value may be longer than its limit says
// (measured on workerd).
const (
	maxMemoryKey   = 2048
	maxMemoryValue = 131072
	memoryLeeway   = 34
	maxMemoryPairs = 128
)

// atHand are the jobs after which the answer comes to what needs no wait.
const atHand = 2

func (i *instance) rangeError(format string, args ...any) {
	i.class.iso.throw(&durable.Error{Name: "RangeError", Message: fmt.Sprintf(format, args...)})
}

func (i *instance) checkKey(key string) {
	if len(key) > maxMemoryKey && i.act.Mode() == durable.StorageMemory {
		i.rangeError("Keys cannot be larger than %d bytes. A key of size %d was provided.", maxMemoryKey, len(key))
	}
}

func (o *operations) get(c goja.FunctionCall) goja.Value {
	i := o.i
	key, list := o.keys(c, "get")
	concurrent := flag(o.options(c, "get", 2, "GetOptions"), "allowConcurrency")
	s := o.space("get")
	if list == nil {
		i.checkKey(key)
		data, found, err := s.Get(key)
		i.check(err)
		v := goja.Undefined()
		if found {
			v = i.storedValue(key, data)
		}
		return o.answer(!found && o.unknown(key), concurrent, v)
	}
	if len(list) > maxMemoryPairs && i.act.Mode() == durable.StorageMemory {
		i.rangeError("Maximum number of key value pairs is %d. %d pairs were provided.", maxMemoryPairs, len(list))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	wait := false
	var entries []storage.Entry
	for _, key := range list {
		i.checkKey(key)
		data, found, err := s.Get(key)
		i.check(err)
		if found {
			entries = append(entries, storage.Entry{Key: key, Value: data})
		} else if o.unknown(key) {
			wait = true
		}
	}
	return o.answer(wait, concurrent, i.newMap(entries))
}

// answer returns the promise of a result that is at hand, or had to be read.
func (o *operations) answer(read, concurrent bool, v goja.Value) goja.Value {
	if read || o.i.act.Unavailable() {
		return o.i.read(concurrent, v)
	}
	return o.i.class.iso.soon(atHand, v)
}

func (o *operations) list(c goja.FunctionCall) goja.Value {
	i := o.i
	opts := o.options(c, "list", 1, "ListOptions")
	l := i.class.iso.listOptions(opts)
	concurrent := flag(opts, "allowConcurrency")
	entries, err := o.space("list").Entries(l)
	i.check(err)
	i.listing = nil
	read := i.act.Mode() == durable.StorageMemory && !i.cached.all
	if read && l == (storage.ListOptions{Reverse: l.Reverse}) {
		i.cached.all = true
	}
	return o.answer(read, concurrent, i.newMap(entries))
}

func (i *instance) encodeStored(key string, v goja.Value) storage.Entry {
	iso := i.class.iso
	i.checkKey(key)
	data, err := iso.clone.Encode(nil, v, iso.cloning.stored)
	if err != nil {
		iso.throw(err)
	}
	if len(data) > maxMemoryValue+memoryLeeway && i.act.Mode() == durable.StorageMemory {
		i.rangeError("Values cannot be larger than %d bytes. A value of size %d was provided.", maxMemoryValue, len(data))
	}
	return storage.Entry{Key: key, Value: data}
}

func (o *operations) put(c goja.FunctionCall) goja.Value {
	i, iso := o.i, o.i.class.iso
	if len(c.Arguments) == 0 {
		o.badArgument("put", 1, "string or object")
	}
	opts := o.options(c, "put", 3, "PutOptions")
	if _, array := isArray(c.Arguments[0]); !array {
		if dict, ok := c.Arguments[0].(*goja.Object); ok {
			return o.putMany(c, dict, opts)
		}
	}
	key, value := iso.keyOf(c.Arguments[0]), c.Argument(1)
	if goja.IsUndefined(value) {
		iso.throwType("put() called with undefined value.")
	}
	e := i.encodeStored(key, value)
	i.check(o.space("put").Put(e.Key, e.Value))
	return o.wrote(opts)
}

// putMany is put with an object of keys and values.
func (o *operations) putMany(c goja.FunctionCall, dict, third *goja.Object) goja.Value {
	i, iso := o.i, o.i.class.iso
	second := c.Argument(1)
	opts, ok := second.(*goja.Object)
	if third != nil || !ok && !goja.IsUndefined(second) && !goja.IsNull(second) {
		iso.throwType("put() may only be called with a single key-value pair and optional options as put(key, value, options) " +
			"or with multiple key-value pairs and optional options as put(entries, options)")
	}
	var entries []storage.Entry
	for _, k := range dict.Keys() {
		if v := orUndefined(dict.Get(k)); !goja.IsUndefined(v) {
			entries = append(entries, i.encodeStored(k, v))
		}
	}
	s := o.space("put")
	if st, ok := s.(*storage.Store); ok {
		i.check(st.PutMany(entries))
	} else {
		for _, e := range entries {
			i.check(s.Put(e.Key, e.Value))
		}
	}
	return o.wrote(opts)
}

// wrote returns the promise of a write, which is accepted at once.
func (o *operations) wrote(opts *goja.Object) goja.Value {
	o.changed(flag(opts, "allowUnconfirmed"))
	return o.i.class.iso.soon(atHand, goja.Undefined())
}

// changed sees to it that what was written becomes durable. What a transaction
// keeps apart waits for its end.
func (o *operations) changed(unconfirmed bool) {
	if o.txn == nil || o.txn.overlay == nil {
		o.i.act.Wrote(unconfirmed)
	}
}

func (o *operations) delete(c goja.FunctionCall) goja.Value {
	i, iso := o.i, o.i.class.iso
	key, list := o.keys(c, "delete")
	opts := o.options(c, "delete", 2, "PutOptions")
	s := o.space("delete")
	single := list == nil
	if single {
		list = []string{key}
	}
	for _, key := range list {
		i.checkKey(key)
	}
	n, wait := 0, false
	for _, key := range list {
		unknown := o.unknown(key) // it is known to be missing afterwards
		found, err := s.Delete(key)
		i.check(err)
		if found {
			n++
		} else if unknown {
			wait = true
		}
	}
	o.changed(flag(opts, "allowUnconfirmed"))
	if single {
		return o.answer(wait, false, iso.rt.ToValue(n > 0))
	}
	return o.answer(wait, false, iso.rt.ToValue(n))
}

func (o *operations) deleteAll(c goja.FunctionCall) goja.Value {
	i, iso := o.i, o.i.class.iso
	opts := o.options(c, "deleteAll", 1, "PutOptions")
	if o.txn != nil || i.act.InTransaction() {
		iso.throw(&durable.Error{Name: "Error", Message: "Cannot call deleteAll() within a transaction"})
	}
	i.check(i.store().DeleteAll(!iso.compat("delete_all_deletes_alarm")))
	i.cached.all = true
	return o.wrote(opts)
}

// cache is what a namespace in memory knows to be missing. It decides nothing
// but when an answer comes: the real runtime has a cache there and looks up only
// what that does not tell.
type cache struct {
	all     bool // everything was listed or deleted
	missing map[string]struct{}
}

// maxMissing bounds the memory that a cache takes.
const maxMissing = 10_000

// unknown reports whether it takes a read to know that a key is missing, and
// notes that it is known from now on.
func (o *operations) unknown(key string) bool {
	i := o.i
	if i.act.Mode() != durable.StorageMemory || i.cached.all || o.txn != nil && o.txn.overlay.Written(key) {
		return false
	}
	if _, ok := i.cached.missing[key]; ok {
		return false
	}
	if i.cached.missing == nil || len(i.cached.missing) >= maxMissing {
		i.cached.missing = make(map[string]struct{})
	}
	i.cached.missing[key] = struct{}{}
	return true
}
