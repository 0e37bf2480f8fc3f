package webapi

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"strconv"

	"github.com/dop251/goja"
)

// nodeEd25519 is the name that Ed25519 had before it was standardised.
const nodeEd25519 = "NODE-ED25519"

// okpCurve is the curve of an algorithm of this file, as JSON Web Keys name it
// (https://www.rfc-editor.org/rfc/rfc8037).
func okpCurve(name string) string {
	if name == "X25519" {
		return name
	}
	return "Ed25519"
}

// okpKey makes a key of the algorithm; NODE-ED25519 wants a curve and shows it.
func (p params) okpKey(name string, extractable bool) *cryptoKey {
	k := &cryptoKey{name: name, extractable: extractable}
	if name == nodeEd25519 {
		if c := p.a.str(p.required("namedCurve")); c != nodeEd25519 {
			p.a.throwDOM("EDDSA curve \""+c+"\" isn't supported.", "NotSupportedError")
		}
		k.curve = name
	}
	return k
}

func (a *API) importOKP(r *keyRequest, name string) *cryptoKey {
	k := r.okpKey(name, r.extractable)
	curve := okpCurve(name)
	switch r.format {
	case "raw":
		r.checkKind(k, "public")
		if len(r.data) != 32 {
			a.throwDOM(name+" raw keys must be exactly 32-bytes (provided "+strconv.Itoa(len(r.data))+").", "DataError")
		}
		k.public = r.data
	case "jwk":
		a.okpFromJWK(r, k, curve)
	case "spki":
		r.checkKind(k, "public")
		switch key := a.parseSPKI(r.data).(type) {
		case ed25519.PublicKey:
			k.public = key
		case *ecdh.PublicKey:
			k.public = key.Bytes()
		}
		if k.public == nil || len(k.public) != 32 {
			a.throwDOM("Input was not an "+curve+" key.", "DataError")
		}
	case "pkcs8":
		r.checkKind(k, "private")
		switch key := a.parsePKCS8(r.data).(type) {
		case ed25519.PrivateKey:
			k.secret, k.public = key.Seed(), key.Public().(ed25519.PublicKey)
		case *ecdh.PrivateKey:
			k.secret, k.public = key.Bytes(), key.PublicKey().Bytes()
		}
		if len(k.secret) != 32 {
			a.throwDOM("Input was not an "+curve+" key.", "DataError")
		}
	default:
		r.badFormat()
	}
	return k
}

func (a *API) okpFromJWK(r *keyRequest, k *cryptoKey, curve string) {
	j := r.jwk
	if j.fields["kty"] != "OKP" {
		a.throwDOM(k.name+" \"jwk\" key imports requires a JSON Web Key with Key Type parameter \"kty\" (\""+j.text("kty")+"\") equal to \"OKP\".", "DataError")
	}
	switch crv, ok := j.fields["crv"]; {
	case !ok:
		a.throwDOM("Missing field \"crv\" for "+k.name+" key.", "DataError")
	case crv != curve:
		a.throwDOM("Only "+curve+" is supported but \""+crv+"\" was requested.", "NotSupportedError")
	}
	kind := "public"
	if j.has("d") {
		kind = "private"
	}
	r.checkKind(k, kind)
	j.checkAsymmetric(k.usages, ecUse(k.name))
	r.checkExt(k.name)
	if curve == "Ed25519" && j.has("alg") && j.fields["alg"] != "EdDSA" {
		a.throwDOM("JSON Web Key Algorithm parameter \"alg\" (\""+j.fields["alg"]+"\") does not match requested Ed25519 curve.", "DataError")
	}
	part := func(field, long string) []byte {
		b, ok := j.bytes(field)
		if !ok {
			a.throwDOM("Invalid "+k.name+" key in JSON WebKey; missing or invalid "+long+" key component (\""+field+"\").", "DataError")
		}
		if len(b) != 32 {
			a.throwDOM("Invalid length "+strconv.Itoa(len(b))+" for "+long+" key", "DataError")
		}
		return b
	}
	k.public = part("x", "public")
	if kind == "private" {
		k.secret = part("d", "private")
	}
}

func (a *API) generateOKP(p params, name string, extractable bool, usages []string) goja.Value {
	k := p.okpKey(name, extractable)
	k.kind = "private"
	private, public := ecUsages(name)
	k.usages = a.pairUsages(usages, name, private, public)
	k.secret = make([]byte, 32)
	a.random(k.secret)
	if name == "X25519" {
		k.public = k.x25519().PublicKey().Bytes()
	} else {
		k.public = k.ed25519().Public().(ed25519.PublicKey)
	}
	return a.pairObject(k, public...)
}

func (k *cryptoKey) ed25519() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(k.secret) }

func (k *cryptoKey) x25519() *ecdh.PrivateKey {
	key, err := ecdh.X25519().NewPrivateKey(k.secret)
	must(err) // any 32 bytes will do
	return key
}

func (a *API) exportOKP(k *cryptoKey, format string) goja.Value {
	switch format {
	case "raw":
		if k.kind != "public" {
			a.throwDOM("Raw export of "+k.name+" keys is only allowed for public keys.", "InvalidAccessError")
		}
		return a.arrayBuffer(append([]byte{}, k.public...))
	case "jwk":
		fields := map[string]string{"kty": "OKP", "crv": okpCurve(k.name), "x": base64URL.EncodeToString(k.public)}
		if k.name == "Ed25519" {
			fields["alg"] = "EdDSA"
		}
		if k.kind == "private" {
			fields["d"] = base64URL.EncodeToString(k.secret)
		}
		return a.jwkObject(k, fields)
	case "spki", "pkcs8":
		var public, private any = ed25519.PublicKey(k.public), nil
		if k.name == "X25519" {
			key, err := ecdh.X25519().NewPublicKey(k.public)
			must(err) // any 32 bytes will do
			public = key
		}
		switch {
		case k.kind != "private":
		case k.name == "X25519":
			private = k.x25519()
		default:
			private = k.ed25519()
		}
		return a.exportDER(k, format, public, private)
	}
	return a.badExport(k, format)
}
