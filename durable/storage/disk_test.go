package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// residentMiB is 0 where the system does not tell.
func residentMiB(t *testing.T) int {
	data, err := os.ReadFile("/proc/self/statm")
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	var size, resident int
	if _, err := fmt.Sscan(string(data), &size, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * os.Getpagesize() >> 20
}

func mustPut(t *testing.T, s *Store, key, value string) {
	t.Helper()
	if err := s.Put(key, []byte(value)); err != nil {
		t.Fatal(err)
	}
}

func mustCommit(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
}

func wantGet(t *testing.T, s *Store, key, want string) {
	t.Helper()
	v, ok, err := s.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		v = []byte("<none>")
	}
	if string(v) != want {
		t.Errorf("%s of object %.8s: got %q, want %q", key, s.ID(), v, want)
	}
}

func objectFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "metadata.sqlite") {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestReadsCreateNothing(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, newDisk(t, dir), testID(1))
	wantGet(t, s, "x", "<none>")
	if it := s.List(ListOptions{}); it.Next() || it.Err() != nil {
		t.Errorf("list of nothing: %v", it.Err())
	}
	if ok, err := s.Delete("x"); ok || err != nil {
		t.Errorf("Delete: %v, %v", ok, err)
	}
	if _, ok, err := s.Alarm(); ok || err != nil {
		t.Errorf("Alarm: %v, %v", ok, err)
	}
	if err := errors.Join(s.DeleteAlarm(), s.DeleteAll(true), s.Commit(), s.Rollback()); err != nil {
		t.Error(err)
	}
	tx, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	if s.Dirty() {
		t.Error("dirty without a write")
	}
	if names := objectFiles(t, dir); len(names) > 0 {
		t.Errorf("files were created: %v", names)
	}
}

func TestLayout(t *testing.T) {
	dir := t.TempDir()
	b := newDisk(t, dir)
	s := mustOpen(t, b, testID(1))
	mustPut(t, s, "x", "v")
	if err := s.SetAlarm(1_900_000_000_123_000_000, new("name")); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, s)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if names := objectFiles(t, dir); len(names) != 1 || names[0] != testID(1)+".sqlite" {
		t.Errorf("files after a clean close: %v", names)
	}
	// Texts as the real runtime stores them.
	for _, c := range []struct{ file, query, want string }{
		{testID(1), "PRAGMA journal_mode", "wal"},
		{testID(1), "PRAGMA page_size", "4096"},
		{testID(1), "PRAGMA encoding", "UTF-8"},
		{testID(1), "SELECT sql FROM sqlite_master WHERE name = '_cf_KV'", "CREATE TABLE _cf_KV (\n        key TEXT PRIMARY KEY,\n        value BLOB\n      ) WITHOUT ROWID"},
		{testID(1), "SELECT sql FROM sqlite_master WHERE name = '_cf_METADATA'", "CREATE TABLE _cf_METADATA (\n        key INTEGER PRIMARY KEY,\n        value BLOB\n      )"},
		{testID(1), "SELECT typeof(value) || ' ' || value FROM _cf_METADATA WHERE key = 1", "integer 1900000000123000000"},
		{testID(1), "SELECT typeof(key) || ' ' || key || ' ' || typeof(value) || ' ' || hex(value) FROM _cf_KV", "text x blob 76"},
		{"metadata", "PRAGMA journal_mode", "wal"},
		{"metadata", "SELECT sql FROM sqlite_master WHERE name = '_cf_ALARM'", "CREATE TABLE _cf_ALARM (\n      actor_id TEXT PRIMARY KEY,\n      scheduled_time INTEGER,\n      actor_name TEXT\n    ) WITHOUT ROWID"},
		{"metadata", "SELECT actor_id || ' ' || scheduled_time || ' ' || actor_name FROM _cf_ALARM", testID(1) + " 1900000000123000000 name"},
	} {
		if got := query(t, filepath.Join(dir, c.file+".sqlite"), c.query); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.query, got, c.want)
		}
	}
}

