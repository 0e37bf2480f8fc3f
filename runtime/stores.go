package runtime

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/config"
)

// stores are the open storages of a project's namespaces. A project that is
// reloaded shares them with its next version: objects keep their storage, in
// memory too, and a directory is never open twice.
type stores struct {
	mu    sync.Mutex
	users int
	byKey map[string]*storage.Backend
}

// use adds a user of the stores.
func (s *stores) use() *stores {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
	return s
}

// get returns the storage of a namespace, opened by open if it is not there yet.
func (s *stores) get(key string, open func() (*storage.Backend, error)) (*storage.Backend, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.byKey[key]; b != nil {
		return b, nil
	}
	b, err := open()
	if err != nil {
		return nil, err
	}
	if s.byKey == nil {
		s.byKey = map[string]*storage.Backend{}
	}
	s.byKey[key] = b
	return b, nil
}

// release ends a use; with the last one everything is closed.
func (s *stores) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	var errs []error
	for _, b := range s.byKey {
		errs = append(errs, b.Close())
	}
	s.byKey = nil
	return errors.Join(errs...)
}

// storageDir is the directory of the objects of a worker, "" for memory.
func (rt *Runtime) storageDir(w *config.Worker) (string, error) {
	if rt.opts.PersistTo != "" || !rt.opts.ConfiguredStorage || w.Storage.Kind != config.StorageLocalDisk {
		return rt.opts.PersistTo, nil
	}
	s := rt.cfg.Service(w.Storage.Disk.Value) // Validate has looked that it is a disk
	dir := s.Disk.Path.Value
	if dir == "" {
		return "", fmt.Errorf("%s: the disk service %q has no path; give it one with --directory-path %s=<path>", s.Pos, s.Name, s.Name)
	}
	if !s.Disk.Implied {
		// As the real runtime, make no directory that somebody may have misspelt.
		if info, err := os.Stat(dir); err != nil {
			return "", fmt.Errorf("%s: disk service %q: %w", s.Pos, s.Name, err)
		} else if !info.IsDir() {
			return "", fmt.Errorf("%s: disk service %q: %s is no directory", s.Pos, s.Name, dir)
		}
	}
	return dir, nil
}
