package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/durashim/durashim/conformance"
	"github.com/spf13/cobra"
)

type conformanceOptions struct {
	runner, oracle, filter, shard, differences string
	json, junit, html, table                   string
	timeout                                    time.Duration
	jobs                                       int
	mutate, verbose, realTime                  bool
}

func (a *app) conformanceCommand() *cobra.Command {
	var o conformanceOptions
	cmd := &cobra.Command{
		Use:   "conformance [DIR...]",
		Short: "Run test suites in workerd's format, and compare runtimes",
		Long: `Run every .wd-test file below the directories, many at once, each in a clean
world, and print the failures and a summary by area. Without a directory the
suite conformance/cases of the Go module around the current directory is run.

    --runner PATH   runs the files on another program that speaks workerd's test
                    protocol (PATH test FILE) instead of in this process
    --oracle PATH   runs them on a second program too and compares test by test;
                    "npm" installs the real runtime into the user's cache

Files in directories called slow mostly wait; in this process they run on a
virtual clock, unless --real-time is given.

Known differences are read from differences.jsonc in the suite's directory or one
above; with --runner, another program has none unless --differences is given. The status is 0 when every case passes or, with --oracle, does the same on
both, except for exactly those that are listed.

With --mutate every assertion of node:assert is inverted, and the cases that
still pass are reported: they have asserted nothing.`,
		Example: `  durashim conformance --oracle npm
  durashim conformance --html report.html
  durashim conformance --oracle npm --table=README.md
  durashim conformance ../other/suite --filter '^kv/' --json results.json
  durashim conformance --runner ./my-runtime --shard 2/4`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.conformance(cmd.Context(), args, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.runner, "runner", "", "program to test instead of this process")
	f.StringVar(&o.oracle, "oracle", "", `program to compare with, or "npm"`)
	f.StringVar(&o.filter, "filter", "", "regular expression that the id of a case (area/file:test) must match")
	f.StringVar(&o.shard, "shard", "1/1", "run the Kth of N parts of the files (K/N)")
	f.StringVar(&o.differences, "differences", "", "list of known differences; by default differences.jsonc of the suite,\nwith --runner none")
	f.DurationVar(&o.timeout, "timeout", conformance.DefaultTimeout, "how long one file may take")
	f.IntVar(&o.jobs, "jobs", 0, "how many files run at once (default: as many as processors)")
	f.StringVar(&o.json, "json", "", "file to write the results to as JSON")
	f.StringVar(&o.junit, "junit", "", "file to write the results to as JUnit XML")
	f.StringVar(&o.html, "html", "", "file to write the report to as a page for people")
	f.BoolVar(&o.realTime, "real-time", false, "run files in directories called slow on the machine's clock in this process, too")
	f.StringVar(&o.table, "table", "", `print the fidelity table in Markdown, or with --table=FILE put it into that file
between the lines "`+conformance.TableBegin+`" and "`+conformance.TableEnd+`"`)
	f.Lookup("table").NoOptDefVal = "-"
	f.BoolVar(&o.mutate, "mutate", false, "invert all assertions and report the cases that still pass")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print a line for every case")
	return cmd
}

// conformanceRun is a run as the flags describe it.
type conformanceRun struct {
	*app
	o             conformanceOptions
	files         []conformance.File
	known         conformance.Differences
	complete      bool // every case of every file is run
	want          func(id string) bool
	runner, other conformance.Runner
	live          bool // the progress line is kept on a terminal
	done          int  // files
}

func (a *app) conformance(ctx context.Context, dirs []string, o conformanceOptions) error {
	r := &conformanceRun{app: a, o: o, live: terminal(a.err)}
	if err := r.prepare(ctx, dirs); err != nil {
		return err
	}
	if o.mutate {
		return r.mutate(ctx)
	}
	start := a.sched.Now()
	results, others, err := conformance.Run(ctx, r.files, r.runner, r.other, conformance.Options{
		Jobs: o.jobs, Timeout: o.timeout, Want: r.want, Done: r.progress,
	})
	if err != nil {
		return err
	}
	rep := &conformance.Report{Runner: r.runner.Name(), Elapsed: a.sched.Now().Sub(start)}
	if r.other != nil {
		rep.Oracle = r.other.Name()
	}
	rep.Rows = r.rows(results, others)
	if o.filter == "" {
		rep.Unknown = r.known.Unknown(r.files, results)
	}
	if r.complete {
		rep.Unknown = append(rep.Unknown, r.known.Missing(r.files)...)
	}
	return r.report(rep)
}

func (r *conformanceRun) prepare(ctx context.Context, dirs []string) error {
	re, err := regexp.Compile(r.o.filter)
	if err != nil {
		return fmt.Errorf("the filter is not a regular expression: %w", err)
	}
	r.want = re.MatchString
	shard, err := conformance.ParseShard(r.o.shard)
	if err != nil {
		return err
	}
	if r.o.timeout <= 0 {
		return fmt.Errorf("--timeout must be positive, not %v", r.o.timeout)
	}
	if len(dirs) == 0 {
		dir, err := ownSuite()
		if err != nil {
			return err
		}
		dirs = []string{dir}
	}
	root, list, err := conformance.Root(dirs[0])
	if err != nil {
		return err
	}
	if r.o.runner != "" {
		list = "" // it is about durashim
	}
	if r.o.differences != "" {
		list = r.o.differences
	}
	if list != "" {
		if r.known, err = conformance.ReadDifferences(list); err != nil {
			return err
		}
	}
	if r.files, err = conformance.Find(root, dirs...); err != nil {
		return err
	}
	abs, err := filepath.Abs(dirs[0])
	if err != nil {
		return err
	}
	r.complete = r.o.filter == "" && shard.N == 1 && len(dirs) == 1 && (abs == root || filepath.Join(abs, "cases") == root)
	r.files = shard.Of(r.files)
	return r.runtimes(ctx)
}

func (r *conformanceRun) runtimes(ctx context.Context) (err error) {
	if r.o.mutate && r.o.runner+r.o.oracle != "" {
		return errors.New("--mutate runs in this process alone, without --runner and --oracle")
	}
	r.runner = conformance.InProcess{Now: r.sched.Now, RealTime: r.o.realTime}
	if r.o.runner != "" {
		if r.runner, err = program(r.o.runner); err != nil {
			return err
		}
	}
	switch r.o.oracle {
	case "":
		return nil
	case "npm":
		path, err := conformance.InstallOracle(ctx)
		if err != nil {
			return err
		}
		r.other, err = program(path)
		return err
	}
	r.other, err = program(r.o.oracle)
	return err
}

func program(path string) (conformance.Runner, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, not a program", path)
	}
	return conformance.Binary{Path: abs}, nil
}

