package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
)

// The types of durashim:test name every fault, and no other.
func TestTypesNameEveryFault(t *testing.T) {
	text, err := os.ReadFile("../../types/durashim-test.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`readonly (\w+): (Timed)?Fault;`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
		if durable.FaultTakesDuration(m[1]) != (m[2] != "") {
			t.Errorf("%s: takes a time: %v", m[1], durable.FaultTakesDuration(m[1]))
		}
	}
	slices.Sort(got)
	if want := durable.FaultNames(); !slices.Equal(got, want) {
		t.Errorf("the types have %v, want %v", got, want)
	}
	for o := durable.Pending; o <= durable.Other; o++ {
		if !regexp.MustCompile(`"` + o.String() + `"`).Match(text) {
			t.Errorf("the types lack the outcome %q", o)
		}
	}
}

// The type of a call has the properties that calls have, and no others.
func TestTypesNameEveryPropertyOfACall(t *testing.T) {
	text, err := os.ReadFile("../../types/durashim-test.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(text), "export interface Call {")
	body, _, _ = strings.Cut(body, "\n  }\n")
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^ {4,6}readonly (\w+):`).FindAllStringSubmatch(body, -1) {
		want = append(want, m[1])
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A"]}]}`,
		"main.ts": `import { DurableObject } from "cloudflare:workers"; export class A extends DurableObject { m() {} } export default {};`,
		"a.test.ts": `import { faults, timeline } from "durashim:test";
export const keys = { async test(_: unknown, env: any) {
  faults.refuseRequest({ times: Infinity });
  for (let i = 0; i < 2; i++) await env.A.getByName("a").m().catch(() => {});
  const [first, second] = timeline.calls();
  console.log("keys", Object.keys(second).join(" "), Object.keys(second.repeats).join(" "), first.repeats);
} };`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr, code := durashim(t, "test", dir)
	_, line, _ := strings.Cut(stdout, "keys ")
	line, rest, _ := strings.Cut(line, " null")
	got := strings.Fields(line)
	slices.Sort(got)
	slices.Sort(want)
	if code != 0 || !slices.Equal(got, want) || strings.TrimSpace(rest) != "" {
		t.Errorf("status %d, calls have %v, the types %v\n%s%s", code, got, want, stdout, stderr)
	}
}

// The tsconfig.json of the example names files that are there, and the types.
func TestExampleNamesTheTypes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(inventory, "tsconfig.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct{ Include []string }
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range c.Include {
		if _, err := os.Stat(filepath.Join(inventory, name)); err != nil {
			t.Error(err)
		}
	}
	if !slices.Contains(c.Include, "../../types/durashim-test.d.ts") {
		t.Errorf("the types are not in %q", c.Include)
	}
}
