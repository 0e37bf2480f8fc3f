package structclone

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

func (r *Reader) fail(tag byte, offset int, reason string) error {
	return &SyntaxError{Offset: offset, Tag: tag, Reason: reason}
}

func (r *Reader) truncated(tag byte) error {
	return r.fail(tag, r.pos, "message is cut off")
}

// uvarint reads a varint of 32 bits. Bits above those are dropped, as V8 does.
func (r *Reader) uvarint(tag byte) (uint32, error) {
	if r.pos < len(r.data) {
		if b := r.data[r.pos]; b < 0x80 {
			r.pos++
			return uint32(b), nil
		}
	}
	v, err := r.uvarint64(tag)
	return uint32(v), err
}

func (r *Reader) uvarint64(tag byte) (uint64, error) {
	var v uint64
	for shift, i := 0, r.pos; i < len(r.data); i++ {
		b := r.data[i]
		if shift < 64 {
			v |= uint64(b&0x7f) << shift
			shift += 7
		}
		if b < 0x80 {
			r.pos = i + 1
			return v, nil
		}
	}
	return 0, r.truncated(tag)
}

func (r *Reader) double(tag byte) (float64, error) {
	b, err := r.bytes(tag, 8)
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
}

func (r *Reader) bytes(tag byte, n uint32) ([]byte, error) {
	if int64(n) > int64(len(r.data)-r.pos) {
		return nil, r.truncated(tag)
	}
	end := r.pos + int(n)
	b := r.data[r.pos:end:end]
	r.pos = end
	return b, nil
}

func (r *Reader) str(tag byte) (String, error) {
	n, err := r.uvarint(tag)
	if err != nil {
		return String{}, err
	}
	b, err := r.bytes(tag, n)
	if err != nil {
		return String{}, err
	}
	switch tag {
	case tagOneByte:
		return String{Bytes: b, Encoding: Latin1}, nil
	case tagUTF8:
		return String{Bytes: b, Encoding: UTF8}, nil
	}
	if n&1 != 0 {
		return String{}, r.fail(tag, r.pos, "two-byte string of an odd number of bytes")
	}
	return String{Bytes: b, Encoding: UTF16LE}, nil
}

// taggedString reads a string with its tag, as it stands inside another value.
func (r *Reader) taggedString(outer byte) (String, error) {
	for r.pos < len(r.data) && r.data[r.pos] == tagPadding {
		r.pos++
	}
	if r.pos >= len(r.data) {
		return String{}, r.truncated(outer)
	}
	switch tag := r.data[r.pos]; tag {
	case tagOneByte, tagTwoByte, tagUTF8:
		r.pos++
		return r.str(tag)
	}
	return String{}, r.fail(outer, r.pos, "a string is missing")
}

func (r *Reader) bigInt(tag byte) (*big.Int, error) {
	start := r.pos
	field, err := r.uvarint(tag)
	if err != nil {
		return nil, err
	}
	n := field >> 1
	if field == 1 {
		return nil, r.fail(tag, start, "BigInt is -0")
	}
	if n > maxBigIntBytes {
		return nil, r.fail(tag, start, "BigInt is too long")
	}
	b, err := r.bytes(tag, n)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return new(big.Int), nil
	}
	const size = bits.UintSize / 8
	words := make([]big.Word, (len(b)+size-1)/size)
	for i := range words {
		var w uint
		for j, c := range b[i*size : min(len(b), i*size+size)] {
			w |= uint(c) << (8 * j)
		}
		words[i] = big.Word(w)
	}
	v := new(big.Int).SetBits(words)
	if field&1 != 0 {
		v.Neg(v)
	}
	return v, nil
}
