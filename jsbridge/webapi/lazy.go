package webapi

import "github.com/dop251/goja"

// Lazy defines a property of o whose value is made when a script first reads it.
// Other parts of the runtime define their globals with it.
func (a *API) Lazy(o *goja.Object, name string, make func() goja.Value) { a.lazyGlobal(o, name, make) }
