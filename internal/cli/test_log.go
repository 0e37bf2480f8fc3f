package cli

import (
	"io"
	"log/slog"
	"strings"
)

// testLogger writes what the runtime logs during a test below the test, without
// the machine's time: the test has a clock of its own. A notice that another test of
// the run had too is in told and is not written again.
func testLogger(w io.Writer, told map[string]bool) *slog.Logger {
	return slog.New(slog.NewTextHandler(&indented{w: w, told: told}, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// indented is a writer of whole lines.
type indented struct {
	w    io.Writer
	told map[string]bool
}

// Write is called by one goroutine at a time: the handler sees to that.
func (i *indented) Write(p []byte) (int, error) {
	if line := string(p); strings.HasPrefix(line, "level=INFO ") {
		if i.told[line] {
			return len(p), nil
		}
		i.told[line] = true
	}
	if _, err := io.WriteString(i.w, indent(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
