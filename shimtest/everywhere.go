package shimtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
)

// Placement is a run of a test body with a fault at one place.
type Placement struct {
	// Name says where the fault was: INVENTORY("main").addOne#1/drop reply. A call
	// that is made only because of a fault has both: "..., then ...".
	Name string
	// Faults are what was in force.
	Faults []durable.Fault
	// Acted is false when a fault found nothing to act on, an idle object for
	// example.
	Acted bool
	// Broke is true when the body failed.
	Broke bool
	// Log is what the body logged and failed with, a line each.
	Log []string
	// Timeline is what happened to the calls, as text.
	Timeline string

	places []place
}

// kind is a fault that can be placed.
type kind struct {
	point durable.FaultPoint
	name  string
	make  func() durable.Fault
}

// placeable are the faults that can be placed, with the names of the places.
var placeable = []kind{
	{durable.PointRequestRefused, "refuse request", durable.RefuseRequest},
	{durable.PointRequestDropped, "drop request", durable.DropRequest},
	{durable.PointConnectionDropped, "drop connection", durable.DropConnection},
	{durable.PointReplyDropped, "drop reply", durable.DropReply},
	{durable.PointEvictBefore, "evict before", durable.EvictBefore},
	{durable.PointCrashBefore, "crash before", durable.CrashBefore},
	{durable.PointCrashDuring, "crash during", durable.CrashDuring},
	{durable.PointCrashAfter, "crash after", durable.CrashAfter},
	{durable.PointDuplicated, "duplicate", durable.Duplicate},
	{durable.PointOverloaded, "overload", durable.Overload},
	{durable.PointAbortBefore, "abort before", durable.AbortBefore},
	{durable.PointAbortDuring, "abort during", durable.AbortDuring},
	{durable.PointWriteFailed, "fail write", durable.FailWrite},
	{durable.PointAbortAfter, "abort after", durable.AbortAfter},
}

// DefaultPoints are the faults that [Everywhere] places: the connection is
// refused; it breaks before the object saw the request, while the method runs, and
// before the reply arrives; the host crashes before, during and after the method
// (after these six nobody knows whether the method ran); and an idle object leaves
// memory. A body that is to survive resets as well adds [ResetPoints]: no call
// survives those, so that the body must expect errors of every call.
func DefaultPoints() []durable.FaultPoint {
	return []durable.FaultPoint{
		durable.PointRequestRefused, durable.PointRequestDropped, durable.PointConnectionDropped, durable.PointReplyDropped,
		durable.PointEvictBefore, durable.PointCrashBefore, durable.PointCrashDuring, durable.PointCrashAfter,
	}
}

// ResetPoints are what a call answers for with an error: resets of the object
// before, during and after the method, writes that cannot be made durable, and
// being overloaded.
func ResetPoints() []durable.FaultPoint {
	return []durable.FaultPoint{
		durable.PointOverloaded, durable.PointAbortBefore, durable.PointAbortDuring, durable.PointWriteFailed, durable.PointAbortAfter,
	}
}

// Everywhere runs body once without a fault, and then once for each place in which
// a fault can be: every delivery point ([DefaultPoints], [Points]) of every call
// that the body makes, one fault at a time, calls between objects included. Each
// run is in a fresh world with the project in dir, and a subtest of t with the
// name of the place, INVENTORY("main").addOne#1/drop_reply for the first call of
// that method of that object; go test -run selects one of them.
//
// A fault acts on the first attempt of its call. Calls that a run makes beyond
// those of the run without a fault (an application that repeats, repairs or
// compensates) are places too: if the run held, they are tried with both faults in
// force, up to the bound that [Extra] sets; what is left out is logged.
//
// The body must hold in all of these runs: what it asserts is what is true
// whatever the connection does. It reports failures to the testing.TB that it is
// given, which collects them; t gets one report of all places that broke it, and
// each subtest its own, with the timeline. The runs are deterministic.
func Everywhere(t *testing.T, dir string, body func(tb testing.TB, w *World), options ...Option) {
	t.Helper()
	var broke []string
	runs := 0
	explore(t, dir, body, apply(options), func(name string, run func(tb testing.TB) *Placement) (p *Placement) {
		t.Run(name, func(t *testing.T) {
			p = run(t)
			runs++
			if p.Broke {
				broke = append(broke, p.Name)
				t.Error(p.text())
			} else if !p.Acted {
				t.Skip("the fault found nothing to act on")
			}
		})
		return p
	})
	if len(broke) > 0 {
		t.Errorf("shimtest: %d of %d placements broke the body:\n    %s", len(broke), runs, strings.Join(broke, "\n    "))
	}
}

// Explore runs body as [Everywhere] does, without subtests and without failing tb,
// and returns all runs; the first is the one without a fault. If that one breaks,
// it is the only one.
func Explore(tb testing.TB, dir string, body func(tb testing.TB, w *World), options ...Option) []Placement {
	tb.Helper()
	var all []Placement
	explore(tb, dir, body, apply(options), func(_ string, run func(testing.TB) *Placement) *Placement {
		p := run(tb)
		all = append(all, *p)
		return p
	})
	return all
}

// text is the report of a run that broke.
func (p *Placement) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "shimtest: %s broke the body:\n", p.Name)
	for _, line := range p.Log {
		fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(line, "\n", "\n    "))
	}
	fmt.Fprintf(&b, "timeline:\n%s", p.Timeline)
	return b.String()
}

