package govalue

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/durashim/durashim/internal/structclone"
)

// Unmarshal reads the message in data into target, a pointer that is not nil.
func Unmarshal(data []byte, target any) error {
	var r structclone.Reader
	if err := r.Reset(data, maxDepth); err != nil {
		return err
	}
	return Decode(&r, target)
}

// Decode reads one value from r into target, a pointer that is not nil. A
// message that is not well formed gives the error of [structclone.Reader], a
// value that does not fit the target a *PathError.
func Decode(r *structclone.Reader, target any) error {
	dst, err := targetOf(target)
	if err != nil {
		return err
	}
	v, err := DecodeAny(r)
	if err != nil {
		return err
	}
	return Assign(dst, v, r.Offset(), nil)
}

func targetOf(target any) (reflect.Value, error) {
	dst := reflect.ValueOf(target)
	if dst.Kind() != reflect.Pointer || dst.IsNil() {
		return dst, &PathError{Reason: fmt.Sprintf("target must be a pointer that is not nil, not %T", target)}
	}
	return dst.Elem(), nil
}

// DecodeAny reads one value from r as it comes out into an empty interface.
func DecodeAny(r *structclone.Reader) (any, error) {
	d := decoder{r: r}
	if err := r.Next(&d.t); err != nil {
		return nil, err
	}
	return d.value(nil)
}

type decoder struct {
	r    *structclone.Reader
	t    structclone.Token
	objs map[uint32]any
	host DecodeHost // may be nil
}

// keep remembers an object for references. Most messages have none, but that is
// known only at the end.
func (d *decoder) keep(id uint32, v any) {
	if d.objs == nil {
		d.objs = make(map[uint32]any)
	}
	d.objs[id] = v
}

func (d *decoder) next(p *path) (any, error) {
	if err := d.r.Next(&d.t); err != nil {
		return nil, err
	}
	return d.value(p)
}

func (d *decoder) value(p *path) (any, error) {
	t := &d.t
	id := t.ID
	var v any
	switch t.Kind {
	case structclone.KindUndefined, structclone.KindNull, structclone.KindHole:
		return nil, nil
	case structclone.KindBool:
		return t.Bool, nil
	case structclone.KindInt:
		return float64(t.Int), nil
	case structclone.KindDouble:
		return t.Num, nil
	case structclone.KindBigInt:
		return t.Big, nil
	case structclone.KindString:
		return t.Str.String(), nil
	case structclone.KindBackRef:
		v, ok := d.objs[t.ID]
		if !ok {
			return nil, p.errorf("reference to an object outside the value, or to one that is not complete")
		}
		return v, nil
	case structclone.KindObject:
		return d.object(p)
	case structclone.KindDenseArray, structclone.KindSparseArray:
		return d.array(p)
	case structclone.KindMap:
		return d.mapValue(p)
	case structclone.KindSet:
		return d.setValue(p)
	case structclone.KindError, structclone.KindLegacyError:
		return d.errorValue(p)
	case structclone.KindDate:
		if math.IsNaN(t.Num) || math.Abs(t.Num) > maxDate {
			return nil, p.errorf("an invalid Date is no time.Time")
		}
		v = time.UnixMilli(int64(t.Num)).UTC()
	case structclone.KindBoxedBool:
		v = t.Bool
	case structclone.KindBoxedNumber:
		v = t.Num
	case structclone.KindBoxedBigInt:
		v = t.Big
	case structclone.KindBoxedString:
		v = t.Str.String()
	case structclone.KindRegExp:
		flags, ok := structclone.RegExpFlagString(uint32(t.Int))
		if !ok {
			return nil, p.errorf("RegExp with unknown flags")
		}
		v = &RegExp{Source: t.Str.String(), Flags: flags}
	case structclone.KindArrayBuffer:
		v = ArrayBuffer(append([]byte{}, t.Bytes...))
	case structclone.KindView:
		return d.view(p)
	case structclone.KindHost:
		return d.hostValue(p)
	default:
		return nil, p.errorf("unexpected token")
	}
	d.keep(id, v)
	return v, nil
}

func (d *decoder) view(p *path) (any, error) {
	t := &d.t
	id := t.ID
	if t.NewBuffer {
		d.keep(t.BufferID, ArrayBuffer(append([]byte{}, t.Bytes...)))
	}
	buf, ok := d.objs[t.BufferID].(ArrayBuffer)
	if !ok {
		return nil, p.errorf("view on a buffer outside the value")
	}
	length := t.View.Length
	if t.View.LengthTracking {
		length = uint32(len(buf)) - t.View.Offset
	}
	// Views of one buffer share its bytes, as in JavaScript.
	b := buf[t.View.Offset : t.View.Offset+length]
	var v any = &TypedArray{Type: t.View.Type, Bytes: b}
	if t.View.Type == structclone.Uint8Array {
		v = []byte(b)
	}
	d.keep(id, v)
	return v, nil
}

