package runtime

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/durashim/durashim/internal/config"
)

// Config is a worker whose sources are in memory; [New] starts it.
type Config struct {
	// Name is the worker's name, "main" by default as in the real runtime. The
	// ids of its objects are derived from it.
	Name string
	// Modules are the worker's modules; the first is the main module. An import
	// resolves to one of these names or to a module that durashim provides
	// ("cloudflare:workers"); it must name the module in full, extension
	// included.
	Modules []Module
	// Classes are the classes of Durable Objects that the main module exports,
	// each with the property of env that it is bound to. Their storage is
	// SQLite.
	Classes []Class
	// Vars become properties of env, all of them strings.
	Vars map[string]string
	// CompatibilityDate is YYYY-MM-DD, CompatibilityFlags are flags beside it;
	// see https://developers.cloudflare.com/workers/configuration/compatibility-dates/.
	CompatibilityDate  string
	CompatibilityFlags []string
}

// Module is one module of a [Config].
type Module struct {
	// Name is how other modules import it ("./lib/item.js"), and what errors and
	// stack traces call it. Its extension says what it is: TypeScript (.ts, .mts,
	// .tsx), JSX (.jsx), CommonJS (.cjs), JSON (.json), text (.txt, .html, .sql),
	// bytes (.bin), WebAssembly (.wasm); anything else is an ES module.
	Name string
	// Source is the module's text, or its bytes.
	Source string
}

// Class is one class of Durable Objects of a [Config].
type Class struct {
	Binding string // the property of env, also the name for [Runtime.Namespace]
	Class   string // the export of the main module
}

// moduleTypeScript is a kind of module that no configuration file has.
const moduleTypeScript config.ModuleKind = "typescript"

var kindsByExtension = map[string]config.ModuleKind{
	".ts": moduleTypeScript, ".mts": moduleTypeScript, ".tsx": moduleTypeScript, ".jsx": moduleTypeScript,
	".cjs": config.ModuleCommonJS, ".json": config.ModuleJSON,
	".txt": config.ModuleText, ".html": config.ModuleText, ".sql": config.ModuleText,
	".bin": config.ModuleData, ".wasm": config.ModuleWasm,
}

// New starts a worker whose sources are in memory: no file is read, and none is
// written unless [Options.PersistTo] names a directory. An error in a module
// names the module, the line and the column.
//
// The worker means the same as a wrangler project of that name with the same
// modules, classes and vars, so the two have the same ids and, on disk, the same
// files. Neither Config nor what it points to may be changed during the call.
func New(cfg Config, o Options) (*Runtime, error) {
	c, err := cfg.model()
	if err != nil {
		return nil, fmt.Errorf("worker %s: %w", cfg.name(), err)
	}
	return open(c, o)
}

func (c *Config) name() string {
	if c.Name == "" {
		return "main"
	}
	return c.Name
}

// model gives the configuration that a wrangler file would be read as. Every
// place in it is the worker's name.
func (c *Config) model() (*config.Config, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	pos := config.Pos{File: "worker " + c.name()}
	text := func(s string) config.Text { return config.Text{Value: s, Pos: pos} }
	w := &config.Worker{Name: text(c.name()), Pos: pos}
	if c.CompatibilityDate != "" {
		w.CompatibilityDate = text(c.CompatibilityDate)
	}
	for _, f := range c.CompatibilityFlags {
		w.CompatibilityFlags = append(w.CompatibilityFlags, text(f))
	}
	for _, m := range c.Modules {
		kind, ok := kindsByExtension[path.Ext(m.Name)]
		if !ok {
			kind = config.ModuleES
		}
		in := config.Pos{File: m.Name, Line: 1, Col: 1}
		w.Modules = append(w.Modules, &config.Module{Name: text(m.Name), Kind: kind, Content: []byte(m.Source), ContentPos: in, Pos: pos})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Vars)) {
		w.Bindings = append(w.Bindings, &config.Binding{Name: text(name), Kind: config.BindingText, Text: text(c.Vars[name]), Pos: pos})
	}
	for _, k := range c.Classes {
		w.Bindings = append(w.Bindings, &config.Binding{
			Name: text(k.Binding), Kind: config.BindingDONamespace, Pos: pos,
			DurableObject: &config.DurableObjectRef{ClassName: text(k.Class), Pos: pos},
		})
		if w.Namespace(k.Class) == nil { // a class may have several bindings
			w.Namespaces = append(w.Namespaces, &config.DurableObjectNamespace{
				ClassName: text(k.Class), UniqueKey: text(c.name() + "-" + k.Class), EnableSQL: true, Pos: pos,
			})
		}
	}
	out := &config.Config{Path: pos.File, Format: config.FormatWrangler, Pos: pos, Services: []*config.Service{{Name: w.Name, Pos: pos, Worker: w}}}
	if len(w.Namespaces) > 0 {
		disk := text(c.name() + "-do-storage")
		w.Storage = config.Storage{Kind: config.StorageLocalDisk, Disk: disk, Pos: pos}
		out.Services = append(out.Services, &config.Service{Name: disk, Pos: pos, Disk: &config.DiskDirectory{Writable: true, Implied: true}})
	}
	return out, nil
}

// check reports everything that is wrong with the Config itself.
func (c *Config) check() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if len(c.Modules) == 0 {
		fail("Modules is empty; the first one is the main module")
	}
	for i, m := range c.Modules {
		if m.Name == "" {
			fail("Modules[%d] has no name", i)
		}
	}
	bound := map[string]bool{}
	for name := range c.Vars {
		bound[name] = true
	}
	for i, k := range c.Classes {
		switch {
		case k.Binding == "" || k.Class == "":
			fail("Classes[%d] needs both Binding and Class", i)
		case bound[k.Binding]:
			fail("Classes[%d]: the binding %q is already taken", i, k.Binding)
		}
		bound[k.Binding] = true
	}
	if _, ok := c.Vars[""]; ok {
		fail("Vars has an empty name")
	}
	if c.CompatibilityDate != "" {
		if _, err := time.Parse(time.DateOnly, c.CompatibilityDate); err != nil {
			fail("CompatibilityDate %q is not of the form YYYY-MM-DD", c.CompatibilityDate)
		}
	}
	if strings.ContainsAny(c.Name, "/\x00") {
		fail("Name %q cannot be part of a directory's name", c.Name)
	}
	return errors.Join(errs...)
}
