package durable

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Origin is where in a program a call is made. It lets an engine notice that an
// application repeats a call which was retried already. Its methods are asked
// only when a call has failed, so that other calls pay nothing for it.
type Origin interface {
	// Context returns what the call belongs to, as a value that is equal for
	// calls of one request (one that an object serves, too), of what one life of an
	// object does by itself, or of one context.Context; nil if that is unknown. It may be called from any goroutine.
	Context() any
	// CallSite names the place in the source that makes the call ("src/a.ts:12:5"),
	// "" if it is unknown. It is called while the call starts.
	CallSite() string
}

// Repetition says that an application made a call again, after the same call had
// been retried by the engine and had failed all the same. The layers multiply: a
// loop of 3 around a stub that makes 5 attempts makes up to 15 (announcement).
type Repetition struct {
	First   int    // Seq of the first call of this kind; 0 if nothing is recorded
	Round   int    // 2 for the first repetition
	Allowed int    // attempts that each call may make
	Before  int    // attempts that the rounds before have made
	Site    string // what makes the call; "" if unknown
}

// Product writes how many attempts the layers allow so far: "3 × 5 = 15".
func (r *Repetition) Product() string { return product(r.Round, r.Allowed) }

func product(rounds, allowed int) string {
	return fmt.Sprintf("%d × %d = %d", rounds, allowed, rounds*allowed)
}

// Repeats notices when an application repeats calls that the engine has retried:
// the same context, object, method and argument bytes, begun after the former
// call failed. A call that the engine made only one attempt of is not watched:
// nothing multiplies there. It is safe for use by many goroutines.
type Repeats struct {
	warn func(r *Call, rep *Repetition)

	// pending is len(failed): a call that starts looks at nothing else while no
	// call has failed.
	pending atomic.Int64

	mu     sync.Mutex
	seed   maphash.Seed
	failed map[operation]*rounds
	order  []operation // oldest first, to forget
	warned map[string]bool
}

// maxRepeats bounds the failed operations that are remembered, and the places
// that were warned of.
const maxRepeats = 256

// operation is what makes two calls the same to an application.
type operation struct {
	context any
	object  ObjectID
	kind    Kind
	call    string // namespace, path and method
	args    uint64 // a hash
}

// rounds is what is known of an operation that has failed.
type rounds struct{ first, n, attempts int }

// NewRepeats returns what an [Engine] needs to notice repetitions. warn, if not
// nil, is called once for each place in the source that repeats a method, when
// it does so first. It must not block.
func NewRepeats(warn func(Target, *Op, *Repetition)) *Repeats {
	r := &Repeats{seed: maphash.MakeSeed(), failed: map[operation]*rounds{}, warned: map[string]bool{}}
	if warn != nil {
		r.warn = func(c *Call, rep *Repetition) { warn(c.stub.target, &c.op, rep) }
	}
	return r
}

// watches reports whether a call might repeat one that has failed.
func (r *Repeats) watches(c *Call) bool {
	return r != nil && c.op.Origin != nil && r.pending.Load() > 0
}

// began notes that a call starts.
func (r *Repeats) began(c *Call) {
	key, ok := r.operation(c)
	if !ok {
		return
	}
	r.mu.Lock()
	o := r.failed[key]
	if o == nil {
		r.mu.Unlock()
		return
	}
	o.n++
	rep := &Repetition{First: o.first, Round: o.n, Allowed: c.stub.opts.maxRetries + 1, Before: o.attempts}
	rep.Site = c.op.Origin.CallSite()
	place := key.call + "\x00" + rep.Site
	tell := r.warn != nil && !r.warned[place] && len(r.warned) < maxRepeats
	if tell {
		r.warned[place] = true
	}
	r.mu.Unlock()
	if c.rec != nil {
		c.stub.engine.Timeline.repeats(c.rec, rep)
	}
	if tell {
		r.warn(c, rep)
	}
}

