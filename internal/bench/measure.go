package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os/exec"
	"sync"
	"time"
)

// unit is what a measurement gives.
type unit string

const (
	seconds   unit = "s"
	byteCount unit = "B"
)

// measure is one thing that is measured on both sides.
type measure struct {
	name string
	unit unit
	// budget is the most that the ratio ours/theirs may be; limit is the most
	// that ours may be. 0 means that there is none.
	budget, limit float64
	alone         bool // there is nothing to compare with on the other side
	once          bool // takes too long for more than the first round
	run           func(ctx context.Context, s *side, round int) (float64, error)
}

func (m measure) budgetText() string {
	switch {
	case m.budget > 0:
		return fmt.Sprintf("≤ %.2f", m.budget)
	case m.limit > 0:
		return "ours ≤ " + m.unit.format(m.limit)
	}
	return "reported"
}

// measures lists everything that is compared. Steps are chosen so that a
// measurement takes some tens of milliseconds at scale 1.
func measures(scale float64) []measure {
	n := func(steps int) int { return max(1, int(math.Round(float64(steps)*scale))) }
	return []measure{
		{name: "process start to the first answer", unit: seconds, budget: 1, run: start("memory.capnp")},
		// The other side would need a bundler beside it.
		{name: "same, from a wrangler project, bundled", unit: seconds, alone: true, run: start("project/wrangler.json")},
		{name: "resident memory at the first answer", unit: byteCount, budget: 1, run: startMemory},
		{name: "RPC call in a worker, one at a time", unit: seconds, budget: 0.5, run: steps(inMemory, "one", n(4000), "")},
		{name: "RPC call in a worker, 64 in flight", unit: seconds, budget: 0.5, run: steps(inMemory, "many", 64*n(100), "")},
		{name: "first call to a new object", unit: seconds, budget: 0.5, run: fresh(inMemory, "first", n(1000))},
		{name: "memory of an object", unit: byteCount, budget: 0.3, run: objectMemory(n(3000))},
		{name: "KV get and put in one call, in memory", unit: seconds, budget: 0.75, run: steps(inMemory, "store", n(2000), "")},
		{name: "KV get and put in one call, in a file", unit: seconds, budget: 0.75, run: steps(onDisk, "store", n(2000), "")},
		{name: "structured-clone echo of 1 KB", unit: seconds, budget: 1, run: steps(inMemory, "echo", n(1000), "1000")},
		{name: "structured-clone echo of 100 KB", unit: seconds, budget: 1.5, run: steps(inMemory, "echo", n(30), "100000")},
		{name: "structured-clone echo of 1 MB", unit: seconds, budget: 1.5, run: steps(inMemory, "echo", n(3), "1000000")},
		{name: "RPC call with 1 KB, one at a time", unit: seconds, run: steps(inMemory, "bytes", n(2000), "1024")},
		{name: "RPC call with 100 KB, one at a time", unit: seconds, run: steps(inMemory, "bytes", n(300), "102400")},
		{name: "RPC call with 1 MB, one at a time", unit: seconds, run: steps(inMemory, "bytes", n(30), "1048576")},
		{name: "RPC call with 1 KB, 100 in flight", unit: seconds, run: steps(inMemory, "hundred", 100*n(30), "1024")},
		{name: "16 MB through a stream to the response", unit: seconds, budget: 1.5, run: stream("stream")},
		{name: "16 MB through a transformer to the response", unit: seconds, run: stream("transform")},
		{name: "16 MB through an object's fetch", unit: seconds, run: stream("objectStream")},
		{name: "16 MB through a stream of RPC and back", unit: seconds, run: whole("rpcStream", streamSize)},
		{name: "16 MB uploaded, through a transformer, and back", unit: seconds, run: upload},
		{name: "JSON body of 1 MB, read and answered", unit: seconds, run: steps(inMemory, "json", n(5), "")},
		{name: "headers: made, changed and listed", unit: seconds, run: steps(inMemory, "headers", n(1000), "")},
		{name: "URL parsed and changed", unit: seconds, run: steps(inMemory, "urls", n(1000), "")},
		{name: "1 MB of text encoded and decoded", unit: seconds, run: steps(inMemory, "text", n(20), "")},
		{name: "SHA-256 of 16 MB", unit: seconds, run: steps(inMemory, "digest", n(3), "")},
		{name: "test of 100 tests, an object each", unit: seconds, budget: 1, run: testRun},
		{name: "HTTP to an object, 16 connections, a request", unit: seconds, budget: 0.67, run: connections(16, n(2000))},
		{name: "first put of a new object, in a file", unit: seconds, budget: 1.5, run: fresh(onDisk, "firstPut", n(100))},
		{name: "JavaScript compute, fib(20)", unit: seconds, run: steps(inMemory, "compute", n(10), "")},
	}
}

// timed measures one request and divides by its steps.
func (s *side) timed(ctx context.Context, where storage, path string, n int) (float64, error) {
	srv, err := s.server(ctx, where)
	if err != nil {
		return 0, err
	}
	began := s.sched.Now()
	if err := srv.get(ctx, path); err != nil {
		return 0, err
	}
	return s.sched.Now().Sub(began).Seconds() / float64(n), nil
}

// steps measures a path that does n steps.
func steps(where storage, what string, n int, arg string) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, round int) (float64, error) {
		if round == 0 { // V8 compiles what ran before
			if _, err := s.timed(ctx, where, fmt.Sprintf("%s?n=%d&arg=%s", what, max(1, n/4), arg), n); err != nil {
				return 0, err
			}
		}
		return s.timed(ctx, where, fmt.Sprintf("%s?n=%d&arg=%s", what, n, arg), n)
	}
}

