package govalue

import (
	"maps"
	"math/big"
	"reflect"
	"slices"
	"time"

	"github.com/durashim/durashim/internal/structclone"
)

// maxDate is the greatest time value of a Date, in milliseconds.
const maxDate = 8.64e15

// leaf writes a struct that stands for one JavaScript value.
func (e *encoder) leaf(v reflect.Value, p *path) error {
	switch v.Type() {
	case typeUndefined:
		e.w.Undefined()
	case typeTime:
		ms := v.Interface().(time.Time).UnixMilli()
		if ms > maxDate || ms < -maxDate {
			return p.errorf("time %v is outside the range of a Date", v.Interface())
		}
		e.w.Date(float64(ms))
	case typeBigInt:
		b := v.Interface().(big.Int)
		e.w.BigInt(&b)
	case typeTyped:
		a := v.Interface().(TypedArray)
		size := a.Type.ElementSize()
		if size == 0 || len(a.Bytes)%size != 0 {
			return p.errorf("%d bytes are no typed array of type %q", len(a.Bytes), string(rune(a.Type)))
		}
		e.w.ArrayBuffer(a.Bytes)
		e.w.View(structclone.View{Type: a.Type, Length: uint32(len(a.Bytes))})
	case typeMap:
		m := v.Interface().(Map)
		e.w.BeginMap()
		for i, en := range m.Entries {
			if err := e.value(reflect.ValueOf(en.Key), p.at(i)); err != nil {
				return err
			}
			if err := e.value(reflect.ValueOf(en.Value), p.at(i)); err != nil {
				return err
			}
		}
		e.w.EndMap(uint32(len(m.Entries)))
	case typeSet:
		s := v.Interface().(Set)
		e.w.BeginSet()
		for i, x := range s.Values {
			if err := e.value(reflect.ValueOf(x), p.at(i)); err != nil {
				return err
			}
		}
		e.w.EndSet(uint32(len(s.Values)))
	case typeRegExp:
		r := v.Interface().(RegExp)
		bits, ok := structclone.RegExpFlags(r.Flags)
		if !ok {
			return p.errorf("unknown flags %q of a RegExp", r.Flags)
		}
		e.w.RegExp()
		e.w.String(r.Source)
		e.w.RegExpFlags(bits)
	case typeError:
		return e.errorValue(v.Interface().(Error), p)
	}
	return nil
}

func (e *encoder) errorValue(x Error, p *path) error {
	kind := structclone.ErrorKindOf(x.Name)
	e.w.Error(kind)
	if kind == structclone.ErrorNamed {
		e.w.String(x.Name)
	}
	e.w.String(x.Message)
	count := uint32(0)
	e.w.BeginObject()
	if x.Stack != "" {
		e.w.OneByte("stack")
		e.w.String(x.Stack)
		count++
	}
	if x.HasCause {
		e.w.OneByte("cause")
		if err := e.value(reflect.ValueOf(x.Cause), p.field("cause")); err != nil {
			return err
		}
		count++
	}
	for _, name := range slices.SortedFunc(maps.Keys(x.Props), compareKeys) {
		switch name {
		case "name", "message", "stack", "cause":
			return p.errorf("an error's %s has a field of its own", name)
		}
		e.w.String(name)
		if err := e.value(reflect.ValueOf(x.Props[name]), p.field(name)); err != nil {
			return err
		}
		count++
	}
	e.w.EndObject(count)
	return nil
}
