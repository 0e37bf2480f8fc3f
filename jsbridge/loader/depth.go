package loader

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// maxDepth bounds how deep brackets may nest. The parsers recurse, and a Go
// program whose stack overflows ends at once; the real runtime throws.
const maxDepth = 5000

// tooDeep looks for nesting that no program has. It knows no strings and
// comments: brackets in them count as well, which only matters to a file with
// thousands of them that are never closed.
func tooDeep(name string, src []byte) *api.Message {
	depth := 0
	for i, c := range src {
		switch c {
		case '(', '[', '{':
			if depth++; depth > maxDepth {
				start := bytes.LastIndexByte(src[:i], '\n') + 1
				return &api.Message{
					Text: fmt.Sprintf("brackets are nested more than %d deep", maxDepth),
					Location: &api.Location{
						File: name, Line: bytes.Count(src[:i], []byte{'\n'}) + 1, Column: i - start,
					},
				}
			}
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
	}
	return nil
}

// relative names a file as messages do.
func (p *plugin) relative(file string) string {
	rel, err := filepath.Rel(p.o.Dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
