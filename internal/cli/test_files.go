package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/durashim/durashim/internal/config"
)

// testFile matches the names of files with tests.
var testFile = regexp.MustCompile(`\.test\.(ts|tsx|js|jsx|mjs)$`)

// testFiles finds the test files of a project, relative to its directory;
// wrangler is false for a workerd configuration.
func testFiles(path string) (files []string, wrangler bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, err
	}
	dir := path
	if !info.IsDir() {
		switch filepath.Ext(path) {
		case ".json", ".jsonc", ".toml":
			dir = filepath.Dir(path)
		case ".ts", ".tsx", ".js", ".jsx", ".mjs":
			if !testFile.MatchString(path) {
				return nil, false, fmt.Errorf("%s is no test file: those are named *.test.ts, .tsx, .js, .jsx or .mjs", path)
			}
			return []string{filepath.Base(path)}, true, nil
		default:
			return nil, false, nil
		}
	}
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != dir && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !d.IsDir() && testFile.MatchString(d.Name()):
			rel, err := filepath.Rel(dir, p)
			files = append(files, rel)
			return err
		}
		return nil
	})
	return files, true, err
}

// projectOf finds the project that a test file belongs to: the nearest directory
// above it with a wrangler file. The file's name becomes relative to that.
func projectOf(dir, name string) (project string, files []string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	for up := abs; ; up = filepath.Dir(up) {
		if config.HasWranglerFile(up) {
			rel, err := filepath.Rel(up, filepath.Join(abs, name))
			return up, []string{rel}, err
		}
		if up == filepath.Dir(up) {
			return "", nil, fmt.Errorf("%s: neither its directory nor one above it has a wrangler file", filepath.Join(dir, name))
		}
	}
}

// each makes a list of every file.
func each(files []string) (lists [][]string) {
	for _, f := range files {
		lists = append(lists, []string{f})
	}
	return lists
}