// key returns the name of the property whose token is the current one.
func (d *decoder) key() string {
	switch t := &d.t; t.Kind {
	case structclone.KindString:
		return t.Str.String()
	case structclone.KindInt:
		return strconv.FormatInt(t.Int, 10)
	default:
		return numberText(t.Num)
	}
}

// numberText formats a number as JavaScript does, for those that V8 writes as
// keys: integers, which are exact.
func numberText(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func (d *decoder) object(p *path) (any, error) {
	m := map[string]any{}
	d.keep(d.t.ID, m)
	return m, d.properties(p, func(key string, v any) { m[key] = v })
}

// properties reads up to the end.
func (d *decoder) properties(p *path, set func(string, any)) error {
	for {
		if err := d.r.Next(&d.t); err != nil {
			return err
		}
		if d.t.Kind == structclone.KindEnd {
			return nil
		}
		key := d.key()
		v, err := d.next(p.field(key))
		if err != nil {
			return err
		}
		set(key, v)
	}
}

// maxSparse limits how many elements a sparse array may have that are not there:
// a few bytes can claim four thousand million of them.
const maxSparse = 1 << 20

func (d *decoder) array(p *path) (any, error) {
	n := d.t.Int
	dense := d.t.Kind == structclone.KindDenseArray
	if !dense && n > maxSparse {
		return nil, p.errorf("sparse array of length %d is too long for a slice", n)
	}
	a := make([]any, n)
	d.keep(d.t.ID, a)
	if dense {
		for i := range a {
			var err error
			if a[i], err = d.next(p.at(i)); err != nil {
				return nil, err
			}
		}
	}
	return a, d.properties(p, func(key string, v any) {
		if i, ok := arrayIndex(key); ok && int64(i) < n {
			a[i] = v
		}
	})
}

func (d *decoder) mapValue(p *path) (any, error) {
	m := &Map{}
	d.keep(d.t.ID, m)
	for {
		if err := d.r.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindEnd {
			return m, nil
		}
		i := len(m.Entries)
		k, err := d.value(p.at(i))
		if err != nil {
			return nil, err
		}
		v, err := d.next(p.at(i))
		if err != nil {
			return nil, err
		}
		m.Entries = append(m.Entries, Entry{k, v})
	}
}

func (d *decoder) setValue(p *path) (any, error) {
	s := &Set{}
	d.keep(d.t.ID, s)
	for {
		if err := d.r.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindEnd {
			return s, nil
		}
		v, err := d.value(p.at(len(s.Values)))
		if err != nil {
			return nil, err
		}
		s.Values = append(s.Values, v)
	}
}

func (d *decoder) errorValue(p *path) (any, error) {
	x := &Error{Name: d.t.Error.Name()}
	named, legacy := d.t.Error == structclone.ErrorNamed, d.t.Kind == structclone.KindLegacyError
	d.keep(d.t.ID, x)
	if legacy {
		x.Name = "Error"
		return x, d.legacyError(x, p)
	}
	if named {
		name, err := d.next(p.field("name"))
		if err != nil {
			return nil, err
		}
		x.Name = text(name)
	}
	message, err := d.next(p.field("message"))
	if err != nil {
		return nil, err
	}
	var ok bool
	if x.Message, ok = message.(string); !ok {
		return nil, p.errorf("the message of an error is not a string")
	}
	if err := d.r.Next(&d.t); err != nil { // the object that holds the properties
		return nil, err
	}
	return x, d.properties(p, func(key string, v any) {
		if s, ok := v.(string); ok && key == "stack" {
			x.Stack = s
			return
		}
		if key == "cause" {
			x.Cause, x.HasCause = v, true
			return
		}
		if x.Props == nil {
			x.Props = map[string]any{}
		}
		x.Props[key] = v
	})
}

func (d *decoder) legacyError(x *Error, p *path) error {
	for {
		if err := d.r.Next(&d.t); err != nil {
			return err
		}
		if d.t.Kind == structclone.KindEnd {
			return nil
		}
		switch d.t.Field {
		case structclone.FieldClass:
			x.Name = d.t.Error.Name()
		case structclone.FieldMessage:
			x.Message = d.t.Str.String()
		case structclone.FieldStack:
			x.Stack = d.t.Str.String()
		case structclone.FieldCause:
			v, err := d.next(p.field("cause"))
			if err != nil {
				return err
			}
			x.Cause, x.HasCause = v, true
		}
	}
}

// text is the string that a name stands for when it is not one.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return "undefined"
	case float64:
		return numberText(v)
	case *big.Int:
		return v.String()
	}
	return fmt.Sprint(v)
}
