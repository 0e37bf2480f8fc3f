package durable

import (
	"encoding/json"
	"io"
	"time"
)

// The JSON form of a timeline. Times and durations are in milliseconds, as
// numbers with a fraction; startedMs counts from the timeline's epoch, atMs from
// the start of the call.
type (
	jsonTimeline struct {
		Epoch  time.Time    `json:"epoch"`
		Calls  []jsonCall   `json:"calls"`
		Layers []jsonLayers `json:"layers,omitempty"` // operations that the application repeated
	}
	jsonLayers struct {
		Calls    []int  `json:"calls"`
		Call     string `json:"call"`
		Site     string `json:"site,omitempty"`
		Allowed  int    `json:"attemptsPerCall"`
		Product  int    `json:"product"`
		Attempts int    `json:"attempts"`
		Runs     int    `json:"runs"`
	}
	jsonRepeats struct {
		First   int    `json:"first"`
		Round   int    `json:"round"`
		Allowed int    `json:"attemptsPerCall"`
		Before  int    `json:"attemptsBefore"`
		Site    string `json:"site,omitempty"`
	}
	jsonCall struct {
		Seq         int          `json:"seq"`
		Call        string       `json:"call"`
		Namespace   string       `json:"namespace"`
		Object      string       `json:"object,omitempty"`
		ID          string       `json:"id"`
		Kind        string       `json:"kind"`
		Method      string       `json:"method"`
		Caller      string       `json:"caller,omitempty"`
		Identity    string       `json:"identity,omitempty"` // absent for a call that cannot be retried
		MaxRetries  int          `json:"maxRetries"`
		TimeoutMs   float64      `json:"timeoutMs"`
		StartedMs   float64      `json:"startedMs"`
		EndedMs     *float64     `json:"endedMs"` // null while it has not
		Outcome     string       `json:"outcome"`
		Subrequest  int          `json:"subrequest,omitempty"` // which of its request's
		Attempts    int          `json:"attempts"`
		Runs        int          `json:"runs"`
		RunsUnknown bool         `json:"runsUnknown,omitempty"` // there may be more runs
		Faults      int          `json:"faults"`
		Error       *jsonError   `json:"error"`
		Repeats     *jsonRepeats `json:"repeats,omitempty"`
		Events      []jsonEvent  `json:"events"`
	}
	jsonEvent struct {
		AtMs     float64    `json:"atMs"`
		Event    string     `json:"event"`
		Attempt  int        `json:"attempt"`
		Retry    bool       `json:"retry,omitempty"`
		Delivery string     `json:"delivery,omitempty"`
		WaitMs   *float64   `json:"waitMs,omitempty"`
		Fault    string     `json:"fault,omitempty"`
		Error    *jsonError `json:"error,omitempty"`
	}
	jsonError struct {
		Name       string `json:"name"`
		Message    string `json:"message"`
		Retryable  bool   `json:"retryable,omitempty"`
		Overloaded bool   `json:"overloaded,omitempty"`
		Remote     bool   `json:"remote,omitempty"`
		Reset      bool   `json:"durableObjectReset,omitempty"`
		Place      string `json:"thrownAt,omitempty"`
	}
)

// WriteJSON writes calls as one JSON object: the epoch, and an array of calls,
// each with its events. Times are milliseconds; those of events count from the
// start of their call. The error is w's.
func WriteJSON(w io.Writer, calls []CallRecord, epoch time.Time) error {
	out := jsonTimeline{Epoch: epoch.UTC(), Calls: make([]jsonCall, len(calls))}
	for i := range calls {
		out.Calls[i] = calls[i].json(epoch)
	}
	for _, l := range LayersOf(calls) {
		out.Layers = append(out.Layers, jsonLayers{l.Calls, l.Label, l.Site, l.Allowed, len(l.Calls) * l.Allowed, l.Attempts, l.Runs})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func (r *CallRecord) json(epoch time.Time) jsonCall {
	c := jsonCall{
		Seq: r.Seq, Call: r.Label(), Namespace: r.Target.Namespace, Object: r.Target.Name, ID: r.Target.ID.String(),
		Kind: r.Kind.String(), Method: r.Method, Caller: r.Caller,
		MaxRetries: r.Retry.MaxRetries(), TimeoutMs: inMillis(r.Retry.Timeout()),
		StartedMs: inMillis(r.Started.Sub(epoch)), Outcome: r.Outcome.String(),
		Subrequest: r.Subrequest, Attempts: r.Attempts(), Runs: r.Runs(), RunsUnknown: !r.RunsKnown(), Faults: r.Faults(), Error: r.Err.json(), Events: make([]jsonEvent, len(r.Events)),
	}
	if r.Identity != [16]byte{} {
		c.Identity = r.Identity.String()
	}
	if p := r.Repeats; p != nil {
		c.Repeats = &jsonRepeats{p.First, p.Round, p.Allowed, p.Before, p.Site}
	}
	if end := r.Ended(); !end.IsZero() {
		ms := inMillis(end.Sub(epoch))
		c.EndedMs = &ms
	}
	for i, e := range r.Events {
		j := jsonEvent{AtMs: inMillis(e.At.Sub(r.Started)), Event: e.Kind.String(), Attempt: e.Attempt, Retry: e.Retry, Fault: e.Fault, Error: e.Err.json()}
		switch e.Kind {
		case EventFailed:
			j.Delivery = e.Delivery.String()
		case EventBackoff:
			ms := inMillis(e.Wait)
			j.WaitMs = &ms
		}
		c.Events[i] = j
	}
	return c
}

func (e *Error) json() *jsonError {
	if e == nil {
		return nil
	}
	return &jsonError{e.Name, e.Message, e.Retryable, e.Overloaded, e.Remote, e.Reset, e.Place()}
}

func inMillis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
