package wasm

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// Value is a number given for the import of an immutable global.
type Value uint64

// Resolver gives what import n of a module is bound to: a [HostFunc] or *[Func]
// for a function, a *[Table], *[Memory], *[Global] or *[Tag], or a [Value] for
// an immutable global. It is called for all imports before anything else happens:
// for the memory first, then for the others in order, as in V8. Its errors are
// returned unchanged.
type Resolver func(n int, im *ImportType) (any, error)

// Instantiate makes an instance. The start function has not run, see
// [Instance.Start].
//
// The error is a [*LinkError] for imports that do not fit, a [*Trap] for a
// segment that does not fit (what earlier segments wrote stays written), or the
// resolver's.
func (s *Store) Instantiate(m *Module, resolve Resolver) (*Instance, error) {
	i := &Instance{
		module: m, store: s, group: &group{},
		funcs: make(map[uint32]*Func), tables: make(map[uint32]*Table),
		globals: make(map[uint32]*Global), tags: make(map[uint32]*Tag),
	}
	given := make([]any, len(m.Imports))
	for _, n := range m.bin.order {
		im := &m.Imports[n]
		v, err := resolve(n, im)
		if err != nil {
			return nil, err
		}
		if text := s.mismatch(&im.Type, v); text != "" {
			if rest, ok := strings.CutPrefix(text, tablePrefix); ok {
				return nil, &LinkError{Import: -1, Text: tablePrefix + strconv.Itoa(n) + " " + rest}
			}
			return nil, &LinkError{Import: n, Module: im.Module, Name: im.Name, Text: text}
		}
		given[n] = v
	}
	link, err := i.link(given)
	if err != nil {
		return nil, err
	}
	i.mod, err = s.e.instantiate(m.code, "", func(string) api.Module { return link })
	if err != nil {
		return nil, i.instantiation(err)
	}
	i.halt = i.mod.ExportedGlobal(hiddenHalt).(api.MutableGlobal)
	if err := i.finish(); err != nil {
		return nil, err
	}
	return i, nil
}

// mismatch says why v cannot be bound to an import; "" means that it can.
func (s *Store) mismatch(t *ExternType, v any) string {
	switch v := v.(type) {
	case HostFunc:
		if t.Kind == KindFunc {
			return ""
		}
	case *Func:
		if t.Kind != KindFunc {
			break
		}
		if v.Instance.store != s {
			return errOtherStore.Error()
		}
		if !t.Func.equal(v.typ) {
			return "imported function does not match the expected type"
		}
		return ""
	case *Table:
		if t.Kind == KindTable {
			return tableMismatch(s, t.Table, v)
		}
	case *Memory:
		if t.Kind == KindMemory {
			return memoryMismatch(s, t.Memory, v)
		}
	case *Global:
		if t.Kind == KindGlobal {
			return globalMismatch(s, t.Global, v)
		}
	case Value:
		if t.Kind == KindGlobal && !t.Global.Mutable {
			return ""
		}
	case *Tag:
		if t.Kind == KindTag {
			if !t.Func.equal(v.typ) {
				return "imported tag does not match the expected type"
			}
			return ""
		}
	}
	return fmt.Sprintf("a %T is no %s", v, t.Kind)
}

// tablePrefix begins the texts in which V8 names an import by its number only.
const tablePrefix = "table import "

func tableMismatch(s *Store, want TableType, t *Table) string {
	have := t.current()
	switch {
	case t.store != s:
		return errOtherStore.Error()
	case have.Min < want.Min:
		return fmt.Sprintf(tablePrefix+"is smaller than initial %d, got %d", want.Min, have.Min)
	case want.HasMax && !have.HasMax:
		return fmt.Sprintf(tablePrefix+"has no maximum length; required: %d", want.Max)
	case want.HasMax && have.Max > want.Max:
		// V8 writes the first number as hexadecimal.
		return fmt.Sprintf(tablePrefix+"has a larger maximum size %x than the module's declared maximum %d", have.Max, want.Max)
	case want.Elem != have.Elem:
		return "imported table does not match the expected type"
	}
	return ""
}

func memoryMismatch(s *Store, want Limits, m *Memory) string {
	have := m.current()
	switch {
	case m.store != s:
		return errOtherStore.Error()
	case want.Shared:
		return "shared memories are not supported"
	case have.Min < want.Min:
		return fmt.Sprintf("memory import has %d pages which is smaller than the declared initial of %d", have.Min, want.Min)
	case want.HasMax && !have.HasMax:
		return "memory import has no maximum limit, expected at most 4294967295" // V8's number, whatever the maximum
	case want.HasMax && have.Max > want.Max:
		return fmt.Sprintf("memory import has a larger maximum size %d than the module's declared maximum %d", have.Max, want.Max)
	}
	return ""
}

