package storage

import (
	"errors"
	"fmt"
	"testing"
)

// The expected texts are the real runtime's for the same statements.
func TestSQLiteText(t *testing.T) {
	s := mustOpen(t, NewMemory(), testID(1))
	conn, release, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := conn.Exec("CREATE TABLE t(a PRIMARY KEY, b CHECK (b > 0)); INSERT INTO t VALUES (1, 1)"); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		"INSERT INTO t VALUES (1, 2)": "UNIQUE constraint failed: t.a: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)",
		"INSERT INTO t VALUES (2, 0)": "CHECK constraint failed: b > 0: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_CHECK)",
		"SELECT * FROM missing":       "no such table: missing: SQLITE_ERROR",
	} {
		err := fileError("file", "run", conn.Exec(sql))
		if got, ok := SQLiteText(err); !ok || got != want {
			t.Errorf("%s:\n got %s (%v)\nwant %s", sql, got, ok, want)
		}
	}
	for _, err := range []error{errors.New("other"), fmt.Errorf("%w", ErrClosed), nil} {
		if text, ok := SQLiteText(err); ok {
			t.Errorf("%v: %q", err, text)
		}
	}
}
