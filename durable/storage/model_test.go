package storage

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func testID(n int) string { return fmt.Sprintf("%064x", n) }

func mustOpen(t interface {
	Helper()
	Fatal(...any)
}, b *Backend, id string) *Store {
	t.Helper()
	s, err := b.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// refKV is the reference model: whole-state snapshots instead of undo logs.
type refKV struct {
	cur   map[string]string
	saved map[string]string   // at the last commit
	stack []map[string]string // at each Begin
}

func (r *refKV) list(o ListOptions) (keys []string) {
	for k := range r.cur {
		if k < o.Start || o.StartAfter != nil && k <= *o.StartAfter || o.End != nil && k >= *o.End || !strings.HasPrefix(k, o.Prefix) {
			continue
		}
		keys = append(keys, k)
	}
	sort.Strings(keys) // Go compares strings by bytes
	if o.Reverse {
		slices.Reverse(keys)
	}
	if o.Limit > 0 && len(keys) > o.Limit {
		keys = keys[:o.Limit]
	}
	return keys
}

// keyGen draws from few keys, so that they meet: long prefixes, all UTF-8
// lengths, NUL, LIKE's wildcards, upper and lower case.
func keyGen() *rapid.Generator[string] {
	long := strings.Repeat("p", 60)
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "A", "b", "\x00", "%", "_", "é", "\uffff", "\U00010000", "\U0010ffff", long,
		}), 0, 3).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

func optionsGen() *rapid.Generator[ListOptions] {
	return rapid.Custom(func(t *rapid.T) ListOptions {
		k := keyGen()
		o := ListOptions{Reverse: rapid.Bool().Draw(t, "reverse")}
		if rapid.Bool().Draw(t, "hasStart") {
			o.Start = k.Draw(t, "start")
		}
		if rapid.Bool().Draw(t, "hasAfter") {
			o.StartAfter = new(k.Draw(t, "after"))
		}
		if rapid.Bool().Draw(t, "hasEnd") {
			o.End = new(k.Draw(t, "end"))
		}
		if rapid.Bool().Draw(t, "hasPrefix") {
			o.Prefix = k.Draw(t, "prefix")
		}
		if rapid.Bool().Draw(t, "hasLimit") {
			o.Limit = rapid.IntRange(1, 20).Draw(t, "limit")
		}
		return o
	})
}

func TestModel(t *testing.T) {
	for _, kind := range []string{"memory", "memory then SQL", "disk"} {
		t.Run(kind, func(t *testing.T) {
			dir, run := t.TempDir(), 0
			rapid.Check(t, func(t *rapid.T) {
				var b *Backend
				if kind == "disk" {
					run++
					var err error
					// One handle for two stores: every switch closes the other.
					if b, err = NewDisk(fmt.Sprint(dir, "/", run), WithHandles(1)); err != nil {
						t.Fatal(err)
					}
				} else {
					b = NewMemory(WithHandles(1))
				}
				defer b.Close()
				other := mustOpen(t, b, testID(2))
				checkModel(t, mustOpen(t, b, testID(1)), kind != "memory", func() {
					if kind != "memory" {
						_, release, err := other.Conn()
						if err != nil {
							t.Fatal(err)
						}
						release()
					}
					if err := other.Put("k", nil); err != nil {
						t.Fatal(err)
					}
					if err := other.Commit(); err != nil {
						t.Fatal(err)
					}
				})
			})
		})
	}
}

