package runtime

import (
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge"
)

// entryService is an entrypoint with props of its own.
type entryService struct {
	service
	entry jsbridge.Entry
}

var (
	_ jsbridge.RPCService = entryService{}
	_ jsbridge.Canceler   = entryService{}
)

// Call implements [jsbridge.RPCService].
func (s entryService) Call(op durable.Op, done func(durable.Result, *durable.Error)) {
	s.w.main().Call(s.entry, op, done)
}

// Fetch implements [jsbridge.Service].
func (s entryService) Fetch(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) {
	s.FetchCancel(req, done)
}

// FetchCancel implements [jsbridge.Canceler].
func (s entryService) FetchCancel(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) func() {
	return s.w.main().FetchEntry(s.entry, req, done)
}
