package govalue

import (
	"reflect"

	"github.com/durashim/durashim/internal/structclone"
)

// EncodeHost writes values that are more than data, such as functions, as host
// objects. It is asked about every function, pointer, struct and map before it is
// encoded otherwise; false leaves the value to this package. An error ends the
// encoding and is given the place.
type EncodeHost func(w *structclone.Writer, v reflect.Value) (done bool, err error)

// DecodeHost makes the Go value of a host object from its payload.
type DecodeHost func(r *structclone.Reader, tag uint32) (any, error)

// DescribeHost names a value that a [DecodeHost] made for errors, as "a
// ReadableStream"; "" for any other value.
type DescribeHost func(v any) string

// MarshalHost is [Marshal] with a hook for values that are more than data.
func MarshalHost(v any, host EncodeHost) ([]byte, error) {
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	e := encoder{w: &w, host: host}
	if err := e.value(reflect.ValueOf(v), nil); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// UnmarshalHost is [Unmarshal] with a hook for host objects.
func UnmarshalHost(data []byte, target any, host DecodeHost, describe DescribeHost) error {
	dst, err := targetOf(target)
	if err != nil {
		return err
	}
	v, err := UnmarshalAny(data, host)
	if err != nil {
		return err
	}
	return Assign(dst, v, len(data), describe)
}

// UnmarshalAny reads the message in data as it comes out into an empty interface.
func UnmarshalAny(data []byte, host DecodeHost) (any, error) {
	var r structclone.Reader
	if err := r.Reset(data, maxDepth); err != nil {
		return nil, err
	}
	d := decoder{r: &r, host: host}
	if err := r.Next(&d.t); err != nil {
		return nil, err
	}
	return d.value(nil)
}

// Assign stores a value that [UnmarshalAny] made from a message of so many bytes
// in dst, which must be settable. describe may be nil. The error is a *PathError.
func Assign(dst reflect.Value, v any, size int, describe DescribeHost) error {
	a := assigner{left: size + maxSteps, describe: describe}
	return a.assign(dst, v, nil, 0)
}

// hostValue reads a host object.
func (d *decoder) hostValue(p *path) (any, error) {
	id, tag := d.t.ID, d.t.Int
	if d.host == nil {
		return nil, p.errorf("host object of type %d has no form in Go", tag)
	}
	v, err := d.host(d.r, uint32(tag))
	if err != nil {
		return nil, p.wrap(err)
	}
	d.keep(id, v)
	return v, d.r.EndHost()
}

// hosted asks the hook about a value.
func (e *encoder) hosted(v reflect.Value, p *path) (bool, error) {
	if e.host == nil {
		return false, nil
	}
	done, err := e.host(e.w, v)
	if err != nil {
		return false, p.wrap(err)
	}
	return done, nil
}
