package shimtest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/durashim/durashim/internal/timelinehtml"
)

// picture writes the timeline of a failed test as a page into the test's
// artifact directory, and returns what to tell of it.
func (w *World) picture() (string, error) {
	dir := w.t.ArtifactDir()
	for n := 1; ; n++ {
		name := "timeline.html"
		if n > 1 { // another world of the same test
			name = fmt.Sprintf("timeline-%d.html", n)
		}
		path := filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		err = timelinehtml.Write(f, w.Timeline().Calls(), w.Timeline().Epoch())
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
			path += " (go test -artifacts keeps it)"
		}
		return path, err
	}
}
