package webapi

import "github.com/dop251/goja"

// Intrinsic returns a class as the platform made it, whatever scripts have done
// to the globals since: one of this package, of the streams, or a class of
// errors. nil if there is none of that name.
func (a *API) Intrinsic(name string) *goja.Object {
	if c := a.Class(name); c != nil {
		return c
	}
	if o := a.intrinsics[name]; o != nil {
		return o
	}
	if streamClasses[name] {
		return a.loadStreams().classes.Get(name).ToObject(a.rt)
	}
	return nil
}

// ContentType returns the content-type header of a Response, "" if v is none or
// has none.
func (a *API) ContentType(v goja.Value) string {
	r, ok := lookup[*response](a, v)
	if !ok {
		return ""
	}
	ct, _ := r.headers.list.Get("content-type")
	return ct
}

// Bytes returns the memory of an ArrayBuffer, typed array or DataView; the slice
// aliases it. ok is false for anything else.
func (a *API) Bytes(v goja.Value) (b []byte, ok bool) { return a.bytesOf(v) }

// Uint8Array makes a Uint8Array that owns b.
func (a *API) Uint8Array(b []byte) *goja.Object { return a.uint8Array(b) }
