// Package webapi is the set of Web APIs that Worker code stands on, over plain
// goja: events and abort signals, URLs, text encoding, blobs, form data,
// headers, requests and responses, and the small globals around them.
//
// Behaviour, error texts and the shape of every class follow the real runtime,
// workerd; the tests compare each of them with what that binary answered.
// Where workerd departs from the web's standards, this package does too.
//
// # Cost
//
// Install defines one accessor for each global. A class is built when a script
// first touches it, so a worker pays only for what it uses.
//
// # Objects
//
// An instance is an ordinary JavaScript object with one Go value attached to
// it. The attachment is a property under a symbol that no script can get hold
// of, which makes a lookup cheap (no call into JavaScript, no weak map) and
// leaves the object open: subclasses, expando properties and freezing work as
// they do on the web.
//
// # Concurrency
//
// An API belongs to one goja.Runtime, and like it to one goroutine at a time.
package webapi
