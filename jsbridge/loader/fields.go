package loader

import (
	"errors"
	"regexp"
	"strings"

	"github.com/dop251/goja/parser"
)

// goja takes `get`, `set` and `async` at the start of a class element for the
// keyword, even if what follows shows that it is the name of a field, as in
// `set = (key, value) => {}`. A quoted name is the same to JavaScript.
var (
	maybeField = regexp.MustCompile(`(?m)^[ \t]*(?:static )?(get|set|async) = `)
	// Every pass repairs what the parser reports; it goes on after an error, but
	// may lose its way.
	fieldPasses = 20
)

// quoteFields quotes such names in the bundler's output, which has one class
// element in a line. Nothing moves: `set = ` becomes `"set"=`. Whether a line is a
// field or an assignment to a variable of that name is known by the parser's
// error alone.
func quoteFields(src string) string {
	if !maybeField.MatchString(src) {
		return src
	}
	for range fieldPasses {
		_, err := parser.ParseFile(nil, bundleName, src, 0, parser.WithDisableSourceMaps)
		var list parser.ErrorList
		if !errors.As(err, &list) {
			return src
		}
		lines := strings.Split(src, "\n")
		changed := false
		for _, e := range list {
			i := e.Position.Line - 1
			if i < 0 || i >= len(lines) {
				continue
			}
			m := maybeField.FindStringSubmatchIndex(lines[i])
			if m == nil {
				continue
			}
			lines[i] = lines[i][:m[2]] + `"` + lines[i][m[2]:m[3]] + `"=` + lines[i][m[1]:]
			changed = true
		}
		if !changed {
			return src
		}
		src = strings.Join(lines, "\n")
	}
	return src
}
