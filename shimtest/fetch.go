package shimtest

import (
	"errors"
	"net/http"
	"net/http/httptest"
)

// errCut is what a client sees of a worker whose error ends the connection.
var errCut = errors.New("shimtest: the worker failed and the connection was closed without a response")

// Fetch sends a request to the project's worker, as a client of its HTTP server
// would, and returns the whole response. The error says that there is none: the
// worker threw an error for which the server closes the connection.
func (w *World) Fetch(req *http.Request) (res *http.Response, err error) {
	rec := httptest.NewRecorder()
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			res, err = nil, errCut
		} else if p != nil {
			panic(p)
		}
	}()
	w.Handler().ServeHTTP(rec, req)
	return rec.Result(), nil
}
