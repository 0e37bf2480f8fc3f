package webapi

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// The streams are written in JavaScript: they are almost nothing but promises
// and callbacks. Bodies that are plain bytes do not touch them.
//
//go:embed js/*.js
var streamFiles embed.FS

// streamProgram compiles the stream files, joined in the order of their names,
// once per process.
var streamProgram = sync.OnceValues(func() (*goja.Program, error) {
	names, err := fs.Glob(streamFiles, "js/*.js")
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("(function (host) {'use strict';")
	for _, name := range names {
		src, err := streamFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		b.Write(src)
	}
	b.WriteString("})")
	p, err := goja.Compile("webapi/streams.js", b.String(), true)
	if err != nil {
		return nil, fmt.Errorf("webapi: streams: %w", err)
	}
	return p, nil
})

// streamAPI is what the stream files return.
type streamAPI struct {
	classes *goja.Object
	names   map[*goja.Object]string // of the classes, by their prototypes

	isReadable, isWritable, locked, disturbed, length goja.Callable
	fromIterable, fromBytes, fromGo, seize, tee       goja.Callable
	drain, check, own, native, reader, writer         goja.Callable
}

// streamNames are the classes of the Streams standard and of workerd.
var streamNames = []string{
	"ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader", "ReadableStreamBYOBRequest",
	"ReadableStreamDefaultController", "ReadableByteStreamController", "WritableStream", "WritableStreamDefaultWriter",
	"WritableStreamDefaultController", "TransformStream", "TransformStreamDefaultController",
	"ByteLengthQueuingStrategy", "CountQueuingStrategy", "TextEncoderStream", "TextDecoderStream",
	"IdentityTransformStream", "FixedLengthStream", "CompressionStream", "DecompressionStream",
}

// loadStreams runs the stream files on first use.
func (a *API) loadStreams() *streamAPI {
	if a.streams != nil {
		return a.streams
	}
	program, err := streamProgram()
	must(err)
	v, err := a.rt.RunProgram(program)
	must(err)
	f, _ := goja.AssertFunction(v)
	host := a.rt.NewObject()
	must(host.Set("illegalInvocation", illegalInvocation))
	must(host.Set("AbortController", a.class(classAbortController).ctor))
	must(host.Set("TextDecoder", a.class(classTextDecoder).ctor))
	must(host.Set("isAbortSignal", func(call goja.FunctionCall) goja.Value {
		return a.rt.ToValue(a.IsAbortSignal(call.Argument(0)))
	}))
	must(host.Set("encode", func(call goja.FunctionCall) goja.Value {
		return a.uint8Array([]byte(a.str(call.Argument(0))))
	}))
	must(host.Set("transfer", func(call goja.FunctionCall) goja.Value {
		buf, ok := call.Argument(0).Export().(goja.ArrayBuffer)
		if !ok {
			a.throwTypeError("not an ArrayBuffer")
		}
		data := buf.Bytes()
		buf.Detach()
		return a.arrayBuffer(data)
	}))
	must(host.Set("onAbort", func(call goja.FunctionCall) goja.Value {
		f, _ := goja.AssertFunction(call.Argument(1))
		stop := a.OnAbort(call.Argument(0), func(reason goja.Value) { a.call(f, reason) })
		return a.rt.ToValue(func(goja.FunctionCall) goja.Value {
			stop()
			return goja.Undefined()
		})
	}))
	must(host.Set("owner", func(goja.FunctionCall) goja.Value { return a.rt.ToValue(a.owner()) }))
	must(host.Set("foreign", func(call goja.FunctionCall) goja.Value {
		if err := a.foreign(call.Argument(0).ToInteger(), call.Argument(1).String()); err != nil {
			return err
		}
		return goja.Undefined()
	}))
	must(host.Set("codec", a.codecObject))
	must(host.Set("digest", a.digestObject))
	res, err := f(goja.Undefined(), host)
	must(err)
	o := res.ToObject(a.rt)
	get := func(name string) goja.Callable {
		f, ok := goja.AssertFunction(o.Get(name))
		if !ok {
			panic("webapi: streams lack " + name)
		}
		return f
	}
	a.streams = &streamAPI{
		classes:    o.Get("classes").ToObject(a.rt),
		isReadable: get("isReadable"), isWritable: get("isWritable"), locked: get("locked"), disturbed: get("disturbed"),
		length: get("length"), fromIterable: get("fromIterable"), fromBytes: get("fromBytes"), fromGo: get("fromGo"),
		seize: get("seize"), tee: get("tee"), drain: get("drain"), check: get("check"), own: get("own"), native: get("native"),
		reader: get("reader"), writer: get("writer"),
	}
	a.streams.names = make(map[*goja.Object]string, len(streamNames))
	for _, name := range streamNames {
		a.streams.names[a.streams.classes.Get(name).ToObject(a.rt).Get("prototype").ToObject(a.rt)] = name
	}
	return a.streams
}

// call calls a JavaScript function and passes on what it throws.
func (a *API) call(f goja.Callable, args ...goja.Value) goja.Value {
	v, err := f(goja.Undefined(), args...)
	if err != nil {
		a.rethrow(err)
	}
	return v
}

// StreamWriter locks a WritableStream and returns a function that calls a method
// of its writer, "write", "close" or "abort", whatever the script has made of the
// class. Both throw as the methods do.
func (a *API) StreamWriter(stream *goja.Object) func(method string, arg goja.Value) goja.Value {
	w, _ := goja.AssertFunction(a.call(a.loadStreams().writer, stream))
	return func(method string, arg goja.Value) goja.Value { return a.call(w, a.rt.ToValue(method), arg) }
}

// IsReadableStream tells whether v is a ReadableStream.
func (a *API) IsReadableStream(v goja.Value) bool {
	return a.streams != nil && isObject(v) && v.ExportType() != proxyType && a.call(a.streams.isReadable, v).ToBoolean()
}

// IsWritableStream tells whether v is a WritableStream.
func (a *API) IsWritableStream(v goja.Value) bool {
	return a.streams != nil && isObject(v) && v.ExportType() != proxyType && a.call(a.streams.isWritable, v).ToBoolean()
}

// StreamClassOf returns the name of the class if o is an object of one of the
// stream classes, "" if not.
func (a *API) StreamClassOf(o *goja.Object) string {
	if a.streams == nil {
		return ""
	}
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		if name := a.streams.names[p]; name != "" {
			return name
		}
	}
	return ""
}