// ownSuite is the suite of the module around the current directory.
func ownSuite() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for up := dir; ; up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			return filepath.Join(up, "conformance", "cases"), nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if up == filepath.Dir(up) {
			return "", fmt.Errorf("%s is in no Go module; name the directory of a suite", dir)
		}
	}
}

func (r *conformanceRun) rows(results, others []conformance.Result) []conformance.Row {
	rows := conformance.Compare(results, others, r.other != nil)
	conformance.Judge(rows, r.known)
	return rows
}

// progress prints what is worth a line as soon as a file is done, and on a
// terminal how far the run is.
func (r *conformanceRun) progress(f conformance.File, results, others []conformance.Result) {
	if r.live {
		fmt.Fprint(r.err, "\r\x1b[K")
	}
	for _, row := range r.rows(results, others) {
		if r.o.verbose || row.Verdict.Bad() {
			_ = conformance.WriteRow(r.err, row)
		}
	}
	if r.done++; r.live && r.done < len(r.files) {
		fmt.Fprintf(r.err, "%d of %d files: %s", r.done, len(r.files), f.Name)
	}
}

// terminal reports whether a line written to w can be replaced by the next.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

func (r *conformanceRun) report(rep *conformance.Report) error {
	html := func(w io.Writer) error { return rep.WriteHTML(w, r.files) }
	err := errors.Join(writeFile(r.o.json, rep.WriteJSON), writeFile(r.o.junit, rep.WriteJUnit), writeFile(r.o.html, html), rep.WriteSummary(r.err))
	switch r.o.table {
	case "":
	case "-":
		_, werr := io.WriteString(r.out, rep.Table())
		err = errors.Join(err, werr)
	default:
		err = errors.Join(err, rep.PutTable(r.o.table))
	}
	if err == nil && rep.Failed() {
		err = errFailed
	}
	return err
}

// writeFile writes a report to a file, if one is asked for.
func writeFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// mutate reports the cases that pass with inverted assertions. Cases that fail
// anyway are the business of a plain run.
func (r *conformanceRun) mutate(ctx context.Context) error {
	inverted := conformance.InProcess{Now: r.sched.Now, RealTime: r.o.realTime, Mutate: true}
	plain, mutated, err := conformance.Run(ctx, r.files, r.runner, inverted, conformance.Options{
		Jobs: r.o.jobs, Timeout: r.o.timeout, Want: r.want,
	})
	if err != nil {
		return err
	}
	inert, unchecked := conformance.InertCases(plain, mutated)
	for _, c := range inert {
		fmt.Fprintf(r.err, "%s passes although all its assertions are inverted\n", c.Case)
	}
	for _, c := range unchecked {
		fmt.Fprintf(r.err, "%s not checked: it %s\n", c.Case, strings.TrimSpace(c.Error))
	}
	fmt.Fprintf(r.err, "%d cases, %d assert nothing, %d not checked\n", len(plain), len(inert), len(unchecked))
	if len(inert) > 0 || len(plain) == len(unchecked) {
		return errFailed
	}
	return nil
}
