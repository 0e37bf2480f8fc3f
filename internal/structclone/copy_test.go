package structclone

// copyAll copies the tokens of a message into a new one. Host objects are copied
// as if their payload were empty.
func copyAll(r *Reader, w *Writer) error {
	type open struct {
		kind   Kind
		length uint32
	}
	var stack []open
	var t Token
	w.Header()
	for !r.Done() {
		if err := r.Next(&t); err != nil {
			return err
		}
		switch t.Kind {
		case KindUndefined:
			w.Undefined()
		case KindNull:
			w.Null()
		case KindHole:
			w.Hole()
		case KindBool:
			w.Bool(t.Bool)
		case KindInt:
			w.Number(float64(t.Int))
		case KindDouble:
			w.Double(t.Num)
		case KindBigInt:
			w.BigInt(t.Big)
		case KindString:
			w.CopyString(t.Str)
		case KindBackRef:
			w.BackRef(t.ID)
		case KindDate:
			w.Date(t.Num)
		case KindBoxedBool:
			w.BoxedBool(t.Bool)
		case KindBoxedNumber:
			w.BoxedNumber(t.Num)
		case KindBoxedBigInt:
			w.BoxedBigInt(t.Big)
		case KindBoxedString:
			w.BoxedString()
			w.CopyString(t.Str)
		case KindRegExp:
			w.RegExp()
			w.CopyString(t.Str)
			w.RegExpFlags(uint32(t.Int))
		case KindObject:
			w.BeginObject()
			stack = append(stack, open{kind: t.Kind})
		case KindDenseArray:
			w.BeginDenseArray(uint32(t.Int))
			stack = append(stack, open{t.Kind, uint32(t.Int)})
		case KindSparseArray:
			w.BeginSparseArray(uint32(t.Int))
			stack = append(stack, open{t.Kind, uint32(t.Int)})
		case KindMap:
			w.BeginMap()
			stack = append(stack, open{kind: t.Kind})
		case KindSet:
			w.BeginSet()
			stack = append(stack, open{kind: t.Kind})
		case KindArrayBuffer, KindView:
			switch {
			case t.Kind == KindView && !t.NewBuffer:
				w.BackRef(t.BufferID)
			case t.Resizable:
				w.ResizableArrayBuffer(t.Bytes, t.MaxLength)
			default:
				w.ArrayBuffer(t.Bytes)
			}
			if t.Kind == KindView {
				w.View(t.View)
			}
		case KindError:
			w.Error(t.Error)
		case KindLegacyError:
			w.BeginLegacyError(ErrorPlain)
			stack = append(stack, open{kind: t.Kind})
		case KindErrorField:
			switch t.Field {
			case FieldClass:
				w.tag(t.Error.legacyTag())
			case FieldMessage:
				w.LegacyErrorMessage()
				w.CopyString(t.Str)
			case FieldStack:
				w.LegacyErrorStack()
				w.CopyString(t.Str)
			case FieldCause:
				w.LegacyErrorCause()
			}
		case KindHost:
			w.HostObject(uint32(t.Int))
			if err := r.EndHost(); err != nil {
				return err
			}
		case KindEnd:
			o := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n := uint32(t.Int)
			switch o.kind {
			case KindObject:
				w.EndObject(n)
			case KindDenseArray:
				w.EndDenseArray(n, o.length)
			case KindSparseArray:
				w.EndSparseArray(n, o.length)
			case KindMap:
				w.EndMap(n)
			case KindSet:
				w.EndSet(n)
			case KindLegacyError:
				w.EndLegacyError()
			}
		}
	}
	return nil
}
