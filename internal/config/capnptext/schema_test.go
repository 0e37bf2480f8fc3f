package capnptext

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestSchemaAgainstWorkerd compares the table with a workerd.capnp, whose path
// DURASHIM_WORKERD_CAPNP gives (the file comes with the npm package workerd).
func TestSchemaAgainstWorkerd(t *testing.T) {
	path := os.Getenv("DURASHIM_WORKERD_CAPNP")
	if path == "" {
		t.Skip("DURASHIM_WORKERD_CAPNP is not set")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := readSchema(string(text))
	if len(want) < 40 {
		t.Fatalf("only %d types found in %s", len(want), path)
	}
	for name, fields := range want {
		st := schema()[name]
		if st == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		for _, f := range fields {
			got := st.field(f.name)
			switch {
			case got == nil:
				t.Errorf("%s.%s is missing", name, f.name)
			case got.union != f.union:
				t.Errorf("%s.%s: member of the union: got %v, want %v", name, f.name, got.union, f.union)
			case !strings.HasSuffix(strings.Trim(got.typ, "()"), strings.Trim(strings.TrimPrefix(f.typ, "List"), "()")),
				strings.HasPrefix(got.typ, "List(") != strings.HasPrefix(f.typ, "List("):
				t.Errorf("%s.%s: got type %s, want %s", name, f.name, got.typ, f.typ)
			}
		}
		if len(st.fields) != len(fields) {
			t.Errorf("%s has %d fields, want %d", name, len(st.fields), len(fields))
		}
	}
	for name, st := range schema() {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is in the table but not in workerd.capnp", name)
		}
		for _, f := range st.fields {
			elem := strings.TrimSuffix(strings.TrimPrefix(f.typ, "List("), ")")
			if !st.enum && !builtin(elem) && schema()[elem] == nil {
				t.Errorf("%s.%s has the unknown type %s", name, f.name, f.typ)
			}
		}
	}
}

var (
	openRE  = regexp.MustCompile(`^(struct|enum)\s+(\w+)\s*\{`)
	unionRE = regexp.MustCompile(`^union\s*\{`)
	groupRE = regexp.MustCompile(`^(\w+)\s*:\s*(group|union)\s*\{`)
	fieldRE = regexp.MustCompile(`^(\w+)\s*@\d+\s*(?::\s*([\w().]+))?`)
)

// readSchema reads the declarations of a schema file line by line, as far as
// the style of workerd.capnp goes.
func readSchema(text string) map[string][]schemaField {
	type scope struct {
		name         string
		union, inner bool // inner: an unnamed union, which belongs to name
	}
	types := map[string][]schemaField{}
	var stack []scope
	qualify := func(name string) string {
		if len(stack) > 0 {
			return stack[len(stack)-1].name + "." + name
		}
		return name
	}
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if m := openRE.FindStringSubmatch(line); m != nil {
			name := qualify(m[2])
			types[name] = nil
			stack = append(stack, scope{name: name})
		} else if unionRE.MatchString(line) {
			top := stack[len(stack)-1]
			stack = append(stack, scope{name: top.name, union: true, inner: true})
		} else if m := groupRE.FindStringSubmatch(line); m != nil {
			top := stack[len(stack)-1]
			name := qualify(m[1])
			types[top.name] = append(types[top.name], schemaField{m[1], name, top.union})
			types[name] = nil
			stack = append(stack, scope{name: name, union: m[2] == "union"})
		} else if m := fieldRE.FindStringSubmatch(line); m != nil && len(stack) > 0 {
			top := stack[len(stack)-1]
			types[top.name] = append(types[top.name], schemaField{m[1], m[2], top.union})
		} else if strings.HasPrefix(line, "}") && len(stack) > 0 {
			stack = stack[:len(stack)-1]
		}
	}
	return types
}
