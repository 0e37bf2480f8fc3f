// Package durable holds Durable Objects in plain Go: ids, namespaces, stubs, the
// retry engine, faults, gates and the life of an object in memory. It knows no
// JavaScript; the class of an object is an interface ([Class]).
//
// A call through a [Stub] is a state machine ([Call]). It makes attempts through
// a [Transport]; the transport carries an attempt to the [Host] of the object and
// brings back a [Reply], whose [Delivery] says what the caller can prove about
// the attempt. On a failure the call decides by the documented rules whether to
// end, or to wait and send the same bytes again.
//
// The rules of automatic retries are those that Cloudflare announced on
// 5 November 2026 ("Automatic retries for Durable Object calls"); doc comments
// call that text "the announcement". Rules of workerd, the runtime, were
// measured on its release of 17 November 2026.
package durable
