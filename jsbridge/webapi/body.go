package webapi

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// body is the payload of a request or response as a script sees it.
type body struct {
	payload httpmsg.Body
	// stream is the ReadableStream of the body: the one it was made from, or
	// the one made when a script asked for it.
	stream *goja.Object
	// used is set by the first reader.
	used bool
	// text says that strings are chunks of the stream, too.
	text bool
	// owner is the context that the payload belongs to; 0: nobody. A stream
	// has its own.
	owner int64
}

// owner returns the number of the current context.
func (a *API) owner() int64 {
	if a.env.Owner == nil {
		return 0
	}
	return a.env.Owner()
}

// foreign returns the error of the current code if what belongs to owner is not
// its own.
func (a *API) foreign(owner int64, kind string) goja.Value {
	if owner == 0 || a.env.Foreign == nil {
		return nil
	}
	return a.env.Foreign(owner, kind)
}

// checkOwner throws if the body belongs to another context.
func (a *API) checkOwner(b *body) {
	if b.stream != nil {
		a.call(a.streams.check, b.stream)
		return
	}
	if err := a.foreign(b.owner, "ReadableStreamSource>"); err != nil {
		b.used = true
		a.throw(err)
	}
}

func (b *body) none() bool { return b.payload.IsNone() && b.stream == nil }

// bodied is an attachment that has a body and headers.
type bodied interface {
	state
	parts() (*body, *headers)
}

const (
	bodyUsedText   = "Body has already been used. It can only be used once. Use tee() first if you need to read it twice."
	bodyLockedText = "This ReadableStream is currently locked to a reader,"
)

func init() {
	classSpecs[classBody] = classSpec{name: "Body", parent: noParent, init: initBodyClass}
}

func initBodyClass(a *API, c *class) {
	c.getter("body", func(v goja.Value) goja.Value {
		b, _ := this[bodied](a, v).parts()
		if b.none() {
			return goja.Null()
		}
		return a.bodyStream(b)
	})
	c.getter("bodyUsed", func(v goja.Value) goja.Value {
		b, _ := this[bodied](a, v).parts()
		return a.rt.ToValue(b.isUsed(a))
	})
	read := func(name string, convert func(data []byte, h *headers) goja.Value) {
		c.method(name, func(call goja.FunctionCall) goja.Value {
			b, h := this[bodied](a, call.This).parts()
			return a.consume(b, func(data []byte) goja.Value { return convert(data, h) })
		})
	}
	read("arrayBuffer", func(data []byte, _ *headers) goja.Value { return a.arrayBuffer(bytes.Clone(data)) })
	read("bytes", func(data []byte, _ *headers) goja.Value { return a.uint8Array(append([]byte{}, data...)) })
	read("text", func(data []byte, _ *headers) goja.Value { return a.rt.ToValue(decodeUTF8(data)) })
	read("json", func(data []byte, _ *headers) goja.Value { return a.parseJSON(decodeUTF8(data)) })
	read("formData", func(data []byte, h *headers) goja.Value {
		ct, ok := h.list.Get("content-type")
		if !ok {
			a.throwTypeError("Parsing a Body as FormData requires a Content-Type header.")
		}
		return a.instance(classFormData, a.parseFormData(data, ct))
	})
	read("blob", func(data []byte, h *headers) goja.Value {
		ct, _ := h.list.Get("content-type")
		return a.instance(classBlob, &blob{data: data, typ: normalizeMIME(ct)})
	})
}

// isUsed tells whether something has read from the body.
func (b *body) isUsed(a *API) bool {
	return b.used || b.stream != nil && a.streamDisturbed(b.stream)
}

// consume reads the whole body and returns a promise of what convert makes of
// it. An absent body reads as empty, as often as one likes.
func (a *API) consume(b *body, convert func([]byte) goja.Value) goja.Value {
	if b.none() {
		return a.promise(func() goja.Value { return convert(nil) })
	}
	if b.isUsed(a) {
		return a.promise(func() goja.Value {
			a.throwTypeError(bodyUsedText)
			return nil
		})
	}
	if ex := a.rt.Try(func() { a.checkOwner(b) }); ex != nil {
		b.used = true
		return a.promise(func() goja.Value { panic(ex.Value()) })
	}
	if data, ok := a.directBytes(b); ok {
		b.used = true
		a.lockStream(b)
		return a.promise(func() goja.Value { return convert(data) })
	}
	return a.consumeStream(b, convert)
}

