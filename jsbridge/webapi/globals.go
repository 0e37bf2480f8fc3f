package webapi

import (
	// The algorithms of digest().
	_ "crypto/md5"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha512"
	"crypto/subtle"
	"io"
	"time"

	"github.com/dop251/goja"
	"github.com/google/uuid"
)

// cryptoState, subtleState and navigatorState mark the one
// instance of each class.
type (
	cryptoState    struct{ slot }
	subtleState    struct{ slot }
	navigatorState struct{ slot }
)

func init() {
	classSpecs[classCrypto] = classSpec{name: "Crypto", parent: noParent, init: initCryptoClass}
	classSpecs[classSubtleCrypto] = classSpec{name: "SubtleCrypto", parent: noParent, init: initSubtleClass}
	classSpecs[classNavigator] = classSpec{name: "Navigator", parent: noParent, init: func(a *API, c *class) {
		c.method("sendBeacon", a.sendBeacon)
	}}
}

// sendBeacon implements navigator.sendBeacon(url, data): a POST whose answer
// nobody waits for. What it fails with is a rejection that nobody handles.
func (a *API) sendBeacon(call goja.FunctionCall) goja.Value {
	this[*navigatorState](a, call.This)
	url := a.need(call.Arguments, 0, "Navigator", "sendBeacon", "string")
	if a.env.Fetch == nil {
		a.throw(a.newError("Error", "navigator.sendBeacon is not implemented here: this context has no I/O"))
	}
	init := a.rt.NewObject()
	must(init.Set("method", "POST"))
	if data := call.Argument(1); !isNullish(data) {
		must(init.Set("body", data))
	}
	a.env.Fetch(nil, a.jsString(url), init)
	return a.rt.ToValue(true)
}

func (a *API) cryptoObject() *goja.Object {
	if a.crypto == nil {
		a.crypto = a.instance(classCrypto, &cryptoState{})
	}
	return a.crypto
}

func initCryptoClass(a *API, c *class) {
	c.getter("subtle", func(v goja.Value) goja.Value {
		this[*cryptoState](a, v)
		if a.subtle == nil {
			a.subtle = a.instance(classSubtleCrypto, &subtleState{})
		}
		return a.subtle
	})
	c.method("getRandomValues", func(call goja.FunctionCall) goja.Value {
		this[*cryptoState](a, call.This)
		const class, method, typ = "Crypto", "getRandomValues", "ArrayBufferView"
		v := a.need(call.Arguments, 0, class, method, typ)
		b, ok := a.bytesOf(v)
		if !ok || v.ExportType() == typeArrayBuffer {
			a.badParam(0, class, method, typ)
		}
		if !isIntegerView(v.ExportType()) {
			a.throwDOM("ArrayBufferView argument to getRandomValues() must be an integer-typed view.", "TypeMismatchError")
		}
		if len(b) > 1<<16 {
			a.throwDOM("getRandomValues() only accepts buffers of size <= 64K but provided "+itoa(len(b))+" bytes.", "QuotaExceededError")
		}
		a.random(b)
		return v
	})
	c.method("randomUUID", func(call goja.FunctionCall) goja.Value {
		this[*cryptoState](a, call.This)
		var id uuid.UUID
		a.random(id[:])
		id[6] = id[6]&0x0f | 0x40 // version 4
		id[8] = id[8]&0x3f | 0x80 // RFC 9562 variant
		return a.rt.ToValue(id.String())
	})
	must(c.proto.DefineDataProperty("DigestStream", a.digestStreamClass(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// random fills b from the random source.
func (a *API) random(b []byte) {
	if _, err := io.ReadFull(a.env.Random, b); err != nil {
		a.throw(a.newError("Error", "the random source failed: "+err.Error()))
	}
}

func initSubtleClass(a *API, c *class) {
	initSubtleKeys(a, c)
	c.method("digest", func(call goja.FunctionCall) goja.Value {
		this[*subtleState](a, call.This)
		args := append([]goja.Value(nil), call.Arguments...)
		return a.promise(func() goja.Value { return a.digest(args) })
	})
	c.method("timingSafeEqual", func(call goja.FunctionCall) goja.Value {
		this[*subtleState](a, call.This)
		buffer := func(i int) []byte {
			b, ok := a.bytesOf(a.need(call.Arguments, i, "SubtleCrypto", "timingSafeEqual", "BufferSource"))
			if !ok {
				a.badParam(i, "SubtleCrypto", "timingSafeEqual", "BufferSource")
			}
			return b
		}
		x, y := buffer(0), buffer(1)
		if len(x) != len(y) {
			a.throwTypeError("Input buffers must have the same byte length.")
		}
		return a.rt.ToValue(subtle.ConstantTimeCompare(x, y) == 1)
	})
}

func (a *API) digest(args []goja.Value) goja.Value {
	const class, method = "SubtleCrypto", "digest"
	alg := a.need(args, 0, class, method, "string or HashAlgorithm")
	name := a.hashName(alg)
	data, ok := a.bytesOf(a.need(args, 1, class, method, "BufferSource"))
	if !ok {
		a.badParam(1, class, method, "BufferSource")
	}
	return a.arrayBuffer(sumOf(name, data))
}

func (a *API) performanceObject() *goja.Object {
	if a.performance == nil {
		a.performance = a.instance(classPerformance, &performanceState{})
	}
	return a.performance
}

// now is performance.now(): milliseconds since the time origin.
func (a *API) now() float64 {
	return float64(a.env.Now().Sub(a.timeOrigin())) / float64(time.Millisecond)
}

func (a *API) timeOrigin() time.Time {
	if a.env.TimeOrigin.IsZero() {
		return time.Unix(0, 0)
	}
	return a.env.TimeOrigin
}

func (a *API) navigatorObject() *goja.Object {
	if a.navigator == nil {
		o := a.instance(classNavigator, &navigatorState{})
		ownReadOnly(o, "languages", a.rt.NewArray("en"))
		ownReadOnly(o, "language", a.rt.ToValue("en"))
		ownReadOnly(o, "platform", a.rt.ToValue(""))
		ownReadOnly(o, "hardwareConcurrency", a.rt.ToValue(1))
		ownReadOnly(o, "userAgent", a.rt.ToValue("Cloudflare-Workers"))
		a.navigator = o
	}
	return a.navigator
}
