package webapi

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"slices"
	"strconv"

	"github.com/dop251/goja"
)

// anyLength asks for all the bits that there are.
const anyLength = -1

func (a *API) deriveBitsCall(args []goja.Value) goja.Value {
	const method = "deriveBits"
	p := a.params(args, 0, method, "DeriveKeyAlgorithm")
	k := a.keyArg(args, 1, method)
	bits := anyLength
	if len(args) > 2 && !isNullish(args[2]) {
		if bits = a.int32(args[2]); bits < 0 {
			a.throwTypeError("deriveBits length must be an unsigned long integer.")
		}
	}
	a.use(k, p, method)
	return a.arrayBuffer(a.deriveBits(p, k, bits))
}

func (a *API) deriveBits(p params, k *cryptoKey, bits int) []byte {
	switch k.name {
	case "HKDF":
		hash := p.hashName()
		salt := p.buffer("salt", p.required("salt"))
		info := p.buffer("info", p.required("info"))
		a.wholeBytes(k, bits)
		if bits == 0 {
			return nil
		}
		out, err := hkdf.Key(newHash(hash), k.secret, salt, string(info), bits/8)
		if err != nil {
			a.operationError("HKDF deriveBits failed.")
		}
		return out
	case "PBKDF2":
		hash := p.hashName()
		salt := p.buffer("salt", p.required("salt"))
		rounds := a.int32(p.required("iterations"))
		a.wholeBytes(k, bits)
		if rounds <= 0 {
			a.operationError("PBKDF2 requires a positive iteration count (requested " + strconv.Itoa(rounds) + ").")
		}
		if bits == 0 {
			return nil
		}
		out, err := pbkdf2.Key(newHash(hash), string(k.secret), salt, rounds, bits/8)
		if err != nil {
			a.operationError("PBKDF2 deriveBits failed.")
		}
		return out
	}
	return a.agree(p, k, bits)
}

func (a *API) wholeBytes(k *cryptoKey, bits int) {
	switch {
	case bits == anyLength:
		a.operationError(k.name + " cannot derive a key with null length.")
	case bits%8 != 0:
		a.operationError(k.name + " requires a derived key length that is a multiple of eight (requested " + strconv.Itoa(bits) + ").")
	}
}

// agree is ECDH and X25519.
func (a *API) agree(p params, k *cryptoKey, bits int) []byte {
	p.where = "derivedKeyParams"
	peer, ok := lookup[*cryptoKey](a, p.required("public"))
	if !ok {
		a.badField(p.dict, "public", "CryptoKey")
	}
	invalid := func(msg string) { a.throwDOM(msg, "InvalidAccessError") }
	switch {
	case peer.kind != "public":
		invalid("The provided key has type \"" + peer.kind + "\", not \"public\"")
	case familyOf(peer.name) != familyOf(k.name):
		invalid("Base " + k.name + " private key cannot be used to derive a key from a peer " + peer.name + " public key")
	case peer.name != k.name:
		invalid("Private key for derivation is using \"" + k.name + "\" while public key is using \"" + peer.name + "\".")
	case peer.curve != k.curve:
		invalid("Private key for derivation is using curve \"" + k.curve + "\" while public key is using \"" + peer.curve + "\".")
	}
	var mine *ecdh.PrivateKey
	var theirs *ecdh.PublicKey
	var err error
	if k.name == "X25519" {
		mine = k.x25519()
		theirs, err = ecdh.X25519().NewPublicKey(peer.public)
	} else {
		mine, err = k.ecPrivate().ECDH()
		must(err) // the curve is one that it knows
		theirs, err = peer.ecPublic().ECDH()
	}
	must(err) // the keys were checked when they were made
	out, err := mine.ECDH(theirs)
	if err != nil {
		a.operationError("Failed to derive EDDH key: public key routines INVALID_PEER_KEY.")
	}
	if bits == anyLength {
		return out
	}
	if bits > len(out)*8 {
		a.operationError("Derived key length (" + strconv.Itoa(bits) + " bits) is too long (should be at most " + strconv.Itoa(len(out)*8) + " bits).")
	}
	out = out[:(bits+7)/8]
	clearTail(out, bits)
	return out
}

