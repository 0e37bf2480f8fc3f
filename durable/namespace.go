package durable

// Namespace is the caller's view of the objects of one class. It is immutable
// and safe for use by many goroutines.
type Namespace struct {
	Name      string // of the binding, as the timeline shows it
	IDs       IDFactory
	Engine    *Engine
	Transport Transport
}

// Get returns a stub for an id. name is the name that the id was made from, ""
// if it was not; caller names who calls, for the timeline.
func (n *Namespace) Get(id ObjectID, name string, retry RetryOptions, caller string) *Stub {
	return NewStub(StubConfig{
		Engine: n.Engine, Transport: n.Transport, Retries: true, Retry: retry, Caller: caller,
		Target: Target{Namespace: n.Name, ID: id, Name: name},
	})
}
