package capnptext

import (
	"strings"
	"sync"
)

// schemaText lists what workerd.capnp declares: a line at the margin is a struct
// or, with "enum", an enumeration; indented lines are its fields with their
// types. The first field is number @0. A bar marks the members of the struct's
// unnamed union. Groups and named unions, which have no name of their own in
// workerd.capnp, are named after their field.
const schemaText = `
Config
	services List(Service)
	sockets List(Socket)
	v8Flags List(Text)
	extensions List(Extension)
	autogates List(Text)
	structuredLogging Bool
	logging LoggingOptions
	cluster ClusterConfig
ClusterConfig
	bucket Text
	bucketOptions List(Text)
	address Text
	key Text
	advertise Text
	unsafePublicAddress Bool
	stopTimeoutMs UInt32
	unsafeTimeDivisor UInt32
LoggingOptions
	structuredLogging Bool
	stdoutPrefix Text
	stderrPrefix Text
Socket
	name Text
	address Text
	| http HttpOptions
	| https Socket.https
	| tcp Socket.tcp
	| udp Socket.udp
	service ServiceDesignator
Socket.https
	options HttpOptions
	tlsOptions TlsOptions
Socket.tcp
	tlsOptions TlsOptions
	tlsMode Socket.TcpTlsMode
Socket.udp
	idleTimeoutMs UInt32
	maxPendingBytes UInt32
enum Socket.TcpTlsMode
	implicit
	startTls
Service
	name Text
	| unspecified Void
	| worker Worker
	| network Network
	| external ExternalServer
	| disk DiskDirectory
	| bucket ClusterBucket
	| assets AssetsService
ClusterBucket
	path Text
AssetsService
	path Text
	config Text
	userWorker ServiceDesignator
	compatibilityDate Text
	compatibilityFlags List(Text)
ServiceDesignator
	name Text
	entrypoint Text
	props ServiceDesignator.props
ServiceDesignator.props
	| empty Void
	| json Text
WorkflowsEngine
	actorClass ServiceDesignator
	workflows List(WorkflowsEngine.Workflow)
WorkflowsEngine.Workflow
	className Text
	name Text
	bindingService ServiceDesignator
Worker
	| modules List(Worker.Module)
	| serviceWorkerScript Text
	| inherit Text
	compatibilityDate Text
	compatibilityFlags List(Text)
	bindings List(Worker.Binding)
	globalOutbound ServiceDesignator
	cacheApiOutbound ServiceDesignator
	durableObjectNamespaces List(Worker.DurableObjectNamespace)
	durableObjectUniqueKeyModifier Text
	durableObjectStorage Worker.durableObjectStorage
	moduleFallback Text
	tails List(ServiceDesignator)
	streamingTails List(ServiceDesignator)
	containerEngine Worker.containerEngine
	accessBlobHeader Text
	accessBindingService ServiceDesignator
	workflowsEngine WorkflowsEngine
Worker.durableObjectStorage
	| none Void
	| inMemory Void
	| localDisk Text
Worker.containerEngine
	| none Void
	| localDocker Worker.DockerConfiguration
Worker.DockerConfiguration
	socketPath Text
	containerEgressInterceptorImage Text
	sessionId Text
Worker.Module
	name Text
	| esModule Text
	| commonJsModule Text
	| text Text
	| data Data
	| wasm Data
	| json Text
	| obsolete Text
	| pythonModule Text
	| obsoletePythonRequirement Text
	| bundled Text
	namedExports List(Text)
Worker.Binding
	name Text
	| unspecified Void
	| parameter Worker.Binding.parameter
	| text Text
	| data Data
	| json Text
	| wasmModule Data
	| cryptoKey Worker.Binding.CryptoKey
	| service ServiceDesignator
	| durableObjectClass ServiceDesignator
	| durableObjectNamespace Worker.Binding.DurableObjectNamespaceDesignator
	| kvNamespace ServiceDesignator
	| r2Bucket ServiceDesignator
	| obsolete0 ServiceDesignator
	| wrapped Worker.Binding.WrappedBinding
	| queue ServiceDesignator
	| fromEnvironment Text
	| analyticsEngine ServiceDesignator
	| hyperdrive Worker.Binding.hyperdrive
	| unsafeEval Void
	| memoryCache Worker.Binding.memoryCache
	| workerLoader Worker.Binding.workerLoader
	| workerdDebugPort Void
Worker.Binding.parameter
	type Worker.Binding.Type
	optional Bool
Worker.Binding.hyperdrive
	designator ServiceDesignator
	database Text
	user Text
	password Text
	scheme Text
Worker.Binding.memoryCache
	id Text
	limits Worker.Binding.MemoryCacheLimits
Worker.Binding.workerLoader
	id Text
Worker.Binding.Type
	| unspecified Void
	| text Void
	| data Void
	| json Void
	| wasm Void
	| cryptoKey List(Worker.Binding.CryptoKey.Usage)
	| service Void
	| durableObjectNamespace Void
	| kvNamespace Void
	| r2Bucket Void
	| obsolete0 Void
	| queue Void
	| analyticsEngine Void
	| hyperdrive Void
	| durableObjectClass Void
	| workerdDebugPort Void
Worker.Binding.DurableObjectNamespaceDesignator
	className Text
	serviceName Text
	obsolete2 AnyPointer
Worker.Binding.CryptoKey
	| raw Data
	| hex Text
	| base64 Text
	| pkcs8 Text
	| spki Text
	| jwk Text
	algorithm Worker.Binding.CryptoKey.algorithm
	extractable Bool
	usages List(Worker.Binding.CryptoKey.Usage)
Worker.Binding.CryptoKey.algorithm
	| name Text
	| json Text
enum Worker.Binding.CryptoKey.Usage
	encrypt
	decrypt
	sign
	verify
	deriveKey
	deriveBits
	wrapKey
	unwrapKey
Worker.Binding.MemoryCacheLimits
	maxKeys UInt32
	maxValueSize UInt32
	maxTotalValueSize UInt64
Worker.Binding.WrappedBinding
	moduleName Text
	entrypoint Text
	innerBindings List(Worker.Binding)
Worker.DurableObjectNamespace
	className Text
	| uniqueKey Text
	| ephemeralLocal Void
	preventEviction Bool
	enableSql Bool
	container Worker.DurableObjectNamespace.ContainerOptions
Worker.DurableObjectNamespace.ContainerOptions
	imageName Text
	privileges Worker.DurableObjectNamespace.ContainerOptions.ContainerPrivileges
	images List(Worker.DurableObjectNamespace.ContainerOptions.NamedImage)
Worker.DurableObjectNamespace.ContainerOptions.NamedImage
	name Text
	image Text
Worker.DurableObjectNamespace.ContainerOptions.ContainerPrivileges
	capabilities List(Text)
	devices List(Worker.DurableObjectNamespace.ContainerOptions.ContainerPrivileges.Device)
	securityOpt List(Text)
Worker.DurableObjectNamespace.ContainerOptions.ContainerPrivileges.Device
	pathOnHost Text
	pathInContainer Text
	cgroupPermissions Text
ExternalServer
	address Text
	| http HttpOptions
	| https ExternalServer.https
	| tcp ExternalServer.tcp
ExternalServer.https
	options HttpOptions
	tlsOptions TlsOptions
	certificateHost Text
ExternalServer.tcp
	tlsOptions TlsOptions
	certificateHost Text
Network
	allow List(Text)
	deny List(Text)
	tlsOptions TlsOptions
DiskDirectory
	path Text
	writable Bool
	allowDotfiles Bool
HttpOptions
	style HttpOptions.Style
	forwardedProtoHeader Text
	cfBlobHeader Text
	injectRequestHeaders List(HttpOptions.Header)
	injectResponseHeaders List(HttpOptions.Header)
	capnpConnectHost Text
enum HttpOptions.Style
	host
	proxy
HttpOptions.Header
	name Text
	value Text
TlsOptions
	keypair TlsOptions.Keypair
	requireClientCerts Bool
	trustBrowserCas Bool
	trustedCertificates List(Text)
	minVersion TlsOptions.Version
	cipherList Text
TlsOptions.Keypair
	privateKey Text
	certificateChain Text
enum TlsOptions.Version
	goodDefault
	ssl3
	tls1Dot0
	tls1Dot1
	tls1Dot2
	tls1Dot3
Extension
	modules List(Extension.Module)
Extension.Module
	name Text
	internal Bool
	esModule Text
FallbackServiceRequest
	type Text
	specifier Text
	rawSpecifier Text
	referrer Text
	attributes List(FallbackServiceRequest.Attribute)
FallbackServiceRequest.Attribute
	name Text
	value Text
`

