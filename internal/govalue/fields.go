package govalue

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// structField is a field of a struct as an object's property.
type structField struct {
	name      string
	index     []int
	omitEmpty bool
	omitZero  bool
	tagged    bool
}

// fieldsByType keeps what typeFields found, which depends on the type alone.
var fieldsByType sync.Map // reflect.Type to []structField

// typeFields lists the properties of a struct type by the rules of encoding/json:
// tags name them, embedded structs lend theirs, and of several of one name the
// least nested counts, then the one with a tag; when that leaves more than one,
// none does.
func typeFields(t reflect.Type) []structField {
	if f, ok := fieldsByType.Load(t); ok {
		return f.([]structField)
	}
	var all []structField
	collectFields(t, nil, map[reflect.Type]bool{}, &all)
	best := map[string][]structField{}
	for _, f := range all {
		best[f.name] = append(best[f.name], f)
	}
	var fields []structField
	for _, f := range all {
		if d := dominant(best[f.name]); d != nil && slices.Equal(d.index, f.index) {
			fields = append(fields, f)
		}
	}
	fieldsByType.Store(t, fields)
	return fields
}

func dominant(fs []structField) *structField {
	depth := len(fs[0].index)
	for _, f := range fs {
		depth = min(depth, len(f.index))
	}
	var plain, tagged []structField
	for _, f := range fs {
		if len(f.index) != depth {
			continue
		}
		if f.tagged {
			tagged = append(tagged, f)
		} else {
			plain = append(plain, f)
		}
	}
	switch {
	case len(tagged) == 1:
		return &tagged[0]
	case len(tagged) == 0 && len(plain) == 1:
		return &plain[0]
	}
	return nil
}

func collectFields(t reflect.Type, index []int, open map[reflect.Type]bool, all *[]structField) {
	if open[t] {
		return
	}
	open[t] = true
	defer delete(open, t)
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		at := append(slices.Clone(index), i)
		if sf.Anonymous && name == "" {
			et := sf.Type
			if et.Kind() == reflect.Pointer {
				et = et.Elem()
			}
			if et.Kind() == reflect.Struct && !isLeaf(et) {
				// Exported fields of an unexported embedded struct count; through
				// an unexported pointer they could not be set.
				if sf.IsExported() || sf.Type.Kind() == reflect.Struct {
					collectFields(et, at, open, all)
				}
				continue
			}
		}
		if !sf.IsExported() {
			continue
		}
		f := structField{name: name, index: at, tagged: name != ""}
		if name == "" {
			f.name = sf.Name
		}
		for opt := range strings.SplitSeq(opts, ",") {
			switch opt {
			case "omitempty":
				f.omitEmpty = true
			case "omitzero":
				f.omitZero = true
			}
		}
		*all = append(*all, f)
	}
}

// isLeaf reports whether a struct type stands for one JavaScript value and not
// for an object with its fields.
func isLeaf(t reflect.Type) bool {
	switch t {
	case typeTime, typeBigInt, typeUndefined, typeMap, typeSet, typeRegExp, typeError, typeTyped:
		return true
	}
	return false
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
