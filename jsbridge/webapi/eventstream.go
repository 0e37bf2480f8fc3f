package webapi

import (
	"bytes"
	"strconv"
	"strings"
)

// streamEvent is an event that an event stream carried.
type streamEvent struct {
	typ, data, id string
}

// eventStream parses a text/event-stream
// (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream)
// piece by piece. Unlike the standard, workerd takes an id that contains NUL.
type eventStream struct {
	line    []byte // the beginning of a line whose end has not come yet
	started bool   // past the place for a byte order mark
	afterCR bool   // a line feed that comes now belongs to the last line
	typ     string
	data    strings.Builder
	hasData bool
	// lastID is the id of the last event, retry the time in milliseconds that
	// the server asked for last; -1 if it has not.
	lastID string
	retry  int
}

func newEventStream(lastID string) *eventStream { return &eventStream{lastID: lastID, retry: -1} }

// feed takes the next piece and calls emit for each event that it completes.
func (s *eventStream) feed(chunk []byte, emit func(streamEvent)) {
	for len(chunk) > 0 {
		if s.afterCR {
			s.afterCR = false
			if chunk[0] == '\n' {
				chunk = chunk[1:]
				continue
			}
		}
		i := bytes.IndexAny(chunk, "\r\n")
		if i < 0 {
			s.line = append(s.line, chunk...)
			return
		}
		s.line = append(s.line, chunk[:i]...)
		s.afterCR = chunk[i] == '\r'
		s.endLine(emit)
		chunk = chunk[i+1:]
	}
}

func (s *eventStream) endLine(emit func(streamEvent)) {
	line := strings.ToValidUTF8(string(s.line), "\ufffd")
	s.line = s.line[:0]
	if !s.started {
		s.started = true
		line = strings.TrimPrefix(line, "\ufeff")
	}
	if line == "" {
		s.dispatch(emit)
		return
	}
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "event":
		s.typ = value
	case "data":
		if s.hasData {
			s.data.WriteByte('\n')
		}
		s.hasData = true
		s.data.WriteString(value)
	case "id":
		s.lastID = value
	case "retry":
		if strings.Trim(value, "0123456789") == "" {
			if n, err := strconv.Atoi(value); err == nil {
				s.retry = n
			}
		}
	}
}

func (s *eventStream) dispatch(emit func(streamEvent)) {
	e := streamEvent{typ: s.typ, data: s.data.String(), id: s.lastID}
	had := s.hasData
	s.typ, s.hasData = "", false
	s.data.Reset()
	if !had {
		return
	}
	if e.typ == "" {
		e.typ = "message"
	}
	emit(e)
}
