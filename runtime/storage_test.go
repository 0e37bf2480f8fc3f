package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/runtime"
)

const storageScript = `
import { DurableObject } from "cloudflare:workers";
export class Store extends DurableObject {
  id() { return this.ctx.id.toString(); }
  put(key, value) { return this.ctx.storage.put(key, value); }
  get(key) { return this.ctx.storage.get(key); }
  async size() { return (await this.ctx.storage.list()).size; }
  kv(key) { return this.ctx.storage.kv.get(key); }
  putFunction(key) { return this.ctx.storage.put(key, () => 1); }
  putMany(key) { return this.ctx.storage.put({ [key]: 1, other: () => 1 }); }
  transaction(key) { return this.ctx.storage.transaction(async (txn) => { await txn.put(key, 1); throw new Error("rolled back"); }); }
  readThenPut(key) { return this.ctx.storage.transaction(async (txn) => { await txn.put(key, (await txn.get(key)) + 1); }); }
  endless() { return this.ctx.storage.transaction(async (txn) => { await txn.put("lost", 1); await new Promise(() => {}); }); }
  async fill(bytes) {
    for (let i = 0; i < 100; i++) await this.ctx.storage.put("fill" + i, "x".repeat(bytes));
    return "all";
  }
}
export default {};
`

func message(err error) string {
	var e *durable.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return ""
}

// A stored value that cannot be read is an error that names its key, and no
// operation that fails overwrites it.
func TestUnreadableValue(t *testing.T) {
	dir, state := project(t, storageScript, "Store"), t.TempDir()
	persist := func(o *runtime.Options) { o.PersistTo = state }
	call := func(rt *runtime.Runtime, method string, args ...any) error {
		_, err := rt.Namespace("STORE").GetByName("a").Call(t.Context(), method, args...)
		return err
	}
	rt := open(t, dir, persist)
	v, err := rt.Namespace("STORE").GetByName("a").Call(t.Context(), "id")
	var id string
	if err == nil {
		err = v.Decode(&id)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(call(rt, "put", "good", 1), rt.Close()); err != nil {
		t.Fatal(err)
	}

	bad := []byte{0xff, 0x0f, 0xee, 1, 2, 3}
	stored := func(write bool) []byte {
		t.Helper()
		b, err := storage.NewDisk(filepath.Join(state, "w-Store"))
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		s, err := b.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		if write {
			if err := errors.Join(s.Put("bad", bad), s.Commit()); err != nil {
				t.Fatal(err)
			}
		}
		v, _, err := s.Get("bad")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Clone(v)
	}
	stored(true)

	rt = open(t, dir, persist)
	for _, c := range []struct{ method, want string }{
		{"get", `durashim: the value stored under the key "bad" cannot be read: `},
		{"kv", `durashim: the value stored under the key "bad" cannot be read: `},
		{"size", `durashim: the value stored under the key "bad" cannot be read: `},
		{"readThenPut", `durashim: the value stored under the key "bad" cannot be read: `},
		{"putFunction", "() => 1 could not be cloned."},
		{"putMany", "() => 1 could not be cloned."},
		{"transaction", "rolled back"},
	} {
		if err := call(rt, c.method, "bad"); !strings.HasPrefix(message(err), c.want) {
			t.Errorf("%s: %v", c.method, err)
		}
	}
	if err := call(rt, "get", "good"); err != nil {
		t.Errorf("the value beside it: %v", err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	if got := stored(false); !bytes.Equal(got, bad) {
		t.Errorf("the value was overwritten: % x", got)
	}
}

// A file that is no database costs its own object the storage, nobody else, and
// the log says which file it is.
func TestBrokenDatabase(t *testing.T) {
	dir, state := project(t, storageScript, "Store"), t.TempDir()
	var log bytes.Buffer
	o := func(o *runtime.Options) {
		o.PersistTo = state
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	}
	rt := open(t, dir, o)
	ns := rt.Namespace("STORE")
	id := durable.NewIDFactory("w-Store").FromName("broken").String()
	file := filepath.Join(state, "w-Store", id+".sqlite")
	write(t, filepath.Dir(file), filepath.Base(file), strings.Repeat("not a database. ", 512))
	for range 2 {
		_, err := ns.GetByName("broken").Call(t.Context(), "put", "k", 1)
		if message(err) != "file is not a database: SQLITE_NOTADB" || !errors.Is(err, durable.ErrReset) {
			t.Errorf("put: %v", err)
		}
	}
	if _, err := ns.GetByName("whole").Call(t.Context(), "put", "k", 1); err != nil {
		t.Errorf("another object: %v", err)
	}
	if text := log.String(); !strings.Contains(text, file) || !strings.Contains(text, "class=Store") {
		t.Errorf("the log says: %s", text)
	}
}

// When the disk is full the object is reset and answers with SQLite's text; what
// was confirmed is there, and the process serves on. A limit on the size of files
// stands for the full disk, in a process of its own.
func TestDiskFull(t *testing.T) {
	const child = "DURASHIM_TEST_DISK_FULL"
	if os.Getenv(child) == "" {
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Skip("needs a shell")
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		// Files of at most 400 blocks of 512 bytes or of 1 KiB, as the shell has it.
		cmd := exec.CommandContext(ctx, sh, "-c", `trap "" XFSZ; ulimit -f 400 || exit 99; exec "$0" -test.run '^TestDiskFull$' -test.v`, os.Args[0])
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() == 99 {
			t.Skip("needs ulimit -f")
		}
		if err != nil || !bytes.Contains(out, []byte("--- PASS: TestDiskFull")) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	rt := open(t, project(t, storageScript, "Store"), func(o *runtime.Options) { o.PersistTo = t.TempDir() })
	ns := rt.Namespace("STORE")
	call := func(method string, args ...any) (runtime.Value, error) {
		return ns.GetByName("a").Call(t.Context(), method, args...)
	}
	if _, err := call("put", "confirmed", 5); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := call("fill", 50_000)
		if m := message(err); !errors.Is(err, durable.ErrReset) || m != "disk I/O error: SQLITE_IOERR (extended: SQLITE_IOERR_WRITE)" && m != "database or disk is full: SQLITE_FULL" {
			t.Errorf("fill: %v", err)
		}
		v, err := call("get", "confirmed")
		if n := number(t, v, err); n != 5 {
			t.Errorf("what was confirmed is %v", n)
		}
		if _, err := call("put", "small", 1); err != nil {
			t.Errorf("a small write: %v", err)
		}
	}
}

// A transaction may take 30 seconds, like blockConcurrencyWhile: then the object
// is reset, and the transaction is lost (measured on workerd).
func TestTransactionLimit(t *testing.T) {
	for _, state := range []string{"", t.TempDir()} {
		rt := open(t, project(t, storageScript, "Store"), func(o *runtime.Options) { o.PersistTo = state })
		stub := func() *runtime.Stub { return rt.Namespace("STORE").GetByName("a") }
		before := rt.Clock().Now()
		_, err := stub().Call(t.Context(), "endless")
		if took := rt.Clock().Now().Sub(before); took != 30*time.Second {
			t.Errorf("it took %v", took)
		}
		const want = "A call to blockConcurrencyWhile() in a Durable Object waited for too long. The call was canceled and the Durable Object was reset."
		if message(err) != want || !errors.Is(err, durable.ErrReset) || !errors.Is(err, durable.ErrOverloaded) {
			t.Errorf("%v", err)
		}
		v, err := stub().Call(t.Context(), "size")
		if n := number(t, v, err); n != 0 {
			t.Errorf("%v keys are stored", n)
		}
	}
}
