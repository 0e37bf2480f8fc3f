package runtime_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/runtime"
)

// The variables with the project of the host, and where its objects' storage is.
const (
	hostDir   = "DURASHIM_TEST_HOST_DIR"
	hostState = "DURASHIM_TEST_HOST_STATE"
)

// hostForEver is the process that has the objects. It prints where it listens,
// and what the objects print.
func hostForEver(dir string) {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	rt, err := runtime.Open(dir, runtime.Options{PersistTo: os.Getenv(hostState), Console: func(_, _, text string) { fmt.Println(text) }})
	if err != nil {
		fail(err)
	}
	h, err := rt.NewHost(testKey)
	if err != nil {
		fail(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	fmt.Println("ready", l.Addr())
	fail(h.Serve(l))
}

// hostProcess is a process with the objects of a project, which can be killed and
// started again. Its address stays: a cable leads to it.
type hostProcess struct {
	t     *testing.T
	dir   string
	state string
	cable net.Listener
	life  atomic.Pointer[hostLife]
	line  func(text string) // a line that the process printed
	quiet atomic.Bool       // new connections are not cut
}

type hostLife struct {
	addr string
	cmd  *exec.Cmd
	over chan struct{} // closed when all that it printed was read
}

// startHost starts a host. line gets what it prints, one call at a time; cut says
// after how many bytes of either direction the n-th connection, from 1, is cut (0:
// never).
func startHost(t *testing.T, dir string, line func(string), cut func(n int) (up, down int)) *hostProcess {
	t.Helper()
	h := &hostProcess{t: t, dir: dir, state: t.TempDir(), line: line}
	h.start()
	var err error
	if h.cable, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for n := 1; ; n++ {
			client, err := h.cable.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", h.life.Load().addr)
			if err != nil {
				_ = client.Close()
				continue
			}
			var up, down int
			if !h.quiet.Load() {
				up, down = cut(n)
			}
			pipe := func(to, from net.Conn, n int) {
				r := io.Reader(from)
				if n > 0 {
					r = io.LimitReader(from, int64(n))
				}
				_, _ = io.Copy(to, r)
				_ = to.Close()
				_ = from.Close()
			}
			running.Go(func() { pipe(server, client, up) })
			running.Go(func() { pipe(client, server, down) })
		}
	})
	t.Cleanup(func() {
		_ = h.cable.Close()
		h.kill()
		running.Wait()
	})
	return h
}

// start starts the process and waits until it is ready.
func (h *hostProcess) start() {
	life := &hostLife{cmd: exec.CommandContext(h.t.Context(), os.Args[0]), over: make(chan struct{})}
	life.cmd.Env = append(os.Environ(), hostDir+"="+h.dir, hostState+"="+h.state)
	life.cmd.Stderr = os.Stderr
	out, err := life.cmd.StdoutPipe()
	if err == nil {
		err = life.cmd.Start()
	}
	if err != nil {
		h.t.Error(err)
		return
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		h.t.Error("the host did not start")
	}
	life.addr = strings.TrimPrefix(lines.Text(), "ready ")
	go func() {
		defer close(life.over)
		for lines.Scan() {
			h.line(lines.Text())
		}
	}()
	h.life.Store(life)
}

// kill ends the process with SIGKILL and waits until it is gone.
func (h *hostProcess) kill() {
	life := h.life.Load()
	_ = life.cmd.Process.Kill()
	<-life.over
	_ = life.cmd.Wait()
}

const countingScript = `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
const pause = () => new Promise((done) => setTimeout(done, 4));
export class Count extends DurableObject {
  static { retryable(this.prototype.marked, this.prototype.counts); }
  async run(i) {
    console.log("run " + i);
    if (i % 3 === 0) await pause();
    const n = (await this.ctx.storage.get("call:" + i) ?? 0) + 1;
    await this.ctx.storage.put("call:" + i, n);
    if (i % 3 === 1) await pause();
    return n;
  }
  async unmarked(i) { return this.run(i); }
  async marked(i) { return this.run(i); }
  async counts() { return Object.fromEntries(await this.ctx.storage.list()); }
}
export default {};
`

