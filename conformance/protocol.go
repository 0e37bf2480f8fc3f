package conformance

import (
	"bufio"
	"io"
	"regexp"
	"strings"
	"time"
)

// protocolLine matches what `workerd test` prints on stderr for each test; the
// real binary puts the place in its source in front when it is verbose.
var protocolLine = regexp.MustCompile(`^(?:\S+: debug: )?\[ (TEST|PASS|FAIL) \] (.+?)(?: \(([0-9.]+(?:ns|µs|us|ms|s|m|h))\))?$`)

// verdict is a test as the protocol reports it.
type verdict struct {
	test     string
	ended    bool // a PASS or FAIL line came
	passed   bool
	duration time.Duration
	text     string // what was printed between its lines
}

// maxText bounds what is kept of one test's output, in bytes.
const maxText = 16 << 10

// parseProtocol reads the output of a test command to its end. outside is what
// was printed before, between and after tests.
func parseProtocol(r io.Reader, got func(verdict)) (outside string, err error) {
	var cur *verdict
	var text, rest strings.Builder
	in := bufio.NewReader(r)
	for {
		line, readErr := in.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		m := protocolLine.FindStringSubmatch(line)
		switch {
		case m == nil:
			if b := pick(cur != nil, &text, &rest); line != "" && b.Len() < maxText {
				b.WriteString(line + "\n")
			}
		case m[1] == "TEST":
			if cur != nil {
				cur.text = text.String()
				got(*cur)
			}
			cur = &verdict{test: m[2]}
			text.Reset()
		default:
			v := verdict{test: m[2], ended: true, passed: m[1] == "PASS"}
			v.duration, _ = time.ParseDuration(m[3]) // without one it stays 0
			if cur != nil && cur.test == v.test {
				v.text = text.String()
				cur = nil
				text.Reset()
			}
			got(v)
		}
		if readErr != nil {
			if cur != nil {
				cur.text = text.String()
				got(*cur)
			}
			if readErr == io.EOF {
				readErr = nil
			}
			return rest.String(), readErr
		}
	}
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
