package config

// BindingKind is a member of the union in struct Worker.Binding of
// workerd.capnp; its text is the member's name.
type BindingKind string

// The kinds of binding. The comment says which fields of [Binding] hold the
// value.
const (
	BindingText            BindingKind = "text"                   // Text
	BindingJSON            BindingKind = "json"                   // Text: JSON source
	BindingData            BindingKind = "data"                   // Data
	BindingWasm            BindingKind = "wasmModule"             // Data
	BindingFromEnvironment BindingKind = "fromEnvironment"        // Text: the variable
	BindingService         BindingKind = "service"                // Service
	BindingDOClass         BindingKind = "durableObjectClass"     // Service
	BindingDONamespace     BindingKind = "durableObjectNamespace" // DurableObject
	BindingKV              BindingKind = "kvNamespace"            // Service
	BindingR2              BindingKind = "r2Bucket"               // Service
	BindingQueue           BindingKind = "queue"                  // Service
	BindingAnalytics       BindingKind = "analyticsEngine"        // Service
	BindingWrapped         BindingKind = "wrapped"                // Wrapped
	BindingUnsafeEval      BindingKind = "unsafeEval"             // nothing
	BindingMemoryCache     BindingKind = "memoryCache"            // MemoryCache
	BindingWorkerLoader    BindingKind = "workerLoader"           // Text: the id
	BindingDebugPort       BindingKind = "workerdDebugPort"       // nothing
	// The value of these is not held: the binding carries an Unsupported.
	BindingCryptoKey   BindingKind = "cryptoKey"
	BindingHyperdrive  BindingKind = "hyperdrive"
	BindingParameter   BindingKind = "parameter"
	BindingUnspecified BindingKind = "unspecified"
	BindingObsolete0   BindingKind = "obsolete0"
)

// Binding is one property of `env` (struct Worker.Binding of workerd.capnp).
// Kind says which of the other fields holds the value.
type Binding struct {
	Name Text
	Kind BindingKind
	Pos  Pos

	// Text is the value of text, json and fromEnvironment bindings, and the id
	// of workerLoader ones.
	Text Text
	// Data is the value of data and wasmModule bindings, File the file it was
	// read from, if it was.
	Data []byte
	File string

	Service       *ServiceRef
	DurableObject *DurableObjectRef
	Wrapped       *Wrapped
	MemoryCache   *MemoryCache

	Unsupported []Unsupported
}

// DurableObjectRef points to a namespace (struct DurableObjectNamespaceDesignator
// of workerd.capnp).
type DurableObjectRef struct {
	ClassName Text
	// ServiceName is the service whose worker declares the class; not set for
	// the worker that has the binding.
	ServiceName Text
	Pos         Pos
}

// Wrapped is a binding that an extension module makes from others (struct
// WrappedBinding of workerd.capnp).
type Wrapped struct {
	ModuleName Text
	// Entrypoint is the export that makes the binding; its value is "default"
	// if the file says nothing.
	Entrypoint Text
	Inner      []*Binding
	Pos        Pos
}

// MemoryCache is a cache in memory (group memoryCache of workerd.capnp). The
// limits are zero if the file says nothing.
type MemoryCache struct {
	// ID names a cache that several workers share; not set for a private one.
	ID Text
	// MaxKeys counts entries; MaxValueSize and MaxTotalValueSize count bytes.
	MaxKeys, MaxValueSize uint32
	MaxTotalValueSize     uint64
	Pos                   Pos
}
