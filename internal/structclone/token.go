package structclone

import "math/big"

// Kind is the kind of a [Token].
type Kind uint8

// The kinds of tokens. The comment names the fields of [Token] that are set
// beside Kind and Offset; the fields not named keep what they held before.
// Kinds marked with * are objects and set ID.
const (
	KindInvalid     Kind = iota
	KindUndefined        // undefined
	KindNull             // null
	KindHole             // an absent element of a dense array
	KindBool             // Bool
	KindInt              // Int: a number written as an integer
	KindDouble           // Num: a number written as a double
	KindBigInt           // Big
	KindString           // Str
	KindBackRef          // ID: the object referred to
	KindDate             // * Num: milliseconds since 1970, or NaN
	KindBoxedBool        // * Bool
	KindBoxedNumber      // * Num
	KindBoxedBigInt      // * Big
	KindBoxedString      // * Str
	KindRegExp           // * Str: the source; Int: the flags, see RegExpFlagString
	KindObject           // * keys and values follow in turn, then KindEnd
	KindDenseArray       // * Int: the length; that many elements follow, then keys and values, then KindEnd
	KindSparseArray      // * Int: the length; keys and values follow, then KindEnd
	KindMap              // * keys and values follow in turn, then KindEnd
	KindSet              // * values follow, then KindEnd
	KindArrayBuffer      // * Bytes, MaxLength for a resizable buffer
	KindView             // * View, BufferID; Bytes and MaxLength when NewBuffer is set
	KindError            // * Error; Int: number of values that follow: [name,] message, object of own properties
	KindLegacyError      // * KindErrorField tokens follow, then KindEnd
	KindErrorField       // Field
	KindHost             // * Int: the embedder's number; see Reader.EndHost
	KindEnd              // Int: number of properties beside the elements, entries of a Map, values of a Set
)

// ErrorField is a part of a [KindLegacyError].
type ErrorField uint8

// The parts of an error in V8's own form.
const (
	FieldClass   ErrorField = iota // Error holds the class
	FieldMessage                   // Str holds the message
	FieldStack                     // Str holds the stack
	FieldCause                     // a value follows
)

// Token is one step of a message. Which fields are set depends on Kind.
type Token struct {
	Kind   Kind
	Bool   bool
	Error  ErrorKind
	Field  ErrorField
	Offset int // where it begins, in bytes from the header

	ID  uint32 // number of the object
	Int int64
	Num float64
	Big *big.Int
	Str String

	View      View
	NewBuffer bool   // the view's buffer is defined here and not referred to
	BufferID  uint32 // number of the view's buffer
	Resizable bool   // the buffer may grow to MaxLength
	MaxLength uint32
	// Bytes holds the buffer's content: a part of the message, not a copy.
	Bytes []byte
}
