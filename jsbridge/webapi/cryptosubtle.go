package webapi

import (
	"slices"

	"github.com/dop251/goja"
)

// The methods of crypto.subtle (https://www.w3.org/TR/webcrypto/#subtlecrypto-interface).
// They do their work at once; the promise that they return is settled.

func initSubtleKeys(a *API, c *class) {
	for _, m := range []struct {
		name string
		run  func(args []goja.Value) goja.Value
	}{
		{"encrypt", func(args []goja.Value) goja.Value { return a.cipherCall(args, "encrypt", a.encrypt) }},
		{"decrypt", func(args []goja.Value) goja.Value { return a.cipherCall(args, "decrypt", a.decrypt) }},
		{"sign", a.signCall}, {"verify", a.verifyCall}, {"generateKey", a.generateKey},
		{"deriveKey", a.deriveKey}, {"deriveBits", a.deriveBitsCall}, {"importKey", a.importKeyCall},
		{"exportKey", a.exportKeyCall}, {"wrapKey", a.wrapKey}, {"unwrapKey", a.unwrapKey},
	} {
		c.method(m.name, func(call goja.FunctionCall) goja.Value {
			this[*subtleState](a, call.This)
			args := slices.Clone(call.Arguments)
			return a.promise(func() goja.Value { return m.run(args) })
		})
	}
}

const subtleClass = "SubtleCrypto"

func (a *API) keyArg(args []goja.Value, i int, method string) *cryptoKey {
	k, ok := lookup[*cryptoKey](a, a.need(args, i, subtleClass, method, "CryptoKey"))
	if !ok {
		a.badParam(i, subtleClass, method, "CryptoKey")
	}
	return k
}

func (a *API) bufferArg(args []goja.Value, i int, method string) []byte {
	b, ok := a.bytesOf(a.need(args, i, subtleClass, method, "BufferSource"))
	if !ok {
		a.badParam(i, subtleClass, method, "BufferSource")
	}
	return b
}

func (a *API) usagesArg(args []goja.Value, i int, method string) []string {
	list, ok := a.stringList(a.need(args, i, subtleClass, method, "Array"))
	if !ok {
		a.badParam(i, subtleClass, method, "Array")
	}
	return list
}

// use checks that a key may be used for something by an algorithm.
func (a *API) use(k *cryptoKey, p params, usage string) {
	if _, ok := p.spelled(k.name); !ok {
		a.throwDOM("Requested algorithm \""+p.name+"\" does not match this CryptoKey's algorithm \""+k.name+"\".", "InvalidAccessError")
	}
	if !slices.Contains(k.usages, usage) {
		a.throwDOM("Requested key usage \""+usage+"\" does not match any usage listed in this CryptoKey.", "InvalidAccessError")
	}
}

func (a *API) cipherCall(args []goja.Value, method string, f func(params, *cryptoKey, []byte) []byte) goja.Value {
	p := a.params(args, 0, method, "EncryptAlgorithm")
	k := a.keyArg(args, 1, method)
	data := a.bufferArg(args, 2, method)
	a.use(k, p, method)
	return a.arrayBuffer(f(p, k, data))
}

func (a *API) signCall(args []goja.Value) goja.Value {
	p := a.params(args, 0, "sign", "SignAlgorithm")
	k := a.keyArg(args, 1, "sign")
	data := a.bufferArg(args, 2, "sign")
	a.use(k, p, "sign")
	return a.arrayBuffer(a.sign(p, k, data))
}

func (a *API) verifyCall(args []goja.Value) goja.Value {
	p := a.params(args, 0, "verify", "SignAlgorithm")
	k := a.keyArg(args, 1, "verify")
	signature := a.bufferArg(args, 2, "verify")
	data := a.bufferArg(args, 3, "verify")
	a.use(k, p, "verify")
	return a.rt.ToValue(a.verify(p, k, signature, data))
}

