package config

import (
	"github.com/durashim/durashim/internal/config/capnptext"
	"github.com/durashim/durashim/internal/config/source"
)

func capnpWorker(v *capnptext.Value, name Text) (*Worker, error) {
	w := &Worker{
		Name:               name,
		Pos:                v.Pos,
		CompatibilityDate:  textOf(v.Get("compatibilityDate")),
		CompatibilityFlags: textList(v.Get("compatibilityFlags")),
		UniqueKeyModifier:  textOf(v.Get("durableObjectUniqueKeyModifier")),
		GlobalOutbound:     serviceRef(v.Get("globalOutbound")),
		CacheAPIOutbound:   serviceRef(v.Get("cacheApiOutbound")),
		Tails:              serviceRefs(v.Get("tails")),
		StreamingTails:     serviceRefs(v.Get("streamingTails")),
		ModuleFallback:     textOf(v.Get("moduleFallback")),
	}
	if err := checkDate(w.CompatibilityDate); err != nil {
		return nil, err
	}
	switch m := v.Member(); {
	case m == nil:
		return nil, source.Errorf(v.Pos, "worker %q has neither modules nor a serviceWorkerScript", name.Value)
	case m.Name == "modules":
		if len(m.Value.Items) == 0 {
			return nil, source.Errorf(m.Value.Pos, "worker %q has no modules: the list is empty", name.Value)
		}
		for _, item := range m.Value.Items {
			mod, err := capnpModule(item)
			if err != nil {
				return nil, err
			}
			w.Modules = append(w.Modules, mod)
		}
	case m.Name == "serviceWorkerScript":
		w.ServiceWorkerScript = textOf(m.Value)
	default:
		w.Unsupported = append(w.Unsupported, Unsupported{"Worker." + m.Name, m.Pos})
	}
	for _, item := range list(v.Get("bindings")) {
		b, err := capnpBinding(item, name.Value)
		if err != nil {
			return nil, err
		}
		w.Bindings = append(w.Bindings, b)
	}
	for _, item := range list(v.Get("durableObjectNamespaces")) {
		n, err := capnpNamespace(item)
		if err != nil {
			return nil, err
		}
		w.Namespaces = append(w.Namespaces, n)
	}
	if s := v.Get("durableObjectStorage"); s != nil {
		w.Storage = capnpStorage(s)
	}
	for _, f := range []string{"accessBlobHeader", "accessBindingService", "workflowsEngine", "containerEngine"} {
		w.unsupported(v, f)
	}
	return w, nil
}

// unsupported marks a field if it is set, other than to "none".
func (w *Worker) unsupported(v *capnptext.Value, name string) {
	for _, f := range v.Fields {
		if m := f.Value.Member(); f.Name == name && (m == nil || m.Name != "none") {
			w.Unsupported = append(w.Unsupported, Unsupported{"Worker." + name, f.Pos})
		}
	}
}

func capnpStorage(v *capnptext.Value) Storage {
	s := Storage{Pos: v.Pos}
	switch m := v.Member(); {
	case m == nil:
	case m.Name == "inMemory":
		s.Kind = StorageInMemory
	case m.Name == "localDisk":
		s.Kind, s.Disk = StorageLocalDisk, textOf(m.Value)
	}
	return s
}

func capnpModule(v *capnptext.Value) (*Module, error) {
	m := &Module{Name: textOf(v.Get("name")), NamedExports: textList(v.Get("namedExports")), Pos: v.Pos}
	content := v.Member()
	if content == nil {
		return nil, source.Errorf(v.Pos, "module %q has no content", m.Name.Value)
	}
	m.Kind = ModuleKind(content.Name)
	m.Content = []byte(content.Value.Text)
	m.ContentPos = content.Value.Pos
	if m.Embedded = content.Value.Embedded; m.Embedded != "" {
		m.ContentPos = Pos{File: m.Embedded, Line: 1, Col: 1}
	}
	return m, nil
}

func capnpNamespace(v *capnptext.Value) (*DurableObjectNamespace, error) {
	n := &DurableObjectNamespace{
		ClassName:       textOf(v.Get("className")),
		PreventEviction: flag(v.Get("preventEviction")),
		EnableSQL:       flag(v.Get("enableSql")),
		Pos:             v.Pos,
		Unsupported:     leftover(v, "className", "uniqueKey", "ephemeralLocal", "preventEviction", "enableSql"),
	}
	if m := v.Member(); m != nil && m.Name == "ephemeralLocal" {
		n.Ephemeral = true
	} else if m != nil {
		n.UniqueKey = textOf(m.Value)
	}
	return n, nil
}

func capnpBinding(v *capnptext.Value, worker string) (*Binding, error) {
	b := &Binding{Name: textOf(v.Get("name")), Pos: v.Pos}
	m := v.Member()
	if m == nil || m.Name == "unspecified" {
		return nil, source.Errorf(v.Pos, "binding %q of worker %q does not specify a value", b.Name.Value, worker)
	}
	b.Kind = BindingKind(m.Name)
	switch b.Kind {
	case BindingText, BindingJSON, BindingFromEnvironment:
		b.Text, b.File = textOf(m.Value), m.Value.Embedded
	case BindingData, BindingWasm:
		b.Data, b.File = []byte(m.Value.Text), m.Value.Embedded
	case BindingService, BindingDOClass, BindingKV, BindingR2, BindingQueue, BindingAnalytics:
		b.Service = serviceRef(m.Value)
	case BindingDONamespace:
		b.DurableObject = &DurableObjectRef{
			ClassName:   textOf(m.Value.Get("className")),
			ServiceName: textOf(m.Value.Get("serviceName")),
			Pos:         m.Value.Pos,
		}
	case BindingWrapped:
		return b, capnpWrapped(b, m.Value, worker)
	case BindingMemoryCache:
		b.MemoryCache = capnpMemoryCache(m.Value)
	case BindingWorkerLoader:
		b.Text = textOf(m.Value.Get("id"))
	case BindingUnsafeEval, BindingDebugPort:
	default:
		b.Unsupported = []Unsupported{{"Worker.Binding." + m.Name, m.Pos}}
	}
	return b, nil
}

func capnpWrapped(b *Binding, v *capnptext.Value, worker string) error {
	b.Wrapped = &Wrapped{
		ModuleName: textOf(v.Get("moduleName")),
		Entrypoint: Text{Value: "default"},
		Pos:        v.Pos,
	}
	if e := v.Get("entrypoint"); e != nil {
		b.Wrapped.Entrypoint = textOf(e)
	}
	for _, item := range list(v.Get("innerBindings")) {
		inner, err := capnpBinding(item, worker)
		if err != nil {
			return err
		}
		b.Wrapped.Inner = append(b.Wrapped.Inner, inner)
	}
	return nil
}

func capnpMemoryCache(v *capnptext.Value) *MemoryCache {
	limits := v.Get("limits")
	number := func(name string) uint64 {
		if n := limits.Get(name); n != nil {
			return n.Uint
		}
		return 0
	}
	return &MemoryCache{
		ID:                textOf(v.Get("id")),
		MaxKeys:           uint32(number("maxKeys")),
		MaxValueSize:      uint32(number("maxValueSize")),
		MaxTotalValueSize: number("maxTotalValueSize"),
		Pos:               v.Pos,
	}
}
