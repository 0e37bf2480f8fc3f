package compat_test

import (
	"errors"
	"testing"

	"github.com/durashim/durashim/internal/compat"
)

func TestDates(t *testing.T) {
	for _, c := range []struct {
		date  string
		flags []string
		on    bool
	}{
		{"", nil, true},
		{"2026-04-20", nil, false},
		{"2026-04-21", nil, true},
		{"2026-11-01", nil, true},
		{"2026-11-01", []string{"legacy_error_serialization"}, false},
		{"2020-01-01", []string{"enhanced_error_serialization"}, true},
	} {
		s, err := compat.New(c.date, c.flags)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.On("enhanced_error_serialization"); got != c.on {
			t.Errorf("%q %v: %v, want %v", c.date, c.flags, got, c.on)
		}
	}
}

// A flag without a date is never on by itself.
func TestNoDate(t *testing.T) {
	s, err := compat.New("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.On("enable_abortsignal_rpc") {
		t.Error("enable_abortsignal_rpc is on without being asked for")
	}
}

func TestErrors(t *testing.T) {
	_, err := compat.New("", []string{"rpc", "no_such_flag"})
	var unknown *compat.UnknownFlagError
	if !errors.As(err, &unknown) || unknown.Index != 1 || unknown.Flag != "no_such_flag" {
		t.Errorf("unknown flag: %v", err)
	}
	_, err = compat.New("", []string{"no_rpc", "rpc"})
	var conflict *compat.ConflictError
	if !errors.As(err, &conflict) || conflict.Index != 1 || conflict.Flag != "rpc" || conflict.Opposite != "no_rpc" {
		t.Errorf("contradiction: %v", err)
	}
}

func TestUnknownQuestion(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("asking for a flag that does not exist must panic")
		}
	}()
	compat.Set{}.On("no_such_flag")
}
