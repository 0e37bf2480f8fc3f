package shimtest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/shimtest"
)

// An object that reports to a function. In a test that function is Go's.
const downloads = `
import { DurableObject } from "cloudflare:workers";
export class Download extends DurableObject {
  async run(parts, progress) {
    for (let i = 1; i <= parts; i++) {
      await scheduler.wait(60_000);
      await progress(i / parts);
    }
  }
}
export default {};
`

// A test plays the client of an object: it gives it a function and sees what it is
// called with, at which time.
func TestCallbacks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.js": downloads,
		"wrangler.json": `{"name": "downloads", "main": "main.js", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "DOWNLOAD", "class_name": "Download"}]},
			"migrations": [{"tag": "v1", "new_sqlite_classes": ["Download"]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := shimtest.New(t, dir)
	download := w.Namespace("DOWNLOAD").GetByName("d")
	start := w.Clock().Now()
	var seen, minutes []float64
	progress := func(part float64) {
		seen = append(seen, part)
		minutes = append(minutes, w.Clock().Now().Sub(start).Minutes())
	}
	if _, err := download.Call(t.Context(), "run", 4, progress); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []float64{.25, .5, .75, 1}) || !slices.Equal(minutes, []float64{1, 2, 3, 4}) {
		t.Errorf("progress %v after %v minutes", seen, minutes)
	}

	// With a function among its arguments the call cannot be sent again, not even
	// when the object has never seen it.
	w.Fault(durable.RefuseRequest().Method("run"))
	if _, err := download.Call(t.Context(), "run", 1, progress); !errors.Is(err, durable.ErrRetryable) {
		t.Error(err)
	}
	w.AssertCall("run").Attempts(1).Runs(0).Outcome(durable.UnableToRetry)
}
