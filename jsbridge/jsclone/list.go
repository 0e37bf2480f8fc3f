package jsclone

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// EncodeList is [Codec.Encode] of an array with the given elements, without the
// array.
func (c *Codec) EncodeList(dst []byte, list []goja.Value, opts Options) (out []byte, err error) {
	e := c.encoder()
	e.opts = &opts
	if e.max = opts.MaxDepth; e.max <= 0 {
		e.max = DefaultMaxDepth
	}
	e.W.Reset(dst)
	e.W.Header()
	n := uint32(len(list))
	e.W.BeginDenseArray(n)
	e.depth++
	for i, v := range list {
		e.item = i
		if !isObject(v) {
			err = e.Value(v) // runs no JavaScript
		} else if ex := c.rt.Try(func() { err = e.Value(v) }); ex != nil {
			err = ex
		}
		if err != nil {
			break
		}
	}
	e.W.EndDenseArray(0, n)
	out = e.W.Bytes()
	c.release(e)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// DecodeList is [Codec.Decode] of an array, without the array: it returns the
// elements, with undefined for holes. A message that holds anything else, or a
// reference to the array itself, is an error.
func (c *Codec) DecodeList(data []byte, opts Options) (list []goja.Value, err error) {
	d := c.decoder()
	defer c.releaseDecoder(d)
	d.opts = &opts
	max := opts.MaxDepth
	if max <= 0 {
		max = DefaultMaxDepth
	}
	if err := d.R.Reset(data, max); err != nil {
		return nil, err
	}
	if ex := c.rt.Try(func() { list, err = d.list() }); ex != nil {
		return nil, ex
	}
	return list, err
}

func (d *Decoder) list() ([]goja.Value, error) {
	if err := d.R.Next(&d.t); err != nil {
		return nil, err
	}
	if d.t.Kind != structclone.KindDenseArray {
		return nil, &structclone.SyntaxError{Offset: d.t.Offset, Reason: "not a dense array"}
	}
	n := int(d.t.Int)
	d.reserve(nil)
	list := make([]goja.Value, n)
	for i := range list {
		if err := d.R.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindHole {
			list[i] = undefined
			continue
		}
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}
