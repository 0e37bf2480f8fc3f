// Package structclone reads and writes V8's structured-clone wire format, the
// bytes that hold a JavaScript value in Durable Object storage and in an RPC
// message.
//
// The package deals in tokens and builds no tree: a [Writer] appends one token
// per call, a [Reader] hands out one token per call. What walks JavaScript
// values or Go values sits on top of it. It knows no JavaScript engine.
//
// # Format
//
// A message is the header ff 0f (the format's version, 15) and one value. A
// value is a tag byte and what the tag calls for; numbers inside are LEB128
// varints unless said otherwise.
//
//	_ 0 T F          undefined, null, true, false
//	I zigzag         integer; V8 uses it for -2^30 ... 2^30-1
//	U varint         integer, only read
//	N 8 bytes        double, little endian
//	Z bitfield ...   BigInt: bit 0 sign, the rest the length in bytes
//	" length ...     string, one Latin-1 byte per code unit
//	c bytes ...      string, UTF-16 little endian, aligned to even offsets
//	S bytes ...      string in UTF-8, only read
//	D double         Date
//	y x              boxed true, false;  n double, z BigInt, s string: boxed
//	R string flags   RegExp
//	o k v ... { n    object with n properties
//	A l e ... k v ... $ n l   dense array of l elements (- is a hole)
//	a l k v ... @ n l         sparse array
//	; k v ... : n    Map, n counts keys and values;   ' v ... , n   Set
//	B l ...          ArrayBuffer;   ~ l max ...   resizable
//	V sub offset length flags   view on the buffer just before it
//	r ... .          Error in V8's own form
//	\ ...            host object: its meaning is the embedder's
//	^ id             back reference to the object with that number
//
// Objects are numbered from 0 in the order in which they begin; a view comes
// after its buffer. Primitives and strings have no number. A zero byte before a
// tag is padding.
//
// The tags and the order of the fields follow what V8 writes, see
// https://github.com/v8/v8/blob/main/src/objects/value-serializer.cc for the
// format's definition. Host object payloads follow workerd; the one known to
// this package is the error form, see [Writer.Error].
//
// # Limits
//
// Input is not trusted. A length is checked against the bytes that are left
// before anything is done with it, nesting is limited, and every error names
// the offset and the tag; see [SyntaxError].
//
// Values of this package are not safe for concurrent use.
package structclone
