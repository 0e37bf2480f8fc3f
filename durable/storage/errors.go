package storage

import (
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

var (
	// ErrClosed is returned by every operation on a [Backend], or on a [Store]
	// of a Backend, that has been closed or whose object has been deleted.
	ErrClosed = errors.New("storage: closed")

	// ErrTxOpen is returned by [Store.Commit] and [Store.DeleteAll] while an
	// explicit transaction is open: what it wrote may still be rolled back, so
	// nothing can be made durable yet.
	ErrTxOpen = errors.New("storage: an explicit transaction is open")

	// ErrTxOrder is returned by [Tx.Commit] when a transaction begun later is
	// still open. Transactions nest like calls: the innermost ends first.
	ErrTxOrder = errors.New("storage: an inner transaction is still open")

	// ErrTxDone is returned by [Tx.Commit] and [Tx.Rollback] on a transaction
	// that has ended, also when it ended because an outer one, or the whole
	// store, was rolled back.
	ErrTxDone = errors.New("storage: transaction has already ended")

	// ErrLost is returned by every operation after SQLite has, because of an
	// earlier error (disk full, I/O error, out of memory), rolled back the
	// writes that were waiting for [Store.Commit]. Going on would confirm later
	// writes without the earlier ones. [Store.Rollback] clears the state; the
	// error wraps its cause too.
	ErrLost = errors.New("storage: uncommitted writes were lost")

	// ErrAlarmIndex is returned by [Store.Commit] when the writes are durable but
	// an alarm that was put off or deleted is still in the index at its old, too
	// early time; see [Backend.Alarms].
	ErrAlarmIndex = errors.New("storage: committed, but the index of alarms could not be updated")

	// ErrInUse is returned by [NewDisk] for a directory that another process,
	// or another Backend of this one, has open.
	ErrInUse = errors.New("storage: directory is in use by another process")
)

// fileError adds the object's file, and for the commoner failures what they
// mean, to an SQLite error, which stays reachable for errors.Is and errors.As.
func fileError(file, op string, err error) error {
	if err == nil {
		return nil
	}
	hint := ""
	switch {
	case errors.Is(err, sqlite3.FULL):
		hint = "disk is full: "
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB):
		hint = "file is corrupt or not a database: "
	case errors.Is(err, sqlite3.BUSY), errors.Is(err, sqlite3.LOCKED):
		hint = "database is locked: "
	case errors.Is(err, sqlite3.READONLY):
		hint = "file is not writable: "
	case errors.Is(err, sqlite3.CANTOPEN):
		hint = "cannot open: "
	}
	return fmt.Errorf("storage: %s %s: %s%w", op, file, hint, err)
}
