package govalue

import (
	"bytes"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/durashim/durashim/internal/structclone"
)

var (
	typeTime      = reflect.TypeFor[time.Time]()
	typeBigInt    = reflect.TypeFor[big.Int]()
	typeUndefined = reflect.TypeFor[undefined]()
	typeBuffer    = reflect.TypeFor[ArrayBuffer]()
	typeTyped     = reflect.TypeFor[TypedArray]()
	typeMap       = reflect.TypeFor[Map]()
	typeSet       = reflect.TypeFor[Set]()
	typeRegExp    = reflect.TypeFor[RegExp]()
	typeError     = reflect.TypeFor[Error]()
)

// maxDepth limits the nesting; what is deeper is taken for a cycle. V8 gives up
// at about four times as much.
const maxDepth = 1000

// maxExact is the greatest integer up to which a Number holds every integer.
const maxExact = 1 << 53

// Marshal returns the message that holds v. The error is a *PathError.
func Marshal(v any) ([]byte, error) {
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	if err := Encode(&w, v); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// Encode writes v as one value, without a header. The error is a *PathError; what
// has been written by then is of no use.
func Encode(w *structclone.Writer, v any) error {
	e := encoder{w: w}
	return e.value(reflect.ValueOf(v), nil)
}

type encoder struct {
	w     *structclone.Writer
	host  EncodeHost // may be nil
	depth int
}

func (e *encoder) value(v reflect.Value, p *path) error {
	if !v.IsValid() {
		e.w.Null()
		return nil
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			e.w.Null()
			return nil
		}
		if v.Kind() == reflect.Pointer {
			if done, err := e.hosted(v, p); done || err != nil {
				return err
			}
		}
		return e.nested(v.Elem(), p, e.value)
	case reflect.Bool:
		e.w.Bool(v.Bool())
	case reflect.String:
		e.w.String(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64:
		f, err := number(v, p)
		if err != nil {
			return err
		}
		e.w.Number(f)
	case reflect.Slice, reflect.Array:
		return e.nested(v, p, e.list)
	case reflect.Map:
		if done, err := e.hosted(v, p); done || err != nil {
			return err
		}
		return e.nested(v, p, e.mapping)
	case reflect.Struct:
		if done, err := e.hosted(v, p); done || err != nil {
			return err
		}
		return e.nested(v, p, e.structure)
	case reflect.Func:
		if v.IsNil() {
			e.w.Null()
			return nil
		}
		if done, err := e.hosted(v, p); done || err != nil {
			return err
		}
		fallthrough
	default:
		return p.errorf("a value of type %s cannot be sent to JavaScript", v.Type())
	}
	return nil
}

func (e *encoder) nested(v reflect.Value, p *path, f func(reflect.Value, *path) error) error {
	if e.depth++; e.depth > maxDepth {
		return p.errorf("value of type %s is nested more than %d levels deep, or holds itself", v.Type(), maxDepth)
	}
	err := f(v, p)
	e.depth--
	return err
}

// number returns the value of any numeric kind.
func number(v reflect.Value, p *path) (float64, error) {
	switch {
	case v.CanInt():
		i := v.Int()
		if i > maxExact || i < -maxExact {
			return 0, p.errorf("integer %d is beyond 2^53 and would be rounded; use a *big.Int", i)
		}
		return float64(i), nil
	case v.CanUint():
		u := v.Uint()
		if u > maxExact {
			return 0, p.errorf("integer %d is beyond 2^53 and would be rounded; use a *big.Int", u)
		}
		return float64(u), nil
	}
	return v.Float(), nil
}

func isNumber(v reflect.Value) bool { return v.CanInt() || v.CanUint() || v.CanFloat() }

// list writes a slice or an array.
func (e *encoder) list(v reflect.Value, p *path) error {
	t := v.Type()
	if v.Kind() == reflect.Slice && v.IsNil() {
		e.w.Null()
		return nil
	}
	if t == typeBuffer {
		e.w.ArrayBuffer(v.Bytes())
		return nil
	}
	if t.Elem().Kind() == reflect.Uint8 {
		b := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(b), v)
		e.w.ArrayBuffer(b)
		e.w.View(structclone.View{Type: structclone.Uint8Array, Length: uint32(len(b))})
		return nil
	}
	n := v.Len()
	if int64(n) >= 1<<32 {
		return p.errorf("%d elements are more than an array can hold", n)
	}
	doubles, err := e.wantDoubles(v, p)
	if err != nil {
		return err
	}
	e.w.BeginDenseArray(uint32(n))
	for i := range n {
		el := v.Index(i)
		if doubles {
			f, err := number(deref(el), p.at(i))
			if err != nil {
				return err
			}
			e.w.Double(f)
		} else if err := e.value(el, p.at(i)); err != nil {
			return err
		}
	}
	e.w.EndDenseArray(0, uint32(n))
	return nil
}