func globalMismatch(s *Store, want GlobalType, g *Global) string {
	switch {
	case g.store != s:
		return errOtherStore.Error()
	case g.typ.Mutable != want.Mutable:
		return "imported global does not match the expected mutability"
	case g.typ.Value != want.Value:
		return "imported global does not match the expected type"
	case !g.link():
		return "an immutable global that Go or JavaScript made of a reference cannot be imported"
	}
	return ""
}

// link makes the one module that all imports are bound to, from what they were
// given. Where only Go functions are imported that is a host module; otherwise
// a generated module collects the objects under the numbers of the imports.
func (i *Instance) link(given []any) (api.Module, error) {
	hosts := make(map[int]*Func)
	nth := [5]uint32{} // by kind: position in the index space
	for n, v := range given {
		kind := i.module.Imports[n].Type.Kind
		index := nth[kind]
		nth[kind]++
		switch v := v.(type) {
		case HostFunc:
			f := &Func{Index: index, Instance: i, typ: i.module.Imports[n].Type.Func, native: v}
			f.name, f.exported = i.exportName(KindFunc, index)
			i.funcs[index], hosts[n] = f, f
		case *Func:
			i.funcs[index] = v
			i.group.join(v.Instance.group)
			if v.native != nil || !v.exported {
				// The engine cannot link to it, but Go can call it.
				hosts[n] = &Func{Instance: i, typ: v.typ, native: v.Call}
			}
		case *Table:
			i.tables[index] = v
			v.keepInstance(i)
		case *Memory:
			i.memory = v
			i.group.join(v.group)
		case *Global:
			i.globals[index] = v
			i.group.join(v.group)
		case Value:
			g := i.store.NewGlobal(i.module.Imports[n].Type.Global, uint64(v))
			i.globals[index], given[n] = g, g
			if !g.link() {
				im := &i.module.Imports[n]
				return nil, &LinkError{Import: n, Module: im.Module, Name: im.Name, Text: "an immutable global cannot be given a reference"}
			}
		case *Tag:
			i.tags[index] = v
		}
	}
	var host api.Module
	if len(hosts) > 0 {
		var err error
		if host, err = i.store.e.hostModule(hosts); err != nil {
			return nil, err
		}
	}
	if len(hosts) == len(given) {
		return host, nil
	}
	w, providers := i.linkBinary(given, hosts, host)
	return i.store.e.instantiate(i.store.e.compileHelper(w), "", func(name string) api.Module { return providers[name] })
}

// linkBinary writes a module that imports everything and exports it again.
func (i *Instance) linkBinary(given []any, hosts map[int]*Func, host api.Module) (*writer, map[string]api.Module) {
	providers := make(map[string]api.Module)
	types, imports, exports := &writer{}, &writer{}, &writer{}
	ntypes := uint32(0)
	nth := [5]uint32{}
	for n, v := range given {
		num := strconv.Itoa(n)
		put := func(p provider, k Kind) {
			providers[num] = p.mod
			imports.name(num)
			imports.name(p.name)
			imports.byte(byte(k))
			exports.export(num, k, nth[k])
			nth[k]++
		}
		t := &i.module.Imports[n].Type
		switch v := v.(type) {
		case *Table:
			put(v.prov, KindTable)
			c := v.current()
			imports.table(c)
		case *Memory:
			put(v.prov, KindMemory)
			imports.limits(v.current())
		case *Global:
			put(v.prov, KindGlobal)
			imports.global(v.typ)
		case *Tag:
			put(v.prov, KindTag)
			types.funcType(v.typ)
			imports.byte(0)
			imports.u32(ntypes)
			ntypes++
		default:
			p := provider{mod: host, name: num}
			if f, ok := v.(*Func); ok && hosts[n] == nil {
				p = provider{mod: f.Instance.mod, name: f.name}
			}
			put(p, KindFunc)
			types.funcType(t.Func)
			imports.u32(ntypes)
			ntypes++
		}
	}
	w := &writer{b: append([]byte(nil), magic...)}
	w.section(secType, int(ntypes), types.b)
	w.section(secImport, len(given), imports.b)
	w.section(secExport, len(given), exports.b)
	return w, providers
}

var dataError = regexp.MustCompile(`^data\[(\d+)\]: out of bounds`)

// instantiation makes an error of this package from one of the engine.
func (i *Instance) instantiation(err error) error {
	m := dataError.FindStringSubmatch(err.Error())
	if m == nil {
		return &LinkError{Import: -1, Text: err.Error()}
	}
	n, _ := strconv.Atoi(m[1])
	seg := i.module.bin.datas[n]
	t := &Trap{Code: TrapDataOutOfBounds, Text: fmt.Sprintf("data segment %d is out of bounds", n)}
	if offset, ok := i.constant(seg.offset); ok {
		size := uint64(0)
		if i.memory != nil {
			size = uint64(i.memory.Size())
		} else if ms := i.module.bin.memories; len(ms) > 0 {
			size = ms[0].Min * PageSize
		}
		t.Text += fmt.Sprintf(" (offset %d, length %d, memory size %d)", offset, seg.n, size)
	}
	return t
}

func (s *Store) background() context.Context { return context.Background() }
