package cli

import (
	"fmt"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// faultHelp is the part of the help about fault files.
const faultHelp = `A file of faults is JSON with comments: an array of plans, each with the name of
its fault and, if need be, where and how often it acts.

    [
      // The reply to the second call of addOne is lost, and that to its retry.
      { "fault": "dropReply", "method": "addOne", "call": 2, "times": 2 },
      { "fault": "delayRequest", "delay": "250ms", "probability": 0.1, "times": "always" },
      { "fault": "refuseRequest", "namespace": "INVENTORY", "object": "main", "for": "3s" },
    ]

  fault        refuseRequest, dropRequest, dropConnection, dropReply, overload,
               delayRequest and delayReply (with delay), abortBefore, abortDuring,
               abortAfter, crashBefore, crashDuring, crashAfter, failWrite,
               storageUnavailable (with duration), evictBefore, duplicate
  namespace    name of the binding; object: its name or id; method: "fetch" is one;
               caller: a worker's name
  call         the n-th call that matches; attempt: the n-th attempt of a call
  times        how often it acts, or "always"; 1 unless for is given
  for          from the first time it acts on, for so long; probability: 0 to 1

Durations are milliseconds or texts such as "250ms" and "1m30s".`

// planFile puts the plans of the file of faults into force for a test. The first
// test of a world finds them there.
func (r *run) planFile(rt *runtime.Runtime) {
	if r.world != rt {
		r.world = rt
		return
	}
	if err := rt.Faults().Add(r.o.runtime.Faults...); err != nil {
		fmt.Fprintln(r.err, err) // they were accepted when the world was opened
	}
}

// noteFile notes which plans of the file have acted in a test.
func (r *run) noteFile(rt *runtime.Runtime) {
	idle := map[string]bool{}
	for _, m := range rt.Faults().Missed() {
		if at := m.Plan.Origin(); at != "" {
			idle[at] = true
			if len(r.missed[at].Calls) == 0 {
				if r.missed == nil {
					r.missed = map[string]durable.Miss{}
				}
				r.missed[at] = m
			}
		}
	}
	for _, f := range r.o.runtime.Faults {
		if !idle[f.Origin()] {
			if r.acted == nil {
				r.acted = map[string]bool{}
			}
			r.acted[f.Origin()] = true
		}
	}
}

// reportFile says which plans of the file acted in no test, and reports whether
// there is one.
func (r *run) reportFile() (missed bool) {
	for _, f := range r.o.runtime.Faults {
		if r.acted[f.Origin()] {
			continue
		}
		fmt.Fprintln(r.err, r.missed[f.Origin()])
		missed = true
	}
	return missed
}
