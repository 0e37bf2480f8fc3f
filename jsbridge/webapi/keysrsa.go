package webapi

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"math/big"
	"strconv"

	"github.com/dop251/goja"
)

func rsaUsages(name string) (private, public []string) {
	if name == "RSA-OAEP" {
		return []string{"decrypt", "unwrapKey"}, []string{"encrypt", "wrapKey"}
	}
	return []string{"sign"}, []string{"verify"}
}

// rsaAlgs gives the digest that an "alg" of a JSON Web Key stands for.
var rsaAlgs = map[string]string{
	"RS1": "SHA-1", "RS256": "SHA-256", "RS384": "SHA-384", "RS512": "SHA-512",
	"PS1": "SHA-1", "PS256": "SHA-256", "PS384": "SHA-384", "PS512": "SHA-512",
	"RSA-OAEP": "SHA-1", "RSA-OAEP-256": "SHA-256", "RSA-OAEP-384": "SHA-384", "RSA-OAEP-512": "SHA-512",
}

func (a *API) importRSA(r *keyRequest, name string) *cryptoKey {
	k := &cryptoKey{name: name, hash: r.hashName(), extractable: r.extractable}
	private, public := rsaUsages(name)
	check := func(kind string) {
		k.kind = kind
		allowed := public
		if kind == "private" {
			allowed = private
		}
		k.usages = a.checkUsages(r.usages, "import "+kind+" "+name, allowed...)
	}
	switch r.format {
	case "jwk":
		j := r.jwk
		if j.fields["kty"] != "RSA" {
			a.throwDOM(name+" \"jwk\" key import requires a JSON Web Key with Key Type parameter \"kty\" (\""+j.text("kty")+"\") equal to \"RSA\".", "DataError")
		}
		if j.has("d") {
			check("private")
		} else {
			check("public")
		}
		use := "sig"
		if name == "RSA-OAEP" {
			use = "enc"
		}
		j.checkAsymmetric(k.usages, use)
		r.checkExt(name)
		if j.has("alg") {
			alg := j.fields["alg"]
			switch h, ok := rsaAlgs[alg]; {
			case !ok:
				a.throwDOM("Unrecognized or unimplemented algorithm \""+alg+"\" listed in JSON Web Key Algorithm parameter.", "NotSupportedError")
			case h != k.hash:
				a.throwDOM("JSON Web Key Algorithm parameter \"alg\" (\""+alg+"\") does not match requested hash algorithm \""+alg+"\".", "DataError")
			}
		}
		a.rsaFromJWK(k, j)
	case "spki":
		check("public")
		key, ok := a.parseSPKI(r.data).(*rsa.PublicKey)
		if !ok {
			a.throwDOM("Input was not an RSA key.", "DataError")
		}
		k.rsaPublic = key
	case "pkcs8":
		check("private")
		key, ok := a.parsePKCS8(r.data).(*rsa.PrivateKey)
		if !ok {
			a.throwDOM("Input was not an RSA key.", "DataError")
		}
		k.rsaPrivate, k.rsaPublic = key, &key.PublicKey
	default:
		r.badFormat()
	}
	a.checkModulus((k.rsaPublic.N.BitLen() + 7) / 8 * 8)
	if e := k.rsaPublic.E; e != 3 && e != 65537 {
		a.throwDOM("Imported RSA key has invalid publicExponent "+strconv.Itoa(e)+".", "OperationError")
	}
	k.exponent = big.NewInt(int64(k.rsaPublic.E)).Bytes()
	return k
}

func (a *API) checkModulus(bits int) {
	if bits%8 != 0 || bits < 256 || bits > 16384 {
		a.throwDOM("The modulus length must be a multiple of 8 and between 256 and 16k, but "+strconv.Itoa(bits)+" was requested.", "OperationError")
	}
}

