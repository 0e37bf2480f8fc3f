// Package htmlrewriter is the HTMLRewriter of the Workers platform: it finds
// elements by CSS selectors in a stream of HTML and lets handlers change them,
// without building a tree. What no handler touches passes byte for byte.
//
// [Rewriter] is plain Go and pulls: it stops at each token that a handler wants
// to see and goes on when asked. [Install] makes the JavaScript class of it.
//
// The behaviour is that of lol-html, the library behind workerd's class: no
// element is closed by implication, an end tag closes everything up to the
// nearest open element of its name, and markup whose parsing would need a tree
// is an error.
package htmlrewriter
