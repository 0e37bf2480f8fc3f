package jsbridge

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/dop251/goja"
)

// vmState reaches the parts of goja's interpreter that its API does not: the
// stacks and the queue of promise jobs.
//
// Why this is needed: an interrupt or a stack overflow in a function that was
// resumed after an await leaves a call frame behind. goja then takes every later
// entry for a nested one and never runs promise jobs again, and the jobs that
// were queued behind the one that ended are lost. Both hurt the neighbours in
// the isolate. So the isolate runs promise jobs itself, one at a time, and puts
// the interpreter back into its idle state when a job ended by force.
//
// The fields are found by name and type. [engineFits] tries the whole mechanism
// out once per process; with a goja that does not fit, an isolate falls back on
// goja's API alone and is replaced after every forced end.
type vmState struct {
	callStack *sliceHeader // []context
	stack     *[]goja.Value
	jobs      *[]func()
	sp        *int
	idle      []savedField
	slices    []*sliceHeader
}

// sliceHeader is the memory layout of a slice; it lets the length of a slice of
// an unexported type be set without reflection.
type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

type savedField struct {
	field reflect.Value // settable
	value reflect.Value // what it holds when the interpreter is idle
}

// errEngine says that this build of goja is not laid out as expected.
type errEngine struct{ what string }

func (e errEngine) Error() string { return "goja: " + e.what }

func newVMState(rt *goja.Runtime) (*vmState, error) {
	r := reflect.ValueOf(rt).Elem()
	jobs, err := exposed(r, "jobQueue", reflect.TypeFor[[]func()]())
	if err != nil {
		return nil, err
	}
	vmPtr := r.FieldByName("vm")
	if !vmPtr.IsValid() || vmPtr.Kind() != reflect.Pointer || vmPtr.IsNil() {
		return nil, errEngine{"Runtime has no vm"}
	}
	vm := reflect.NewAt(vmPtr.Type().Elem(), vmPtr.UnsafePointer()).Elem()
	s := &vmState{jobs: jobs.Addr().Interface().(*[]func())}

	for _, name := range []string{"callStack", "tryStack", "iterStack", "refStack"} {
		f, err := exposed(vm, name, nil)
		if err != nil {
			return nil, err
		}
		if f.Kind() != reflect.Slice || f.Len() != 0 {
			return nil, errEngine{"vm." + name + " is not an empty slice"}
		}
		h := (*sliceHeader)(f.Addr().UnsafePointer())
		if name == "callStack" {
			s.callStack = h
			// Room for the marker that push sets without an allocation.
			f.Set(reflect.MakeSlice(f.Type(), 1, 32).Slice(0, 0))
		} else {
			s.slices = append(s.slices, h)
		}
	}
	stack, err := exposed(vm, "stack", nil)
	if err != nil {
		return nil, err
	}
	if stack.Kind() != reflect.Slice || stack.Type().Elem() != reflect.TypeFor[goja.Value]() {
		return nil, errEngine{"vm.stack is not a slice of Value"}
	}
	s.stack = (*[]goja.Value)(stack.Addr().UnsafePointer())
	sp, err := exposed(vm, "sp", reflect.TypeFor[int]())
	if err != nil {
		return nil, err
	}
	s.sp = sp.Addr().Interface().(*int)

	for _, name := range []string{"prg", "pc", "sp", "sb", "args", "stash", "privEnv", "newTarget", "result", "curAsyncRunner"} {
		f, err := exposed(vm, name, nil)
		if err != nil {
			return nil, err
		}
		v := reflect.New(f.Type()).Elem()
		v.Set(f)
		s.idle = append(s.idle, savedField{f, v})
	}
	return s, nil
}

// exposed returns a field of an addressable struct as a settable value.
func exposed(v reflect.Value, name string, want reflect.Type) (reflect.Value, error) {
	f := v.FieldByName(name)
	if !f.IsValid() {
		return f, errEngine{fmt.Sprintf("%v has no field %s", v.Type(), name)}
	}
	if want != nil && f.Type() != want {
		return f, errEngine{fmt.Sprintf("%v.%s is of type %v", v.Type(), name, f.Type())}
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), nil
}

// enter marks the interpreter as busy, so that no entry counts as the outermost
// one and goja leaves the promise jobs to us.
func (s *vmState) enter() { s.callStack.len = 1 }

// maxStack is the capacity up to which the memory of the stack is kept for the
// next turn: enough for the default depth of calls.
const maxStack = 1 << 17

// leave undoes enter and lets go of the values that the stack still holds.
func (s *vmState) leave() {
	s.callStack.len = 0
	if cap(*s.stack) > maxStack {
		*s.stack = nil
		return
	}
	clear(*s.stack)
	*s.stack = (*s.stack)[:0]
}

// add queues a promise job.
func (s *vmState) add(job func()) { *s.jobs = append(*s.jobs, job) }

// take removes the oldest promise job.
func (s *vmState) take() func() {
	q := *s.jobs
	if len(q) == 0 {
		return nil
	}
	job := q[0]
	q[0] = nil
	if len(q) == 1 {
		// Start over in the same memory.
		base := (*sliceHeader)(unsafe.Pointer(s.jobs))
		base.len = 0
	} else {
		*s.jobs = q[1:]
	}
	return job
}

// reset puts the interpreter into the state that enter left it in.
func (s *vmState) reset() {
	for _, f := range s.idle {
		f.field.Set(f.value)
	}
	for _, h := range s.slices {
		h.len = 0
	}
	s.callStack.len = 1
}

var engineFits = sync.OnceValue(func() (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = errEngine{fmt.Sprint(x)}
		}
	}()
	rt := goja.New()
	s, err := newVMState(rt)
	if err != nil {
		return err
	}
	return s.try(rt)
})

// try interrupts a function after an await, with another job queued behind it,
// and checks that the queue and the interpreter survive.
func (s *vmState) try(rt *goja.Runtime) error {
	bad := errEngine{"promise jobs do not survive an interrupt"}
	_ = rt.Set("stop", func() { rt.Interrupt("stop") })
	s.enter()
	_, err := rt.RunString(`var log = [];
		(async () => { await 0; try { stop(); log.push("on") } finally { log.push("finally") } })();
		(async () => { await 0; log.push("neighbour") })();`)
	if err != nil {
		return err
	}
	interrupted := false
	for job := s.take(); job != nil; job = s.take() {
		func() {
			defer func() {
				if x := recover(); x != nil {
					_, interrupted = x.(*goja.InterruptedError)
					s.reset()
					rt.ClearInterrupt()
				}
			}()
			job()
		}()
	}
	s.leave()
	if !interrupted {
		return bad
	}
	// The API alone must work again, too.
	v, err := rt.RunString(`Promise.resolve().then(() => log.push("job")); log.length`)
	if err != nil {
		return err
	}
	if v.ToInteger() != 1 || rt.Get("log").String() != "neighbour,job" {
		return bad
	}
	return nil
}