func (a *API) rsaFromJWK(k *cryptoKey, j *jwk) {
	number := func(name string) *big.Int {
		b, ok := j.bytes(name)
		if !ok {
			return nil
		}
		return new(big.Int).SetBytes(b)
	}
	n := number("n")
	if n == nil {
		a.throwDOM("Invalid RSA key in JSON Web Key; missing or invalid Modulus parameter (\"n\").", "DataError")
	}
	e := number("e")
	if e == nil || e.BitLen() > 31 {
		a.throwDOM("Invalid RSA key in JSON Web Key; missing or invalid Exponent parameter (\"e\").", "DataError")
	}
	k.rsaPublic = &rsa.PublicKey{N: n, E: int(e.Int64())}
	if !j.has("d") {
		return
	}
	d := number("d")
	if d == nil {
		a.throwDOM("Invalid RSA key in JSON Web Key; missing or invalid Private Exponent parameter (\"d\").", "DataError")
	}
	if j.has("oth") {
		a.throwDOM("Multi-prime private keys not supported.", "NotSupportedError")
	}
	key := &rsa.PrivateKey{PublicKey: *k.rsaPublic, D: d}
	given := 0
	for _, name := range []string{"p", "q", "dp", "dq", "qi"} {
		if j.has(name) {
			given++
		}
	}
	switch given {
	case 0:
	case 5:
		p, q := number("p"), number("q")
		if p == nil || q == nil {
			a.throwDOM("Invalid RSA key in JSON Web Key; missing or invalid Prime parameter.", "DataError")
		}
		if p.Cmp(big.NewInt(1)) <= 0 || q.Cmp(big.NewInt(1)) <= 0 || new(big.Int).Mul(p, q).Cmp(n) != 0 {
			a.throwDOM("Invalid RSA key in JSON Web Key.", "DataError")
		}
		key.Primes = []*big.Int{p, q}
	default:
		a.throwDOM("Invalid RSA private key in JSON Web Key; if one Prime Factor or CRT Exponent/Coefficient parameter is present, then they must all be present (\"p\", \"q\", \"dp\", \"dq\", \"qi\").", "DataError")
	}
	key.Precompute()
	k.rsaPrivate, k.rsaPublic = key, &key.PublicKey
}

func (a *API) generateRSA(p params, name string, extractable bool, usages []string) goja.Value {
	hash := p.hashName()
	bits := a.int32(p.required("modulusLength"))
	exponent := p.buffer("publicExponent", p.required("publicExponent"))
	private, public := rsaUsages(name)
	usages = a.pairUsages(usages, name, private, public)
	a.checkModulus(bits)
	e := new(big.Int).SetBytes(exponent)
	if s := e.String(); s != "3" && s != "65537" {
		a.throwDOM("The \"publicExponent\" must be either 3 or 65537, but got "+s+".", "OperationError")
	}
	if bits%128 != 0 {
		a.throwDOM("Can't generate key: RSA key size is required to be a multiple of 128", "OperationError")
	}
	key := a.newRSAKey(bits, int(e.Int64()))
	return a.pairObject(&cryptoKey{
		kind: "private", name: name, hash: hash, extractable: extractable, usages: usages,
		exponent: exponent, rsaPrivate: key, rsaPublic: &key.PublicKey,
	}, public...)
}

// newRSAKey draws a key from the one random source, which rsa.GenerateKey does
// not use (crypto/rsa, since Go 1.26).
func (a *API) newRSAKey(bits, e int) *rsa.PrivateKey {
	one, exp := big.NewInt(1), big.NewInt(int64(e))
	prime := func() *big.Int {
		buf := make([]byte, bits/16)
		for {
			a.random(buf)
			buf[0] |= 0xc0 // the product of two such primes has all its bits
			buf[len(buf)-1] |= 1
			p := new(big.Int).SetBytes(buf)
			if new(big.Int).GCD(nil, nil, exp, new(big.Int).Sub(p, one)).Cmp(one) == 0 && p.ProbablyPrime(20) {
				return p
			}
		}
	}
	for {
		p, q := prime(), prime()
		switch p.Cmp(q) {
		case 0:
			continue
		case -1:
			p, q = q, p
		}
		totient := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		d := new(big.Int).ModInverse(exp, totient)
		if d == nil {
			continue
		}
		key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: e}, D: d, Primes: []*big.Int{p, q}}
		key.Precompute()
		return key
	}
}

