package webapi

import (
	"reflect"
	"strings"
	"testing"
)

func parseEvents(chunks ...string) (events []streamEvent, s *eventStream) {
	s = newEventStream("")
	for _, c := range chunks {
		s.feed([]byte(c), func(e streamEvent) { events = append(events, e) })
	}
	return events, s
}

func TestEventStreamRetry(t *testing.T) {
	_, s := parseEvents("retry: 2500\n\nretry: x\nretry: -1\nretry:\nretry: 99999999999999999999\n")
	if s.retry != 2500 {
		t.Errorf("retry %d, want that of the only valid field", s.retry)
	}
}

// A stream means the same however it is cut, and no event holds a line end that
// its data cannot have.
func FuzzEventStream(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "\ufeffid: 1\r\ndata\r\rdata:x\n:c\n\n", "event: e\ndata: \xff\n\nretry: 5\n"} {
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		whole, s := parseEvents(text)
		var chunks []string
		for rest := text; rest != ""; {
			n := min(int(size)%7+1, len(rest))
			chunks, rest = append(chunks, rest[:n]), rest[n:]
		}
		cut, s2 := parseEvents(chunks...)
		if !reflect.DeepEqual(whole, cut) || s.lastID != s2.lastID || s.retry != s2.retry {
			t.Fatalf("in one piece %q, in pieces %q", whole, cut)
		}
		for _, e := range whole {
			if strings.ContainsAny(e.typ+e.id+e.data, "\r") || strings.ContainsAny(e.typ+e.id, "\n") || e.typ == "" {
				t.Fatalf("event %q", e)
			}
		}
	})
}
