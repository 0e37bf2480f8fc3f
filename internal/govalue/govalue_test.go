package govalue

import (
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/internal/structclone"
)

type Base struct {
	ID     int    `json:"id"`
	Hidden string `json:"-"`
}

type item struct {
	Base
	Name  string            `json:"name"`
	Qty   *int              `json:"qty,omitempty"`
	Price float64           `json:"price,omitempty"`
	Tags  []string          `json:"tags"`
	Meta  map[string]any    `json:"meta,omitempty"`
	When  time.Time         `json:"when,omitzero"`
	Index map[int]string    `json:"index,omitempty"`
	Pair  [2]bool           `json:"pair"`
	Sub   *item             `json:"sub,omitempty"`
	Big   *big.Int          `json:"big,omitempty"`
	Props map[string]string `json:"props,omitempty"`
	quiet int
}

// The bytes are those that workerd 2026-11-17 stored for the JavaScript value.
func TestEncodeAsWorkerd(t *testing.T) {
	n, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for want, v := range map[string]any{
		"ff0f5f":                             Undefined,
		"ff0f30":                             nil,
		"ff0f54":                             true,
		"ff0f4954":                           42,
		"ff0f4e000000000000f83f":             1.5,
		"ff0f49feffffff07":                   uint32(1<<30 - 1),
		"ff0f4e000000000000d041":             int64(1 << 30),
		"ff0f4e0000000000000080":             math.Copysign(0, -1),
		"ff0f220568e96c6c6f":                 "h\u00e9llo",
		"ff0f63067800ac207900":               "x\u20acy",
		"ff0f42030102035642000300":           []byte{1, 2, 3},
		"ff0f420400000000":                   ArrayBuffer{0, 0, 0, 0},
		"ff0f4208000000000000f83f5646000800": &TypedArray{structclone.Float64Array, []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}},
		"ff0f4103490249044906240003":         []int{1, 2, 3},
		"ff0f41024e000000000000f03f4e000000000000f83f240002":         []any{1, 1.5},
		"ff0f41024e000000205fa0024230240002":                         []any{1e10, nil},
		"ff0f4400b08756febc7842":                                     time.UnixMilli(1700000000123),
		"ff0f5a20d20a3f4eeee073c3f60fe98e01000000":                   n,
		"ff0f6f490222036f6e654904220374776f220162490222016149047b04": &ordered{"one", "two", 1, 2},
		"ff0f3b49022201613a02":                                       map[int]string{1: "a"},
		"ff0f272201712c01":                                           &Set{[]any{"q"}},
		"ff0f52220361622b03":                                         &RegExp{"ab+", "gi"},
		"ff0f5c0a0022054d7945727222016d6f2205737461636b2201537b01":   &Error{Name: "MyErr", Message: "m", Stack: "S"},
		"ff0f5c0a0122016d6f2205737461636b220153220563617573652201637b02": &Error{Name: "Error", Message: "m", Stack: "S",
			Cause: "c", HasCause: true},
		"ff0f41026f22016149027b016f22016149027b01240002": []map[string]int{{"a": 1}, {"a": 1}},
	} {
		got, err := Marshal(v)
		if err != nil {
			t.Errorf("%#v: %v", v, err)
		} else if hex.EncodeToString(got) != want {
			t.Errorf("%#v:\n got %x\nwant %s", v, got, want)
		}
	}
}

type ordered struct {
	One string `json:"1"`
	Two string `json:"2"`
	B   int    `json:"b"`
	A   int    `json:"a"`
}

func TestMapOrder(t *testing.T) {
	got, err := Marshal(map[string]int{"b": 1, "10": 2, "9": 3, "a": 4, "01": 5})
	want := "ff0f6f" + "49124906" + "49144904" + "22023031490a" + "2201614908" + "2201624902" + "7b05"
	if err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%x, %v; want %s", got, err, want)
	}
}

func TestStructs(t *testing.T) {
	three := 3
	in := item{Base: Base{ID: 7, Hidden: "x"}, Name: "apple", Qty: &three, Tags: []string{"a"}, Meta: map[string]any{"k": true},
		When: time.UnixMilli(5).UTC(), Index: map[int]string{1: "x", -2: "y"}, Pair: [2]bool{true, false},
		Sub: &item{Name: "core", Tags: []string{}}, Big: big.NewInt(-9), Props: map[string]string{"p": "q"}, quiet: 1}
	data, err := Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	var out item
	if err := Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	in.Hidden, in.quiet = "", 0
	if !reflect.DeepEqual(in, out) {
		t.Errorf("got %+v\nwant %+v", out, in)
	}
	var any map[string]interface{}
	if err := Unmarshal(data, &any); err != nil {
		t.Fatal(err)
	}
	if any["id"] != 7.0 || any["name"] != "apple" || any["qty"] != 3.0 || any["Hidden"] != nil || len(any) != 11 {
		t.Errorf("as an object: %v", any)
	}
	if sub := any["sub"].(map[string]interface{}); len(sub) != 4 { // id, name, tags, pair
		t.Errorf("empty fields: %v", sub)
	}
}

