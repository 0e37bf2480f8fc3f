package runtime

import (
	"context"
	"errors"
	"net/http"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// Handler returns the front door of the project: an http.Handler that sends
// every request to the fetch handler of the first worker. What that throws
// becomes a 500, or a 503 when it is overloaded, and is logged.
func (rt *Runtime) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		msg, err := message(req)
		if err != nil {
			http.Error(w, "Bad Request", http.StatusBadRequest)
			return
		}
		res, err := rt.fetch(req.Context(), rt.workers[0], "default", msg)
		if err != nil {
			if req.Context().Err() != nil {
				return // the client is gone
			}
			rt.log.Error("request failed", "method", req.Method, "url", req.URL.String(), "error", err)
			if errors.Is(err, durable.ErrOverloaded) {
				http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
				return
			}
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
			return
		}
		if err := res.WriteTo(w); err != nil && req.Context().Err() == nil {
			rt.log.Error("response not sent", "url", req.URL.String(), "error", err)
		}
	})
}

// Fetch sends a request to the fetch handler of the first worker.
func (rt *Runtime) Fetch(ctx context.Context, req *http.Request) (*http.Response, error) {
	msg, err := message(req)
	if err != nil {
		return nil, err
	}
	res, err := rt.fetch(ctx, rt.workers[0], "default", msg)
	if err != nil {
		return nil, err
	}
	return res.ToHTTP(req), nil
}

func (rt *Runtime) fetch(ctx context.Context, w *worker, export string, msg *httpmsg.Request) (*httpmsg.Response, error) {
	var res *httpmsg.Response
	var failed *durable.Error
	done := make(chan struct{})
	w.isolates[0].Load().Fetch(export, msg, func(r *httpmsg.Response, e *durable.Error) {
		res, failed = r, e
		close(done)
	})
	if err := rt.sched.Wait(ctx, done); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	return res, nil
}
