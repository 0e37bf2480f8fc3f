package runtime_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/durashim/durashim/runtime"
)

// workerd returns the real runtime that comparison tests run beside. Without it
// they are skipped; where it must be there (CI) they fail.
func workerd(t *testing.T) string {
	t.Helper()
	path := os.Getenv("DURASHIM_WORKERD")
	switch {
	case path != "":
	case os.Getenv("DURASHIM_REQUIRE_WORKERD") != "":
		t.Fatal("DURASHIM_WORKERD does not name the real runtime")
	default:
		t.Skip("set DURASHIM_WORKERD to the workerd binary to compare with it")
	}
	return path
}

// vault copies the project whose object stores a value of every type.
func vault(t *testing.T) (dir, state string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/vault")); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, ".wrangler", "state", "workerd")
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s\n%s", url, res.Status, body)
	}
	return string(body)
}

// serveReal runs f while the real runtime serves the project.
func serveReal(t *testing.T, binary, dir string, f func(url string)) {
	t.Helper()
	control, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer control.Close()
	cmd := exec.CommandContext(t.Context(), binary, "serve", "wrangler.json", "-s", "http=127.0.0.1:0", "--control-fd=3")
	cmd.Dir, cmd.ExtraFiles, cmd.Stderr = dir, []*os.File{w}, os.Stderr
	err = cmd.Start()
	_ = w.Close()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // it ends by the signal
	}()
	lines := bufio.NewScanner(control)
	for lines.Scan() {
		var e struct {
			Event string
			Port  int
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if e.Event == "listen" {
			f(fmt.Sprintf("http://127.0.0.1:%d", e.Port))
			return
		}
	}
	t.Fatal("the real runtime does not listen")
}

// serveOurs runs f while durashim serves the project.
func serveOurs(t *testing.T, dir, state string, f func(url string)) {
	t.Helper()
	rt, err := runtime.Open(dir, runtime.Options{PersistTo: state})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(rt.Handler())
	f(srv.URL)
	srv.Close()
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
}

// What one runtime stored, values of every type, the other reads.
func TestSameFilesAsTheRealRuntime(t *testing.T) {
	binary := workerd(t)
	real := func(t *testing.T, dir, _ string, f func(string)) { serveReal(t, binary, dir, f) }
	for name, c := range map[string]struct {
		fill, check func(t *testing.T, dir, state string, f func(string))
	}{
		"theirs read by ours": {real, serveOurs},
		"ours read by theirs": {serveOurs, real},
		"ours read by ours":   {serveOurs, serveOurs},
	} {
		t.Run(name, func(t *testing.T) {
			dir, state := vault(t)
			var filled, id string
			c.fill(t, dir, state, func(url string) { filled, id = get(t, url+"/fill"), get(t, url+"/id") })
			c.check(t, dir, state, func(url string) {
				if got := get(t, url+"/check"); got != filled || got == "0" {
					t.Errorf("%s values were stored, %s found", filled, got)
				}
				if got := get(t, url+"/id"); got != id {
					t.Errorf("the id is %s, was %s", got, id)
				}
			})
		})
	}
}
