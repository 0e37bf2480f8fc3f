package durable

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// ObjectID is the id of a Durable Object: 32 bytes, written as 64 hex digits.
type ObjectID [32]byte

// String returns the id in lower-case hex.
func (id ObjectID) String() string { return hex.EncodeToString(id[:]) }

// IDFactory derives the ids of one namespace. The derivation is the real
// runtime's, so that ids (and the files named after them) are the same there:
//
//	key = SHA-256(unique key)
//	base = first 16 bytes of HMAC-SHA-256(key, name)
//	id = base, then the first 16 bytes of HMAC-SHA-256(key, base)
//
// An IDFactory is immutable and safe for use by many goroutines.
type IDFactory struct{ key [32]byte }

// NewIDFactory returns the factory for a namespace's unique key.
func NewIDFactory(uniqueKey string) IDFactory {
	return IDFactory{sha256.Sum256([]byte(uniqueKey))}
}

// FromName returns the id that belongs to a name.
func (f IDFactory) FromName(name string) ObjectID {
	return f.complete(f.mac([]byte(name)))
}

// Unique returns a new id whose base is read from r.
func (f IDFactory) Unique(r io.Reader) (ObjectID, error) {
	var base [16]byte
	if _, err := io.ReadFull(r, base[:]); err != nil {
		return ObjectID{}, err
	}
	return f.complete(base), nil
}

// FromString parses 64 hex digits and checks that they are an id of this
// namespace. The error is a TypeError with the real runtime's text.
func (f IDFactory) FromString(s string) (ObjectID, error) {
	var id ObjectID
	if len(s) != 2*len(id) {
		return id, errBadIDString()
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return id, errBadIDString()
	}
	if f.complete([16]byte(id[:16])) != id {
		return id, &Error{Name: "TypeError", Message: "Durable Object ID is not valid for this namespace."}
	}
	return id, nil
}

func errBadIDString() *Error {
	return &Error{Name: "TypeError", Message: "Invalid Durable Object ID: must be 64 hex digits"}
}

func (f IDFactory) mac(b []byte) (sum [16]byte) {
	h := hmac.New(sha256.New, f.key[:])
	h.Write(b)
	copy(sum[:], h.Sum(nil))
	return sum
}

func (f IDFactory) complete(base [16]byte) (id ObjectID) {
	check := f.mac(base[:])
	copy(id[:16], base[:])
	copy(id[16:], check[:])
	return id
}
