package storage

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// helperEnv makes the test binary act as another process, see TestMain.
const helperEnv = "DURASHIM_STORAGE_HELPER"

func TestMain(m *testing.M) {
	if mode, dir, ok := strings.Cut(os.Getenv(helperEnv), ":"); ok {
		if err := helper(mode, dir); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func helper(mode, dir string) error {
	b, err := NewDisk(dir, WithHandles(2))
	if err != nil {
		return err
	}
	switch mode {
	case "hold": // the directory, until standard input ends
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin)
		return b.Close()
	case "write": // for ever, telling every commit
		return helperWrite(b)
	}
	return fmt.Errorf("unknown mode %q", mode)
}

// helperWrite commits, over three objects in turn, transactions of two keys that
// belong together, and leaves writes uncommitted in between.
func helperWrite(b *Backend) error {
	for n := 1; ; n++ {
		s, err := b.Open(testID(n % 3))
		if err != nil {
			return err
		}
		v := fmt.Append(nil, n)
		err = errors.Join(s.Put("a", v), s.Put("b", v), s.SetAlarm(int64(n), nil), s.Commit())
		if err != nil {
			return err
		}
		fmt.Println(n)
		if err := s.Put("a", []byte("uncommitted")); err != nil {
			return err
		}
		if n%2 == 0 { // let the handle cache close it now and then
			if err := s.Rollback(); err != nil {
				return err
			}
		} else if err := errors.Join(s.Put("a", v), s.Commit()); err != nil {
			return err
		}
	}
}

// startHelper returns the process, its standard input and a reader of its output.
func startHelper(t *testing.T, mode, dir string) (*exec.Cmd, io.Closer, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"="+mode+":"+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, in, bufio.NewScanner(out)
}

func TestDirectoryInUse(t *testing.T) {
	dir := t.TempDir()
	check := func(what string) {
		t.Helper()
		b, err := NewDisk(dir)
		if !errors.Is(err, ErrInUse) || !strings.Contains(fmt.Sprint(err), dir) {
			t.Errorf("NewDisk, directory held by %s: %v", what, err)
		}
		if b != nil {
			b.Close()
		}
	}
	cmd, in, out := startHelper(t, "hold", dir)
	if !out.Scan() || out.Text() != "held" {
		t.Fatalf("helper said %q", out.Text())
	}
	check("another process")
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	b := newDisk(t, dir)
	check("another Backend")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	newDisk(t, dir)
}

func TestDirectoryNotUsable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := NewDisk(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file as directory: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "readonly")
	if err := os.Mkdir(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(filepath.Join(dir, "probe")); err == nil {
		f.Close()
		// Root may write everywhere but where the kernel itself says no.
		if dir = "/proc"; runtime.GOOS != "linux" {
			t.Skip("this user may write to directories without permission (root)")
		}
	}
	if _, err := NewDisk(dir); err == nil || !strings.Contains(err.Error(), dir+" is not writable") {
		t.Errorf("a directory that is not writable: %v", err)
	}
}

// TestKill kills a writing process and looks for what it had confirmed.
func TestKill(t *testing.T) {
	for round := range 5 {
		dir := t.TempDir()
		cmd, _, out := startHelper(t, "write", dir)
		last := map[string]int{} // confirmed, by object
		for n := 1; n <= 40+37*round; n++ {
			if !out.Scan() {
				t.Fatalf("helper ended after %d commits", n)
			}
			if out.Text() != fmt.Sprint(n) {
				t.Fatalf("helper said %q, want %d", out.Text(), n)
			}
			last[testID(n%3)] = n
		}
		cmd.Process.Kill()
		for out.Scan() { // confirmed before the signal arrived
			var n int
			if _, err := fmt.Sscan(out.Text(), &n); err == nil {
				last[testID(n%3)] = n
			}
		}
		cmd.Wait()

		b := newDisk(t, dir)
		alarms, err := b.Alarms()
		if err != nil {
			t.Fatal(err)
		}
		if len(alarms) != 3 {
			t.Errorf("%d alarms in the index, want 3", len(alarms))
		}
		for id, want := range last {
			s := mustOpen(t, b, id)
			vs, err := s.GetMany([]string{"a", "b"})
			if err != nil {
				t.Fatal(err)
			}
			var got int
			fmt.Sscan(string(vs[0]), &got)
			// The next commit of the object may have happened unconfirmed.
			if string(vs[0]) != string(vs[1]) || got != want && got != want+3 {
				t.Errorf("object %s: a = %q, b = %q, confirmed was %d", id, vs[0], vs[1], want)
			}
			if ns, ok, err := s.Alarm(); err != nil || !ok || ns != int64(got) {
				t.Errorf("object %s: alarm %d, %v, %v; want %d", id, ns, ok, err, got)
			}
			for _, a := range alarms {
				if a.ID == id && a.Time > int64(got) {
					t.Errorf("object %s: alarm in the index %d is later than %d", id, a.Time, got)
				}
			}
		}
		b.Close()
	}
}
