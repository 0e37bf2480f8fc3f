package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDevVars follows what wrangler 4.86 does with the same files
// (unstable_getVarsForDev): .dev.vars comes in the place of vars of the same
// names, and a file of the environment's own in the place of .dev.vars.
func TestDevVars(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.jsonc": `{"name": "w", "main": "i.js", "vars": {"V": "top", "A": "over"}, "env": {"x": {}, "y": {"vars": {"Y": "y"}}}}`,
		"i.js":           "export default {};",
		".dev.vars":      "A=1 # a comment\nP='pa$$word'\n",
		".dev.vars.x":    "B=2",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for env, want := range map[string]string{"": "A=1 P=pa$$word V=top", "x": "B=2", "y": "A=1 P=pa$$word Y=y"} {
		c, err := Load(dir, WithEnvironment(env))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range c.Services[0].Worker.Bindings {
			got = append(got, b.Name.Value+"="+b.Text.Value)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("environment %q: %v, want %s", env, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".dev.vars"), []byte("A=1\nhunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, ".dev.vars")+":2:1: ") {
		t.Errorf("error %v, want one with its place", err)
	}
}
