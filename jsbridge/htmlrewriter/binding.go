package htmlrewriter

import (
	"errors"
	"mime"
	"strings"

	"github.com/dop251/goja"
)

// binding is the class in one runtime.
type binding struct {
	rt        *goja.Runtime
	env       Env
	typeError *goja.Object
}

// charsetParam is the charset of a content type, "utf-8" if it has none.
func charsetParam(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	if cs := params["charset"]; cs != "" && (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) {
		return cs
	}
	return "utf-8"
}

// throw throws an *Error of this package as a TypeError.
func (b *binding) throw(err error) {
	o, e := b.rt.New(b.typeError, b.rt.ToValue(err.Error()))
	if e != nil {
		panic(e)
	}
	panic(o)
}

// selectorValue carries a Selector through JavaScript, where only this package's
// own code sees it.
type selectorValue struct{ *Selector }

func (b *binding) parse(c goja.FunctionCall) goja.Value {
	s, err := ParseSelector(c.Argument(0).String())
	if err != nil {
		b.throw(err)
	}
	return b.rt.ToValue(&selectorValue{s})
}

// open makes a rewriter for a charset and a list of handlers, and returns the
// function that works on it: core(op, ...arguments).
func (b *binding) open(c goja.FunctionCall) goja.Value {
	r, err := New(c.Argument(0).String())
	if err != nil {
		b.throw(err)
	}
	list := c.Argument(1).ToObject(b.rt)
	for i := range int(list.Get("length").ToInteger()) {
		h := list.Get(b.rt.ToValue(i).String()).ToObject(b.rt)
		has := func(name string) bool { return h.Get(name) != nil }
		w := Wants{Element: has("element"), Comments: has("comments"), Text: has("text"), Doctype: has("doctype"), End: has("end")}
		if s := h.Get("selector"); s != nil {
			r.On(s.Export().(*selectorValue).Selector, w)
		} else {
			r.OnDocument(w)
		}
	}
	s := &session{b: b, r: r}
	return b.rt.ToValue(s.core)
}

// session is one document.
type session struct {
	b *binding
	r *Rewriter
	// of the stream that is being copied
	html    bool
	decoder decoder
}

func (s *session) core(c goja.FunctionCall) goja.Value {
	rt, r := s.b.rt, s.r
	check := func(err error) goja.Value {
		if err != nil {
			s.b.throw(err)
		}
		return goja.Undefined()
	}
	arg := func(i int) string { return c.Argument(i).String() }
	content := func() Content {
		k := Content{HTML: c.Argument(2).ToBoolean()}
		if o, ok := c.Argument(1).(*goja.Object); ok {
			k.Stream = o
		} else {
			k.Text = strings.ToValidUTF8(arg(1), "\uFFFD")
		}
		return k
	}
	switch op := arg(0); op {
	case "write":
		if c.Argument(2).ToBoolean() {
			r.End()
		} else {
			p, _ := s.b.env.Bytes(c.Argument(1))
			r.Write(p)
		}
	case "next":
		return s.next()
	case "take":
		return s.take()
	case "convert":
		s.html, s.decoder = c.Argument(1).ToBoolean(), decoder{}
	case "piece":
		return s.piece(c.Argument(1), c.Argument(2).ToBoolean())
	case "before":
		r.Before(content())
	case "after":
		r.After(content())
	case "prepend":
		r.Prepend(content())
	case "append":
		r.Append(content())
	case "replace":
		r.Replace(content())
	case "setInnerContent":
		r.SetInnerContent(content())
	case "remove":
		r.Remove()
	case "keep":
		r.RemoveAndKeepContent()
	case "removed":
		return rt.ToValue(r.Removed())
	case "namespace":
		return rt.ToValue(r.Namespace())
	case "name":
		return rt.ToValue(r.TagName())
	case "rename":
		return check(r.SetTagName(arg(1)))
	case "attributes":
		attrs := r.Attrs()
		list := make([]any, len(attrs))
		for i, a := range attrs {
			list[i] = rt.NewArray(a.Name, a.Value)
		}
		return rt.NewArray(list...)
	case "get":
		if v, ok := r.Attribute(arg(1)); ok {
			return rt.ToValue(v)
		}
		return goja.Null()
	case "set":
		return check(r.SetAttribute(arg(1), arg(2)))
	case "unset":
		return rt.ToValue(r.RemoveAttribute(arg(1)))
	case "onEndTag":
		return check(r.OnEndTag(c.Argument(1)))
	case "text":
		return rt.ToValue(r.Text())
	case "last":
		return rt.ToValue(r.LastInTextNode())
	case "comment":
		return check(r.SetComment(arg(1)))
	case "doctype":
		name, public, system := r.Doctype()
		p := [...]*string{name, public, system}[c.Argument(1).ToInteger()]
		if p == nil {
			return goja.Null()
		}
		return rt.ToValue(*p)
	default:
		panic(rt.NewTypeError("htmlrewriter: no operation %s", op))
	}
	return goja.Undefined()
}

func (s *session) next() goja.Value {
	call, ok, err := s.r.Next()
	if err != nil {
		s.b.throw(err)
	}
	if !ok {
		return goja.Undefined()
	}
	o := s.b.rt.NewObject()
	_ = o.Set("kind", int(call.Kind))
	if call.EndTag != nil {
		_ = o.Set("endTag", call.EndTag)
	} else {
		_ = o.Set("handler", call.Handler)
	}
	return o
}

// take returns the output as an array of byte arrays and of streams.
func (s *session) take() goja.Value {
	var list []any
	for _, seg := range s.r.Take() {
		if seg.Stream == nil {
			if len(seg.Bytes) > 0 {
				list = append(list, s.b.env.Uint8Array(seg.Bytes))
			}
			continue
		}
		o := s.b.rt.NewObject()
		_ = o.Set("stream", seg.Stream)
		_ = o.Set("html", seg.HTML)
		list = append(list, o)
	}
	return s.b.rt.NewArray(list...)
}

// piece converts a chunk of an inserted stream, bytes of UTF-8 or a string.
func (s *session) piece(v goja.Value, last bool) goja.Value {
	var chunk []byte
	if !goja.IsUndefined(v) {
		if p, ok := s.b.env.Bytes(v); ok {
			chunk = p
		} else if v.ExportType().Kind().String() == "string" {
			chunk = []byte(v.String())
		} else {
			s.b.throw(&Error{"This ReadableStream did not return bytes."})
		}
	}
	text := s.decoder.decode(charset{}, chunk, last)
	if !s.html {
		text = textEscaper.Replace(text)
	}
	return s.b.env.Uint8Array(s.r.out.charset.encode(nil, text))
}
