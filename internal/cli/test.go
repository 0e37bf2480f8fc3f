package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/faultfile"
	"github.com/durashim/durashim/internal/timelinehtml"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
	"github.com/spf13/cobra"
)

type testOptions struct {
	env       string
	seed      uint64
	isolates  int
	realClock bool
	timelines string
	leaks     string
	pictures  []string
	faults    string
	config    configFlags
	runtime   runtime.Options // what config stands for
}

func (a *app) testCommand() *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test [DIR|FILE|CONFIG] [FILTER]",
		Short: "Run the tests of a project",
		Long: `Run the exports that have a test(controller, env, ctx) method, by workerd's
protocol: a test passes when its promise is fulfilled and its waitUntil work is
done.

DIR is the project's directory, by default the present one; FILE is one of its test
files, of which alone the tests are run.

For a project with a wrangler file these are the exports of its main module and
of every file named *.test.ts, *.test.js, *.test.tsx or *.test.mjs in it. A test
file is a worker of its own with the project's bindings, and the project's worker
as env.SELF. Each test gets a clean world with a virtual clock.

For a workerd configuration (Cap'n Proto text) all tests share one world, on the
virtual clock too. Storage is in memory, unless -d says where a disk service is:
then it is where the configuration says.

Tests can import durashim:test to place faults, move the clock and read the
timeline:

    import { faults, clock, timeline } from "durashim:test";
    faults.dropReply({ method: "addOne" });
    await clock.advance(10_000);

FILTER is a regular expression that a test's name must match.

How a call ended (the last line of its timeline, and its outcome in
timeline.calls()):

` + outcomesHelp() + "\n\n" + faultHelp,
		Example: "  durashim test\n  durashim test examples/inventory addOne --timelines=all\n  durashim test examples/inventory/test/http.test.ts",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, filter := ".", ""
			if len(args) > 0 {
				path = args[0]
			}
			if len(args) == 2 {
				filter = args[1]
			}
			return a.test(cmd.Context(), path, filter, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.env, "env", "e", "", "environment of the wrangler file")
	f.Uint64Var(&o.seed, "seed", 1, "what all random numbers depend on")
	f.IntVar(&o.isolates, "isolates", 1, "spread the objects of each class over so many isolates")
	f.BoolVar(&o.realClock, "real-clock", false, "run on the machine's clock instead of a virtual one")
	f.DurationVar(&o.runtime.Limits.Turn, "turn-limit", 30*time.Second, "how long a turn of JavaScript may take by the machine's clock, against endless loops")
	f.StringVar(&o.timelines, "timelines", "faults", `calls whose timelines to print: "all", "faults" (those that a fault touched, and all of a failed test) or "none"`)
	f.StringVar(&o.leaks, "undisposed", "warn", `results of calls with stubs in them that nobody disposed of: "warn", "fail" or "ignore"`)
	f.StringVar(&o.faults, "faults", "", "`file` of fault plans that are in force in every test (see below); one that acts in none\nof them fails the run")
	o.config.add(f)
	f.StringArrayVar(&o.pictures, "timeline", nil, "write the timelines of all tests to a file: .html (a page), .json, .svg (the calls that a fault touched; -dark.svg in dark colours); may be repeated")
	return cmd
}