func TestEncodeErrors(t *testing.T) {
	cyclic := map[string]any{}
	cyclic["again"] = cyclic
	for want, v := range map[string]any{
		"value: a value of type func() cannot be sent to JavaScript":                                  func() {},
		`value: at .items[3].name: a value of type chan int cannot be sent to JavaScript`:             map[string]any{"items": []any{1, 2, 3, map[string]any{"name": make(chan int)}}},
		`value: at ["a b"]: a value of type complex128 cannot be sent to JavaScript`:                  map[string]any{"a b": 1i},
		"value: at [1]: integer 9007199254740993 is beyond 2^53 and would be rounded; use a *big.Int": []int64{1, 1<<53 + 1},
		"value: integer 18446744073709551615 is beyond 2^53 and would be rounded; use a *big.Int":     uint64(math.MaxUint64),
		`value: unknown flags "q" of a RegExp`:                                                        RegExp{Flags: "q"},
		`value: 3 bytes are no typed array of type "W"`:                                               TypedArray{structclone.Uint16Array, make([]byte, 3)},
		"value: time 300000-01-01 00:00:00 +0000 UTC is outside the range of a Date":                  time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC),
		"value: an error's stack has a field of its own":                                              &Error{Props: map[string]any{"stack": 1}},
	} {
		_, err := Marshal(v)
		if err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	var p *PathError
	if _, err := Marshal(cyclic); !errors.As(err, &p) || !strings.Contains(p.Reason, "holds itself") {
		t.Errorf("cycle: %v", err)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		in     any
		target any
		want   string
	}{
		{map[string]any{"a": []any{1, "x"}}, new(map[string][]int), "value: at .a[1]: a string does not fit into a Go int"},
		{1.5, new(int), "value: number 1.5 does not fit into a Go int"},
		{300, new(uint8), "value: number 300 does not fit into a Go uint8"},
		{-1, new(uint), "value: number -1 does not fit into a Go uint"},
		{math.Inf(1), new(int64), "value: number +Inf does not fit into a Go int64"},
		{0.1, new(float32), "value: number 0.1 would lose digits in a Go float32"},
		{big.NewInt(300), new(int8), "value: BigInt 300 does not fit into a Go int8"},
		{"s", new(bool), "value: a string does not fit into a Go bool"},
		{[]byte{1}, new([2]byte), "value: 1 bytes do not fit into a Go [2]uint8"},
		{[]any{1}, new([2]int), "value: array of 1 elements does not fit into a Go [2]int"},
		{map[string]any{"when": 5}, new(item), "value: at .when: a number does not fit into a Go time.Time"},
		{&Map{[]Entry{{[]any{}, 1}}}, new(map[any]any), "value: at [0]: an array cannot be the key of a Go map"},
		{1, nil, "value: target must be a pointer that is not nil, not <nil>"},
		{1, 5, "value: target must be a pointer that is not nil, not int"},
	} {
		data, err := Marshal(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if err := Unmarshal(data, c.target); err == nil || err.Error() != c.want {
			t.Errorf("%v into %T: %v\nwant %s", c.in, c.target, err, c.want)
		}
	}
	for in, want := range map[string]string{
		"ff0f44000000000000f87f":         "value: an invalid Date is no time.Time",
		"ff0f41015c0400240001":           "value: at [0]: host object of type 4 has no form in Go",
		"ff0f61ffffffff0f4000ffffffff0f": "value: sparse array of length 4294967295 is too long for a slice",
		"ff0f5c0a01490a6f7b00":           "value: the message of an error is not a string",
		"ff0f21":                         "structured clone: unknown tag '!' at offset 2",
	} {
		data, _ := hex.DecodeString(in)
		var v any
		if err := Unmarshal(data, &v); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", in, err, want)
		}
	}
}

