package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// objectID is what a DurableObjectId holds.
type objectID struct {
	id    durable.ObjectID
	named bool   // the id was made from a name
	name  string // "" is a name, too
	ids   durable.IDFactory
}

func (iso *Isolate) newID(id *objectID) *goja.Object {
	proto := iso.prototype("DurableObjectId", nil, func(p *goja.Object) {
		iso.method(p, "toString", 0, func(c goja.FunctionCall) goja.Value {
			return iso.rt.ToValue(receiver[*objectID](iso, c).id.String())
		})
		iso.method(p, "equals", 1, func(c goja.FunctionCall) goja.Value {
			self := receiver[*objectID](iso, c)
			other, ok := hostOf[*objectID](iso, c.Argument(0))
			if !ok {
				iso.throwType("Failed to execute 'equals' on 'DurableObjectId': parameter 1 is not of type 'DurableObjectId'.")
			}
			return iso.rt.ToValue(self.id == other.id)
		})
	})
	o := iso.object(proto, id)
	_ = o.DefineDataProperty("jurisdiction", goja.Undefined(), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	name := goja.Undefined()
	if id.named {
		name = iso.rt.ToValue(id.name)
	}
	_ = o.DefineDataProperty("name", name, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	return o
}

// errJurisdiction is the real runtime's answer where there are no jurisdictions,
// as on a developer's machine.
var errJurisdiction = &durable.Error{Name: "Error", Message: "Jurisdiction restrictions are not implemented in workerd."}

// newNamespace makes the DurableObjectNamespace of a binding.
func (iso *Isolate) newNamespace(ns *durable.Namespace) *goja.Object {
	return iso.object(iso.namespacePrototype(), ns)
}

func (iso *Isolate) namespacePrototype() *goja.Object {
	const class = "DurableObjectNamespace"
	return iso.prototype(class, nil, func(p *goja.Object) {
		str := func(c goja.FunctionCall, method string) string {
			if len(c.Arguments) == 0 {
				iso.throwType("Failed to execute '%s' on '%s': parameter 1 is not of type 'string'.", method, class)
			}
			return c.Argument(0).String()
		}
		iso.method(p, "newUniqueId", 0, func(c goja.FunctionCall) goja.Value {
			ns := receiver[*durable.Namespace](iso, c)
			if o, ok := c.Argument(0).(*goja.Object); ok && !goja.IsUndefined(orUndefined(o.Get("jurisdiction"))) && !goja.IsNull(o.Get("jurisdiction")) {
				iso.throw(errJurisdiction)
			}
			id, err := ns.IDs.Unique(iso.cfg.Random)
			if err != nil {
				iso.throw(err)
			}
			return iso.newID(&objectID{id: id, ids: ns.IDs})
		})
		iso.method(p, "idFromName", 1, func(c goja.FunctionCall) goja.Value {
			ns := receiver[*durable.Namespace](iso, c)
			name := str(c, "idFromName")
			return iso.newID(&objectID{id: ns.IDs.FromName(name), named: true, name: name, ids: ns.IDs})
		})
		iso.method(p, "idFromString", 1, func(c goja.FunctionCall) goja.Value {
			ns := receiver[*durable.Namespace](iso, c)
			id, err := ns.IDs.FromString(str(c, "idFromString"))
			if err != nil {
				iso.throw(err)
			}
			return iso.newID(&objectID{id: id, ids: ns.IDs})
		})
		iso.method(p, "get", 1, func(c goja.FunctionCall) goja.Value {
			ns := receiver[*durable.Namespace](iso, c)
			id, ok := hostOf[*objectID](iso, c.Argument(0))
			if !ok {
				iso.throwType("Failed to execute 'get' on '%s': parameter 1 is not of type 'DurableObjectId'.", class)
			}
			// An id of another namespace is taken (measured on workerd).
			return iso.newObjectStub(ns, id, iso.retryOptions(c.Argument(1)))
		})
		iso.method(p, "getByName", 1, func(c goja.FunctionCall) goja.Value {
			ns := receiver[*durable.Namespace](iso, c)
			name := str(c, "getByName")
			id := &objectID{id: ns.IDs.FromName(name), named: true, name: name, ids: ns.IDs}
			return iso.newObjectStub(ns, id, iso.retryOptions(c.Argument(1)))
		})
		iso.method(p, "jurisdiction", 1, func(goja.FunctionCall) goja.Value {
			iso.throw(errJurisdiction)
			return nil
		})
	})
}

// retryOptions reads the retry field of the options of get and getByName. A
// field of a wrong type is complained about before one out of range, whichever
// comes first (measured on workerd).
func (iso *Isolate) retryOptions(v goja.Value) durable.RetryOptions {
	retry := durable.DefaultRetry()
	opts, ok := v.(*goja.Object)
	if !ok {
		if !goja.IsUndefined(v) && !goja.IsNull(v) {
			iso.throwType("Incorrect type for the 'options' argument: the provided value is not of type 'GetDurableObjectOptions'.")
		}
		return retry
	}
	field := orUndefined(opts.Get("retry"))
	if goja.IsUndefined(field) || goja.IsNull(field) {
		return retry
	}
	o, ok := field.(*goja.Object)
	if !ok {
		iso.throwType("Incorrect type for the 'retry' field on 'GetDurableObjectOptions': the provided value is not of type 'RetryOptions'.")
	}
	number := func(name string) (float64, bool) {
		v := orUndefined(o.Get(name))
		if goja.IsUndefined(v) {
			return 0, false
		}
		switch n := v.Export().(type) {
		case int64:
			if _, isObject := v.(*goja.Object); !isObject {
				return float64(n), true
			}
		case float64:
			if _, isObject := v.(*goja.Object); !isObject {
				return n, true
			}
		}
		iso.throwType("Incorrect type for the '%s' field on 'RetryOptions': the provided value is not of type 'number'.", name)
		return 0, false
	}
	retries, hasRetries := number("maxRetries")
	timeout, hasTimeout := number("timeoutMs")
	if hasRetries {
		if err := retry.SetMaxRetries(retries); err != nil {
			iso.throw(err)
		}
	}
	if hasTimeout {
		if err := retry.SetTimeout(timeout); err != nil {
			iso.throw(err)
		}
	}
	return retry
}

// orUndefined turns goja's nil for a missing property into undefined.
func orUndefined(v goja.Value) goja.Value {
	if v == nil {
		return goja.Undefined()
	}
	return v
}

// errNotImplemented names an API that durashim does not have.
func errNotImplemented(what string) error {
	return &durable.Error{Name: "Error", Message: "durashim does not implement " + what + "."}
}