func (a *API) importKeyCall(args []goja.Value) goja.Value {
	const method = "importKey"
	format := a.str(a.need(args, 0, subtleClass, method, "string"))
	const types = "BufferSource or JsonWebKey"
	v := a.need(args, 1, subtleClass, method, types)
	data, isBuffer := a.copyOf(v)
	o, isObject := v.(*goja.Object)
	var key *jwk
	switch {
	case isBuffer:
	case isNullish(v):
		a.throwTypeError("Cannot initialize N7workerd3api12SubtleCrypto10JsonWebKeyE with required members from an undefined or null value.")
	case !isObject:
		a.badParam(1, subtleClass, method, types)
	default:
		key = a.jwkOf(o)
	}
	p := a.params(args, 2, method, "ImportKeyAlgorithm")
	extractable := a.need(args, 3, subtleClass, method, "boolean").ToBoolean()
	usages := a.usagesArg(args, 4, method)
	return a.importKey(&keyRequest{params: p, format: format, data: data, jwk: key, extractable: extractable, usages: usages})
}

func (a *API) importKey(r *keyRequest) goja.Value {
	if r.format == "jwk" && r.jwk == nil {
		a.throwTypeError("Import data provided for \"jwk\" import format must be a JsonWebKey.")
	}
	if r.format != "jwk" && r.jwk != nil {
		a.throwTypeError("Import data provided for buffer-based import formats must be a buffer source.")
	}
	name, ok := r.spelled(keyAlgorithms...)
	if !ok {
		a.throwDOM("Unrecognized key import algorithm \""+r.name+"\" requested.", "NotSupportedError")
	}
	switch familyOf(name) {
	case familyHMAC:
		return a.keyObject(a.importHMAC(r))
	case familyAES:
		return a.keyObject(a.importAES(r, name))
	case familyDerivation:
		return a.keyObject(a.importDerivation(r, name))
	case familyRSA:
		return a.keyObject(a.importRSA(r, name))
	case familyEC:
		return a.keyObject(a.importEC(r, name))
	default:
		return a.keyObject(a.importOKP(r, name))
	}
}

// keyAlgorithms are the algorithms that have keys.
var keyAlgorithms = []string{
	"HMAC", "AES-CBC", "AES-CTR", "AES-GCM", "AES-KW", "HKDF", "PBKDF2",
	"RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP", "ECDSA", "ECDH", "Ed25519", nodeEd25519, "X25519",
}

// family groups the algorithms whose keys are alike.
type family int

const (
	familyHMAC family = iota
	familyAES
	familyDerivation
	familyRSA
	familyEC
	familyOKP
)

// familyOf takes one of keyAlgorithms.
func familyOf(name string) family {
	switch name {
	case "HMAC":
		return familyHMAC
	case "AES-CBC", "AES-CTR", "AES-GCM", "AES-KW":
		return familyAES
	case "HKDF", "PBKDF2":
		return familyDerivation
	case "RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP":
		return familyRSA
	case "ECDSA", "ECDH":
		return familyEC
	}
	return familyOKP
}

func (a *API) generateKey(args []goja.Value) goja.Value {
	const method = "generateKey"
	p := a.params(args, 0, method, "GenerateKeyAlgorithm")
	extractable := a.need(args, 1, subtleClass, method, "boolean").ToBoolean()
	usages := a.usagesArg(args, 2, method)
	name, ok := p.spelled(keyAlgorithms...)
	if ok && familyOf(name) != familyDerivation {
		switch familyOf(name) {
		case familyHMAC:
			return a.generateHMAC(p, extractable, usages)
		case familyAES:
			return a.generateAES(p, name, extractable, usages)
		case familyRSA:
			return a.generateRSA(p, name, extractable, usages)
		case familyEC:
			return a.generateEC(p, name, extractable, usages)
		default:
			return a.generateOKP(p, name, extractable, usages)
		}
	}
	a.throwDOM("Unrecognized key generation algorithm \""+p.name+"\" requested.", "NotSupportedError")
	return nil
}

func (a *API) exportKeyCall(args []goja.Value) goja.Value {
	format := a.str(a.need(args, 0, subtleClass, "exportKey", "string"))
	return a.exportKey(a.keyArg(args, 1, "exportKey"), format)
}

func (a *API) exportKey(k *cryptoKey, format string) goja.Value {
	if !k.extractable {
		a.throwDOM("Attempt to export non-extractable "+k.name+" key.", "InvalidAccessError")
	}
	switch familyOf(k.name) {
	case familyRSA:
		return a.exportRSA(k, format)
	case familyEC:
		return a.exportEC(k, format)
	case familyOKP:
		return a.exportOKP(k, format)
	}
	return a.exportSecret(k, format)
}