// load makes 1000 calls of a host in another process, a hundred at a time, and
// checks what became of them by the rules. It returns how many had each outcome.
func load(t *testing.T, h *hostProcess, runs *runCounter) map[durable.Outcome]int {
	t.Helper()
	const calls, workers, objects = 1000, 100, 10
	client, err := runtime.Open(h.dir, runtime.Options{Record: true, Connect: &runtime.Connect{Address: h.cable.Addr().String(), Key: testKey}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ns := client.Namespace("COUNT")
	object := func(i int) string { return fmt.Sprint("object", i%objects) }
	method := func(i int) string { return []string{"unmarked", "marked"}[i/objects%2] }
	var errs [calls]error
	var wg sync.WaitGroup
	for worker := range workers {
		wg.Go(func() {
			for i := worker; i < calls; i += workers {
				_, errs[i] = ns.GetByName(object(i), runtime.RetryTimeout(5*time.Second)).Call(t.Context(), method(i), i)
			}
		})
	}
	wg.Wait()
	h.quiet.Store(true)
	outcomes := map[int]durable.CallRecord{}
	for _, c := range client.Timeline().Calls() {
		var args [1]int
		if err := govalue.Unmarshal(c.Args, &args); err != nil {
			t.Fatal(err)
		}
		outcomes[args[0]] = c
	}
	// What is stored in the end, read after everything that ran has ended.
	stored := map[string]int{}
	for i := range objects {
		v, err := ns.GetByName(object(i)).Call(t.Context(), "counts")
		var some map[string]int
		if err == nil {
			err = v.Decode(&some)
		}
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(stored, some)
	}
	total := map[durable.Outcome]int{}
	for i := range calls {
		c, n, ran := outcomes[i], stored[fmt.Sprint("call:", i)], runs.of(i)
		total[c.Outcome]++
		bad := func(what string) {
			t.Errorf("call %d (%s), %v, ran %d times, stored %d, %v: %s", i, method(i), c.Outcome, ran, n, errs[i], what)
		}
		if method(i) == "unmarked" && (ran > 1 || n > 1) {
			bad("it ran twice")
		}
		if n > ran {
			bad("it is stored more often than it ran")
		}
		switch c.Outcome {
		case durable.Succeeded, durable.Recovered:
			if errs[i] != nil || n < 1 {
				bad("it was confirmed")
			}
			continue
		case durable.ClaimRejected:
			if method(i) == "marked" {
				bad("a marked method is not rejected")
			}
		case durable.Exhausted, durable.BudgetExhausted:
		default:
			bad("the rules know no such end")
		}
		if e, ok := errs[i].(*runtime.Error); !ok || e.Message != "Network connection lost." || !e.Retryable || e.Remote {
			bad("another error")
		}
	}
	return total
}

// runCounter counts how often each call ran, from what the host prints.
type runCounter struct {
	mu    sync.Mutex
	runs  map[int]int
	total int
}

func (r *runCounter) add(line string) (total int) {
	var i int
	if _, err := fmt.Sscanf(line, "run %d", &i); err != nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs == nil {
		r.runs = map[int]int{}
	}
	r.runs[i]++
	r.total++
	return r.total
}

func (r *runCounter) of(i int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.runs[i]
}

// The process with the objects is killed and started again in the middle of 1000
// calls, several times.
func TestHostKilledUnderLoad(t *testing.T) {
	var runs runCounter
	var h *hostProcess
	kills := make(chan struct{}, 10)
	h = startHost(t, project(t, countingScript, "Count"), func(line string) {
		switch runs.add(line) {
		case 40, 200, 400, 600, 800:
			kills <- struct{}{}
		}
	}, func(int) (int, int) { return 0, 0 })
	stopped := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-kills:
				h.kill()
				h.start()
			case <-over:
				return
			}
		}
	}()
	total := load(t, h, &runs)
	close(over)
	<-stopped
	t.Logf("1000 calls over 5 kills: %v; %d runs", total, runs.total)
	if total[durable.Recovered] == 0 || total[durable.ClaimRejected] == 0 {
		t.Errorf("the kills did not meet the load: %v", total)
	}
}

// The cable between two processes is cut after random numbers of bytes in the
// middle of 1000 calls; the host goes on.
func TestCableCutUnderLoad(t *testing.T) {
	var runs runCounter
	random := rand.New(rand.NewPCG(3, 4))
	var cuts atomic.Int32
	h := startHost(t, project(t, countingScript, "Count"), func(line string) { runs.add(line) }, func(int) (up, down int) {
		if cuts.Load() == 30 {
			return 0, 0
		}
		cuts.Add(1)
		if random.IntN(2) == 0 {
			return 1 + random.IntN(20_000), 0
		}
		return 0, 1 + random.IntN(8_000)
	})
	total := load(t, h, &runs)
	t.Logf("1000 calls over %d cuts: %v; %d runs", cuts.Load(), total, runs.total)
	if total[durable.Recovered] == 0 || total[durable.ClaimRejected] == 0 {
		t.Errorf("the cuts did not meet the load: %v", total)
	}
}
