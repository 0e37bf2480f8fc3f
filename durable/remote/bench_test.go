package remote

import (
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// BenchmarkCall is a call over a socket of the machine itself, one at a time and
// many at once.
func BenchmarkCall(b *testing.B) {
	for name, flight := range map[string]int{"one": 1, "64": 64} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, sched.NewReal())
			c := w.client(w.addr)
			e := &durable.Engine{Scheduler: w.sched, Random: w.random}
			ns := &durable.Namespace{Name: "A", IDs: ids, Engine: e, Transport: c.Transport(testNS)}
			stub := ns.Get(ids.FromName("a"), "a", durable.DefaultRetry(), "test")
			op := durable.Op{Method: "add", Args: []byte("x"), Replayable: true}
			done := make(chan *durable.Error, flight)
			b.ReportAllocs()
			left := 0
			for b.Loop() {
				if left == flight {
					if err := <-done; err != nil {
						b.Fatal(err)
					}
					left--
				}
				left++
				stub.Call(op, func(_ durable.Result, err *durable.Error) { done <- err })
			}
			for ; left > 0; left-- {
				<-done
			}
		})
	}
}