func checkModel(t *rapid.T, s *Store, sql bool, useOther func()) {
	ref := &refKV{cur: map[string]string{}, saved: map[string]string{}}
	var txs []*Tx
	ok := func(err error) {
		if err != nil {
			t.Fatalf("unexpected error: %v", err)
		}
	}
	keys, values := keyGen(), rapid.SliceOfN(rapid.Byte(), 0, 8)
	t.Repeat(map[string]func(*rapid.T){
		"put": func(t *rapid.T) {
			k, v := keys.Draw(t, "k"), values.Draw(t, "v")
			ok(s.Put(k, v))
			ref.cur[k] = string(v)
			if !s.Dirty() {
				t.Fatal("not dirty after put")
			}
		},
		"putMany": func(t *rapid.T) {
			var es []Entry
			for _, k := range rapid.SliceOfN(keys, 0, 40).Draw(t, "ks") {
				es = append(es, Entry{k, []byte(k + "!")})
				ref.cur[k] = k + "!"
			}
			ok(s.PutMany(es))
		},
		"delete": func(t *rapid.T) {
			k := keys.Draw(t, "k")
			_, want := ref.cur[k]
			got, err := s.Delete(k)
			ok(err)
			if got != want {
				t.Fatalf("Delete(%q) = %v", k, got)
			}
			delete(ref.cur, k)
		},
		"deleteMany": func(t *rapid.T) {
			ks := rapid.SliceOfN(keys, 0, 5).Draw(t, "ks")
			before := len(ref.cur)
			for _, k := range ks {
				delete(ref.cur, k)
			}
			n, err := s.DeleteMany(ks)
			ok(err)
			if n != before-len(ref.cur) {
				t.Fatalf("DeleteMany(%q) = %d, want %d", ks, n, before-len(ref.cur))
			}
		},
		"get": func(t *rapid.T) {
			k := keys.Draw(t, "k")
			want, has := ref.cur[k]
			got, found, err := s.Get(k)
			ok(err)
			if found != has || string(got) != want {
				t.Fatalf("Get(%q) = %q, %v; want %q, %v", k, got, found, want, has)
			}
			many, err := s.GetMany([]string{k, k})
			ok(err)
			if (many[1] != nil) != has || !bytes.Equal(many[0], got) {
				t.Fatalf("GetMany(%q) = %q", k, many)
			}
		},
		"list": func(t *rapid.T) {
			o := optionsGen().Draw(t, "o")
			var got []string
			it := s.List(o)
			for it.Next() {
				got = append(got, it.Key())
				if string(it.Value()) != ref.cur[it.Key()] {
					t.Fatalf("value of %q = %q", it.Key(), it.Value())
				}
			}
			ok(it.Err())
			if want := ref.list(o); !slices.Equal(got, want) {
				t.Fatalf("list %+v\n got %q\nwant %q", o, got, want)
			}
		},
		"begin": func(t *rapid.T) {
			tx, err := s.Begin()
			ok(err)
			txs, ref.stack = append(txs, tx), append(ref.stack, maps.Clone(ref.cur))
		},
		"commitTx": func(t *rapid.T) {
			n := len(txs) - 1
			if n < 0 {
				t.Skip()
			}
			ok(txs[n].Commit())
			txs, ref.stack = txs[:n], ref.stack[:n]
		},
		"rollbackTx": func(t *rapid.T) {
			if len(txs) == 0 {
				t.Skip()
			}
			n := rapid.IntRange(0, len(txs)-1).Draw(t, "n")
			ok(txs[n].Rollback())
			ref.cur = ref.stack[n]
			txs, ref.stack = txs[:n], ref.stack[:n]
		},
		"commit": func(t *rapid.T) {
			if err := s.Commit(); len(txs) > 0 {
				if err != ErrTxOpen {
					t.Fatalf("Commit within a transaction: %v", err)
				}
				return
			} else {
				ok(err)
			}
			ref.saved = maps.Clone(ref.cur)
			if s.Dirty() {
				t.Fatal("dirty after commit")
			}
		},
		"rollback": func(t *rapid.T) {
			ok(s.Rollback())
			ref.cur, ref.stack, txs = maps.Clone(ref.saved), nil, nil
			if s.Dirty() {
				t.Fatal("dirty after rollback")
			}
		},
		"deleteAll": func(t *rapid.T) {
			if len(txs) > 0 {
				t.Skip()
			}
			ok(s.DeleteAll(false))
			ref.cur, ref.saved = map[string]string{}, map[string]string{}
		},
		"useSQL": func(t *rapid.T) {
			if !sql || rapid.IntRange(0, 3).Draw(t, "rarely") > 0 {
				t.Skip()
			}
			_, release, err := s.Conn()
			ok(err)
			release()
		},
		"useOther": func(t *rapid.T) { useOther() },
	})
}
