package httpmsg

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrGzip is what reading a body that is not the gzip data it claims to be ends
// with.
var ErrGzip = errors.New("Gzip decompression failed.")

// WithEncoding returns the body marked as being encoded as a Content-Encoding
// header says: the bytes are sent on as they are, and are decoded only when
// somebody reads them. That is how the real runtime treats what it fetched
// (workerd: a response that is passed on is not decoded and encoded again).
// Encodings that are not known to it count as none.
func (b Body) WithEncoding(contentEncoding string) Body {
	switch e := strings.ToLower(strings.TrimSpace(contentEncoding)); e {
	case "gzip", "br":
		b.encoding = e
	default:
		b.encoding = ""
	}
	return b
}

// Encoding is "gzip" or "br" for a body that is encoded, else "".
func (b Body) Encoding() string { return b.encoding }

// Decoded returns the body without its encoding, as a script reads it.
func (b Body) Decoded() Body {
	if b.encoding == "" || b.IsNone() {
		return b
	}
	return StreamBody(&decoder{src: b}, UnknownLength)
}

// decoder decodes on the fly. It starts with the first read, because making a
// gzip reader reads the header.
type decoder struct {
	src Body
	r   io.Reader
	err error
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.err == nil && d.r == nil {
		d.open()
	}
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.r.Read(p)
	var corrupt flate.CorruptInputError
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &corrupt) {
		err = ErrGzip
	}
	return n, err
}

func (d *decoder) open() {
	if d.src.encoding != "gzip" {
		d.err = fmt.Errorf("durashim does not implement Content-Encoding: %s", d.src.encoding)
		return
	}
	z, err := gzip.NewReader(d.src.Open())
	switch {
	case err == io.EOF: // no bytes at all: workerd reads that as an empty body
		d.err = io.EOF
	case errors.Is(err, gzip.ErrHeader), err == io.ErrUnexpectedEOF:
		d.err = ErrGzip
	case err != nil:
		d.err = err
	default:
		d.r = z
	}
}

func (d *decoder) Close() error { return d.src.Close() }
