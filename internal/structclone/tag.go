package structclone

// Version is the version of the wire format that [Writer.Header] writes.
const Version = 15

// Tag bytes of the format; named after what they begin or end.
const (
	tagPadding       = 0x00
	tagVersion       = 0xff
	tagHole          = '-'
	tagUndefined     = '_'
	tagNull          = '0'
	tagTrue          = 'T'
	tagFalse         = 'F'
	tagInt32         = 'I'
	tagUint32        = 'U'
	tagDouble        = 'N'
	tagBigInt        = 'Z'
	tagOneByte       = '"'
	tagTwoByte       = 'c'
	tagUTF8          = 'S'
	tagBackRef       = '^'
	tagObject        = 'o'
	tagObjectEnd     = '{'
	tagSparse        = 'a'
	tagSparseEnd     = '@'
	tagDense         = 'A'
	tagDenseEnd      = '$'
	tagDate          = 'D'
	tagBoxedTrue     = 'y'
	tagBoxedFalse    = 'x'
	tagBoxedNumber   = 'n'
	tagBoxedBigInt   = 'z'
	tagBoxedString   = 's'
	tagRegExp        = 'R'
	tagMap           = ';'
	tagMapEnd        = ':'
	tagSet           = '\''
	tagSetEnd        = ','
	tagBuffer        = 'B'
	tagResizable     = '~'
	tagView          = 'V'
	tagError         = 'r'
	tagErrorEnd      = '.'
	tagHost          = '\\'
	errMessage       = 'm'
	errStack         = 's'
	errCause         = 'c'
	smiBits          = 30 // V8 with compressed pointers: integers of 31 bits
	maxBigIntBytes   = 1 << 27
	hostTagError     = 10
	viewTracksLength = 1
	viewResizable    = 2
)

// HostTagError is the number by which workerd marks an Error among its host
// objects. [Reader] turns such a host object into a [KindError] token.
const HostTagError = hostTagError

// IsSmi reports whether V8 keeps f as a small integer and so writes it with
// [Writer.Int32]: an integer of 31 bits that is not -0. Other numbers are
// written as doubles.
func IsSmi(f float64) bool {
	// The conversion is defined for every float64 only after the range check.
	if !(f >= -(1<<smiBits) && f < 1<<smiBits) {
		return false
	}
	i := int32(f)
	return float64(i) == f && (i != 0 || !signbit(f))
}

// IsSmiInt is [IsSmi] for an integer.
func IsSmiInt(i int64) bool { return i >= -(1<<smiBits) && i < 1<<smiBits }

// ErrorKind is the class of an Error object.
type ErrorKind uint8

// The classes of errors, numbered as workerd numbers them. A reader that meets
// another number reports an error.
const (
	// ErrorNamed is an error whose name is none of the others': the name
	// follows as a value of its own.
	ErrorNamed     ErrorKind = 0
	ErrorPlain     ErrorKind = 1
	ErrorType      ErrorKind = 2
	ErrorRange     ErrorKind = 3
	ErrorReference ErrorKind = 4
	ErrorSyntax    ErrorKind = 5
	// The next four are WebAssembly's. workerd reads them and never writes
	// them: it writes ErrorNamed for these classes.
	ErrorCompile    ErrorKind = 6
	ErrorLink       ErrorKind = 7
	ErrorRuntime    ErrorKind = 8
	ErrorSuspend    ErrorKind = 9
	ErrorEval       ErrorKind = 10
	ErrorURI        ErrorKind = 11
	ErrorAggregate  ErrorKind = 12
	ErrorSuppressed ErrorKind = 13
)

// Name returns the name of the class, such as "TypeError", and "Error" for
// [ErrorNamed] and [ErrorPlain]. An unknown kind gives "".
func (k ErrorKind) Name() string {
	switch k {
	case ErrorNamed, ErrorPlain:
		return "Error"
	case ErrorType:
		return "TypeError"
	case ErrorRange:
		return "RangeError"
	case ErrorReference:
		return "ReferenceError"
	case ErrorSyntax:
		return "SyntaxError"
	case ErrorCompile:
		return "CompileError"
	case ErrorLink:
		return "LinkError"
	case ErrorRuntime:
		return "RuntimeError"
	case ErrorSuspend:
		return "SuspendError"
	case ErrorEval:
		return "EvalError"
	case ErrorURI:
		return "URIError"
	case ErrorAggregate:
		return "AggregateError"
	case ErrorSuppressed:
		return "SuppressedError"
	}
	return ""
}

