// Package storage keeps the data of Durable Objects: for each object an ordered
// map from strings to opaque bytes (KV), an SQL database and an alarm, with
// transactions over all three. It is plain Go: it knows neither JavaScript nor
// what the bytes mean, never waits for anything but the disk, and reads no clock.
//
//	b, err := storage.NewDisk(dir)   // or storage.NewMemory()
//	s, err := b.Open(id)             // one object
//	err = s.Put("count", blob)       // visible at once
//	err = s.Commit()                 // durable
//
// # Durability
//
// The first write after a commit opens an implicit transaction; [Store.Commit]
// makes everything written since durable at once, so that an object's output can
// be held back until then (write coalescing, the output gate:
// https://developers.cloudflare.com/durable-objects/reference/in-memory-state/).
// Durable means that it survives the death of the process: commits go to
// SQLite's write-ahead log without a flush (synchronous=NORMAL), as in the real
// runtime; [WithPowerSafety] adds the flush. [Store.Begin] opens explicit
// transactions inside the implicit one. [Store.DeleteAll] alone is not part of
// any transaction.
//
// # Files
//
// A Backend on disk is the real runtime's directory for one uniqueKey: a
// database <id>.sqlite for each object (WAL, 4096-byte pages) with KV in the
// table _cf_KV and the alarm in _cf_METADATA, and metadata.sqlite with the index
// of alarms. Each runtime reads what the other wrote. They exclude each other
// through locks on metadata.sqlite. A clean [Backend.Close] leaves the databases
// that are open at the time without a log; the log of one that was closed
// earlier, to save handles, stays beside it. Both are complete: copy them
// together.
//
// # Memory
//
// In memory an object begins as an ordered map in plain Go with an undo log and
// moves to SQLite, uncommitted writes and all, when [Store.Conn] is first called.
// Nobody can tell, but by the measure (one core of a shared 2-core machine):
//
//	                           plain Go   SQLite in memory
//	first put of an object       2 µs          500 µs
//	get, put, commit           0.1 µs            4 µs
//	memory of a small object   0.5 KB           16 KB, with a connection +300 KB
//
// One SQLite database shared by all objects would save the cost of opening, but
// it has one transaction at a time, so that objects could not commit and roll
// back independently, and no room for each object's own tables.
//
// On disk, get, put and commit take 5 µs, and the first put of a new object
// about 1 to 3 ms, nearly all of it the kernel's for creating two files.
// Connections are the expensive part, so only some hundreds are open at a time
// ([WithHandles]), in memory too; reopening costs 0.6 ms.
package storage
