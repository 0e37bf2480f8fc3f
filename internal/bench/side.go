package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

//go:embed worker.js
var workerJS []byte

// bench is what all measurements share.
type bench struct {
	dir   string
	sched sched.Scheduler
	log   io.Writer
}

// storage says where the objects of a server keep their data.
type storage int

const (
	inMemory storage = iota
	onDisk
)

// side is one of the runtimes that are compared.
type side struct {
	*bench
	name, bin string
	// command gives the arguments that serve a configuration.
	command func(c serving) []string
	servers [2]*server // by storage; started at first use
	count   int        // of the directories and processes so far
	ended   float64    // seconds of processor time of the processes that have ended
}

// serving is what a process is to serve.
type serving struct {
	config  string // path
	address string
	storage storage
	dir     string // of the storage, if on disk
}

func durashimCommand(c serving) []string {
	_, port, _ := net.SplitHostPort(c.address)
	persist := ":memory:"
	if c.storage == onDisk {
		persist = c.dir
	}
	return []string{"serve", c.config, "--port", port, "--persist-to", persist}
}

func workerdCommand(c serving) []string {
	args := []string{"serve", "--experimental", c.config, "-s", "http=" + c.address}
	if c.storage == onDisk {
		args = append(args, "-d", "disk="+c.dir)
	}
	return args
}

