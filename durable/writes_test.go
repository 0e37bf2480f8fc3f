package durable

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable/storage"
)

// keeper is a world whose object does to its storage what a test says, call by
// call.
type keeper struct {
	*world
	step   func(a *Activation, s *storage.Store, inv *Invocation)
	failed []string
}

func newKeeper(t *testing.T, b *storage.Backend, mode StorageMode) *keeper {
	w, c := newScripted(t)
	k := &keeper{world: w}
	w.host.Storage, w.host.Mode = b, mode
	w.host.Failed = func(id ObjectID, err error) { k.failed = append(k.failed, err.Error()) }
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	c.invoke = func(a *Activation, inv *Invocation) {
		s, err := a.Store()
		if err != nil {
			t.Errorf("Store: %v", err)
			return
		}
		k.step(a, s, inv)
	}
	return k
}

// do makes a call on a fresh stub and returns how it ended.
func (k *keeper) do(step func(a *Activation, s *storage.Store, inv *Invocation)) string {
	k.step = step
	end := k.begin(k.stub(DefaultRetry()), rpc("m"))
	k.settle()
	return end()
}

func (k *keeper) want(ends string, step func(a *Activation, s *storage.Store, inv *Invocation)) {
	k.t.Helper()
	if got := k.do(step); got != ends {
		k.t.Errorf("the call ended %q, want %q", got, ends)
	}
}

// keys fails the test unless the object has exactly these keys.
func (k *keeper) keys(want ...string) {
	k.t.Helper()
	k.want("ok", func(_ *Activation, s *storage.Store, inv *Invocation) {
		entries, err := s.Entries(storage.ListOptions{})
		must(k.t, err)
		var got []string
		for _, e := range entries {
			got = append(got, e.Key)
		}
		if !slices.Equal(got, want) {
			k.t.Errorf("stored are %q, want %q", got, want)
		}
		inv.Finish(Result{}, nil)
	})
}

func (k *keeper) put(s *storage.Store, key string) { must(k.t, s.Put(key, []byte("v"))) }

// eachBackend runs a test in memory and on disk.
func eachBackend(t *testing.T, f func(t *testing.T, b *storage.Backend)) {
	t.Run("memory", func(t *testing.T) { f(t, storage.NewMemory()) })
	t.Run("disk", func(t *testing.T) {
		b, err := storage.NewDisk(t.TempDir())
		must(t, err)
		f(t, b)
	})
}

// A write is lost by a reset in the same turn, and safe after the turn.
func TestWritesAndReset(t *testing.T) {
	eachBackend(t, func(t *testing.T, b *storage.Backend) {
		k := newKeeper(t, b, StorageSQLite)
		k.want("ok", func(a *Activation, s *storage.Store, inv *Invocation) {
			k.put(s, "first")
			a.Wrote(false)
			inv.Finish(Result{}, nil)
		})
		k.want("boom [durableObjectReset]", func(a *Activation, s *storage.Store, inv *Invocation) {
			k.put(s, "second")
			a.Wrote(false)
			inv.Finish(Result{}, nil) // waits at the output gate
			a.Break(boom())
			if _, err := a.Store(); err == nil {
				t.Error("a dead object opened its storage")
			}
		})
		k.keys("first")
		k.want("boom [durableObjectReset]", func(a *Activation, s *storage.Store, inv *Invocation) {
			k.put(s, "third")
			a.Wrote(true)
			k.host.Loop.Post(func() { a.Break(boom()) })
		})
		k.keys("first", "third")
	})
}

// An answer waits for confirmed writes, not for unconfirmed ones; Synced waits
// for both.
func TestConfirmation(t *testing.T) {
	k := newKeeper(t, storage.NewMemory(), StorageSQLite)
	for _, unconfirmed := range []bool{false, true} {
		var order steps
		k.want("ok", func(a *Activation, s *storage.Store, inv *Invocation) {
			k.put(s, "k")
			a.Wrote(unconfirmed)
			a.Synced(func() {
				if s.Dirty() {
					t.Error("synced, but not durable")
				}
				order.add("synced")()
			})
			a.Out.Leave(order.add("message"))
			order.add("turn ends")()
			inv.Finish(Result{}, nil)
		})
		if unconfirmed {
			order.want(t, "message", "turn ends", "synced")
		} else {
			order.want(t, "turn ends", "message", "synced")
		}
	}
}

