// Package urlpattern implements the URL Pattern Standard
// (https://urlpattern.spec.whatwg.org) but for the regular expressions that a
// pattern may contain: whoever compiles a pattern brings an engine for those,
// since they are JavaScript's.
//
// A pattern without regular expressions of its own is matched by Go's.
//
// # Concurrency
//
// A Pattern may be used by several goroutines at once if its regular
// expressions may.
package urlpattern
