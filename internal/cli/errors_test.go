package cli

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/runtime"
)

// broken is a project that must not start.
type broken struct {
	name  string
	files map[string]string // wrangler.json and main.ts have defaults; "" leaves the file out
	open  string            // what to open; "": the directory
	want  []string
	// differs says what is wrong with today's message; the test fails when it
	// has become right.
	differs string
}

const (
	brokenHead   = `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01"`
	brokenObject = `, "durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A"]}]}`
	brokenMain   = "export default { fetch() { return new Response('ok') } };\n"
	brokenCapnp  = "using Workerd = import \"/workerd/workerd.capnp\";\nconst config :Workerd.Config = (\n  services = [ (name = \"main\", worker = "
)

func wrangler(text string) map[string]string { return map[string]string{"wrangler.json": text} }
func script(text string) map[string]string   { return map[string]string{"main.ts": text} }

var brokenProjects = []broken{
	// The script.
	{name: "syntax", files: script("export default {\n  fetch( {\n"), want: []string{"main.ts:3:1: "}},
	{name: "TypeScript syntax", files: script("\nconst x: number = ;\n" + brokenMain), want: []string{"main.ts:2:19: ", "const x: number = ;"}},
	{name: "not text", files: script("\xff\xfe\x00export"), want: []string{"main.ts:1:1: "}},
	{name: "unknown package", files: script("\nimport 'nope';\n" + brokenMain), want: []string{"main.ts:2:8: ", `"nope"`}},
	{name: "unknown file", files: script("\nimport { a } from './gone';\nexport default { a };"), want: []string{"main.ts:2:19: ", `"./gone"`}},
	{name: "unknown platform module", files: script("\nimport { x } from 'cloudflare:nothing';\nexport default { x };"), want: []string{"main.ts:2:19: ", `No such module "cloudflare:nothing"`}},
	{name: "missing export of a file", files: map[string]string{"main.ts": "\nimport { nope } from './lib';\nexport default { nope };", "lib.ts": "export const yes = 1;"}, want: []string{"main.ts:2:10: ", "'nope'", "lib.ts"}},
	{name: "missing export of a platform module", files: script("\nimport { Nope } from 'cloudflare:workers';\nexport default { Nope };"), want: []string{"main.ts:2:10: ", "'Nope'", "cloudflare:workers"}},
	{name: "JSON import", files: map[string]string{"main.ts": "import x from './x.json';\nexport default { x };", "x.json": "{\"a\": }"}, want: []string{"x.json:1:7: "}},
	{name: "throws at load", files: script(brokenMain + "\nthrow new TypeError('at load');"), want: []string{"TypeError: at load", "main.ts:3:"}},
	{name: "throws in an import", files: map[string]string{"main.ts": "import './lib';\n" + brokenMain, "lib.ts": "\n\nnull.x;"}, want: []string{"TypeError: ", "lib.ts:3:"}},
	{name: "throws after an await", files: script("\nawait null; throw new TypeError('later');\n" + brokenMain), want: []string{"TypeError: later", "main.ts:2:"}},
	{name: "throws no error", files: script("\nthrow null;\n" + brokenMain), want: []string{"w: the script failed to load: null"}},
	{name: "await without end", files: script("await new Promise(() => {});\n" + brokenMain), want: []string{"top-level await never ends"}},
	{name: "overflow at load", files: script("\nconst f = () => f() + 1;\nf();\n" + brokenMain), want: []string{"Maximum call stack size exceeded", "main.ts:2:"}},
	// The classes.
	{name: "class not exported", files: map[string]string{"wrangler.json": brokenHead + brokenObject}, want: []string{"wrangler.json:1:", `exports no class "A"; its main module has to export it`}},
	{name: "class exported by another name", files: map[string]string{"wrangler.json": brokenHead + brokenObject, "main.ts": "export class AA {}\nexport class B {}\n" + brokenMain}, want: []string{"wrangler.json:1:", `exports no class "A"; its main module exports AA, B`}},
	{name: "export is no class", files: map[string]string{"wrangler.json": brokenHead + brokenObject, "main.ts": "export const A = 5;\n" + brokenMain}, want: []string{"wrangler.json:1:", `exports no class "A": the export of that name is none`}},
	// The wrangler file.
	{name: "unknown field", files: wrangler(brokenHead + ",\n  \"mian\": 1}"), want: []string{"wrangler.json:2:3: ", `"mian"`, `"main"?`}},
	{name: "type of a field", files: wrangler(brokenHead + ",\n\"vars\": 5}"), want: []string{"wrangler.json:2:9: ", `"vars" must be an object`}},
	{name: "type of an inner field", files: wrangler(brokenHead + ",\n\"durable_objects\": {\"bindings\": {}}}"), want: []string{"wrangler.json:2:33: ", `"durable_objects.bindings" must be an array`}},
	{name: "no main", files: wrangler(`{"name": "w"}`), want: []string{"wrangler.json:1:1: ", `"main"`}},
	{name: "main is missing", files: script(""), want: []string{"wrangler.json:1:", "main.ts", "no such file"}},
	{name: "not JSON", files: wrangler("{\"name\": \"w\",\n \"main\": }"), want: []string{"wrangler.json:2:10: "}},
	{name: "cut off", files: wrangler("{\"name\": \"w\",\n \"main\": \"main.ts\""), want: []string{"wrangler.json:2:"}},
	{name: "empty", files: wrangler(" "), want: []string{"wrangler.json:1:"}},
	{name: "no object", files: wrangler("[]"), want: []string{"wrangler.json:1:1: ", "object"}},
	{name: "field twice", files: wrangler(`{"name": "w", "name": "x", "main": "main.ts"}`), want: []string{"wrangler.json:1:15: ", `duplicate field "name"`}},
	{name: "date", files: wrangler(`{"name": "w", "main": "main.ts", "compatibility_date": "soon"}`), want: []string{"wrangler.json:1:56: ", `"soon"`}},
	{name: "service", files: wrangler(brokenHead + `, "services": [{"binding": "S", "service": "nobody"}]}`), want: []string{"wrangler.json:1:", `"nobody"`}},
	{name: "not implemented", files: wrangler(brokenHead + `, "kv_namespaces": [{"binding": "K", "id": "x"}]}`), want: []string{"wrangler.json:1:", "does not implement kv_namespaces"}},
	{name: "TOML", files: map[string]string{"wrangler.json": "", "wrangler.toml": "name = \"w\"\nmain = \n"}, want: []string{"wrangler.toml:2:8: "}},
	{name: "type in TOML", files: map[string]string{"wrangler.json": "", "wrangler.toml": "name = \"w\"\nmain = 5\n"}, want: []string{"wrangler.toml:2:8: ", `"main" must be a string`}},
	{name: "no configuration", files: map[string]string{"wrangler.json": ""}, want: []string{"no configuration found", "wrangler.jsonc"}},
	{name: "no such path", open: "nowhere", want: []string{"nowhere", "no such file"}},
	// workerd's configuration.
	{name: "Cap'n Proto syntax", open: "c.capnp", files: map[string]string{"c.capnp": brokenCapnp + ".w ],\n);"}, want: []string{"c.capnp:3:44: "}},
	{name: "Cap'n Proto field", open: "c.capnp", files: map[string]string{"c.capnp": brokenCapnp + ".w) ] );\nconst w :Workerd.Worker = ( modules = [ (name = \"a\", esModule = \"export default {}\") ],\n  compatibiltyDate = \"2026-11-01\" );"}, want: []string{"c.capnp:5:3: ", "'compatibiltyDate'"}},
	{name: "Cap'n Proto constant", open: "c.capnp", files: map[string]string{"c.capnp": brokenCapnp + ".nowhere) ] );"}, want: []string{"c.capnp:3:", ".nowhere"}},
	{name: "Cap'n Proto embed", open: "c.capnp", files: map[string]string{"c.capnp": brokenCapnp + ".w) ] );\nconst w :Workerd.Worker = ( modules = [ (name = \"a\", esModule = embed \"gone.js\") ], compatibilityDate = \"2026-11-01\" );"}, want: []string{"c.capnp:4:", "gone.js", "no such file"}},
	{name: "not a configuration", open: "c.capnp", files: map[string]string{"c.capnp": "\x7fELF\x00"}, want: []string{"c.capnp:1:1: "}},
}

