package jsclone

import "github.com/dop251/goja"

// ParseJSON makes the value of a JSON text, as JSON.parse does without a reviver.
// The text must be UTF-8. The error is a *structclone.JSONError if it is no JSON or
// nests more than maxDepth deep.
//
// The engine's own parser makes a token of every piece and an object by its slow
// way; this one shares the quick way of the codec.
func (c *Codec) ParseJSON(text string, maxDepth int) (goja.Value, error) {
	e := c.encoder()
	e.W.Reset(c.json[:0])
	e.W.Header()
	err := e.W.JSON(text, maxDepth)
	data := e.W.Bytes()
	c.release(e)
	if err != nil {
		return nil, err
	}
	c.json = nil // in use
	v, err := c.Decode(data, Options{MaxDepth: maxDepth + 1})
	if cap(data) <= maxKeptJSON {
		c.json = data
	}
	return v, err
}

// maxKeptJSON bounds the memory in bytes that is kept for the next text.
const maxKeptJSON = 1 << 20
