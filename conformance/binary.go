package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/durashim/durashim/internal/config"
)

// Binary runs test files on a program that speaks workerd's test protocol:
//
//	PATH test --experimental --compat-date=2026-11-01 -d NAME=DIR FILE
//
// The date is given when no worker of the file states one, and a new empty
// directory for each disk service that has no path. The lines [ TEST ],
// [ PASS ] and [ FAIL ] are read from stderr.
type Binary struct {
	Path string
}

// Name implements [Runner].
func (b Binary) Name() string { return filepath.Base(b.Path) }

// Run implements [Runner]. A program that does not end in time is killed.
func (b Binary) Run(ctx context.Context, f File, want func(string) bool) []Result {
	rec := recorder{file: f}
	ran, err := b.run(ctx, &rec, want)
	results := rec.close()
	failed := false
	for _, r := range results {
		failed = failed || !r.Passed
	}
	if err != nil && !failed && (ran == 0 || len(results) == ran) && want(f.Name) {
		rec := recorder{file: f}
		rec.addFile(err.Error())
		results = append(results, rec.close()...)
	}
	return results
}

// run returns how many tests were run, wanted or not, and why the program did not
// end well.
func (b Binary) run(ctx context.Context, rec *recorder, want func(string) bool) (ran int, err error) {
	tmp, err := os.MkdirTemp("", "durashim-conformance-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	args, err := b.args(rec.file, tmp)
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, b.Path, args...)
	cmd.Dir = filepath.Dir(rec.file.Path)
	cmd.WaitDelay = 2 * time.Second
	var out limited
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	outside, readErr := parseProtocol(stderr, func(v verdict) {
		ran++
		if !want(rec.file.Case(v.test)) {
			return
		}
		failure := ""
		switch {
		case !v.ended && ctx.Err() != nil:
			failure = context.Cause(ctx).Error() + "\n" + v.text
		case !v.ended:
			failure = b.Name() + " ended within the test\n" + v.text
		case !v.passed:
			failure = nonEmpty(v.text)
		}
		rec.add(v.test, v.duration, failure)
	})
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ran, context.Cause(ctx)
	case readErr != nil:
		return ran, readErr
	case err != nil:
		return ran, fmt.Errorf("%s: %w\n%s%s", b.Name(), err, outside, out.String())
	case ran == 0:
		return 0, errors.New("No tests found!") // in the words of the real binary
	}
	return ran, nil
}

func (b Binary) args(f File, tmp string) ([]string, error) {
	args := []string{"test", "--experimental"}
	dated, disks := false, []string{"TEST_TMPDIR"}
	// A file that cannot be read here is left to the other program.
	if cfg, err := config.Load(f.Path); err == nil {
		disks = nil
		for _, s := range cfg.Services {
			dated = dated || s.Worker != nil && s.Worker.CompatibilityDate.IsSet()
			if s.Disk != nil && !s.Disk.Path.IsSet() {
				disks = append(disks, s.Name.Value)
			}
		}
	}
	if !dated {
		args = append(args, "--compat-date="+CompatDate)
	}
	for i, name := range disks {
		dir := filepath.Join(tmp, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		args = append(args, "-d", name+"="+dir)
	}
	return append(args, f.Path), nil
}

// limited keeps the beginning of what is written to it.
type limited struct{ buf bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.buf.Len() < maxText {
		l.buf.Write(p)
	}
	return len(p), nil
}

func (l *limited) String() string { return strings.TrimSpace(l.buf.String()) }
