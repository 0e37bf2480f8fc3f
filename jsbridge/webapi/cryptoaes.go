package webapi

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rsa"
	"crypto/subtle"
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"
)

func (a *API) encrypt(p params, k *cryptoKey, data []byte) []byte { return a.crypt(p, k, data, true) }
func (a *API) decrypt(p params, k *cryptoKey, data []byte) []byte { return a.crypt(p, k, data, false) }

func (a *API) crypt(p params, k *cryptoKey, data []byte, encrypt bool) []byte {
	switch k.name {
	case "AES-CBC":
		return a.cbc(p, k, data, encrypt)
	case "AES-CTR":
		return a.ctr(p, k, data)
	case "AES-GCM":
		return a.gcm(p, k, data, encrypt)
	}
	return a.oaep(p, k, data, encrypt)
}

func (k *cryptoKey) block() cipher.Block {
	b, err := aes.NewCipher(k.secret)
	must(err) // the length was checked when the key was made
	return b
}

func (a *API) decryptionFailed(k *cryptoKey, in, out int) {
	a.operationError("Decryption failed. This could be due to a ciphertext authentication failure, bad padding, incorrect CryptoKey, or another algorithm-specific reason. Input length was " +
		strconv.Itoa(in) + ", output length expected to be " + strconv.Itoa(out) + " for " + k.name)
}

