package runtime

import (
	"testing"

	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/structclone"
	"github.com/durashim/durashim/jsbridge"
)

// Whatever the bytes, looking at a value neither panics nor finds references that
// the message does not have.
func FuzzValue(f *testing.F) {
	seed := func(write func(w *structclone.Writer)) {
		var w structclone.Writer
		w.Reset(nil)
		w.Header()
		write(&w)
		f.Add(w.Bytes())
	}
	seed(func(w *structclone.Writer) { jsbridge.WriteRef(w, 3) })
	seed(func(w *structclone.Writer) { jsbridge.WriteHeaders(w, httpmsg.Header{{Name: "a", Value: "b"}}) })
	seed(func(w *structclone.Writer) {
		w.BeginObject()
		w.String("f")
		jsbridge.WriteRef(w, 0)
		w.EndObject(1)
	})
	plain, err := govalue.Marshal(map[string]any{"a": []any{1, "x", []byte("b")}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, data []byte) {
		v := Value{data: data}
		_ = v.String()
		kind := v.Kind()
		x, err := v.Any()
		if err == nil && kind == KindUndefined && x != nil {
			t.Errorf("%v is undefined", x)
		}
		var s struct {
			F *Ref `json:"f"`
		}
		if err := v.Decode(&s); err == nil && s.F != nil {
			t.Error("a reference from nowhere")
		}
	})
}
