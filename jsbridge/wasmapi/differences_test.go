package wasmapi

// differences are the lines of the golden file that this package does not
// follow, by reason: workerd's line and ours. TestGolden keeps the list true.
var differences = []struct {
	reason string
	lines  [][2]string
}{
	{"JSTag, Suspending, promising and SuspendError are missing", [][2]string{
		{`ns => "compile:wec(compile/1) validate:wec(validate/1) instantiate:wec(instantiate/1) Module:wc(Module/1) Instance:wc(Instance/1) Table:wc(Table/1) Memory:wc(Memory/1) Global:wc(Global/1) Tag:wc(Tag/1) JSTag:c=[object WebAssembly.Tag]{} Exception:wc(Exception/2) CompileError:wc(CompileError/1) LinkError:wc(LinkError/1) RuntimeError:wc(RuntimeError/1) Suspending:wc(Suspending/1) promising:wec(promising/1) SuspendError:wc(SuspendError/1) Symbol(Symbol.toStringTag):c=\"WebAssembly\""`,
			`ns => "compile:wec(compile/1) validate:wec(validate/1) instantiate:wec(instantiate/1) Module:wc(Module/1) Instance:wc(Instance/1) Table:wc(Table/1) Memory:wc(Memory/1) Global:wc(Global/1) Tag:wc(Tag/1) Exception:wc(Exception/2) CompileError:wc(CompileError/1) LinkError:wc(LinkError/1) RuntimeError:wc(RuntimeError/1) Symbol(Symbol.toStringTag):c=\"WebAssembly\""`},
	}},
	{"no AbstractModuleSource, and instanceof is the ordinary one", [][2]string{
		{`Module desc => "length:c=1 name:c=\"Module\" prototype:=[object WebAssembly.Module]{constructor: function Module, Symbol(Symbol.toStringTag): \"WebAssembly.Module\"} imports:wec(imports/1) exports:wec(exports/1) customSections:wec(customSections/2) Symbol(Symbol.hasInstance):wec(/0)"`,
			`Module desc => "length:c=1 name:c=\"Module\" prototype:=[object WebAssembly.Module]{constructor: function Module, Symbol(Symbol.toStringTag): \"WebAssembly.Module\"} imports:wec(imports/1) exports:wec(exports/1) customSections:wec(customSections/2)"`},
		{`Module proto => function AbstractModuleSource`,
			`Module proto => function `},
	}},
	{"exceptions of WebAssembly are not supported in JavaScript", [][2]string{
		{`Tag new() => THROWS [object Error] TypeError: WebAssembly.Tag(): Argument 0 must be a tag type`,
			`Tag new() => THROWS [object Error] TypeError: WebAssembly.Tag(): exceptions of WebAssembly are not supported in JavaScript`},
		{`Exception desc => THROWS [object Error] TypeError: WebAssembly.Exception.stack(): Receiver is not a WebAssembly.Exception`,
			`Exception desc => "length:c=2 name:c=\"Exception\" prototype:=[object WebAssembly.Exception]{constructor: function Exception, Symbol(Symbol.toStringTag): \"WebAssembly.Exception\"}"`},
		{`Exception.prototype => "constructor:wc(Exception/2) getArg:wec(getArg/2) is:wec(is/1) stack:ecG(get stack/0) Symbol(Symbol.toStringTag):c=\"WebAssembly.Exception\""`,
			`Exception.prototype => "constructor:wc(Exception/2) Symbol(Symbol.toStringTag):c=\"WebAssembly.Exception\""`},
		{`Exception new() => THROWS [object Error] TypeError: WebAssembly.Exception(): Argument 0 must be a WebAssembly tag`,
			`Exception new() => THROWS [object Error] TypeError: WebAssembly.Exception(): exceptions of WebAssembly are not supported in JavaScript`},
		{`Tag => [true, 2, false, [object WebAssembly.Tag]{}]`,
			`Tag => THROWS [object Error] TypeError: WebAssembly.Tag(): exceptions of WebAssembly are not supported in JavaScript`},
		{`Tag{} => THROWS [object Error] TypeError: WebAssembly.Tag(): Argument 0 must be a tag type with 'parameters'`,
			`Tag{} => THROWS [object Error] TypeError: WebAssembly.Tag(): exceptions of WebAssembly are not supported in JavaScript`},
	}},
	{"goja's wording", [][2]string{
		{`compileStreaming => REJECTS [object Error] TypeError: W.compileStreaming is not a function`,
			`compileStreaming => REJECTS [object Error] TypeError: Object has no member 'compileStreaming'`},
		{`instantiateStreaming => REJECTS [object Error] TypeError: W.instantiateStreaming is not a function`,
			`instantiateStreaming => REJECTS [object Error] TypeError: Object has no member 'instantiateStreaming'`},
		{`assign2 => THROWS [object Error] TypeError: Cannot assign to read only property 'add' of object '[object Object]'`,
			`assign2 => THROWS [object Error] TypeError: Cannot assign to read only property 'add'`},
		{`new fn => THROWS [object Error] TypeError: e.add is not a constructor`,
			`new fn => THROWS [object Error] TypeError: Value is not a constructor`},
	}},
	{"the engine does not tell the two traps apart", [][2]string{
		{`ci oob => THROWS [object Error] RuntimeError: table index is out of bounds`,
			`ci oob => THROWS [object Error] RuntimeError: null function`},
	}},
	{"growing by nothing inside WebAssembly leaves no trace", [][2]string{
		{`wasm grow 0 => [3, 0, false]`,
			`wasm grow 0 => [3, 196608, true]`},
	}},
	{"no shared memories", [][2]string{
		{`Memory shared => [object WebAssembly.Memory]{}`,
			`Memory shared => THROWS [object Error] TypeError: WebAssembly.Memory(): shared memories are not supported`},
	}},
	{"no 64-bit addresses", [][2]string{
		{`Memory address => [object WebAssembly.Memory]{}`,
			`Memory address => THROWS [object Error] TypeError: WebAssembly.Memory(): memories with 64-bit addresses are not supported`},
	}},
}
