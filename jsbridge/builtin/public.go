package builtin

import "strings"

// A module that Workers may import: the script that implements it and the
// names it exports, in the order of its exports object.
type module struct {
	file  string
	names []string
}

// fileOf finds the script of a specifier: "node:NAME" and "NAME" for what
// Workers may import, "internal:NAME" for what the scripts share.
func fileOf(specifier string) (string, bool) {
	if file, ok := strings.CutPrefix(specifier, "internal:"); ok {
		_, ok := compiled[file]
		return file, ok
	}
	m, ok := public[strings.TrimPrefix(specifier, "node:")]
	return m.file, ok
}

const assertNames = `fail deepStrictEqual notDeepStrictEqual strictEqual notStrictEqual
	partialDeepStrictEqual match doesNotMatch throws rejects doesNotThrow doesNotReject ifError
	Assert AssertionError ok strict equal notEqual deepEqual notDeepEqual default`

const pathNames = `resolve normalize isAbsolute join relative toNamespacedPath dirname basename
	extname format parse matchesGlob sep delimiter win32 posix default`

const processNames = `assert version versions title argv argv0 execArgv arch platform pid ppid getegid getgid getgroups
	geteuid getuid setegid setgid setgroups seteuid setuid initgroups setSourceMapsEnabled nextTick emitWarning env exit
	abort getBuiltinModule features allowedNodeEnvironmentFlags kill ref unref chdir cwd umask hrtime uptime exitCode
	channel connected binding debugPort dlopen getActiveResourcesInfo setUncaughtExceptionCaptureCallback
	hasUncaughtExceptionCaptureCallback memoryUsage noDeprecation release traceDeprecation throwDeprecation
	sourceMapsEnabled threadCpuUsage cpuUsage execPath constrainedMemory availableMemory execve moduleLoadList
	_linkedBinding domain stdin stdout stderr _events _eventsCount _maxListeners default`

var public = map[string]module{
	"assert":        {"assert", strings.Fields(assertNames)},
	"assert/strict": {"assert", strings.Fields(assertNames)},
	"util": {"util", strings.Fields(`types callbackify promisify inspect format formatWithOptions
		stripVTControlCharacters inherits _extend MIMEParams MIMEType toUSVString log aborted debuglog
		debug deprecate getSystemErrorMap getSystemErrorMessage getSystemErrorName TextEncoder
		TextDecoder parseArgs parseEnv styleText transferableAbortController transferableAbortSignal
		getCallSite getCallSites isDeepStrictEqual convertProcessSignalToExitCode setTraceSigInt diff
		_errnoException _exceptionWithHostPort isArray isBoolean isBuffer isDate isError isFunction
		isNull isNullOrUndefined isNumber isObject isPrimitive isRegExp isString isSymbol isUndefined
		default`)},
	"util/types": {"util_types", strings.Fields(`isCryptoKey isKeyObject isAsyncFunction isGeneratorFunction isGeneratorObject
		isAnyArrayBuffer isArrayBuffer isArgumentsObject isBoxedPrimitive isDataView isMap
		isMapIterator isModuleNamespaceObject isNativeError isPromise isProxy isSet isSetIterator
		isSharedArrayBuffer isWeakMap isWeakSet isRegExp isDate isStringObject isSymbolObject
		isNumberObject isBooleanObject isBigIntObject isArrayBufferView isBigInt64Array
		isBigUint64Array isFloat16Array isFloat32Array isFloat64Array isInt8Array isInt16Array
		isInt32Array isTypedArray isUint8Array isUint8ClampedArray isUint16Array isUint32Array
		isExternal default`)},
	"events": {"events", strings.Fields(`on once getEventListeners getMaxListeners setMaxListeners
		listenerCount EventEmitter usingDomains captureRejectionSymbol errorMonitor
		EventEmitterAsyncResource captureRejections defaultMaxListeners addAbortListener default`)},
	"process":    {"process", strings.Fields(processNames)},
	"path":       {"path", strings.Fields(pathNames)},
	"path/posix": {"path_posix", strings.Fields(pathNames)},
	"path/win32": {"path_win32", strings.Fields(pathNames)},
	"buffer": {"buffer", strings.Fields(`atob btoa constants kMaxLength kStringMaxLength Blob Buffer
		File SlowBuffer isAscii isUtf8 transcode INSPECT_MAX_BYTES resolveObjectURL default`)},
	"querystring": {"querystring", strings.Fields(`decode encode escape parse stringify unescape
		unescapeBuffer default`)},
	"crypto": {"crypto", strings.Fields(`createHash createHmac Hash Hmac randomBytes timingSafeEqual webcrypto getHashes
		randomUUID getRandomValues subtle default`)},
	"string_decoder": {"string_decoder", strings.Fields(`StringDecoder default`)},
	"async_hooks": {"async_hooks", strings.Fields(`AsyncLocalStorage AsyncResource asyncWrapProviders
		createHook executionAsyncId executionAsyncResource triggerAsyncId default`)},
}
