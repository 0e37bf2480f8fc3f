package storage

import (
	"os"
	"runtime"
	"strconv"
	"testing"
)

func benchGetPutCommit(b *testing.B, be *Backend, sql bool) {
	defer be.Close()
	s := mustOpen(b, be, testID(1))
	if sql {
		_, release, err := s.Conn()
		if err != nil {
			b.Fatal(err)
		}
		release()
	}
	v := make([]byte, 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := s.Get("counter"); err != nil {
			b.Fatal(err)
		}
		if err := s.Put("counter", v); err != nil {
			b.Fatal(err)
		}
		if err := s.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

func newDisk(t testing.TB, dir string, opts ...Option) *Backend {
	t.Helper()
	b, err := NewDisk(dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func BenchmarkGetPutCommit(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchGetPutCommit(b, NewMemory(), false) })
	b.Run("memorySQL", func(b *testing.B) { benchGetPutCommit(b, NewMemory(), true) })
	b.Run("disk", func(b *testing.B) { benchGetPutCommit(b, newDisk(b, b.TempDir()), false) })
}

func benchFirstPut(b *testing.B, be *Backend) {
	defer be.Close()
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i++
		s := mustOpen(b, be, testID(i))
		if err := s.Put("k", []byte{1, 2, 3}); err != nil {
			b.Fatal(err)
		}
		if err := s.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/float64(i), "heapB/object")
}

func BenchmarkFirstPut(b *testing.B) {
	b.Run("memory", func(b *testing.B) { benchFirstPut(b, NewMemory()) })
	b.Run("disk", func(b *testing.B) { benchFirstPut(b, newDisk(b, b.TempDir())) })
}

// BenchmarkReopen alternates between more objects than handles.
func BenchmarkReopen(b *testing.B) {
	be := newDisk(b, b.TempDir(), WithHandles(4))
	i := 0
	for b.Loop() {
		i++
		s := mustOpen(b, be, testID(i%16))
		if err := s.Put("k", []byte{1, 2, 3}); err != nil {
			b.Fatal(err)
		}
		if err := s.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstSQLInMemory(b *testing.B) {
	be := NewMemory()
	defer be.Close()
	i := 0
	for b.Loop() {
		i++
		s := mustOpen(b, be, testID(i))
		if err := s.Put("k", []byte{1}); err != nil {
			b.Fatal(err)
		}
		_, release, err := s.Conn()
		if err != nil {
			b.Fatal(err)
		}
		release()
		be.Delete(s.ID())
	}
}

func BenchmarkList1000(b *testing.B) {
	for _, kind := range []string{"memory", "disk"} {
		b.Run(kind, func(b *testing.B) {
			be := NewMemory()
			if kind == "disk" {
				be = newDisk(b, b.TempDir())
			}
			defer be.Close()
			s := mustOpen(b, be, testID(1))
			for i := range 1000 {
				if err := s.Put(strconv.Itoa(i), make([]byte, 30)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for it := s.List(ListOptions{}); it.Next(); n++ {
				}
				if n != 1000 {
					b.Fatal(n)
				}
			}
		})
	}
}

// TestManyObjects checks the budget of memory for many objects on disk. It takes
// minutes and half a gigabyte of disk with the full number, which the variable
// DURASHIM_MANY_OBJECTS sets.
func TestManyObjects(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("DURASHIM_MANY_OBJECTS"))
	if n == 0 {
		n = 300 // more than there are handles
	}
	be := newDisk(t, t.TempDir())
	for i := range n {
		s := mustOpen(t, be, testID(i))
		if err := s.Put("k", make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if got := be.handles.len(); got > defaultHandles {
		t.Errorf("%d handles open, want at most %d", got, defaultHandles)
	}
	if rss := residentMiB(t); rss > 1024 {
		t.Errorf("resident memory %d MiB for %d objects, want under 1 GiB", rss, n)
	} else {
		t.Logf("resident memory %d MiB for %d objects", rss, n)
	}
}
