package webapi

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"strings"

	"github.com/dop251/goja"
)

// curves are the NIST curves of ECDSA and ECDH, with the "alg" of a JSON Web
// Key that signs on them (https://www.rfc-editor.org/rfc/rfc7518#section-3.4).
var curves = map[string]struct {
	curve elliptic.Curve
	alg   string
}{
	"P-256": {elliptic.P256(), "ES256"}, "P-384": {elliptic.P384(), "ES384"}, "P-521": {elliptic.P521(), "ES512"},
}

func fieldSize(curve string) int { return (curves[curve].curve.Params().BitSize + 7) / 8 }

func (p params) curve() string {
	name := p.a.str(p.required("namedCurve"))
	upper := strings.ToUpper(name)
	if _, ok := curves[upper]; !ok {
		p.a.throwDOM("Unrecognized or unimplemented EC curve \""+name+"\" requested.", "NotSupportedError")
	}
	return upper
}

// ecUsages are the usages of an elliptic-curve or Edwards-curve key.
func ecUsages(name string) (private, public []string) {
	if name == "ECDH" || name == "X25519" {
		return []string{"deriveKey", "deriveBits"}, nil
	}
	return []string{"sign"}, []string{"verify"}
}

// ecUse is the "use" of such a key.
func ecUse(name string) string {
	if name == "ECDH" || name == "X25519" {
		return "enc"
	}
	return "sig"
}

// checkKind sets the kind of an imported key on a curve and checks its usages.
func (r *keyRequest) checkKind(k *cryptoKey, kind string) {
	private, public := ecUsages(k.name)
	allowed := public
	if kind == "private" {
		allowed = private
	}
	k.kind = kind
	k.usages = r.a.checkUsages(r.usages, "import "+kind+" "+k.name, allowed...)
}

func (a *API) importEC(r *keyRequest, name string) *cryptoKey {
	k := &cryptoKey{name: name, curve: r.curve(), extractable: r.extractable}
	wrongCurve := func(c elliptic.Curve) {
		if c != curves[k.curve].curve {
			a.throwDOM("\"algorithm.namedCurve\" \""+k.curve+"\" does not match the curve specified by the input key data.", "DataError")
		}
	}
	var err error
	switch r.format {
	case "raw":
		r.checkKind(k, "public")
		if len(r.data) == 0 {
			a.throwDOM("Failed to import raw EC key data.", "DataError")
		}
		if k.public = decodePoint(k.curve, r.data); k.public == nil {
			a.throwDOM("Failed to import raw EC key data: Invalid point encoding..", "DataError")
		}
	case "jwk":
		a.ecFromJWK(r, k)
	case "spki":
		r.checkKind(k, "public")
		key, ok := a.parseSPKI(r.data).(*ecdsa.PublicKey)
		if !ok {
			a.throwDOM("Input was not an EC key.", "DataError")
		}
		wrongCurve(key.Curve)
		k.public, err = key.Bytes()
		must(err)
	case "pkcs8":
		r.checkKind(k, "private")
		key, ok := a.parsePKCS8(r.data).(*ecdsa.PrivateKey)
		if !ok {
			a.throwDOM("Input was not an EC key.", "DataError")
		}
		wrongCurve(key.Curve)
		k.secret, err = key.Bytes()
		must(err)
		k.public, err = key.PublicKey.Bytes()
		must(err)
	default:
		r.badFormat()
	}
	return k
}

// decodePoint converts a point, compressed or not, to its uncompressed form
// (SEC 1, section 2.3.4), nil if it is not on the curve.
func decodePoint(curve string, b []byte) []byte {
	c := curves[curve].curve
	if len(b) == 1+fieldSize(curve) && (b[0] == 2 || b[0] == 3) {
		x, y := elliptic.UnmarshalCompressed(c, b)
		if x == nil {
			return nil
		}
		size := fieldSize(curve)
		out := make([]byte, 1+2*size)
		out[0] = 4
		x.FillBytes(out[1 : 1+size])
		y.FillBytes(out[1+size:])
		return out
	}
	if _, err := ecdsa.ParseUncompressedPublicKey(c, b); err != nil {
		return nil
	}
	return b
}

