package conformance

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/runtime"
)

// InProcess runs test files in this process, each in a runtime of its own with all
// storage in memory: slow ones on a virtual clock, where waiting takes no time, the
// others on the machine's.
type InProcess struct {
	// RealTime runs slow files on the machine's clock as well.
	RealTime bool
	// Now is the clock that durations are measured with; nil measures none.
	Now func() time.Time
	// Mutate inverts every assertion of node:assert in the test files; see
	// [InertCases].
	Mutate bool
}

// Name implements [Runner].
func (p InProcess) Name() string {
	if p.Mutate {
		return "durashim with inverted assertions"
	}
	return "durashim"
}

// giveUp is how long a file may take to end after its time is up, before it is
// left to itself.
const giveUp = time.Second

// Run implements [Runner].
func (p InProcess) Run(ctx context.Context, f File, want func(string) bool) []Result {
	w := &world{p: p, rec: recorder{file: f}, want: want}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if x := recover(); x != nil {
				w.fail(fmt.Sprintf("panic: %v\n%s", x, debug.Stack()))
			}
		}()
		w.run(ctx)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		// A script that does not yield, or a panic with a lock held, may never
		// end; the other files shall not wait for it.
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveUp)
		defer cancel()
		select {
		case <-ended:
		case <-limit.Done():
			w.fail(context.Cause(ctx).Error() + ", and could not be stopped")
		}
	}
	return w.rec.close()
}

// world is one file while it runs.
type world struct {
	p    InProcess
	rec  recorder
	want func(string) bool

	mu      sync.Mutex
	current string // the test that runs; "" before the first and after the last
	log     bytes.Buffer
}

// fail blames the test that runs, or else the file.
func (w *world) fail(reason string) {
	w.mu.Lock()
	test := w.current
	w.mu.Unlock()
	if test == "" {
		w.rec.addFile(reason)
		return
	}
	w.rec.add(test, 0, reason)
}

func (w *world) run(ctx context.Context) {
	cfg, err := config.Load(w.rec.file.Path)
	if err == nil {
		newest(cfg)
		if w.p.Mutate {
			err = invert(cfg)
		}
	}
	var rt *runtime.Runtime
	if err == nil {
		o := runtime.Options{Logger: slog.New(slog.NewTextHandler(w, nil))}
		if w.rec.file.Slow() && !w.p.RealTime {
			o.Clock = runtime.NewVirtualClock()
		}
		rt, err = runtime.OpenConfig(cfg, o)
	}
	if err != nil {
		if w.want(w.rec.file.Name) {
			w.rec.addFile(err.Error())
		}
		return
	}
	defer w.closeWorld(rt)
	tests := rt.Tests()
	if len(tests) == 0 && w.want(w.rec.file.Name) {
		w.rec.addFile("No tests found!")
	}
	for _, t := range tests {
		if !w.want(w.rec.file.Case(t.Name())) {
			continue
		}
		if ctx.Err() != nil {
			w.rec.add(t.Name(), 0, "not run: "+context.Cause(ctx).Error())
			continue
		}
		w.one(ctx, rt, t)
	}
}

func (w *world) closeWorld(rt *runtime.Runtime) {
	if err := rt.Close(); err != nil {
		w.rec.addFile("closing: " + err.Error())
	}
}

func (w *world) one(ctx context.Context, rt *runtime.Runtime, t runtime.Test) {
	w.enter(t.Name())
	start := w.now()
	err := rt.RunTest(ctx, t)
	took := w.now().Sub(start)
	if w.enter("") != t.Name() {
		return
	}
	failure := ""
	if err != nil {
		failure = nonEmpty(err.Error())
		if log := w.takeLog(); log != "" {
			failure += "\nlog:\n" + log
		}
	}
	w.rec.add(t.Name(), took, failure)
}

// enter changes the test that runs and returns the one before.
func (w *world) enter(test string) (before string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before, w.current = w.current, test
	if test != "" {
		w.log.Reset()
	}
	return before
}

// Write receives the log, which helps to understand a failure.
func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.log.Len() < maxLog {
		w.log.Write(p)
	}
	return len(p), nil
}

// maxLog bounds what is kept of the log of one test, in bytes.
const maxLog = 16 << 10

func (w *world) takeLog() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

func (w *world) now() time.Time {
	if w.p.Now == nil {
		return time.Time{}
	}
	return w.p.Now()
}

// newest gives the workers that state no compatibility date the newest one.
func newest(cfg *config.Config) {
	for _, s := range cfg.Services {
		if s.Worker != nil && !s.Worker.CompatibilityDate.IsSet() {
			s.Worker.CompatibilityDate = config.Text{Value: CompatDate, Pos: s.Worker.Pos}
		}
	}
}
