// Package cli is the command durashim as a function, so that tests can run it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/durashim/durashim/internal/sched"
	"github.com/spf13/cobra"
)

// app is what the subcommands share.
type app struct {
	out, err io.Writer
	sched    sched.Scheduler // the machine's clock
}

// errFailed ends the command with status 1 without a further message.
var errFailed = errors.New("failed")

// Main runs the command and returns its exit status. It ends early, gracefully,
// when ctx does.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{out: stdout, err: stderr, sched: sched.NewReal()}
	root := &cobra.Command{
		Use:   "durashim",
		Short: "Run Durable Object projects, and make their calls fail",
		Long: `durashim runs Workers projects with Durable Objects, without Node and without
the real runtime, and can make any call to an object fail at any point of its
delivery, so that the platform's automatic retries can be tested.`,
		Example: `  durashim test examples/inventory     run a project's tests
  durashim serve examples/inventory    answer HTTP on port 8787`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(a.testCommand(), a.serveCommand(), a.hostCommand(), a.versionCommand())
	root.AddCommand(a.conformanceCommand())
	if err := root.ExecuteContext(ctx); err != nil {
		if !errors.Is(err, errFailed) {
			fmt.Fprintln(stderr, "durashim:", err)
		}
		return 1
	}
	return 0
}
