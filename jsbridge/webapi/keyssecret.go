package webapi

import (
	"encoding/base64"
	"strconv"

	"github.com/dop251/goja"
)

var base64URL = base64.RawURLEncoding

// keyRequest is a call of importKey as the algorithms see it.
type keyRequest struct {
	params
	format      string
	data        []byte // all formats but jwk
	jwk         *jwk
	extractable bool
	usages      []string
}

func (r *keyRequest) badFormat() {
	r.a.throwDOM("Unrecognized key import format \""+r.format+"\".", "NotSupportedError")
}

// checkExt refuses a JSON Web Key that says it must stay inside.
func (r *keyRequest) checkExt(name string) {
	if r.jwk.hasExt && !r.jwk.ext && r.extractable {
		r.a.throwDOM("JWK ext field for \""+name+"\" is set to false but extractable is true", "DataError")
	}
}

func (a *API) importHMAC(r *keyRequest) *cryptoKey {
	k := &cryptoKey{kind: "secret", name: "HMAC", extractable: r.extractable}
	k.usages = a.checkUsages(r.usages, "import secret HMAC", "sign", "verify")
	k.hash = r.hashName()
	switch r.format {
	case "raw":
		k.secret = r.data
	case "jwk":
		if r.jwk.fields["kty"] != "oct" {
			a.throwDOM("HMAC \"jwk\" key import requires a JSON Web Key with Key Type parameter (\"kty\") equal to \"oct\" (encountered \""+r.jwk.text("kty")+"\").", "DataError")
		}
		b, ok := r.jwk.bytes("k")
		if !ok {
			a.throwDOM("HMAC \"jwk\" key import requires a base64Url encoding of the key", "DataError")
		}
		k.secret = b
		if want := "HS" + k.hash[min(4, len(k.hash)):]; r.jwk.has("alg") && r.jwk.fields["alg"] != want {
			a.throwDOM("HMAC \"jwk\" key import specifies \"alg\" that is incompatible with the hash name (encountered \""+r.jwk.fields["alg"]+"\", expected \""+want+"\").", "DataError")
		}
		r.checkExt("HMAC")
	default:
		r.badFormat()
	}
	bits := len(k.secret) * 8
	k.length = bits
	if v := r.get("length"); !isUndefined(v) {
		k.length = a.int32(v)
	}
	if k.length <= 0 || k.length > bits || k.length <= bits-8 {
		a.throwDOM("Imported HMAC key length ("+strconv.Itoa(k.length)+") must be a non-zero value up to 7 bits less than, and no greater than, the bit length of the raw key data ("+strconv.Itoa(bits)+").", "DataError")
	}
	clearTail(k.secret, k.length)
	return k
}

// clearTail zeroes the bits of b from the given one on.
func clearTail(b []byte, bits int) {
	if rest := bits % 8; rest != 0 {
		b[len(b)-1] &= 0xff << (8 - rest)
	}
}

func (a *API) generateHMAC(p params, extractable bool, usages []string) goja.Value {
	k := &cryptoKey{kind: "secret", name: "HMAC", extractable: extractable}
	k.hash = p.hashName()
	k.usages = a.checkUsages(usages, "generate HMAC", "sign", "verify")
	k.length = digests[k.hash].New().BlockSize() * 8
	if v := p.get("length"); !isUndefined(v) {
		k.length = a.int32(v)
	}
	if k.length <= 0 {
		a.throwDOM("HMAC key length must be a non-zero unsigned long integer (requested "+strconv.Itoa(k.length)+").", "OperationError")
	}
	k.secret = make([]byte, (k.length+7)/8)
	a.random(k.secret)
	clearTail(k.secret, k.length)
	return a.keyObject(k)
}

func aesUsages(name string) []string {
	if name == "AES-KW" {
		return []string{"wrapKey", "unwrapKey"}
	}
	return []string{"encrypt", "decrypt", "wrapKey", "unwrapKey"}
}

func isAESLength(bits int) bool { return bits == 128 || bits == 192 || bits == 256 }

