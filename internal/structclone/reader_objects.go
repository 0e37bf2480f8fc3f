package structclone

// backRef reads a reference, and the view that follows when it refers to a
// buffer.
func (r *Reader) backRef(t *Token, tag byte, start int) error {
	id, err := r.uvarint(tag)
	if err != nil {
		return err
	}
	if id >= r.nextID {
		return r.fail(tag, start, "reference to an object that has not begun")
	}
	if r.pos < len(r.data) && r.data[r.pos] == tagView {
		for i := range r.buffers {
			if r.buffers[i].id == id {
				return r.view(t, r.buffers[i], false)
			}
		}
	}
	t.Kind = KindBackRef
	t.ID = id
	return nil
}

func (r *Reader) arrayBuffer(t *Token, tag byte, start int) error {
	n, err := r.uvarint(tag)
	if err != nil {
		return err
	}
	t.Resizable = tag == tagResizable
	t.MaxLength = n
	if t.Resizable {
		if t.MaxLength, err = r.uvarint(tag); err != nil {
			return err
		}
		if t.MaxLength < n {
			return r.fail(tag, start, "buffer is longer than its greatest length")
		}
	}
	if t.Bytes, err = r.bytes(tag, n); err != nil {
		return err
	}
	r.object(t, KindArrayBuffer)
	info := bufferInfo{id: t.ID, length: n, resizable: t.Resizable}
	r.buffers = append(r.buffers, info)
	if r.pos < len(r.data) && r.data[r.pos] == tagView {
		return r.view(t, info, true)
	}
	return nil
}

// view reads a view; the next byte is its tag.
func (r *Reader) view(t *Token, b bufferInfo, isNew bool) error {
	start := r.pos
	r.pos++
	if r.pos >= len(r.data) {
		return r.truncated(tagView)
	}
	v := View{Type: ViewType(r.data[r.pos])}
	r.pos++
	size := uint32(v.Type.ElementSize())
	if size == 0 {
		return r.fail(tagView, start, "unknown type of view "+tagName(byte(v.Type)))
	}
	var err error
	if v.Offset, err = r.uvarint(tagView); err != nil {
		return err
	}
	if v.Length, err = r.uvarint(tagView); err != nil {
		return err
	}
	if r.version >= 14 {
		flags, err := r.uvarint(tagView)
		if err != nil {
			return err
		}
		if flags&^(viewTracksLength|viewResizable) != 0 {
			return r.fail(tagView, start, "unknown flags of a view")
		}
		v.LengthTracking = flags&viewTracksLength != 0
		v.Resizable = flags&viewResizable != 0
	}
	switch {
	case v.Offset > b.length || v.Length > b.length-v.Offset:
		return r.fail(tagView, start, "view goes beyond its buffer")
	case v.Offset%size != 0 || v.Length%size != 0:
		return r.fail(tagView, start, "view is not aligned to its elements")
	case (v.LengthTracking || v.Resizable) && !b.resizable:
		return r.fail(tagView, start, "view of a resizable buffer on a fixed one")
	case v.LengthTracking && v.Length != 0:
		return r.fail(tagView, start, "view that tracks the length has a length")
	case b.resizable && !v.Resizable:
		return r.fail(tagView, start, "view of a fixed buffer on a resizable one")
	}
	r.object(t, KindView)
	t.View, t.NewBuffer, t.BufferID = v, isNew, b.id
	return nil
}

func (r *Reader) host(t *Token, tag byte, start int) error {
	n, err := r.uvarint(tag)
	if err != nil {
		return err
	}
	if n != hostTagError {
		r.object(t, KindHost)
		t.Int = int64(n)
		return r.push(tag, start, frame{kind: KindHost})
	}
	k, err := r.uvarint(tag)
	if err != nil {
		return err
	}
	if k > 255 || ErrorKind(k).Name() == "" {
		return r.fail(tag, start, "unknown class of error")
	}
	r.object(t, KindError)
	t.Error = ErrorKind(k)
	t.Int = 2
	if t.Error == ErrorNamed {
		t.Int = 3
	}
	return r.push(tag, start, frame{kind: KindError, left: uint32(t.Int)})
}

// errorPart reads one of the values that make up an error. The frame goes when
// the last one, the object with the properties, begins: nothing ends an error.
func (r *Reader) errorPart(t *Token, f *frame, tag byte, start int) error {
	f.left--
	if f.left > 0 {
		return r.value(t, tag, start)
	}
	if tag != tagObject {
		return r.fail(tag, start, "an error's properties must be an object")
	}
	r.frames = r.frames[:len(r.frames)-1]
	return r.value(t, tag, start)
}

func (r *Reader) legacyErrorPart(t *Token, tag byte, start int) (err error) {
	t.Kind = KindErrorField
	if k, ok := legacyErrorKind(tag); ok {
		t.Field, t.Error = FieldClass, k
		return nil
	}
	switch tag {
	case errMessage:
		t.Field = FieldMessage
		t.Str, err = r.taggedString(tag)
	case errStack:
		t.Field = FieldStack
		t.Str, err = r.taggedString(tag)
	case errCause:
		t.Field = FieldCause
		r.frames[len(r.frames)-1].value = true
	case tagErrorEnd:
		t.Kind = KindEnd
		t.Int = 0
		r.frames = r.frames[:len(r.frames)-1]
	default:
		return &UnknownTagError{Offset: start, Tag: tag}
	}
	return err
}

// RawUint32 reads a varint from the payload of a host object.
func (r *Reader) RawUint32() (uint32, error) { return r.uvarint(tagHost) }

// RawUint64 reads a varint from the payload of a host object.
func (r *Reader) RawUint64() (uint64, error) { return r.uvarint64(tagHost) }

// RawDouble reads eight bytes from the payload of a host object.
func (r *Reader) RawDouble() (float64, error) { return r.double(tagHost) }

// RawBytes reads n bytes from the payload of a host object. They are a part of
// the message, not a copy.
func (r *Reader) RawBytes(n uint32) ([]byte, error) { return r.bytes(tagHost, n) }

// RawString reads what [Writer.RawString] wrote.
func (r *Reader) RawString() (string, error) {
	n, err := r.RawUint32()
	if err != nil {
		return "", err
	}
	b, err := r.RawBytes(n)
	return string(b), err
}

// EndHost ends the payload of the host object that [KindHost] began. It must be
// called once for each: the format itself has no end there. Values inside the
// payload must have been read to their ends.
func (r *Reader) EndHost() error {
	n := len(r.frames)
	if n == 0 || r.frames[n-1].kind != KindHost {
		return r.fail(tagHost, r.pos, "a value inside a host object has not ended")
	}
	r.frames = r.frames[:n-1]
	return nil
}
