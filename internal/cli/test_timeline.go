package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/timelinehtml"
)

// pictureWriter returns what writes the timelines to a file of a name; nil if
// its ending says no form.
func pictureWriter(name string) func(io.Writer, []timelinehtml.Section) error {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm":
		return timelinehtml.WriteSections
	case ".json":
		return func(w io.Writer, s []timelinehtml.Section) error {
			calls, epoch := flatten(s, nil)
			return durable.WriteJSON(w, calls, epoch)
		}
	case ".svg":
		return func(w io.Writer, s []timelinehtml.Section) error {
			calls, epoch := flatten(s, func(c *durable.CallRecord) bool { return c.Faults() > 0 })
			return timelinehtml.WriteSVG(w, calls, epoch, strings.HasSuffix(name, "-dark.svg"))
		}
	}
	return nil
}

// flatten returns the calls of all tests that keep wants (nil: all), numbered
// through, and the epoch of the first.
func flatten(sections []timelinehtml.Section, keep func(*durable.CallRecord) bool) (calls []durable.CallRecord, epoch time.Time) {
	for i, s := range sections {
		if i == 0 {
			epoch = s.Epoch
		}
		numbers := map[int]int{}
		for _, c := range s.Calls {
			if keep == nil || keep(&c) {
				numbers[c.Seq] = len(calls) + 1
				c.Seq = len(calls) + 1
				if c.Repeats != nil {
					again := *c.Repeats
					again.First = numbers[again.First] // 0 if it is left out
					c.Repeats = &again
				}
				calls = append(calls, c)
			}
		}
	}
	return calls, epoch
}

// writePictures writes the timelines to the files that were asked for.
func (r *run) writePictures() error {
	for _, name := range r.o.pictures {
		f, err := os.Create(name)
		if err != nil {
			return fmt.Errorf("--timeline: %w", err)
		}
		err = pictureWriter(name)(f, r.sections)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return fmt.Errorf("--timeline %s: %w", name, err)
		}
	}
	return nil
}
