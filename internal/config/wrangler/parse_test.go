package wrangler

import (
	"errors"
	"strings"
	"testing"

	"github.com/durashim/durashim/internal/config/source"
)

const jsonDoc = `// the worker
{
  "name": "w", /* block */ "main": "src/é.ts",
  "vars": { "S": "a\n\"b\" <c> \u00e9", "N": 2.50, "L": [1, true, null, {}], "O": { "k": [] }, },
  "migrations": [
    { "tag": "v1" },
    { "tag": "v2" },
  ],
}
`

const tomlDoc = `# the worker
name = "w"
main = 'src/é.ts'

[vars] # table
S = "a\n\"b\" <c> \u00e9"
N = 2.5
L = [
  1, # one
  true, { a.b = 3, "c d" = 'x' },
]
"O".'k' = []
D = 1979-05-27 07:32:00Z
M = """
two ""lines"" \
  joined"""""
E = '''
raw \n'''

[[migrations]]
tag = "v1"

[[migrations]]
tag = "v2"
[env.staging.vars]
X = 1_000
`

func TestParseJSON(t *testing.T) {
	n, err := ParseJSON("w.jsonc", []byte(jsonDoc))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"w","main":"src/é.ts","vars":{"S":"a\n\"b\" <c> é","N":2.50,"L":[1,true,null,{}],"O":{"k":[]}},"migrations":[{"tag":"v1"},{"tag":"v2"}]}`
	if got := n.JSON(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	places(t, n, map[string]string{
		"":                 "w.jsonc:2:1",
		"name":             "w.jsonc:3:3 w.jsonc:3:11",
		"main":             "w.jsonc:3:28 w.jsonc:3:36",
		"vars.O.k":         "w.jsonc:4:85 w.jsonc:4:90",
		"migrations.1.tag": "w.jsonc:7:7 w.jsonc:7:14",
	})
}

func TestParseTOML(t *testing.T) {
	n, err := ParseTOML("w.toml", []byte(tomlDoc))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"w","main":"src/é.ts","vars":{"S":"a\n\"b\" <c> é","N":2.5,"L":[1,true,{"a":{"b":3},"c d":"x"}],"O":{"k":[]},"D":"1979-05-27 07:32:00Z","M":"two \"\"lines\"\" joined\"\"","E":"raw \\n"},` +
		`"migrations":[{"tag":"v1"},{"tag":"v2"}],"env":{"staging":{"vars":{"X":1000}}}}`
	if got := n.JSON(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	places(t, n, map[string]string{
		"":                   "w.toml:1:1",
		"name":               "w.toml:2:1 w.toml:2:8",
		"vars":               "w.toml:5:2 w.toml:5:1",
		"vars.L.1":           "w.toml:10:3",
		"vars.L.2.a.b":       "w.toml:10:13 w.toml:10:17",
		"vars.L.2.c d":       "w.toml:10:20 w.toml:10:28",
		"vars.O.k":           "w.toml:12:5 w.toml:12:11",
		"vars.D":             "w.toml:13:1 w.toml:13:5",
		"vars.E":             "w.toml:17:1 w.toml:17:5",
		"migrations.1":       "w.toml:23:1",
		"migrations.1.tag":   "w.toml:24:1 w.toml:24:7",
		"env.staging.vars.X": "w.toml:26:1 w.toml:26:5",
	})
}

