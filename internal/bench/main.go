// Command bench runs one worker on durashim and on the real runtime in turn, and
// prints how the times compare to durashim's budgets:
//
//	go run ./internal/bench --workerd PATH [--json FILE]
//
// Both run the same configuration as a process of its own. Every round measures
// both, in alternating order, and the figures are the medians of the rounds, so
// that a machine that is busy with other things slows both alike. The ratio is
// ours divided by theirs: less is better; beside it stands that of the processor
// time, which a busy machine changes less. Nothing here passes or fails; the
// verdicts are for a reader. Without --workerd only durashim is measured.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"time"

	"github.com/durashim/durashim/internal/sched"
	"github.com/spf13/cobra"
)

// options are the flags.
type options struct {
	workerd, durashim string
	json              string
	only              string
	rounds            int
	scale             float64
	objects           int
	list              bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(os.Stdout, os.Stderr).ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func command(stdout, stderr io.Writer) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:           "bench",
		Short:         "Compare durashim with the real runtime, budget by budget",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), o, stdout, stderr)
		},
	}
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	f := cmd.Flags()
	f.StringVar(&o.workerd, "workerd", "", "`path` of the real runtime's binary")
	f.StringVar(&o.durashim, "durashim", "", "`path` of the durashim binary (default: built from the current module)")
	f.StringVar(&o.json, "json", "", "`file` to write the figures of every round to")
	f.StringVar(&o.only, "only", "", "measure what this regular expression matches")
	f.IntVar(&o.rounds, "rounds", 7, "how often everything is measured")
	f.Float64Var(&o.scale, "scale", 1, "multiply the number of steps of each measurement")
	f.IntVar(&o.objects, "objects", 0, "also write so many objects in one durashim process and report its memory (50000 is the budget's)")
	f.BoolVar(&o.list, "list", false, "list the measurements and their budgets")
	return cmd
}

func run(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("--only is not a regular expression: %w", err)
	}
	if o.rounds < 1 || o.scale <= 0 || o.objects < 0 {
		return errors.New("--rounds and --scale must be positive, --objects not negative")
	}
	var chosen []measure
	for _, m := range measures(o.scale) {
		if only.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	if o.objects > 0 {
		chosen = append(chosen, manyObjects(o.objects))
	}
	if len(chosen) == 0 {
		return fmt.Errorf("--only %q matches no measurement", o.only)
	}
	if o.list {
		for _, m := range chosen {
			fmt.Fprintf(stdout, "%-55s %s\n", m.name, m.budgetText())
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "durashim-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{dir: dir, sched: sched.NewReal(), log: stderr}
	if o.durashim == "" {
		o.durashim = filepath.Join(dir, "bin", "durashim")
		fmt.Fprintln(stderr, "building durashim")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.durashim, "github.com/durashim/durashim/cmd/durashim").CombinedOutput(); err != nil {
			return fmt.Errorf("building durashim: %w\n%s", err, out)
		}
	}
	sides := []*side{{bench: b, name: "durashim", bin: o.durashim, command: durashimCommand}}
	if o.workerd != "" {
		sides = append(sides, &side{bench: b, name: "workerd", bin: o.workerd, command: workerdCommand})
	}
	for _, s := range sides {
		if s.bin, err = filepath.Abs(s.bin); err != nil {
			return err
		}
		if err := s.write(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stopAll()) }()
	}
	rep := &report{Started: b.sched.Now().UTC().Format(time.RFC3339), LoadBefore: load()}
	rep.collect(ctx, chosen, sides, o.rounds, stderr)
	rep.LoadAfter = load()
	if err := rep.table(stdout); err != nil {
		return err
	}
	if o.json != "" {
		return errors.Join(ctx.Err(), rep.writeJSON(o.json))
	}
	return ctx.Err()
}
