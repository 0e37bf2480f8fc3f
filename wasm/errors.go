package wasm

import "fmt"

// CompileError says why bytes are no module, or none that can be run.
type CompileError struct {
	Offset int // in the module's bytes; -1 if not known
	Text   string
}

// Error implements error.
func (e *CompileError) Error() string {
	if e.Offset < 0 {
		return e.Text
	}
	return fmt.Sprintf("%s @+%d", e.Text, e.Offset)
}

// LinkError says why a module could not be instantiated with the imports given.
type LinkError struct {
	Import int // position among the imports; -1 if it is not about one
	Module string
	Name   string
	Text   string
}

// Error implements error with the text of V8.
func (e *LinkError) Error() string {
	if e.Import < 0 {
		return e.Text
	}
	return fmt.Sprintf("Import #%d %q %q: %s", e.Import, e.Module, e.Name, e.Text)
}

// Trap is the end of a computation that the module itself is at fault for.
type Trap struct {
	Code TrapCode
	Text string // as V8 has it
	// Stack lists the functions that were running, innermost first, as their
	// indexes in the module that each belongs to. It may be cut off.
	Stack []uint32
}

// Error implements error.
func (t *Trap) Error() string { return t.Text }

// Is makes errors.Is(err, &Trap{Code: c}) find traps by their code.
func (t *Trap) Is(target error) bool {
	o, ok := target.(*Trap)
	return ok && o.Text == "" && o.Code == t.Code
}

// TrapCode tells traps apart
// (https://webassembly.github.io/spec/core/appendix/implementation.html lists
// none; these are the ones of the specification's test suite).
type TrapCode int

// The traps.
const (
	TrapUnreachable TrapCode = iota + 1
	TrapMemoryOutOfBounds
	TrapTableOutOfBounds
	TrapNullFunction
	TrapSignatureMismatch
	TrapDivideByZero
	TrapRemainderByZero
	TrapDivideOverflow
	TrapFloatUnrepresentable
	TrapStackOverflow
	TrapUnalignedAtomic
	TrapUncaughtException
	TrapNullReference
	TrapDataOutOfBounds
	TrapElementOutOfBounds
)

var trapTexts = map[TrapCode]string{
	TrapUnreachable:          "unreachable",
	TrapMemoryOutOfBounds:    "memory access out of bounds",
	TrapTableOutOfBounds:     "table index is out of bounds",
	TrapNullFunction:         "null function",
	TrapSignatureMismatch:    "function signature mismatch",
	TrapDivideByZero:         "divide by zero",
	TrapRemainderByZero:      "remainder by zero",
	TrapDivideOverflow:       "divide result unrepresentable",
	TrapFloatUnrepresentable: "float unrepresentable in integer range",
	TrapStackOverflow:        "Maximum call stack size exceeded",
	TrapUnalignedAtomic:      "operation does not support unaligned accesses",
	TrapUncaughtException:    "an exception that WebAssembly threw was not caught; it cannot be passed on to the host",
	TrapNullReference:        "dereferencing a null pointer",
}

// Interrupted is the end of a computation because its context was cancelled.
// The instances stay usable, in the state that the interruption left.
type Interrupted struct{ Cause error }

// Error implements error.
func (e *Interrupted) Error() string { return "WebAssembly was interrupted: " + e.Cause.Error() }

// Unwrap returns the cause that the context gave.
func (e *Interrupted) Unwrap() error { return e.Cause }