// places compares the places of names and values, found by a path.
func places(t *testing.T, root *Node, want map[string]string) {
	t.Helper()
	for path, places := range want {
		n, name := root, ""
		for _, part := range strings.Split(path, ".") {
			if part == "" {
				break
			}
			name = ""
			if n.Kind == Array {
				n = n.Items[part[0]-'0']
				continue
			}
			for _, m := range n.Members {
				if m.Name == part {
					n, name = m.Value, m.Pos.String()+" "
					break
				}
			}
			if name == "" {
				t.Fatalf("no %s in %s", part, path)
			}
		}
		if got := name + n.Pos.String(); got != places {
			t.Errorf("%s is at %s, want %s", path, got, places)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ file, text, want string }{
		{"a.json", "{\n \"name\":\"w\" \"main\":\"x\"}", `a.json:2:13: invalid character '"' after object value (expecting ',' or '}')`},
		{"a.json", "{\"a\":1,\n \"a\":2}", `a.json:2:2: duplicate field "a" (first at line 1, column 2)`},
		{"a.json", "", `a.json:1:1: parsing value: unexpected EOF`},
		{"a.json", "{} x", `a.json:1:4: invalid character 'x' after top-level value`},
		{"a.json", "{ /* ", `a.json:1:3: parsing comment: unexpected EOF`},
		{"a.json", "{\"\xff\":1}", `a.json:1:3: the file is not valid UTF-8`},
		{"a.json", strings.Repeat("[", 300), `a.json:1:201: the file nests deeper than 200 levels`},
		{"a.json", strings.Repeat(" ", maxSize+1), `a.json:1:1: the file is larger than 1048576 bytes`},
		{"a.toml", "a = 1\nb = \n", `a.toml:2:5: expected value but found '\n' instead`},
		{"a.toml", "a = 1\na = 2\n", `a.toml:2:7: Key 'a' has already been defined.`},
		{"a.toml", "x = nan", `a.toml:1:5: NaN has no equivalent in JSON`},
		{"a.toml", strings.Repeat("a.", 300) + "a = 1", `a.toml:1:402: the file nests deeper than 200 levels`},
		{"a.toml", "a = " + strings.Repeat("[", 300), `a.toml:1:205: the file nests deeper than 200 levels`},
		{"a.toml", "a = '''\n" + strings.Repeat("[", 300) + "''' # " + strings.Repeat("[", 300) + "\n=", `a.toml:3:608: unexpected '=': key name appears blank`},
	} {
		_, err := parse(tc.file, tc.text)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%.40q\n  got  %v\n  want %s", tc.text, err, tc.want)
		}
		var se *source.Error
		if !errors.As(err, &se) {
			t.Errorf("%.40q: %T has no place", tc.text, err)
		}
	}
}

func parse(file, text string) (*Node, error) {
	if strings.HasSuffix(file, ".toml") {
		return ParseTOML(file, []byte(text))
	}
	return ParseJSON(file, []byte(text))
}

func TestByteOrderMark(t *testing.T) {
	for file, text := range map[string]string{"a.json": "\ufeff{\"a\":1}", "a.toml": "\ufeffa = 1"} {
		n, err := parse(file, text)
		if err != nil || n.JSON() != `{"a":1}` {
			t.Errorf("%s: %v, %v", file, n, err)
		}
	}
}

// FuzzJSON checks that nothing panics and that every error has a place.
func FuzzJSON(f *testing.F) {
	f.Add(jsonDoc)
	for _, tc := range resolveErrors {
		f.Add(tc.text)
	}
	f.Fuzz(func(t *testing.T, text string) { fuzz(t, "a.jsonc", text) })
}

// FuzzTOML is FuzzJSON for TOML. In addition the scanner must find the place of
// every key that the library decodes.
func FuzzTOML(f *testing.F) {
	f.Add(tomlDoc)
	f.Add("a = {b.c = 1, d = [[1], {}]}\n[x.'y\"z']\n\"\\u00e9\\t\" = 1\n[[x.q]]\n[[x.q]]\nz.z = 07:32:00\n[x.q.r]\n")
	f.Fuzz(func(t *testing.T, text string) { fuzz(t, "a.toml", text) })
}

func fuzz(t *testing.T, file, text string) {
	n, err := parse(file, text)
	var r *Resolved
	if err == nil {
		r, err = Resolve(n, "")
	}
	if err == nil {
		_, err = r.Classes()
	}
	var se *source.Error
	if err != nil && (!errors.As(err, &se) || se.Pos.Line < 1 || se.Pos.Col < 1 || se.Pos.File != file) {
		t.Errorf("%q: the error %q has no place", text, err)
	}
	if err != nil && strings.Contains(err.Error(), "internal error") {
		t.Errorf("%q: %v", text, err)
	}
}
