package dotenv

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// skipped are the texts of the golden file that wrangler passes over without a
// word and that are errors here.
var skipped = map[string]string{
	"A:1": "f:1:1", "A": "f:1:1", "=1": "f:1:1", "A B=1": "f:1:1", "Ä=1": "f:1:1",
}

// TestParse compares with what wrangler 4.86 reads from the same texts.
func TestParse(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][2]any
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 50 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		text := c[0].(string)
		vars, err := Parse("f", []byte(text))
		if at, ok := skipped[text]; ok {
			if err == nil || !strings.HasPrefix(err.Error(), at+": ") {
				t.Errorf("%q: error %v, want one at %s", text, err, at)
			}
			continue
		}
		got := map[string]any{}
		for _, v := range vars {
			got[v.Name] = v.Value
		}
		if err != nil || !reflect.DeepEqual(got, c[1]) {
			t.Errorf("%q\n got  %v, %v\n want %v", text, got, err, c[1])
		}
	}
}

func TestPlaces(t *testing.T) {
	vars, err := Parse("f", []byte("# a\nA=1\n\n  export B='x\ny'\nC=3"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range vars {
		got = append(got, v.Name+"@"+v.Pos.String())
	}
	if want := "A@f:2:1 B@f:4:3 C@f:6:1"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if _, err := Parse("f", []byte("A=1\nsecret\n")); err == nil || !strings.HasPrefix(err.Error(), "f:2:1: ") {
		t.Errorf("error %v, want one at f:2:1", err)
	}
}

// FuzzParse: every text ends, and what was read is read again from quotes.
func FuzzParse(f *testing.F) {
	f.Add([]byte("A=1\nexport B='x\ny' # c\nC=\"a\\nb\"\nD: x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		vars, err := Parse("f", text)
		if err != nil {
			return
		}
		for _, v := range vars {
			if strings.ContainsAny(v.Value, "'\\\r") {
				continue
			}
			again, err := Parse("f", []byte(v.Name+"='"+v.Value+"'"))
			if err != nil || len(again) != 1 || again[0].Name != v.Name || again[0].Value != v.Value {
				t.Fatalf("%q = %q became %v, %v", v.Name, v.Value, again, err)
			}
		}
	})
}
