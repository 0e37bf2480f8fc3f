package storage

import (
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

// The options for connections reach every one that is opened.
func TestConnectionOptions(t *testing.T) {
	for name, want := range map[string]int{"NORMAL": 1, "FULL": 2} {
		t.Run(name, func(t *testing.T) {
			var got []int
			opts := []Option{WithConnInit(func(c *sqlite3.Conn) error {
				s, _, err := c.Prepare("PRAGMA synchronous")
				if err != nil {
					return err
				}
				defer s.Close()
				s.Step()
				got = append(got, s.ColumnInt(0))
				return s.Err()
			})}
			if name == "FULL" {
				opts = append(opts, WithPowerSafety())
			}
			dir := t.TempDir()
			for range 2 { // a new file, and one that is there
				b, err := NewDisk(dir, opts...)
				if err != nil {
					t.Fatal(err)
				}
				s := mustOpen(t, b, strings.Repeat("a", 64))
				mustPut(t, s, "k", "v")
				mustCommit(t, s)
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if len(got) != 2 || got[0] != want || got[1] != want {
				t.Errorf("synchronous is %v, want twice %d", got, want)
			}
		})
	}
}
