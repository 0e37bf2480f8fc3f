package cli

import (
	"io"
	"log/slog"
)

// testLogger writes what the runtime logs during a test below the test, without
// the machine's time: the test has a clock of its own.
func testLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(indented{w}, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// indented is a writer of whole lines.
type indented struct{ w io.Writer }

func (i indented) Write(p []byte) (int, error) {
	if _, err := io.WriteString(i.w, indent(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