const configText = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "bench", worker = (
      compatibilityDate = "2026-11-01", compatibilityFlags = ["nodejs_compat"],
      modules = [ ( name = "worker.js", esModule = embed "worker.js" ) ],
      durableObjectNamespaces = [ ( className = "Bench", uniqueKey = "bench-Bench", enableSql = %SQL ) ],
      durableObjectStorage = %STORAGE,
      bindings = [ ( name = "BENCH", durableObjectNamespace = "Bench" ) ],
    ) ),%DISK
  ],
  sockets = [ ( name = "http", address = "127.0.0.1:0", http = (), service = "bench" ) ],
);
`

const tests = 100

// write writes the configurations.
func (s *side) write() error {
	var testJS strings.Builder
	testJS.WriteString("export { Bench } from \"./worker.js\";\n")
	for i := range tests {
		fmt.Fprintf(&testJS, "export const t%03d = { async test(_, env) { if (await env.BENCH.getByName(%q).echo(%d) !== %d) throw new Error(); } };\n", i, fmt.Sprint("t", i), i, i)
	}
	memory := strings.NewReplacer("%SQL", "false", "%STORAGE", "(inMemory = void)", "%DISK", "").Replace(configText)
	files := map[string]string{
		"worker.js":     string(workerJS),
		"tests.js":      testJS.String(),
		"memory.capnp":  memory,
		"disk.capnp":    strings.NewReplacer("%SQL", "true", "%STORAGE", `(localDisk = "disk")`, "%DISK", "\n    ( name = \"disk\", disk = (writable = true) ),").Replace(configText),
		"tests.wd-test": strings.Replace(memory, `modules = [ (`, `modules = [ ( name = "tests.js", esModule = embed "tests.js" ), (`, 1),
		"project/wrangler.json": `{"name": "bench", "main": "worker.js", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "BENCH", "class_name": "Bench"}]},
			"migrations": [{"tag": "v1", "new_sqlite_classes": ["Bench"]}]}`,
		"project/worker.js": string(workerJS),
	}
	for name, text := range files {
		file := filepath.Join(s.dir, s.name, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (s *side) file(name string) string {
	return filepath.Join(s.dir, s.name, filepath.FromSlash(name))
}

// server is a process that answers HTTP.
type server struct {
	bench  *bench
	cmd    *exec.Cmd
	url    string
	client *http.Client
	ended  chan struct{}
	err    error         // of the process; read after ended
	first  time.Duration // from the start of the process to the first answer
}

// start starts a process and waits for the first answer from an object.
func (s *side) start(ctx context.Context, config string, where storage) (*server, error) {
	// The address is free now; that another process takes it meanwhile shows as
	// an error.
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := serving{config: s.file(config), address: l.Addr().String(), storage: where}
	if err := l.Close(); err != nil {
		return nil, err
	}
	s.count++
	c.dir = s.file(fmt.Sprint("storage-", s.count))
	output := s.file(fmt.Sprint("output-", s.count))
	if err := os.Mkdir(c.dir, 0o700); err != nil {
		return nil, err
	}
	out, err := os.Create(output)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }() // the process has it
	srv := &server{
		bench: s.bench, url: "http://" + c.address, ended: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}},
	}
	srv.cmd = exec.CommandContext(ctx, s.bin, s.command(c)...)
	srv.cmd.Dir = filepath.Dir(c.config)
	srv.cmd.Stdout, srv.cmd.Stderr = out, out
	began := s.sched.Now()
	if err := srv.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { srv.err = srv.cmd.Wait(); close(srv.ended) }()
	for {
		err := srv.get(ctx, "object?n=1")
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.ECONNREFUSED) || s.sched.Now().Sub(began) > 30*time.Second {
			return nil, errors.Join(fmt.Errorf("%s: %w\n%s", s.name, err, tail(output)), s.stop(srv))
		}
		if err := s.wait(ctx, srv, 200*time.Microsecond); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", s.name, err, tail(output))
		}
	}
	srv.first = s.sched.Now().Sub(began)
	return srv, nil
}

// wait waits a moment; it fails when the process ends meanwhile.
func (b *bench) wait(ctx context.Context, srv *server, d time.Duration) error {
	done := make(chan struct{})
	t := b.sched.AfterFunc(d, sched.Needed, "poll", func() { close(done) })
	defer t.Stop()
	select {
	case <-done:
		return nil
	case <-srv.ended:
		return fmt.Errorf("the process ended: %w", srv.err)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tail is the end of a file, for an error.
func tail(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(data[max(0, len(data)-2000):]))
}

// get requests a path and reads the whole answer.
func (s *server) get(ctx context.Context, path string) error {
	n, err := s.size(ctx, http.MethodGet, path, nil)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s: an empty answer", path)
	}
	return err
}

// size requests a path and counts the bytes of the answer.
func (s *server) size(ctx context.Context, method, path string, body io.Reader) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+"/"+path, body)
	if err != nil {
		return 0, err
	}
	res, err := s.client.Do(req)
	if err != nil {
		if isEnded(s) {
			err = fmt.Errorf("the process ended, %v: %w", s.cmd.ProcessState, err)
		}
		return 0, err
	}
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		_ = res.Body.Close()
		return 0, fmt.Errorf("%s: %s %s", path, res.Status, strings.TrimSpace(string(text)))
	}
	n, err := io.Copy(io.Discard, res.Body)
	return n, errors.Join(err, res.Body.Close())
}

// stop ends the process.
func (s *server) stop() error {
	s.client.CloseIdleConnections()
	if isEnded(s) {
		return nil
	}
	// Nothing of what it keeps is used again.
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.ended
	return nil
}

// stop ends a process of the side and notes what it has used.
func (s *side) stop(srv *server) error {
	err := srv.stop()
	s.used(srv.cmd)
	return err
}

// used notes the processor time of a process that has ended.
func (s *side) used(cmd *exec.Cmd) {
	if p := cmd.ProcessState; p != nil {
		s.ended += (p.UserTime() + p.SystemTime()).Seconds()
	}
}

// processorTime is what all processes of the side have used so far, in seconds.
// A machine that is busy with other things stretches it far less than the time
// on the clock.
func (s *side) processorTime() float64 {
	sum := s.ended
	for _, srv := range s.servers {
		if srv != nil {
			sum += processorTime(srv.cmd.Process.Pid)
		}
	}
	return sum
}

// server gives the long-lived server of a kind of storage.
func (s *side) server(ctx context.Context, where storage) (*server, error) {
	if srv := s.servers[where]; srv != nil && isEnded(srv) {
		// What ended it is in the round's error; the next round goes on.
		s.used(srv.cmd)
		s.servers[where] = nil
	}
	if s.servers[where] == nil {
		srv, err := s.start(ctx, []string{"memory.capnp", "disk.capnp"}[where], where)
		if err != nil {
			return nil, err
		}
		s.servers[where] = srv
	}
	return s.servers[where], nil
}

func isEnded(s *server) bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *side) stopAll() error {
	var errs []error
	for _, srv := range s.servers {
		if srv != nil {
			errs = append(errs, srv.stop())
		}
	}
	return errors.Join(errs...)
}