// What workerd stored for the expression, as it comes out in Go.
func TestDecodeAny(t *testing.T) {
	for in, want := range map[string]any{
		"ff0f5f":                           nil,
		"ff0f4954":                         42.0,
		"ff0f79":                           true,                 // Object(true)
		"ff0f732203737472":                 "str",                // Object("str")
		"ff0f61034900490249044906400203":   []any{1.0, nil, 3.0}, // [1,,3]
		"ff0f4102490249042201784902240102": []any{1.0, 2.0},      // Object.assign([1,2],{x:1})
		"ff0f6f490249024e0000c0ffffffef41490822023031490422022d314906220a34323934393637323935490a220a34323934393637323936490c2203312e35490e7b07": map[string]any{
			"1": 1.0, "4294967294": 4.0, "01": 2.0, "-1": 3.0, "4294967295": 5.0, "4294967296": 6.0, "1.5": 7.0},
		"ff0f4204010203045642010200":         []byte{2, 3},                                             // new Uint8Array(buffer,1,2)
		"ff0f4204010002005657000400":         &TypedArray{structclone.Uint16Array, []byte{1, 0, 2, 0}}, // new Uint16Array([1,2])
		"ff0f7e0408000000005642000003":       []byte{0, 0, 0, 0},                                       // length-tracking
		"ff0f3b49022201613a02":               &Map{[]Entry{{1.0, "a"}}},
		"ff0f52220361622b03":                 &RegExp{"ab+", "gi"},
		"ff0f72546d22016d73220153632201632e": &Error{Name: "TypeError", Message: "m", Stack: "S", Cause: "c", HasCause: true},
		"ff0f5c0a0122016d6f2205737461636b2201532204636f6465490a220565787472616f220178410149022400017b017b03": &Error{Name: "Error", Message: "m", Stack: "S",
			Props: map[string]any{"code": 5.0, "extra": map[string]any{"x": []any{1.0}}}},
		"ff0f4400b08756febc7842": time.UnixMilli(1700000000123).UTC(),
	} {
		data, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v; want %#v", in, got, err, want)
		}
	}
}

func TestReferences(t *testing.T) {
	var v any
	data, _ := hex.DecodeString("ff0f6f220473656c665e007b01") // o.self=o
	if err := Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	o := v.(map[string]any)
	o["mark"] = 1
	if o["self"].(map[string]any)["mark"] != 1 {
		t.Error("the reference is another map")
	}
	// A type that cannot hold the cycle.
	type node struct {
		Self *node `json:"self"`
	}
	var p *PathError
	if err := Unmarshal(data, new(node)); !errors.As(err, &p) || !strings.Contains(p.Reason, "holds itself") {
		t.Errorf("cycle into a struct: %v", err)
	}
	data, _ = hex.DecodeString("ff0f410342040000000056420004005e0156770202005e01240003") // views that share a buffer
	if err := Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	list := v.([]any)
	list[0].([]byte)[3] = 9
	if list[1].(*TypedArray).Bytes[1] != 9 || list[2].(ArrayBuffer)[3] != 9 {
		t.Errorf("views do not share: %v", list)
	}
}

// Forty objects, each referred to twice by the next, are 2^40 structs.
func TestReferenceBomb(t *testing.T) {
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	const levels = 40
	for range levels {
		w.BeginObject()
		w.OneByte("a")
	}
	w.Null()
	for i := range levels {
		w.OneByte("b")
		if i == 0 {
			w.Null()
		} else {
			w.BackRef(uint32(levels - i))
		}
		w.EndObject(2)
	}
	type node struct {
		A *node `json:"a"`
		B *node `json:"b"`
	}
	var v any
	if err := Unmarshal(w.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	var p *PathError
	if err := Unmarshal(w.Bytes(), new(node)); !errors.As(err, &p) || !strings.Contains(p.Reason, "multiply") {
		t.Errorf("got %v", err)
	}
}

func TestAssign(t *testing.T) {
	check := func(in, target, want any) {
		t.Helper()
		data, err := Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := Unmarshal(data, target); err != nil {
			t.Errorf("%v into %T: %v", in, target, err)
		} else if got := reflect.ValueOf(target).Elem().Interface(); !reflect.DeepEqual(got, want) {
			t.Errorf("%v into %T: %#v, want %#v", in, target, got, want)
		}
	}
	keep := 5
	check(nil, &keep, 5)
	p := &keep
	check(nil, &p, (*int)(nil))
	check(big.NewInt(7), new(uint64), uint64(7))
	check(big.NewInt(7), new(big.Int), *big.NewInt(7))
	check(&Set{[]any{1, 2}}, new([]int), []int{1, 2})
	check(&Set{[]any{1.0}}, new(Set), Set{[]any{1.0}})
	check(map[string]int{"a": 1}, new(map[string]int), map[string]int{"a": 1})
	check(map[int]bool{1: true}, new(map[int8]bool), map[int8]bool{1: true})
	check([]byte{1, 2}, new([2]byte), [2]byte{1, 2})
	check([4]byte{1}, new(ArrayBuffer), ArrayBuffer{1, 0, 0, 0})
	check(time.UnixMilli(3), new(time.Time), time.UnixMilli(3).UTC())
	var e error
	check(&Error{Name: "E", Message: "m"}, &e, error(&Error{Name: "E", Message: "m"}))
	if e.Error() != "E: m" {
		t.Error(e)
	}
}
