package wasm

import "strconv"

// The engine shows Go no tables, no references and no start function, and has
// no cheap way to stop a loop. So a module is rewritten before it is compiled:
//
//   - imports are renamed to consecutive numbers of one module, so that each is
//     bound on its own, even two of the same name and different types;
//   - exported functions give access to its tables, and a table of its own
//     holds one reference to each function that references may escape to;
//   - the start function is exported instead of started, because only an
//     instance that exists can be stopped;
//   - every loop, and every function that calls others, counts down and now and
//     then visits Go, for two reasons. There it sees whether it is to stop. And
//     Go cannot interrupt compiled code: without visits the garbage collector,
//     and with it the whole process, would wait for a long computation to end.
//     It costs little, where the engine's own way
//     (RuntimeConfig.WithCloseOnContextDone), a visit in each round, makes a
//     tight loop fifteen times slower and a call from Go twenty times;
//   - custom sections are left out.
//
// What is added comes last in each index space, so nothing is renumbered.
const (
	hidden      = "\x00durashim." // begins the names of the exports added
	hiddenHalt  = hidden + "halt"
	hiddenStart = hidden + "start"
	hiddenRef   = hidden + "ref"
	linkModule  = "link"
)

// The globals that are added, after the module's own.
const (
	haltGlobal  = iota // not 0: stop
	countGlobal        // rounds until the next visit to Go
	addedGlobals
)

// yield is the function that visits Go: growing a table by nothing is the
// cheapest instruction that does.
func (b *binary) yield() []byte {
	code := appendSLEB([]byte{opI32Const}, yieldAfter)
	code = appendULEB(append(code, opGlobalSet), uint64(len(b.globals)+countGlobal))
	code = append(code, opRefNull, byte(Funcref), opI32Const, 0, opPrefix, subTableGrow)
	code = appendULEB(code, uint64(len(b.tables)))
	code = append(code, opDrop, opGlobalGet)
	code = appendULEB(code, uint64(len(b.globals)+haltGlobal))
	return append(code, opIf, blockVoid, opUnreachable, opEnd)
}

func hiddenTable(op string, i int) string { return hidden + "table." + op + strconv.Itoa(i) }
func hiddenGlobal(i int) string           { return hidden + "global." + strconv.Itoa(i) }

// hiddenRefs tells whether the module gets a table of references.
func (b *binary) hiddenRefs() bool { return b.escapes && len(b.declared) > 0 }

