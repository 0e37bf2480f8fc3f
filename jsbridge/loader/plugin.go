package loader

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
)

// esbuild namespaces of what this package loads itself.
const (
	nsModule   = "durashim-module"   // in-memory code and JSON
	nsText     = "durashim-text"     // text, by rule
	nsData     = "durashim-data"     // bytes that stay in Go
	nsBuiltin  = "durashim-builtin"  // host modules, imported
	nsRequired = "durashim-required" // host modules, by require()

	entrySpecifier = "durashim:entry"
)

// plugin resolves and loads for one run of esbuild, which calls it from
// several goroutines.
type plugin struct {
	o       *Options
	modules map[string]*Module // nil when building a directory
	rules   []compiledRule

	mu   sync.Mutex
	data []DataModule
	read inputs          // files that were read, by absolute name
	used map[string]bool // in-memory modules that were reached
}

func newPlugin(o *Options) *plugin {
	p := &plugin{o: o, read: inputs{}, used: map[string]bool{}}
	if len(o.Modules) > 0 {
		p.modules = make(map[string]*Module, len(o.Modules))
		for i := range o.Modules {
			p.modules[strings.TrimPrefix(o.Modules[i].Name, "/")] = &o.Modules[i]
		}
	} else {
		p.rules = compileRules(o.Rules)
	}
	return p
}

// variableImport finds import(x) with something else than a string. Comments
// and strings may match too, which costs a little speed and nothing else.
var variableImport = regexp.MustCompile(`\bimport\s*\(\s*[^"'\s)]`)

// entryCode is the source of the synthetic entry. If the modules of a closed
// list import by variables, all of them are made reachable by name.
func (p *plugin) entryCode() string {
	spec := "./" + filepath.ToSlash(p.o.Entry) // a file, not a package
	switch {
	case p.modules != nil:
		spec = entrySpecifier
	case filepath.IsAbs(p.o.Entry):
		spec = p.o.Entry
	}
	code := "import * as ns from " + jsString(spec) + "; " + hostName + ".exports(ns);"
	variable := slices.ContainsFunc(p.o.Modules, func(m Module) bool {
		return m.Kind.code() && variableImport.Match(m.Contents)
	})
	if !variable {
		return code
	}
	// The list goes to the host before the main module runs, hence the
	// import() of the latter.
	var b strings.Builder
	b.WriteString(hostName + ".modules({__proto__: null")
	for _, name := range sortedKeys(p.modules) {
		fmt.Fprintf(&b, ",%s: () => import(%s)", jsString(name), jsString("/"+name))
	}
	b.WriteString("}); " + hostName + ".exports(await import(" + jsString(spec) + "));")
	return b.String()
}

// root is the directory of the main module, as a module path.
func (p *plugin) root() string {
	if p.modules != nil {
		return path.Dir(strings.TrimPrefix(p.o.Modules[0].Name, "/"))
	}
	return "." // wrangler's output is one file at the top
}

func (p *plugin) setup(b api.PluginBuild) {
	if p.modules != nil {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, p.resolveModule)
	} else {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return p.resolveFile(b, a)
		})
	}
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, p.loadFile)
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: nsModule}, p.loadModule)
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: nsText}, p.loadText)
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: nsData}, p.loadData)
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: nsBuiltin}, p.loadBuiltin)
	b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: nsRequired}, p.loadRequired)
}

// builtin resolves a host module. Bare names of Node modules ("assert") mean
// the same as with their prefix, as in workerd under nodejs_compat.
func (p *plugin) builtin(a api.OnResolveArgs) (api.OnResolveResult, bool) {
	spec := a.Path
	if _, ok := p.o.Builtins[spec]; !ok {
		if _, ok := p.o.Builtins["node:"+spec]; !ok {
			return api.OnResolveResult{}, false
		}
		spec = "node:" + spec
	}
	ns := nsBuiltin
	if a.Kind == api.ResolveJSRequireCall {
		ns = nsRequired
	}
	return api.OnResolveResult{Path: spec, Namespace: ns, SideEffects: api.SideEffectsFalse}, true
}

func noSuchModule(name string) api.OnResolveResult {
	return api.OnResolveResult{Errors: []api.Message{{Text: fmt.Sprintf("No such module %q.", name)}}}
}

// hostScheme tells whether a specifier can only mean a host module.
func hostScheme(spec string) bool {
	return strings.HasPrefix(spec, "cloudflare:") || strings.HasPrefix(spec, "node:") || strings.HasPrefix(spec, "workerd:")
}

