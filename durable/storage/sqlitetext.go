package storage

import (
	"errors"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// SQLiteText returns an SQLite error as the real runtime words it,
//
//	disk I/O error: SQLITE_IOERR (extended: SQLITE_IOERR_WRITE)
//
// and whether err is, or wraps, an SQLite error at all.
func SQLiteText(err error) (string, bool) {
	var code sqlite3.ErrorCode
	var extended sqlite3.ExtendedErrorCode
	var detail string
	var e *sqlite3.Error
	switch {
	case errors.As(err, &e):
		code, extended = e.Code(), e.ExtendedCode()
		// What the database has to say is more precise than what the code means.
		// Trouble of the operating system comes last and says nothing to a script.
		detail, _ = strings.CutPrefix(e.Error(), extended.Error()+": ")
		if detail == e.Error() {
			detail = ""
		}
		if sys := e.Unwrap(); sys != nil {
			detail = strings.TrimSuffix(strings.TrimSuffix(detail, sys.Error()), ": ")
		}
	case errors.As(err, &extended):
		code = extended.Code()
	case errors.As(err, &code):
	default:
		return "", false
	}
	text := detail
	if text == "" {
		text = strings.TrimPrefix(code.Error(), "sqlite3: ")
	}
	name := "SQLITE_ERROR"
	if n, ok := primaryNames[code]; ok {
		name = "SQLITE_" + n
	}
	text += ": " + name
	if n, ok := extendedNames[extended]; ok {
		text += " (extended: SQLITE_" + n + ")"
	}
	return text, true
}

// https://sqlite.org/rescode.html
var primaryNames = map[sqlite3.ErrorCode]string{
	sqlite3.ERROR: "ERROR", sqlite3.INTERNAL: "INTERNAL", sqlite3.PERM: "PERM", sqlite3.ABORT: "ABORT",
	sqlite3.BUSY: "BUSY", sqlite3.LOCKED: "LOCKED", sqlite3.NOMEM: "NOMEM", sqlite3.READONLY: "READONLY",
	sqlite3.INTERRUPT: "INTERRUPT", sqlite3.IOERR: "IOERR", sqlite3.CORRUPT: "CORRUPT", sqlite3.NOTFOUND: "NOTFOUND",
	sqlite3.FULL: "FULL", sqlite3.CANTOPEN: "CANTOPEN", sqlite3.PROTOCOL: "PROTOCOL", sqlite3.SCHEMA: "SCHEMA",
	sqlite3.TOOBIG: "TOOBIG", sqlite3.CONSTRAINT: "CONSTRAINT", sqlite3.MISMATCH: "MISMATCH", sqlite3.MISUSE: "MISUSE",
	sqlite3.NOLFS: "NOLFS", sqlite3.AUTH: "AUTH", sqlite3.RANGE: "RANGE", sqlite3.NOTADB: "NOTADB",
}

var extendedNames = map[sqlite3.ExtendedErrorCode]string{
	sqlite3.IOERR_READ: "IOERR_READ", sqlite3.IOERR_SHORT_READ: "IOERR_SHORT_READ", sqlite3.IOERR_WRITE: "IOERR_WRITE",
	sqlite3.IOERR_FSYNC: "IOERR_FSYNC", sqlite3.IOERR_DIR_FSYNC: "IOERR_DIR_FSYNC", sqlite3.IOERR_TRUNCATE: "IOERR_TRUNCATE",
	sqlite3.IOERR_FSTAT: "IOERR_FSTAT", sqlite3.IOERR_UNLOCK: "IOERR_UNLOCK", sqlite3.IOERR_RDLOCK: "IOERR_RDLOCK",
	sqlite3.IOERR_DELETE: "IOERR_DELETE", sqlite3.IOERR_NOMEM: "IOERR_NOMEM", sqlite3.IOERR_ACCESS: "IOERR_ACCESS",
	sqlite3.IOERR_LOCK: "IOERR_LOCK", sqlite3.IOERR_CLOSE: "IOERR_CLOSE", sqlite3.IOERR_SHMOPEN: "IOERR_SHMOPEN",
	sqlite3.IOERR_SHMSIZE: "IOERR_SHMSIZE", sqlite3.IOERR_SHMLOCK: "IOERR_SHMLOCK", sqlite3.IOERR_SHMMAP: "IOERR_SHMMAP",
	sqlite3.IOERR_SEEK: "IOERR_SEEK", sqlite3.IOERR_DATA: "IOERR_DATA", sqlite3.IOERR_CORRUPTFS: "IOERR_CORRUPTFS",
	sqlite3.CANTOPEN_ISDIR: "CANTOPEN_ISDIR", sqlite3.CANTOPEN_FULLPATH: "CANTOPEN_FULLPATH",
	sqlite3.READONLY_RECOVERY: "READONLY_RECOVERY", sqlite3.READONLY_CANTLOCK: "READONLY_CANTLOCK",
	sqlite3.READONLY_ROLLBACK: "READONLY_ROLLBACK", sqlite3.READONLY_DBMOVED: "READONLY_DBMOVED",
	sqlite3.READONLY_CANTINIT: "READONLY_CANTINIT", sqlite3.READONLY_DIRECTORY: "READONLY_DIRECTORY",
	sqlite3.BUSY_RECOVERY: "BUSY_RECOVERY", sqlite3.BUSY_SNAPSHOT: "BUSY_SNAPSHOT", sqlite3.BUSY_TIMEOUT: "BUSY_TIMEOUT",
	sqlite3.CORRUPT_VTAB: "CORRUPT_VTAB", sqlite3.CORRUPT_SEQUENCE: "CORRUPT_SEQUENCE", sqlite3.CORRUPT_INDEX: "CORRUPT_INDEX",
	sqlite3.ABORT_ROLLBACK: "ABORT_ROLLBACK", sqlite3.AUTH_USER: "AUTH_USER",
	sqlite3.CONSTRAINT_CHECK: "CONSTRAINT_CHECK", sqlite3.CONSTRAINT_COMMITHOOK: "CONSTRAINT_COMMITHOOK",
	sqlite3.CONSTRAINT_FOREIGNKEY: "CONSTRAINT_FOREIGNKEY", sqlite3.CONSTRAINT_FUNCTION: "CONSTRAINT_FUNCTION",
	sqlite3.CONSTRAINT_NOTNULL: "CONSTRAINT_NOTNULL", sqlite3.CONSTRAINT_PRIMARYKEY: "CONSTRAINT_PRIMARYKEY",
	sqlite3.CONSTRAINT_TRIGGER: "CONSTRAINT_TRIGGER", sqlite3.CONSTRAINT_UNIQUE: "CONSTRAINT_UNIQUE",
	sqlite3.CONSTRAINT_VTAB: "CONSTRAINT_VTAB", sqlite3.CONSTRAINT_ROWID: "CONSTRAINT_ROWID",
	sqlite3.CONSTRAINT_PINNED: "CONSTRAINT_PINNED", sqlite3.CONSTRAINT_DATATYPE: "CONSTRAINT_DATATYPE",
}