// fresh is steps with objects that no other round uses.
func fresh(where storage, what string, n int) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, round int) (float64, error) {
		return s.timed(ctx, where, fmt.Sprintf("%s?n=%d&arg=%s-%d-", what, n, what, round), n)
	}
}

func start(config string) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, _ int) (float64, error) {
		srv, err := s.start(ctx, config, inMemory)
		if err != nil {
			return 0, err
		}
		return srv.first.Seconds(), s.stop(srv)
	}
}

func startMemory(ctx context.Context, s *side, _ int) (float64, error) {
	srv, err := s.start(ctx, "memory.capnp", inMemory)
	if err != nil {
		return 0, err
	}
	n, err := resident(srv.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	return n, s.stop(srv)
}

// objectMemory is what the resident memory of a process grows by for each object
// that lives in it.
func objectMemory(n int) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, _ int) (float64, error) {
		return grown(ctx, s, inMemory, "memory.capnp", "first", n)
	}
}

func grown(ctx context.Context, s *side, where storage, config, what string, n int) (float64, error) {
	srv, err := s.start(ctx, config, where)
	if err != nil {
		return 0, err
	}
	// What the first calls cost is no object's.
	if err := srv.get(ctx, what+"?n=100&arg=warm"); err != nil {
		return 0, err
	}
	before, err := resident(srv.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	if err := srv.get(ctx, fmt.Sprintf("%s?n=%d&arg=object", what, n)); err != nil {
		return 0, err
	}
	after, err := resident(srv.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	return (after - before) / float64(n), s.stop(srv)
}

// manyObjects writes objects on disk in one process and gives its memory.
func manyObjects(n int) measure {
	return measure{
		name: fmt.Sprintf("memory with %d objects written in a file each", n), unit: byteCount, limit: 1 << 30, alone: true, once: true,
		run: func(ctx context.Context, s *side, _ int) (float64, error) {
			srv, err := s.start(ctx, "disk.capnp", onDisk)
			if err != nil {
				return 0, err
			}
			most := 0.0
			for done := 0; done < n; done += 1000 {
				if err := srv.get(ctx, fmt.Sprintf("firstPut?n=%d&arg=many-%d-", min(1000, n-done), done)); err != nil {
					return 0, fmt.Errorf("after %d objects: %w", done, err)
				}
				now, err := resident(srv.cmd.Process.Pid)
				if err != nil {
					return 0, err
				}
				most = max(most, now)
			}
			return most, s.stop(srv)
		},
	}
}

const streamSize = 16 << 20

// stream measures a path whose response has streamSize bytes.
func stream(what string) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, _ int) (float64, error) {
		return s.streamed(ctx, http.MethodGet, fmt.Sprintf("%s?n=%d", what, streamSize), nil)
	}
}

// upload measures a request whose body comes back.
func upload(ctx context.Context, s *side, _ int) (float64, error) {
	return s.streamed(ctx, http.MethodPost, "upload?n=1", bytes.NewReader(make([]byte, streamSize)))
}

func (s *side) streamed(ctx context.Context, method, path string, body io.Reader) (float64, error) {
	srv, err := s.server(ctx, inMemory)
	if err != nil {
		return 0, err
	}
	began := s.sched.Now()
	n, err := srv.size(ctx, method, path, body)
	if err == nil && n != streamSize {
		err = fmt.Errorf("the response has %d bytes, not %d", n, streamSize)
	}
	return s.sched.Now().Sub(began).Seconds(), err
}

// whole measures a path that does one step of the given size.
func whole(what string, size int) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, _ int) (float64, error) {
		return s.timed(ctx, inMemory, fmt.Sprintf("%s?n=%d", what, size), 1)
	}
}

func testRun(ctx context.Context, s *side, _ int) (float64, error) {
	args := []string{"test", s.file("tests.wd-test")}
	if s.name == "workerd" {
		args = append(args, "--experimental")
	}
	began := s.sched.Now()
	cmd := exec.CommandContext(ctx, s.bin, args...)
	out, err := cmd.CombinedOutput()
	took := s.sched.Now().Sub(began)
	s.used(cmd)
	if err != nil {
		return 0, fmt.Errorf("%s test: %w\n%s", s.name, err, out[max(0, len(out)-1000):])
	}
	return took.Seconds(), nil
}

// connections measures requests over several connections at once.
func connections(count, n int) func(context.Context, *side, int) (float64, error) {
	return func(ctx context.Context, s *side, round int) (float64, error) {
		srv, err := s.server(ctx, inMemory)
		if err != nil {
			return 0, err
		}
		batch := func(each int) error {
			var wg sync.WaitGroup
			var mu sync.Mutex
			var failed error
			for range count {
				wg.Go(func() {
					for i := range each {
						if err := srv.get(ctx, fmt.Sprint("object?n=", i)); err != nil {
							mu.Lock()
							failed = err
							mu.Unlock()
							return
						}
					}
				})
			}
			wg.Wait()
			return failed
		}
		if round == 0 {
			if err := batch(max(1, n/count/4)); err != nil {
				return 0, err
			}
		}
		each := max(1, n/count)
		began := s.sched.Now()
		if err := batch(each); err != nil {
			return 0, err
		}
		return s.sched.Now().Sub(began).Seconds() / float64(count*each), nil
	}
}

// format writes a value with three digits and a unit that fits.
func (u unit) format(v float64) string {
	if u == byteCount {
		switch {
		case math.Abs(v) >= 1<<20:
			return fmt.Sprintf("%.1f MiB", v/(1<<20))
		case math.Abs(v) >= 1<<10:
			return fmt.Sprintf("%.1f KiB", v/(1<<10))
		}
		return fmt.Sprintf("%.0f B", v)
	}
	d := time.Duration(v * float64(time.Second))
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f µs", d.Seconds()*1e6)
}
