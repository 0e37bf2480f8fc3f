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

// cryptoState, subtleState, performanceState and navigatorState mark the one
// instance of each class.
type (
	cryptoState      struct{ slot }
	subtleState      struct{ slot }
	performanceState struct{ eventTarget }
	navigatorState   struct{ slot }
)

func init() {
	classSpecs[classCrypto] = classSpec{name: "Crypto", parent: noParent, init: initCryptoClass}
	classSpecs[classSubtleCrypto] = classSpec{name: "SubtleCrypto", parent: noParent, init: initSubtleClass}
	classSpecs[classPerformance] = classSpec{name: "Performance", parent: classEventTarget, init: initPerformanceClass}
	classSpecs[classNavigator] = classSpec{name: "Navigator", parent: noParent, init: func(a *API, c *class) {
		c.method("sendBeacon", a.notImplemented("navigator.sendBeacon"))
	}}
}

// notImplemented makes a method that says so.
func (a *API) notImplemented(what string) native {
	return func(goja.FunctionCall) goja.Value {
		a.throw(a.newError("Error", what+" is not implemented"))
		return nil
	}
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

func initPerformanceClass(a *API, c *class) {
	origin := func() goja.Value { return a.rt.ToValue(float64(a.timeOrigin().UnixMilli())) }
	c.getter("timeOrigin", func(v goja.Value) goja.Value {
		this[*performanceState](a, v)
		return origin()
	})
	c.method("now", func(call goja.FunctionCall) goja.Value {
		this[*performanceState](a, call.This)
		return a.rt.ToValue(a.now())
	})
	c.method("toJSON", func(call goja.FunctionCall) goja.Value {
		this[*performanceState](a, call.This)
		o := a.rt.NewObject()
		must(o.Set("timeOrigin", origin()))
		return o
	})
	for _, name := range []string{"eventCounts", "nodeTiming"} {
		f := a.notImplemented("performance." + name)
		c.getter(name, func(v goja.Value) goja.Value { return f(goja.FunctionCall{This: v}) })
	}
	for _, name := range []string{
		"clearMarks", "clearMeasures", "clearResourceTimings", "getEntries", "getEntriesByName", "getEntriesByType", "mark", "measure",
		"setResourceTimingBufferSize", "eventLoopUtilization", "markResourceTiming", "timerify",
	} {
		c.method(name, a.notImplemented("performance."+name))
	}
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
