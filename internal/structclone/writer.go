package structclone

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// Writer appends tokens to a byte slice. It writes what it is told to: keeping
// begin and end in balance and the counts right is the caller's task, which
// keeps the hot path free of checks.
//
// The zero value is ready to use. Writers are reusable, see [Writer.Reset].
// A method that begins an object returns the object's number, by which
// [Writer.BackRef] refers to it later.
type Writer struct {
	buf    []byte
	base   int
	nextID uint32
}

// Reset starts a new message that is appended to buf, which may be nil. What
// buf holds already stays and does not count for the alignment of two-byte
// strings: a message means the same wherever it lies.
func (w *Writer) Reset(buf []byte) {
	w.buf, w.base, w.nextID = buf, len(buf), 0
}

// Bytes returns the slice given to Reset with the message appended. It is valid
// until the next call of a method that writes.
func (w *Writer) Bytes() []byte { return w.buf }

// Len returns the length in bytes of the message so far.
func (w *Writer) Len() int { return len(w.buf) - w.base }

// Header writes the version. It comes first in a message.
func (w *Writer) Header() { w.buf = append(w.buf, tagVersion, Version) }

func (w *Writer) tag(b byte) { w.buf = append(w.buf, b) }

func (w *Writer) varint(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }

func (w *Writer) double(f float64) {
	if f != f {
		w.buf = append(w.buf, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f) // V8 has one NaN
		return
	}
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(f))
}

func (w *Writer) id() uint32 {
	id := w.nextID
	w.nextID++
	return id
}

// Undefined writes undefined.
func (w *Writer) Undefined() { w.tag(tagUndefined) }

// Null writes null.
func (w *Writer) Null() { w.tag(tagNull) }

// Hole writes an element that is absent, inside a dense array.
func (w *Writer) Hole() { w.tag(tagHole) }

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	if b {
		w.tag(tagTrue)
	} else {
		w.tag(tagFalse)
	}
}

// Int32 writes i as an integer. V8 does so only for numbers for which [IsSmi]
// holds; [Writer.Number] chooses as V8 does.
func (w *Writer) Int32(i int32) {
	w.tag(tagInt32)
	w.varint(uint64(uint32(i<<1) ^ uint32(i>>31)))
}

// Double writes f as a double, whatever its value. Every NaN is written as the
// same bits.
func (w *Writer) Double(f float64) {
	w.tag(tagDouble)
	w.double(f)
}

// Number writes f in the form that V8 chooses for it.
func (w *Writer) Number(f float64) {
	if IsSmi(f) {
		w.Int32(int32(f))
	} else {
		w.Double(f)
	}
}

// Index writes i as V8 writes an array index that is a property key.
func (w *Writer) Index(i uint32) {
	if IsSmiInt(int64(i)) {
		w.Int32(int32(i))
	} else {
		w.Double(float64(i))
	}
}

// BigInt writes a BigInt. A nil pointer is written as 0n.
func (w *Writer) BigInt(b *big.Int) {
	w.tag(tagBigInt)
	w.bigInt(b)
}

func (w *Writer) bigInt(b *big.Int) {
	if b == nil || b.Sign() == 0 {
		w.tag(0)
		return
	}
	// V8 keeps 64-bit digits and writes whole ones.
	n := (b.BitLen() + 63) / 64 * 8
	field := uint64(n) << 1
	if b.Sign() < 0 {
		field |= 1
	}
	w.varint(field)
	start := len(w.buf)
	words := b.Bits()
	if bits.UintSize == 64 {
		for _, word := range words {
			w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(word))
		}
	} else {
		for _, word := range words {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(word))
		}
	}
	for len(w.buf)-start < n {
		w.buf = append(w.buf, 0)
	}
}

// Date writes a Date; ms is its time value in milliseconds since 1970, NaN for
// an invalid date.
func (w *Writer) Date(ms float64) uint32 {
	w.tag(tagDate)
	w.double(ms)
	return w.id()
}

// BoxedBool writes a Boolean object.
func (w *Writer) BoxedBool(b bool) uint32 {
	if b {
		w.tag(tagBoxedTrue)
	} else {
		w.tag(tagBoxedFalse)
	}
	return w.id()
}

// BoxedNumber writes a Number object.
func (w *Writer) BoxedNumber(f float64) uint32 {
	w.tag(tagBoxedNumber)
	w.double(f)
	return w.id()
}

// BoxedBigInt writes a BigInt object.
func (w *Writer) BoxedBigInt(b *big.Int) uint32 {
	w.tag(tagBoxedBigInt)
	w.bigInt(b)
	return w.id()
}

// BoxedString begins a String object; its string is to be written next.
func (w *Writer) BoxedString() uint32 {
	w.tag(tagBoxedString)
	return w.id()
}

// RegExp begins a RegExp; the string with its source and then
// [Writer.RegExpFlags] are to be written next.
func (w *Writer) RegExp() uint32 {
	w.tag(tagRegExp)
	return w.id()
}

// RegExpFlags ends a RegExp; see [RegExpFlags] for the bits.
func (w *Writer) RegExpFlags(bits uint32) { w.varint(uint64(bits)) }

// BeginObject begins an object; keys (strings or numbers) and values follow in
// turn, then [Writer.EndObject].
func (w *Writer) BeginObject() uint32 {
	w.tag(tagObject)
	return w.id()
}

// EndObject ends an object of the given number of properties.
func (w *Writer) EndObject(properties uint32) {
	w.tag(tagObjectEnd)
	w.varint(uint64(properties))
}

