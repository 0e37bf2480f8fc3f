package storage

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// spyIndex notes, for every change of the index, whether the store's own record
// was committed at that time, and fails on demand.
type spyIndex struct {
	memAlarms
	store *Store
	log   []string
	err   error
}

func (x *spyIndex) note(what string) error {
	when := "after"
	if x.store.kv.dirty() {
		when = "before"
	}
	x.log = append(x.log, what+" "+when)
	return x.err
}

func (x *spyIndex) set(a Alarm) error {
	return errors.Join(x.note(fmt.Sprint("set ", a.Time)), x.memAlarms.set(a))
}

func (x *spyIndex) delete(id string) error {
	return errors.Join(x.note("delete"), x.memAlarms.delete(id))
}

// TestAlarmOrder: the index must never be later than the object's record.
func TestAlarmOrder(t *testing.T) {
	b := newDisk(t, t.TempDir())
	if err := b.alarms.close(); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, b, testID(1))
	spy := &spyIndex{store: s}
	b.alarms = spy
	step := func(want string, f func() error) {
		t.Helper()
		spy.log = nil
		if err := f(); err != nil {
			t.Fatal(err)
		}
		mustCommit(t, s)
		if got := fmt.Sprint(spy.log); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	set := func(ns int64) func() error { return func() error { return s.SetAlarm(ns, nil) } }
	step("[set 100 before]", set(100))
	step("[set 50 before]", set(50))
	step("[set 200 after]", set(200))
	step("[delete after]", s.DeleteAlarm)
	step("[]", s.DeleteAlarm)
	step("[]", func() error { return errors.Join(s.SetAlarm(5, nil), s.DeleteAlarm()) })
	step("[set 7 before]", func() error { return errors.Join(s.SetAlarm(9, nil), s.SetAlarm(7, nil)) })
	step("[]", func() error {
		tx, err := s.Begin()
		return errors.Join(err, s.SetAlarm(3, nil), tx.Rollback(), s.SetAlarm(7, nil), s.Rollback())
	})

	// If the index cannot be written first, the alarm is not committed either.
	spy.err = errors.New("index is broken")
	if err := s.SetAlarm(1, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(); !errors.Is(err, spy.err) {
		t.Errorf("commit: %v", err)
	}
	if err := s.Rollback(); err != nil {
		t.Fatal(err)
	}
	// If it cannot be written afterwards, the writes stand.
	if err := errors.Join(s.SetAlarm(8, nil), s.Put("k", nil)); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(); !errors.Is(err, ErrAlarmIndex) || !errors.Is(err, spy.err) {
		t.Errorf("commit: %v", err)
	}
	wantGet(t, s, "k", "")
	spy.err = nil
	if err := s.Rollback(); err != nil {
		t.Fatal(err)
	}
	if ns, ok, err := s.Alarm(); ns != 8 || !ok || err != nil {
		t.Errorf("alarm: %d, %v, %v; want 8", ns, ok, err)
	}
}

func TestAlarms(t *testing.T) {
	dir := t.TempDir()
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "SQL in memory": NewMemory(), "disk": newDisk(t, dir)} {
		names := []*string{new(""), nil, new("c"), new("d")}
		stores := make([]*Store, len(names))
		for i, ns := range []int64{30, 10, 10, 5} {
			s := mustOpen(t, b, testID(i))
			stores[i] = s
			if kind == "SQL in memory" {
				execSQL(t, s, "SELECT 1")
			}
			if err := s.SetAlarm(ns, names[i]); err != nil {
				t.Fatal(err)
			}
			if a, err := b.Alarms(); err != nil || slices.ContainsFunc(a, func(a Alarm) bool { return a.ID == s.ID() }) {
				t.Errorf("%s: uncommitted alarm in the index: %v, %v", kind, a, err)
			}
			mustCommit(t, s)
		}
		// Kept by DeleteAll, deleted by DeleteAll, set and kept at once.
		if err := stores[0].DeleteAll(true); err != nil {
			t.Fatal(err)
		}
		if err := stores[3].DeleteAll(false); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(stores[2].SetAlarm(11, names[2]), stores[2].DeleteAll(true)); err != nil {
			t.Fatal(err)
		}
		got := ""
		alarms, err := b.Alarms()
		for _, a := range alarms {
			name := "nil"
			if a.Name != nil {
				name = fmt.Sprintf("%q", *a.Name)
			}
			ns, ok, err := mustOpen(t, b, a.ID).Alarm()
			got += fmt.Sprint(a.ID[63:], " ", name, " ", a.Time, " ", ns, " ", ok, " ", err, "; ")
		}
		want := `1 nil 10 10 true <nil>; 2 "c" 11 11 true <nil>; 0 "" 30 30 true <nil>; `
		if got != want || err != nil {
			t.Errorf("%s: %v\n got %s\nwant %s", kind, err, got, want)
		}
		if ns, ok, err := stores[3].Alarm(); ok || err != nil {
			t.Errorf("%s: alarm after DeleteAll: %d, %v", kind, ns, err)
		}
		b.Close()
	}
}
