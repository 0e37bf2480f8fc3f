package cli

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two processes, as far as the command is concerned: one with the objects, one
// that answers HTTP.
func TestHostAndServe(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startCommand(t, "host", inventory, "--listen", "127.0.0.1:0", "--key-file", key, "--persist-to", filepath.Join(dir, "state"))
	addr := h.expect(h.err, `the objects are ready on (\S+)`)
	t.Setenv(keyVariable, "0123456789abcdef")
	s := startCommand(t, "serve", inventory, "--port", "0", "--connect", addr)
	url := s.url()
	put := func(method, path, text string) string {
		req, _ := http.NewRequest(method, url+path, strings.NewReader(text))
		res, err := http.DefaultClient.Do(req)
		return body(t, res, err)
	}
	if got := put("PUT", "/items/apple", "5"); got != `{"apple":5}` {
		t.Errorf("PUT: %q", got)
	}
	if got := put("POST", "/items/apple/add", ""); got != `{"apple":6}` {
		t.Errorf("POST: %q", got)
	}
	h.stop()
	if code := <-h.status; code != 0 {
		t.Errorf("the host ended with status %d", code)
	}
	s.stop()
	if code := <-s.status; code != 0 {
		t.Errorf("serve ended with status %d", code)
	}
}

// Plans of serve act over the connection, those inside the objects with the host's
// permission.
func TestFaultsOverConnection(t *testing.T) {
	t.Setenv(keyVariable, "0123456789abcdef")
	dir := t.TempDir()
	plan := filepath.Join(dir, "faults.jsonc")
	if err := os.WriteFile(plan, []byte(`[{ "fault": "dropRequest" }, { "fault": "crashBefore", "call": 2 }, { "fault": "dropReply", "call": 99 }]`), 0o600); err != nil {
		t.Fatal(err)
	}
	strict := startCommand(t, "host", inventory, "--listen", "127.0.0.1:0", "--persist-to", inMemory)
	addr := strict.expect(strict.err, `the objects are ready on (\S+)`)
	if _, stderr, code := durashim(t, "serve", inventory, "--connect", addr, "--faults", plan, "--port", "0"); code != 1 || !strings.Contains(stderr, "faults.jsonc:1:") || !strings.Contains(stderr, "start it with --allow-faults") {
		t.Errorf("without permission: status %d, %s", code, stderr)
	}
	h := startCommand(t, "host", inventory, "--listen", "127.0.0.1:0", "--persist-to", inMemory, "--allow-faults")
	addr = h.expect(h.err, `the objects are ready on (\S+)`)
	s := startCommand(t, "serve", inventory, "--port", "0", "--connect", addr, "--faults", plan)
	url := s.url()
	res, err := http.Get(url + "/items/apple")
	_ = body(t, res, err)
	res, err = http.Get(url + "/items/apple")
	_ = body(t, res, err)
	s.stop()
	s.expect(s.err, `(faults.jsonc:1:\d+: this fault never acted: reply dropped)`)
	if code := <-s.status; code != 0 {
		t.Errorf("serve ended with status %d", code)
	}
	for line := range s.err {
		if strings.Contains(line, "never acted") {
			t.Errorf("another plan missed, too: %s", line)
		}
	}
}

// A host that is not there yet is waited for by the calls, not by the start.
func TestServeBeforeHost(t *testing.T) {
	t.Setenv(keyVariable, "0123456789abcdef")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := startCommand(t, "serve", inventory, "--port", "0", "--connect", addr)
	s.expect(s.err, "the objects cannot be reached yet")
	s.url()
}

func TestHostErrors(t *testing.T) {
	t.Setenv(keyVariable, "")
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startCommand(t, "host", inventory, "--listen", "127.0.0.1:0", "--key-file", key, "--persist-to", inMemory)
	addr := h.expect(h.err, `the objects are ready on (\S+)`)
	other := filepath.Join(t.TempDir(), "other")
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte("12345\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("another key, as long"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"host", inventory}, "a key is needed"},
		{[]string{"host", inventory, "--key-file", key, "--listen", "0.0.0.0:0", "--persist-to", inMemory}, "stands for every address of this machine"},
		{[]string{"host", inventory, "--key-file", key + "x"}, "no such file"},
		{[]string{"serve", inventory, "--connect", addr}, "a key is needed"},
		{[]string{"serve", inventory, "--key-file", key}, "--key-file is of no use without --connect"},
		{[]string{"serve", inventory, "--connect", addr, "--key-file", key, "--persist-to", inMemory}, "--persist-to is for the process that has the objects"},
		{[]string{"serve", inventory, "--connect", addr, "--key-file", other, "--port", "0"}, "the key is not the host's"},
		{[]string{"serve", "../../examples/wasm", "--connect", addr, "--key-file", key, "--port", "0"}, `it serves the project "inventory", not`},
		{[]string{"serve", inventory, "--connect", "8.8.8.8:1", "--key-file", key, "--port", "0"}, "durashim: the host's address 8.8.8.8:1 is neither loopback nor private; the traffic is not encrypted\n"},
		{[]string{"host", inventory, "--key-file", short}, short + ": the key has 5 bytes; it needs at least 16"},
		{[]string{"host", "--key-file", key}, "the present directory has no wrangler file: name the project's directory, DIR"},
		{[]string{"serve"}, "the present directory has no wrangler file: name the project's directory, DIR"},
	} {
		_, stderr, code := durashim(t, c.args...)
		if code != 1 || !strings.Contains(stderr, c.want) || strings.Contains(stderr, " ready on ") {
			t.Errorf("%q: status %d, %s\nwant %s", c.args, code, stderr, c.want)
		}
	}
}

// Without an argument the present directory is the project, and is told by its name.
func TestPresentDirectory(t *testing.T) {
	key, err := filepath.Abs(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, []byte("0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(inventory)
	s := start(t, "--port=0", "--persist-to=:memory:")
	s.expect(s.err, `durashim: /.*/inventory is ready on http`)
	h := startCommand(t, "host", "--listen=127.0.0.1:0", "--key-file", key, "--persist-to=:memory:")
	h.expect(h.err, `durashim: /.*/inventory: the objects are ready on `)
}
