package durable

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// faultNames are the names of the faults in JavaScript and in fault files. Those
// of timedFaults take a duration.
var (
	faultNames = map[string]func() Fault{
		"refuseRequest": RefuseRequest, "dropRequest": DropRequest, "dropConnection": DropConnection, "dropReply": DropReply,
		"overload": Overload, "evictBefore": EvictBefore, "duplicate": Duplicate,
		"abortBefore": AbortBefore, "abortDuring": AbortDuring, "abortAfter": AbortAfter,
		"crashBefore": CrashBefore, "crashDuring": CrashDuring, "crashAfter": CrashAfter,
		"failWrite": FailWrite,
	}
	timedFaults = map[string]func(time.Duration) Fault{
		"delayRequest": DelayRequest, "delayReply": DelayReply, "storageUnavailable": StorageUnavailable,
	}
)

// FaultNames lists the names that [NewFault] knows, sorted.
func FaultNames() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(faultNames)), maps.Keys(timedFaults))
	slices.Sort(names)
	return names
}

// FaultTakesDuration reports whether the fault of a name needs a duration: how
// late something is, or for how long something does not work.
func FaultTakesDuration(name string) bool { return timedFaults[name] != nil }

// NewFault returns the fault of a name ("dropReply" is [DropReply]). d is the
// duration of those that need one and 0 for the others. The error says that there
// is no such name.
func NewFault(name string, d time.Duration) (Fault, error) {
	if f := timedFaults[name]; f != nil {
		return f(d), nil
	}
	if f := faultNames[name]; f != nil {
		return f(), nil
	}
	return Fault{}, fmt.Errorf("there is no fault %q", name)
}