// goTrace matches what a message for users has no business to show.
var goTrace = regexp.MustCompile(`goroutine \d+|panic:|\.go:\d+|runtime error`)

// runFailing runs the command, which must end by itself with status 1 and one error
// that holds all of want. It says what is wrong with that.
func runFailing(t *testing.T, args, want []string) (problems []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out, err bytes.Buffer
	code := Main(ctx, args, &out, &err)
	stderr := err.String()
	bad := func(format string, a ...any) {
		problems = append(problems, fmt.Sprintf("%s: ", args[0])+fmt.Sprintf(format, a...)+"\n"+stderr)
	}
	if ctx.Err() != nil {
		bad("started or hung")
	}
	if code != 1 {
		bad("status %d", code)
	}
	if goTrace.MatchString(stderr) {
		bad("a trace of Go")
	}
	if n := strings.Count("\n"+stderr, "\ndurashim: ") + strings.Count(stderr, "level=ERROR"); n != 1 {
		bad("%d errors", n)
	}
	for _, w := range want {
		if !strings.Contains(stderr, w) {
			bad("output lacks %q", w)
		}
	}
	return problems
}

// fails is runFailing for what has no known problem.
func fails(t *testing.T, args []string, want ...string) {
	t.Helper()
	for _, p := range runFailing(t, args, want) {
		t.Error(p)
	}
}

func writeProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"wrangler.json": brokenHead + "}", "main.ts": brokenMain}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What is wrong with a project is one message that names the file and the place,
// from serve and from test alike.
func TestBrokenProjects(t *testing.T) {
	for _, c := range brokenProjects {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(writeProject(t, c.files), c.open)
			problems := runFailing(t, []string{"serve", path, "--port", "0", "--persist-to", inMemory}, c.want)
			problems = append(problems, runFailing(t, []string{"test", path}, c.want)...)
			switch {
			case c.differs != "" && len(problems) == 0:
				t.Errorf("no longer true: %s", c.differs)
			case c.differs == "":
				for _, p := range problems {
					t.Error(p)
				}
			}
		})
	}
}

// In a workerd configuration a class that is missing is a warning, as it is in
// the real runtime: the rest of the worker runs.
func TestMissingClassIsAWarning(t *testing.T) {
	dir := writeProject(t, map[string]string{"c.capnp": brokenCapnp + ".w) ] );\nconst w :Workerd.Worker = ( modules = [ (name = \"a.js\", esModule = \"export default { test() {} }\") ], compatibilityDate = \"2026-11-01\",\n  durableObjectNamespaces = [ (className = \"A\", uniqueKey = \"k\") ], durableObjectStorage = (inMemory = void) );"})
	_, stderr, code := durashim(t, "test", filepath.Join(dir, "c.capnp"))
	if code != 0 || !strings.Contains(stderr, "class=A") || !strings.Contains(stderr, "c.capnp:5:31") {
		t.Errorf("status %d\n%s", code, stderr)
	}
}

func TestUnreadableFiles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	for _, name := range []string{"wrangler.json", "main.ts"} {
		dir := writeProject(t, nil)
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
		fails(t, []string{"serve", dir, "--port", "0", "--persist-to", inMemory}, name, "permission denied")
	}
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fails(t, []string{"serve", writeProject(t, nil), "--port", port, "--persist-to", inMemory}, ":"+port, "address already in use")
}

// A storage directory that is a file, or that somebody else uses, is refused
// before anything is written to it.
func TestStorageDirectory(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"wrangler.json": brokenHead + brokenObject,
		"main.ts":       "import { DurableObject } from 'cloudflare:workers';\nexport class A extends DurableObject { f() { return this.ctx.storage.put('k', 1); } }\n" + brokenMain,
	})
	file := filepath.Join(dir, "main.ts")
	for _, state := range []string{file, filepath.Join(file, "below")} {
		fails(t, []string{"serve", dir, "--port", "0", "--persist-to", state}, "wrangler.json:1:", file, "not a directory")
	}

	state := filepath.Join(dir, "state")
	rt, err := runtime.Open(dir, runtime.Options{PersistTo: state})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	if _, err := rt.Namespace("A").GetByName("a").Call(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	fails(t, []string{"serve", dir, "--port", "0", "--persist-to", state}, "in use", state)
}

func TestBadArguments(t *testing.T) {
	dir := writeProject(t, nil)
	for want, args := range map[string][]string{
		`"frob"`:                   {"frob"},
		"arg(s), received 3":       {"serve", dir, "a", "b"},
		"--nope":                   {"serve", dir, "--nope"},
		`"abc"`:                    {"serve", dir, "--port", "abc"},
		"99999":                    {"serve", dir, "--port", "99999", "--persist-to", inMemory},
		`no environment "nope"`:    {"serve", dir, "--env", "nope", "--port", "0", "--persist-to", inMemory},
		"not a regular expression": {"test", dir, "("},
		`not "some"`:               {"test", dir, "--timelines", "some"},
	} {
		fails(t, args, want)
	}
}