// ErrorKindOf returns the kind that workerd writes for an error with the given
// name: [ErrorNamed] for all names but those of the language's own classes.
func ErrorKindOf(name string) ErrorKind {
	switch name {
	case "Error":
		return ErrorPlain
	case "TypeError":
		return ErrorType
	case "RangeError":
		return ErrorRange
	case "ReferenceError":
		return ErrorReference
	case "SyntaxError":
		return ErrorSyntax
	case "EvalError":
		return ErrorEval
	case "URIError":
		return ErrorURI
	case "AggregateError":
		return ErrorAggregate
	case "SuppressedError":
		return ErrorSuppressed
	}
	return ErrorNamed
}

// legacyTag is the byte that stands for the class in V8's own error form, or 0
// where it has none: a plain Error, and every class that V8 does not tell apart.
func (k ErrorKind) legacyTag() byte {
	switch k {
	case ErrorType:
		return 'T'
	case ErrorRange:
		return 'R'
	case ErrorReference:
		return 'F'
	case ErrorSyntax:
		return 'S'
	case ErrorEval:
		return 'E'
	case ErrorURI:
		return 'U'
	}
	return 0
}

func legacyErrorKind(tag byte) (ErrorKind, bool) {
	switch tag {
	case 'T':
		return ErrorType, true
	case 'R':
		return ErrorRange, true
	case 'F':
		return ErrorReference, true
	case 'S':
		return ErrorSyntax, true
	case 'E':
		return ErrorEval, true
	case 'U':
		return ErrorURI, true
	}
	return 0, false
}

// ViewType is the class of a view on an ArrayBuffer, by the byte that stands
// for it in the format.
type ViewType byte

// The classes of views.
const (
	Int8Array         ViewType = 'b'
	Uint8Array        ViewType = 'B'
	Uint8ClampedArray ViewType = 'C'
	Int16Array        ViewType = 'w'
	Uint16Array       ViewType = 'W'
	Int32Array        ViewType = 'd'
	Uint32Array       ViewType = 'D'
	Float16Array      ViewType = 'h'
	Float32Array      ViewType = 'f'
	Float64Array      ViewType = 'F'
	BigInt64Array     ViewType = 'q'
	BigUint64Array    ViewType = 'Q'
	DataView          ViewType = '?'
)

// ElementSize returns the bytes per element, 1 for a DataView, and 0 for a byte
// that is no view.
func (v ViewType) ElementSize() int {
	switch v {
	case Int8Array, Uint8Array, Uint8ClampedArray, DataView:
		return 1
	case Int16Array, Uint16Array, Float16Array:
		return 2
	case Int32Array, Uint32Array, Float32Array:
		return 4
	case Float64Array, BigInt64Array, BigUint64Array:
		return 8
	}
	return 0
}

// Name returns the name of the class, such as "Uint8Array", or "".
func (v ViewType) Name() string {
	switch v {
	case Int8Array:
		return "Int8Array"
	case Uint8Array:
		return "Uint8Array"
	case Uint8ClampedArray:
		return "Uint8ClampedArray"
	case Int16Array:
		return "Int16Array"
	case Uint16Array:
		return "Uint16Array"
	case Int32Array:
		return "Int32Array"
	case Uint32Array:
		return "Uint32Array"
	case Float16Array:
		return "Float16Array"
	case Float32Array:
		return "Float32Array"
	case Float64Array:
		return "Float64Array"
	case BigInt64Array:
		return "BigInt64Array"
	case BigUint64Array:
		return "BigUint64Array"
	case DataView:
		return "DataView"
	}
	return ""
}

// regExpFlags lists the flags by the bit that stands for them; bit 6 is V8's
// experimental linear engine and has no meaning to scripts.
var regExpFlags = [...]struct {
	bit  uint32
	char byte
}{{1 << 7, 'd'}, {1, 'g'}, {1 << 1, 'i'}, {1 << 2, 'm'}, {1 << 5, 's'}, {1 << 4, 'u'}, {1 << 8, 'v'}, {1 << 3, 'y'}}

// RegExpFlags turns the flags of a RegExp, such as "gi", into the number that
// the format stores. It reports false when a letter is unknown.
func RegExpFlags(flags string) (uint32, bool) {
	var bits uint32
next:
	for i := 0; i < len(flags); i++ {
		for _, f := range regExpFlags {
			if f.char == flags[i] {
				bits |= f.bit
				continue next
			}
		}
		return 0, false
	}
	return bits, true
}

// RegExpFlagString is the inverse of [RegExpFlags]; the letters come in the
// order in which JavaScript gives them. It reports false when a bit is unknown.
func RegExpFlagString(bits uint32) (string, bool) {
	var b []byte
	for _, f := range regExpFlags {
		if bits&f.bit != 0 {
			b = append(b, f.char)
			bits &^= f.bit
		}
	}
	return string(b), bits == 0
}
