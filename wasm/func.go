package wasm

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental/table"
	"github.com/tetratelabs/wazero/sys"
)

// HostFunc is a Go function for WebAssembly to call. stack holds the parameters
// and takes the results, from its start on (see [ValueType]).
//
// An error ends the calling computation: the [Func.Call] that started it
// returns that very error. A panic likewise comes out of that call with its
// value.
type HostFunc func(ctx context.Context, stack []uint64) error

// Func is a function in a store. Each function has exactly one Func, so
// pointers can be compared.
type Func struct {
	// Index is the function's position in the index space of Instance's module.
	Index    uint32
	Instance *Instance

	// Data is for the embedder.
	Data any

	typ    *FuncType
	native HostFunc // of a function that is no WebAssembly
	name   string   // under which the instance exports it, if exported

	exported bool
	idle     []api.Function
}

// Type returns the signature. It must not be changed.
func (f *Func) Type() *FuncType { return f.typ }

// IsHost reports whether the function is a Go function.
func (f *Func) IsHost() bool { return f.native != nil }

// Call calls the function. stack holds the parameters, from its start on, and
// takes the results; it must have room for [FuncType.Slots] values. Memories,
// tables and globals may have changed afterwards, memories may have moved.
//
// When ctx is cancelled, loops and recursion end soon: the error is then an
// [*Interrupted]. A module's own mistakes are a [*Trap]. Any other error is what
// a [HostFunc] returned, unchanged.
//
// Contexts should be few: watching another one than the last call did costs
// about a microsecond.
func (f *Func) Call(ctx context.Context, stack []uint64) error {
	s := f.Instance.store
	if f.native != nil {
		return f.native(ctx, stack)
	}
	if err := s.enter(ctx); err != nil {
		return err
	}
	fn := f.acquire()
	err := fn.CallWithStack(ctx, stack)
	s.leave()
	runtime.KeepAlive(f)
	if err == nil || isSuccess(err) {
		f.idle = append(f.idle, fn)
		return nil
	}
	// The engine is dropped: its stack may have grown to the limit.
	return s.failure(f.Instance, err)
}

// acquire returns an engine for one call at a time. Making one is dear, as it
// comes with a stack.
func (f *Func) acquire() api.Function {
	if n := len(f.idle); n > 0 {
		fn := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return fn
	}
	i := f.Instance
	if f.exported {
		return i.mod.ExportedFunction(f.name)
	}
	k := i.declared(f.Index)
	return table.LookupFunction(i.mod, uint32(len(i.module.bin.tables)), uint32(k), typeBytes(f.typ.Params), typeBytes(f.typ.Results))
}

func isSuccess(err error) bool {
	exit, ok := err.(*sys.ExitError)
	return ok && exit.ExitCode() == 0
}

// errHost is what a host function panics with after it has left the real
// reason in Store.pending: the engine would wrap that.
var errHost = errors.New("wasm: host function failed")

// host is a Go function as the engine calls it.
func (f *Func) host(ctx context.Context, _ api.Module, stack []uint64) {
	s := f.Instance.store
	defer func() {
		if x := recover(); x != nil {
			if x != errHost {
				s.pending = &hostFailure{value: x}
			}
			panic(errHost)
		}
	}()
	if err := f.native(ctx, stack); err != nil {
		s.pending = &hostFailure{err: err}
		panic(errHost)
	}
}

// failure finds out why a call failed.
func (s *Store) failure(i *Instance, err error) error {
	if p := s.pending; p != nil {
		s.pending = nil
		if p.value != nil {
			panic(p.value)
		}
		return p.err
	}
	if stopped := s.interrupted(); stopped != nil {
		return stopped
	}
	return trapOf(i.module.bin, err)
}

// trapOf makes a Trap of an error of the engine, which has fewer kinds of traps
// than V8. What the function at fault contains mostly tells which it was; where
// it contains both, the commoner is taken.
func trapOf(b *binary, err error) error {
	text := err.Error()
	text, trace, _ := strings.Cut(text, "\n")
	text, ok := strings.CutPrefix(text, "wasm error: ")
	if !ok && text != "stack overflow" {
		return err
	}
	t := &Trap{Stack: parseTrace(trace)}
	var ops opSet
	if len(t.Stack) > 0 {
		if at := int(t.Stack[0]) - b.importedFuncs; at >= 0 && at < len(b.ops) {
			ops = b.ops[at]
		}
	}
	choose := func(has opSet, yes, no TrapCode) TrapCode {
		if ops&has != 0 {
			return yes
		}
		return no
	}
	switch text {
	case "stack overflow":
		t.Code = TrapStackOverflow
	case "invalid conversion to integer":
		t.Code = TrapFloatUnrepresentable
	case "integer overflow":
		t.Code = choose(hasTrunc, TrapFloatUnrepresentable, TrapDivideOverflow)
	case "integer divide by zero":
		t.Code = TrapDivideByZero
		if ops&(hasDiv|hasRem) == hasRem {
			t.Code = TrapRemainderByZero
		}
	case "unreachable":
		t.Code = TrapUnreachable
	case "out of bounds memory access":
		t.Code = TrapMemoryOutOfBounds
	case "invalid table access":
		t.Code = choose(hasCallIndirect, TrapNullFunction, TrapTableOutOfBounds)
	case "indirect call type mismatch":
		t.Code = TrapSignatureMismatch
	case "unaligned atomic":
		t.Code = TrapUnalignedAtomic
	case "uncaught exception":
		t.Code = TrapUncaughtException
	case "null reference":
		t.Code = TrapNullReference
	default:
		return err
	}
	t.Text = trapTexts[t.Code]
	return t
}

// parseTrace reads the engine's stack trace, whose lines look like
// "\t.$7(i32) i32" because modules are compiled without names.
func parseTrace(trace string) (stack []uint32) {
	for line := range strings.Lines(trace) {
		_, rest, ok := strings.Cut(line, ".$")
		if !ok {
			continue
		}
		digits, _, _ := strings.Cut(rest, "(")
		if n, err := strconv.ParseUint(digits, 10, 32); err == nil {
			stack = append(stack, uint32(n))
		}
	}
	return stack
}
