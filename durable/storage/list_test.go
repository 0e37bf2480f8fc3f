package storage

import (
	"strings"
	"testing"
)

// FuzzBounds: the interval that options boil down to holds a key exactly when
// every option allows it.
func FuzzBounds(f *testing.F) {
	f.Add("a", "b", "c", "ab", "abc", byte(7))
	f.Add("", "", "", "\xff", "\xff\xff", byte(0))
	f.Add("b", "a", "", "a\xff", "b", byte(3))
	f.Add("é", "éa", "\U0010ffff", "\U0010ffff", "\U0010ffffx", byte(4))
	f.Fuzz(func(t *testing.T, start, after, end, prefix, key string, which byte) {
		o := ListOptions{Prefix: prefix}
		want := strings.HasPrefix(key, prefix)
		if which&1 != 0 {
			o.Start = start
			want = want && key >= start
		}
		if which&2 != 0 {
			o.StartAfter = &after
			want = want && key > after
		}
		if which&4 != 0 {
			o.End = &end
			want = want && key < end
		}
		if b := o.bounds(); b.contains(key) != want {
			t.Errorf("%+v (start %q, after %q, end %q): contains(%q) = %v", b, start, after, end, key, !want)
		}
	})
}

func TestLongPrefix(t *testing.T) {
	// SQLite's LIKE and GLOB give up at 50 bytes.
	prefix := strings.Repeat("long ", 40)
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, t.TempDir())} {
		s := mustOpen(t, b, testID(1))
		for _, k := range []string{prefix, prefix + "x", prefix[:len(prefix)-1] + "!", "a", "z"} {
			mustPut(t, s, k, "v")
		}
		it := s.List(ListOptions{Prefix: prefix})
		var got []string
		for it.Next() {
			got = append(got, strings.TrimPrefix(it.Key(), prefix))
		}
		if strings.Join(got, ",") != ",x" || it.Err() != nil {
			t.Errorf("%s: got %q, %v", kind, got, it.Err())
		}
		b.Close()
	}
}

// TestLargeList spans many batches, chunks and pages, both ways.
func TestLargeList(t *testing.T) {
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, t.TempDir())} {
		s := mustOpen(t, b, testID(1))
		const n = 5000
		key := func(i int) string { return string([]byte{'0' + byte(i/4096), '0' + byte(i/64%64), '0' + byte(i%64)}) }
		for i := range n {
			mustPut(t, s, key(i*2741%n), strings.Repeat("x", i%300)) // in a scattered order
		}
		for _, reverse := range []bool{false, true} {
			i := 0
			for it := s.List(ListOptions{Reverse: reverse}); it.Next(); i++ {
				want := key(i)
				if reverse {
					want = key(n - 1 - i)
				}
				if it.Key() != want {
					t.Fatalf("%s: entry %d is %q, want %q", kind, i, it.Key(), want)
				}
			}
			if i != n {
				t.Errorf("%s: %d entries, want %d", kind, i, n)
			}
		}
		b.Close()
	}
}
