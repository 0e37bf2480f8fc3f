package loader

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inputs are the files and directories that a bundle depends on.
type inputs map[string]fileState

// fileState tells whether a file, or the set of modules in a directory, is
// still the one that was bundled. Equal size and time are taken as a proof
// that it is; otherwise the contents decide.
type fileState struct {
	isDir bool
	size  int64
	mtime int64             // nanoseconds since 1970
	sum   [sha256.Size]byte // of the contents; of the names in a directory
}

// names lists the files.
func (in inputs) names() []string {
	var out []string
	for name, s := range in {
		if !s.isDir {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// unchanged looks at every file again.
func (in inputs) unchanged() bool {
	for name, s := range in {
		fi, err := os.Stat(name)
		if err != nil {
			return false
		}
		if fi.Size() == s.size && fi.ModTime().UnixNano() == s.mtime {
			continue
		}
		read := readState
		if s.isDir {
			read = readDirState
		}
		_, now, err := read(name)
		if err != nil || now.isDir != s.isDir || now.sum != s.sum {
			return false
		}
		in[name] = now // touched, not changed: do not read it again
	}
	return true
}

// readState reads a file. The time is taken first: if the file changes in
// between, its time is another one at the next look.
func readState(name string) ([]byte, fileState, error) {
	fi, err := os.Stat(name)
	if err != nil {
		return nil, fileState{}, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fileState{}, err
	}
	return data, fileState{size: fi.Size(), mtime: fi.ModTime().UnixNano(), sum: sha256.Sum256(data)}, nil
}

// moduleExtensions are those that may decide where an import leads. Other
// files, such as databases next to the sources, come and go without effect.
var moduleExtensions = map[string]bool{
	".ts": true, ".tsx": true, ".mts": true, ".cts": true,
	".js": true, ".jsx": true, ".mjs": true, ".cjs": true, ".json": true,
}

func readDirState(name string) ([]byte, fileState, error) {
	fi, err := os.Stat(name)
	if err != nil {
		return nil, fileState{}, err
	}
	ents, err := os.ReadDir(name)
	if err != nil {
		return nil, fileState{}, err
	}
	var l listing
	for _, e := range ents {
		if n := e.Name(); e.IsDir() || moduleExtensions[filepath.Ext(n)] {
			l.texts(n)
		}
	}
	return nil, fileState{isDir: true, size: fi.Size(), mtime: fi.ModTime().UnixNano(), sum: sha256.Sum256(l)}, nil
}

// inputs adds to the files that were read what decided about the resolution:
// the directories up to Dir, because a new "b.ts" may take the place of
// "b.js", and the package.json and tsconfig.json files in them.
func (p *plugin) inputs() inputs {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := p.read
	var files []string
	for name := range in {
		files = append(files, name)
	}
	if p.modules == nil && p.o.Tsconfig != "" {
		p.noteConfig(filepath.Join(p.o.Dir, p.o.Tsconfig))
	}
	for _, f := range files {
		for d := filepath.Dir(f); ; d = filepath.Dir(d) {
			if _, seen := in[d]; seen {
				break
			}
			if _, s, err := readDirState(d); err == nil {
				in[d] = s
			}
			p.noteConfig(filepath.Join(d, "package.json"))
			p.noteConfig(filepath.Join(d, "tsconfig.json"))
			if d == p.o.Dir || !strings.HasPrefix(d, p.o.Dir) {
				break
			}
		}
	}
	return in
}

func (p *plugin) noteConfig(name string) {
	if _, s, err := readState(name); err == nil {
		p.read[name] = s
	}
}
