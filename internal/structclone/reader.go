package structclone

// DefaultMaxDepth is the nesting that a [Reader] allows unless told otherwise.
const DefaultMaxDepth = 10000

// workerd reads nothing below version 13, which was current when Durable Objects
// began.
const minVersion = 13

// Reader hands out the tokens of a message one at a time. It checks the
// structure: ends match beginnings, counts are right, keys are strings or
// numbers, references point to objects begun before. Its memory grows with the
// depth and the number of buffers only. It does not notice properties that occur
// twice in one object, which V8 refuses.
//
// After an error a Reader must be Reset.
type Reader struct {
	data    []byte
	pos     int
	version uint32
	nextID  uint32
	depth   int // 0: DefaultMaxDepth
	frames  []frame
	buffers []bufferInfo
	top     bool // the outermost value has begun
	// pending counts the elements still to come of all open arrays. Each takes a
	// byte at least, so that nested arrays cannot claim the same bytes twice.
	pending int64
}

// frame is an object that has begun and not ended.
type frame struct {
	kind   Kind
	value  bool // the key has been read, its value is next
	left   uint32
	length uint32
	count  uint32
}

type bufferInfo struct {
	id        uint32
	length    uint32
	resizable bool
}

// Reset prepares the Reader for a message and reads its header. maxDepth limits
// the nesting; 0 stands for [DefaultMaxDepth]. The Reader and its tokens refer
// to data, which must not be changed meanwhile.
func (r *Reader) Reset(data []byte, maxDepth int) error {
	if maxDepth <= 0 {
		maxDepth = DefaultMaxDepth
	}
	*r = Reader{data: data, depth: maxDepth, frames: r.frames[:0], buffers: r.buffers[:0]}
	if len(data) < 2 || data[0] != tagVersion {
		return &VersionError{}
	}
	r.pos = 1
	v, err := r.uvarint(tagVersion)
	if err != nil {
		return err
	}
	if v < minVersion || v > Version {
		return &VersionError{Version: v}
	}
	r.version = v
	return nil
}

// ResetBody is [Reader.Reset] for a message whose header is missing: workerd
// reads stored values of that kind, which early versions wrote.
func (r *Reader) ResetBody(data []byte, maxDepth int) {
	if maxDepth <= 0 {
		maxDepth = DefaultMaxDepth
	}
	*r = Reader{data: data, version: Version, depth: maxDepth, frames: r.frames[:0], buffers: r.buffers[:0]}
}

// Offset returns the position in bytes from the header. When Done reports true
// it is the length of the message; bytes after it belong to something else.
func (r *Reader) Offset() int { return r.pos }

// Done reports whether the outermost value has been read to its end.
func (r *Reader) Done() bool { return r.top && len(r.frames) == 0 }

// Depth returns the number of objects that have begun and not ended.
func (r *Reader) Depth() int { return len(r.frames) }

// Objects returns the number of objects that have begun so far, which is above
// every ID handed out.
func (r *Reader) Objects() uint32 { return r.nextID }

// Next reads the next token into t. The error is a [*SyntaxError] or a
// [*UnknownTagError].
func (r *Reader) Next(t *Token) error {
	for r.pos < len(r.data) && r.data[r.pos] == tagPadding {
		r.pos++
	}
	if r.pos >= len(r.data) {
		return r.fail(0, r.pos, "message ends where a tag should be")
	}
	start := r.pos
	tag := r.data[start]
	r.pos++
	t.Offset = start
	n := len(r.frames)
	if n == 0 {
		if r.top {
			return r.fail(tag, start, "nothing may follow the value")
		}
		r.top = true
		return r.value(t, tag, start)
	}
	f := &r.frames[n-1]
	switch f.kind {
	case KindDenseArray:
		if f.left > 0 {
			f.left--
			r.pending--
			if tag == tagHole {
				t.Kind = KindHole
				return nil
			}
			return r.value(t, tag, start)
		}
		if !f.value && tag == tagDenseEnd {
			return r.end(t, f, tag, start, true)
		}
		return r.keyOrValue(t, f, tag, start)
	case KindSparseArray:
		if !f.value && tag == tagSparseEnd {
			return r.end(t, f, tag, start, true)
		}
		return r.keyOrValue(t, f, tag, start)
	case KindObject:
		if !f.value && tag == tagObjectEnd {
			return r.end(t, f, tag, start, false)
		}
		return r.keyOrValue(t, f, tag, start)
	case KindMap:
		if !f.value && tag == tagMapEnd {
			return r.end(t, f, tag, start, false)
		}
		if f.value = !f.value; f.value {
			f.count++
		}
		return r.value(t, tag, start)
	case KindSet:
		if tag == tagSetEnd {
			return r.end(t, f, tag, start, false)
		}
		f.count++
		return r.value(t, tag, start)
	case KindError:
		return r.errorPart(t, f, tag, start)
	case KindLegacyError:
		if f.value {
			f.value = false
			return r.value(t, tag, start)
		}
		return r.legacyErrorPart(t, tag, start)
	default: // KindHost: values in its payload
		return r.value(t, tag, start)
	}
}

