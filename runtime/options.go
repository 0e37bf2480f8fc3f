package runtime

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
	"github.com/durashim/durashim/jsbridge"
)

// Options change how a project runs. The zero value is what most programs want:
// the machine's clock, cryptographic randomness, storage in memory.
type Options struct {
	// Environment names the environment of a wrangler file ("env" in it).
	Environment string

	// Clock is a virtual clock; nil means the machine's. Under a virtual clock
	// nothing runs but what a caller of this package waits for, and the same
	// calls run in the same order every time; for callers on several goroutines
	// see [VirtualClock.Together].
	//
	// In a bubble of testing/synctest the machine's clock is the bubble's: a
	// runtime that is opened and closed in the bubble follows it.
	Clock *VirtualClock
	// Seed, if not nil, makes all random numbers (ids, backoff, crypto) depend
	// on it. For tests: they can be predicted.
	Seed *uint64

	// Faults are in force from the start; see [Runtime.Faults] for later ones.
	Faults []durable.Fault
	// Record keeps a timeline of all calls in memory; see [Runtime.Timeline].
	Record bool
	// Backoff replaces the measured distribution of the waits before retries.
	Backoff durable.Backoff

	// Outbound replaces the transport of everything that leaves the process: the
	// global fetch(), and bindings to network and external services. The URL of
	// a request is the one that the script gave. nil means the network, within
	// the rules of the configuration's network services: for a workerd
	// configuration public addresses only unless it says otherwise, for a
	// wrangler project any address.
	//
	// It must not follow redirects nor decode bodies. Errors that it returns
	// become "Network connection lost.", with the property retryable, in the
	// script.
	Outbound http.RoundTripper

	// ConstName selects the constant of a Cap'n Proto file that holds the
	// configuration, where there are several. ImportPath are directories in
	// which imports of such a file that begin with a slash are looked for.
	ConstName  string
	ImportPath []string
	// CompatibilityDate (YYYY-MM-DD) is that of workers whose configuration
	// states none.
	CompatibilityDate string
	// ExternalAddrs and DirectoryPaths replace the addresses of external
	// services and the paths of disk services, by the name of the service.
	ExternalAddrs, DirectoryPaths map[string]string

	// Connect, if not nil, says that the objects are in another process; see
	// [Connect]. The workers run here.
	Connect *Connect

	// PersistTo is the directory of the objects' storage, laid out as the real
	// runtime does; "" keeps all storage in memory.
	PersistTo string
	// PowerSafe makes every commit to a directory wait for the disk, so that a
	// confirmed write survives the loss of power too, and not only the death of the
	// process. It costs a flush per commit.
	PowerSafe bool
	// ConfiguredStorage, when PersistTo is "", keeps the storage where the
	// configuration says: in its disk services, for a wrangler project in
	// .wrangler/state/workerd beside its file.
	ConfiguredStorage bool
	// Isolates is over how many isolates the objects of each class are spread; 0
	// and 1 mean that a worker and all its objects share one, as in the real
	// runtime.
	Isolates int
	// Limits bound what one turn of JavaScript may use.
	Limits jsbridge.Limits

	// Logger receives what goes wrong outside of calls; nil discards it.
	Logger *slog.Logger
	// Uncaught receives the errors that no JavaScript handled, with their
	// stacks; nil sends them to the logger.
	Uncaught func(worker, text string)
	// Console receives what scripts print with console.log and its kin, one
	// call for each; nil discards it. It is called on the isolate's goroutine.
	Console func(worker, level, text string)

	// Tests allows scripts to import durashim:test.
	Tests bool
	// Linger lets what a test started and did not wait for go on after the test
	// has ended, so that its failures are not lost. It is for runtimes that are
	// closed after one test.
	Linger bool
	// ExtraEntries adds workers to the project that share the bindings of its
	// first one, each from an entry file; the command's test files are run so.
	ExtraEntries []string
}

// VirtualClock is a clock whose time is a number. It moves by itself only while
// somebody waits for a result, only when nothing else is left to do, and only to
// the next timer that may matter (a retry, setTimeout, setInterval for a while, not
// the eviction of an idle object). It is safe for use by many goroutines, and belongs
// to one [Runtime]. The zero VirtualClock cannot be used; see [NewVirtualClock].
type VirtualClock struct{ v *sched.Virtual }

// NewVirtualClock returns a clock that starts on 1 January 2026, so that every
// run sees the same times.
func NewVirtualClock() *VirtualClock { return NewVirtualClockAt(sched.Epoch) }

// NewVirtualClockAt returns a clock that starts at the given time.
func NewVirtualClockAt(start time.Time) *VirtualClock {
	return &VirtualClock{sched.NewVirtual(start)}
}

// Now returns the present time.
func (c *VirtualClock) Now() time.Time { return c.v.Now() }

// Advance moves the clock by d and runs what falls due on the way, each at its
// own time. It returns when all that is done; the error is the context's, or
// says why the clock could not move.
func (c *VirtualClock) Advance(ctx context.Context, d time.Duration) error {
	return c.v.Advance(ctx, d)
}

// Settle runs what can run now, without moving the clock.
func (c *VirtualClock) Settle(ctx context.Context) error { return c.v.Settle(ctx) }

// Together runs functions side by side, each on a goroutine of its own, and returns
// when all have returned. Only one of them runs at a time, in the order in which
// they are given, until it waits for a call with the context that it is given: so
// callers that meet in the same object do so in the same order every time. A
// function must use that context for its calls, and must not block on anything
// that another one brings but the results of calls.
func (c *VirtualClock) Together(ctx context.Context, fs ...func(context.Context)) {
	c.v.Together(ctx, fs...)
}

// Manual sets whether the clock moves by Advance alone.
func (c *VirtualClock) Manual(manual bool) { c.v.Manual(manual) }
