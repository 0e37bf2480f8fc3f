package storage

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestOverlayModel compares an overlay with a copy of the store that gets the
// same writes: reads, listings under all options, what is applied in the end,
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
				opts := ListOptions{Reverse: r.IntN(2) == 0, Limit: r.IntN(8)}
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
