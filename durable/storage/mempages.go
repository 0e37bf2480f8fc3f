package storage

import (
	"fmt"
	"io"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// pageSize is SQLite's, in the real runtime's files and here alike, so that an
// object in memory reports the same database size.
const pageSize = 4096

// memPages is a database file in Go's memory. It outlives the connection, which
// takes twenty times as much as a small database: of thousands of objects in
// memory only as many have one as the handle cache allows. It has one connection
// at a time, so it needs no locks.
//
// It is at once the VFS (https://sqlite.org/vfs.html) that knows this one file
// and the open file.
type memPages struct {
	pages []*[pageSize]byte
	size  int64
}

// register makes the file known to SQLite, under a name that is unique while
// the file lives, for as long as a connection is open.
func (m *memPages) register() (name string) {
	name = fmt.Sprintf("durashim-%p", m)
	vfs.Register(name, m)
	return name
}

func (m *memPages) unregister() { vfs.Unregister(fmt.Sprintf("durashim-%p", m)) }

// Open implements [vfs.VFS]. Journals and temporary files are kept in SQLite's
// own memory by the pragmas of openConn; nothing else is ever opened.
func (m *memPages) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if flags&vfs.OPEN_MAIN_DB == 0 {
		return nil, flags, sqlite3.CANTOPEN
	}
	return m, flags | vfs.OPEN_MEMORY, nil
}

// Delete implements [vfs.VFS]; there is never a journal to delete.
func (m *memPages) Delete(string, bool) error { return sqlite3.IOERR_DELETE_NOENT }

// Access implements [vfs.VFS].
func (m *memPages) Access(string, vfs.AccessFlag) (bool, error) { return false, nil }

// FullPathname implements [vfs.VFS].
func (m *memPages) FullPathname(name string) (string, error) { return name, nil }

// Close implements [vfs.File]; the contents stay.
func (m *memPages) Close() error { return nil }

// ReadAt implements [vfs.File].
func (m *memPages) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) && off < m.size {
		page := m.pages[off/pageSize][off%pageSize:]
		page = page[:min(int64(len(page)), m.size-off)]
		c := copy(b[n:], page)
		n, off = n+c, off+int64(c)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt implements [vfs.File].
func (m *memPages) WriteAt(b []byte, off int64) (n int, err error) {
	if end := off + int64(len(b)); end > m.size {
		m.resize(end)
	}
	for n < len(b) {
		c := copy(m.pages[off/pageSize][off%pageSize:], b[n:])
		n, off = n+c, off+int64(c)
	}
	return n, nil
}

// Truncate implements [vfs.File].
func (m *memPages) Truncate(size int64) error {
	m.resize(size)
	return nil
}

func (m *memPages) resize(size int64) {
	want := int((size + pageSize - 1) / pageSize)
	for len(m.pages) < want {
		m.pages = append(m.pages, new([pageSize]byte))
	}
	clear(m.pages[want:])
	m.pages = m.pages[:want]
	if rest := size % pageSize; size < m.size && rest > 0 {
		clear(m.pages[want-1][rest:])
	}
	m.size = size
}

// Sync implements [vfs.File].
func (m *memPages) Sync(vfs.SyncFlag) error { return nil }

// Size implements [vfs.File].
func (m *memPages) Size() (int64, error) { return m.size, nil }

// Lock implements [vfs.File].
func (m *memPages) Lock(vfs.LockLevel) error { return nil }

// Unlock implements [vfs.File].
func (m *memPages) Unlock(vfs.LockLevel) error { return nil }

// CheckReservedLock implements [vfs.File].
func (m *memPages) CheckReservedLock() (bool, error) { return false, nil }

// SectorSize implements [vfs.File].
func (m *memPages) SectorSize() int { return pageSize }

// DeviceCharacteristics implements [vfs.File]. Nothing can tear a write here.
func (m *memPages) DeviceCharacteristics() vfs.DeviceCharacteristic {
	return vfs.IOCAP_ATOMIC | vfs.IOCAP_SAFE_APPEND | vfs.IOCAP_SEQUENTIAL | vfs.IOCAP_POWERSAFE_OVERWRITE
}