// structType is a struct, or an enumeration: then the fields have no types.
type structType struct {
	name   string
	enum   bool
	fields []schemaField
}

type schemaField struct {
	name, typ string
	union     bool
}

func (s *structType) field(name string) *schemaField {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

func (s *structType) fieldNames() []string {
	var out []string
	for _, f := range s.fields {
		out = append(out, f.name)
	}
	return out
}

// schema returns the types by name.
var schema = sync.OnceValue(func() map[string]*structType {
	types := map[string]*structType{}
	var cur *structType
	for _, line := range strings.Split(strings.Trim(schemaText, "\n"), "\n") {
		if !strings.HasPrefix(line, "\t") {
			name, enum := strings.CutPrefix(line, "enum ")
			cur = &structType{name: name, enum: enum}
			types[name] = cur
			continue
		}
		rest, union := strings.CutPrefix(line[1:], "| ")
		name, typ, _ := strings.Cut(rest, " ")
		cur.fields = append(cur.fields, schemaField{name, typ, union})
	}
	return types
})

// intTypes are the types of integers and their sizes.
var intTypes = map[string]struct {
	signed bool
	bits   int
}{
	"Int8": {true, 8}, "Int16": {true, 16}, "Int32": {true, 32}, "Int64": {true, 64},
	"UInt8": {false, 8}, "UInt16": {false, 16}, "UInt32": {false, 32}, "UInt64": {false, 64},
}

// builtin reports whether a type needs no declaration.
func builtin(name string) bool {
	switch name {
	case "Text", "Data", "Bool", "Void", "Float32", "Float64", "AnyPointer":
		return true
	}
	_, ok := intTypes[name]
	return ok
}
