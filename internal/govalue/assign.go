package govalue

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"time"
)

// assigner stores decoded values in targets of any type. Its steps are limited:
// an object that a message refers to from many places is copied to each of them,
// and a small message can so describe a tree of any size.
type assigner struct {
	left     int
	describe func(any) string // names what host objects became; may be nil
}

// maxSteps is the number of values that a message may be copied into beyond one
// for each of its bytes.
const maxSteps = 1 << 18

func (a *assigner) assign(dst reflect.Value, v any, p *path, depth int) error {
	t := dst.Type()
	if depth > maxDepth {
		return p.errorf("value is nested more than %d levels deep, or holds itself", maxDepth)
	}
	if a.left--; a.left < 0 {
		return p.errorf("the references in the value multiply it beyond measure")
	}
	if v == nil {
		switch t.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice:
			dst.SetZero()
		}
		return nil
	}
	src := reflect.ValueOf(v)
	if src.Type().AssignableTo(t) {
		dst.Set(src)
		return nil
	}
	if t.Kind() == reflect.Pointer {
		if dst.IsNil() {
			dst.Set(reflect.New(t.Elem()))
		}
		return a.assign(dst.Elem(), v, p, depth+1)
	}
	switch x := v.(type) {
	case bool:
		if t.Kind() == reflect.Bool {
			dst.SetBool(x)
			return nil
		}
	case string:
		if t.Kind() == reflect.String {
			dst.SetString(x)
			return nil
		}
	case float64:
		return assignNumber(dst, x, p)
	case *big.Int:
		return assignBigInt(dst, x, p)
	case []byte:
		return assignBytes(dst, x, p)
	case ArrayBuffer:
		return assignBytes(dst, x, p)
	case *TypedArray:
		if t == typeTyped {
			dst.Set(src.Elem())
			return nil
		}
		return assignBytes(dst, x.Bytes, p)
	case []any:
		return a.assignList(dst, x, p, depth)
	case *Set:
		if t != typeSet {
			return a.assignList(dst, x.Values, p, depth)
		}
	case *Map:
		if t != typeMap {
			return a.assignMap(dst, x, p, depth)
		}
	case map[string]any:
		return a.assignObject(dst, x, p, depth)
	}
	if a.describe != nil && a.describe(v) != "" {
		return p.errorf("%s does not fit into a Go %s", a.describe(v), dst.Type())
	}
	// What is left are structs of ours, and time.Time, which was assignable.
	if src.Kind() == reflect.Pointer && src.Elem().Type() == t {
		dst.Set(src.Elem())
		return nil
	}
	return mismatch(dst, v, p)
}

func mismatch(dst reflect.Value, v any, p *path) error {
	return p.errorf("%s does not fit into a Go %s", describe(v), dst.Type())
}

func describe(v any) string {
	switch v := v.(type) {
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case float64:
		return "a number"
	case *big.Int:
		return "a BigInt"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	case []byte:
		return "a Uint8Array"
	case ArrayBuffer:
		return "an ArrayBuffer"
	case *TypedArray:
		return "a " + v.Type.Name()
	case *Map:
		return "a Map"
	case *Set:
		return "a Set"
	case *RegExp:
		return "a RegExp"
	case *Error:
		return "an error"
	case time.Time:
		return "a Date"
	}
	return fmt.Sprintf("a %T", v)
}

func assignNumber(dst reflect.Value, f float64, p *path) error {
	switch {
	case dst.CanFloat():
		if dst.Kind() == reflect.Float32 && float64(float32(f)) != f && !math.IsNaN(f) {
			return p.errorf("number %v would lose digits in a Go %s", f, dst.Type())
		}
		dst.SetFloat(f)
		return nil
	case dst.CanInt():
		// The bounds are exact as float64; beyond them the conversion is undefined.
		if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 || dst.OverflowInt(int64(f)) {
			return p.errorf("number %v does not fit into a Go %s", f, dst.Type())
		}
		dst.SetInt(int64(f))
		return nil
	case dst.CanUint():
		if f != math.Trunc(f) || f < 0 || f >= 1<<64 || dst.OverflowUint(uint64(f)) {
			return p.errorf("number %v does not fit into a Go %s", f, dst.Type())
		}
		dst.SetUint(uint64(f))
		return nil
	}
	return mismatch(dst, f, p)
}

