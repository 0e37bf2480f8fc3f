package conformance

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func res(id, failure string) Result {
	file, test, _ := strings.Cut(id, ":")
	return Result{Case: id, Area: File{Name: file}.Area(), File: file, Test: test, Passed: failure == "", Error: failure}
}

func verdicts(rows []Row) string {
	var list []string
	for _, r := range rows {
		list = append(list, r.Case+"="+string(r.Verdict))
	}
	return strings.Join(list, " ")
}

func TestJudge(t *testing.T) {
	entry := func(names ...string) Difference { return Difference{Case: names} }
	known := Differences{entry("a/f:known"), entry("a/f:fixed"), entry("a/broken"), entry("a/mended")}
	mine := []Result{res("a/f:ok", ""), res("a/f:bad", "x"), res("a/f:known", "x"), res("a/f:fixed", ""), res("a/broken", "x"), res("a/mended:t", "")}
	for _, c := range []struct {
		name     string
		others   []Result
		compared bool
		want     string
	}{
		{"alone", nil, false,
			"a/f:ok=same a/f:bad=new a/f:known=known a/f:fixed=outdated a/broken=known a/mended:t=outdated"},
		{"compared", []Result{res("a/f:ok", ""), res("a/f:bad", "y"), res("a/f:known", ""), res("a/f:fixed", "y"), res("a/f:extra", ""), res("a/broken:t", ""), res("a/mended:t", "")}, true,
			"a/f:ok=same a/f:bad=same a/f:known=known a/f:fixed=new a/f:extra=new a/broken:t=known a/mended:t=outdated"},
		{"neither loads", []Result{res("a/broken", "y")}, true,
			"a/f:ok=new a/f:bad=same a/f:known=outdated a/f:fixed=known a/broken=outdated a/mended:t=known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := known
			if c.name == "compared" {
				list = Differences{known[0], known[2], known[3]}
			}
			rows := Compare(mine, c.others, c.compared)
			Judge(rows, list)
			if got := verdicts(rows); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Entries for files and patterns.
func TestJudgeWhole(t *testing.T) {
	known := Differences{{Case: Names{"alarms/*"}}, {Case: Names{"alarms/one:special", "sql/sql"}}, {Case: Names{"kv/b:disk*"}}}
	mine := []Result{
		res("alarms/one:a", "x"), res("alarms/one:special", "x"), res("alarms/two", "x"), res("alarms/deep/er:a", "x"),
		res("sql/sql:good", ""), res("sql/sql:bad", "x"), res("sql/sql2:a", "x"), res("kv/a:disk", "x"), res("kv/b:disk", "x"), res("kv/b:diskSize", "x"), res("kv/b:other", "x"),
	}
	rows := Compare(mine, nil, false)
	Judge(rows, known)
	want := "alarms/one:a=known alarms/one:special=known alarms/two=known alarms/deep/er:a=new " +
		"sql/sql:good=outdated sql/sql:bad=known sql/sql2:a=new kv/a:disk=new kv/b:disk=known kv/b:diskSize=known kv/b:other=new"
	if got := verdicts(rows); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if rows[0].ListedAs != "alarms/*" || rows[1].ListedAs != "alarms/one:special" {
		t.Errorf("the special entry does not come first: %q, %q", rows[0].ListedAs, rows[1].ListedAs)
	}
	var text bytes.Buffer
	if err := (&Report{Rows: rows}).WriteSummary(&text); err != nil {
		t.Fatal(err)
	}
	if want := "sql/sql:good does what it should: list instead of \"sql/sql\"\n      \"sql/sql:bad\",\n"; !strings.Contains(text.String(), want) {
		t.Errorf("the summary does not say how to mend the list:\n%s", text.String())
	}
}

func TestUnknownDifferences(t *testing.T) {
	known := Differences{{Case: Names{"a/f:t", "a/f:gone", "a/f", "a/f:t*"}}, {Case: Names{"a/other:t", "a/f:no*", "a/*", "b/*"}}}
	files := []File{{Name: "a/f"}}
	if got := known.Unknown(files, []Result{res("a/f:t", "")}); !slices.Equal(got, []string{"a/f:gone", "a/f:no*"}) {
		t.Errorf("unknown: %v", got)
	}
	if got := known.Missing(files); !slices.Equal(got, []string{"a/other:t", "b/*"}) {
		t.Errorf("missing: %v", got)
	}
}

func TestReports(t *testing.T) {
	rows := Compare([]Result{res("a/f:ok", ""), res("b/g:bad", "boom\n<detail>\x01"), res("b/g:known", "x")}, nil, false)
	Judge(rows, Differences{{Case: Names{"b/g:known"}, Reason: "The engine.", Workaround: "None."}})
	r := &Report{Runner: "r", Rows: rows}
	if !r.Failed() {
		t.Error("a report with a new failure has not failed")
	}
	wantTable := "| Area | Cases | Same as workerd | Known differences |\n|---|--:|--:|--:|\n| a | 1 | 1 | 0 |\n| b | 2 | 0 | 2 |\n" +
		"| **all** | **3** | **1** | **2** |\n"
	if got := r.Table(); got != wantTable {
		t.Errorf("table:\n%s", got)
	}
	if got := ParseTable(wantTable); len(got) != 3 || got["b"] != (AreaCount{Area: "b", Cases: 2, Known: 2}) || got["all"].Cases != 3 {
		t.Errorf("the table is read as %+v", got)
	}
	var text bytes.Buffer
	if err := r.WriteSummary(&text); err != nil {
		t.Fatal(err)
	}
	if want := "r: 3 cases, 1 passed, 1 known differences, 1 new, 0 outdated entries (0.0s)\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("summary:\n%s", text.String())
	}
	var out bytes.Buffer
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var back jsonReport
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || !back.Failed || len(back.Cases) != 3 || back.Cases[1].Result.Error == "" {
		t.Errorf("json: %v\n%s", err, out.String())
	}
	out.Reset()
	if err := r.WriteJUnit(&out); err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(out.Bytes(), &suites); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if suites.Tests != 3 || suites.Failures != 1 || suites.Skipped != 1 || suites.Suites[1].Cases[0].Failure.Message != "boom" {
		t.Errorf("junit:\n%s", out.String())
	}
	if !(&Report{}).Failed() {
		t.Error("a report without cases has not failed")
	}
}

func TestParseDifferences(t *testing.T) {
	good := "// why\n[\n  {\"case\": \"a/f:t\", \"reason\": \"r\", \"workaround\": \"w\"}, // one\n]\n"
	if list, err := parseDifferences([]byte(good)); err != nil || len(list) != 1 || list[0].Case.String() != "a/f:t" {
		t.Errorf("%v %v", list, err)
	}
	several := `[{"case": ["a/f:t", "b/*"], "reason": "r", "workaround": "w"}]`
	if list, err := parseDifferences([]byte(several)); err != nil || len(list) != 1 || !slices.Equal(list[0].Case, []string{"a/f:t", "b/*"}) {
		t.Errorf("%v %v", list, err)
	} else if text, err := json.Marshal(list); err != nil || string(text) != `[{"case":["a/f:t","b/*"],"reason":"r","workaround":"w"}]` {
		t.Errorf("%s %v", text, err)
	}
	for text, want := range map[string]string{
		`[{"case": "a", "reason": "r"}]`:                   "workaround",
		`[{"reason": "r", "workaround": "w"}]`:             "entry 1 names no case",
		`[{"case": [], "reason": "r"}]`:                    "entry 1 names no case",
		`[{"case": ["a", ""], "reason": "r"}]`:             "entry 1 names no case",
		`[{"case": 1}]`:                                    "number",
		`[{"case":"a/*:t","reason":"r","workaround":"w"}]`: "in full",
		"[\n{\"case\": \"a\",\n\"because\": 1}]":           "because",
		`{}`:                                               "line 1",
		`[`:                                                "",
		`[] []`:                                            "",
		`[{"case":"a","reason":"r","workaround":"w"},{"case":"a","reason":"r","workaround":"w"}]`: "twice",
	} {
		if _, err := parseDifferences([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParseProtocol(t *testing.T) {
	in := "noise\nworkerd/server/server/run.rs:642: debug: [ TEST ] a\nworkerd/server/server/run.rs:649: debug: [ PASS ] a (403.033µs)\n" +
		"[ TEST ] a:b\nError: m\n[ FAIL ] a:b (1.5ms)\r\nTests failed!\n[ TEST ] a:c\ntail"
	var got []verdict
	outside, err := parseProtocol(strings.NewReader(in), func(v verdict) { got = append(got, v) })
	if err != nil || outside != "noise\nTests failed!\n" || len(got) != 3 {
		t.Fatalf("%q %v %+v", outside, err, got)
	}
	if v := got[0]; v.test != "a" || !v.passed || v.duration != 403033 {
		t.Errorf("%+v", v)
	}
	if v := got[1]; v.test != "a:b" || v.passed || !v.ended || v.text != "Error: m\n" || v.duration != 1500000 {
		t.Errorf("%+v", v)
	}
	if v := got[2]; v.test != "a:c" || v.ended || v.text != "tail\n" {
		t.Errorf("%+v", v)
	}
}

func FuzzParseProtocol(f *testing.F) {
	f.Add("[ TEST ] a\nx\n[ PASS ] a (1ms)\n")
	f.Add("[ PASS ] a\n[ TEST ] b")
	f.Add("x: debug: [ FAIL ] a b (99999999999999999h)\r\n[ TEST ]")
	f.Fuzz(func(t *testing.T, s string) {
		ended := 0
		_, err := parseProtocol(strings.NewReader(s), func(v verdict) {
			if v.test == "" || v.passed && !v.ended {
				t.Errorf("%+v", v)
			}
			if v.ended {
				ended++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if most := strings.Count(s, "[ PASS ]") + strings.Count(s, "[ FAIL ]"); ended > most {
			t.Errorf("%d verdicts from %d lines", ended, most)
		}
	})
}

func FuzzParseDifferences(f *testing.F) {
	f.Add([]byte("[{\"case\": \"a/f:t\", \"reason\": \"r\", \"workaround\": \"w\",},]//x"))
	f.Add([]byte("/* */ [1]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parseDifferences(text)
		for _, d := range list {
			if err == nil && (len(d.Case) == 0 || d.Reason == "" || d.Workaround == "") {
				t.Errorf("%+v", d)
			}
		}
	})
}

func TestParseShard(t *testing.T) {
	files := make([]File, 10)
	for i := range files {
		files[i].Name = string(rune('a' + i))
	}
	seen := map[string]int{}
	for _, s := range []string{"1/3", "2/3", "3/3"} {
		shard, err := ParseShard(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range shard.Of(files) {
			seen[f.Name]++
		}
	}
	if len(seen) != 10 {
		t.Errorf("%v", seen)
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s runs %d times", name, n)
		}
	}
	for _, s := range []string{"", "0/3", "4/3", "1/0", "1", "a/b", "1/99999999999999999999"} {
		if _, err := ParseShard(s); err == nil {
			t.Errorf("%q is taken for a shard", s)
		}
	}
}

func TestRoot(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"suite/cases/kv", "suite/more", "plain/sub"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{"suite", "plain"} {
		if err := os.WriteFile(filepath.Join(dir, d, DifferencesFile), []byte("[]"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string][2]string{
		"suite/cases/kv": {"suite/cases", "suite/differences.jsonc"},
		"suite/cases":    {"suite/cases", "suite/differences.jsonc"},
		"suite":          {"suite/cases", "suite/differences.jsonc"},
		"suite/more":     {"suite/more", ""},
		"plain/sub":      {"plain", "plain/differences.jsonc"},
	} {
		root, list, err := Root(filepath.Join(dir, in))
		if err != nil {
			t.Fatal(err)
		}
		if list != "" {
			list, _ = filepath.Rel(dir, list)
		}
		if root, _ = filepath.Rel(dir, root); root != want[0] || list != want[1] {
			t.Errorf("%s: %s, %s", in, root, list)
		}
	}
	if _, err := Find(dir, dir); err == nil {
		t.Error("a directory without test files is a suite")
	}
}

func TestWriteRow(t *testing.T) {
	rows := Compare([]Result{res("a/f:bad", "boom\nmore")}, []Result{res("a/f:bad", "")}, true)
	Judge(rows, nil)
	var b bytes.Buffer
	if err := WriteRow(&b, rows[0]); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "new      fail/pass a/f:bad\n    boom\n    more\n" {
		t.Errorf("%q", got)
	}
}
