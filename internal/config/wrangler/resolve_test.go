package wrangler

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// resolveErrors are documents that parse but are wrong.
var resolveErrors = []struct{ text, want string }{
	{`[]`, `w:1:1: the file must hold an object, not an array`},
	{`{"compatability_date":"x"}`, `w:1:2: unknown field "compatability_date" (did you mean "compatibility_date"?)`},
	{`{"bogus":1}`, `w:1:2: unknown field "bogus"`},
	{`{"name":5}`, `w:1:9: "name" must be a string, not a number`},
	{`{"account_id":5}`, `w:1:15: "account_id" must be a string or null, not a number`},
	{`{"compatibility_flags":["a",{}]}`, `w:1:29: "compatibility_flags[1]" must be a string, not an object`},
	{`{"vars":5}`, `w:1:9: "vars" must be an object, not a number`},
	{`{"no_bundle":"yes"}`, `w:1:14: "no_bundle" must be a boolean, not a string`},
	{`{"durable_objects":{"bindings":[{"name":"A"}]}}`, `w:1:33: "durable_objects.bindings[0]" lacks the field "class_name"`},
	{`{"durable_objects":{"bindings":[{"name":"A","clas_name":"A"}]}}`, `w:1:45: unknown field "clas_name" in "durable_objects.bindings[0]" (did you mean "class_name"?)`},
	{`{"durable_objects":{"binding":[]}}`, `w:1:21: unknown field "binding" in "durable_objects" (did you mean "bindings"?)`},
	{`{"rules":[{"type":"Txt","globs":[]}]}`, `w:1:19: "rules[0].type" must be one of ESModule, CommonJS, CompiledWasm, Text, Data, PythonModule, PythonRequirement, not "Txt" (did you mean "Text"?)`},
	{`{"define":{"A":1}}`, `w:1:16: "define.A" must be a string, not a number`},
	{`{"dev":{"port":"1"}}`, `w:1:16: "dev.port" must be a number, not a string`},
	{`{"triggers":{"cron":[]}}`, `w:1:14: unknown field "cron" in "triggers" (did you mean "crons"?)`},
	{`{"env":[]}`, `w:1:8: "env" must be an object, not an array`},
	{`{"env":{"a":[]}}`, `w:1:13: "env.a" must be an object, not an array`},
	{`{"env":{"":{}}}`, `w:1:9: the name of an environment is empty`},
	{`{"env":{"a":{"env":{}}}}`, `w:1:14: unknown field "env.a.env"`},
	{`{"env":{"a":{"vras":{}}}}`, `w:1:14: unknown field "env.a.vras" (did you mean "vars"?)`},
	{`{"env":{"a":{"main":1}}}`, `w:1:21: "env.a.main" must be a string, not a number`},
	{`{"env":{"a":{"dev":{}}}}`, `w:1:14: "dev" may stand at the top level only, not in an environment`},
}

func TestResolveErrors(t *testing.T) {
	for _, tc := range resolveErrors {
		n, err := ParseJSON("w", []byte(tc.text))
		if err == nil {
			_, err = Resolve(n, "")
		}
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s\n  got  %v\n  want %s", tc.text, err, tc.want)
		}
	}
}

