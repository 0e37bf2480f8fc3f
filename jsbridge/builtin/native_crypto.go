package builtin

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"

	"github.com/dop251/goja"
)

// hashes are the digests of node:crypto, by the names that Node.js accepts in
// any case.
var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New,
	"sha384": sha512.New384, "sha512": sha512.New, "sha512-256": sha512.New512_256,
}

var hashNames = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256"}

// hashState keeps goja from looking into the hash.
type hashState struct{ h hash.Hash }

// cryptoNative adds what node:crypto computes.
func cryptoNative(rt *goja.Runtime, set func(string, func(goja.FunctionCall) goja.Value)) {
	state := func(v goja.Value) hash.Hash {
		s, ok := v.Export().(*hashState)
		if !ok {
			panic(rt.NewTypeError("not the state of a hash"))
		}
		return s.h
	}
	// hash(name, key) starts a digest, or an HMAC when there is a key; the
	// result is undefined when the name is unknown.
	set("hash", func(call goja.FunctionCall) goja.Value {
		make := hashes[strings.ToLower(call.Argument(0).String())]
		if make == nil {
			return goja.Undefined()
		}
		if key := call.Argument(1); !goja.IsUndefined(key) {
			return rt.ToValue(&hashState{hmac.New(make, view(key))})
		}
		return rt.ToValue(&hashState{make()})
	})
	set("hashUpdate", func(call goja.FunctionCall) goja.Value {
		state(call.Argument(0)).Write(view(call.Argument(1)))
		return goja.Undefined()
	})
	set("hashSum", func(call goja.FunctionCall) goja.Value {
		return rt.ToValue(rt.NewArrayBuffer(state(call.Argument(0)).Sum(nil)))
	})
	set("hashNames", func(goja.FunctionCall) goja.Value {
		list := make([]any, len(hashNames))
		for i, n := range hashNames {
			list[i] = n
		}
		return rt.NewArray(list...)
	})
}
