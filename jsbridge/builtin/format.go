package builtin

import (
	"fmt"

	"github.com/dop251/goja"
)

// Format returns what the real runtime's console.log prints for the arguments,
// without the line break at the end: a first string is a template (%s, %d, %i,
// %f, %j, %o, %O, %c), values are written as util.inspect writes them. It runs
// JavaScript where a value says itself how it is shown, and an exception that
// throws is the error.
func (s *Set) Format(args ...goja.Value) (string, error) {
	return s.call("internal:format", "format", args)
}

// Inspect returns a value as util.inspect(value, options) writes it. Options
// may be nil; they are an object with Node's names: depth, colors, compact,
// breakLength, ...
func (s *Set) Inspect(value goja.Value, options *goja.Object) (string, error) {
	args := []goja.Value{value}
	if options != nil {
		args = append(args, options)
	}
	return s.call("internal:inspect", "inspect", args)
}

func (s *Set) call(module, name string, args []goja.Value) (string, error) {
	o, err := s.Load(module)
	if err != nil {
		return "", err
	}
	fn, ok := goja.AssertFunction(o.Get(name))
	if !ok {
		return "", fmt.Errorf("%s has no function %s", module, name)
	}
	v, err := fn(goja.Undefined(), args...)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}
