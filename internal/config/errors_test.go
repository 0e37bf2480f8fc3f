package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// files is a WithReadFile of a map; every other file does not exist.
func files(m map[string]string) Option {
	return WithReadFile(func(path string) ([]byte, error) {
		if text, ok := m[filepath.Base(path)]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: filepath.Base(path), Err: fs.ErrNotExist}
	})
}

const capnpHead = `using Workerd = import "/workerd/workerd.capnp";` + "\n"

func TestLoadErrors(t *testing.T) {
	service := func(rest string) string {
		return capnpHead + `const c :Workerd.Config = (services = [` + rest + `]);`
	}
	for _, tc := range []struct {
		file, text string
		opt        Option
		want       string
	}{
		{"a.json", `{"name":"w"}`, nil, `a.json:1:1: missing field "main": the path of the worker's entry file`},
		{"a.json", `{"main":"none.js"}`, nil, `a.json:1:9: cannot read the entry file: open none.js: file does not exist`},
		{"a.json", `{"main":"w.js","compatibility_date":"2026-2-1"}`, nil, `a.json:1:37: invalid compatibility date "2026-2-1": want YYYY-MM-DD`},
		{"a.json", `{"main":"w.js","dev":{"port":1.5}}`, nil, `a.json:1:30: "dev.port" must be a whole number from 0 to 65535, not 1.5`},
		{"a.json", `{"main":"w.js","dev":{"port":65536}}`, nil, `a.json:1:30: "dev.port" must be a whole number from 0 to 65535, not 65536`},
		{"a.json", `{"main":"w.js","text_blobs":{"A":"none"}}`, nil, `a.json:1:34: cannot read the file of text_blobs.A: open none: file does not exist`},
		{"a.json", `{"main":"w.js","services":[{"binding":"A","service":"s"},{"binding":"A","service":"t"}]}`, nil, `a.json:1:69: binding "A" is already bound at line 1`},
		{"a.json", `{"main":"w.js"}`, WithConst("x"), `a.json: a wrangler file has no named constants: remove the const-name "x"`},
		{"a.json", `{"main":"w.js"}`, WithEnvironment("x"), `a.json:1:1: no environment "x" in "env"`},
		{"a.toml", "main = \"w.js\"\n[vars]\nA = inf", nil, `a.toml:3:5: +Inf has no equivalent in JSON`},
		{"a.toml", "main = 5", nil, `a.toml:1:8: "main" must be a string, not a number`},

		{"a.capnp", capnpHead, nil, `a.capnp: the file defines no constant of type Config`},
		{"a.capnp", capnpHead + `const a :Workerd.Config = (); const b :Workerd.Config = ();`, nil,
			`a.capnp: the file defines several constants of type Config, so name the one to use: a, b`},
		{"a.capnp", capnpHead + `const a :Workerd.Config = ();`, WithConst("b"), `a.capnp: no constant named b (the constants of type Config are: a)`},
		{"a.capnp", capnpHead + `const a :Workerd.Config = (); const b :Workerd.Worker = ();`, WithConst("b"), `a.capnp:2:37: constant "b" has type Worker, not Config`},
		{"a.capnp", capnpHead, WithEnvironment("x"), `a.capnp: only wrangler files have environments, not Cap'n Proto files`},
		{"a.capnp", service(`(name = "a")`), nil, `a.capnp:2:40: service "a" does not specify what to serve`},
		{"a.capnp", service(`"a"`), nil, `a.capnp:2:40: service "a" does not specify what to serve`},
		{"a.capnp", service(`(name = "a", disk = ()), (name = "a", disk = ())`), nil, `a.capnp:2:65: service "a" is already defined at a.capnp:2:40`},
		{"a.capnp", service(`(name = "a", worker = ())`), nil, `a.capnp:2:62: worker "a" has neither modules nor a serviceWorkerScript`},
		{"a.capnp", service(`(name = "a", worker = (modules = []))`), nil, `a.capnp:2:73: worker "a" has no modules: the list is empty`},
		{"a.capnp", service(`(name = "a", worker = (modules = [(name = "m")]))`), nil, `a.capnp:2:74: module "m" has no content`},
		{"a.capnp", service(`(name = "a", worker = (modules = [(esModule = "")], compatibilityDate = "x"))`), nil,
			`a.capnp:2:112: invalid compatibility date "x": want YYYY-MM-DD`},
		{"a.capnp", service(`(name = "a", worker = (modules = [(esModule = "")], bindings = [(name = "b")]))`), nil,
			`a.capnp:2:104: binding "b" of worker "a" does not specify a value`},
	} {
		opts := []Option{files(map[string]string{tc.file: tc.text, "w.js": ""})}
		if tc.opt != nil {
			opts = append(opts, tc.opt)
		}
		_, err := Load(tc.file, opts...)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s\n  got  %v\n  want %s", tc.text, err, tc.want)
		}
	}
}

