package cli

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// textHandler writes log records for people: what happened, to what, and the
// error with its stack as it is, on lines of its own.
type textHandler struct {
	log   *serveLog
	level slog.Level
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (h *textHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

// Handle implements slog.Handler.
func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	var b, after bytes.Buffer
	fmt.Fprintf(&b, "durashim: %s", r.Message)
	add := func(a slog.Attr) bool {
		text := a.Value.String()
		if a.Key == "error" || strings.Contains(text, "\n") {
			after.WriteString(indent(text))
		} else {
			fmt.Fprintf(&b, " %s=%s", a.Key, text)
		}
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	b.WriteByte('\n')
	b.Write(after.Bytes())
	_, err := lockedWriter{h.log}.Write(b.Bytes())
	return err
}

// WithAttrs implements slog.Handler.
func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := *h
	n.attrs = append(append([]slog.Attr(nil), h.attrs...), attrs...)
	return &n
}

// WithGroup implements slog.Handler; people need no groups.
func (h *textHandler) WithGroup(string) slog.Handler { return h }
