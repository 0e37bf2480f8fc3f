package storage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// These tests compare with the real runtime. Its binary is named by the
// variable DURASHIM_WORKERD.

const workerdScript = `import {DurableObject} from "cloudflare:workers";
export class C extends DurableObject {
  async run(code) { return await cases[code](this.ctx.storage); }
  async alarm() {}
}
export default { async fetch(req, env) {
  const p = new URL(req.url).searchParams;
  const stub = p.get("name") !== null ? env.NS.getByName(p.get("name")) : env.NS.get(env.NS.idFromString(p.get("id")));
  try { return Response.json({id: stub.id.toString(), result: (await stub.run(p.get("code"))) ?? null}); }
  catch (e) { return Response.json({error: String(e)}); }
}};`

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .w), (name = "disk", disk = (path = "STATE", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const w :Workerd.Worker = (
  modules = [(name = "w.js", esModule = embed "w.js")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "C", uniqueKey = "key", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = "NS", durableObjectNamespace = "C")]
);`

type workerd struct {
	t   *testing.T
	cmd *exec.Cmd
	url string
	log *strings.Builder
}

// startWorkerd serves objects in state/key; cases are the bodies of functions of
// the storage s, for call. If the binary does not come up, url is empty and log
// says why.
func startWorkerd(t *testing.T, state string, cases map[string]string) *workerd {
	t.Helper()
	bin := os.Getenv("DURASHIM_WORKERD")
	if bin == "" {
		t.Skip("set DURASHIM_WORKERD to the path of the workerd binary to run this test")
	}
	script := workerdScript + "\nconst cases = {\n"
	for name, code := range cases {
		script += name + ": async s => {" + code + "},\n"
	}
	script += "};\n"
	dir := t.TempDir()
	config := strings.Replace(workerdConfig, "STATE", state, 1)
	if err := errors.Join(os.MkdirAll(state, 0o777),
		os.WriteFile(filepath.Join(dir, "w.js"), []byte(script), 0o666),
		os.WriteFile(filepath.Join(dir, "c.capnp"), []byte(config), 0o666)); err != nil {
		t.Fatal(err)
	}
	w := &workerd{t: t, log: &strings.Builder{}}
	w.cmd = exec.Command(bin, "serve", "--control-fd=1", filepath.Join(dir, "c.capnp"))
	w.cmd.Stderr = w.log
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.kill)
	for sc := bufio.NewScanner(out); sc.Scan(); {
		var ev struct {
			Event string
			Port  json.Number
		}
		if json.Unmarshal(sc.Bytes(), &ev) == nil && ev.Event == "listen" {
			w.url = "http://127.0.0.1:" + ev.Port.String()
			return w
		}
	}
	w.cmd.Wait()
	return w
}

func (w *workerd) kill() { w.cmd.Process.Kill(); w.cmd.Wait() }

// call runs a case in the object with the name, or, if that is "", the id.
func (w *workerd) call(name, id, code string) (result string, objectID string) {
	w.t.Helper()
	q := url.Values{"code": {code}}
	if name != "" {
		q.Set("name", name)
	} else {
		q.Set("id", id)
	}
	resp, err := http.Get(w.url + "/?" + q.Encode())
	if err != nil {
		w.t.Fatalf("%v\n%s", err, w.log)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var r struct {
		ID, Error string
		Result    json.RawMessage
	}
	if err := json.Unmarshal(body, &r); err != nil {
		w.t.Fatalf("%s: %v\n%s", body, err, w.log)
	}
	if r.Error != "" {
		return "error: " + r.Error, ""
	}
	return string(r.Result), r.ID
}

var workerdCases = map[string]string{
	"write": `await s.put({"": "hello", "x": 42, "\u{10000}": [1, 2, 3], "\uffff": null, "n\0ul": new Uint8Array([1, 2, 3])});
		await s.setAlarm(1900000000123); s.sql.exec("CREATE TABLE t(a); INSERT INTO t VALUES (7)");`,
	"read":        `return [...await s.list()].map(([k, v]) => k + "=" + JSON.stringify(v))`,
	"readAlarm":   `return await s.getAlarm()`,
	"readTable":   `return s.sql.exec("SELECT a FROM t").one().a`,
	"deleteAlarm": `await s.deleteAlarm()`,
}

// TestReadsRealFiles: what the real runtime wrote, after a clean end and after a
// kill that leaves the write-ahead logs behind.
func TestReadsRealFiles(t *testing.T) {
	for _, how := range []string{"SIGTERM", "SIGKILL"} {
		state := t.TempDir()
		w := startWorkerd(t, state, workerdCases)
		if w.url == "" {
			t.Fatal(w.log)
		}
		res, id := w.call("bob", "", "write")
		if res != "null" {
			t.Fatalf("write: %s", res)
		}
		_, noAlarm := w.call("eve", "", "write")
		w.call("eve", "", "deleteAlarm")
		if b, err := NewDisk(filepath.Join(state, "key")); !errors.Is(err, ErrInUse) {
			t.Errorf("NewDisk while workerd runs: %v", err)
			if b != nil {
				b.Close()
			}
		}
		if how == "SIGTERM" {
			w.cmd.Process.Signal(syscall.SIGTERM)
			w.cmd.Wait()
		} else {
			w.kill()
		}

		b := newDisk(t, filepath.Join(state, "key"))
		s := mustOpen(t, b, id)
		got := ""
		it := s.List(ListOptions{})
		for it.Next() {
			got += fmt.Sprintf("%+q=%x ", it.Key(), it.Value())
		}
		const want = `""=ff0f220568656c6c6f "n\x00ul"=ff0f42030102035642000300 "x"=ff0f4954 "\uffff"=ff0f30 "\U00010000"=ff0f4103490249044906240003 `
		if got != want || it.Err() != nil {
			t.Errorf("%s: list (%v)\n got %s\nwant %s", how, it.Err(), got, want)
		}
		if ns, ok, err := s.Alarm(); ns != 1900000000123000000 || !ok || err != nil {
			t.Errorf("%s: alarm %d, %v, %v", how, ns, ok, err)
		}
		if n := count(t, s, "SELECT a FROM t"); n != 7 {
			t.Errorf("%s: a = %d", how, n)
		}
		if _, ok, err := mustOpen(t, b, noAlarm).Alarm(); ok || err != nil {
			t.Errorf("%s: deleted alarm: %v, %v", how, ok, err)
		}
		alarms, err := b.Alarms()
		if err != nil || len(alarms) != 1 || alarms[0].ID != id || alarms[0].Time != 1900000000123000000 || alarms[0].Name == nil || *alarms[0].Name != "bob" {
			t.Errorf("%s: index %+v, %v", how, alarms, err)
		}
		b.Close()
	}
}

// TestRealReadsFiles: the reverse, clean and with the logs left by evictions.
func TestRealReadsFiles(t *testing.T) {
	for _, clean := range []bool{true, false} {
		state := t.TempDir()
		dir := filepath.Join(state, "key")
		// An id must be one of the namespace: let the real runtime make it.
		w := startWorkerd(t, state, workerdCases)
		if w.url == "" {
			t.Fatal(w.log)
		}
		_, id := w.call("bob", "", "readAlarm")
		w.kill()
		if err := removeFiles(filepath.Join(dir, id+".sqlite")); err != nil {
			t.Fatal(err)
		}

		b := newDisk(t, dir, WithHandles(1))
		s := mustOpen(t, b, id)
		mustPut(t, s, "x", "\xff\x0fI\x54")
		mustPut(t, s, "", "\xff\x0f\x22\x05hello")
		if err := s.SetAlarm(1_900_000_000_123_000_000, new("bob")); err != nil {
			t.Fatal(err)
		}
		execSQL(t, s, "CREATE TABLE t(a); INSERT INTO t VALUES (7)")
		mustCommit(t, s)
		if !clean { // evict it, which leaves the log, before Close would not
			o := mustOpen(t, b, testID(1))
			mustPut(t, o, "k", "v")
			mustCommit(t, o)
			if wal, err := os.ReadFile(filepath.Join(dir, id+".sqlite-wal")); err != nil || !bytes.Contains(wal, []byte("hello")) {
				t.Fatalf("no log was left: %v", err)
			}
		}
		if w := startWorkerd(t, state, workerdCases); w.url != "" || !strings.Contains(w.log.String(), "SQLITE_BUSY") {
			t.Errorf("workerd starts on our directory: %q, %s", w.url, w.log)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		w = startWorkerd(t, state, workerdCases)
		if w.url == "" {
			t.Fatal(w.log)
		}
		for code, want := range map[string]string{
			"read": `["=\"hello\"","x=42"]`, "readAlarm": "1900000000123", "readTable": "7",
		} {
			if got, _ := w.call("", id, code); got != want {
				t.Errorf("clean %v: %s: got %s, want %s", clean, code, got, want)
			}
		}
		w.kill()
	}
}