// missing answers an import that leads nowhere. A dynamic import fails when it
// is reached, not before, as in workerd.
func (p *plugin) missing(a api.OnResolveArgs, name string) api.OnResolveResult {
	if a.Kind == api.ResolveJSDynamicImport {
		return api.OnResolveResult{Path: a.Path, External: true}
	}
	return noSuchModule(name)
}

// resolveModule resolves within a closed list: relative to the importing
// module's name, "/" being the top; "b.js" means the same as "./b.js".
func (p *plugin) resolveModule(a api.OnResolveArgs) (api.OnResolveResult, error) {
	if a.Path == entrySpecifier && a.Namespace != nsModule {
		return p.memoryResult(strings.TrimPrefix(p.o.Modules[0].Name, "/")), nil
	}
	dir := "."
	if a.Namespace == nsModule {
		dir = path.Dir(a.Importer)
	}
	name := resolveName(dir, a.Path)
	if p.modules[name] != nil {
		return p.memoryResult(name), nil
	}
	if r, ok := p.builtin(a); ok {
		return r, nil
	}
	if hostScheme(a.Path) {
		name = a.Path
	}
	return p.missing(a, name), nil
}

// resolveName joins a specifier to the directory of the importing module the
// way that workerd does.
func resolveName(dir, spec string) string {
	if !strings.HasPrefix(spec, "/") {
		spec = "/" + dir + "/" + spec
	}
	return strings.TrimPrefix(path.Clean(spec), "/")
}

func (p *plugin) memoryResult(name string) api.OnResolveResult {
	ns := nsModule
	switch p.modules[name].Kind {
	case Text:
		ns = nsText
	case Data, CompiledWasm:
		ns = nsData
	}
	return api.OnResolveResult{Path: name, Namespace: ns}
}

// marker keeps resolveFile from answering the question it asks itself.
type marker struct{}

// resolveFile resolves in a directory: host modules first, then esbuild's own
// resolution, then the module rules on the file that was found.
func (p *plugin) resolveFile(b api.PluginBuild, a api.OnResolveArgs) (api.OnResolveResult, error) {
	if _, ok := a.PluginData.(marker); ok {
		return api.OnResolveResult{}, nil
	}
	if r, ok := p.builtin(a); ok {
		return r, nil
	}
	if hostScheme(a.Path) {
		return p.missing(a, a.Path), nil
	}
	spec := strings.TrimSuffix(a.Path, "?module") // wrangler takes "x.wasm?module" too
	kind, byRule := p.kindOf(spec)
	if !byRule && spec == a.Path {
		return api.OnResolveResult{}, nil // esbuild goes on by itself
	}
	r := b.Resolve(spec, api.ResolveOptions{
		Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir, Kind: a.Kind, With: a.With, PluginData: marker{},
	})
	if len(r.Errors) > 0 {
		return api.OnResolveResult{Errors: r.Errors, Warnings: r.Warnings}, nil
	}
	rel, err := filepath.Rel(p.o.Dir, r.Path)
	if err != nil {
		return api.OnResolveResult{}, fmt.Errorf("%s is not below %s", r.Path, p.o.Dir)
	}
	res := api.OnResolveResult{Path: filepath.ToSlash(rel), Warnings: r.Warnings}
	switch kind {
	case Text:
		res.Namespace = nsText
	case Data, CompiledWasm:
		res.Namespace = nsData
	default:
		return api.OnResolveResult{}, nil // code: esbuild's own resolution also finds the tsconfig.json
	}
	return res, nil
}

// readFile reads a source and notes exactly what was read.
func (p *plugin) readFile(name string) ([]byte, error) {
	data, st, err := readState(name)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.read[name] = st
	p.mu.Unlock()
	return data, nil
}

// loadFile reads for esbuild, so that the cache knows which contents went into
// the bundle even if the file changes meanwhile.
func (p *plugin) loadFile(a api.OnLoadArgs) (api.OnLoadResult, error) {
	data, err := p.readFile(a.Path)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	if m := tooDeep(p.relative(a.Path), data); m != nil {
		return api.OnLoadResult{Errors: []api.Message{*m}}, nil
	}
	s := string(data)
	return api.OnLoadResult{Contents: &s, Loader: api.LoaderDefault}, nil
}

// contents reads a text or data module, in memory or on disk.
func (p *plugin) contents(name string) ([]byte, Kind, error) {
	if p.modules != nil {
		m := p.use(name)
		return m.Contents, m.Kind, nil
	}
	kind, _ := p.kindOf(name)
	data, err := p.readFile(filepath.Join(p.o.Dir, filepath.FromSlash(name)))
	return data, kind, err
}

