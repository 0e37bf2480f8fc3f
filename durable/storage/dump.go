package storage

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// Dump is what one object has stored, for comparisons and reports.
type Dump struct {
	ID     string
	Keys   []Entry // in order
	Tables []Table // of SQL, by name
	Alarm  string  // when it is set for, "" if it is not
}

// Table is a table that an object made with SQL, its contents as text.
type Table struct {
	Name   string
	Schema string
	Rows   []string // each as its values in SQL's notation, sorted
}

// Dump returns what the objects that were opened have stored, uncommitted writes
// included, in the order of their ids. Objects that hold nothing are left out, and
// so are those of a directory that nobody has opened.
func (b *Backend) Dump() ([]Dump, error) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil, ErrClosed
	}
	stores := maps.Clone(b.stores)
	b.mu.Unlock()
	var all []Dump
	for _, id := range slices.Sorted(maps.Keys(stores)) {
		d, err := stores[id].dump()
		if err != nil {
			return nil, err
		}
		if len(d.Keys) > 0 || len(d.Tables) > 0 || d.Alarm != "" {
			all = append(all, *d)
		}
	}
	return all, nil
}

func (s *Store) dump() (*Dump, error) {
	d := &Dump{ID: s.id}
	var err error
	if d.Keys, err = s.Entries(ListOptions{}); err != nil {
		return nil, err
	}
	ns, ok, err := s.Alarm()
	if err != nil {
		return nil, err
	}
	if ok {
		d.Alarm = time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
	}
	s.mu.Lock()
	_, sql := s.kv.(*sqlKV)
	s.mu.Unlock()
	if !sql {
		return d, nil // no SQL was ever asked for
	}
	conn, release, err := s.Conn()
	if err != nil {
		return nil, err
	}
	defer release()
	err = eachRow(conn, `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_cf\_%' ESCAPE '\' ORDER BY name`,
		func(stmt *sqlite3.Stmt) {
			d.Tables = append(d.Tables, Table{Name: stmt.ColumnText(0), Schema: stmt.ColumnText(1)})
		})
	for i := range d.Tables {
		t := &d.Tables[i]
		if err == nil {
			err = eachRow(conn, `SELECT * FROM "`+strings.ReplaceAll(t.Name, `"`, `""`)+`"`, func(stmt *sqlite3.Stmt) {
				t.Rows = append(t.Rows, rowText(stmt))
			})
			slices.Sort(t.Rows)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("storage: reading the tables of object %s: %w", s.id, err)
	}
	return d, nil
}

func eachRow(conn *sqlite3.Conn, sql string, row func(*sqlite3.Stmt)) error {
	stmt, _, err := conn.Prepare(sql)
	if err != nil {
		return err
	}
	for stmt.Step() {
		row(stmt)
	}
	err = stmt.Err()
	if cerr := stmt.Close(); err == nil {
		err = cerr
	}
	return err
}

// rowText writes a row as column=value, in SQL's notation.
func rowText(stmt *sqlite3.Stmt) string {
	var b strings.Builder
	for i := range stmt.ColumnCount() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(stmt.ColumnName(i) + "=")
		switch stmt.ColumnType(i) {
		case sqlite3.INTEGER:
			b.WriteString(strconv.FormatInt(stmt.ColumnInt64(i), 10))
		case sqlite3.FLOAT:
			b.WriteString(strconv.FormatFloat(stmt.ColumnFloat(i), 'g', -1, 64))
		case sqlite3.TEXT:
			b.WriteString("'" + strings.ReplaceAll(stmt.ColumnText(i), "'", "''") + "'")
		case sqlite3.BLOB:
			b.WriteString("x'" + hex.EncodeToString(stmt.ColumnRawBlob(i)) + "'")
		default:
			b.WriteString("NULL")
		}
	}
	return b.String()
}
