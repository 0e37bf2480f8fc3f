// Package govalue turns Go values into structured clones and back, for callers
// that use JavaScript objects from Go.
//
// # From Go
//
//	Go                                    JavaScript
//	nil, nil pointer, map, slice          null
//	[Undefined]                           undefined
//	bool, string                          the same; strings are UTF-8
//	integers, floats                      Number; integers beyond 2^53 are an error
//	*big.Int, big.Int                     BigInt
//	[]byte, [n]byte                       Uint8Array
//	[ArrayBuffer], *[TypedArray]          ArrayBuffer, typed array or DataView
//	time.Time                             Date, in milliseconds
//	slice, array                          Array
//	map with string keys                  Object, keys in order
//	map with other keys, *[Map]           Map
//	*[Set], *[RegExp], *[Error]           Set, RegExp, Error
//	struct                                Object, by the rules of encoding/json's tags
//
// Pointers and interfaces stand for what they point to. Identity is not kept: a
// value that is met twice is written twice, and a cycle is an error.
//
// # To Go
//
// Into an empty interface the same types come out: a Number as float64 (integers
// too), an Object as map[string]any, an Array as []any with nil for holes, a
// Uint8Array as []byte, a BigInt as *big.Int, a Date as time.Time in UTC;
// undefined and null both as nil, boxed primitives as the primitives. A reference
// gives the same map, slice or pointer again, cycles included. Properties of an
// array beside its elements are dropped.
//
// Into another type the value is converted where nothing is lost: a Number into
// an integer type if it is one and fits, a Set into a slice, a Map into a map, an
// Object into a struct or a map. null and undefined leave a target that has no
// nil as it is. Object properties without a field are ignored; names must match
// exactly.
//
// Errors name the place in the value, such as .items[3].name.
package govalue
