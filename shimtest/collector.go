package shimtest

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
)

// collector is the testing.TB of one run of a test body: it keeps failures and
// log lines instead of reporting them, so that a run that fails can be told of
// together with its timeline. It takes everything else (TempDir, ArtifactDir)
// from the test that it stands for.
type collector struct {
	testing.TB
	name   string
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	failed   bool
	skipped  bool
	lines    []string // what was logged, failures included
	failures []string
	cleanups []func()
}

// collect runs a body in a goroutine of its own, with its cleanups, and returns
// when both are done. A panic of the body is a failure of it.
func collect(tb testing.TB, name string, body func(testing.TB)) *collector {
	c := &collector{TB: tb, name: name}
	c.ctx, c.cancel = context.WithCancel(tb.Context())
	c.run(func() { body(c) })
	c.cancel() // before the cleanups, as in package testing
	for {
		c.mu.Lock()
		n := len(c.cleanups) - 1
		var f func()
		if n >= 0 {
			f = c.cleanups[n]
			c.cleanups = c.cleanups[:n]
		}
		c.mu.Unlock()
		if f == nil {
			return c
		}
		c.run(f)
	}
}

// run calls f, which may end its goroutine, as FailNow does.
func (c *collector) run(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				c.fail(fmt.Sprintf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		f()
	}()
	<-done
}

func (c *collector) fail(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = true
	if text != "" {
		c.lines = append(c.lines, text)
		c.failures = append(c.failures, text)
	}
}

func (c *collector) log(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, text)
}

// at says which line of the body reports, as package testing does.
func at(text string) string {
	text = strings.TrimRight(text, "\n")
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") { // the kit itself reports, not the body
			return text
		}
		if !strings.HasPrefix(f.Function, "github.com/durashim/durashim/shimtest.") && f.File != "" {
			return fmt.Sprintf("%s:%d: %s", filepath.Base(f.File), f.Line, text)
		}
		if !more {
			return text
		}
	}
}

func (c *collector) Name() string             { return c.name }
func (c *collector) Helper()                  {}
func (c *collector) Context() context.Context { return c.ctx }

func (c *collector) Cleanup(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, f)
}

func (c *collector) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

func (c *collector) Skipped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

func (c *collector) Log(a ...any)            { c.log(at(fmt.Sprintln(a...))) }
func (c *collector) Logf(f string, a ...any) { c.log(at(fmt.Sprintf(f, a...))) }

func (c *collector) Fail()                     { c.fail("") }
func (c *collector) Error(a ...any)            { c.fail(at(fmt.Sprintln(a...))) }
func (c *collector) Errorf(f string, a ...any) { c.fail(at(fmt.Sprintf(f, a...))) }
func (c *collector) FailNow()                  { c.fail(""); runtime.Goexit() }
func (c *collector) Fatal(a ...any)            { c.fail(at(fmt.Sprintln(a...))); runtime.Goexit() }
func (c *collector) Fatalf(f string, a ...any) { c.fail(at(fmt.Sprintf(f, a...))); runtime.Goexit() }

func (c *collector) Skip(a ...any)            { c.log(at(fmt.Sprintln(a...))); c.SkipNow() }
func (c *collector) Skipf(f string, a ...any) { c.log(at(fmt.Sprintf(f, a...))); c.SkipNow() }

func (c *collector) SkipNow() {
	c.mu.Lock()
	c.skipped = true
	c.mu.Unlock()
	runtime.Goexit()
}

// report returns what the run logged and failed with.
func (c *collector) report() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines)
}