// place is a call in a run: the n-th of a method of an object.
type place struct {
	namespace string
	object    durable.ObjectID
	method    string
	n         int
}

// places lists the calls of a run, in the order in which they started, with their
// names.
func places(calls []durable.CallRecord) (list []place, names map[place]string) {
	counts := map[place]int{}
	names = map[place]string{}
	for i := range calls {
		r := &calls[i]
		p := place{namespace: r.Target.Namespace, object: r.Target.ID, method: r.Method}
		counts[p]++
		n := counts[p]
		p.n = n
		list = append(list, p)
		names[p] = fmt.Sprintf("%s#%d", r.Name(), n)
	}
	return list, names
}

// at restricts a fault to the first attempt of the call in this place.
func (p place) at(f durable.Fault) durable.Fault {
	return f.Namespace(p.namespace).Object(p.object.String()).Method(p.method).Call(p.n).Attempt(1)
}

// explorer makes the runs.
type explorer struct {
	dir  string
	body func(testing.TB, *World)
	set  *settings
	do   func(name string, run func(testing.TB) *Placement) *Placement
	last []durable.CallRecord // of the latest run
}

// explore makes all runs through do, which may leave one out by returning nil.
func explore(tb testing.TB, dir string, body func(testing.TB, *World), set *settings, do func(string, func(testing.TB) *Placement) *Placement) {
	tb.Helper()
	for _, p := range set.points {
		if !slices.ContainsFunc(placeable, func(k kind) bool { return k.point == p }) {
			tb.Fatalf("shimtest: the fault %q cannot be placed", p)
		}
	}
	x := &explorer{dir: dir, body: body, set: set, do: do}
	// The run that finds the calls is needed whatever go test -run selects.
	calm := x.one(tb, "no fault", nil)
	known, names := places(x.last)
	if do(calm.Name, func(testing.TB) *Placement { return calm }); calm.Broke {
		return
	}
	extra, leftOut := max(set.extra, 0), 0
	type object struct {
		namespace string
		id        durable.ObjectID
	}
	inMemory := map[object]bool{}
	for _, p := range known {
		o := object{p.namespace, p.object}
		used := inMemory[o]
		inMemory[o] = true
		for _, q := range x.points() {
			if q.point == durable.PointEvictBefore && !used {
				continue // there is nothing to evict yet
			}
			name := names[p] + "/" + q.name
			if first := x.try(name, []place{p}, q); first == nil || first.Broke {
				continue // what one fault breaks a second one only breaks again
			}
			more, moreNames := places(x.last)
			for _, m := range more {
				if slices.Contains(known, m) {
					continue
				}
				for _, r := range x.points() {
					if extra == 0 {
						leftOut++
						continue
					}
					extra--
					x.try(name+", then "+moreNames[m]+"/"+r.name, []place{p, m}, q, r)
				}
			}
		}
	}
	if leftOut > 0 {
		tb.Logf("shimtest: %d runs with two faults were left out; Extra raises the bound, which is %d", leftOut, set.extra)
	}
}

// points returns what is placed at each call.
func (x *explorer) points() (list []kind) {
	for _, k := range placeable {
		if slices.Contains(x.set.points, k.point) {
			list = append(list, k)
		}
	}
	return list
}

// try makes a run with a fault in each of the places; nil if it was left out.
func (x *explorer) try(name string, places []place, kinds ...kind) *Placement {
	return x.do(name, func(tb testing.TB) *Placement { return x.one(tb, name, places, kinds...) })
}

// one runs the body in a fresh world.
func (x *explorer) one(tb testing.TB, name string, places []place, kinds ...kind) *Placement {
	p := &Placement{Name: name, places: places}
	for i, k := range kinds {
		p.Faults = append(p.Faults, places[i].at(k.make()))
	}
	x.last = nil
	c := collect(tb, tb.Name()+"/"+name, func(tb testing.TB) {
		w := open(tb, x.dir, x.set)
		w.placed = true
		tb.Cleanup(func() { x.finish(w, p, tb) }) // before the world is closed
		w.Fault(p.Faults...)
		x.body(tb, w)
	})
	p.Broke, p.Log = c.Failed(), c.report()
	return p
}

// finish reads what a run has left.
func (x *explorer) finish(w *World, p *Placement, tb testing.TB) {
	p.Timeline = w.Timeline().Text(nil)
	x.last = w.Timeline().Calls()
	unused := w.Faults().Unused()
	if len(p.Faults) == 0 {
		for _, f := range unused { // plans of the body's own
			tb.Errorf("shimtest: this fault never acted: %v", f)
		}
	}
	came, _ := places(x.last)
	for _, q := range p.places {
		if !slices.Contains(came, q) {
			tb.Errorf("shimtest: the call that the fault was for never came, though it came in the run before: does the body depend on something outside of its world?")
		}
	}
	p.Acted = true
	for _, f := range p.Faults {
		p.Acted = p.Acted && !slices.ContainsFunc(unused, func(g durable.Fault) bool { return g.String() == f.String() })
	}
	if tb.Failed() {
		if err := w.artifacts(); err != nil {
			tb.Logf("shimtest: the timeline as an artifact: %v", err)
		}
	}
}
