// Package remote carries calls of Durable Objects between processes: a [Client]
// is a transport of package durable, a [Server] hands what arrives to the hosts
// of objects. Both are plain Go and know nothing of JavaScript.
//
// # What the caller can prove
//
// The client never sends anything twice by itself; a failed attempt goes back to
// the retry engine, with what is known of its delivery:
//
//   - not delivered: the connection was refused, or its last byte was never
//     handed to the operating system, or the host turned it away before the claim;
//   - answered: the host sent a result or an error;
//   - uncertain: everything else.
//
// A server acts on a request only when all of it is there. So a connection that
// breaks in the middle of a request proves that it was not delivered.
//
// # What keeps a call from running twice
//
// A host remembers identities ([durable.Host]). Three rules make that hold over
// sockets:
//
//   - One connection at a time: connections of one client are numbered, and a
//     server reads nothing more from the former ones before it reads from the
//     next. An attempt that was stuck cannot come after its retry.
//   - A claim outlives its duplicates: the deadline travels as the time since the
//     handshake began, which the server knows to have been between two moments of
//     its own clock. It keeps a claim until the later bound and turns a retry away
//     after the earlier one, so clocks need not agree and slow networks do no harm.
//   - A claim is released when the client says that it has the reply, not when
//     the reply was sent.
//
// Every server has a random number, its incarnation, that changes with each host
// which it loses. A retry after an uncertain delivery carries the incarnation that
// the first attempt was sent to; another one rejects it, unless the method is marked.
//
// # Who may connect
//
// Both ends hold a key, which never travels: each proves with an HMAC over both
// ends' nonces that it has it. Traffic is not encrypted, so both ends refuse
// addresses that are neither loopback nor private.
//
// # The protocol
//
// The handshake: the client says hello (magic, version, nonce), the server too;
// then the client sends its proof, which covers a list of the namespaces that it
// will call, and the server its own, which covers its incarnation or why it
// refuses. After that both send frames: the length of the rest (4 bytes, big
// endian, at most [maxFrame]), a type (1 byte), the number of the call (8 bytes)
// and the payload.
//
//	request, request-end   a piece of a request: identity, target, operation
//	reply, reply-end       a piece of its reply
//	data, data-end, broken bytes, the end or the failure of a body that is a stream
//	window                 how many more bytes of that body may be sent
//	stop                   nobody reads that body any more
//	cancel                 nobody waits for the reply any more
//	received               the reply is there: the claim may go
//	ping, pong             the connection lives
//	going                  the server takes no more requests
//	incarnation            the server has another one from now on
//	event                  a step of the request at the host, if the client asked for them
//	lost                   to this call the connection is broken: from the client by a fault,
//	                       from the server when the host has crashed by one
//
// # Faults
//
// Those at the caller's end are carried out by the client. Those inside the object
// travel with the request, to a server that permits it ([Server.AllowFaults]):
// a client that has such plans says so in its introduction.
//
// # The caller's timeline
//
// An event carries the time since the server had the client's proof, on the
// server's clock. The client adds it to the moment before it sent that proof, so
// that the result is too early by at most one way through the network. What did
// not arrive before the connection broke is not known.
package remote
