package runtime

import (
	"slices"

	"github.com/durashim/durashim/internal/config"
)

// Reopen starts the project at path as Open does, with the storage of rt, which
// goes on running meanwhile: a new version of a project whose sources have
// changed. When it fails, nothing has happened to rt.
//
// An object must never be in memory twice, so the caller sends nothing to the
// new runtime before rt is closed: Close leaves the storage to the new one.
// Objects keep what they stored, also what is in memory only.
func (rt *Runtime) Reopen(path string, o Options) (*Runtime, error) {
	cfg, err := load(path, o)
	if err != nil {
		return nil, err
	}
	return openWith(cfg, o, rt.stores)
}

// Inputs lists the files that the project was made from, sorted: the
// configuration with what it imports and embeds, and the modules that were
// bundled. A caller that watches them knows when to [Runtime.Reopen].
func (rt *Runtime) Inputs() []string {
	files := slices.Clone(rt.cfg.Files)
	for _, w := range rt.workers {
		if w.bundle != nil {
			files = append(files, w.bundle.Inputs...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// load reads the configuration of a project.
func load(path string, o Options) (*config.Config, error) {
	var opts []config.Option
	if o.Environment != "" {
		opts = append(opts, config.WithEnvironment(o.Environment))
	}
	if o.ConstName != "" {
		opts = append(opts, config.WithConst(o.ConstName))
	}
	if len(o.ImportPath) > 0 {
		opts = append(opts, config.WithImportPath(o.ImportPath...))
	}
	cfg, err := config.Load(path, opts...)
	if err != nil {
		return nil, err
	}
	return cfg, override(cfg, o)
}
