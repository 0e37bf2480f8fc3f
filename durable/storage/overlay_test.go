package storage

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOverlayModel compares an overlay with a copy of the store that gets the
// same writes: reads, listings under all options but the limit, what is applied in the end,
// and that the store itself does not change before.
func TestOverlayModel(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		key := func() string { return strconv.Itoa(r.IntN(30)) }
		base, model := mustOpen(t, NewMemory(), testID(1)), mustOpen(t, NewMemory(), testID(2))
		for range r.IntN(30) {
			k := key()
			mustPut(t, base, k, "old")
			mustPut(t, model, k, "old")
		}
		before, err := base.Entries(ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := NewOverlay(base)
		for range 40 {
			k := key()
			switch r.IntN(4) {
			case 0:
				v := strconv.Itoa(r.IntN(100))
				if r.IntN(10) == 0 {
					v = "" // an empty value is a value
				}
				buf := []byte(v)
				if err := o.Put(k, buf); err != nil {
					t.Fatal(err)
				}
				copy(buf, "xxx") // nothing may be kept of the caller's buffer
				mustPut(t, model, k, v)
			case 1:
				got, err1 := o.Delete(k)
				want, err2 := model.Delete(k)
				if got != want || err1 != nil || err2 != nil {
					t.Fatalf("seed %d: delete %s: %v %v, want %v %v", seed, k, got, err1, want, err2)
				}
			case 2:
				got, ok1, err1 := o.Get(k)
				want, ok2, err2 := model.Get(k)
				if string(got) != string(want) || ok1 != ok2 || err1 != nil || err2 != nil {
					t.Fatalf("seed %d: get %s: %q %v, want %q %v", seed, k, got, ok1, want, ok2)
				}
			case 3:
				opts := ListOptions{Reverse: r.IntN(2) == 0}
				if r.IntN(3) == 0 {
					opts.Start = key()
				}
				if r.IntN(3) == 0 {
					k := key()
					opts.StartAfter = &k
				}
				if r.IntN(3) == 0 {
					k := key()
					opts.End = &k
				}
				if r.IntN(3) == 0 {
					opts.Prefix = strconv.Itoa(r.IntN(3))
				}
				sameEntries(t, seed, o.Entries, model.Entries, opts)
			}
		}
		after, _ := base.Entries(ListOptions{})
		if !slices.EqualFunc(before, after, equalEntry) {
			t.Fatalf("seed %d: the store changed before Apply", seed)
		}
		if err := o.Apply(); err != nil {
			t.Fatal(err)
		}
		sameEntries(t, seed, base.Entries, model.Entries, ListOptions{})
	}
}

func equalEntry(a, b Entry) bool { return a.Key == b.Key && string(a.Value) == string(b.Value) }

func sameEntries(t *testing.T, seed uint64, got, want func(ListOptions) ([]Entry, error), o ListOptions) {
	t.Helper()
	g, err1 := got(o)
	w, err2 := want(o)
	if err1 != nil || err2 != nil || !slices.EqualFunc(g, w, equalEntry) {
		t.Fatalf("seed %d: list %+v:\n got %q %v\nwant %q %v", seed, o, g, err1, w, err2)
	}
}

// The expected keys are the real runtime's.
func TestOverlayLimit(t *testing.T) {
	for _, c := range []struct {
		stored, deleted, put, start, end string
		limit                            int
		want                             string
	}{
		{"abdf", "ad", "cfg", "", "", 2, "bcf"},
		{"abdf", "", "c", "", "", 2, "abc"},
		{"abdf", "", "e", "", "", 2, "abe"},
		{"abdf", "a", "", "", "", 2, "bd"},
		{"abdf", "ab", "", "", "", 1, "d"},
		{"abdf", "", "f", "", "", 2, "abf"},
		{"abdf", "a", "f", "", "", 2, "bdf"},
		{"abdf", "a", "c", "", "", 2, "bcd"},
		{"abdf", "", "", "", "", 2, "ab"},
		{"bd", "", "ac", "", "", 1, "ab"},
		{"bd", "", "ac", "", "", 3, "abcd"},
		{"abcdef", "ab", "xyz", "", "", -2, "zyfe"},
		{"abdf", "z", "", "", "", 2, "abd"},
		{"abdf", "0z", "e", "", "", 2, "abdef"},
		{"abdf", "ez", "", "", "", 3, "abdf"},
		{"abdf", "a", "ce", "b", "f", 1, "bc"},
		{"abdf", "f", "a", "", "", -1, "da"},
	} {
		s := mustOpen(t, NewMemory(), testID(1))
		for _, k := range c.stored {
			mustPut(t, s, string(k), "1")
		}
		o := NewOverlay(s)
		for _, k := range c.deleted {
			if _, err := o.Delete(string(k)); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range c.put {
			if err := o.Put(string(k), []byte("2")); err != nil {
				t.Fatal(err)
			}
		}
		// A negative limit stands for a reverse listing.
		opts := ListOptions{Start: c.start, Limit: max(c.limit, -c.limit), Reverse: c.limit < 0}
		if c.end != "" {
			opts.End = &c.end
		}
		entries, err := o.Entries(opts)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, e := range entries {
			keys = append(keys, e.Key)
		}
		if got := strings.Join(keys, ""); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}