func (b *binary) rewrite() []byte {
	w := &writer{b: append(make([]byte, 0, len(b.bodies)*2), magic...)}
	helpers := b.helpers()

	types := &writer{b: append([]byte(nil), b.raw[secType]...)}
	funcs := &writer{b: append([]byte(nil), b.raw[secFunction]...)}
	code := &writer{b: b.bodies}
	exports := &writer{b: append([]byte(nil), b.raw[secExport]...)}
	exported := b.rawCount[secExport]
	export := func(name string, k Kind, i int) {
		exports.export(name, k, uint32(i))
		exported++
	}
	for i, h := range helpers {
		types.funcType(&h.typ)
		funcs.count(len(b.types) + i)
		code.body(h.code)
		if h.name != "" {
			export(h.name, KindFunc, len(b.funcs)+i)
		}
	}
	export(hiddenHalt, KindGlobal, len(b.globals)+haltGlobal)
	if b.start >= int64(b.importedFuncs) {
		export(hiddenStart, KindFunc, int(b.start))
	}
	for i, g := range b.globals[b.importedGlobals:] {
		if g.Value == Externref {
			export(hiddenGlobal(b.importedGlobals+i), KindGlobal, b.importedGlobals+i)
		}
	}

	imports := &writer{}
	for i := range b.imports {
		im := &b.imports[i]
		imports.name(linkModule)
		imports.name(strconv.Itoa(i))
		b.importType(imports, i, im)
	}
	tables := &writer{}
	for _, t := range b.tables[b.importedTables:] {
		tables.table(t)
	}
	elems := &writer{b: append([]byte(nil), b.raw[secElement]...)}
	extra := 0 // element segments
	n := uint64(0)
	if b.hiddenRefs() {
		n = uint64(len(b.declared))
	}
	tables.byte(byte(Funcref))
	tables.limits(Limits{Min: n, Max: n, HasMax: true})
	if n > 0 {
		extra = 1
		elems.byte(2)
		elems.count(len(b.tables))
		elems.byte(opI32Const, 0, opEnd, 0)
		elems.count(len(b.declared))
		for _, f := range b.declared {
			elems.u32(f)
		}
	}
	globals := &writer{b: append([]byte(nil), b.raw[secGlobal]...)}
	globals.byte(byte(I32), 1, opI32Const, 0, opEnd)
	globals.byte(byte(I32), 1, opI32Const)
	globals.sleb(yieldAfter)
	globals.byte(opEnd)

	w.section(secType, len(b.types)+len(helpers), types.b)
	w.section(secImport, len(b.imports), imports.b)
	w.section(secFunction, b.rawCount[secFunction]+len(helpers), funcs.b)
	w.section(secTable, b.rawCount[secTable]+1, tables.b)
	w.section(secMemory, b.rawCount[secMemory], b.raw[secMemory])
	w.section(secTag, b.rawCount[secTag], b.raw[secTag])
	w.section(secGlobal, b.rawCount[secGlobal]+addedGlobals, globals.b)
	w.section(secExport, exported, exports.b)
	w.section(secElement, b.rawCount[secElement]+extra, elems.b)
	if b.raw[secDataCount] != nil {
		w.byte(secDataCount)
		n := appendULEB(nil, uint64(b.rawCount[secDataCount]))
		w.count(len(n))
		w.byte(n...)
	}
	w.section(secCode, len(b.ops)+len(helpers), code.b)
	w.section(secData, b.rawCount[secData], b.raw[secData])
	return w.b
}

// importType writes the kind and type of import i.
func (b *binary) importType(w *writer, i int, im *ImportType) {
	w.byte(byte(im.Type.Kind))
	nth := 0 // among the imports of its kind
	for _, o := range b.imports[:i] {
		if o.Type.Kind == im.Type.Kind {
			nth++
		}
	}
	switch im.Type.Kind {
	case KindFunc:
		w.u32(b.funcs[nth])
	case KindTable:
		w.byte(byte(im.Type.Table.Elem))
		w.limits(im.Type.Table.Limits)
	case KindMemory:
		w.limits(im.Type.Memory)
	case KindGlobal:
		w.global(im.Type.Global)
	case KindTag:
		w.byte(0)
		w.u32(b.tags[nth])
	}
}

// helper is a function that the rewriter adds and, if it has a name, exports.
type helper struct {
	name string
	typ  FuncType
	code []byte
}

func (b *binary) helpers() []helper {
	var hs []helper
	add := func(name string, params, results []ValueType, code ...byte) {
		hs = append(hs, helper{name, FuncType{params, results}, code})
	}
	add("", nil, nil, b.yield()...) // the first, see instrument
	for i := b.importedTables; i < len(b.tables); i++ {
		t, at := b.tables[i].Elem, appendULEB(nil, uint64(i))
		op := func(code ...byte) []byte { return append(code, at...) }
		add(hiddenTable("get", i), []ValueType{I32}, []ValueType{t}, op(opLocalGet, 0, opTableGet)...)
		add(hiddenTable("set", i), []ValueType{I32, t}, nil, op(opLocalGet, 0, opLocalGet, 1, opTableSet)...)
		add(hiddenTable("grow", i), []ValueType{I32, t}, []ValueType{I32}, op(opLocalGet, 1, opLocalGet, 0, opPrefix, subTableGrow)...)
		add(hiddenTable("size", i), nil, []ValueType{I32}, op(opPrefix, subTableSize)...)
	}
	if b.hiddenRefs() {
		add(hiddenRef, []ValueType{I32}, []ValueType{Funcref}, appendULEB([]byte{opLocalGet, 0, opTableGet}, uint64(len(b.tables)))...)
	}
	return hs
}
