package runtime_test

import (
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

// What a configuration asks for and durashim lacks is an error with its name and
// place, never ignored.
func TestUnsupportedPartsAreNamed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "c.capnp", `using Workerd = import "/workerd/workerd.capnp";
const c :Workerd.Config = (
  services = [
    (name = "w", worker = (
      modules = [(name = "m", esModule = "export default {}")],
      tails = ["w"],
      streamingTails = ["w"])),
  ],
  extensions = [(modules = [(name = "x:y", esModule = "export default 1")])],
);
`)
	_, err := runtime.Open(dir+"/c.capnp", runtime.Options{})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"c.capnp:6:", "Worker.tails", "c.capnp:7:", "Worker.streamingTails", "c.capnp:9:", "Config.extensions"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
}