// TestEnvironments follows
// https://developers.cloudflare.com/workers/wrangler/configuration/#environments:
// some keys are inherited, bindings and vars are not, and the worker has a name
// of its own.
func TestEnvironments(t *testing.T) {
	n, err := ParseJSON("w", []byte(`{
	  "name": "w", "main": "a.js", "compatibility_flags": ["x"], "define": {"D": "1"}, "dev": {"port": 1},
	  "vars": {"V": "top"}, "kv_namespaces": [{}], "r2_buckets": [], "assets": {"directory": "d"},
	  "env": {
	    "staging": {"vars": {"V": "staging"}, "compatibility_flags": []},
	    "named": {"name": "other", "main": "b.js", "d1_databases": [{}]},
	  }
	}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ env, want string }{
		{"", `w main="a.js" compatibility_flags=["x"] define={"D":"1"} dev={"port":1} vars={"V":"top"} unsupported: assets kv_namespaces`},
		{"staging", `w-staging main="a.js" compatibility_flags=[] dev={"port":1} vars={"V":"staging"} unsupported: assets`},
		{"named", `other main="b.js" compatibility_flags=["x"] dev={"port":1} unsupported: assets d1_databases`},
	} {
		r, err := Resolve(n, tc.env)
		if err != nil {
			t.Errorf("%s: %v", tc.env, err)
			continue
		}
		got := r.Name.Text
		for _, f := range []string{"main", "compatibility_flags", "define", "dev", "vars"} {
			if v := r.Get(f); v != nil {
				got += " " + f + "=" + v.JSON()
			}
		}
		got += " unsupported:"
		for _, m := range r.Unsupported() {
			got += " " + m.Name
		}
		if got != tc.want {
			t.Errorf("%s:\n got  %s\n want %s", tc.env, got, tc.want)
		}
	}
	if n.Get("name").Text != "w" {
		t.Error("the document was changed")
	}
	_, err = Resolve(n, "stagin")
	if want := `w:4:11: no environment "stagin" in "env" (did you mean "staging"?)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestClasses has the unique keys and storage kinds that workerd makes of the
// same files.
func TestClasses(t *testing.T) {
	const bind = `"durable_objects":{"bindings":[{"name":"A","class_name":"A"},{"name":"B","class_name":"B"}]},`
	m := func(steps ...string) string { return `"migrations":[{` + strings.Join(steps, `},{`) + `}]` }
	for _, tc := range []struct{ text, want string }{
		{bind, `A(A) B(B)`},
		{bind + m(`"new_classes":["A"],"new_sqlite_classes":["B"]`), `A(A) B(B,sql)`},
		{bind + m(`"new_classes":["Z"],"new_sqlite_classes":["B"]`, `"renamed_classes":[{"from":"Z","to":"A"}]`), `A(Z) B(B,sql)`},
		{bind + m(`"new_sqlite_classes":["A","B","C"]`, `"deleted_classes":["B"]`), `A(A,sql) B(B~1) C(C,sql)`},
		{bind + m(`"new_sqlite_classes":["A","B","C"]`, `"deleted_classes":["C"]`, `"new_classes":["C"]`), `A(A,sql) B(B,sql) C(C~1)`},
		{m(`"new_sqlite_classes":["A"]`, `"deleted_classes":["A"]`, `"new_sqlite_classes":["A"]`, `"deleted_classes":["A"]`, `"new_sqlite_classes":["A"]`), `A(A~2,sql)`},
		{m(`"new_sqlite_classes":["Z"]`, `"renamed_classes":[{"from":"Z","to":"A"}]`, `"deleted_classes":["A"]`, `"new_sqlite_classes":["A"]`), `A(A,sql)`},
		{m(`"new_sqlite_classes":["Z"]`, `"renamed_classes":[{"from":"Z","to":"A"}]`, `"new_sqlite_classes":["Z"]`), `A(Z,sql) Z(Z~1,sql)`},
		{m(`"new_sqlite_classes":["B","A"]`, `"renamed_classes":[{"from":"A","to":"C"},{"from":"B","to":"A"}]`), `A(B,sql) C(A,sql)`},
		{m(`"new_sqlite_classes":["B","A"]`, `"deleted_classes":["A"],"renamed_classes":[{"from":"B","to":"A"}]`), `A(B,sql)`},
		{`"exports":{"A":{"type":"durable-object","storage":"sqlite"},"B":{"type":"durable-object","storage":"legacy-kv"}}`, `A(A,sql) B(B)`},
		{`"exports":{"B":{"type":"durable-object","storage":"sqlite"},"A":{"type":"durable-object","state":"renamed","renamed_to":"B"}}`, `B(A,sql)`},
		{`"exports":{"A":{"type":"durable-object","state":"deleted"}}`, ``},
		{`"name":"me","durable_objects":{"bindings":[{"name":"A","class_name":"A","script_name":"me"},{"name":"B","class_name":"B","script_name":"other"}]}`, `A(A)`},

		{m(`"new_sqlite_classes":["A","A"]`), `w:1:43: migrations: new class A already exists`},
		{m(`"new_sqlite_classes":["A"],"new_classes":["A"]`), `w:1:39: migrations: new class A already exists`},
		{m(`"new_sqlite_classes":["A","B"]`, `"renamed_classes":[{"from":"A","to":"B"}]`), `w:1:86: migrations: renamed-to class B already exists`},
		{m(`"renamed_classes":[{"from":"Q","to":"C"}]`), `w:1:44: migrations: renamed class Q does not exist`},
		{m(`"new_sqlite_classes":["A"],"deleted_classes":["A"]`), `w:1:63: migrations: deleted class A does not exist`},
		{m(`"transferred_classes":[{}]`), `w:1:39: transferred_classes needs the objects of another worker, which a local runtime has not`},
		{`"exports":{"A":{"type":"durable-object"}}`, `w:1:17: exports: A has the wrong fields for its state: "created" needs storage alone`},
		{`"exports":{"A":{"type":"durable-object","state":"renamed","renamed_to":"B"}}`, `w:1:73: exports: renamed-to class B is not declared`},
		{`"exports":{"A":{"type":"durable-object","storage":"sqlite"}},` + m(`"new_classes":["B"]`), `w:1:12: exports and migrations cannot both declare Durable Objects`},
	} {
		n, err := ParseJSON("w", []byte("{"+tc.text+"}"))
		if err != nil {
			t.Fatalf("%s: %v", tc.text, err)
		}
		r, err := Resolve(n, "")
		if err != nil {
			t.Fatalf("%s: %v", tc.text, err)
		}
		var got []string
		classes, err := r.Classes()
		for _, c := range classes {
			s := fmt.Sprintf("%s(%s", c.Name, c.Key)
			if c.SQL {
				s += ",sql"
			}
			got = append(got, s+")")
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if g := strings.Join(got, " "); g != tc.want {
			t.Errorf("%s\n got  %s\n want %s", tc.text, g, tc.want)
		}
	}
}

// TestFields checks the list of fields itself.
func TestFields(t *testing.T) {
	seen := map[string]bool{"env": true}
	for _, f := range topFields {
		if seen[f.name] {
			t.Errorf("%s is listed twice", f.name)
		}
		seen[f.name] = true
		if f.shape == nil {
			t.Errorf("%s has no shape", f.name)
		}
	}
	for _, name := range []string{"$schema", "account_id", "routes", "observability", "dev"} {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestScopes compares the table of fields with wrangler 4.86: which fields an
// environment inherits, which it must state again (own), which may only stand at
// the top. Measured by reading a file with the field at the top and an empty
// environment (unstable_readConfig); the fields of the top alone are those that
// its JSON schema knows there alone.
func TestScopes(t *testing.T) {
	data, err := os.ReadFile("testdata/scopes.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for name, scope := range want {
		f := topFieldNamed(name)
		if f == nil {
			t.Errorf("%s: unknown", name)
		} else if got := [...]string{"inherited", "own", "top"}[f.scope]; got != scope {
			t.Errorf("%s: %s, want %s", name, got, scope)
		}
	}
}
