package govalue

import (
	"errors"
	"reflect"
	"testing"

	"github.com/durashim/durashim/internal/structclone"
)

type handle struct{ n int }

// Functions travel as numbers, handles come out.
func hostHooks() (EncodeHost, DecodeHost, DescribeHost) {
	n := 0
	return func(w *structclone.Writer, v reflect.Value) (bool, error) {
			switch {
			case v.Kind() == reflect.Func:
				n++
				w.HostObject(9)
				w.RawUint32(uint32(n))
				return true, nil
			case v.Type() == reflect.TypeFor[*handle]():
				return false, errHandle
			}
			return false, nil
		}, func(r *structclone.Reader, tag uint32) (any, error) {
			n, err := r.RawUint32()
			if tag != 9 {
				return nil, errHandle
			}
			return &handle{int(n)}, err
		}, func(v any) string {
			if _, ok := v.(*handle); ok {
				return "a handle"
			}
			return ""
		}
}

var errHandle = errors.New("no handles here")

func TestHost(t *testing.T) {
	encode, decode, describe := hostHooks()
	data, err := MarshalHost(map[string]any{"a": []any{func() {}, 1, func(int) string { return "" }}, "b": (func())(nil), "t": struct{ F func() }{func() {}}}, encode)
	if err != nil {
		t.Fatal(err)
	}
	got, err := UnmarshalAny(data, decode)
	want := map[string]any{"a": []any{&handle{1}, 1.0, &handle{2}}, "b": nil, "t": map[string]any{"F": &handle{3}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	var typed struct {
		A []any                  `json:"a"`
		T struct{ F *handle }    `json:"t"`
		U map[string]*handle     `json:"u"`
		I interface{ private() } `json:"i"`
	}
	if err := UnmarshalHost(data, &typed, decode, describe); err != nil || typed.T.F.n != 3 {
		t.Error(typed, err)
	}
	for _, c := range []struct {
		want   string
		target any
	}{
		{"value: at .a[0]: a handle does not fit into a Go int", new(struct {
			A []int `json:"a"`
		})},
		{"value: at .t.F: a handle does not fit into a Go string", new(struct {
			T map[string]string `json:"t"`
		})},
		{"value: at .a: an array does not fit into a Go bool", new(map[string]bool)},
	} {
		if err := UnmarshalHost(data, c.target, decode, describe); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	// Errors of the hooks have their place and can be found.
	_, err = MarshalHost([]any{1, map[string]any{"h": &handle{}}}, encode)
	if !errors.Is(err, errHandle) || err.Error() != "value: at [1].h: no handles here" {
		t.Error(err)
	}
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	w.BeginDenseArray(1)
	w.HostObject(8)
	w.RawUint32(1)
	w.EndDenseArray(0, 1)
	if _, err := UnmarshalAny(w.Bytes(), decode); !errors.Is(err, errHandle) || err.Error() != "value: at [0]: no handles here" {
		t.Error(err)
	}
	// Without hooks they have no form.
	if _, err := Marshal(func() {}); err == nil {
		t.Error("a function was encoded")
	}
	if err := Unmarshal(data, new(any)); err == nil {
		t.Error("a handle was decoded")
	}
}
