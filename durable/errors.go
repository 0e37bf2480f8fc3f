package durable

import (
	"errors"
	"regexp"
	"strings"
)

// Error is what a call ends with when it fails. The flags are the properties
// that JavaScript sees on the error (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/).
//
// Use errors.As to get at the fields, or errors.Is with [ErrRetryable],
// [ErrOverloaded], [ErrRemote] or [ErrReset] to ask for one flag. An Error is
// not changed once it was handed out, so it may be shared.
type Error struct {
	Name    string // the JavaScript class, "Error" or "TypeError" for example
	Message string

	Retryable  bool // .retryable: the failure may be transient, the connection broke
	Overloaded bool // .overloaded: the object or the service has too much to do; do not retry
	Remote     bool // .remote: thrown by the code of the callee
	Reset      bool // .durableObjectReset: the object's memory was lost

	// ObjectID is .durableObjectId: the id of the object that was called, in
	// hex; empty where the real runtime sets none.
	ObjectID string

	// Stack is the JavaScript stack where the error was thrown, if known.
	Stack string

	// ThrownAt is the place in the source of the object that threw the error
	// ("src/index.ts:12:9"), of an error that came through a call; "" if that is
	// unknown. See [Error.Place].
	ThrownAt string

	// Thrown is the thrown value in V8's structured-clone format; nil when
	// there was none (the error comes from the runtime) or when it could not
	// be cloned.
	Thrown []byte
}

// Flags of [Error], for errors.Is.
var (
	ErrRetryable  = errors.New("retryable")
	ErrOverloaded = errors.New("overloaded")
	ErrRemote     = errors.New("remote")
	ErrReset      = errors.New("durable object reset")
)

// ErrClosed is what errors.Is finds in the error of a call that was in flight when
// the runtime was closed, or was made later.
var ErrClosed = errors.New("runtime closed")

// closedMessage is the text of that error.
const closedMessage = "durashim: the runtime was closed."

// Closed returns the error of calls that a runtime which was closed does not make.
func Closed() *Error { return &Error{Name: "Error", Message: closedMessage} }

// Error returns the message, after the class unless that is plain Error.
func (e *Error) Error() string {
	switch {
	case e.Name == "" || e.Name == "Error":
		return e.Message
	case e.Message == "":
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// Place returns where the error was thrown, as "src/index.ts:12:9": ThrownAt, or
// else the innermost line of Stack that is of the project; "" if neither is known.
// The caller's own stack never shows the callee (measured on workerd), so this is
// the only way to find it.
func (e *Error) Place() string {
	switch {
	case e == nil:
		return ""
	case e.ThrownAt != "":
		return e.ThrownAt
	}
	stack := strings.TrimPrefix(e.Stack, e.Error()) // a message may look like a stack
	for line := range strings.Lines(stack) {
		m := stackLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m != nil && !builtinSource.MatchString(m[1]) {
			return m[1]
		}
	}
	return ""
}

// stackLine matches "    at async fn (src/a.ts:12:9)" and, as goja writes it,
// "\tat src/a.ts:12:9(31)".
var stackLine = regexp.MustCompile(`^\s+at (?:async )?(?:.*? \()?(.+:\d+:\d+)(?:\(\d+\))?\)?$`)

// builtinSource matches the names of modules that are part of the runtime.
var builtinSource = regexp.MustCompile(`^(node|cloudflare|durashim)(-internal)?:|^<`)

// Is reports whether target is the sentinel of a flag that is set.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrRetryable:
		return e.Retryable
	case ErrOverloaded:
		return e.Overloaded
	case ErrRemote:
		return e.Remote
	case ErrReset:
		return e.Reset
	case ErrClosed:
		// Such an error may have passed through a script.
		return e.Message == closedMessage
	}
	return false
}

// ConnectionLost returns the error of a connection that broke, for transports:
// "Network connection lost.", retryable, not remote (measured on workerd).
func ConnectionLost() *Error {
	return &Error{Name: "Error", Message: "Network connection lost.", Retryable: true}
}

// local returns the error as a later call on the same stub sees it: the stub
// itself is broken, nothing came from the object, so it is not remote.
func (e *Error) local() *Error {
	if !e.Remote {
		return e
	}
	c := *e
	c.Remote = false
	return &c
}

// remote returns the error marked as coming from the callee.
func (e *Error) remote() *Error {
	if e.Remote {
		return e
	}
	c := *e
	c.Remote = true
	return &c
}
