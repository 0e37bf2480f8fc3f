package webapi_test

const (
	readOnlyText = "the engine words this error; goja does not name the object"
	nameBytes    = "header names beyond ASCII are kept; workerd turns them into U+FFFD"
	idnaText     = "the URL library refuses labels that start with xn-- but hold no valid Punycode"
)

// knownDifferences are the snippets on which this package answers something
// else than the real runtime, with our answer and the reason. The test fails
// when an entry stops being true.
var knownDifferences = map[string]struct{ answer, reason string }{
	`{ const r = new Request('http://a', {method: 'POST', body: 'x'}); return [r.method = 'x', r.method] }`: {
		"throws TypeError(TypeError: Cannot assign to read only property 'method')", readOnlyText},
	`{ 'use strict'; const r = new Request('http://a'); r.method = 'x' }`: {
		"throws TypeError(TypeError: Cannot assign to read only property 'method')", readOnlyText},
	`{ const r = new Response('x', {status: 200}); r.status = 5; return r.status }`: {
		"throws TypeError(TypeError: Cannot assign to read only property 'status')", readOnlyText},
	`{ const u = new URL('http://a/b'); u.origin = 'x'; return u.origin }`: {
		"throws TypeError(TypeError: Cannot assign to read only property 'origin')", readOnlyText},
	`{ const e = new DOMException('m', 'n'); e.message = 'z'; e.name = 'y'; return [e.message, e.name, delete e.message, e.message] }`: {
		"throws TypeError(TypeError: Cannot assign to read only property 'message')", readOnlyText},
	`{ const e = new Event('x'); e.type = 'q'; return e.type }`: {
		"throws TypeError(TypeError: Cannot assign to read only property 'type')", readOnlyText},
	`{ const a = {}; a.a = a; return Response.json(a) }`: {
		"throws TypeError(TypeError: Converting circular structure to JSON)", "the engine words this error; goja does not say where the circle is"},
	`new Headers({'\u00e9': 'a'})`: {`Headers[["é", "a"]]`, nameBytes},
	`new URL('http://xn--/').hostname`: {
		"throws TypeError(TypeError: Invalid URL string.)", idnaText},
	`new URL('http://xn--a/').hostname`: {
		"throws TypeError(TypeError: Invalid URL string.)", idnaText},
}
