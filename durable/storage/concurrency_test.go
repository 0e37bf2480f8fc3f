package storage

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

// TestConcurrentStores: several goroutines, each with stores of its own, fight
// over fewer handles than they need.
func TestConcurrentStores(t *testing.T) {
	for kind, b := range map[string]*Backend{
		"memory": NewMemory(WithHandles(3)),
		"disk":   newDisk(t, t.TempDir(), WithHandles(3)),
	} {
		const workers, stores, rounds = 4, 4, 12
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for n := range rounds * stores {
					s, err := b.Open(testID(w*stores + n%stores))
					if err != nil {
						t.Error(err)
						return
					}
					_, release, err := s.Conn()
					if err != nil {
						t.Error(err)
						return
					}
					v, _, err := s.Get("n")
					release()
					want := ""
					if n >= stores {
						want = fmt.Sprint(n - stores)
					}
					if string(v) != want {
						t.Errorf("%s: worker %d round %d: got %q, want %q", kind, w, n, v, want)
					}
					if err := errors.Join(err, s.Put("n", fmt.Append(nil, n)), s.SetAlarm(int64(n+1), nil), s.Commit()); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		alarms, err := b.Alarms()
		if err != nil || len(alarms) != workers*stores {
			t.Errorf("%s: %d alarms, %v", kind, len(alarms), err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if _, err := b.Open(testID(1)); err != ErrClosed {
			t.Errorf("Open after Close: %v", err)
		}
		if err := b.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
	}
}