// cbc pads as PKCS #7 does (https://www.rfc-editor.org/rfc/rfc5652#section-6.3).
func (a *API) cbc(p params, k *cryptoKey, data []byte, encrypt bool) []byte {
	iv := p.buffer("iv", p.required("iv"))
	if len(iv) != aes.BlockSize {
		unit := ""
		if encrypt {
			unit = " bytes"
		}
		a.operationError("AES-CBC IV must be 16 bytes long (provided " + strconv.Itoa(len(iv)) + unit + ").")
	}
	if encrypt {
		pad := aes.BlockSize - len(data)%aes.BlockSize
		out := append(slices.Clone(data), bytes.Repeat([]byte{byte(pad)}, pad)...)
		cipher.NewCBCEncrypter(k.block(), iv).CryptBlocks(out, out)
		return out
	}
	n := len(data)
	failed := func() { a.decryptionFailed(k, n, max(0, n-1)/aes.BlockSize*aes.BlockSize) }
	if n == 0 || n%aes.BlockSize != 0 {
		failed()
	}
	out := make([]byte, n)
	cipher.NewCBCDecrypter(k.block(), iv).CryptBlocks(out, data)
	pad := int(out[n-1])
	if pad == 0 || pad > aes.BlockSize || !bytes.Equal(out[n-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		failed()
	}
	return out[:n-pad]
}

// ctr counts in the low bits of the counter block only, as many as the call
// says.
func (a *API) ctr(p params, k *cryptoKey, data []byte) []byte {
	member := func(name string) {
		if isUndefined(p.get(name)) {
			a.throwTypeError("Missing \"" + name + "\" member in \"algorithm\".")
		}
	}
	member("counter")
	counter := p.buffer("counter", p.get("counter"))
	if len(counter) != aes.BlockSize {
		a.operationError("Counter must have length of 16 bytes (provided " + strconv.Itoa(len(counter)) + ").")
	}
	member("length")
	length := a.int32(p.get("length"))
	if length < 1 || length > 128 {
		a.operationError("Invalid counter of " + strconv.Itoa(length) + " bits length provided.")
	}
	period := new(big.Int).Lsh(big.NewInt(1), uint(length))
	at := new(big.Int).SetBytes(counter)
	low := new(big.Int).Mod(at, period)
	blocks := big.NewInt(int64(len(data)+aes.BlockSize-1) / aes.BlockSize)
	if blocks.Cmp(period) > 0 {
		a.operationError("Counter block values will repeat.")
	}
	out := make([]byte, len(data))
	first := len(data)
	if left := new(big.Int).Sub(period, low); left.Cmp(blocks) < 0 {
		first = int(left.Int64()) * aes.BlockSize
	}
	cipher.NewCTR(k.block(), counter).XORKeyStream(out[:first], data[:first])
	if first < len(data) {
		at.Sub(at, low).FillBytes(counter)
		cipher.NewCTR(k.block(), counter).XORKeyStream(out[first:], data[first:])
	}
	return out
}

func (a *API) gcm(p params, k *cryptoKey, data []byte, encrypt bool) []byte {
	iv := p.buffer("iv", p.required("iv"))
	if len(iv) == 0 {
		a.operationError("AES-GCM IV must not be empty.")
	}
	var extra []byte
	if v := p.get("additionalData"); !isUndefined(v) {
		extra = p.buffer("additionalData", v)
	}
	bits := 128
	if v := p.get("tagLength"); !isUndefined(v) {
		bits = a.int32(v)
	}
	if !slices.Contains([]int{32, 64, 96, 104, 112, 120, 128}, bits) {
		a.operationError("Invalid AES-GCM tag length " + strconv.Itoa(bits) + ".")
	}
	const full = 16
	tag := bits / 8
	c, err := cipher.NewGCMWithNonceSize(k.block(), len(iv))
	must(err) // the length is not 0
	if encrypt {
		return c.Seal(nil, iv, data, extra)[:len(data)+tag]
	}
	if len(data) < tag {
		a.operationError("Ciphertext length of " + strconv.Itoa(len(data)*8) + " bits must be greater than or equal to the size of the AES-GCM tag length of " + strconv.Itoa(bits) + " bits.")
	}
	n := len(data) - tag
	if tag == full {
		out, err := c.Open(nil, iv, data, extra)
		if err != nil {
			a.decryptionFailed(k, n, n)
		}
		return out
	}
	// The library checks whole tags only. Sealing the ciphertext takes the key
	// stream off again; sealing the result gives the tag to compare.
	out := c.Seal(nil, iv, data[:n], nil)[:n]
	want := c.Seal(nil, iv, out, extra)[n:][:tag]
	if subtle.ConstantTimeCompare(want, data[n:]) != 1 {
		a.decryptionFailed(k, n, n)
	}
	return out
}

func (a *API) oaep(p params, k *cryptoKey, data []byte, encrypt bool) []byte {
	var label []byte
	if v := p.get("label"); !isUndefined(v) {
		label = p.buffer("label", v)
	}
	h := digests[k.hash].New()
	if encrypt {
		out, err := rsa.EncryptOAEP(h, a.env.Random, k.rsaPublic, data, label)
		if err != nil {
			a.operationError("RSA-OAEP failed encrypt/decrypt.")
		}
		return out
	}
	if len(data) != k.rsaPublic.Size() {
		a.operationError("RSA-OAEP failed encrypt/decrypt: Invalid RSA signature..")
	}
	out, err := rsa.DecryptOAEP(h, nil, k.rsaPrivate, data, label)
	if err != nil {
		a.operationError("RSA-OAEP failed encrypt/decrypt.")
	}
	return out
}

// kwIV is the initial value of the key wrap
// (https://www.rfc-editor.org/rfc/rfc3394#section-2.2.3.1).
const kwIV = 0xa6a6a6a6a6a6a6a6

func (a *API) keyWrap(k *cryptoKey, data []byte) []byte {
	switch n := len(data); {
	case n%8 != 0:
		a.operationError("Unwrapped key bit length must be a multiple of 64 bits but unwrapped key has a length of " + strconv.Itoa(n*8) + " bits.")
	case n < 16:
		a.operationError("Unwrapped key has length " + strconv.Itoa(n) + " bytes but it should be greater than or equal to 16 and less than or equal to 18446744073709551607")
	}
	c := k.block()
	out := append(make([]byte, 8), data...)
	n := len(data) / 8
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], kwIV)
	for j := range 6 {
		for i := 1; i <= n; i++ {
			copy(b[8:], out[8*i:])
			c.Encrypt(b[:], b[:])
			binary.BigEndian.PutUint64(b[:], binary.BigEndian.Uint64(b[:])^uint64(n*j+i))
			copy(out[8*i:], b[8:])
		}
	}
	copy(out, b[:8])
	return out
}

func (a *API) keyUnwrap(k *cryptoKey, data []byte) []byte {
	switch n := len(data); {
	case n%8 != 0:
		a.operationError("Provided a wrapped key to unwrap that is " + strconv.Itoa(n*8) + " bits which isn't a multiple of 64 bits.")
	case n < 24:
		a.operationError("Provided a wrapped key to unwrap this is " + strconv.Itoa(n*8) + " bits that is less than the minimal length of 192 bits.")
	}
	c := k.block()
	out := slices.Clone(data)
	n := len(data)/8 - 1
	var b [16]byte
	copy(b[:8], out)
	for j := 5; j >= 0; j-- {
		for i := n; i >= 1; i-- {
			binary.BigEndian.PutUint64(b[:], binary.BigEndian.Uint64(b[:])^uint64(n*j+i))
			copy(b[8:], out[8*i:])
			c.Decrypt(b[:], b[:])
			copy(out[8*i:], b[8:])
		}
	}
	if binary.BigEndian.Uint64(b[:]) != kwIV {
		a.operationError("AES-KW key unwrapping failed.")
	}
	return out[8:]
}
