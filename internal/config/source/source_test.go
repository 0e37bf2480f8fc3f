package source

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestFilePos(t *testing.T) {
	f := NewFile("a.txt", []byte("one\n\ntwo é x\n"))
	for _, tc := range []struct {
		offset int
		want   string
	}{
		{0, "a.txt:1:1"}, {3, "a.txt:1:4"}, {4, "a.txt:2:1"}, {5, "a.txt:3:1"},
		{12, "a.txt:3:8"}, // the é counts two bytes
		{14, "a.txt:4:1"},
	} {
		if got := f.Pos(tc.offset).String(); got != tc.want {
			t.Errorf("Pos(%d) = %s, want %s", tc.offset, got, tc.want)
		}
	}
}

func TestPosString(t *testing.T) {
	for _, tc := range []struct {
		pos   Pos
		want  string
		valid bool
	}{
		{Pos{}, "-", false},
		{Pos{File: "f"}, "f", true},
		{Pos{Line: 2, Col: 3}, "2:3", true},
		{Pos{"f", 2, 3}, "f:2:3", true},
	} {
		if got := tc.pos.String(); got != tc.want || tc.pos.IsValid() != tc.valid {
			t.Errorf("%#v: %q, valid %v; want %q, %v", tc.pos, got, tc.pos.IsValid(), tc.want, tc.valid)
		}
	}
}

func TestErrorf(t *testing.T) {
	err := Errorf(Pos{"f", 1, 2}, "cannot read: %v", fs.ErrNotExist)
	if got, want := err.Error(), "f:1:2: cannot read: file does not exist"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("the cause is lost")
	}
}

func TestSuggestLong(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	if got := Suggest(long+"y", []string{long}); got != "" {
		t.Errorf("got a suggestion of %d bytes", len(got))
	}
}

func TestDidYouMean(t *testing.T) {
	names := []string{"compatibility_date", "compatibility_flags", "vars", "main"}
	for _, tc := range []struct{ name, want string }{
		{"compatability_date", ` (did you mean "compatibility_date"?)`},
		{"mian", ` (did you mean "main"?)`},
		{"var", ` (did you mean "vars"?)`},
		{"x", ""},
		{"something_else", ""},
		{"", ""},
	} {
		if got := DidYouMean(tc.name, names); got != tc.want {
			t.Errorf("DidYouMean(%q) = %q, want %q", tc.name, got, tc.want)
		}
	}
}
