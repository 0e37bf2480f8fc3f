package webapi

import (
	"crypto/rsa"
	"slices"

	"github.com/dop251/goja"
)

// cryptoKey is the attachment of a CryptoKey
// (https://www.w3.org/TR/webcrypto/#cryptokey-interface).
type cryptoKey struct {
	slot
	kind        string // secret, private or public
	extractable bool
	usages      []string
	name        string // of the algorithm, as workerd spells it
	hash        string // HMAC and RSA
	length      int    // in bits; HMAC and AES
	curve       string // ECDSA, ECDH and NODE-ED25519
	exponent    []byte // RSA, as it was given

	// secret is a secret key, the scalar of a private key on a curve or the
	// seed of Ed25519; public is a point or a public key of 32 bytes.
	secret, public []byte
	rsaPublic      *rsa.PublicKey
	rsaPrivate     *rsa.PrivateKey
}

// allUsages is the order in which a key lists its usages.
var allUsages = []string{"encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"}

func init() {
	classSpecs[classCryptoKey] = classSpec{name: "CryptoKey", parent: noParent}
}

// keyObject makes the CryptoKey of k. Like workerd's its attributes are own
// read-only properties.
func (a *API) keyObject(k *cryptoKey) *goja.Object {
	if k.kind != "public" && len(k.usages) == 0 {
		a.throwDOM("Secret/private CryptoKeys must have at least one usage.", "SyntaxError")
	}
	o := a.instance(classCryptoKey, k)
	usages := make([]any, len(k.usages))
	for i, u := range k.usages {
		usages[i] = u
	}
	algorithm := a.rt.NewObject()
	set := func(name string, v any) { must(algorithm.Set(name, v)) }
	set("name", k.name)
	hash := func() {
		h := a.rt.NewObject()
		must(h.Set("name", k.hash))
		set("hash", h)
	}
	switch {
	case k.rsaPublic != nil:
		set("modulusLength", k.rsaPublic.N.BitLen())
		set("publicExponent", a.uint8Array(slices.Clone(k.exponent)))
		hash()
	case k.curve != "":
		set("namedCurve", k.curve)
	case k.length > 0:
		if k.hash != "" {
			hash()
		}
		set("length", k.length)
	}
	own := func(name string, v goja.Value) {
		must(o.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	own("usages", a.rt.NewArray(usages...))
	own("algorithm", algorithm)
	own("extractable", a.rt.ToValue(k.extractable))
	own("type", a.rt.ToValue(k.kind))
	return o
}

// pairObject makes a CryptoKeyPair out of a private key, whose usages are those
// asked for: they are shared out between the two.
func (a *API) pairObject(private *cryptoKey, publicUsages ...string) goja.Value {
	public := *private
	public.slot, public.kind, public.extractable = slot{}, "public", true
	public.secret, public.rsaPrivate = nil, nil
	public.usages = keep(private.usages, func(u string) bool { return slices.Contains(publicUsages, u) })
	private.usages = keep(private.usages, func(u string) bool { return !slices.Contains(publicUsages, u) })
	o := a.rt.NewObject()
	must(o.Set("publicKey", a.keyObject(&public)))
	must(o.Set("privateKey", a.keyObject(private)))
	return o
}

func keep(list []string, ok func(string) bool) []string {
	var out []string
	for _, s := range list {
		if ok(s) {
			out = append(out, s)
		}
	}
	return out
}

// checkUsages refuses usages that a key cannot have and returns the others in
// order; what is for example "import secret HMAC".
func (a *API) checkUsages(usages []string, what string, allowed ...string) []string {
	for _, u := range usages {
		if !slices.Contains(allowed, u) {
			a.throwDOM("Attempt to "+what+" key with invalid usage \""+u+"\".", "SyntaxError")
		}
	}
	return keep(allUsages, func(u string) bool { return slices.Contains(usages, u) })
}

// pairUsages is checkUsages for a new pair of keys, of which the private one
// must be good for something.
func (a *API) pairUsages(usages []string, name string, private, public []string) []string {
	out := a.checkUsages(usages, "generate "+name, append(slices.Clone(private), public...)...)
	if !slices.ContainsFunc(out, func(u string) bool { return slices.Contains(private, u) }) {
		a.throwDOM("Attempt to generate asymmetric keys with no valid private key usages.", "SyntaxError")
	}
	return out
}