func assignBigInt(dst reflect.Value, b *big.Int, p *path) error {
	switch {
	case dst.Type() == typeBigInt:
		dst.Addr().Interface().(*big.Int).Set(b)
		return nil
	case dst.CanInt():
		if !b.IsInt64() || dst.OverflowInt(b.Int64()) {
			return p.errorf("BigInt %v does not fit into a Go %s", b, dst.Type())
		}
		dst.SetInt(b.Int64())
		return nil
	case dst.CanUint():
		if !b.IsUint64() || dst.OverflowUint(b.Uint64()) {
			return p.errorf("BigInt %v does not fit into a Go %s", b, dst.Type())
		}
		dst.SetUint(b.Uint64())
		return nil
	}
	return mismatch(dst, b, p)
}

func assignBytes(dst reflect.Value, b []byte, p *path) error {
	t := dst.Type()
	switch {
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		dst.SetBytes(b)
		return nil
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8:
		if t.Len() != len(b) {
			return p.errorf("%d bytes do not fit into a Go %s", len(b), t)
		}
		reflect.Copy(dst, reflect.ValueOf(b))
		return nil
	}
	return mismatch(dst, b, p)
}

func (a *assigner) assignList(dst reflect.Value, list []any, p *path, depth int) error {
	t := dst.Type()
	switch t.Kind() {
	case reflect.Slice:
		dst.Set(reflect.MakeSlice(t, len(list), len(list)))
	case reflect.Array:
		if t.Len() != len(list) {
			return p.errorf("array of %d elements does not fit into a Go %s", len(list), t)
		}
		dst.SetZero()
	default:
		return mismatch(dst, list, p)
	}
	for i, v := range list {
		if err := a.assign(dst.Index(i), v, p.at(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (a *assigner) assignMap(dst reflect.Value, m *Map, p *path, depth int) error {
	t := dst.Type()
	if t.Kind() != reflect.Map {
		return mismatch(dst, m, p)
	}
	out := reflect.MakeMapWithSize(t, len(m.Entries))
	for i, en := range m.Entries {
		k, v := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := a.assign(k, en.Key, p.at(i), depth+1); err != nil {
			return err
		}
		if !k.Comparable() {
			return p.at(i).errorf("%s cannot be the key of a Go map", describe(en.Key))
		}
		if err := a.assign(v, en.Value, p.at(i), depth+1); err != nil {
			return err
		}
		out.SetMapIndex(k, v)
	}
	dst.Set(out)
	return nil
}

func (a *assigner) assignObject(dst reflect.Value, m map[string]any, p *path, depth int) error {
	t := dst.Type()
	switch {
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		out := reflect.MakeMapWithSize(t, len(m))
		for _, name := range slices.Sorted(maps.Keys(m)) { // the same error each time
			x, v := m[name], reflect.New(t.Elem()).Elem()
			if err := a.assign(v, x, p.field(name), depth+1); err != nil {
				return err
			}
			out.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), v)
		}
		dst.Set(out)
		return nil
	case t.Kind() == reflect.Struct && !isLeaf(t):
		for _, f := range typeFields(t) {
			x, ok := m[f.name]
			if !ok {
				continue
			}
			if err := a.assign(fieldForWrite(dst, f.index), x, p.field(f.name), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return mismatch(dst, m, p)
}

// fieldForWrite finds a field, making the embedded structs on the way to it.
func fieldForWrite(v reflect.Value, index []int) reflect.Value {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}
