package httpmsg

import (
	"bytes"
	"fmt"
	"io"
)

// Body is the payload of a message: none, bytes that are all in memory, or a
// stream that can be read once. The zero value is "no body", which is not the
// same as an empty one: a Response made from null has no body, one made from
// "" has zero bytes.
//
// A Body is a small value; copying it copies no payload. The bytes must not be
// changed after they were handed over: the same Body may be sent several times.
type Body struct {
	data     []byte
	stream   io.Reader
	kind     bodyKind
	length   int64
	encoding string // see WithEncoding
	once     bool   // see Once
}

type bodyKind uint8

const (
	bodyNone bodyKind = iota
	bodyBytes
	bodyStream
)

// UnknownLength is the Length of a stream that does not say how long it is.
const UnknownLength int64 = -1

// NoBody returns the absent body. It is the zero value, spelled out.
func NoBody() Body { return Body{} }

// BytesBody returns a body of the given bytes, which the caller must not
// change afterwards. A nil slice makes an empty body, not an absent one.
func BytesBody(b []byte) Body {
	return Body{data: b, kind: bodyBytes, length: int64(len(b))}
}

// StreamBody returns a body that is read from r once. length is the number of
// bytes that will come, or UnknownLength. If r is an io.Closer, Close of the
// body closes it.
func StreamBody(r io.Reader, length int64) Body {
	return Body{stream: r, kind: bodyStream, length: length}
}

// IsNone tells whether there is no body at all.
func (b Body) IsNone() bool { return b.kind == bodyNone }

// Bytes returns the payload if it is in memory. For the absent body it returns
// nil and true; for a stream it returns nil and false and reads nothing.
func (b Body) Bytes() ([]byte, bool) {
	return b.data, b.kind != bodyStream
}

// Stream returns the reader of a stream body, nil for every other kind.
func (b Body) Stream() io.Reader { return b.stream }

// Length is the number of bytes of the payload, or UnknownLength.
func (b Body) Length() int64 { return b.length }

// Replayable tells whether the body can be sent again unchanged: yes for no
// body and for bytes, never for a stream, even one that nobody has read yet, nor
// for bytes that stand for one.
func (b Body) Replayable() bool { return b.kind != bodyStream && !b.once }

// Once returns the body as one that stands for a stream: its bytes may be in
// memory, but it counts as sent when it was sent once. So it is with what a script
// got as a ReadableStream, a received request included (measured on workerd).
func (b Body) Once() Body {
	b.once = b.kind == bodyBytes
	return b
}

// Open returns a reader over the payload. Each call on a replayable body gives
// a fresh reader from the start; a stream gives the one reader there is.
func (b Body) Open() io.Reader {
	if b.kind == bodyStream {
		return b.stream
	}
	return bytes.NewReader(b.data)
}

// ReadAll returns the whole payload; it drains a stream. limit is the largest
// number of bytes accepted, or a negative number for no limit.
func (b Body) ReadAll(limit int64) ([]byte, error) {
	data := b.data
	if b.kind == bodyStream {
		r := b.stream
		if limit >= 0 {
			r = io.LimitReader(r, limit+1)
		}
		var err error
		if data, err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	if limit >= 0 && int64(len(data)) > limit {
		return nil, fmt.Errorf("httpmsg: body is larger than %d bytes", limit)
	}
	return data, nil
}

// Close releases a stream that will not be read further. It does nothing for
// the other kinds.
func (b Body) Close() error {
	if c, ok := b.stream.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