// In memory all is lost with the instance, whatever ends it.
func TestMemoryDiesWithTheInstance(t *testing.T) {
	k := newKeeper(t, storage.NewMemory(), StorageMemory)
	write := func(a *Activation, s *storage.Store, inv *Invocation) {
		k.put(s, "k")
		a.Wrote(false)
		if s.Dirty() {
			t.Error("in memory there is nothing to wait for")
		}
		inv.Finish(Result{}, nil)
	}
	k.want("ok", write)
	k.keys("k")
	k.want("boom [durableObjectReset]", func(a *Activation, _ *storage.Store, _ *Invocation) { a.Break(boom()) })
	k.keys()
	k.want("ok", write)
	if !k.host.Evict(k.stub(DefaultRetry()).Target().ID) {
		t.Fatal("not evicted")
	}
	k.keys()
}

// A transaction makes what came before it durable, and is durable itself when it
// has ended; an open one is lost by a reset.
func TestTransactionDurability(t *testing.T) {
	eachBackend(t, func(t *testing.T, b *storage.Backend) {
		k := newKeeper(t, b, StorageSQLite)
		k.want("boom [durableObjectReset]", func(a *Activation, s *storage.Store, _ *Invocation) {
			k.put(s, "before")
			a.Wrote(false)
			outer, err := a.Begin()
			must(t, err)
			k.put(s, "outer")
			inner, err := a.Begin()
			must(t, err)
			k.put(s, "inner")
			must(t, a.End(inner, false))
			must(t, a.End(outer, true))
			if a.InTransaction() || s.Dirty() {
				t.Error("the transaction has not ended, or is not durable")
			}
			_, err = a.Begin()
			must(t, err)
			k.put(s, "open")
			a.Wrote(false) // says nothing: the transaction may be rolled back
			a.Break(boom())
		})
		k.keys("before", "outer")
	})
}

// A flush that comes while a transaction is open leaves it alone.
func TestFlushInTransaction(t *testing.T) {
	k := newKeeper(t, storage.NewMemory(), StorageSQLite)
	var tx *storage.Tx
	k.want("ok", func(a *Activation, s *storage.Store, inv *Invocation) {
		k.put(s, "before")
		a.Wrote(false)
		var err error
		tx, err = a.Begin()
		must(t, err)
		k.put(s, "within")
		inv.Finish(Result{}, nil)
	})
	k.want("ok", func(a *Activation, s *storage.Store, inv *Invocation) {
		if !a.InTransaction() || !s.Dirty() {
			t.Error("the transaction was ended by the flush")
		}
		must(t, a.End(tx, false))
		inv.Finish(Result{}, nil)
	})
	k.keys("before")
}

// A transaction that an evicted object left open is rolled back.
func TestEvictionEndsTransactions(t *testing.T) {
	k := newKeeper(t, storage.NewMemory(), StorageSQLite)
	k.want("ok", func(a *Activation, s *storage.Store, inv *Invocation) {
		_, err := a.Begin()
		must(t, err)
		k.put(s, "k")
		inv.Finish(Result{}, nil)
	})
	if !k.host.Evict(k.stub(DefaultRetry()).Target().ID) {
		t.Fatal("not evicted")
	}
	k.keys()
}