// ended notes that a call ends. It is called for calls that failed, and, while
// there are some of those, for all.
func (r *Repeats) ended(c *Call, attempts int, failed bool) {
	key, ok := r.operation(c)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.failed[key]
	switch {
	case o != nil && failed:
		o.attempts += attempts
	case o != nil:
		r.forget(key)
	case failed && attempts > 1:
		o = &rounds{n: 1, attempts: attempts}
		if c.rec != nil {
			o.first = c.rec.Seq
		}
		if len(r.order) >= maxRepeats {
			r.forget(r.order[0])
		}
		r.failed[key] = o
		r.order = append(r.order, key)
		r.pending.Store(int64(len(r.failed)))
	}
}

func (r *Repeats) forget(key operation) {
	delete(r.failed, key)
	if i := slices.Index(r.order, key); i >= 0 {
		r.order = slices.Delete(r.order, i, i+1)
	}
	r.pending.Store(int64(len(r.failed)))
}

// operation returns the key of a call; ok is false when it has no context.
func (r *Repeats) operation(c *Call) (key operation, ok bool) {
	ctx := c.op.Origin.Context()
	if ctx == nil || !reflect.ValueOf(ctx).Comparable() {
		return key, false
	}
	t, op := c.stub.target, &c.op
	key = operation{context: ctx, object: t.ID, kind: op.Kind}
	key.call = t.Namespace + "\x00" + strings.Join(append(slices.Clone(op.Path), op.Method), ".")
	var h maphash.Hash
	h.SetSeed(r.seed)
	part := func(b []byte) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(b)))
		_, _ = h.Write(n[:])
		_, _ = h.Write(b)
	}
	part(op.Args)
	if q := op.Request; q != nil {
		part([]byte(q.Method))
		part([]byte(q.URL))
		body, _ := q.Body.Bytes() // a stream is never sent again, by nobody
		part(body)
	}
	key.args = h.Sum64()
	return key, true
}

// Layers is an operation that an application repeated although the engine had
// retried it.
type Layers struct {
	Calls    []int  // Seq of each round, the first call included
	Label    string // the call, as the timeline names it
	Caller   string
	Site     string // what repeated it; "" if unknown
	Allowed  int    // attempts that each call may make
	Attempts int    // that were made
	Runs     int    // of the method
}

// Layers returns the operations that an application repeated, in the order in
// which they began.
func (t *Timeline) Layers() []Layers { return LayersOf(t.Calls()) }

// LayersOf returns the operations among calls that were repeated.
func LayersOf(calls []CallRecord) (all []Layers) {
	index := map[int]int{} // place in calls by Seq
	place := map[int]int{} // place in all by the first call's Seq
	for i := range calls {
		r := &calls[i]
		index[r.Seq] = i
		if r.Repeats == nil || r.Repeats.First == 0 {
			continue
		}
		first := r.Repeats.First
		n, ok := place[first]
		if !ok {
			n = len(all)
			place[first] = n
			all = append(all, Layers{Label: r.Label(), Caller: r.Caller, Allowed: r.Repeats.Allowed})
			if j, ok := index[first]; ok {
				all[n].add(&calls[j])
			}
		}
		all[n].add(r)
		if all[n].Site == "" {
			all[n].Site = r.Repeats.Site
		}
	}
	return all
}

func (l *Layers) add(r *CallRecord) {
	l.Calls = append(l.Calls, r.Seq)
	l.Attempts += r.Attempts()
	l.Runs += r.Runs()
}

// Full reports whether each of the calls made all attempts that it might.
func (l *Layers) Full() bool { return l.Attempts == len(l.Calls)*l.Allowed }

// Product writes how many attempts the layers allow together: "3 × 5 = 15".
func (l *Layers) Product() string { return product(len(l.Calls), l.Allowed) }

// String says what multiplies, where, and what came of it.
func (l *Layers) String() string {
	site := l.Site
	if site == "" {
		site = l.Caller
	}
	if site != "" {
		site = " at " + site
	}
	count := fmt.Sprintf("%d calls, %d attempts so far", len(l.Calls), l.Attempts)
	if l.Full() {
		count = l.Product() + " attempts"
	}
	return fmt.Sprintf("%s: the application%s made %s %d times, and each of these calls is retried by itself (%d attempts were made, the method ran %d×)",
		count, site, l.Label, len(l.Calls), l.Attempts, l.Runs)
}
