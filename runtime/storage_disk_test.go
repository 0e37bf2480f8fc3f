package runtime_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

// The conformance cases of storage, gates and resets with their storage in files,
// which the runner keeps in memory.
func TestConformanceOnDisk(t *testing.T) {
	for _, name := range []string{
		"kv/answers-disk", "kv/answers-on-disk", "kv/arguments-disk", "kv/basics-disk", "kv/disk", "kv/disk-without-sql", "kv/list-disk",
		"kv/multi-disk", "kv/transaction-disk", "kv/transaction-sqlite", "kv/transaction-state-disk",
		"gates/gates-disk",
		"lifecycle/abort", "lifecycle/lifecycle-disk", "lifecycle/writes-disk",
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			rt := open(t, filepath.Join("..", "conformance", "cases", filepath.FromSlash(name)+".wd-test"), func(o *runtime.Options) {
				o.PersistTo = state
				o.Record = false
			})
			for _, test := range rt.Tests() {
				err := rt.RunTest(t.Context(), test)
				if err != nil && !strings.Contains(err.Error(), "durashim does not implement SqlStorage") {
					t.Errorf("%s: %v", test.Name(), err)
				}
			}
			files, err := filepath.Glob(filepath.Join(state, "*", "*.sqlite"))
			if err != nil || len(files) < 2 {
				t.Errorf("nothing was stored in files: %q (%v)", files, err)
			}
		})
	}
}