// A commit that fails resets the object: its calls end with the cause, nothing
// that was confirmed is lost, the host goes on.
func TestCommitFails(t *testing.T) {
	b, err := storage.NewDisk(t.TempDir())
	must(t, err)
	k := newKeeper(t, b, StorageSQLite)
	k.want("ok", func(a *Activation, s *storage.Store, inv *Invocation) {
		k.put(s, "confirmed")
		a.Wrote(false)
		inv.Finish(Result{}, nil)
	})
	const text = "Durable Object was reset and rolled back to its last known good state because the application left the database in a " +
		"state where constraints were violated: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_FOREIGNKEY)"
	k.want(text, func(a *Activation, s *storage.Store, inv *Invocation) {
		conn, release, err := s.Conn()
		must(t, err)
		must(t, conn.Exec("PRAGMA defer_foreign_keys = 1; CREATE TABLE p(a PRIMARY KEY); CREATE TABLE c(a REFERENCES p(a) DEFERRABLE INITIALLY DEFERRED)"))
		must(t, conn.Exec("INSERT INTO c VALUES (1)"))
		release()
		k.put(s, "unconfirmed")
		a.Wrote(false)
		inv.Finish(Result{}, nil)
	})
	if len(k.failed) != 1 || !strings.Contains(k.failed[0], "FOREIGN KEY") {
		t.Errorf("reported %q", k.failed)
	}
	k.keys("confirmed")
}

// A file that is no database resets the object that needs it, with SQLite's
// text, and stays as it is.
func TestBrokenFile(t *testing.T) {
	dir := t.TempDir()
	b, err := storage.NewDisk(dir)
	must(t, err)
	k := newKeeper(t, b, StorageSQLite)
	file := filepath.Join(dir, k.stub(DefaultRetry()).Target().ID.String()+".sqlite")
	garbage := strings.Repeat("not a database. ", 512)
	must(t, os.WriteFile(file, []byte(garbage), 0o666))
	k.want("file is not a database: SQLITE_NOTADB [durableObjectReset]", func(a *Activation, s *storage.Store, inv *Invocation) {
		err := s.Put("k", nil)
		a.StorageFailed(err)
		a.StorageFailed(errors.New("twice"))
	})
	if len(k.failed) != 1 || !strings.Contains(k.failed[0], file) {
		t.Errorf("reported %q", k.failed)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != garbage {
		t.Errorf("the file was changed (%v)", err)
	}
}

// Errors that are not SQLite's say what they are.
func TestStorageError(t *testing.T) {
	e := StorageError(storage.ErrClosed)
	if want := "Internal error in Durable Object storage caused object to be reset: storage: closed"; e.Message != want || !e.Reset {
		t.Errorf("%+v", e)
	}
}

// A name of more than 1024 bytes is not handed on.
func TestLongName(t *testing.T) {
	k := newKeeper(t, storage.NewMemory(), StorageSQLite)
	for _, n := range []int{1024, 1025} {
		name := strings.Repeat("x", n)
		want := name
		if n > 1024 {
			want = ""
		}
		k.step = func(a *Activation, _ *storage.Store, inv *Invocation) {
			if a.Name() != want {
				t.Errorf("a name of %d bytes became one of %d", n, len(a.Name()))
			}
			inv.Finish(Result{}, nil)
		}
		end := k.begin(k.ns.Get(k.ns.IDs.FromName(name), name, DefaultRetry(), "test"), rpc("m"))
		k.settle()
		wantEnds(t, "ok", end)
	}
}

// KeepIdle and pins keep an object that nothing calls.
func TestKeepIdle(t *testing.T) {
	for _, c := range []struct{ keep, pin bool }{{false, false}, {true, false}, {false, true}} {
		k := newKeeper(t, storage.NewMemory(), StorageSQLite)
		k.host.KeepIdle = c.keep
		var act *Activation
		k.want("ok", func(a *Activation, _ *storage.Store, inv *Invocation) {
			act = a
			if c.pin {
				a.Pin()
			}
			inv.Finish(Result{}, nil)
		})
		must(t, k.clock.Advance(t.Context(), 3*IdleTimeout))
		want := 0
		if c.keep || c.pin {
			want = 1
		}
		if got := k.host.Active(); got != want {
			t.Errorf("%+v: %d in memory, want %d", c, got, want)
		}
		if c.pin {
			k.host.Loop.Post(act.Unpin)
			must(t, k.clock.Advance(t.Context(), IdleTimeout+time.Second))
			if k.host.Active() != 0 {
				t.Error("unpinned, but not evicted")
			}
		}
	}
}
