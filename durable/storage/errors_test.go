package storage

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

func TestCorruptFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, testID(1)+".sqlite")
	garbage := bytes.Repeat([]byte("not a database. "), 512)
	if err := os.WriteFile(file, garbage, 0o666); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, newDisk(t, dir), testID(1))
	_, _, getErr := s.Get("k")
	for op, err := range map[string]error{"get": getErr, "put": s.Put("k", nil), "deleteAll": s.DeleteAll(false)} {
		if !errors.Is(err, sqlite3.NOTADB) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "corrupt") {
			t.Errorf("%s: %v", op, err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, garbage) {
		t.Errorf("the file was changed (%v)", err)
	}
}

// TestFull: SQLite itself says the disk is full when max_page_count is reached.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, newDisk(t, dir), testID(1))
	mustPut(t, s, "big", strings.Repeat("x", 20000))
	mustCommit(t, s)
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Exec("PRAGMA max_page_count = 8"); err != nil {
		t.Fatal(err)
	}
	release()
	mustPut(t, s, "small", "1")
	err = s.Put("big", make([]byte, 1<<20))
	if !errors.Is(err, sqlite3.FULL) || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(err.Error(), testID(1)+".sqlite") {
		t.Errorf("put on a full disk: %v", err)
	}
	// A small write is still possible, or the earlier one is lost and the store
	// says so: never a commit without it.
	if err := s.Commit(); err == nil {
		wantGet(t, s, "small", "1")
	} else if !errors.Is(err, ErrLost) {
		t.Errorf("commit: %v", err)
	}
	if err := s.Rollback(); err != nil {
		t.Fatal(err)
	}
	v, _, err := s.Get("big")
	if err != nil || string(v) != strings.Repeat("x", 20000) {
		t.Errorf("the stored value was harmed: %d bytes, %v", len(v), err)
	}
}

// TestLost: a statement that makes SQLite roll back the whole transaction must
// not let later writes be confirmed without the earlier ones.
func TestLost(t *testing.T) {
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, t.TempDir())} {
		s := mustOpen(t, b, testID(1))
		mustPut(t, s, "k", "1")
		conn, release, err := s.Conn()
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Exec("CREATE TABLE t(a UNIQUE ON CONFLICT ROLLBACK); INSERT INTO t VALUES (1)"); err != nil {
			t.Fatal(err)
		}
		if err := conn.Exec("INSERT INTO t VALUES (1)"); !errors.Is(err, sqlite3.CONSTRAINT) {
			t.Fatal(err)
		}
		release()
		if err := s.Put("k2", nil); !errors.Is(err, ErrLost) {
			t.Errorf("%s: put: %v", kind, err)
		}
		if err := s.Commit(); !errors.Is(err, ErrLost) {
			t.Errorf("%s: commit: %v", kind, err)
		}
		if err := s.Rollback(); err != nil {
			t.Fatal(err)
		}
		wantGet(t, s, "k2", "<none>")
		mustPut(t, s, "k3", "3")
		mustCommit(t, s)
		wantGet(t, s, "k3", "3")
		b.Close()
	}
}

// TestLostByPut: the same when it is a write of the store's own that fails.
func TestLostByPut(t *testing.T) {
	s := mustOpen(t, newDisk(t, t.TempDir()), testID(1))
	mustPut(t, s, "k", "1")
	execSQL(t, s, "CREATE TRIGGER no BEFORE INSERT ON _cf_KV WHEN NEW.key = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
	mustCommit(t, s)
	mustPut(t, s, "k", "2")
	if err := s.Put("bad", nil); !errors.Is(err, sqlite3.CONSTRAINT) {
		t.Errorf("put: %v", err)
	}
	if v, _, err := s.Get("k"); !errors.Is(err, ErrLost) {
		t.Errorf("get: %q, %v", v, err)
	}
	if !s.Dirty() {
		t.Error("not dirty, so that nobody would notice")
	}
	if err := s.Rollback(); err != nil {
		t.Fatal(err)
	}
	wantGet(t, s, "k", "1")
}

// TestDeferredConstraint: found only at commit; all is rolled back together.
func TestDeferredConstraint(t *testing.T) {
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, t.TempDir())} {
		s := mustOpen(t, b, testID(1))
		conn, release, err := s.Conn()
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Exec("CREATE TABLE p(id PRIMARY KEY); CREATE TABLE c(p REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED)"); err != nil {
			t.Fatal(err)
		}
		release()
		mustCommit(t, s)
		mustPut(t, s, "k", "1")
		if conn, release, err = s.Conn(); err != nil {
			t.Fatal(err)
		}
		if err := conn.Exec("INSERT INTO c VALUES (7)"); err != nil {
			t.Fatal(err)
		}
		release()
		if err := s.Commit(); !errors.Is(err, sqlite3.CONSTRAINT_FOREIGNKEY) {
			t.Errorf("%s: commit: %v", kind, err)
		}
		if _, _, err := s.Get("k"); !errors.Is(err, ErrLost) {
			t.Errorf("%s: get after a failed commit: %v", kind, err)
		}
		if err := s.Rollback(); err != nil {
			t.Fatal(err)
		}
		wantGet(t, s, "k", "<none>")
		b.Close()
	}
}

func TestPutManyIsAtomic(t *testing.T) {
	s := mustOpen(t, newDisk(t, t.TempDir()), testID(1))
	mustPut(t, s, "k", "1")
	mustCommit(t, s)
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	err = conn.Exec("CREATE TRIGGER no BEFORE INSERT ON _cf_KV WHEN NEW.key = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END")
	if err != nil {
		t.Fatal(err)
	}
	release()
	err = s.PutMany([]Entry{{"k", []byte("2")}, {"l", nil}, {"bad", nil}})
	if !errors.Is(err, sqlite3.CONSTRAINT) {
		t.Errorf("PutMany: %v", err)
	}
	wantGet(t, s, "k", "1")
	wantGet(t, s, "l", "<none>")
	mustCommit(t, s)
}

func TestTxErrors(t *testing.T) {
	s := mustOpen(t, NewMemory(), testID(1))
	begin := func() *Tx {
		tx, err := s.Begin()
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	outer, inner := begin(), begin()
	if err := outer.Commit(); err != ErrTxOrder {
		t.Errorf("outer first: %v", err)
	}
	if err := s.DeleteAll(false); err != ErrTxOpen {
		t.Errorf("DeleteAll: %v", err)
	}
	if err := outer.Rollback(); err != nil {
		t.Error(err)
	}
	if err := inner.Commit(); err != ErrTxDone {
		t.Errorf("inner after outer: %v", err)
	}
	last := begin()
	if err := s.Rollback(); err != nil {
		t.Error(err)
	}
	if err := last.Rollback(); err != ErrTxDone {
		t.Errorf("after Store.Rollback: %v", err)
	}
}
