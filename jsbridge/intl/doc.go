// Package intl is ECMA-402 (https://tc39.es/ecma402/) for one locale, en-US:
// the object Intl and the methods of the language that depend on a locale.
//
// A program that asks for another locale gets English: resolvedOptions().locale
// says so, as it does on an engine that was built without the locale. What is
// not there at all throws an error that names it.
//
// Nothing is made before a script first uses it. The classes are JavaScript
// (js/); numbers, dates, orders and boundaries are worked out in Go. The tables
// under data/ are the answers of the real runtime.
package intl