func (a *API) ecFromJWK(r *keyRequest, k *cryptoKey) {
	j := r.jwk
	if j.fields["kty"] != "EC" {
		a.throwDOM("Elliptic curve \"jwk\" key import requires a JSON Web Key with Key Type parameter \"kty\" (\""+j.text("kty")+"\") equal to \"EC\".", "DataError")
	}
	kind := "public"
	if j.has("d") {
		kind = "private"
	}
	r.checkKind(k, kind)
	j.checkAsymmetric(k.usages, ecUse(k.name))
	r.checkExt(k.name)
	if k.name == "ECDSA" && j.has("alg") {
		alg, known := j.fields["alg"], false
		for _, c := range curves {
			known = known || c.alg == alg
		}
		switch {
		case !known:
			a.throwDOM("Unrecognized or unimplemented algorithm \""+alg+"\" listed in JSON Web Key Algorithm parameter.", "NotSupportedError")
		case alg != curves[k.curve].alg:
			a.throwDOM("JSON Web Key Algorithm parameter \"alg\" (\""+alg+"\") does not match requested curve.", "DataError")
		}
	}
	size := fieldSize(k.curve)
	point := make([]byte, 1, 1+2*size)
	point[0] = 4
	fits := true
	for _, name := range []string{"x", "y"} {
		b, ok := j.bytes(name)
		if !ok {
			a.throwDOM("Invalid EC key in JSON Web Key; missing \""+name+"\".", "DataError")
		}
		fits = fits && len(b) <= size
		point = append(append(point, make([]byte, max(0, size-len(b)))...), b...)
	}
	if fits {
		k.public = decodePoint(k.curve, point)
	}
	if k.public == nil {
		a.throwDOM("Invalid EC key; public key coordinates \"x\" and \"y\" are invalid: Point is not on curve..", "OperationError")
	}
	if kind == "public" {
		return
	}
	d, ok := j.bytes("d")
	if !ok {
		a.throwDOM("Invalid EC key in JSON Web Key; missing or invalid private key component (\"d\").", "DataError")
	}
	if len(d) < size {
		d = append(make([]byte, size-len(d)), d...)
	}
	key, err := ecdsa.ParseRawPrivateKey(curves[k.curve].curve, d)
	if err == nil {
		var public []byte
		if public, err = key.PublicKey.Bytes(); err == nil && string(public) == string(k.public) {
			k.secret = d
			return
		}
	}
	a.throwDOM("Invalid EC key in JSON Web Key.", "DataError")
}

func (a *API) generateEC(p params, name string, extractable bool, usages []string) goja.Value {
	k := &cryptoKey{kind: "private", name: name, curve: p.curve(), extractable: extractable}
	private, public := ecUsages(name)
	k.usages = a.pairUsages(usages, name, private, public)
	c := curves[k.curve].curve
	d := make([]byte, fieldSize(k.curve))
	for {
		a.random(d)
		clearHead(d, c.Params().BitSize)
		key, err := ecdsa.ParseRawPrivateKey(c, d)
		if err != nil {
			continue // zero, or not below the order of the group
		}
		k.secret = d
		k.public, err = key.PublicKey.Bytes()
		must(err)
		return a.pairObject(k, public...)
	}
}

// clearHead zeroes all but the last bits of b.
func clearHead(b []byte, bits int) {
	if rest := bits % 8; rest != 0 {
		b[0] &= 1<<rest - 1
	}
}

func (k *cryptoKey) ecPublic() *ecdsa.PublicKey {
	key, err := ecdsa.ParseUncompressedPublicKey(curves[k.curve].curve, k.public)
	must(err) // it was checked when the key was made
	return key
}

func (k *cryptoKey) ecPrivate() *ecdsa.PrivateKey {
	key, err := ecdsa.ParseRawPrivateKey(curves[k.curve].curve, k.secret)
	must(err) // it was checked when the key was made
	return key
}

func (a *API) exportEC(k *cryptoKey, format string) goja.Value {
	switch format {
	case "raw":
		if k.kind != "public" {
			a.throwDOM("Raw export of elliptic curve keys is only allowed for public keys.", "InvalidAccessError")
		}
		return a.arrayBuffer(append([]byte{}, k.public...))
	case "jwk":
		size := fieldSize(k.curve)
		fields := map[string]string{
			"kty": "EC", "crv": k.curve,
			"x": base64URL.EncodeToString(k.public[1 : 1+size]), "y": base64URL.EncodeToString(k.public[1+size:]),
		}
		if k.kind == "private" {
			fields["d"] = base64URL.EncodeToString(k.secret)
		}
		return a.jwkObject(k, fields)
	case "spki", "pkcs8":
		var private any
		if k.kind == "private" {
			private = k.ecPrivate()
		}
		return a.exportDER(k, format, k.ecPublic(), private)
	}
	return a.badExport(k, format)
}
