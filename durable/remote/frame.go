package remote

import (
	"encoding/binary"
	"fmt"
	"io"
)

// frameType is the kind of a frame.
type frameType uint8

// Frames. Numbers are part of the protocol.
const (
	frameRequest     frameType = iota + 1 // a piece of a request; more follow
	frameRequestEnd                       // the last piece
	frameReply                            // a piece of a reply; more follow
	frameReplyEnd                         // the last piece
	frameData                             // bytes of a body that is a stream
	frameDataEnd                          // that body has ended
	frameDataBroken                       // that body will not be complete
	frameWindow                           // so many more bytes of the body may be sent
	frameStop                             // nobody reads the body any more
	frameCancel                           // the caller gave up
	frameReceived                         // the caller has the reply
	framePing                             // are you there?
	framePong                             // yes
	frameGoing                            // the server takes no more requests
	frameIncarnation                      // the server's incarnation has changed
	frameEvent                            // what happens to the request at the host
	frameLost                             // this call's connection is broken

	frameTypes
)

func (t frameType) String() string {
	if t == 0 || t >= frameTypes {
		return fmt.Sprintf("type %d", uint8(t))
	}
	return [...]string{"", "request", "request-end", "reply", "reply-end", "data", "data-end", "broken", "window", "stop",
		"cancel", "received", "ping", "pong", "going", "incarnation", "event", "lost"}[t]
}

const (
	frameHead = 4 + 1 + 8
	// maxPiece is how many bytes of a message one frame carries at most. Small
	// pieces let calls share a connection fairly.
	maxPiece = 16 << 10
	// maxFrame is the largest length field that is accepted. The rest of the room
	// is for later versions of the protocol.
	maxFrame = 64 << 10
)

// frame is a frame that was read. The payload belongs to whoever handles it.
type frame struct {
	kind    frameType
	call    uint64
	payload []byte
}

// appendFrame appends a frame to b.
func appendFrame(b []byte, kind frameType, call uint64, payload []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(1+8+len(payload)))
	b = append(b, byte(kind))
	b = binary.BigEndian.AppendUint64(b, call)
	return append(b, payload...)
}

// protocolError is what a peer did that no peer of this version does. The
// connection ends.
type protocolError struct{ text string }

func (e *protocolError) Error() string { return "remote: " + e.text }

func badPeer(format string, a ...any) error { return &protocolError{fmt.Sprintf(format, a...)} }

// readFrame reads the next frame. It allocates no more than maxFrame bytes,
// whatever the length field says.
func readFrame(r io.Reader) (frame, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:4]); err != nil {
		return frame{}, err
	}
	n := binary.BigEndian.Uint32(head[:4])
	if n < frameHead-4 || n > maxFrame {
		return frame{}, badPeer("a frame of %d bytes; there are none outside of %d to %d", n, frameHead-4, maxFrame)
	}
	if _, err := io.ReadFull(r, head[4:]); err != nil {
		return frame{}, midFrame(err)
	}
	f := frame{kind: frameType(head[4]), call: binary.BigEndian.Uint64(head[5:])}
	if f.kind == 0 || f.kind >= frameTypes {
		return frame{}, badPeer("a frame of unknown %v", f.kind)
	}
	if n -= frameHead - 4; n > 0 {
		f.payload = make([]byte, n)
		if _, err := io.ReadFull(r, f.payload); err != nil {
			return frame{}, midFrame(err)
		}
	}
	return f, nil
}

func midFrame(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
