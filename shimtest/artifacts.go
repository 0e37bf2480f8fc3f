package shimtest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/durashim/durashim/internal/timelinehtml"
)

// artifacts writes the timeline of a failed test into the test's artifact
// directory, as text and as a page with pictures, if go test was told to keep
// artifacts: without -artifacts the directory would be gone when the test ends.
func (w *World) artifacts() error {
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return nil
	}
	return w.writeArtifacts(w.t.ArtifactDir())
}

func (w *World) writeArtifacts(dir string) error {
	var page bytes.Buffer
	if err := timelinehtml.Write(&page, w.Timeline().Calls(), w.Timeline().Epoch()); err != nil {
		return err
	}
	text, err := writeNew(dir, "timeline", ".txt", []byte(w.Timeline().Text(nil)))
	if err != nil {
		return err
	}
	picture, err := writeNew(dir, "timeline", ".html", page.Bytes())
	if err != nil {
		return err
	}
	w.t.Logf("timeline as text: %s, as a page with pictures: %s", text, picture)
	return nil
}

// writeNew writes a file that does not exist yet: name.html, or name-2.html for
// another world of the same test, and so on.
func writeNew(dir, name, ending string, data []byte) (string, error) {
	for n := 1; ; n++ {
		path := filepath.Join(dir, name+ending)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", name, n, ending))
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		return path, err
	}
}
