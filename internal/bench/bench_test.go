package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/sched"
	"github.com/durashim/durashim/runtime"
)

// The worker does every step that a measurement asks for.
func TestWorker(t *testing.T) {
	rt, err := runtime.New(runtime.Config{
		Modules:           []runtime.Module{{Name: "worker.js", Source: string(workerJS)}},
		Classes:           []runtime.Class{{Binding: "BENCH", Class: "Bench"}},
		CompatibilityDate: "2026-11-01",
	}, runtime.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	for path, want := range map[string]string{
		"/object?n=7": "7", "/one?n=2": "done", "/many?n=64": "done", "/first?n=2&arg=a": "done", "/store?n=2": "done",
		"/firstPut?n=2&arg=b": "done", "/echo?n=2&arg=1000": "done", "/compute?n=1": "done",
		"/hundred?n=100&arg=10": "done", "/bytes?n=1&arg=10": "done", "/json?n=1": "done", "/headers?n=2": "done", "/urls?n=2": "done",
		"/digest?n=1": "done", "/text?n=1": "done", "/rpcStream?n=100000": "done",
		"/stream?n=3": "\x00\x00\x00", "/transform?n=3": "\xff\x00\x00", "/objectStream?n=3": "\xff\x00\x00",
	} {
		res := httptest.NewRecorder()
		rt.Handler().ServeHTTP(res, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://bench"+path, nil))
		if res.Code != http.StatusOK || res.Body.String() != want {
			t.Errorf("%s: %d %q, want %q", path, res.Code, res.Body.String(), want)
		}
	}
}

// Every configuration that is written is one that durashim's own reader takes.
func TestConfigurations(t *testing.T) {
	s := &side{bench: &bench{dir: t.TempDir(), sched: sched.NewReal(), log: io.Discard}, name: "x"}
	if err := s.write(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"memory.capnp", "disk.capnp", "tests.wd-test", "project/wrangler.json"} {
		cfg, err := config.Load(s.file(name))
		if err == nil {
			err = cfg.Validate()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		w := cfg.Services[0].Worker
		if b := w.Binding("BENCH"); b == nil || b.Kind != config.BindingDONamespace || w.Namespace("Bench") == nil {
			t.Errorf("%s binds no namespace", name)
		}
	}
}

func TestCollectAlternates(t *testing.T) {
	var order []string
	measured := func(_ context.Context, s *side, round int) (float64, error) {
		order = append(order, s.name)
		if s.name == "theirs" {
			return 2 + float64(round), nil
		}
		return 1 + float64(round), nil
	}
	sides := []*side{{name: "ours"}, {name: "theirs"}}
	rep := &report{}
	rep.collect(t.Context(), []measure{
		{name: "both", unit: seconds, budget: 0.5, run: measured},
		{name: "ours alone", unit: byteCount, limit: 2, alone: true, once: true, run: measured},
		{name: "broken", unit: seconds, budget: 1, run: func(context.Context, *side, int) (float64, error) { return 0, errors.New("no such path") }},
	}, sides, 3, io.Discard)
	if got, want := strings.Join(order, " "), "ours theirs ours theirs ours ours theirs"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	both, alone, broken := rep.Rows[0], rep.Rows[1], rep.Rows[2]
	if both.ratio() != 2.0/3 || both.verdict() != "MISSED by 1.33" {
		t.Errorf("both: ratio %v, %s", both.ratio(), both.verdict())
	}
	if len(alone.Ours) != 1 || alone.verdict() != "kept" {
		t.Errorf("alone: %v, %s", alone.Ours, alone.verdict())
	}
	if broken.Error != "ours: no such path" || broken.verdict() != "not measured" {
		t.Errorf("broken: %q, %s", broken.Error, broken.verdict())
	}
	var out bytes.Buffer
	if err := rep.table(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2.00 s  1.00 s…3.00 s  3.00 s  2.00 s…4.00 s  0.67", "ours ≤ 2 B", "broken: ours: no such path"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q\n%s", want, out.String())
		}
	}
	if err := rep.writeJSON(filepath.Join(t.TempDir(), "nowhere", "x.json")); err == nil {
		t.Error("a file that cannot be written: no error")
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(c.in); got != c.want {
			t.Errorf("median of %v: %v, want %v", c.in, got, c.want)
		}
	}
	for _, c := range []struct {
		u    unit
		v    float64
		want string
	}{{seconds, 2.5, "2.50 s"}, {seconds, 0.0125, "12.50 ms"}, {seconds, 12.5e-6, "12.5 µs"}, {byteCount, 12, "12 B"}, {byteCount, 7 << 10, "7.0 KiB"}, {byteCount, 1.5 * (1 << 20), "1.5 MiB"}} {
		if got := c.u.format(c.v); got != c.want {
			t.Errorf("%v: %q, want %q", c.v, got, c.want)
		}
	}
	if n, err := parseResident("Name:\tx\nVmHWM:\t  9 kB\nVmRSS:\t    2048 kB\n"); err != nil || n != 2<<20 {
		t.Errorf("resident memory: %v, %v", n, err)
	}
	if got := parseTimes("12 (a) b) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0"); got != 3 {
		t.Errorf("processor time: %v, want 3", got)
	}
	if _, err := parseResident("Name:\tx\n"); err == nil {
		t.Error("a status without VmRSS: no error")
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"--only", "("}, {"--only", "nothing at all"}, {"--rounds", "0"}, {"--scale", "-1"}, {"extra"}} {
		cmd := command(io.Discard, io.Discard)
		cmd.SetArgs(args)
		if err := cmd.ExecuteContext(t.Context()); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
	var out bytes.Buffer
	cmd := command(&out, io.Discard)
	cmd.SetArgs([]string{"--list", "--objects", "50000"})
	if err := cmd.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"process start", "≤ 0.50", "ours ≤ 1024.0 MiB", "reported"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the list lacks %q\n%s", want, out.String())
		}
	}
}