// keyOrValue reads inside what consists of properties.
func (r *Reader) keyOrValue(t *Token, f *frame, tag byte, start int) error {
	if f.value {
		f.value = false
		return r.value(t, tag, start)
	}
	switch tag {
	case tagOneByte, tagTwoByte, tagUTF8, tagInt32, tagUint32, tagDouble:
	case tagObjectEnd, tagDenseEnd, tagSparseEnd, tagMapEnd, tagSetEnd, tagErrorEnd:
		return r.fail(tag, start, "the end does not match the beginning")
	default:
		return r.fail(tag, start, "a property key must be a string or a number")
	}
	f.value = true
	f.count++
	return r.value(t, tag, start)
}

func (r *Reader) end(t *Token, f *frame, tag byte, start int, hasLength bool) error {
	n, err := r.uvarint(tag)
	if err != nil {
		return err
	}
	want := uint64(f.count)
	if f.kind == KindMap {
		want *= 2
	}
	if uint64(n) != want {
		return r.fail(tag, start, "the count at the end is wrong")
	}
	if hasLength {
		n, err = r.uvarint(tag)
		if err != nil {
			return err
		}
		if n != f.length {
			return r.fail(tag, start, "the length at the end is wrong")
		}
	}
	t.Kind = KindEnd
	t.Int = int64(f.count)
	r.frames = r.frames[:len(r.frames)-1]
	return nil
}

func (r *Reader) push(tag byte, start int, f frame) error {
	if len(r.frames) >= r.depth {
		return r.fail(tag, start, "nesting is too deep")
	}
	r.frames = append(r.frames, f)
	return nil
}

func (r *Reader) object(t *Token, k Kind) {
	t.Kind = k
	t.ID = r.nextID
	r.nextID++
}

// value reads the token of a value whose tag has been consumed.
func (r *Reader) value(t *Token, tag byte, start int) (err error) {
	switch tag {
	case tagUndefined:
		t.Kind = KindUndefined
	case tagNull:
		t.Kind = KindNull
	case tagTrue, tagFalse:
		t.Kind = KindBool
		t.Bool = tag == tagTrue
	case tagInt32:
		var u uint32
		u, err = r.uvarint(tag)
		t.Kind = KindInt
		t.Int = int64(int32(u>>1) ^ -int32(u&1))
	case tagUint32:
		var u uint32
		u, err = r.uvarint(tag)
		t.Kind = KindInt
		t.Int = int64(u)
	case tagDouble:
		t.Kind = KindDouble
		t.Num, err = r.double(tag)
	case tagBigInt:
		t.Kind = KindBigInt
		t.Big, err = r.bigInt(tag)
	case tagOneByte, tagTwoByte, tagUTF8:
		t.Kind = KindString
		t.Str, err = r.str(tag)
	case tagBackRef:
		return r.backRef(t, tag, start)
	case tagDate:
		r.object(t, KindDate)
		t.Num, err = r.double(tag)
	case tagBoxedTrue, tagBoxedFalse:
		r.object(t, KindBoxedBool)
		t.Bool = tag == tagBoxedTrue
	case tagBoxedNumber:
		r.object(t, KindBoxedNumber)
		t.Num, err = r.double(tag)
	case tagBoxedBigInt:
		r.object(t, KindBoxedBigInt)
		t.Big, err = r.bigInt(tag)
	case tagBoxedString:
		r.object(t, KindBoxedString)
		t.Str, err = r.taggedString(tag)
	case tagRegExp:
		r.object(t, KindRegExp)
		if t.Str, err = r.taggedString(tag); err == nil {
			var flags uint32
			flags, err = r.uvarint(tag)
			t.Int = int64(flags)
		}
	case tagObject:
		r.object(t, KindObject)
		return r.push(tag, start, frame{kind: KindObject})
	case tagMap:
		r.object(t, KindMap)
		return r.push(tag, start, frame{kind: KindMap})
	case tagSet:
		r.object(t, KindSet)
		return r.push(tag, start, frame{kind: KindSet})
	case tagDense:
		n, err := r.uvarint(tag)
		if err != nil {
			return err
		}
		// An element takes a byte at least, so a length can be trusted with
		// memory once it is below what is left.
		if int64(n) > int64(len(r.data)-r.pos)-r.pending {
			return r.fail(tag, start, "array is longer than the message")
		}
		r.pending += int64(n)
		r.object(t, KindDenseArray)
		t.Int = int64(n)
		return r.push(tag, start, frame{kind: KindDenseArray, left: n, length: n})
	case tagSparse:
		n, err := r.uvarint(tag)
		if err != nil {
			return err
		}
		r.object(t, KindSparseArray)
		t.Int = int64(n)
		return r.push(tag, start, frame{kind: KindSparseArray, length: n})
	case tagBuffer, tagResizable:
		return r.arrayBuffer(t, tag, start)
	case tagError:
		r.object(t, KindLegacyError)
		return r.push(tag, start, frame{kind: KindLegacyError})
	case tagHost:
		return r.host(t, tag, start)
	case tagObjectEnd, tagDenseEnd, tagSparseEnd, tagMapEnd, tagSetEnd, tagErrorEnd:
		return r.fail(tag, start, "the end does not match the beginning")
	case tagHole:
		return r.fail(tag, start, "a hole outside a dense array")
	default:
		return &UnknownTagError{Offset: start, Tag: tag}
	}
	return err
}
