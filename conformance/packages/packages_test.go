package packages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/durashim/durashim/conformance"
	"github.com/durashim/durashim/internal/cli"
	"github.com/durashim/durashim/internal/config"
	"github.com/evanw/esbuild/pkg/api"
)

var projects = []string{"orders", "modules", "objects", "capnweb"}

// missing lists the tests that cannot pass on durashim yet, each with the text of
// the error that says what is missing. A test that passes must be taken off.
var missing = map[string]string{
	"test/ports.test.ts:webSocketToAnObject": "WebSocketPair is not implemented in durashim",
}

// required tells whether a run without packages and without the real runtime
// would be a failure.
func required() bool { return os.Getenv("DURASHIM_REQUIRE_WORKERD") == "1" }

// install makes sure that the packages of a project are there in the versions
// that it pins, or skips the test.
func install(t *testing.T, project string) {
	t.Helper()
	if project == "objects" {
		project = "modules" // whose files it runs
	}
	wrong := outdated(t, project)
	if wrong == "" {
		return
	}
	if !required() {
		t.Skipf("%s: run `npm install` there, or set DURASHIM_REQUIRE_WORKERD=1", wrong)
	}
	cmd := exec.CommandContext(t.Context(), "npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = project
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm install in %s: %v\n%s", project, err, out)
	}
	if wrong := outdated(t, project); wrong != "" {
		t.Fatalf("after npm install: %s", wrong)
	}
}

// outdated says which package of a project is not installed in its pinned
// version; "" if there is none.
func outdated(t *testing.T, project string) string {
	t.Helper()
	var want struct{ Dependencies map[string]string }
	readJSON(t, filepath.Join(project, "package.json"), &want)
	if len(want.Dependencies) == 0 {
		t.Fatalf("%s has no dependencies", project)
	}
	for name, version := range want.Dependencies {
		if strings.ContainsAny(version, "^~*<>") {
			t.Fatalf("%s does not pin %s: %s", project, name, version)
		}
		var have struct{ Version string }
		file := filepath.Join(project, "node_modules", name, "package.json")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return fmt.Sprintf("%s: the package %s is not installed", project, name)
		}
		readJSON(t, file, &have)
		if have.Version != version {
			return fmt.Sprintf("%s: %s is installed in version %s, not %s", project, name, have.Version, version)
		}
	}
	return ""
}

func readJSON(t *testing.T, file string, target any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, target)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

var verdict = regexp.MustCompile(`(?m)^\[ (TEST|PASS|FAIL) \] (\S+)`)

// The projects pass `durashim test`, unchanged.
func TestOnDurashim(t *testing.T) {
	for _, project := range projects {
		t.Run(project, func(t *testing.T) {
			install(t, project)
			var stdout, stderr bytes.Buffer
			cli.Main(t.Context(), []string{"test", project, "--timelines", "none"}, &stdout, &stderr)
			results := verdict.FindAllStringSubmatchIndex(stderr.String(), -1)
			if len(results) == 0 {
				t.Fatalf("no tests ran\n%s", stderr.String())
			}
			start := 0
			for _, r := range results {
				kind, name := stderr.String()[r[2]:r[3]], stderr.String()[r[4]:r[5]]
				if kind == "TEST" {
					start = r[1]
					continue
				}
				text := strings.TrimSpace(stderr.String()[start:r[0]])
				reason, listed := missing[name]
				switch {
				case kind == "PASS" && listed:
					t.Errorf("%s passes: take it off the list", name)
				case kind == "FAIL" && !listed:
					t.Errorf("%s\n%s", name, text)
				case kind == "FAIL" && !strings.Contains(text, reason):
					t.Errorf("%s fails, but not with %q:\n%s", name, reason, text)
				}
			}
		})
	}
}

