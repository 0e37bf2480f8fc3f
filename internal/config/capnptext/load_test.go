package capnptext

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/internal/config/source"
)

// memory serves files from a map.
func memory(files map[string]string) Options {
	return Options{
		ReadFile: func(path string) ([]byte, error) {
			text, ok := files[filepath.ToSlash(path)]
			if !ok {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			return []byte(text), nil
		},
		ImportPath: []string{"lib"},
	}
}

const head = `using Workerd = import "/workerd/workerd.capnp";` + "\n"

// TestValues has the bytes that workerd reads for each literal.
func TestValues(t *testing.T) {
	files := map[string]string{
		"d/e.txt":       "embedded\n",
		"lib/x/y.capnp": `const v :Text = "from the path";`,
		"d/o.capnp":     `using Alias = import "p.capnp"; const v :Text = .w; const w :Text = "other";`,
		"d/p.capnp":     `using Back = import "o.capnp"; const v :Text = "third";`,
	}
	for _, tc := range []struct{ typ, expr, want string }{
		{"Text", `"a\n\t\x41\101\"\\\a\b\f\v\r\?\0z"`, "a\n\tAA\"\\\a\b\f\v\r?\x00z"},
		{"Text", `"\'"`, "'"},
		{"Text", `"\7\18\400"`, "\a\x018\x00"},
		{"Text", `"\xff"`, "\xff"},
		{"Text", `"tab	in"`, "tab\tin"},
		{"Text", `""`, ""},
		{"Text", `"a" "b"` + "\n  " + `"c"`, "abc"},
		{"Text", `"a" # comment` + "\n" + `"b"`, "ab"},
		{"Text", "\n`line 1 \"x\" \\n\n`line 2\n", "line 1 \"x\" \\n\nline 2\n"},
		{"Text", "\n`line 1\n# comment\n\n   `line 2\n", "line 1\nline 2\n"},
		{"Text", "\"x\"\n`line 1\n", "xline 1\n"},
		{"Text", "`a b\r\n", "a b\n"},
		{"Text", `("p")`, "p"},
		{"Text", `((("p")))`, "p"},
		{"Text", `.later`, "L"},
		{"Text", `. later`, "L"},
		{"Text", `embed "e.txt"`, "embedded\n"},
		{"Text", `import "o.capnp".v`, "other"},
		{"Text", `(import "o.capnp").v`, "other"},
		{"Text", `O.v`, "other"},
		{"Text", `O.Alias.v`, "third"},
		{"Text", `O.Alias.Back.w`, "other"},
		{"Text", `.w`, "other"},
		{"Text", `.q`, "other"},
		{"Text", `import "/x/y.capnp".v`, "from the path"},
		{"Data", `"abc"`, "abc"},
		{"Data", `0x"41 42 ff"`, "AB\xff"},
		{"Data", `0x""`, ""},
		{"Data", `embed "e.txt"`, "embedded\n"},
		{"Workerd.HttpOptions.Style", `proxy`, "proxy"},
	} {
		text := head + `using O = import "o.capnp"; using import "o.capnp".w; using q = import "o.capnp".w;
const later :Text = "L";
const c :` + tc.typ + " = " + tc.expr + ";"
		consts, err := Load("d/c.capnp", []byte(text), memory(files))
		if err != nil {
			t.Errorf("%s: %v", tc.expr, err)
			continue
		}
		v := consts[len(consts)-1].Value
		if v.Text != tc.want {
			t.Errorf("%s = %q, want %q", tc.expr, v.Text, tc.want)
		}
		if embedded := strings.HasPrefix(tc.expr, "embed"); embedded != (v.Embedded == "d/e.txt") {
			t.Errorf("%s: embedded from %q", tc.expr, v.Embedded)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tc := range []struct {
		typ, expr string
		want      uint64
		neg       bool
	}{
		{"UInt32", "010", 8, false},
		{"UInt32", "0x1F", 31, false},
		{"UInt32", "4294967295", 1<<32 - 1, false},
		{"UInt64", "18446744073709551615", 1<<64 - 1, false},
		{"Int8", "-128", 128, true},
		{"Int8", "127", 127, false},
		{"UInt8", "-0", 0, false},
	} {
		consts, err := Load("c", []byte("const c :"+tc.typ+" = "+tc.expr+";"), Options{})
		if err != nil {
			t.Errorf("%s: %v", tc.expr, err)
		} else if v := consts[0].Value; v.Uint != tc.want || v.Neg != tc.neg {
			t.Errorf("%s = %v %v", tc.expr, v.Neg, v.Uint)
		}
	}
	consts, err := Load("c", []byte("const c :Float64 = -1.5e-3; const d :Float32 = 2;"), Options{})
	if err != nil || consts[0].Value.Float != -1.5e-3 || consts[1].Value.Float != 2 {
		t.Errorf("got %v, %v", consts, err)
	}
}

func TestStruct(t *testing.T) {
	text := head + `using W = Workerd.Worker;
const worker :W = (
  modules = [ (name = "main", esModule = "x"), ],
  bindings = .b,
);
const b :List(W.Binding) = [ (name = "s", service = "t"), .e, ];
const e :W.Binding = (name = "u", unsafeEval = void);
const s :Workerd.Socket = ("x");
const none :W.Binding = ();
`
	consts, err := Load("c", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := consts[0].Value
	if w.Type != "Worker" || w.Member().Name != "modules" || w.Pos.String() != "c:3:19" {
		t.Errorf("got %s, union %v, at %v", w.Type, w.Member(), w.Pos)
	}
	bindings := w.Get("bindings")
	if len(bindings.Items) != 2 || bindings.Type != "List(Worker.Binding)" {
		t.Fatalf("bindings: %+v", bindings)
	}
	ref := bindings.Items[0].Get("service")
	if ref.Type != "ServiceDesignator" || ref.Get("name").Text != "t" || ref.Pos.String() != "c:7:53" {
		t.Errorf("the designator is %+v at %v", ref, ref.Pos)
	}
	if e := bindings.Items[1]; e != consts[2].Value || e.Member().Name != "unsafeEval" || e.Pos.String() != "c:8:22" {
		t.Errorf("the referenced binding is %+v", e)
	}
	if s := consts[3].Value; s.Get("name").Text != "x" {
		t.Errorf("the implied field of Socket is %+v", s)
	}
	if n := consts[4].Value; n.Member() != nil || n.Get("name") != nil {
		t.Errorf("an empty struct has %+v", n)
	}
}

// errorCases are texts (after head, which is line 1) and their errors.
var errorCases = []struct{ text, want string }{
	// Lexical errors.
	{`const c :Text = "a`, `2:17: the string does not end`},
	{"const c :Text = \"a\nb\";", `2:17: the string does not end on its line; write \n, or lines that begin with a backtick`},
	{`const c :Text = "a\q";`, `2:19: unknown escape \q`},
	{`const c :Text = "a\8";`, `2:19: unknown escape \8`},
	{`const c :Text = "\u0041";`, `2:18: unknown escape \u`},
	{`const c :Text = "\x4";`, `2:18: \x needs two hexadecimal digits`},
	{`const c :Text = 'abc';`, `2:17: strings are written with double quotes`},
	{`const c :Data = 0x"4g";`, `2:20: binary data is written as pairs of hexadecimal digits`},
	{`const c :Data = 0x"4";`, `2:20: binary data is written as pairs of hexadecimal digits`},
	{`const c :Data = 0x"41`, `2:17: the binary literal does not end`},
	{`const c :Text = ÿ;`, `2:17: unexpected character "ÿ"`},
	{`const c :UInt8 = 08;`, `2:18: invalid number 08`},
	{`const c :UInt8 = 1_000;`, `2:18: invalid number 1_000`},
	{`const c :Float64 = 1.2.3;`, `2:20: invalid number 1.2.3`},
	// Declarations.
	{`bogus z :Text = "x";`, `2:1: expected 'using' or 'const', found 'bogus'`},
	{`cosnt z :Text = "x";`, `2:1: expected 'using' or 'const', found 'cosnt' (did you mean "const"?)`},
	{`;`, `2:1: expected 'using' or 'const', found ';'`},
	{`struct Foo { a @0 :Text; }`, `2:1: 'struct' declares a type, which is not supported in a configuration: only 'using' and 'const' are`},
	{`const c :Text = "x"`, `2:20: expected ';', found the end of the file`},
	{`const c :Text = "x" }`, `2:21: expected ';', found '}'`},
	{`const c = "x";`, `2:9: expected ':', found '='`},
	{`const c :Text "x";`, `2:15: expected '=', found a string`},
	{`const 5 :Text = "x";`, `2:7: expected the name of the constant, found the number 5`},
	{`const C :Text = "x";`, `2:7: the name of a constant must begin with a lower-case letter`},
	{`const c_d :Text = "x";`, `2:7: the name of a constant must not contain an underscore`},
	{`const c :Text = "x"; const c :Text = "x";`, `2:28: 'c' is already defined at line 2`},
	{`@0x1;`, `2:2: invalid file ID: want a 64-bit number with its top bit set, as in @0x8123456789abcdef`},
	{`@0xb6afd26682091c01; @0xb6afd26682091c01;`, `2:22: a file can have only one ID`},
	{`using q = "a";`, `2:11: expected a name or an import`},
	{`using import "o.capnp";`, `2:7: 'using' without '=' must name a declaration of another file`},
	// Types.
	{`const c :Workerd.Bogus = ();`, `2:18: 'Workerd' has no member named 'Bogus'`},
	{`const c :Workerd.Confg = ();`, `2:18: 'Workerd' has no member named 'Confg' (did you mean "Config"?)`},
	{`const c :Workerd.Worker.durableObjectStorage = ();`, `2:25: 'Workerd.Worker' has no member named 'durableObjectStorage'`},
	{`const c :Workerd = ();`, `2:10: 'Workerd' is not a type`},
	{`const c :Config = ();`, `2:10: not defined: Config`},
	{`const c :List = [];`, `2:10: 'List' needs the type of its elements: List(Text)`},
	{`const c :Text(Text) = "";`, `2:10: 'Text' does not take a type in parentheses`},
	{`const c :"x" = "";`, `2:10: expected a type`},
	{`const c :AnyPointer = "x";`, `2:23: type mismatch: expected AnyPointer, found a string`},
	// Values.
	{`const c :Text = ;`, `2:17: expected a value, found ';'`},
	{`const c :Text =.d; const d :Text = "x";`, `2:15: expected '=', found '=.'`},
	{`const c :Text = 5;`, `2:17: type mismatch: expected Text, found a number`},
	{`const c :Text = -x;`, `2:18: expected a number after '-', found 'x'`},
	{`const c :Text = true;`, `2:17: type mismatch: expected Text, found 'true'`},
	{`const c :Text = void;`, `2:17: type mismatch: expected Text, found 'void'`},
	{`const c :Text = [];`, `2:17: type mismatch: expected Text, found a list`},
	{`const c :Text = (name = "z");`, `2:17: type mismatch: expected Text, found a struct`},
	{`const c :Text = ("p", "q");`, `2:17: type mismatch: expected Text, found a struct`},
	{`const c :Text = 0x"41";`, `2:17: type mismatch: expected Text, found binary data`},
	{`const c :Text = "a" 5;`, `2:21: expected ';', found the number 5`},
	{`const c :Text = x;`, `2:17: not defined: x`},
	{`const c :Text = .x;`, `2:17: not defined: .x`},
	{`const c :Text = .nme; const name :Text = "";`, `2:17: not defined: .nme (did you mean "name"?)`},
	{`const c :Text = d; const d :Text = "";`, `2:17: the name of a constant must be qualified: write '.d' for 'd'`},
	{`const c :Text = Workerd;`, `2:17: 'Workerd' does not refer to a constant`},
	{`const c :Text = Workerd.Config;`, `2:25: 'Workerd.Config' does not refer to a constant`},
	{`const c :Text = .d.e; const d :Text = "";`, `2:20: '.d' has no member named 'e'`},
	{`const c :Text = .d; const d :Data = "";`, `2:17: type mismatch: expected Text, found '.d' of type Data`},
	{`const c :Text = .c;`, `2:7: constant 'c' depends on itself`},
	{`const c :Text = .d; const d :Text = .e; const e :Text = .d;`, `2:27: constant 'd' depends on itself`},
	{`using A = B; using B = A;`, `2:11: 'B' depends on itself, or on too many aliases`},
	{`const c :Bool = 1;`, `2:17: type mismatch: expected Bool, found a number`},
	{`const c :Bool = "x";`, `2:17: type mismatch: expected Bool, found a string`},
	{`const c :Bool = True;`, `2:17: not defined: True`},
	{`const c :UInt32 = 4294967296;`, `2:19: the integer is out of the range of UInt32`},
	{`const c :UInt64 = 18446744073709551616;`, `2:19: the integer is out of the range of UInt64`},
	{`const c :UInt32 = -1;`, `2:19: the integer is out of the range of UInt32`},
	{`const c :Int8 = 128;`, `2:17: the integer is out of the range of Int8`},
	{`const c :Int8 = -129;`, `2:17: the integer is out of the range of Int8`},
	{`const c :UInt32 = 1.5;`, `2:19: type mismatch: expected UInt32, found a number`},
	{`const c :UInt32 = 1e3;`, `2:19: type mismatch: expected UInt32, found a number`},
	{`const c :List(Text) = "x";`, `2:23: type mismatch: expected List(Text), found a string`},
	{`const c :List(Text) = ["x", 5];`, `2:29: type mismatch: expected Text, found a number`},
	{`const c :List(Text) = ["x",,];`, `2:28: expected a value before ','`},
	{`const c :List(Text) = ["x" "y" 5];`, `2:32: expected ',' or ']', found the number 5`},
	{`const c :List(Text) = ["x");`, `2:27: expected ',' or ']', found ')'`},
	{`const c :Workerd.HttpOptions = (style = prox);`, `2:41: HttpOptions.Style has no value named 'prox' (did you mean "proxy"?)`},
	{`const c :Workerd.HttpOptions = (style = "proxy");`, `2:41: type mismatch: expected HttpOptions.Style, found a string`},
	// Structs.
	{`const c :Workerd.Worker.Binding = (name = "a", txet = "x");`, `2:48: Worker.Binding has no field named 'txet' (did you mean "text"?)`},
	{`const c :Workerd.Worker.Binding = (name = "a", name = "b");`, `2:48: field 'name' is already set at line 2, column 36`},
	{`const c :Workerd.Worker.Binding = (text = "a", json = "b");`, `2:48: 'json' and 'text' (line 2, column 36) are members of one union: only one may be set`},
	{`const c :Workerd.Worker.Binding = (name = "a",, text = "b");`, `2:47: expected a field before ','`},
	{`const c :Workerd.Worker.Binding = (, name = "a");`, `2:36: expected a field before ','`},
	{`const c :Workerd.Worker.Binding = (name = "a" text = "b");`, `2:47: expected ',' or ')', found 'text'`},
	{`const c :Workerd.Worker.Binding = (name = "q", ("x"));`, `2:48: the field of Worker.Binding lacks its name: write name = value`},
	{`const c :Workerd.Worker.Binding = (name = "a", unsafeEval = ());`, `2:61: type mismatch: expected Void, found a struct`},
	{`const c :Workerd.Worker.Binding = (text =.d); const d :Text = "";`, `2:41: expected '=', found '=.' (operators must be separated by a blank)`},
	{`const c :Workerd.Service = (worker = "w");`, `2:38: type mismatch: expected Worker, found a string`},
	{`const c :Workerd.Service = (network = ["private"]);`, `2:39: type mismatch: expected Network, found a list`},
	{`const c :Workerd.Worker = (durableObjectStorage = "x");`, `2:51: type mismatch: expected Worker.durableObjectStorage, found a string`},
	{`const c :Workerd.WorkflowsEngine = "x";`, `2:36: type mismatch: expected WorkflowsEngine, found a string`},
	{`const c :Workerd.ServiceDesignator = (props = "{}");`, `2:47: type mismatch: expected ServiceDesignator.props, found a string`},
	{`const c :Workerd.ServiceDesignator = embed "e.txt";`, `2:44: type mismatch: expected ServiceDesignator, found an embedded file`},
	// Other files.
	{`const c :Text = embed "none";`, `2:23: cannot read the embedded file: open d/none: file does not exist`},
	{`const c :Text = embed "e.txt" "x";`, `2:31: expected ';', found a string`},
	{`const c :Text = embed 5;`, `2:23: expected ';', found the number 5`},
	{`using X = import "none";`, `2:18: import failed: open d/none: file does not exist`},
	{`using X = import "/workerd/workerds.capnp";`, `2:18: import failed: open lib/workerd/workerds.capnp: file does not exist`},
	{`using X = import "bad.capnp";`, `d/bad.capnp:3:17: expected a value, found ';'`},
	{`using import "o.capnp".nope;`, `2:24: 'import "o.capnp"' has no member named 'nope'`},
	{`using O = import "o.capnp"; const c :Text = O;`, `2:45: 'O' does not refer to a constant`},
	{`using O = import "o.capnp"; const c :Text = O.n;`, `d/o.capnp:1:17: type mismatch: expected Text, found a number`},
}

func TestErrors(t *testing.T) {
	options := memory(map[string]string{
		"d/e.txt":     "e",
		"d/bad.capnp": "# one\n# two\nconst c :Text = ;",
		"d/o.capnp":   "const n :Text = 5;",
	})
	for _, tc := range errorCases {
		_, err := Load("d/c.capnp", []byte(head+tc.text), options)
		if err == nil {
			t.Errorf("%s\n  no error, want %s", tc.text, tc.want)
			continue
		}
		var se *source.Error
		if !errors.As(err, &se) {
			t.Errorf("%s\n  %T has no place", tc.text, err)
		}
		want := tc.want
		if !strings.HasPrefix(want, "d/") {
			want = "d/c.capnp:" + want
		}
		if err.Error() != want {
			t.Errorf("%s\n  got  %v\n  want %s", tc.text, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	bomb := head + "const a0 :Workerd.Worker.Binding = (text = \"x\");\n"
	for i := 1; i <= 40; i++ {
		prev, cur := "a"+itoa(i-1), "a"+itoa(i)
		bomb += "const " + cur + " :Workerd.Worker.Binding = (wrapped = (innerBindings = [ ." + prev + ", ." + prev + " ]));\n"
	}
	chain := ""
	for i := 0; i < 5000; i++ {
		chain += "const a" + itoa(i) + " :Text = .a" + itoa(i+1) + ";\n"
	}
	for name, tc := range map[string]struct{ text, want string }{
		"references": {bomb, "has more than"},
		"brackets":   {"const c :Text = " + strings.Repeat("(", 100000), "nests deeper"},
		"types":      {"const c :" + strings.Repeat("List(", 100000), "nests deeper"},
		"members":    {"const c :Text = a" + strings.Repeat(".a", 100000) + ";", "more than 200 parts"},
		"chain":      {chain, "is reached through more than"},
		"size":       {strings.Repeat(" ", maxSize+1), "the file is larger than"},
	} {
		_, err := Load("c", []byte(tc.text), Options{})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		}
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func TestMisc(t *testing.T) {
	for _, text := range []string{
		"\ufeff" + head + "const c :Text = \"x\";",
		strings.ReplaceAll(head+"const c :Text = \"x\";\n", "\n", "\r\n"),
		"@0xb6afd26682091c01;\n" + head + `using Cxx = import "/capnp/c++.capnp"; $Cxx.namespace("x"); const c :Text = "x" $Cxx.name("d");`,
		`const c :Text = "x"; using z = .c; using Y = .W; using W = import "/workerd/workerd.capnp";`,
		`const using :Text = "x"; const true :Text = "y";`,
		`const c @0xb6afd26682091c01 :Text = "x"; # last line`,
	} {
		if consts, err := Load("c", []byte(text), Options{}); err != nil || consts[0].Value.Text != "x" {
			t.Errorf("%q: %v, %v", text, consts, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, tc := range errorCases {
		f.Add(head + tc.text)
	}
	f.Add(head + "const c :Workerd.Config = (services = [ (name = \"t\", worker = .w), ], sockets = [\"x\"]);\nconst w :Workerd.Worker = (modules = [ (name = \"w\", esModule =\n  `code\n) ]);")
	f.Add(`using O = import "o.capnp"; using import "o.capnp".w; const c :Data = 0x"41 42"; const d :Int8 = -0x1F;`)
	options := memory(map[string]string{"e.txt": "e", "o.capnp": `const w :Text = "x"; using Back = import "c";`})
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Load("c", []byte(text), options)
		var se *source.Error
		if err != nil && (!errors.As(err, &se) || se.Pos.Line < 1 || se.Pos.Col < 1 || se.Pos.File == "") {
			t.Errorf("%q: the error %q has no place", text, err)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	text := []byte(head + "const c :Workerd.Config = (services = [" +
		strings.Repeat("(name = \"t\", worker = (modules = [(name = \"w\", esModule = \"export default {}\")], bindings = [(name = \"a\", text = \"1\")])),\n", 50) + "]);")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load("c", text, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