// take hands the payload over to a new message and marks the body as used.
func (a *API) take(b *body) *body {
	moved := &body{payload: b.payload, stream: b.stream, owner: b.owner}
	if !b.none() {
		b.used = true
		a.checkOwner(b)
	}
	return moved
}

// extracted is what a body value turns into.
type extracted struct {
	body
	contentType string
}

// extractBody converts the body argument of a constructor
// (https://fetch.spec.whatwg.org/#bodyinit-unions). null and undefined give no
// body.
func (a *API) extractBody(v goja.Value) extracted {
	fromBytes := func(data []byte, contentType string) extracted {
		return extracted{body{payload: httpmsg.BytesBody(data), owner: a.owner()}, contentType}
	}
	if isNullish(v) {
		return extracted{}
	}
	if o, ok := v.(*goja.Object); ok {
		if data, ok := a.copyOf(o); ok {
			return fromBytes(data, "")
		}
		switch s, _ := lookup[state](a, o); s := s.(type) {
		case *blob:
			return fromBytes(s.data, s.typ)
		case *formData:
			data, contentType := a.encodeMultipart(s)
			return fromBytes(data, contentType)
		case *searchParams:
			return fromBytes([]byte(s.list.encode()), "application/x-www-form-urlencoded;charset=UTF-8")
		}
		if stream := a.asStream(o); stream != nil {
			return extracted{body: body{stream: stream}}
		}
	}
	return fromBytes([]byte(a.str(v)), "text/plain;charset=UTF-8")
}

// decodeUTF8 is the UTF-8 decode of the web: without the byte order mark, with
// U+FFFD for what is malformed (https://encoding.spec.whatwg.org/#utf-8-decode).
func decodeUTF8(data []byte) string {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	return scrubUTF8(data)
}

// scrubUTF8 replaces each maximal invalid sequence by one U+FFFD, as the
// Encoding standard's decoder does.
func scrubUTF8(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	b.Grow(len(data))
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n <= 1 {
			n = invalidPrefix(data)
			b.WriteString("\uFFFD")
		} else {
			b.Write(data[:n])
		}
		data = data[n:]
	}
	return b.String()
}

// invalidPrefix returns the length of the maximal subpart of an ill-formed
// sequence at the start of data: the longest prefix that could have begun a
// valid character, at least 1.
func invalidPrefix(data []byte) int {
	n := 1
	for n < len(data) && n < 3 && canBegin(data[:n+1]) {
		n++
	}
	return n
}

// canBegin tells whether p, of 2 or 3 bytes, is a proper prefix of a valid
// UTF-8 sequence.
func canBegin(p []byte) bool {
	lead, second := p[0], p[1]
	lo, hi := byte(0x80), byte(0xBF)
	switch {
	case lead == 0xE0:
		lo = 0xA0
	case lead == 0xED:
		hi = 0x9F
	case lead == 0xF0:
		lo = 0x90
	case lead == 0xF4:
		hi = 0x8F
	case lead < 0xE0 || lead > 0xF4:
		return false
	}
	if second < lo || second > hi {
		return false
	}
	if len(p) == 3 {
		return lead >= 0xF0 && p[2] >= 0x80 && p[2] <= 0xBF
	}
	return true
}

// parseJSON parses with the engine's JSON.parse.
func (a *API) parseJSON(text string) goja.Value {
	if strings.Trim(text, " \t\r\n") == "" {
		a.throw(a.newError("SyntaxError", "Unexpected end of JSON input"))
	}
	v, err := a.jsonParse(goja.Undefined(), a.rt.ToValue(text))
	if err != nil {
		a.rethrow(err)
	}
	return v
}

// stringifyJSON is JSON.stringify. The result is undefined for a value that
// JSON cannot express.
func (a *API) stringifyJSON(v goja.Value) goja.Value {
	s, err := a.jsonStringify(goja.Undefined(), v)
	if err != nil {
		a.rethrow(err)
	}
	return s
}

func (a *API) builtin(holder, name string) goja.Callable {
	f, ok := goja.AssertFunction(a.intrinsics[holder].Get(name))
	if !ok {
		panic(a.typeError(holder + "." + name + " is not a function"))
	}
	return f
}