// Every test of the projects passes on the real runtime, bundled by esbuild alone:
// what they demand of durashim is what it does.
func TestOnWorkerd(t *testing.T) {
	bin := os.Getenv("DURASHIM_WORKERD")
	if bin == "" {
		if !required() {
			t.Skip("set DURASHIM_WORKERD to the path of the real runtime, or DURASHIM_REQUIRE_WORKERD=1 to install it with npm")
		}
		var err error
		if bin, err = conformance.InstallOracle(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, project := range projects {
		t.Run(project, func(t *testing.T) {
			install(t, project)
			file := wdTest(t, project)
			results := conformance.Binary{Path: bin}.Run(t.Context(), conformance.File{Path: file, Name: "packages/" + project}, func(string) bool { return true })
			if len(results) < 5 {
				t.Errorf("only %d tests ran", len(results))
			}
			for _, r := range results {
				if !r.Passed {
					t.Errorf("%s: %s", r.Test, r.Error)
				}
			}
		})
	}
}

// wdTest writes a project's worker and test files as one configuration of the
// real runtime, each a service with one module, and returns its path.
func wdTest(t *testing.T, project string) string {
	t.Helper()
	cfg, err := config.Load(project)
	if err != nil {
		t.Fatal(err)
	}
	worker := cfg.Services[0].Worker
	files, err := filepath.Glob(filepath.Join(project, "test", "*.test.ts"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no test files: %v", project, err)
	}
	dir := t.TempDir()
	var out strings.Builder
	out.WriteString("using Workerd = import \"/workerd/workerd.capnp\";\nconst config :Workerd.Config = (\n  services = [\n")
	service := func(name, entry string, extra string) {
		module := strings.ReplaceAll(name, "/", "-") + ".js"
		if err := os.WriteFile(filepath.Join(dir, module), bundle(t, entry), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "    ( name = %q, worker = (\n      compatibilityDate = %q, compatibilityFlags = [\"nodejs_compat\"],\n      modules = [ ( name = %q, esModule = embed %q ) ],\n", name, worker.CompatibilityDate, module, module)
		out.WriteString(extra)
		out.WriteString("    ) ),\n")
	}
	var namespaces strings.Builder
	for _, n := range worker.Namespaces {
		fmt.Fprintf(&namespaces, "        ( className = %q, uniqueKey = %q, enableSql = true ),\n", n.ClassName, n.UniqueKey)
	}
	service(worker.Name.Value, worker.Main.Value, fmt.Sprintf(
		"      durableObjectNamespaces = [\n%s      ],\n      durableObjectStorage = (localDisk = \"disk\"),\n      bindings = [\n%s      ],\n",
		namespaces.String(), bindings(t, worker, "")))
	slices.Sort(files)
	for _, f := range files {
		service("test/"+filepath.Base(f), f, fmt.Sprintf("      bindings = [\n%s        ( name = \"SELF\", service = %q ),\n      ],\n", bindings(t, worker, worker.Name.Value), worker.Name))
	}
	out.WriteString("    ( name = \"disk\", disk = (writable = true) ),\n  ],\n);\n")
	file := filepath.Join(dir, "packages.wd-test")
	if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// bindings writes a worker's bindings, as seen by another one if owner is named.
func bindings(t *testing.T, w *config.Worker, owner string) string {
	t.Helper()
	var out strings.Builder
	for _, b := range w.Bindings {
		switch {
		case b.Kind == config.BindingText:
			fmt.Fprintf(&out, "        ( name = %q, text = %q ),\n", b.Name, b.Text)
		case b.Kind == config.BindingDONamespace && owner == "":
			fmt.Fprintf(&out, "        ( name = %q, durableObjectNamespace = %q ),\n", b.Name, b.DurableObject.ClassName)
		case b.Kind == config.BindingDONamespace:
			fmt.Fprintf(&out, "        ( name = %q, durableObjectNamespace = (className = %q, serviceName = %q) ),\n", b.Name, b.DurableObject.ClassName, owner)
		default:
			t.Fatalf("%s: a binding of kind %s", b.Name, b.Kind)
		}
	}
	return out.String()
}

// bundle makes one module of an entry file, as wrangler would.
func bundle(t *testing.T, entry string) []byte {
	t.Helper()
	res := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Write: false, LogLevel: api.LogLevelSilent,
		Format: api.FormatESModule, Target: api.ES2024, KeepNames: true,
		Platform: api.PlatformBrowser, Conditions: []string{"workerd", "worker", "browser"},
		External: []string{"cloudflare:*", "node:*"},
	})
	if len(res.Errors) > 0 || len(res.OutputFiles) != 1 {
		t.Fatalf("%s: %v", entry, res.Errors)
	}
	return res.OutputFiles[0].Contents
}
