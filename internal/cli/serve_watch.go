package cli

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

// watchEvery is how often --watch looks at the files. Looking at a hundred files
// costs less than a millisecond, needs no help from the operating system, and
// works on every kind of file system.
const watchEvery = 300 * time.Millisecond

// after calls f after d by the clock.
func (a *app) after(d time.Duration, f func()) sched.Timer {
	return a.sched.AfterFunc(d, sched.Needed, "serve", f)
}

// fileState is what tells a file from its next version. A file that does not
// exist has the zero state.
type fileState struct {
	size  int64
	mtime time.Time
}

// look takes the states of files.
func look(files []string) map[string]fileState {
	states := make(map[string]fileState, len(files))
	for _, f := range files {
		var s fileState
		if info, err := os.Stat(f); err == nil {
			s = fileState{info.Size(), info.ModTime()}
		}
		states[f] = s
	}
	return states
}

// withDirs adds the directories of files: what is missing appears in one.
func withDirs(files []string) []string {
	seen := map[string]bool{}
	out := append([]string(nil), files...)
	for _, f := range files {
		if d := filepath.Dir(f); !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return out
}

// watch reloads the project whenever one of its files changes, until ctx ends.
func (s *site) watch(ctx context.Context) {
	files := s.cur.rt.Inputs()
	last := look(files)
	for {
		tick := make(chan struct{})
		t := s.app.after(watchEvery, func() { close(tick) })
		select {
		case <-tick:
		case <-ctx.Done():
			t.Stop()
			return
		}
		now := look(files)
		if maps.Equal(now, last) {
			continue
		}
		start := s.app.sched.Now()
		// Taken before reading, so that a change meanwhile is seen next time.
		last = now
		if err := s.reload(ctx); err != nil {
			s.log.say("reload failed, the old version goes on: %v", err)
			// What an import does not find may be made later.
			files = withDirs(s.cur.rt.Inputs())
			last = merge(look(files), now)
			continue
		}
		s.log.say("reloaded in %s", duration(s.app.sched.Now().Sub(start)))
		files = s.cur.rt.Inputs()
		last = merge(look(files), now)
	}
}

// merge replaces states by earlier ones of the same files.
func merge(states, earlier map[string]fileState) map[string]fileState {
	for f, st := range earlier {
		if _, ok := states[f]; ok {
			states[f] = st
		}
	}
	return states
}

// reload starts the next version, lets the requests of the old one finish, and
// hands over.
func (s *site) reload(ctx context.Context) error {
	rt, err := s.cur.rt.Reopen(s.path, s.o.runtimeOptions(s.log))
	if err != nil {
		return err
	}
	next, opened, err := s.newVersion(ctx, rt)
	if err != nil {
		_ = rt.Close() // its storage is that of the version that goes on
		return err
	}
	old := s.drain(ctx)
	if ctx.Err() != nil {
		// The server stops: the old version goes on for what is in flight.
		s.swapped(old)
		next.end()
		for _, l := range opened {
			_ = l.Close()
		}
		return rt.Close()
	}
	old.end()
	if err := old.rt.Close(); err != nil {
		s.log.say("closing the old version: %v", err)
	}
	s.swapped(next)
	for name, l := range s.listeners {
		if next.handlers[name] == nil {
			delete(s.listeners, name)
			go func() { _ = s.stop(l) }()
		}
	}
	s.listen(opened)
	return nil
}

// swapped lets requests on to a version.
func (s *site) swapped(v *version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cur = v
	close(s.swapping)
	s.swapping = nil
}

// drain holds new requests back and waits until the version that runs has
// answered its own, or has had its time.
func (s *site) drain(ctx context.Context) *version {
	s.mu.Lock()
	s.swapping = make(chan struct{})
	v := s.cur
	if v.inflight == 0 {
		s.mu.Unlock()
		return v
	}
	idle := make(chan struct{})
	v.idle = idle
	s.mu.Unlock()
	late := make(chan struct{})
	defer s.app.after(reloadGrace, func() { close(late) }).Stop()
	select {
	case <-idle:
	case <-late:
		s.log.say("ending requests that the old version has not answered within %v", reloadGrace)
	case <-ctx.Done():
	}
	return v
}
