package config

import (
	"errors"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// internet is the service that exists without being declared (comment of
// Config.services in workerd.capnp).
const internet = "internet"

// Validate checks what the parts of the configuration say about each other, as
// workerd does when it starts: services that are referred to exist, namespaces
// have storage, storage is on a disk service. The wording is workerd's. All
// problems are returned, joined (errors.Join), each an [*Error] with its place.
//
// A wrangler project names workers that live elsewhere, so a reference from it
// to a service that does not exist is not reported; the caller sees what it has.
// Entrypoints are not checked: only the code tells which there are.
func (c *Config) Validate() error {
	v := &validator{c: c}
	for _, s := range c.Sockets {
		ref := s.Service
		if ref == nil {
			ref = &ServiceRef{Pos: s.Pos}
		}
		if v.missing(ref.Name.Value) {
			v.fail(ref.Pos, "Socket %q refers to a service %q, but no such service is defined.", s.Name.Value, ref.Name.Value)
		}
	}
	for _, s := range c.Services {
		if s.Worker != nil {
			v.worker(s.Worker)
		}
	}
	return errors.Join(v.errs...)
}

type validator struct {
	c    *Config
	errs []error
}

func (v *validator) fail(pos Pos, format string, args ...any) {
	v.errs = append(v.errs, source.Errorf(pos, format, args...))
}

func (v *validator) missing(service string) bool {
	return v.c.Service(service) == nil && service != internet
}

func (v *validator) worker(w *Worker) {
	v.ref(w, w.GlobalOutbound, "globalOutbound")
	v.ref(w, w.CacheAPIOutbound, "cacheApiOutbound")
	for _, t := range w.Tails {
		v.ref(w, t, "tails")
	}
	for _, t := range w.StreamingTails {
		v.ref(w, t, "streamingTails")
	}
	v.bindings(w, w.Bindings)
	v.storage(w)
}

// ref reports a designator of a worker whose service does not exist.
func (v *validator) ref(w *Worker, ref *ServiceRef, what string) {
	if ref != nil && v.c.Format != FormatWrangler && v.missing(ref.Name.Value) {
		v.fail(ref.Pos, "Worker %q's %s refers to a service %q, but no such service is defined.", w.Name.Value, what, ref.Name.Value)
	}
}

func (v *validator) bindings(w *Worker, bindings []*Binding) {
	for _, b := range bindings {
		v.ref(w, b.Service, "binding \""+b.Name.Value+"\"")
		if b.DurableObject != nil {
			v.namespace(w, b)
		}
		if b.Wrapped != nil {
			v.bindings(w, b.Wrapped.Inner)
		}
	}
}

func (v *validator) namespace(w *Worker, b *Binding) {
	class, name := b.DurableObject.ClassName.Value, b.DurableObject.ServiceName
	if !name.IsSet() {
		if w.Namespace(class) == nil {
			v.fail(b.DurableObject.Pos, "Worker %q's binding %q refers to a Durable Object namespace named %q, but no such Durable Object namespace is defined by this Worker.",
				w.Name.Value, b.Name.Value, class)
		}
		return
	}
	s := v.c.Service(name.Value)
	switch {
	case s == nil && v.c.Format == FormatWrangler:
	case s == nil:
		v.fail(name.Pos, "Worker %q's binding %q refers to a service %q, but no such service is defined.", w.Name.Value, b.Name.Value, name.Value)
	case s.Worker == nil || s.Worker.Namespace(class) == nil:
		v.fail(b.DurableObject.Pos, "Worker %q's binding %q refers to a Durable Object namespace named %q in service %q, but no such Durable Object namespace is defined by that service.",
			w.Name.Value, b.Name.Value, class, name.Value)
	}
}

func (v *validator) storage(w *Worker) {
	stored := false
	for _, n := range w.Namespaces {
		if n.Ephemeral {
			continue
		}
		stored = true
		if key := n.UniqueKey.Value; w.Storage.Kind == StorageLocalDisk && !pathComponent(key) {
			pos := n.UniqueKey.Pos
			if !n.UniqueKey.IsSet() {
				pos = n.Pos
			}
			v.fail(pos, "the unique key %q of class %q cannot be the name of a directory", key, n.ClassName.Value)
		}
	}
	switch w.Storage.Kind {
	case StorageNone:
		if stored {
			v.fail(w.Namespaces[0].Pos, "Worker service %q implements durable object classes but has `durableObjectStorage` set to `none`.", w.Name.Value)
		}
	case StorageLocalDisk:
		name := w.Storage.Disk
		switch s := v.c.Service(name.Value); {
		case s == nil:
			v.fail(name.Pos, "durableObjectStorage config refers to a service %q, but no such service is defined.", name.Value)
		case s.Disk == nil:
			v.fail(name.Pos, "durableObjectStorage config refers to the service %q, but that service is not a local disk service.", name.Value)
		case !s.Disk.Writable:
			v.fail(name.Pos, "durableObjectStorage config refers to the disk service %q, but that service is defined read-only.", name.Value)
		}
	}
}

// pathComponent reports whether a name is that of a file in a directory, and not
// a path that leads elsewhere.
func pathComponent(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}
