package conformance

import (
	"context"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"time"
)

// CompatDate is the compatibility date of the workers that state none: the
// newest at the time of the real binary that the suite is compared with.
const CompatDate = "2026-11-01"

// Result is how one case ended on one runtime. A file that cannot be run has one
// result with an empty Test, whose Case is the file's name.
type Result struct {
	Case, Area, File, Test string
	Passed                 bool
	Error                  string // "" if it passed
	Duration               time.Duration
}

// A Runner runs test files on a runtime. Run may be called by several goroutines
// at once. It returns soon after ctx has ended, with what there is: the test that
// was running fails with the reason, and so do those that were not reached, as
// far as they are known. want selects cases by their ids; a file of which none is
// wanted gives no result.
type Runner interface {
	Name() string
	Run(ctx context.Context, f File, want func(id string) bool) []Result
}

// Options say how [Run] runs a suite.
type Options struct {
	// Jobs is how many files run at once, besides up to 8 slow ones; 0 means
	// GOMAXPROCS.
	Jobs int
	// Timeout is how long one file may take on one runtime; 0 means a minute.
	Timeout time.Duration
	// Want selects cases by their ids; nil selects all.
	Want func(id string) bool
	// Done, if not nil, is called when a file is done, by one goroutine at a
	// time; other has the results of the second runtime.
	Done func(f File, results, other []Result)
}

// DefaultTimeout is how long one file may take if nothing else is said.
const DefaultTimeout = time.Minute

// Run runs files on a runtime and, if other is not nil, on a second one at the
// same time, many files at once. The results are in the order of the files. It ends early, with
// the cause, when ctx does.
func Run(ctx context.Context, files []File, r, other Runner, o Options) (results, others []Result, err error) {
	if o.Jobs <= 0 {
		o.Jobs = goruntime.GOMAXPROCS(0)
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Want == nil {
		o.Want = func(string) bool { return true }
	}
	first, second := make([][]Result, len(files)), make([][]Result, len(files))
	var done sync.Mutex
	one := func(i int) {
		var both sync.WaitGroup
		if other != nil {
			both.Go(func() { second[i] = runFile(ctx, other, files[i], o) })
		}
		first[i] = runFile(ctx, r, files[i], o)
		both.Wait()
		if o.Done != nil {
			done.Lock()
			o.Done(files[i], first[i], second[i])
			done.Unlock()
		}
	}
	var slow, quick []int
	for i, f := range files {
		if f.Slow() {
			slow = append(slow, i)
		} else {
			quick = append(quick, i)
		}
	}
	var all sync.WaitGroup
	all.Go(func() { inTurn(ctx, maxSlow, slow, one) })
	all.Go(func() { inTurn(ctx, o.Jobs, quick, one) })
	all.Wait()
	for i := range files {
		results = append(results, first[i]...)
		others = append(others, second[i]...)
	}
	return results, others, context.Cause(ctx)
}

// maxSlow is how many slow files run at once.
const maxSlow = 8

// inTurn calls do for every number, so many at once, until ctx ends.
func inTurn(ctx context.Context, jobs int, numbers []int, do func(int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, len(numbers)) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
feed:
	for _, i := range numbers {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
}

func runFile(ctx context.Context, r Runner, f File, o Options) []Result {
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("the file did not end within %v", o.Timeout))
	defer cancel()
	return r.Run(ctx, f, o.Want)
}

// recorder collects the results of one file while it runs.
type recorder struct {
	file    File
	mu      sync.Mutex
	results []Result
	closed  bool // the file was given up: what still comes is dropped
}

func (r *recorder) add(test string, took time.Duration, failure string) {
	r.append(Result{
		Case: r.file.Case(test), Area: r.file.Area(), File: r.file.Name, Test: test,
		Passed: failure == "", Error: failure, Duration: took,
	})
}

// addFile notes that the file as a whole failed.
func (r *recorder) addFile(failure string) {
	r.append(Result{Case: r.file.Name, Area: r.file.Area(), File: r.file.Name, Error: nonEmpty(failure)})
}

func (r *recorder) append(res Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.results = append(r.results, res)
	}
}

// close ends the recording and returns what there is.
func (r *recorder) close() []Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return r.results
}

// nonEmpty makes sure that a failure has a text.
func nonEmpty(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return "failed without a reason"
	}
	return s
}
