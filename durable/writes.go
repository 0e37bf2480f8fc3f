package durable

import (
	"errors"
	"strings"

	"github.com/durashim/durashim/durable/storage"
)

// StorageMode says what the storage of a namespace offers and how long it lives.
type StorageMode uint8

const (
	// StorageSQLite keeps the data apart from the instance: it survives
	// evictions and resets. All storage APIs work.
	StorageSQLite StorageMode = iota
	// StorageKV is StorageSQLite for a namespace that is not declared to use
	// SQL: sql and kv are refused (workerd: localDisk without enableSql).
	StorageKV
	// StorageMemory is a cache with nothing behind it: the data is lost with the
	// instance, by a reset and by an eviction alike (workerd: inMemory).
	StorageMemory
)

// Mode returns what the object's storage offers.
func (a *Activation) Mode() StorageMode { return a.host.Mode }

// Store returns the object's storage, opened at first use.
func (a *Activation) Store() (*storage.Store, error) {
	if a.store == nil {
		if a.closed {
			return nil, errEnded
		}
		s, err := a.host.Storage.Open(a.object.id.String())
		if err != nil {
			return nil, err
		}
		if s.Dirty() {
			// Left behind by a life that was given up while its code was stuck.
			if err := s.Rollback(); err != nil {
				return nil, err
			}
		}
		a.store = s
	}
	return a.store, nil
}

var errEnded = errors.New("durable: the object is not in memory any more")

// Wrote says that the store has writes that are not durable yet. They become so
// together, soon after the present turn; unless unconfirmed, messages wait at
// the output gate until then. Writes within a transaction count when it ends.
func (a *Activation) Wrote(unconfirmed bool) {
	switch {
	case a.closed || a.txs > 0:
		return
	case a.host.Mode == StorageMemory:
		// Nothing to wait for. Committing only keeps the log for Rollback short.
		a.commit()
		return
	}
	if !unconfirmed && !a.confirm {
		a.confirm = true
		a.Out.lock()
	}
	a.flushSoon()
}

func (a *Activation) flushSoon() {
	if !a.flushing {
		a.flushing = true
		a.host.Loop.Post(func() {
			if !a.closed {
				a.Reach(a.flush)
			}
		})
	}
}

// flush makes durable what was written outside of transactions.
func (a *Activation) flush() {
	a.flushing = false
	if a.txs == 0 && !a.commit() {
		return
	}
	if a.confirm {
		a.confirm = false
		a.Out.unlock()
	}
	synced := a.synced
	a.synced = nil
	for _, f := range synced {
		a.Out.Leave(f)
	}
	a.idle()
}

// commit reports whether it succeeded; otherwise the object is reset.
func (a *Activation) commit() bool {
	if r := a.failing; r != nil {
		a.failing = nil
		if r.strikes(PointWriteFailed) {
			a.Break(writeFailed(r.Fault.Random))
			return false
		}
	}
	err := a.store.Commit()
	if errors.Is(err, storage.ErrAlarmIndex) {
		// The writes are safe; the alarm fires too early at worst.
		a.host.failed(a.object.id, err)
		err = nil
	}
	if err != nil {
		a.StorageFailed(err)
	}
	return err == nil
}

// Synced calls f, on the loop, when all writes made up to now are durable.
// After the activation has ended f never runs.
func (a *Activation) Synced(f func()) {
	if a.flushing {
		// Unconfirmed writes do not hold the output gate, so wait behind the
		// flush itself, which may have to wait for the storage.
		a.host.Loop.Post(func() {
			if a.flushing {
				a.synced = append(a.synced, f)
				return
			}
			a.Out.Leave(f)
		})
		return
	}
	a.Out.Leave(f)
}

// StorageFailed resets the object because its storage does not work: the disk is
// full, a file is broken. Nothing that was confirmed is lost.
func (a *Activation) StorageFailed(err error) {
	if a.closed {
		return
	}
	a.host.failed(a.object.id, err)
	a.Break(StorageError(err))
}

// StorageError returns the error that a failure of the storage resets an object
// with. SQLite's own errors read as in the real runtime (measured on workerd).
func StorageError(err error) *Error {
	text, ok := storage.SQLiteText(err)
	switch {
	case ok && strings.Contains(text, "SQLITE_CONSTRAINT"):
		// Deferred constraints are checked when the writes are committed.
		return &Error{Name: "Error", Message: "Durable Object was reset and rolled back to its last known good state because the application left " +
			"the database in a state where constraints were violated: " + text}
	case !ok:
		text = "Internal error in Durable Object storage caused object to be reset: " + err.Error()
	}
	return &Error{Name: "Error", Message: text, Reset: true}
}

// Begin opens a transaction: what is written until it ends can be taken back
// together. What was written before becomes durable first (measured on workerd:
// it survives a ctx.abort() in the transaction). It must not be used with
// [StorageMemory]; the error is the store's.
func (a *Activation) Begin() (*storage.Tx, error) {
	s, err := a.Store()
	if err != nil {
		return nil, err
	}
	if a.txs == 0 && s.Dirty() && !a.unavailable() {
		if !a.commit() {
			return nil, a.broken
		}
	}
	tx, err := s.Begin()
	if err == nil {
		a.txs++
	}
	return tx, err
}

// End ends the innermost transaction. The writes of the outermost one are
// durable when End returns, unless a fault keeps the storage from answering:
// then they become so afterwards, and messages wait for that.
func (a *Activation) End(tx *storage.Tx, keep bool) error {
	if a.closed {
		return nil // rolled back with the rest
	}
	var err error
	if keep {
		err = tx.Commit()
	} else {
		err = tx.Rollback()
	}
	if err != nil {
		return err
	}
	a.txs--
	switch {
	case a.txs > 0 || !a.store.Dirty():
	case a.unavailable():
		a.Wrote(false)
	case !a.commit():
		return a.broken
	}
	return nil
}

// InTransaction reports whether a transaction is open.
func (a *Activation) InTransaction() bool { return a.txs > 0 }

// endStorage settles what becomes of the data when the instance's life ends.
func (a *Activation) endStorage(reset bool) {
	s := a.store
	a.store = nil
	if s == nil {
		return
	}
	var err error
	switch {
	case a.host.Mode == StorageMemory:
		err = a.host.Storage.Delete(a.object.id.String())
	case reset && s.Dirty(), a.txs > 0:
		err = s.Rollback()
	}
	if err != nil && !errors.Is(err, storage.ErrClosed) {
		a.host.failed(a.object.id, err)
	}
}
