package storage

import (
	"errors"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

func execSQL(t *testing.T, s *Store, sql string) {
	t.Helper()
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := conn.Exec(sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func count(t *testing.T, s *Store, sql string) int {
	t.Helper()
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	st, _, err := conn.Prepare(sql)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if !st.Step() {
		t.Fatal(st.Err())
	}
	return st.ColumnInt(0)
}

// TestSQL: SQL and KV share transactions, whichever engine KV began on.
func TestSQL(t *testing.T) {
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, t.TempDir())} {
		t.Run(kind, func(t *testing.T) {
			defer b.Close()
			s := mustOpen(t, b, testID(1))
			mustPut(t, s, "committed", "1")
			mustCommit(t, s)
			mustPut(t, s, "implicit", "1")
			tx1, err := s.Begin()
			if err != nil {
				t.Fatal(err)
			}
			mustPut(t, s, "tx1", "1")
			if err := s.SetAlarm(77, nil); err != nil {
				t.Fatal(err)
			}
			tx2, err := s.Begin()
			if err != nil {
				t.Fatal(err)
			}
			mustPut(t, s, "tx2", "1")
			if _, err := s.Delete("committed"); err != nil {
				t.Fatal(err)
			}
			execSQL(t, s, "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
			if err := tx2.Rollback(); err != nil {
				t.Fatal(err)
			}
			wantGet(t, s, "committed", "1")
			wantGet(t, s, "tx1", "1")
			wantGet(t, s, "tx2", "<none>")
			if n := count(t, s, "SELECT count(*) FROM sqlite_master WHERE name = 't'"); n != 0 {
				t.Error("the table outlived the transaction that made it")
			}
			if ns, ok, err := s.Alarm(); ns != 77 || !ok || err != nil {
				t.Errorf("alarm: %d, %v, %v", ns, ok, err)
			}
			if err := tx1.Rollback(); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := s.Alarm(); ok || err != nil {
				t.Errorf("alarm after rollback: %v, %v", ok, err)
			}
			wantGet(t, s, "tx1", "<none>")
			wantGet(t, s, "implicit", "1")
			if err := s.Rollback(); err != nil {
				t.Fatal(err)
			}
			wantGet(t, s, "implicit", "<none>")
			wantGet(t, s, "committed", "1")

			execSQL(t, s, "SELECT 1")
			if s.Dirty() {
				t.Error("dirty after SELECT")
			}
			execSQL(t, s, "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
			if !s.Dirty() {
				t.Error("not dirty after INSERT")
			}
			mustCommit(t, s)
			if n := count(t, s, "SELECT count(*) FROM t"); n != 1 {
				t.Errorf("%d rows", n)
			}
			if err := s.DeleteAll(false); err != nil {
				t.Fatal(err)
			}
			if n := count(t, s, "SELECT count(*) FROM sqlite_master"); n != 0 {
				t.Errorf("%d tables after DeleteAll", n)
			}
			wantGet(t, s, "committed", "<none>")
			mustPut(t, s, "again", "1")
			mustCommit(t, s)
			wantGet(t, s, "again", "1")
		})
	}
}

// TestDeleteAllClosesCursors: an open statement neither blocks it nor survives.
func TestDeleteAllClosesCursors(t *testing.T) {
	b := newDisk(t, t.TempDir())
	s := mustOpen(t, b, testID(1))
	execSQL(t, s, "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
	mustCommit(t, s)
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	var st *sqlite3.Stmt
	if st, _, err = conn.Prepare("SELECT a FROM t"); err != nil {
		t.Fatal(err)
	}
	if !st.Step() {
		t.Fatal(st.Err())
	}
	if err := s.DeleteAll(false); err != nil {
		t.Fatal(err)
	}
	if st.Step() {
		t.Error("the cursor goes on after DeleteAll")
	}
}

// TestLiveList: a listing sees the changes ahead of it, as the real runtime's
// kv.list() iterator does.
func TestLiveList(t *testing.T) {
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, t.TempDir())} {
		s := mustOpen(t, b, testID(1))
		for _, k := range []string{"", "a", "b", "c", "d", "e"} {
			mustPut(t, s, k, k+"v")
		}
		got := ""
		it := s.List(ListOptions{})
		// One change at a time, or one would hide that another goes unnoticed.
		changes := map[string]func() error{
			"":  func() error { return s.Put("A", []byte("ahead of a")) },
			"A": func() error { return s.Put("0", []byte("behind")) },
			"a": func() error { return s.Put("bb", []byte("new")) },
			"b": func() error { _, err := s.Delete("c"); return err },
			"bb": func() error {
				tx, err := s.Begin()
				return errors.Join(err, s.Put("d", []byte("upd")), tx.Commit())
			},
			"d": func() error { _, err := s.DeleteMany([]string{"a", "e"}); return err },
		}
		for it.Next() {
			got += it.Key() + "=" + string(it.Value()) + " "
			if f := changes[it.Key()]; f != nil {
				if err := f(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want := "=v A=ahead of a a=av b=bv bb=new d=upd "; got != want || it.Err() != nil {
			t.Errorf("%s: got %q (%v), want %q", kind, got, it.Err(), want)
		}
		b.Close()
	}
}