// BeginDenseArray begins an array of length elements, which follow; after them
// come the other properties as keys and values, then [Writer.EndDenseArray].
func (w *Writer) BeginDenseArray(length uint32) uint32 {
	w.tag(tagDense)
	w.varint(uint64(length))
	return w.id()
}

// EndDenseArray ends an array: the number of properties beside the elements,
// and the length that was given at the beginning.
func (w *Writer) EndDenseArray(properties, length uint32) {
	w.tag(tagDenseEnd)
	w.varint(uint64(properties))
	w.varint(uint64(length))
}

// BeginSparseArray begins an array that is written as keys and values, its
// indexes among the keys. V8 uses this form for arrays with holes.
func (w *Writer) BeginSparseArray(length uint32) uint32 {
	w.tag(tagSparse)
	w.varint(uint64(length))
	return w.id()
}

// EndSparseArray ends a sparse array: the number of properties, elements
// included, and the length that was given at the beginning.
func (w *Writer) EndSparseArray(properties, length uint32) {
	w.tag(tagSparseEnd)
	w.varint(uint64(properties))
	w.varint(uint64(length))
}

// BeginMap begins a Map; keys and values follow in turn.
func (w *Writer) BeginMap() uint32 {
	w.tag(tagMap)
	return w.id()
}

// EndMap ends a Map of the given number of entries.
func (w *Writer) EndMap(entries uint32) {
	w.tag(tagMapEnd)
	w.varint(uint64(entries) * 2)
}

// BeginSet begins a Set; its values follow.
func (w *Writer) BeginSet() uint32 {
	w.tag(tagSet)
	return w.id()
}

// EndSet ends a Set of the given number of values.
func (w *Writer) EndSet(values uint32) {
	w.tag(tagSetEnd)
	w.varint(uint64(values))
}

// ArrayBuffer writes a buffer with a copy of data.
func (w *Writer) ArrayBuffer(data []byte) uint32 {
	w.tag(tagBuffer)
	w.varint(uint64(len(data)))
	w.buf = append(w.buf, data...)
	return w.id()
}

// ResizableArrayBuffer writes a buffer that may grow to maxLength bytes, with a
// copy of data.
func (w *Writer) ResizableArrayBuffer(data []byte, maxLength uint32) uint32 {
	w.tag(tagResizable)
	w.varint(uint64(len(data)))
	w.varint(uint64(maxLength))
	w.buf = append(w.buf, data...)
	return w.id()
}

// View describes a typed array or DataView on a buffer.
type View struct {
	Type ViewType
	// Offset and Length say which part of the buffer it shows, in bytes.
	// Length is 0 when LengthTracking is set.
	Offset, Length uint32
	// LengthTracking is set for a view that follows the length of a resizable
	// buffer; Resizable for any view on a resizable buffer.
	LengthTracking, Resizable bool
}

// View writes a view. The buffer that it shows must have been written just
// before, with [Writer.ArrayBuffer] or as a [Writer.BackRef].
func (w *Writer) View(v View) uint32 {
	w.buf = append(w.buf, tagView, byte(v.Type))
	w.varint(uint64(v.Offset))
	w.varint(uint64(v.Length))
	var flags byte
	if v.LengthTracking {
		flags |= viewTracksLength
	}
	if v.Resizable {
		flags |= viewResizable
	}
	w.tag(flags)
	return w.id()
}

// BackRef refers to the object with the given number.
func (w *Writer) BackRef(id uint32) {
	w.tag(tagBackRef)
	w.varint(uint64(id))
}

// Error begins an Error in the form that workerd uses when the compatibility
// flag enhanced_error_serialization is on. What follows is written as ordinary
// values: for [ErrorNamed] the name; then the message; then an object with the
// own properties. Nothing ends it.
func (w *Writer) Error(kind ErrorKind) uint32 {
	w.buf = append(w.buf, tagHost, hostTagError, byte(kind))
	return w.id()
}

// BeginLegacyError begins an Error in V8's own form, which workerd uses without
// enhanced_error_serialization. V8 knows neither AggregateError nor names of
// one's own: these become plain errors.
func (w *Writer) BeginLegacyError(kind ErrorKind) uint32 {
	w.tag(tagError)
	if t := kind.legacyTag(); t != 0 {
		w.tag(t)
	}
	return w.id()
}

// LegacyErrorMessage announces the message of an error; a string follows.
func (w *Writer) LegacyErrorMessage() { w.tag(errMessage) }

// LegacyErrorStack announces the stack of an error; a string follows.
func (w *Writer) LegacyErrorStack() { w.tag(errStack) }

// LegacyErrorCause announces the cause of an error; a value follows.
func (w *Writer) LegacyErrorCause() { w.tag(errCause) }

// EndLegacyError ends an error in V8's own form.
func (w *Writer) EndLegacyError() { w.tag(tagErrorEnd) }

// HostObject begins a host object with the embedder's number for its type. The
// payload follows: values, or the Raw methods. Nothing ends it.
func (w *Writer) HostObject(hostTag uint32) uint32 {
	w.tag(tagHost)
	w.varint(uint64(hostTag))
	return w.id()
}

// RawUint32 appends a varint to the payload of a host object.
func (w *Writer) RawUint32(v uint32) { w.varint(uint64(v)) }

// RawUint64 appends a varint to the payload of a host object.
func (w *Writer) RawUint64(v uint64) { w.varint(v) }

// RawDouble appends eight bytes to the payload of a host object.
func (w *Writer) RawDouble(f float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(f))
}

// RawBytes appends b to the payload of a host object, without its length.
func (w *Writer) RawBytes(b []byte) { w.buf = append(w.buf, b...) }

// RawString appends the length of s in bytes and s to the payload of a host
// object.
func (w *Writer) RawString(s string) {
	w.varint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}
