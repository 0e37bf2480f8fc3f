package jsclone

import "github.com/dop251/goja"

// ClassPolicy says what becomes of instances of classes, objects without a
// prototype included.
type ClassPolicy uint8

const (
	// ClassInstancesPlain clones them as plain objects; the class is lost. So do
	// storage and structuredClone.
	ClassInstancesPlain ClassPolicy = iota
	// ClassInstancesReject gives a [CloneError]. So does RPC.
	ClassInstancesReject
)

// ErrorForm says how Error objects are written. Both forms can be read in
// either mode.
type ErrorForm uint8

const (
	// ErrorsEnhanced keeps the class, name, message, stack, cause and all own
	// properties: the compatibility flag enhanced_error_serialization, on by
	// default from 2026-04-21.
	ErrorsEnhanced ErrorForm = iota
	// ErrorsV8 keeps the class, message, stack and cause: V8's own form.
	ErrorsV8
)

// Options of a clone. The zero value is what storage does at the newest
// compatibility date.
type Options struct {
	ClassInstances ClassPolicy
	Errors         ErrorForm
	// MaxDepth limits the nesting of objects; 0 stands for DefaultMaxDepth. What
	// lies deeper is a RangeError in JavaScript when encoded.
	MaxDepth int
	// LocalErrorStack leaves a decoded error with the stack of the moment, as RPC
	// does, and drops the one in the message.
	LocalErrorStack bool
	// Headerless lets Decode read messages without a header, as old stored values
	// may be.
	Headerless bool
	// EncodeHost is asked about every function and proxy, about errors and objects
	// whose prototype is not one of the language's (instances of classes, objects
	// without a prototype), and about everything that the format does not know,
	// before the codec decides by itself. To take
	// the object it calls [Encoder.BeginHost], writes its payload and returns
	// true. Returning false leaves the object to the codec; an error ends the
	// encoding and is returned as it is.
	EncodeHost func(e *Encoder, obj *goja.Object) (handled bool, err error)
	// DecodeHost makes the object that EncodeHost wrote, reading its payload
	// from d. Nil, and a tag that it does not know (return nil, nil), are an
	// error that names the tag.
	DecodeHost func(d *Decoder, hostTag uint32) (goja.Value, error)
}

// DefaultMaxDepth is the nesting that is allowed unless Options say otherwise.
const DefaultMaxDepth = 5000