// TestValidate has workerd's messages, with the places added.
func TestValidate(t *testing.T) {
	const modules = `modules = [(name = "w", esModule = "")]`
	worker := func(rest string) string {
		return capnpHead + "const c :Workerd.Config = (services = [(name = \"t\", worker = .w), (name = \"ro\", disk = (path = \"/d\")), (name = \"rw\", disk = (writable = true))], sockets = .s);\n" +
			"const s :List(Workerd.Socket) = [(name = \"a\", service = \"t\")];\nconst w :Workerd.Worker = (" + modules + ",\n" + rest + ");"
	}
	const key = `durableObjectNamespaces = [(className = "A", uniqueKey = "k")]`
	for _, tc := range []struct{ text, want string }{
		{``, ``},
		{`globalOutbound = "internet"`, ``},
		{`globalOutbound = "nope"`, `5:18: Worker "t"'s globalOutbound refers to a service "nope", but no such service is defined.`},
		{`cacheApiOutbound = "nope"`, `5:20: Worker "t"'s cacheApiOutbound refers to a service "nope", but no such service is defined.`},
		{`tails = ["t", "nope"]`, `5:15: Worker "t"'s tails refers to a service "nope", but no such service is defined.`},
		{`streamingTails = ["nope"]`, `5:19: Worker "t"'s streamingTails refers to a service "nope", but no such service is defined.`},
		{`bindings = [(name = "a", service = "nope")]`, `5:36: Worker "t"'s binding "a" refers to a service "nope", but no such service is defined.`},
		{`bindings = [(name = "a", queue = "nope"), (name = "b", kvNamespace = "nope")]`,
			"5:34: Worker \"t\"'s binding \"a\" refers to a service \"nope\", but no such service is defined.\n5:70: Worker \"t\"'s binding \"b\" refers to a service \"nope\", but no such service is defined."},
		{`bindings = [(name = "a", wrapped = (moduleName = "x", innerBindings = [(name = "q", service = "nope")]))]`,
			`5:95: Worker "t"'s binding "q" refers to a service "nope", but no such service is defined.`},
		{`bindings = [(name = "a", durableObjectNamespace = "nope")]`,
			`5:51: Worker "t"'s binding "a" refers to a Durable Object namespace named "nope", but no such Durable Object namespace is defined by this Worker.`},
		{`bindings = [(name = "a", durableObjectNamespace = (className = "Q", serviceName = "t"))]`,
			`5:51: Worker "t"'s binding "a" refers to a Durable Object namespace named "Q" in service "t", but no such Durable Object namespace is defined by that service.`},
		{`bindings = [(name = "a", durableObjectNamespace = (className = "Q", serviceName = "zz"))]`,
			`5:83: Worker "t"'s binding "a" refers to a service "zz", but no such service is defined.`},
		{key, "5:28: Worker service \"t\" implements durable object classes but has `durableObjectStorage` set to `none`."},
		{`durableObjectNamespaces = [(className = "A", ephemeralLocal = void)]`, ``},
		{`durableObjectStorage = (inMemory = void), ` + key, ``},
		{`durableObjectStorage = (localDisk = "rw"), ` + key, ``},
		{`durableObjectStorage = (localDisk = "ro"), ` + key, `5:37: durableObjectStorage config refers to the disk service "ro", but that service is defined read-only.`},
		{`durableObjectStorage = (localDisk = "t"), ` + key, `5:37: durableObjectStorage config refers to the service "t", but that service is not a local disk service.`},
		{`durableObjectStorage = (localDisk = "zz"), ` + key, `5:37: durableObjectStorage config refers to a service "zz", but no such service is defined.`},
		{`durableObjectStorage = (localDisk = "rw"), ` + strings.Replace(key, `"k"`, `".."`, 1), `5:101: the unique key ".." of class "A" cannot be the name of a directory`},
		{`durableObjectStorage = (localDisk = "rw"), durableObjectNamespaces = [(className = "A")]`, `5:71: the unique key "" of class "A" cannot be the name of a directory`},
	} {
		c, err := Load("a", files(map[string]string{"a": worker(tc.text)}))
		if err != nil {
			t.Errorf("%s: %v", tc.text, err)
			continue
		}
		var got string
		if err := c.Validate(); err != nil {
			got = strings.ReplaceAll(err.Error(), "a:5:", "5:")
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%s: %T has no place", tc.text, err)
			}
		}
		if got != tc.want {
			t.Errorf("%s\n  got  %s\n  want %s", tc.text, got, tc.want)
		}
	}
	socket := strings.Replace(worker(""), `service = "t"`, `service = "nope"`, 1)
	c, err := Load("a", files(map[string]string{"a": socket}))
	if err != nil {
		t.Fatal(err)
	}
	want := `a:3:57: Socket "a" refers to a service "nope", but no such service is defined.`
	if err := c.Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestValidateWrangler(t *testing.T) {
	const text = `{"name":"a/b","main":"w.js","durable_objects":{"bindings":[{"name":"A","class_name":"A"},{"name":"B","class_name":"B","script_name":"gone"}]}}`
	c, err := Load("a.json", files(map[string]string{"a.json": text, "w.js": ""}))
	if err != nil {
		t.Fatal(err)
	}
	want := `a.json:1:85: the unique key "a/b-A" of class "A" cannot be the name of a directory`
	if err := c.Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// FuzzLoad goes the whole way, whichever format the first byte chooses: nothing
// panics, and every problem with the content has a place.
func FuzzLoad(f *testing.F) {
	f.Add(byte(0), `{"name":"w","main":"w.js","vars":{"A":[1]},"env":{"e":{"name":"x"}},"durable_objects":{"bindings":[{"name":"A","class_name":"A"}]}}`)
	f.Add(byte(1), "main = \"w.js\"\n[[services]]\nbinding = \"A\"\nservice = \"s\"\n")
	f.Add(byte(2), capnpHead+`const c :Workerd.Config = (services = [(name = "t", worker = (modules = [(name = "w", esModule = embed "w.js")], bindings = [(name = "a", service = "t"), (name = "m", memoryCache = "x")], durableObjectNamespaces = [(className = "A", uniqueKey = "k")], durableObjectStorage = (localDisk = "d")))], sockets = ["s"]);`)
	f.Fuzz(func(t *testing.T, format byte, text string) {
		file := []string{"a.jsonc", "a.toml", "a"}[format%3]
		c, err := Load(file, files(map[string]string{file: text, "w.js": "x"}))
		var e *Error
		if err != nil && (!errors.As(err, &e) || !e.Pos.IsValid()) {
			t.Errorf("%q: the error %q has no place", text, err)
		}
		if err == nil {
			_ = c.Validate()
		}
	})
}
