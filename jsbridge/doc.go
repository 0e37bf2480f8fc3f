// Package jsbridge runs JavaScript for durashim: it is the only package that
// touches goja values.
//
// An [Isolate] is one goja runtime with its event loop. JavaScript runs in turns.
// A turn belongs to an I/O context (a request to a worker, or an object), starts
// from an event (a call, a result, a timer), ends when the promise jobs are
// drained, and sees one frozen Date.now(). I/O happens in Go and comes back as a
// new turn of the context that asked for it. The context of the code that runs
// rides on goja's async-context tracker as a [frame], so that it is right also
// in code that continues after an await.
package jsbridge
