package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/durashim/durashim/internal/config/wrangler"
)

// wranglerFiles are the names looked for in a directory, in this order. workerd
// knows the first two, wrangler all.
var wranglerFiles = []string{"wrangler.jsonc", "wrangler.json", "wrangler.toml"}

// HasWranglerFile reports whether a directory holds one.
func HasWranglerFile(dir string) bool {
	return slices.ContainsFunc(wranglerFiles, func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && !info.IsDir()
	})
}

// Option changes how [Load] reads.
type Option func(*loader)

// WithEnvironment selects an environment of a wrangler file, as `--env` does. The
// empty name is the top level.
func WithEnvironment(name string) Option { return func(l *loader) { l.env = name } }

// WithConst selects the constant that holds the Config in a Cap'n Proto file, as
// the argument const-name of `workerd serve` does. Without it there must be just
// one.
func WithConst(name string) Option { return func(l *loader) { l.constName = name } }

// WithImportPath adds directories in which imports that begin with a slash are
// looked for, as `workerd serve -I` does.
func WithImportPath(dirs ...string) Option {
	return func(l *loader) { l.importPath = append(l.importPath, dirs...) }
}

// WithReadFile replaces os.ReadFile for every file that is read: the
// configuration, its imports, and what it embeds.
func WithReadFile(read func(path string) ([]byte, error)) Option {
	return func(l *loader) { l.read = read }
}

// loader holds the options of one Load.
type loader struct {
	env, constName string
	importPath     []string
	read           func(string) ([]byte, error)
	files          []string // every file that was read, in order
}

// readFile reads a file and notes its name.
func (l *loader) readFile(path string) ([]byte, error) {
	text, err := l.read(path)
	if err == nil && !slices.Contains(l.files, path) {
		l.files = append(l.files, path)
	}
	return text, err
}

// Load reads a configuration. path is a directory, in which wrangler.jsonc,
// wrangler.json or wrangler.toml is looked for in that order, or a file: one
// that ends in .json, .jsonc or .toml is a wrangler file, any other Cap'n Proto
// text (workerd.capnp).
//
// A problem with the content of a file is an [*Error] with its place. A file or
// directory that cannot be read matches fs.ErrNotExist and the like.
func Load(path string, opts ...Option) (*Config, error) {
	l := &loader{read: os.ReadFile}
	for _, o := range opts {
		o(l)
	}
	path, err := findFile(path)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	text, err := l.readFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	var c *Config
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".json" || ext == ".jsonc" || ext == ".toml" {
		c, err = l.wrangler(path, text, ext == ".toml")
	} else {
		c, err = l.capnp(path, text)
	}
	if err != nil {
		return nil, err
	}
	c.Path, c.Dir = abs, filepath.Dir(abs)
	c.Files = l.files
	return c, nil
}

// findFile returns path itself if it is a file, and the wrangler file in it if
// it is a directory.
func findFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil // reading it tells, or an option provides it
		}
		return "", err
	}
	if !info.IsDir() {
		return path, nil
	}
	for _, name := range wranglerFiles {
		file := filepath.Join(path, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s: no configuration found: the directory has none of %s: %w",
		path, strings.Join(wranglerFiles, ", "), fs.ErrNotExist)
}

func (l *loader) wrangler(path string, text []byte, toml bool) (*Config, error) {
	if l.constName != "" {
		return nil, fmt.Errorf("%s: a wrangler file has no named constants: remove the const-name %q", path, l.constName)
	}
	parse := wrangler.ParseJSON
	if toml {
		parse = wrangler.ParseTOML
	}
	root, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	r, err := wrangler.Resolve(root, l.env)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	m := &wranglerMapper{l: l, r: r, dir: filepath.Dir(abs)}
	return m.config(root)
}
