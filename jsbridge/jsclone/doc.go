// Package jsclone clones goja values by V8's structured-clone format: out of a
// runtime into bytes and from bytes into a runtime. Storage, RPC and
// structuredClone are built on it; package internal/structclone defines the
// format.
//
// The bytes are those that workerd writes for the same literals. Tests hold this
// package against a table of what workerd stored, which is in testdata, with the
// exceptions and their reasons. The ones that scripts can notice:
//
//   - What goja lacks is an error when it is read: [UnsupportedError] for
//     Float16Array and resizable buffers, an exception for the d and v flags of
//     regular expressions.
//   - V8 writes numbers by what it kept them as, which may depend on the past of
//     the object that held them: the same number is there as an integer or as a
//     double. Here it depends on the number alone, and within an array on the
//     other elements. Both forms are read alike.
//   - Properties whose name holds a lone surrogate are kept in plain objects
//     only; elsewhere (arrays, errors, proxies) they are left out.
//   - Errors of WebAssembly's classes and SuppressedError are read as an Error
//     with that name.
//
// The codec looks into goja's objects where goja's public interface would make
// it slow or blind; it checks that they are laid out as it expects and refuses
// to work otherwise.
package jsclone
