package webapi

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"iter"
	"runtime"

	"github.com/dop251/goja"
)

// codec turns bytes into bytes piece by piece.
type codec interface {
	// push takes input and returns the output that is ready.
	push(data []byte) ([]byte, error)
	// end says that there is no more input and returns the rest.
	end() ([]byte, error)
	// close gives up. It may be called more than once.
	close()
}

var (
	errFormat     = errors.New("The compression format must be either 'deflate', 'deflate-raw' or 'gzip'.")
	errCorrupt    = errors.New("Decompression failed.")
	errTrailing   = errors.New("Trailing bytes after end of compressed data")
	errIncomplete = errors.New("Called close() on a decompression stream with incomplete data")
	errStopped    = errors.New("webapi: the decompression was given up")
)

// newCodec makes a codec of the Compression standard
// (https://compression.spec.whatwg.org/#supported-formats). workerd has these
// three formats and no brotli.
func newCodec(format string, decompress bool) (codec, error) {
	switch format {
	case "gzip", "deflate", "deflate-raw":
	default:
		return nil, errFormat
	}
	if decompress {
		return newDecoder(format), nil
	}
	e := &encoder{}
	switch format {
	case "gzip":
		w := gzip.NewWriter(&e.out)
		w.OS = 3 // Unix, as zlib writes it
		e.w = w
	case "deflate":
		e.w = zlib.NewWriter(&e.out)
	default:
		w, err := flate.NewWriter(&e.out, flate.DefaultCompression)
		if err != nil {
			return nil, err
		}
		e.w = w
	}
	return e, nil
}

type encoder struct {
	out bytes.Buffer
	w   io.WriteCloser
}

func (e *encoder) take() []byte {
	out := bytes.Clone(e.out.Bytes())
	e.out.Reset()
	return out
}

func (e *encoder) push(data []byte) ([]byte, error) {
	if _, err := e.w.Write(data); err != nil {
		return nil, err
	}
	return e.take(), nil
}

func (e *encoder) end() ([]byte, error) {
	if err := e.w.Close(); err != nil {
		return nil, err
	}
	return e.take(), nil
}

func (e *encoder) close() {}

// decoder drives the library's readers, which pull, with input that is pushed:
// they run as a coroutine, which rests whenever the input is used up.
type decoder struct {
	in   []byte // input that is not read yet
	next func() ([]byte, bool)
	stop func()
	done bool  // the compressed data has ended
	err  error // of the data
}

func newDecoder(format string) *decoder {
	d := &decoder{}
	d.next, d.stop = iter.Pull(func(yield func([]byte) bool) {
		switch err := d.run(format, yield); err {
		case nil, errStopped:
			d.err = err
		default:
			d.err = errCorrupt
		}
		d.done = true
	})
	return d
}

// run decodes everything. It yields output, and nil when it needs input.
func (d *decoder) run(format string, yield func([]byte) bool) error {
	src := &feed{d: d, yield: yield}
	var r io.Reader
	switch format {
	case "gzip":
		z, err := gzip.NewReader(src)
		if err != nil {
			return err
		}
		z.Multistream(false)
		r = z
	case "deflate":
		z, err := zlib.NewReader(src)
		if err != nil {
			return err
		}
		r = z
	default:
		r = flate.NewReader(src)
	}
	buf := make([]byte, 16<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 && !yield(buf[:n]) {
			return errStopped
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// feed is the decoder's input as a reader. That it reads single bytes keeps the
// library from reading ahead, so that what follows the data can be seen.
type feed struct {
	d     *decoder
	yield func([]byte) bool
}

func (f *feed) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(f.d.in) == 0 {
		if !f.yield(nil) {
			return 0, errStopped
		}
	}
	n := copy(p, f.d.in)
	f.d.in = f.d.in[n:]
	return n, nil
}

func (f *feed) ReadByte() (byte, error) {
	var b [1]byte
	_, err := f.Read(b[:])
	return b[0], err
}

func (d *decoder) push(data []byte) ([]byte, error) {
	d.in = data
	var out []byte
	for !d.done {
		chunk, ok := d.next()
		switch {
		case !ok && !d.done:
			return nil, errStopped // closed before it began
		case ok && chunk == nil && len(d.in) == 0:
			return out, nil
		}
		out = append(out, chunk...)
	}
	switch {
	case d.err != nil:
		return nil, d.err
	case len(d.in) > 0:
		return nil, errTrailing
	}
	return out, nil
}

func (d *decoder) end() ([]byte, error) {
	if !d.done {
		d.close()
		return nil, errIncomplete
	}
	return nil, d.err
}

func (d *decoder) close() { d.stop() }

// codecHandle is what scripts hold of a codec. The coroutine of a decoder does
// not refer to it, so that it can be collected with its stream.
type codecHandle struct{ codec }

// codecObject is a codec as the stream files see it. A decoder that is left
// alone half way is stopped when its stream is collected: its coroutine would
// stay otherwise.
func (a *API) codecObject(call goja.FunctionCall) goja.Value {
	inner, err := newCodec(call.Argument(0).String(), call.Argument(1).ToBoolean())
	if err != nil {
		a.throwTypeError(err.Error())
	}
	c := &codecHandle{inner}
	runtime.AddCleanup(c, func(inner codec) { inner.close() }, inner)
	result := func(out []byte, err error) goja.Value {
		if err != nil {
			a.throwTypeError(err.Error())
		}
		return a.uint8Array(out)
	}
	o := a.rt.NewObject()
	must(o.Set("push", func(call goja.FunctionCall) goja.Value {
		defer runtime.KeepAlive(c)
		data, _ := a.copyOf(call.Argument(0))
		return result(c.push(data))
	}))
	must(o.Set("end", func(goja.FunctionCall) goja.Value {
		defer runtime.KeepAlive(c)
		return result(c.end())
	}))
	must(o.Set("close", func(goja.FunctionCall) goja.Value {
		c.close()
		return goja.Undefined()
	}))
	return o
}
