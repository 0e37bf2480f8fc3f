package runtime_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

// project writes a project with one worker, main.js, and a binding for each
// class, named like the class in upper case.
func project(t testing.TB, script string, classes ...string) string {
	t.Helper()
	var bindings, names []string
	for _, c := range classes {
		bindings = append(bindings, `{"name": "`+strings.ToUpper(c)+`", "class_name": "`+c+`"}`)
		names = append(names, `"`+c+`"`)
	}
	dir := t.TempDir()
	write(t, dir, "wrangler.json", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
		"durable_objects": {"bindings": [`+strings.Join(bindings, ",")+`]},
		"migrations": [{"tag": "v1", "new_sqlite_classes": [`+strings.Join(names, ",")+`]}]}`)
	write(t, dir, "main.js", script)
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// open opens a project under a virtual clock with a fixed seed.
func open(t testing.TB, dir string, change func(*runtime.Options)) *runtime.Runtime {
	t.Helper()
	seed := uint64(1)
	o := runtime.Options{Clock: runtime.NewVirtualClock(), Seed: &seed, Record: true}
	if change != nil {
		change(&o)
	}
	rt, err := runtime.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt
}

func number(t testing.TB, v runtime.Value, err error) float64 {
	t.Helper()
	var f float64
	if err == nil {
		err = v.Decode(&f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func upper(s string) string { return strings.ToUpper(s) }