func (p *plugin) use(name string) *Module {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.used[name] = true
	return p.modules[name]
}

func (p *plugin) loadText(a api.OnLoadArgs) (api.OnLoadResult, error) {
	data, _, err := p.contents(a.Path)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	if !utf8.Valid(data) {
		data = []byte(strings.ToValidUTF8(string(data), "\uFFFD"))
	}
	s := string(data)
	return api.OnLoadResult{Contents: &s, Loader: api.LoaderText}, nil
}

func (p *plugin) loadData(a api.OnLoadArgs) (api.OnLoadResult, error) {
	data, kind, err := p.contents(a.Path)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	p.mu.Lock()
	i := len(p.data)
	p.data = append(p.data, DataModule{Name: a.Path, Kind: kind, Bytes: data})
	p.mu.Unlock()
	s := fmt.Sprintf("export default %s.data(%d);", hostName, i)
	return api.OnLoadResult{Contents: &s, Loader: api.LoaderJS}, nil
}

// forceESM keeps esbuild from taking a module without import and export for
// CommonJS. It stands at the end, where it moves no positions.
const forceESM = "\nexport {};"

func (p *plugin) loadModule(a api.OnLoadArgs) (api.OnLoadResult, error) {
	m := p.use(a.Path)
	if m := tooDeep(m.Name, m.Contents); m != nil {
		return api.OnLoadResult{Errors: []api.Message{*m}}, nil
	}
	s := string(m.Contents)
	switch m.Kind {
	case ESModule, TypeScript:
		s += forceESM
	case JSON:
		if msg := jsonError(m.Name, m.Contents); msg != nil {
			return api.OnLoadResult{Errors: []api.Message{{
				Text:     msg.Text,
				Location: &api.Location{File: msg.File, Line: msg.Line, Column: msg.Column - 1, LineText: msg.LineText},
			}}}, nil
		}
		// Not the JSON loader, which would add an export per key.
		s = "export default JSON.parse(" + jsString(s) + ");"
	case CommonJS:
		// esbuild takes a file for CommonJS by what it uses; make it certain,
		// on the first line so that positions stay.
		pre := "module;"
		if strings.Contains(s, "__filename") || strings.Contains(s, "__dirname") {
			file := "/" + a.Path
			pre += "var __filename=" + jsString(file) + ",__dirname=" + jsString(path.Dir(file)) + ";"
		}
		s = pre + s
	}
	return api.OnLoadResult{Contents: &s, Loader: m.esbuild()}, nil
}

// esbuild is the loader for a module of code. JavaScript in a closed list is
// taken by its kind, not by its name, as workerd takes it.
func (m *Module) esbuild() api.Loader {
	if m.Kind != TypeScript {
		return api.LoaderJS
	}
	switch path.Ext(m.Name) {
	case ".jsx":
		return api.LoaderJSX
	case ".tsx":
		return api.LoaderTSX
	}
	return api.LoaderTS
}

// loadBuiltin writes the ES module that stands for a host module. Every export
// is declared, so that esbuild can tell which names do not exist, and marked
// as free of side effects, so that unused ones cost nothing.
func (p *plugin) loadBuiltin(a api.OnLoadArgs) (api.OnLoadResult, error) {
	names := slices.Clone(p.o.Builtins[a.Path])
	slices.Sort(names)
	var b strings.Builder
	fmt.Fprintf(&b, "const m = /* @__PURE__ */ %s.builtin(%s);\n", hostName, jsString(a.Path))
	for i, n := range slices.Compact(names) {
		q := jsString(n)
		fmt.Fprintf(&b, "const e%d = /* @__PURE__ */ (() => m[%s])();\nexport { e%d as %s };\n", i, q, i, q)
	}
	if len(names) == 0 {
		b.WriteString("export {};\n")
	}
	s := b.String()
	return api.OnLoadResult{Contents: &s, Loader: api.LoaderJS}, nil
}

// loadRequired serves require("node:x"), which gives the default export.
func (p *plugin) loadRequired(a api.OnLoadArgs) (api.OnLoadResult, error) {
	s := fmt.Sprintf("module.exports = %s.builtin(%s)", hostName, jsString(a.Path))
	if slices.Contains(p.o.Builtins[a.Path], "default") {
		s += ".default"
	}
	return api.OnLoadResult{Contents: &s, Loader: api.LoaderJS}, nil
}
