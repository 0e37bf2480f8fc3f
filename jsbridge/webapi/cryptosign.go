package webapi

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/subtle"
	"encoding/asn1"
	"math/big"
	"strconv"
)

type ecSignature struct{ R, S *big.Int }

func (a *API) operationError(msg string) { a.throwDOM(msg, "OperationError") }

// signHash reads the digest algorithm of a call with an ECDSA key.
func (p params) signHash() string {
	v := p.get("hash")
	if isUndefined(v) {
		p.a.throwTypeError("Missing \"hash\" in AlgorithmIdentifier. (ECDSA requires that the hash algorithm be specified at call time rather than on the key. This differs from other WebCrypto algorithms for historical reasons.)")
	}
	return p.a.hashName(v)
}

const noSalt = "Failed to provide salt for RSA-PSS key operation which requires a salt"

func (p params) saltLength(missing func()) int {
	v := p.get("saltLength")
	if isUndefined(v) {
		missing()
	}
	n := p.a.int32(v)
	if n < 0 {
		p.a.throwDOM("SaltLength for RSA-PSS must be non-negative (provided "+strconv.Itoa(n)+").", "DataError")
	}
	return n
}

func (a *API) sign(p params, k *cryptoKey, data []byte) []byte {
	var out []byte
	var err error
	switch k.name {
	case "HMAC":
		return k.mac(data)
	case "RSASSA-PKCS1-v1_5":
		out, err = rsa.SignPKCS1v15(nil, k.rsaPrivate, digests[k.hash], sumOf(k.hash, data))
	case "RSA-PSS":
		salt := p.saltLength(func() { a.throwDOM(noSalt, "DataError") })
		if salt+digests[k.hash].Size()+2 > (k.rsaPublic.N.BitLen()-1+7)/8 {
			a.operationError("key too small for signing with given digest and salt length")
		}
		if salt == 0 {
			return signUnsalted(k, data)
		}
		out, err = rsa.SignPSS(a.env.Random, k.rsaPrivate, digests[k.hash], sumOf(k.hash, data), &rsa.PSSOptions{SaltLength: salt})
	case "ECDSA":
		hash := p.signHash()
		// Without a random source the signature follows RFC 6979.
		var der []byte
		der, err = k.ecPrivate().Sign(nil, sumOf(hash, data), digests[hash])
		var s ecSignature
		if err == nil {
			_, err = asn1.Unmarshal(der, &s)
		}
		if err == nil {
			size := fieldSize(k.curve)
			out = make([]byte, 2*size)
			s.R.FillBytes(out[:size])
			s.S.FillBytes(out[size:])
		}
	default:
		return ed25519.Sign(k.ed25519(), data)
	}
	if err != nil {
		a.operationError("Failed to sign: " + err.Error())
	}
	return out
}

func (k *cryptoKey) mac(data []byte) []byte {
	h := hmac.New(newHash(k.hash), k.secret)
	h.Write(data)
	return h.Sum(nil)
}

func (a *API) verify(p params, k *cryptoKey, signature, data []byte) bool {
	switch k.name {
	case "HMAC":
		return hmac.Equal(k.mac(data), signature)
	case "RSASSA-PKCS1-v1_5":
		return rsa.VerifyPKCS1v15(k.rsaPublic, digests[k.hash], sumOf(k.hash, data), signature) == nil
	case "RSA-PSS":
		salt := p.saltLength(func() { a.throwTypeError(noSalt) })
		if salt == 0 {
			return verifyUnsalted(k, signature, data)
		}
		return rsa.VerifyPSS(k.rsaPublic, digests[k.hash], sumOf(k.hash, data), signature, &rsa.PSSOptions{SaltLength: salt}) == nil
	case "ECDSA":
		hash := p.signHash()
		size := fieldSize(k.curve)
		if len(signature) != 2*size {
			return false
		}
		der, err := asn1.Marshal(ecSignature{new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:])})
		return err == nil && ecdsa.VerifyASN1(k.ecPublic(), sumOf(hash, data), der)
	}
	if len(signature) != ed25519.SignatureSize {
		a.operationError("Invalid " + k.name + " signature length " + strconv.Itoa(len(signature)))
	}
	return ed25519.Verify(k.public, data, signature)
}

// The standard library takes a salt length of 0 for "choose one", so RSA-PSS
// without salt is done here (https://www.rfc-editor.org/rfc/rfc8017#section-9.1).

// encodeUnsalted is EMSA-PSS-ENCODE with an empty salt.
func encodeUnsalted(k *cryptoKey, data []byte) []byte {
	bits := k.rsaPublic.N.BitLen() - 1
	em := make([]byte, (bits+7)/8)
	size := digests[k.hash].Size()
	h := sumOf(k.hash, append(make([]byte, 8), sumOf(k.hash, data)...))
	db := em[:len(em)-size-1]
	db[len(db)-1] = 1
	// MGF1, section B.2.1 of the RFC.
	for i := 0; i*size < len(db); i++ {
		mask := sumOf(k.hash, append(append([]byte{}, h...), byte(i>>24), byte(i>>16), byte(i>>8), byte(i)))
		subtle.XORBytes(db[i*size:], db[i*size:], mask)
	}
	db[0] &= 0xff >> (8*len(em) - bits)
	copy(em[len(db):], h)
	em[len(em)-1] = 0xbc
	return em
}

func signUnsalted(k *cryptoKey, data []byte) []byte {
	m := new(big.Int).SetBytes(encodeUnsalted(k, data))
	return new(big.Int).Exp(m, k.rsaPrivate.D, k.rsaPublic.N).FillBytes(make([]byte, k.rsaPublic.Size()))
}

func verifyUnsalted(k *cryptoKey, signature, data []byte) bool {
	s := new(big.Int).SetBytes(signature)
	if len(signature) != k.rsaPublic.Size() || s.Cmp(k.rsaPublic.N) >= 0 || k.rsaPublic.Size() < digests[k.hash].Size()+2 {
		return false
	}
	want := encodeUnsalted(k, data)
	return new(big.Int).Exp(s, big.NewInt(int64(k.rsaPublic.E)), k.rsaPublic.N).Cmp(new(big.Int).SetBytes(want)) == 0
}