// wantDoubles reports whether V8 would keep the elements as doubles and so write
// them all as such: they are numbers and not all small integers.
func (e *encoder) wantDoubles(v reflect.Value, p *path) (bool, error) {
	wide := false
	for i := range v.Len() {
		el := deref(v.Index(i))
		if !el.IsValid() || !isNumber(el) {
			return false, nil
		}
		f, err := number(el, p.at(i))
		if err != nil {
			return false, err
		}
		wide = wide || !structclone.IsSmi(f)
	}
	return wide, nil
}

func deref(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// property writes the key of a property.
func (e *encoder) property(name string) {
	if i, ok := arrayIndex(name); ok {
		e.w.Index(i)
	} else {
		e.w.String(name)
	}
}

func arrayIndex(s string) (uint32, bool) {
	if s == "" || len(s) > 10 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	var n uint64
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + uint64(s[i]-'0')
	}
	return uint32(n), n < math.MaxUint32
}

// compareKeys orders names as JavaScript orders properties, indexes first, and
// the others by their bytes.
func compareKeys(a, b string) int {
	i, aIndex := arrayIndex(a)
	j, bIndex := arrayIndex(b)
	switch {
	case aIndex && bIndex:
		return int(int64(i) - int64(j))
	case aIndex:
		return -1
	case bIndex:
		return 1
	}
	return strings.Compare(a, b)
}

func (e *encoder) mapping(v reflect.Value, p *path) error {
	if v.IsNil() {
		e.w.Null()
		return nil
	}
	if v.Type().Key().Kind() != reflect.String {
		return e.keyedMap(v, p)
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return compareKeys(a.String(), b.String()) })
	e.w.BeginObject()
	for _, k := range keys {
		e.property(k.String())
		if err := e.value(v.MapIndex(k), p.field(k.String())); err != nil {
			return err
		}
	}
	e.w.EndObject(uint32(len(keys)))
	return nil
}

// keyedMap writes a Map. The order is that of the keys' encodings, so that equal
// maps give equal bytes.
func (e *encoder) keyedMap(v reflect.Value, p *path) error {
	type entry struct {
		order []byte
		key   reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for _, k := range v.MapKeys() {
		var w structclone.Writer
		sub := encoder{w: &w, depth: e.depth}
		if err := sub.value(k, p.field("key")); err != nil {
			return err
		}
		entries = append(entries, entry{w.Bytes(), k})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		x, y := deref(a.key), deref(b.key)
		if x.IsValid() && y.IsValid() && isNumber(x) && isNumber(y) {
			f, _ := number(x, nil)
			g, _ := number(y, nil)
			if f < g {
				return -1
			} else if f > g {
				return 1
			}
		}
		return bytes.Compare(a.order, b.order)
	})
	e.w.BeginMap()
	for i, en := range entries {
		if err := e.value(en.key, p.at(i)); err != nil {
			return err
		}
		if err := e.value(v.MapIndex(en.key), p.at(i)); err != nil {
			return err
		}
	}
	e.w.EndMap(uint32(len(entries)))
	return nil
}

func (e *encoder) structure(v reflect.Value, p *path) error {
	if isLeaf(v.Type()) {
		return e.leaf(v, p)
	}
	e.w.BeginObject()
	count := uint32(0)
	for _, f := range typeFields(v.Type()) {
		fv, err := v.FieldByIndexErr(f.index)
		if err != nil { // a nil pointer to an embedded struct
			continue
		}
		if f.omitEmpty && isEmpty(fv) || f.omitZero && fv.IsZero() {
			continue
		}
		e.property(f.name)
		if err := e.value(fv, p.field(f.name)); err != nil {
			return err
		}
		count++
	}
	e.w.EndObject(count)
	return nil
}
