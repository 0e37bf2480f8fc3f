package capnptext

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// maxSize bounds a file, in bytes.
const maxSize = 16 << 20

// maxWeight bounds the number of values that a constant holds when each
// reference is followed, since a few lines of references to references can stand
// for more than any memory holds.
const maxWeight = 1 << 20

// Options say where files come from.
type Options struct {
	// ReadFile reads imports and embedded files.
	ReadFile func(path string) ([]byte, error)
	// ImportPath are the directories in which imports that begin with a slash
	// are looked for.
	ImportPath []string
}

// Load reads a file whose text is given and returns its constants, in the order
// of the file. All of them are evaluated and checked; of imported files those
// that are referred to. Files may import each other in a circle, constants may
// not. Every error is a *source.Error with a line.
//
// A file is stricter than Cap'n Proto in two points: a field that is set twice,
// and two members of one union, are errors, where Cap'n Proto silently takes the
// last.
func Load(name string, text []byte, o Options) ([]*Const, error) {
	l := &loader{options: o, files: map[string]*file{}}
	f, err := l.parse(name, text)
	if err != nil {
		return nil, err
	}
	var out []*Const
	for _, d := range f.order {
		if d.typ == nil {
			if _, err := l.resolve(d.value, f); err != nil {
				return nil, err
			}
			continue
		}
		v, err := l.constant(d)
		if err != nil {
			return nil, err
		}
		out = append(out, &Const{Name: d.name, Pos: d.pos, Value: v})
	}
	return out, nil
}

// file is a parsed file.
type file struct {
	path  string
	decls map[string]*decl
	order []*decl
	// schema marks workerd.capnp itself, whose declarations are built in;
	// opaque a file that is known but has nothing of use.
	schema, opaque bool
}

type loader struct {
	options Options
	files   map[string]*file
	// aliases and consts count the levels of recursion in resolve and constant.
	aliases, consts int
}

func (l *loader) parse(path string, text []byte) (*file, error) {
	index := source.NewFile(path, text)
	if len(text) > maxSize {
		return nil, source.Errorf(index.Pos(0), "the file is larger than %d bytes", maxSize)
	}
	tokens, err := lex(index, text)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, decls: map[string]*decl{}}
	l.files[filepath.Clean(path)] = f
	p := &parser{file: f, tokens: tokens}
	return f, p.parseFile()
}

// importFile finds the file that an import names.
func (l *loader) importFile(e *expr, from *file) (*file, error) {
	switch {
	case e.text == "/workerd/workerd.capnp":
		return &file{path: e.text, schema: true}, nil
	case strings.HasPrefix(e.text, "/capnp/"):
		return &file{path: e.text, opaque: true}, nil
	}
	path, text, err := l.find(e, from)
	if err != nil {
		return nil, source.Errorf(e.pos, "import failed: %v", err)
	}
	if f := l.files[path]; f != nil {
		return f, nil
	}
	return l.parse(path, text)
}

// find reads the file that an import or embed names: relative to the file it
// stands in, or below the import path if the name begins with a slash. A file
// that has been parsed is not read again.
func (l *loader) find(e *expr, from *file) (string, []byte, error) {
	paths := []string{filepath.Join(filepath.Dir(from.path), filepath.FromSlash(e.text))}
	if strings.HasPrefix(e.text, "/") {
		paths = nil
		for _, dir := range l.options.ImportPath {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(e.text)))
		}
		if paths == nil {
			return "", nil, fmt.Errorf("%q begins with a slash, and there is no import path to look in", e.text)
		}
	}
	var first error
	for _, path := range paths {
		if l.files[path] != nil && e.kind == exprImport {
			return path, nil, nil
		}
		text, err := l.options.ReadFile(path)
		if err == nil {
			return path, text, nil
		}
		if first == nil {
			first = err
		}
	}
	return "", nil, first
}
