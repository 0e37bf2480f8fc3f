package runtime_test

import (
	"os"
	"strings"
	"testing"
)

// The README's program is the one that ExampleOpen runs, line by line.
func TestREADMEProgram(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "\n## Embed")
	_, rest, ok2 := strings.Cut(rest, "```go\n")
	block, _, ok3 := strings.Cut(rest, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the README has no section Embed with a block of Go")
	}
	// The README's lines are less deep, and run at the top of the repository.
	code := strings.NewReplacer("\n\t\t", "\n", `"../examples`, `"examples`).Replace(string(example))
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		if !strings.Contains(code, "\n"+line+"\n") {
			t.Errorf("README has a line that ExampleOpen has not: %s", line)
		}
	}
}
