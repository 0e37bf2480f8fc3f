package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/durashim/durashim/runtime"
)

const crashScript = `
import { DurableObject } from "cloudflare:workers";
export class Log extends DurableObject {
  async append() {
    const n = (await this.ctx.storage.get("n") ?? 0) + 1;
    await this.ctx.storage.put({ n, ["entry:" + n]: "x".repeat(200) });
    return n;
  }
  async last() {
    const n = await this.ctx.storage.get("n") ?? 0;
    const entries = await this.ctx.storage.list({ prefix: "entry:" });
    if (entries.size !== n) throw new Error(entries.size + " entries for " + n + ": a write is torn");
    return n;
  }
}
export default {};
`

const crashDir = "DURASHIM_TEST_CRASH_DIR"

// TestMain lets the test binary be the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		appendForEver(dir)
	}
	if dir := os.Getenv(hostDir); dir != "" {
		hostForEver(dir)
	}
	os.Exit(m.Run())
}

// appendForEver prints the number of every append that was confirmed.
func appendForEver(dir string) {
	rt, err := runtime.Open(dir, runtime.Options{PersistTo: dir + "/state"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	log := rt.Namespace("LOG").GetByName("log")
	for {
		v, err := log.Call(context.Background(), "append")
		var n int
		if err == nil {
			err = v.Decode(&n)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

// The process is killed, 50 times over, while an object writes as fast as it
// can. What it had confirmed is there afterwards, whole.
func TestConfirmedWritesSurviveKill(t *testing.T) {
	rounds := 50
	if testing.Short() {
		rounds = 5
	}
	dir := project(t, crashScript, "Log")
	random := rand.New(rand.NewPCG(1, 2))
	total := 0
	for round := range rounds {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), crashDir+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + random.IntN(200) {
			if !lines.Scan() {
				t.Fatal("the writing process ended by itself")
			}
		}
		_ = cmd.Process.Kill()
		confirmed, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		// What was printed before the kill took effect was confirmed, too. The
		// last line may be cut off.
		for lines.Scan() {
			if n, err := strconv.Atoi(lines.Text()); err == nil && n == confirmed+1 {
				confirmed = n
			}
		}
		_ = cmd.Wait()

		rt, err := runtime.Open(dir, runtime.Options{PersistTo: dir + "/state"})
		if err != nil {
			t.Fatal(err)
		}
		v, err := rt.Namespace("LOG").GetByName("log").Call(t.Context(), "last")
		if got := number(t, v, err); got < float64(confirmed) || got > float64(confirmed+1) {
			t.Fatalf("round %d: %d appends were confirmed, %v are stored", round, confirmed, got)
		}
		if err := rt.Close(); err != nil {
			t.Fatal(err)
		}
		total = confirmed
	}
	t.Logf("%d appends over %d kills", total, rounds)
}
