package govalue

import "github.com/durashim/durashim/internal/structclone"

type undefined struct{}

// Undefined is encoded as undefined.
var Undefined any = undefined{}

// ArrayBuffer is the content of an ArrayBuffer.
type ArrayBuffer []byte

// TypedArray is a view other than a Uint8Array: the bytes that it shows, in the
// byte order of the format, which is little endian.
type TypedArray struct {
	Type  structclone.ViewType
	Bytes []byte
}

// Map is a JavaScript Map in its order.
type Map struct{ Entries []Entry }

// Entry is one entry of a [Map].
type Entry struct{ Key, Value any }

// Set is a JavaScript Set in its order.
type Set struct{ Values []any }

// RegExp is a JavaScript RegExp; Flags are letters such as "gi".
type RegExp struct{ Source, Flags string }

// Error is a JavaScript Error. It is an error in Go.
type Error struct {
	// Name is the class, such as "TypeError", or a name of one's own.
	Name    string
	Message string
	// Stack is "" when the error has none.
	Stack string
	// Cause is set when HasCause is.
	Cause    any
	HasCause bool
	// Props holds the other properties of the error's own.
	Props map[string]any
}

// Error returns the text as JavaScript prints it.
func (e *Error) Error() string {
	switch {
	case e.Name == "":
		return e.Message
	case e.Message == "":
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// Unwrap returns the cause when that is an error too.
func (e *Error) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}
