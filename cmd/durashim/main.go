// Command durashim runs Durable Object projects: their tests under faults, and
// an HTTP server.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/durashim/durashim/internal/cli"
)

// headroom is how much garbage may pile up, in bytes, beside what Go's collector
// allows: as much as is in use. A process that holds little, as most do, would
// otherwise collect every few requests. It is reserved memory that nobody
// touches, so that it takes no room itself, and counts as being in use.
const headroom = 20 << 20

func main() {
	var reserved []byte
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		reserved = make([]byte, headroom)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	runtime.KeepAlive(reserved)
	os.Exit(code)
}