// outcomesHelp says what each outcome means.
func outcomesHelp() string {
	var b strings.Builder
	for o := durable.Pending; o <= durable.Other; o++ {
		fmt.Fprintf(&b, "    %-23s %s\n", o, o.Meaning())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// run counts the results of a test run.
type run struct {
	*app
	o              testOptions
	filter         *regexp.Regexp
	strict         bool // a project of ours: what a test leaves behind fails it
	passed, failed int
	fileOnly       bool                   // not the tests of the main module
	sections       []timelinehtml.Section // kept when there are pictures to write
	acted          map[string]bool        // plans of the file of faults, by their place
	missed         map[string]durable.Miss
	world          *runtime.Runtime // of the last test
	logger         *slog.Logger
	others         []string // tests that the filter leaves out

	mu       sync.Mutex
	uncaught []string // errors of this test that nobody handled
}

func (a *app) test(ctx context.Context, path, filter string, o testOptions) error {
	re, err := regexp.Compile(filter)
	if err != nil {
		return fmt.Errorf("the filter is not a regular expression: %w", err)
	}
	switch o.timelines {
	case "all", "faults", "none":
	default:
		return fmt.Errorf("--timelines must be all, faults or none, not %q", o.timelines)
	}
	switch o.leaks {
	case "warn", "fail", "ignore":
	default:
		return fmt.Errorf("--undisposed must be warn, fail or ignore, not %q", o.leaks)
	}
	if o.isolates < 1 {
		return fmt.Errorf("--isolates must be at least 1, not %d", o.isolates)
	}
	if o.runtime.Limits.Turn <= 0 {
		return fmt.Errorf("--turn-limit must be more than 0, not %v", o.runtime.Limits.Turn)
	}
	if err := o.config.apply(&o.runtime); err != nil {
		return err
	}
	if o.faults != "" {
		if o.runtime.Faults, err = faultfile.Read(o.faults); err != nil {
			return err
		}
	}
	for _, p := range o.pictures {
		if pictureWriter(p) == nil {
			return fmt.Errorf("--timeline %s: the name must end in .html, .json or .svg", p)
		}
		if info, err := os.Stat(filepath.Dir(p)); err != nil || !info.IsDir() {
			return fmt.Errorf("--timeline %s: there is no directory %s", p, filepath.Dir(p))
		}
	}
	files, wrangler, err := testFiles(path)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, `./\`) {
		return fmt.Errorf("%s: no such file or directory; to run some of the tests of the project here: durashim test . %s", path, path)
	}
	if err != nil {
		return err
	}
	r := &run{app: a, o: o, filter: re, strict: wrangler, logger: testLogger(a.err, map[string]bool{})}
	if testFile.MatchString(path) && wrangler {
		path, r.fileOnly = filepath.Dir(path), true
		if path, files, err = projectOf(path, files[0]); err != nil {
			return err
		}
	}
	switch {
	case !wrangler:
		err = r.config(ctx, path)
	default:
		err = r.project(ctx, path, files)
	}
	if err != nil {
		return err
	}
	if err := r.writePictures(); err != nil {
		return err
	}
	missed := r.reportFile()
	switch {
	case r.failed+r.passed == 0:
		fmt.Fprintln(a.err, "No tests found!")
		switch {
		case len(r.others) > 0:
			const most = 20
			fmt.Fprintf(a.err, "No name of a test matches the filter %q; there are\n", filter)
			for i, name := range r.others {
				if i == most {
					fmt.Fprintf(a.err, "    and %d more\n", len(r.others)-most)
					break
				}
				fmt.Fprintf(a.err, "    %s\n", name)
			}
		case wrangler:
			fmt.Fprintf(a.err, "durashim looks for exports with a test() method, in the main module and in files named *.test.ts, .tsx, .js, .jsx or .mjs; it found %d such files.\n", len(files))
		}
		return errFailed
	case r.failed > 0:
		fmt.Fprintf(a.err, "%d passed, %d failed\n", r.passed, r.failed)
		return errFailed
	}
	fmt.Fprintf(a.err, "%d passed, 0 failed\n", r.passed)
	if missed {
		return errFailed
	}
	return nil
}

func (r *run) open(path string, extra ...string) (*runtime.Runtime, error) {
	o := r.o.runtime
	o.Environment, o.Seed, o.Isolates = r.o.env, &r.o.seed, r.o.isolates
	o.Record, o.Tests, o.ExtraEntries = true, true, extra
	o.ConfiguredStorage = len(o.DirectoryPaths) > 0
	o.Logger = r.logger
	if r.strict {
		o.Linger = true
		o.Uncaught = func(_, text string) {
			r.mu.Lock()
			r.uncaught = append(r.uncaught, text)
			r.mu.Unlock()
		}
	}
	o.Console = func(_, _, text string) { fmt.Fprint(r.out, indent(text)) }
	if !r.o.realClock {
		o.Clock = runtime.NewVirtualClock()
	}
	return runtime.Open(path, o)
}

// config runs the tests of a workerd configuration in one world.
func (r *run) config(ctx context.Context, path string) error {
	rt, err := r.open(path)
	if err != nil {
		return err
	}
	defer rt.Close()
	for _, t := range rt.Tests() {
		if r.matches(t) {
			r.one(ctx, rt, t)
		}
	}
	return nil
}

// project runs every test of a wrangler project in a world of its own.
func (r *run) project(ctx context.Context, path string, files []string) error {
	entries := each(files)
	if !r.fileOnly {
		entries = append([][]string{nil}, entries...)
	}
	for _, extra := range entries {
		rt, err := r.open(path, extra...)
		if err != nil {
			return err
		}
		tests := rt.Tests()
		if len(extra) > 0 && !slices.ContainsFunc(tests, func(t runtime.Test) bool { return t.Worker == filepath.ToSlash(extra[0]) }) {
			// Somebody believes that these are tests.
			return errors.Join(fmt.Errorf("%s exports no test; one looks like this: export const name = { async test(controller, env) { ... } }", extra[0]), rt.Close())
		}
		first := rt
		for _, t := range tests {
			// The project's own tests were run without a test file.
			if len(extra) > 0 && t.Worker != filepath.ToSlash(extra[0]) || !r.matches(t) {
				continue
			}
			world := first
			if world == nil {
				if world, err = r.open(path, extra...); err != nil {
					return err
				}
				t = find(world.Tests(), t.Name())
			}
			first = nil
			r.one(ctx, world, t)
			if err := world.Close(); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		if first != nil {
			if err := first.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// matches reports whether the filter wants a test, and notes the others.
func (r *run) matches(t runtime.Test) bool {
	if r.filter.MatchString(t.Name()) {
		return true
	}
	r.others = append(r.others, t.Name())
	return false
}

func find(tests []runtime.Test, name string) runtime.Test {
	for _, t := range tests {
		if t.Name() == name {
			return t
		}
	}
	return runtime.Test{}
}

// one runs a test and prints its result, and the timelines asked for.
func (r *run) one(ctx context.Context, rt *runtime.Runtime, t runtime.Test) {
	fmt.Fprintf(r.err, "[ TEST ] %s\n", t.Name())
	before, leaked := len(rt.Timeline().Calls()), len(rt.Undisposed())
	r.mu.Lock()
	r.uncaught = nil
	r.mu.Unlock()
	start := r.sched.Now()
	r.planFile(rt)
	err := rt.RunTest(ctx, t)
	if r.strict && rt.Clock() != nil {
		// What the test did not wait for comes to light now.
		err = errors.Join(err, rt.Clock().Settle(ctx))
	}
	took := r.sched.Now().Sub(start)
	if err == nil {
		err = r.leftovers(rt, t, before)
	}
	if leaks := rt.Undisposed()[leaked:]; err == nil && r.o.leaks == "fail" && len(leaks) > 0 {
		err = errors.New(undisposed(leaks))
	}
	r.noteFile(rt)
	rt.Faults().Reset()
	show := func(c *durable.CallRecord) bool {
		if c.Seq <= before {
			return false
		}
		switch r.o.timelines {
		case "all":
			return true
		case "faults":
			return err != nil || c.Faults() > 0
		}
		return false
	}
	if err != nil {
		r.failed++
		fmt.Fprintf(r.err, "%s\n", indent(err.Error()))
	} else {
		r.passed++
	}
	if warning := undisposed(rt.Undisposed()[leaked:]); warning != "" && r.o.leaks == "warn" {
		fmt.Fprint(r.err, indent(warning))
	}
	if text := rt.Timeline().Text(show); text != "" {
		fmt.Fprint(r.err, indent(text))
	}
	verdict := "PASS"
	if err != nil {
		verdict = "FAIL"
	}
	if len(r.o.pictures) > 0 {
		r.sections = append(r.sections, timelinehtml.Section{
			Title: t.Name(), Verdict: strings.ToLower(verdict) + "ed", Calls: rt.Timeline().Calls()[before:], Epoch: rt.Timeline().Epoch(),
		})
	}
	fmt.Fprintf(r.err, "[ %s ] %s (%.1fms)\n", verdict, t.Name(), float64(took)/float64(time.Millisecond))
}

// leftovers says what a test that passed left behind and should not have.
func (r *run) leftovers(rt *runtime.Runtime, t runtime.Test, before int) error {
	var errs []error
	for _, m := range rt.Faults().Missed() {
		if m.Plan.Origin() == "" { // those of a file may act in another test
			errs = append(errs, errors.New(m.String()))
		}
	}
	if !r.strict {
		return errors.Join(errs...) // workerd's own protocol knows no more
	}
	r.mu.Lock()
	for _, text := range r.uncaught {
		errs = append(errs, errors.New(text))
	}
	r.mu.Unlock()
	for _, c := range rt.Timeline().Calls()[before:] {
		if c.Caller == t.Worker && c.Outcome == durable.Pending {
			errs = append(errs, fmt.Errorf("%s was still in flight when the test ended: is an await missing?", c.Label()))
		}
	}
	return errors.Join(errs...)
}

// undisposed has a line for each kind of stub that nobody disposed of.
func undisposed(list []jsbridge.UndisposedStub) string {
	var lines []string
	times := make(map[string]int)
	for _, u := range list {
		line := fmt.Sprintf("WARNING: %v, received by %s", u, u.Worker)
		if times[line]++; times[line] == 1 {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if n := times[line]; n > 1 {
			lines[i] = fmt.Sprintf("%s (%d times)", line, n)
		}
	}
	return strings.Join(lines, "\n")
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ") + "\n"
}
