package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config"
)

// fileExt is what the name of a test file ends in.
const fileExt = ".wd-test"

// slowArea is the directory whose files mostly wait; see [File.Slow].
const slowArea = "slow"

// File is a test file of a suite.
type File struct {
	// Path is the absolute path.
	Path string
	// Name is the path below the root of the suite, with slashes and without
	// the extension: "kv/basics".
	Name string
	// Service is the name of the only worker in the file; "" if there are
	// several, or if the file cannot be read as a configuration.
	Service string
}

// Area is the directory of the file below the root of the suite: "kv" for
// "kv/basics". It is "." for a file at the root.
func (f File) Area() string { return path.Dir(f.Name) }

// Slow reports whether the file lies in a directory called slow. Such files mostly
// wait: they start first, take no place from the others, and run in this process
// on a virtual clock; see [InProcess].
func (f File) Slow() bool { return path.Base(f.Area()) == slowArea }

// Case returns the id of a case of the file from the name of its test as workerd
// prints it: "service" or "service:export". The service is left out when the
// file has only one.
func (f File) Case(test string) string {
	service, export, named := strings.Cut(test, ":")
	if !named {
		export = "default"
	}
	if service == f.Service {
		return f.Name + ":" + export
	}
	return f.Name + ":" + service + ":" + export
}

// Find lists the test files below the directories, in the order of their names;
// the slow ones come first. Names are relative to root. An argument may also be a test file itself. It is an
// error when there is none.
func Find(root string, dirs ...string) ([]File, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, dir := range dirs {
		before := len(files)
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, err
		}
		err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, fileExt) {
				return err
			}
			rel, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			f := File{Path: p, Name: strings.TrimSuffix(filepath.ToSlash(rel), fileExt), Service: onlyWorker(p)}
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no %s files", dir, fileExt)
		}
	}
	slices.SortFunc(files, func(a, b File) int {
		if a.Slow() != b.Slow() {
			if a.Slow() {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return files, nil
}

// onlyWorker returns the name of the only worker of a file. A file that cannot be
// read has none; running it tells why.
func onlyWorker(p string) (name string) {
	cfg, err := config.Load(p)
	if err != nil {
		return ""
	}
	for _, s := range cfg.Services {
		switch {
		case s.Worker == nil:
		case name != "":
			return ""
		default:
			name = s.Name.Value
		}
	}
	return name
}

// Root finds the root of the suite that dir lies in and the suite's list of
// known differences. The list is the file differences.jsonc in dir or in a
// directory above; the root is the folder cases beside it, or, when there is no
// such folder, the directory of the list. Without a list the root is dir itself
// and differences is "".
func Root(dir string) (root, differences string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", "", err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	for up := dir; ; up = filepath.Dir(up) {
		list := filepath.Join(up, DifferencesFile)
		_, err := os.Stat(list)
		switch {
		case err == nil:
			cases := filepath.Join(up, "cases")
			if info, err := os.Stat(cases); err != nil || !info.IsDir() {
				return up, list, nil
			}
			if up == dir || dir == cases || strings.HasPrefix(dir, cases+string(filepath.Separator)) {
				return cases, list, nil
			}
			return dir, "", nil // beside the suite, not in it
		case !errors.Is(err, fs.ErrNotExist):
			return "", "", err
		}
		if up == filepath.Dir(up) {
			return dir, "", nil
		}
	}
}

// Shard is one of N parts of a suite, which together run every file once.
type Shard struct{ K, N int }

var shardText = regexp.MustCompile(`^(\d+)/(\d+)$`)

// ParseShard reads "K/N", 1 <= K <= N.
func ParseShard(s string) (Shard, error) {
	m := shardText.FindStringSubmatch(s)
	if m == nil {
		return Shard{}, fmt.Errorf("a shard is written K/N, for example 2/4, not %q", s)
	}
	k, errK := strconv.Atoi(m[1])
	n, errN := strconv.Atoi(m[2])
	if err := errors.Join(errK, errN); err != nil {
		return Shard{}, fmt.Errorf("the shard %q: %w", s, err)
	}
	if k < 1 || k > n {
		return Shard{}, fmt.Errorf("the shard %q does not exist: K goes from 1 to N", s)
	}
	return Shard{k, n}, nil
}

// Of returns the shard's part of the files.
func (s Shard) Of(files []File) (part []File) {
	for i, f := range files {
		if i%s.N == s.K-1 {
			part = append(part, f)
		}
	}
	return part
}