func (a *API) deriveKey(args []goja.Value) goja.Value {
	const method = "deriveKey"
	p := a.params(args, 0, method, "DeriveKeyAlgorithm")
	k := a.keyArg(args, 1, method)
	derived := a.params(args, 2, method, "ImportKeyAlgorithm")
	extractable := a.need(args, 3, subtleClass, method, "boolean").ToBoolean()
	usages := a.usagesArg(args, 4, method)
	a.use(k, p, method)
	bits := a.derivedLength(derived)
	return a.importKey(&keyRequest{params: derived, format: "raw", data: a.deriveBits(p, k, bits), extractable: extractable, usages: usages})
}

// derivedLength is the length of a key of an algorithm, in bits.
func (a *API) derivedLength(p params) int {
	p.where = "derivedKeyParams"
	name, ok := p.spelled(keyAlgorithms...)
	if ok {
		switch familyOf(name) {
		case familyAES:
			n := a.int32(p.required("length"))
			if !isAESLength(n) {
				a.operationError("Derived AES key must be 128, 192, or 256 bits in length but provided " + strconv.Itoa(n) + ".")
			}
			return n
		case familyHMAC:
			if v := p.get("length"); !isUndefined(v) {
				n := a.int32(v)
				if n <= 0 {
					a.throwTypeError("HMAC key length must be a non-zero unsigned long integer.")
				}
				return n
			}
			return digests[p.hashName()].New().BlockSize() * 8
		case familyDerivation:
			return anyLength
		}
	}
	a.throwDOM("Unrecognized derived key type \""+p.name+"\" requested.", "NotSupportedError")
	return 0
}

func (a *API) wrapKey(args []goja.Value) goja.Value {
	const method = "wrapKey"
	format := a.str(a.need(args, 0, subtleClass, method, "string"))
	key := a.keyArg(args, 1, method)
	wrapping := a.keyArg(args, 2, method)
	p := a.params(args, 3, method, "EncryptAlgorithm")
	a.use(wrapping, p, method)
	v := a.exportKey(key, format)
	var data []byte
	if format == "jwk" {
		data = []byte(a.str(a.call(a.jsonStringify, v)))
	} else {
		data, _ = a.bytesOf(v)
	}
	if wrapping.name == "AES-KW" {
		// A JSON text may be filled up with spaces to the length that is needed;
		// workerd leaves it alone.
		return a.arrayBuffer(a.keyWrap(wrapping, data))
	}
	return a.arrayBuffer(a.encrypt(p, wrapping, data))
}

func (a *API) unwrapKey(args []goja.Value) goja.Value {
	const method = "unwrapKey"
	format := a.str(a.need(args, 0, subtleClass, method, "string"))
	data := slices.Clone(a.bufferArg(args, 1, method))
	wrapping := a.keyArg(args, 2, method)
	p := a.params(args, 3, method, "EncryptAlgorithm")
	inner := a.params(args, 4, method, "ImportKeyAlgorithm")
	extractable := a.need(args, 5, subtleClass, method, "boolean").ToBoolean()
	usages := a.usagesArg(args, 6, method)
	a.use(wrapping, p, method)
	if wrapping.name == "AES-KW" {
		data = a.keyUnwrap(wrapping, data)
	} else {
		data = a.decrypt(p, wrapping, data)
	}
	r := &keyRequest{params: inner, format: format, data: data, extractable: extractable, usages: usages}
	if format == "jwk" {
		o, ok := a.call(a.jsonParse, a.rt.ToValue(decodeUTF8(data))).(*goja.Object)
		if !ok {
			a.throwDOM("The unwrapped key is not a JSON Web Key.", "DataError")
		}
		r.jwk = a.jwkOf(o)
	}
	return a.importKey(r)
}
