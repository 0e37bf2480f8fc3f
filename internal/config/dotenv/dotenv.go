// Package dotenv reads files of NAME=value lines, the format of `.dev.vars`
// (https://developers.cloudflare.com/workers/configuration/secrets/#local-development-with-secrets).
//
// The rules are those of wrangler's own reader, which its answers in testdata
// hold. Go's dotenv libraries expand $NAME in a value; here a value may be a
// password with a dollar sign in it, which must stay as it is.
package dotenv

import (
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// Var is one variable of a file.
type Var struct {
	Name, Value string
	// Pos is where the name stands.
	Pos source.Pos
}

// Parse returns the variables of a file in the order of their first lines; of
// several with one name the last gives the value. A line that is neither an
// assignment nor a comment nor blank is a *source.Error: the real reader passes
// over it, which loses a secret without a word.
func Parse(file string, text []byte) ([]Var, error) {
	s := strings.TrimPrefix(string(text), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	at := source.NewFile(file, []byte(s))
	var out []Var
	seen := map[string]int{}
	for i := 0; i < len(s); {
		i = skip(s, i, " \t\n\v\f")
		if i == len(s) {
			break
		}
		if s[i] == '#' {
			i = lineEnd(s, i)
			continue
		}
		start := i
		name, from, ok := assignment(s, i)
		if !ok {
			return nil, source.Errorf(at.Pos(start), "this is no NAME=value line (a comment starts with #)")
		}
		var value string
		value, i = readValue(s, from)
		if n, twice := seen[name]; twice {
			out[n].Value = value
			continue
		}
		seen[name] = len(out)
		out = append(out, Var{Name: name, Value: value, Pos: at.Pos(start)})
	}
	return out, nil
}

// assignment reads `NAME =` or `NAME: `, with `export` before it or not, and
// returns where the value starts.
func assignment(s string, i int) (name string, from int, ok bool) {
	if rest, found := strings.CutPrefix(s[i:], "export"); found && rest != "" && strings.ContainsRune(" \t", rune(rest[0])) {
		i = skip(s, i+len("export"), " \t")
	}
	end := i
	for end < len(s) && isName(s[end]) {
		end++
	}
	name = s[i:end]
	next := skip(s, end, " \t")
	switch {
	case name == "" || next == len(s):
		return "", 0, false
	case s[next] == '=':
		return name, next + 1, true
	// A colon needs white space after it: A:1 is no assignment. The value may
	// even stand on the next line then.
	case s[end] == ':' && end+1 < len(s) && strings.IndexByte(" \t\n", s[end+1]) >= 0:
		return name, end + 2, true
	}
	return "", 0, false
}

// readValue returns the value that starts at i, and the index after its line.
func readValue(s string, i int) (value string, next int) {
	i = skip(s, i, " \t")
	if i < len(s) && strings.IndexByte("'\"`", s[i]) >= 0 {
		if end := closing(s, i); end > 0 {
			after := skip(s, end+1, " \t")
			if after == len(s) || s[after] == '\n' || s[after] == '#' {
				return unquoted(s[i : end+1]), lineEnd(s, after)
			}
		}
	}
	end := lineEnd(s, i)
	line := s[i:end]
	if hash := strings.IndexByte(line, '#'); hash >= 0 {
		line = line[:hash]
	}
	return unquoted(strings.TrimSpace(line)), end
}

// closing returns the index of the quote that ends the string at i, which may be
// lines away, or -1.
func closing(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return j
		}
	}
	return -1
}

// unquoted drops the quotes around a value. Only double quotes give \n and \r a
// meaning; every other backslash stays.
func unquoted(v string) string {
	if len(v) < 2 || v[0] != v[len(v)-1] || strings.IndexByte("'\"`", v[0]) < 0 {
		return v
	}
	inner := v[1 : len(v)-1]
	if v[0] == '"' {
		inner = strings.ReplaceAll(strings.ReplaceAll(inner, `\n`, "\n"), `\r`, "\r")
	}
	return inner
}

func isName(c byte) bool {
	return c == '_' || c == '.' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func skip(s string, i int, set string) int {
	for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
		i++
	}
	return i
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
