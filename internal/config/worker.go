package config

// Worker is one Worker (struct Worker of workerd.capnp, and a wrangler file's
// top level).
type Worker struct {
	// Name is the name of the service: the worker name in a wrangler file.
	Name Text
	Pos  Pos

	// Main is the path of the entry file, absolute, to be bundled; only wrangler
	// files have it, and then Modules is empty.
	Main Text
	// Bundle says how; nil exactly if Main is not set.
	Bundle *Bundle
	// Modules are the modules, the main module first; only Cap'n Proto files
	// have them. Empty if ServiceWorkerScript is set.
	Modules []*Module
	// ServiceWorkerScript is the script of a worker in the old syntax.
	ServiceWorkerScript Text

	// CompatibilityDate is YYYY-MM-DD; not set if the file has none.
	CompatibilityDate  Text
	CompatibilityFlags []Text

	Bindings   []*Binding
	Namespaces []*DurableObjectNamespace
	Storage    Storage
	// UniqueKeyModifier is durableObjectUniqueKeyModifier.
	UniqueKeyModifier Text

	// GlobalOutbound takes the global fetch(). Nil stands for the default, the
	// service "internet".
	GlobalOutbound   *ServiceRef
	CacheAPIOutbound *ServiceRef
	Tails            []*ServiceRef
	StreamingTails   []*ServiceRef
	// ModuleFallback is the address of the module fallback service.
	ModuleFallback Text
	// Crons are wrangler's triggers.crons.
	Crons []Text

	Unsupported []Unsupported
}

// Binding returns the binding of that name, or nil.
func (w *Worker) Binding(name string) *Binding {
	for _, b := range w.Bindings {
		if b.Name.Value == name {
			return b
		}
	}
	return nil
}

// Namespace returns the namespace of that class, or nil.
func (w *Worker) Namespace(class string) *DurableObjectNamespace {
	for _, n := range w.Namespaces {
		if n.ClassName.Value == class {
			return n
		}
	}
	return nil
}

// ModuleKind is a member of the union in struct Worker.Module of workerd.capnp;
// its text is the member's name.
type ModuleKind string

// The kinds of module. The values are the names in workerd.capnp.
const (
	ModuleES       ModuleKind = "esModule"
	ModuleCommonJS ModuleKind = "commonJsModule"
	ModuleText     ModuleKind = "text"
	ModuleData     ModuleKind = "data"
	ModuleWasm     ModuleKind = "wasm"
	ModuleJSON     ModuleKind = "json"
	// The kinds below have no meaning without V8 or Python; they are kept so
	// that a later stage can name them.
	ModulePython            ModuleKind = "pythonModule"
	ModulePythonRequirement ModuleKind = "obsoletePythonRequirement"
	ModuleBundled           ModuleKind = "bundled"
	ModuleObsolete          ModuleKind = "obsolete"
)

// Module is one module of a worker.
type Module struct {
	Name    Text
	Kind    ModuleKind
	Content []byte
	// ContentPos is where the content is written: the value, or 1:1 of the file
	// that was embedded.
	ContentPos Pos
	// Embedded is the path of the embedded file; "" if the content is in the
	// configuration itself.
	Embedded string
	// NamedExports are the names a commonJsModule exports.
	NamedExports []Text
	Pos          Pos
}

// Bundle says how a wrangler worker's Main becomes modules
// (https://developers.cloudflare.com/workers/wrangler/configuration/#bundling).
type Bundle struct {
	// NoBundle says that Main and what it imports are used as they are.
	NoBundle bool
	// Rules say what kind of module an imported file becomes. They are the rules
	// of the file; wrangler's defaults, which follow them, are not included.
	Rules []Rule
	// FindAdditionalModules adds every file below BaseDir (the directory of
	// Main if that is not set) that a rule matches.
	FindAdditionalModules bool
	BaseDir               Text
	// Define replaces names by expressions, Alias module names by others.
	Define, Alias []Pair
	// TSConfig is the path of tsconfig.json, absolute; not set for the default.
	TSConfig Text
	// JSXFactory and JSXFragment are the functions that JSX calls.
	JSXFactory, JSXFragment Text
}

// Pair is one member of an object of strings.
type Pair struct {
	Name  string
	Value Text
}

// Rule gives the files that match one of Globs the module type Type
// (https://developers.cloudflare.com/workers/wrangler/configuration/#bundling).
type Rule struct {
	// Type is ESModule, CommonJS, Text, Data, CompiledWasm, PythonModule or
	// PythonRequirement.
	Type  Text
	Globs []Text
	// Fallthrough lets later rules of the same type apply too.
	Fallthrough bool
	Pos         Pos
}

// StorageKind says where the objects of a worker keep their data (union
// durableObjectStorage of workerd.capnp).
type StorageKind int

const (
	// StorageNone is the default: workers with namespaces are refused.
	StorageNone StorageKind = iota
	// StorageInMemory keeps all in memory; workerd has no SQLite there.
	StorageInMemory
	// StorageLocalDisk keeps one folder per unique key in a disk service.
	StorageLocalDisk
)

// String returns the name in workerd.capnp.
func (k StorageKind) String() string {
	switch k {
	case StorageInMemory:
		return "inMemory"
	case StorageLocalDisk:
		return "localDisk"
	}
	return "none"
}

// Storage is the union durableObjectStorage of workerd.capnp.
type Storage struct {
	Kind StorageKind
	// Disk is the name of the disk service, for StorageLocalDisk.
	Disk Text
	Pos  Pos
}

// DurableObjectNamespace declares a class of Durable Objects (struct
// Worker.DurableObjectNamespace of workerd.capnp).
type DurableObjectNamespace struct {
	ClassName Text
	// UniqueKey names the namespace for ever: the ids are derived from it, and
	// the folder is named after it. Not set for ephemeral namespaces. A wrangler
	// file's classes have `<worker name>-<class>`.
	UniqueKey Text
	// Ephemeral is ephemeralLocal: any string is an id, nothing is stored.
	Ephemeral bool
	// EnableSQL gives the objects SQLite storage.
	EnableSQL bool
	// PreventEviction keeps idle objects in memory.
	PreventEviction bool
	Pos             Pos
	Unsupported     []Unsupported
}