func (a *API) importAES(r *keyRequest, name string) *cryptoKey {
	k := &cryptoKey{kind: "secret", name: name, extractable: r.extractable}
	k.usages = a.checkUsages(r.usages, "import secret "+name, aesUsages(name)...)
	checkLength := func() {
		if k.length = len(k.secret) * 8; !isAESLength(k.length) {
			a.throwDOM("Imported AES key length must be 128, 192, or 256 bits but provided "+strconv.Itoa(k.length)+".", "DataError")
		}
	}
	switch r.format {
	case "raw", "raw-secret":
		k.secret = r.data
		checkLength()
	case "jwk":
		j := r.jwk
		if j.fields["kty"] != "oct" {
			a.throwDOM("Symmetric \"jwk\" key import requires a JSON Web Key with Key Type parameter \"kty\" equal to \"oct\" (encountered \""+j.text("kty")+"\").", "DataError")
		}
		b, ok := j.bytes("k")
		if !ok {
			a.throwDOM("Symmetric \"jwk\" key import requires a base64Url encoding of the key.", "DataError")
		}
		k.secret = b
		checkLength()
		if want := aesAlg(k); j.has("alg") && j.fields["alg"] != want {
			a.throwDOM("Symmetric \"jwk\" key contains invalid \"alg\" value \""+j.fields["alg"]+"\", expected \""+want+"\".", "DataError")
		}
		if len(k.usages) > 0 && j.has("use") && j.fields["use"] != "enc" {
			a.throwDOM("Symmetric \"jwk\" key must have a \"use\" of \"enc\", not \""+j.fields["use"]+"\".", "DataError")
		}
		if j.hasOps {
			for _, u := range k.usages {
				if !contains(j.ops, u) {
					a.throwDOM("\"jwk\" key missing usage \""+u+"\", in \"key_ops\".", "DataError")
				}
			}
		}
		r.checkExt(name)
	default:
		r.badFormat()
	}
	return k
}

// aesAlg is the "alg" of a key's JSON Web Key, for example A128GCM.
func aesAlg(k *cryptoKey) string { return "A" + strconv.Itoa(k.length) + k.name[len("AES-"):] }

func (a *API) generateAES(p params, name string, extractable bool, usages []string) goja.Value {
	k := &cryptoKey{kind: "secret", name: name, extractable: extractable}
	k.usages = a.checkUsages(usages, "generate "+name, aesUsages(name)...)
	k.length = a.int32(p.required("length"))
	if !isAESLength(k.length) {
		a.throwDOM("Generated AES key length must be 128, 192, or 256 bits but requested "+strconv.Itoa(k.length)+".", "OperationError")
	}
	k.secret = make([]byte, k.length/8)
	a.random(k.secret)
	return a.keyObject(k)
}

// importDerivation imports the key of a key derivation function.
func (a *API) importDerivation(r *keyRequest, name string) *cryptoKey {
	k := &cryptoKey{kind: "secret", name: name, secret: r.data}
	k.usages = a.checkUsages(r.usages, "import secret "+name, "deriveKey", "deriveBits")
	if r.extractable {
		a.throwDOM(name+" key cannot be extractable.", "SyntaxError")
	}
	switch r.format {
	case "raw":
		return k
	case "jwk", "pkcs8", "spki":
	default:
		r.badFormat()
	}
	end := ""
	if name == "PBKDF2" { // so workerd words it
		end = "."
	}
	a.throwDOM(name+" key must be imported in \"raw\" format (requested \""+r.format+"\")"+end, "NotSupportedError")
	return nil
}

// exportSecret exports a secret key.
func (a *API) exportSecret(k *cryptoKey, format string) goja.Value {
	alg := ""
	switch {
	case format == "raw", format == "raw-secret" && k.hash == "":
		return a.arrayBuffer(append([]byte{}, k.secret...))
	case format != "jwk" && k.hash == "":
		a.throwDOM(k.name+" key only supports exporting \"raw\", \"raw-secret\" & \"jwk\", not \""+format+"\".", "NotSupportedError")
	case format != "jwk":
		a.throwDOM("Unimplemented key export format \""+format+"\".", "NotSupportedError")
	case k.hash == "":
		alg = aesAlg(k)
	case k.hash == "MD5":
		a.throwDOM("Unimplemented JWK key export format for key algorithm \"MD5\".", "NotSupportedError")
	default:
		alg = "HS" + k.hash[4:]
	}
	return a.jwkObject(k, map[string]string{"kty": "oct", "alg": alg, "k": base64URL.EncodeToString(k.secret)})
}

// jwkObject makes the object that exportKey returns: all members that workerd
// knows, in its order, most of them undefined.
func (a *API) jwkObject(k *cryptoKey, fields map[string]string) goja.Value {
	o := a.rt.NewObject()
	for _, name := range []string{"kty", "use", "key_ops", "alg", "ext", "crv", "x", "y", "d", "n", "e", "p", "q", "dp", "dq", "qi", "oth", "k", "pub", "priv"} {
		v := goja.Undefined()
		switch s, ok := fields[name]; {
		case ok:
			v = a.rt.ToValue(s)
		case name == "key_ops":
			ops := make([]any, len(k.usages))
			for i, u := range k.usages {
				ops[i] = u
			}
			v = a.rt.NewArray(ops...)
		case name == "ext":
			v = a.rt.ToValue(k.extractable)
		}
		must(o.Set(name, v))
	}
	return o
}
