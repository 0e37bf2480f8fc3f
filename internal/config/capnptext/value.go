package capnptext

import "github.com/durashim/durashim/internal/config/source"

// Value is a value that has been checked against its type. Values that are
// referred to through constants are shared; do not change them.
type Value struct {
	// Pos is where the value is written, which for a reference is the constant.
	Pos source.Pos
	// Type is the type as workerd.capnp names it ("Worker.Binding",
	// "List(Text)"); a group or named union is named after its field
	// ("Worker.durableObjectStorage").
	Type string

	// Text holds Text and Data (bytes, not always UTF-8) and the name of an
	// enumerant.
	Text string
	// Embedded is the path of the file that `embed` took the bytes from.
	Embedded string
	Bool     bool
	// Uint is the magnitude of an integer, Neg its sign.
	Uint  uint64
	Neg   bool
	Float float64
	Items []*Value
	// Fields are the fields that are set, in the order of the file.
	Fields []*FieldValue

	weight int // number of values in it, references counted each time
}

// FieldValue is one field of a struct.
type FieldValue struct {
	Name string
	// Pos is the place of the name, or of the value where the name is implied.
	Pos   source.Pos
	Value *Value
	// Union says that the field is a member of the struct's unnamed union.
	Union bool
}

// Get returns the value of a field, or nil if v is nil or does not set it.
func (v *Value) Get(name string) *Value {
	if v != nil {
		for _, f := range v.Fields {
			if f.Name == name {
				return f.Value
			}
		}
	}
	return nil
}

// Member returns the member of the unnamed union that is set, or nil.
func (v *Value) Member() *FieldValue {
	if v != nil {
		for _, f := range v.Fields {
			if f.Union {
				return f
			}
		}
	}
	return nil
}

// Const is a constant of a file.
type Const struct {
	Name  string
	Pos   source.Pos
	Value *Value
}