func (a *API) exportRSA(k *cryptoKey, format string) goja.Value {
	switch format {
	case "jwk":
		text := func(n *big.Int) string { return base64URL.EncodeToString(n.Bytes()) }
		alg := map[string]string{"RSASSA-PKCS1-v1_5": "RS", "RSA-PSS": "PS", "RSA-OAEP": "RSA-OAEP-"}[k.name] + k.hash[min(4, len(k.hash)):]
		if alg == "RSA-OAEP-1" {
			alg = "RSA-OAEP"
		}
		fields := map[string]string{"kty": "RSA", "alg": alg, "n": text(k.rsaPublic.N), "e": text(big.NewInt(int64(k.rsaPublic.E)))}
		if key := k.rsaPrivate; key != nil {
			fields["d"] = text(key.D)
			if len(key.Primes) == 2 {
				fields["p"], fields["q"] = text(key.Primes[0]), text(key.Primes[1])
				// The library has these too, but not of keys that it finds fault with.
				p, q, one := key.Primes[0], key.Primes[1], big.NewInt(1)
				fields["dp"] = text(new(big.Int).Mod(key.D, new(big.Int).Sub(p, one)))
				fields["dq"] = text(new(big.Int).Mod(key.D, new(big.Int).Sub(q, one)))
				if inverse := new(big.Int).ModInverse(q, p); inverse != nil {
					fields["qi"] = text(inverse)
				}
			}
		}
		return a.jwkObject(k, fields)
	case "spki", "pkcs8":
		return a.exportDER(k, format, k.rsaPublic, k.rsaPrivate)
	}
	return a.badExport(k, format)
}

func (a *API) badExport(k *cryptoKey, format string) goja.Value {
	a.throwDOM("Cannot export \""+k.name+"\" in \""+format+"\" format.", "InvalidAccessError")
	return nil
}

// exportDER exports an asymmetric key in the format of its kind.
func (a *API) exportDER(k *cryptoKey, format string, public, private any) goja.Value {
	var der []byte
	var err error
	switch {
	case format == "spki" && k.kind != "public":
		a.throwDOM("Asymmetric spki export requires public key (not \""+k.kind+"\").", "InvalidAccessError")
	case format == "spki":
		der, err = x509.MarshalPKIXPublicKey(public)
	case k.kind != "private":
		a.throwDOM("Asymmetric pkcs8 export requires private key (not \""+k.kind+"\").", "InvalidAccessError")
	default:
		der, err = x509.MarshalPKCS8PrivateKey(private)
	}
	if err != nil {
		a.throwDOM("Failed to export the key: "+err.Error(), "OperationError")
	}
	return a.arrayBuffer(der)
}

// parseSPKI and parsePKCS8 read keys in DER
// (https://www.rfc-editor.org/rfc/rfc5280#section-4.1, https://www.rfc-editor.org/rfc/rfc5958).
func (a *API) parseSPKI(der []byte) any {
	key, err := x509.ParsePKIXPublicKey(a.oneElement(der, "SPKI"))
	if err != nil {
		a.throwDOM("Invalid SPKI input.", "DataError")
	}
	return key
}

func (a *API) parsePKCS8(der []byte) any {
	key, err := x509.ParsePKCS8PrivateKey(a.oneElement(der, "PKCS8"))
	if err != nil {
		a.throwDOM("Invalid PKCS8 input.", "DataError")
	}
	return key
}

func (a *API) oneElement(der []byte, what string) []byte {
	var v asn1.RawValue
	rest, err := asn1.Unmarshal(der, &v)
	switch {
	case err != nil || v.Tag != asn1.TagSequence || len(v.Bytes) == 0:
		a.throwDOM("Invalid "+what+" input.", "DataError")
	case len(rest) > 0:
		a.throwDOM("Invalid "+strconv.Itoa(len(rest))+" trailing bytes after "+what+" input.", "DataError")
	}
	return der
}
