package loader

import (
	"fmt"
	"regexp"
	"strings"
)

// helperFix replaces text in a helper function of esbuild's. esbuild renames
// the helpers' variables when the program has the same ones at its top, so the
// text is a pattern, in which "ID" stands for a name.
type helperFix struct {
	helper string // text that is there exactly when the helper is
	from   *regexp.Regexp
	to     string // must have as many newlines as from, or source positions move
	why    string
}

func pattern(s string) *regexp.Regexp {
	return regexp.MustCompile("(?s)" + strings.ReplaceAll(s, "ID", `[\w$]+`))
}

var helperFixes = []helperFix{
	{
		// After return(), every await in a finally block resumed the generator
		// with another return, which ended the block. Only the awaits that
		// yield* makes for the inner iterator are to be resumed that way.
		helper: "var __asyncGenerator = ",
		from:   pattern(`(ID)\((ID) === "return" \? ID : "next", (ID)\[1\]`),
		to:     `${1}(${2} === "return" && ${3}[1] ? ${2} : "next", ${3}[1]`,
		why:    "await in finally of an async generator",
	},
	{
		// The object of an async generator says what it is, as in V8, so that
		// the host can tell it from a plain object.
		helper: "var __asyncGenerator = ",
		from:   pattern(`(var __asyncGenerator = \(ID, ID, ID\) => \{.*?, ID, ID = )\{\};`),
		to:     `${1}{ __proto__: { [Symbol.toStringTag]: "AsyncGenerator" } };`,
		why:    "what an async generator is",
	},
	{
		// A synchronous iterator whose value is a promise that rejects is to
		// be closed, as V8 does. Groups: iterator, key, done.
		helper: "var __forAwait = ",
		from: pattern(`(var __forAwait = \((ID), .*?= \((ID), ID\) => .*?new Promise\(\(ID, ID, (ID)\) => .*?` +
			`\.then\(\(ID\) => ID\(\{[^}]*\}\), )(ID)\)`),
		to:  `${1}(e) => { try { ${3} === "next" && !${4} && ${2}.return && ${2}.return() } catch {} ${5}(e) })`,
		why: "closing in for await",
	},
	{
		// import(x) has become __toESM(require(x)), which must give a promise
		// for a module of the bundle; see the method load of Bundle.
		helper: "var __toESM = ",
		from:   pattern(`var __toESM = \((ID), (ID), (ID)\) => \(`),
		to:     `var __toESM = (${1}, ${2}, ${3}) => ${1} === ` + hostName + `.pending ? ` + hostName + `.promise : (`,
		why:    "import() of a variable",
	},
	{
		// A require(x) that is not an import() in disguise.
		helper: "var __require = ",
		from:   pattern(`\(\((ID)\) => typeof require !== "undefined" \? require : typeof Proxy`),
		to:     `((${1}) => typeof require !== "undefined" ? ` + hostName + `.require : typeof Proxy`,
		why:    "require() of a variable",
	},
}

// esbuild writes import(x) and require(x) alike. The former is to reach the
// wrapper's parameter directly, the latter goes through __require.
const (
	dynamicImport = ".then(() => __toESM(__require("
	directImport  = ".then(() => __toESM(require("
)

// fixHelpers mends esbuild's helper functions in its output. They stand before
// all of the program's code, which may hold helpers of its own: many packages
// were bundled before, and esbuild renames theirs.
func fixHelpers(code string) (string, error) {
	head, program := code, ""
	if m := firstSource.FindStringIndex(code); m != nil {
		head, program = code[:m[0]], code[m[0]:]
	}
	imports := strings.Contains(head, "var __toESM = ") && strings.Contains(head, "var __require = ")
	for _, f := range helperFixes {
		var err error
		if head, err = f.apply(head); err != nil {
			return "", err
		}
	}
	if imports {
		program = strings.ReplaceAll(program, dynamicImport, directImport)
	}
	return head + program, nil
}

func (f helperFix) apply(code string) (string, error) {
	if !strings.Contains(code, f.helper) {
		return code, nil
	}
	m := f.from.FindStringSubmatchIndex(code)
	if m == nil {
		return "", fmt.Errorf("loader: the repair for %q does not fit this version of esbuild", f.why)
	}
	return code[:m[0]] + string(f.from.ExpandString(nil, f.to, code, m)) + code[m[1]:], nil
}

// firstSource is the comment with which esbuild names the first source file.
var firstSource = regexp.MustCompile(`(?m)^// `)
