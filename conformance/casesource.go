package conformance

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config"
)

// caseSource is where a case stands in the code of its worker.
type caseSource struct {
	Place string // file and line
	Rule  string // the comment above it, as one line
	Text  string // from the export to its end
}

// exportLine matches the beginning of an exported test.
var exportLine = regexp.MustCompile(`^export\s+(?:(default)\b|(?:const|let|var|class|(?:async\s+)?function\*?)\s+([\p{L}_$][\p{L}\p{N}_$]*))`)

// maxSourceLines bounds what is shown of a test whose end is not found.
const maxSourceLines = 120

// sources finds the tests of a file in the main modules of its workers, by case. It
// reads the text line by line and goes by the usual layout: an export begins in the
// first column, and so does the brace that ends it. A test that is written
// otherwise (export { a as b }) is not found.
func sources(f File) map[string]caseSource {
	cfg, err := config.Load(f.Path)
	if err != nil {
		return nil // the file's own result says why
	}
	found := map[string]caseSource{}
	for _, s := range cfg.Services {
		if s.Worker == nil || len(s.Worker.Modules) == 0 {
			continue
		}
		main := s.Worker.Modules[0]
		for export, src := range exportsOf(string(main.Content), path.Join(f.Area(), main.Name.Value)) {
			found[f.Case(s.Name.Value+":"+export)] = src
		}
	}
	return found
}

func exportsOf(text, name string) map[string]caseSource {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	found := map[string]caseSource{}
	for i, line := range lines {
		m := exportLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		end := i
		if t := strings.TrimSpace(line); !strings.HasSuffix(t, ";") && !strings.HasSuffix(t, "}") {
			for end++; end < len(lines)-1 && end-i < maxSourceLines && !strings.HasPrefix(lines[end], "}"); end++ {
			}
		}
		found[m[1]+m[2]] = caseSource{
			Place: name + ":" + strconv.Itoa(i+1),
			Rule:  commentAbove(lines, i),
			Text:  strings.TrimRight(strings.Join(lines[i:min(end+1, len(lines))], "\n"), "\n"),
		}
	}
	return found
}

// commentAbove joins the line comments that end right above a line.
func commentAbove(lines []string, i int) string {
	from := i
	for from > 0 && strings.HasPrefix(lines[from-1], "//") {
		from--
	}
	var words []string
	for _, line := range lines[from:i] {
		words = append(words, strings.TrimSpace(strings.TrimPrefix(line, "//")))
	}
	return strings.Join(words, " ")
}
