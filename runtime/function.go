package runtime

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"unicode"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
)

var (
	typeContext = reflect.TypeFor[context.Context]()
	typeError   = reflect.TypeFor[error]()
)

// signature is what a Go function takes and gives beside the context and the
// error.
type signature struct {
	context  bool           // the first parameter is a context
	in       []reflect.Type // without it; the last one is a slice if variadic
	variadic bool
	out      int // results without the error
	fails    bool
}

// signatures keeps what signatureOf found, which depends on the type alone.
var signatures sync.Map // reflect.Type to *signature

func signatureOf(t reflect.Type) *signature {
	if s, ok := signatures.Load(t); ok {
		return s.(*signature)
	}
	s := &signature{variadic: t.IsVariadic(), out: t.NumOut()}
	for i := range t.NumIn() {
		if i == 0 && t.In(i) == typeContext {
			s.context = true
			continue
		}
		s.in = append(s.in, t.In(i))
	}
	if s.out > 0 && t.Out(s.out-1) == typeError {
		s.fails = true
		s.out--
	}
	signatures.Store(t, s)
	return s
}

// call calls a function with the arguments of a message. Missing arguments are
// zero, as undefined is; more than the function takes are ignored.
func (s *signature) call(ctx context.Context, fn reflect.Value, args []any, size int) (any, error) {
	var in []reflect.Value
	if s.context {
		in = append(in, reflect.ValueOf(ctx))
	}
	take := func(t reflect.Type, i int) error {
		v := reflect.New(t).Elem()
		if i < len(args) {
			if err := govalue.Assign(v, args[i], size, describe); err != nil {
				return &durable.Error{Name: "TypeError", Message: fmt.Sprintf("argument %d: %v", i+1, err)}
			}
		}
		in = append(in, v)
		return nil
	}
	fixed := len(s.in)
	if s.variadic {
		fixed--
	}
	for i := range fixed {
		if err := take(s.in[i], i); err != nil {
			return nil, err
		}
	}
	if s.variadic {
		for i := fixed; i < len(args); i++ {
			if err := take(s.in[fixed].Elem(), i); err != nil {
				return nil, err
			}
		}
	}
	out := fn.Call(in)
	if s.fails {
		if err, _ := out[s.out].Interface().(error); err != nil {
			return nil, err
		}
	}
	switch s.out {
	case 0:
		return govalue.Undefined, nil
	case 1:
		return out[0].Interface(), nil
	}
	all := make([]any, s.out)
	for i := range all {
		all[i] = out[i].Interface()
	}
	return all, nil
}

// Target is a Go value whose exported methods scripts may call, as those of an
// RpcTarget in JavaScript. Sent as an argument or a result it arrives as an
// RpcStub; see [NewTarget].
type Target struct {
	v       reflect.Value
	methods map[string]int
	dispose func() error // nil for none
	err     error        // the value cannot be a target
}

// NewTarget makes a target of a Go value.
//
// The names of its methods begin in lower case in JavaScript: Add becomes add,
// GetURL getURL, URLFor urlFor and ID id. Methods take and give what functions
// do, see [Stub.Call].
//
// When the last stub of a target is disposed of, or the script that holds it is
// gone, or the runtime is closed, its method Dispose is called, if it has one
// without parameters, otherwise its method Close; a method that is used for this
// cannot be called by scripts. Each time a target is sent it is disposed of
// once.
func NewTarget(v any) *Target {
	t := &Target{v: reflect.ValueOf(v)}
	if !t.v.IsValid() || t.v.Kind() == reflect.Pointer && t.v.IsNil() {
		t.err = fmt.Errorf("NewTarget(%T(nil)): nil has no methods", v)
		return t
	}
	var disposer string
	t.dispose, disposer = disposerOf(v)
	typ := t.v.Type()
	t.methods = make(map[string]int, typ.NumMethod())
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		if m.Name == disposer {
			continue
		}
		name := methodName(m.Name)
		if j, ok := t.methods[name]; ok {
			t.err = fmt.Errorf("NewTarget(%T): the methods %s and %s have the same name %s in JavaScript", v, typ.Method(j).Name, m.Name, name)
			return t
		}
		t.methods[name] = i
	}
	return t
}

// disposerOf finds the method that ends the use of a value, and its name.
func disposerOf(v any) (func() error, string) {
	switch d := v.(type) {
	case interface{ Dispose() error }:
		return d.Dispose, "Dispose"
	case interface{ Dispose() }:
		return func() error { d.Dispose(); return nil }, "Dispose"
	case interface{ Close() error }:
		return d.Close, "Close"
	case interface{ Close() }:
		return func() error { d.Close(); return nil }, "Close"
	}
	return nil, ""
}

// methodName is the name of a Go method in JavaScript: the upper-case letters
// that it begins with become lower case, but the last of several when a word
// begins with it.
func methodName(name string) string {
	r := []rune(name)
	for i := range r {
		if !unicode.IsUpper(r[i]) {
			break
		}
		if i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}
