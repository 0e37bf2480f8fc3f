package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"
)

// serveLog prints what serve has to say. It is safe for use by many goroutines.
type serveLog struct {
	app    *app
	json   bool
	colour bool
	logger *slog.Logger
	mu     sync.Mutex // of both outputs: lines stay whole
}

func (a *app) newServeLog(o *serveOptions) *serveLog {
	l := &serveLog{app: a, json: o.logFormat == "json", colour: o.logFormat == "text" && isTerminal(a.err)}
	level := slog.LevelInfo
	if o.verbose {
		level = slog.LevelDebug
	}
	if l.json {
		l.logger = slog.New(slog.NewJSONHandler(lockedWriter{l}, &slog.HandlerOptions{Level: level}))
	} else {
		l.logger = slog.New(&textHandler{log: l, level: level})
	}
	return l
}

// isTerminal reports whether a person is likely to look at w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" { // https://no-color.org
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// lockedWriter writes to the standard error.
type lockedWriter struct{ l *serveLog }

func (w lockedWriter) Write(p []byte) (int, error) {
	w.l.mu.Lock()
	defer w.l.mu.Unlock()
	return w.l.app.err.Write(p)
}

// say tells the person who started the server something.
func (l *serveLog) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if l.json {
		l.logger.Info(text)
		return
	}
	fmt.Fprintf(lockedWriter{l}, "durashim: %s\n", text)
}

// console prints what a script prints, where and as the real runtime does: warn
// and error to the standard error, but with structured logging everything to the
// standard output, a JSON object on each line.
func (l *serveLog) console(_, level, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.json {
		line, _ := json.Marshal(struct {
			Timestamp int64  `json:"timestamp"`
			Level     string `json:"level"`
			Message   string `json:"message"`
		}{l.app.sched.Now().UnixMilli(), level, text})
		fmt.Fprintf(l.app.out, "%s\n", line)
		return
	}
	w := l.app.out
	if level == "warn" || level == "error" {
		w = l.app.err
	}
	fmt.Fprintln(w, text)
}

// requests prints a line for each request that h answers.
func (l *serveLog) requests(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		start := l.app.sched.Now()
		rec := &statusRecorder{ResponseWriter: w}
		broken := true
		defer func() {
			l.request(req, rec.status, l.app.sched.Now().Sub(start), broken)
		}()
		h.ServeHTTP(rec, req)
		broken = false
	})
}

// request prints the line of a request. broken says that the connection was
// ended in the middle of the response.
func (l *serveLog) request(req *http.Request, status int, took time.Duration, broken bool) {
	note := ""
	switch {
	case req.Context().Err() != nil:
		note = "client disconnected"
	case broken:
		note = "broken off"
	case status == 0:
		status = http.StatusOK
	}
	if l.json {
		attrs := []any{"method", req.Method, "url", req.URL.RequestURI(), "status", status, "ms", float64(took.Microseconds()) / 1000}
		if note != "" {
			attrs = append(attrs, "note", note)
		}
		l.logger.Info("request", attrs...)
		return
	}
	text := fmt.Sprintf("%s %s %s %s", req.Method, req.URL.RequestURI(), l.paint(status), duration(took))
	if note != "" {
		text += " (" + note + ")"
	}
	fmt.Fprintln(lockedWriter{l}, text)
}

// paint writes a status, in colour on a terminal.
func (l *serveLog) paint(status int) string {
	if status == 0 {
		return "-"
	}
	text := fmt.Sprint(status)
	if !l.colour {
		return text
	}
	code := 32 // green
	switch {
	case status >= 500:
		code = 31
	case status >= 400:
		code = 33
	case status >= 300:
		code = 36
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", code, text)
}

// duration writes a duration with as many digits as matter.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2fms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	}
	return fmt.Sprintf("%.2fs", d.Seconds())
}

// statusRecorder remembers the status of a response.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	if status >= 200 { // the others announce one to come
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the real writer.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
