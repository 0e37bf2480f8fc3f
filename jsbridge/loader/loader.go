// Package loader turns a Worker's modules into one program that goja can run.
//
// goja knows neither ES modules nor TypeScript, so the modules are bundled by
// esbuild into one strict async function, with everything that goja lacks
// lowered on the way. What comes out, a [Bundle], belongs to no runtime: it is
// compiled once and may be run in any number of runtimes at the same time.
//
// There are two ways to name the modules:
//
//   - [Options.Dir] and [Options.Entry]: a directory with packages, TypeScript
//     and the module rules of wrangler.
//   - [Options.Modules]: a closed list of named modules, as in a workerd
//     configuration; names resolve as they do there, and nothing is read from
//     disk.
package loader

import (
	"fmt"
	"path/filepath"

	"github.com/dop251/goja"
)

// Kind says how the contents of a module become JavaScript.
type Kind uint8

// The kinds of modules, named after the fields of workerd's Worker.Module, which
// has no TypeScript.
const (
	ESModule     Kind = iota // an ES module; in a directory also TypeScript and JSX, by the file's extension
	CommonJS                 // module.exports is the default export
	Text                     // the default export is a string
	JSON                     // the default export is the parsed value
	Data                     // the default export is an ArrayBuffer (see [Host.Data])
	CompiledWasm             // the default export is a WebAssembly.Module (see [Host.Data])
	TypeScript               // an ES module of a list in TypeScript; with JSX if its name ends in .tsx or .jsx
)

var kindNames = [...]string{"ESModule", "CommonJS", "Text", "JSON", "Data", "CompiledWasm", "TypeScript"}

// String gives the name that wrangler's rules use.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", k)
}

// code tells whether a module of the kind has imports of its own.
func (k Kind) code() bool { return k == ESModule || k == CommonJS || k == TypeScript }

// Module is one named module of a workerd-style list.
type Module struct {
	Name     string // for example "src/worker.js"; also the name in stack traces
	Kind     Kind
	Contents []byte // must not be changed after the call of [Build]
}

// Rule gives files a kind by their path, as wrangler's "rules" do. A file that
// matches no rule is loaded by its extension.
//
// See https://developers.cloudflare.com/workers/wrangler/bundling/.
type Rule struct {
	Kind        Kind
	Globs       []string // "**/*.md": "**" spans directories, "*" and "?" do not
	Fallthrough bool     // look at later rules of the same kind too
}

// Options describe what to bundle. The zero value of every field but the
// modules' place works.
type Options struct {
	// Dir is the absolute base directory: Entry is resolved from it, and
	// source names in stack traces are relative to it.
	Dir string
	// Entry is the main module's file, relative to Dir.
	Entry string

	// Modules, when not empty, replaces Dir and Entry. The first is the main
	// module.
	Modules []Module

	// Builtins lists the modules that the host provides, with the names that
	// each exports ("default" among them if it has one). An import of another
	// name from it fails the build, as it fails to link in workerd.
	Builtins map[string][]string

	// Rules are wrangler's module rules; they come before the default ones.
	Rules []Rule

	// Define replaces global names by JavaScript expressions, Alias replaces
	// module specifiers, Tsconfig is a file relative to Dir. All three mean
	// what they mean in a wrangler configuration.
	Define   map[string]string
	Alias    map[string]string
	Tsconfig string

	// LowerFields rewrites the fields of classes to assignments and WeakMaps,
	// LowerAsync async functions to generators. Build sets them by itself for
	// the rare code that cannot be compiled otherwise: a private field becomes
	// about twenty times slower, an async call four times.
	LowerFields, LowerAsync bool

	// NoCache builds even when a bundle of the same inputs is at hand.
	NoCache bool
}

// Bundle is a compiled Worker. It is immutable and safe for concurrent use.
type Bundle struct {
	// Program evaluates to the wrapper function; use [Bundle.Run].
	Program *goja.Program
	// Warnings are the bundler's, such as the use of an export that does not exist.
	Warnings []Message
	// Inputs are the absolute names of the files that the bundle was made
	// from: sources, and the package.json and tsconfig.json files that took
	// part in the resolution. Sorted. A watcher rebuilds when one changes.
	Inputs []string
	// Data holds the contents of .wasm and .bin imports; the program refers to
	// them by index.
	Data []DataModule

	root     string          // directory that relative specifiers of dynamic imports start from
	builtins map[string]bool // specifiers of host modules
}

// DataModule is an import whose bytes stay in Go.
type DataModule struct {
	Name  string // relative to Dir, or the module's name
	Kind  Kind   // Data or CompiledWasm
	Bytes []byte // shared by all runtimes: must not be changed
}

// Build bundles, lowers and compiles. Syntax errors, imports that lead nowhere
// and imports of names that do not exist are reported together as an [*Error].
//
// Building the same options again returns the same Bundle as long as none of
// the files that took part has changed; see [Options.NoCache]. Build is safe
// for concurrent use.
func Build(o Options) (*Bundle, error) {
	if len(o.Modules) == 0 {
		if o.Dir == "" || o.Entry == "" {
			return nil, fmt.Errorf("loader: neither modules nor a directory with an entry file given")
		}
		if !filepath.IsAbs(o.Dir) {
			return nil, fmt.Errorf("loader: directory %q is not absolute", o.Dir)
		}
		o.Dir = filepath.Clean(o.Dir)
	} else if err := checkNames(o.Modules); err != nil {
		return nil, err
	}
	if o.NoCache {
		b, _, err := build(o)
		return b, err
	}
	return shared.build(o)
}

func checkNames(mods []Module) error {
	seen := make(map[string]bool, len(mods))
	for _, m := range mods {
		if m.Name == "" {
			return fmt.Errorf("loader: a module has no name")
		}
		if int(m.Kind) >= len(kindNames) {
			return fmt.Errorf("loader: module %q has the unknown kind %d", m.Name, m.Kind)
		}
		if seen[m.Name] {
			return fmt.Errorf("loader: two modules are named %q", m.Name)
		}
		seen[m.Name] = true
	}
	if k := mods[0].Kind; !k.code() {
		return fmt.Errorf("loader: the main module %q is of kind %s, which is not code", mods[0].Name, k)
	}
	return nil
}
