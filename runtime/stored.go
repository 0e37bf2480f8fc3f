package runtime

import (
	"errors"
	"maps"
	"slices"

	"github.com/durashim/durashim/durable/storage"
)

// Stored is what one object has stored.
type Stored struct {
	Namespace string // the binding of the first worker, or the class if there is none
	storage.Dump
}

// Stored returns what the objects that were in use have stored, writes that are
// not confirmed yet included, by namespace and id. It is for tests: nothing should
// run meanwhile.
func (rt *Runtime) Stored() ([]Stored, error) {
	var all []Stored
	var errs []error
	for _, w := range rt.workers {
		for _, class := range slices.Sorted(maps.Keys(w.namespaces)) {
			ns := w.namespaces[class]
			name := class
			for _, b := range rt.workers[0].env {
				if b.Namespace != nil && b.Namespace.Transport == ns.transport {
					name = b.Name
					break
				}
			}
			dumps, err := ns.storage.Dump()
			errs = append(errs, err)
			for _, d := range dumps {
				all = append(all, Stored{name, d})
			}
		}
	}
	return all, errors.Join(errs...)
}