func query(t *testing.T, file, sql string) string {
	t.Helper()
	c, err := sqlite3.OpenFlags(file, sqlite3.OPEN_READWRITE)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	st, _, err := c.Prepare(sql)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if !st.Step() {
		return fmt.Sprintf("<no row: %v>", st.Err())
	}
	return st.ColumnText(0)
}

func TestHandleCache(t *testing.T) {
	const handles = 50
	objects := 1000
	if testing.Short() {
		objects = 200
	}
	b := newDisk(t, t.TempDir(), WithHandles(handles))
	for round := range 2 {
		for i := range objects {
			s := mustOpen(t, b, testID(i))
			if round > 0 {
				wantGet(t, s, "k", fmt.Sprint(round-1, i))
			}
			mustPut(t, s, "k", fmt.Sprint(round, i))
			mustCommit(t, s)
			if n := b.handles.len(); n > handles {
				t.Fatalf("%d handles open, want at most %d", n, handles)
			}
		}
	}
}

func TestPinnedHandlesStayOpen(t *testing.T) {
	b := newDisk(t, t.TempDir(), WithHandles(2))
	// Objects 0 to 4 have uncommitted writes, 5 has a cursor.
	for i := range 5 {
		mustPut(t, mustOpen(t, b, testID(i)), "k", fmt.Sprint(i))
	}
	s := mustOpen(t, b, testID(5))
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	st, _, err := conn.Prepare("VALUES (1), (2)")
	if err != nil {
		t.Fatal(err)
	}
	if !st.Step() {
		t.Fatal(st.Err())
	}
	for i := 10; i < 30; i++ {
		o := mustOpen(t, b, testID(i))
		mustPut(t, o, "k", "v")
		mustCommit(t, o)
	}
	if !st.Step() || st.ColumnInt(0) != 2 {
		t.Errorf("cursor broke: %v", st.Err())
	}
	st.Close()
	release()
	for i := range 5 {
		s := mustOpen(t, b, testID(i))
		if !s.Dirty() {
			t.Errorf("object %d is not dirty any more", i)
		}
		wantGet(t, s, "k", fmt.Sprint(i))
		mustCommit(t, s)
	}
	// Nothing is pinned now: the cache shrinks to its bound again.
	mustPut(t, mustOpen(t, b, testID(100)), "k", "v")
	if n := b.handles.len(); n > 2 {
		t.Errorf("%d handles open, want 2", n)
	}
}

func TestDelete(t *testing.T) {
	dir := t.TempDir()
	for kind, b := range map[string]*Backend{"memory": NewMemory(), "disk": newDisk(t, dir)} {
		s := mustOpen(t, b, testID(1))
		mustPut(t, s, "k", "v")
		if err := s.SetAlarm(5, nil); err != nil {
			t.Fatal(err)
		}
		mustCommit(t, s)
		if err := b.Delete(testID(1)); err != nil {
			t.Fatal(err)
		}
		if err := s.Put("k", nil); !errors.Is(err, ErrClosed) {
			t.Errorf("%s: Put on a deleted store: %v", kind, err)
		}
		wantGet(t, mustOpen(t, b, testID(1)), "k", "<none>")
		if a, err := b.Alarms(); err != nil || len(a) > 0 {
			t.Errorf("%s: alarms %v, %v", kind, a, err)
		}
	}
	if names := objectFiles(t, dir); len(names) > 0 {
		t.Errorf("files left: %v", names)
	}
}

func TestInvalidIDs(t *testing.T) {
	b := NewMemory()
	for _, id := range []string{"", "..", strings.Repeat("A", 64), strings.Repeat("a", 63), strings.Repeat("a", 65),
		strings.Repeat("a", 64) + ".", strings.Repeat("a", 64) + "/x", strings.Repeat("a", 64) + ".1x"} {
		if _, err := b.Open(id); err == nil || !strings.Contains(err.Error(), "invalid object id") {
			t.Errorf("Open(%q): %v", id, err)
		}
	}
	mustOpen(t, b, strings.Repeat("0a", 32)+".12")
}
