package loader

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
)

const (
	// The names that the bundle's code uses for what Run passes in. They are
	// parameters of the wrapper, so they hide nothing that a user may see but
	// globals of the same odd names.
	hostName = "__durashim_host"
	metaName = "__durashim_import_meta"

	entryName  = "durashim-entry.js"
	bundleName = "bundle.js" // the name of the output in positions that no source has

	wrapperHead = "(async function(" + hostName + "," + metaName + ",require){\"use strict\";"
	wrapperTail = "})"
)

// lowered lists what goja's parser or runtime lacks, in esbuild's names.
var lowered = []string{
	"async-generator", "for-await", "using", "decorators",
	"dynamic-import", "import-attributes",
	"regexp-match-indices", "regexp-set-notation",
}

// build does the work of Build without the cache.
func build(o Options) (*Bundle, inputs, error) {
	b, in, err := buildOnce(o)
	var ce *compileError
	if !errors.As(err, &ce) {
		return b, in, err
	}
	// Each attempt lowers more, since what is lowered is slower and not quite the
	// same: this.#stub(x) becomes a call of the method "call", which is a remote
	// one if #stub is a stub of another object.
	for _, more := range []func(){
		func() { o.LowerFields = true },
		func() { o.LowerAsync = true },
	} {
		more()
		if b, in, err := buildOnce(o); err == nil {
			return b, in, nil
		}
	}
	return nil, nil, &Error{Messages: []Message{ce.message()}}
}

func buildOnce(o Options) (*Bundle, inputs, error) {
	p := newPlugin(&o)
	res := api.Build(p.buildOptions())
	if len(res.Errors) > 0 {
		return nil, nil, &Error{Messages: p.messages(res.Errors)}
	}
	if msgs := p.checkUnused(); len(msgs) > 0 {
		return nil, nil, &Error{Messages: msgs}
	}
	var code, sourceMap []byte
	for _, f := range res.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			sourceMap = f.Contents
		} else {
			code = f.Contents
		}
	}
	src, err := fixHelpers(string(code))
	if err != nil {
		return nil, nil, err
	}
	sourceMap, err = p.tidySourceMap(sourceMap)
	if err != nil {
		return nil, nil, err
	}
	prg, err := compile(src, sourceMap)
	if err != nil {
		return nil, nil, err
	}
	in := p.inputs()
	builtins := make(map[string]bool, len(o.Builtins))
	for spec := range o.Builtins {
		builtins[spec] = true
	}
	return &Bundle{
		Program:  prg,
		Warnings: p.messages(res.Warnings),
		Inputs:   in.names(),
		Data:     p.data,
		root:     p.root(),
		builtins: builtins,
	}, in, nil
}

// buildOptions gives esbuild's options; those for a directory follow what
// wrangler passes.
func (p *plugin) buildOptions() api.BuildOptions {
	supported := make(map[string]bool, len(lowered)+1)
	for _, f := range lowered {
		supported[f] = false
	}
	if p.o.LowerFields {
		supported["class-field"], supported["class-static-field"] = false, false
	}
	if p.o.LowerAsync {
		supported["async-await"] = false
	}
	bo := api.BuildOptions{
		Bundle:    true,
		Write:     false,
		LogLevel:  api.LogLevelSilent,
		LogLimit:  0,
		Format:    api.FormatESModule,
		Target:    api.ESNext,
		Supported: supported,
		KeepNames: true,
		Charset:   api.CharsetUTF8,
		Define:    map[string]string{"import.meta": metaName},
		Banner:    map[string]string{"js": wrapperHead},
		Footer:    map[string]string{"js": wrapperTail},

		Sourcemap:      api.SourceMapExternal,
		SourcesContent: api.SourcesContentExclude,
		LegalComments:  api.LegalCommentsNone,
		Plugins:        []api.Plugin{{Name: "durashim", Setup: p.setup}},

		// A synthetic entry keeps `export` out of the output, which goja could
		// not parse, and hands over a namespace object with live bindings.
		Stdin: &api.StdinOptions{
			Contents:   p.entryCode(),
			Sourcefile: entryName,
			Loader:     api.LoaderJS,
		},
	}
	if p.modules != nil {
		bo.Platform = api.PlatformNeutral
		// Any absolute directory will do: every import is resolved here.
		bo.AbsWorkingDir = string(filepath.Separator)
		bo.Outfile = string(filepath.Separator) + bundleName
		bo.TsconfigRaw = "{}"
		// What a closed list of modules holds is run as it stands.
		bo.IgnoreAnnotations = true
		return bo
	}
	bo.Platform = api.PlatformBrowser
	bo.Conditions = []string{"workerd", "worker", "browser"}
	bo.AbsWorkingDir = p.o.Dir
	bo.Outfile = filepath.Join(p.o.Dir, bundleName)
	bo.Stdin.ResolveDir = p.o.Dir
	bo.Alias = p.o.Alias
	if p.o.Tsconfig != "" {
		bo.Tsconfig = filepath.Join(p.o.Dir, p.o.Tsconfig)
	}
	for k, v := range p.o.Define {
		bo.Define[k] = v
	}
	bo.Loader = map[string]api.Loader{".js": api.LoaderJSX, ".mjs": api.LoaderJSX, ".cjs": api.LoaderJSX}
	return bo
}

// compile parses, mends and compiles the bundler's output.
func compile(src string, sourceMap []byte) (*goja.Program, error) {
	src = quoteFields(src)
	// The loader is asked only for the map named here; without it goja would
	// look for one in the file system.
	src += "\n//# sourceMappingURL=bundle.js.map"
	ast, err := goja.Parse(bundleName, src, parser.WithSourceMapLoader(func(string) ([]byte, error) {
		return sourceMap, nil
	}))
	if err != nil {
		return nil, &compileError{err}
	}
	patterns := needsMending(src)
	stacks := strings.Contains(src, "stack")
	if patterns || stacks || strings.Contains(src, "arguments") || strings.Contains(src, "super") {
		w := &walker{patterns: patterns, stacks: stacks}
		w.statements(ast.Body)
		var pe *positionError
		if errors.As(w.err, &pe) {
			return nil, pe.at(ast.File)
		}
		if w.err != nil {
			return nil, w.err
		}
	}
	prg, err := goja.CompileAST(ast, true)
	if err != nil {
		return nil, &compileError{err}
	}
	return prg, nil
}

// compileError is an error of goja's parser or compiler: code that esbuild
// took but the engine does not.
type compileError struct{ err error }

func (e *compileError) Error() string {
	return "loader: the engine cannot compile the bundle: " + e.err.Error()
}

// message names the user's source if the engine told the place.
func (e *compileError) message() Message {
	var ce *goja.CompilerSyntaxError
	if errors.As(e.err, &ce) && ce.File != nil {
		pos := ce.File.Position(ce.Offset)
		return Message{Text: ce.Message, File: pos.Filename, Line: pos.Line, Column: pos.Column}
	}
	return Message{Text: e.Error()}
}

// positionError is a finding at a place of the bundle.
type positionError struct {
	idx  file.Idx
	text string
}

func (e *positionError) Error() string { return e.text }

// at names the place in the user's source.
func (e *positionError) at(f *file.File) *Error {
	pos := f.Position(int(e.idx) - f.Base())
	return &Error{Messages: []Message{{Text: e.text, File: pos.Filename, Line: pos.Line, Column: pos.Column}}}
}

// displayName turns a source name of esbuild's, which is a path relative to
// the output directory or "namespace:path", into the one that users see.
func (p *plugin) displayName(s string) string {
	for _, ns := range []string{nsModule, nsData, nsText, nsBuiltin, nsRequired} {
		if rest, ok := strings.CutPrefix(s, ns+":"); ok {
			return rest
		}
	}
	return strings.TrimPrefix(s, "./")
}

// checkUnused reports syntax errors in modules that nothing imports: workerd
// compiles every module of the list.
func (p *plugin) checkUnused() []Message {
	var out []Message
	for i := range p.o.Modules {
		m := &p.o.Modules[i]
		if p.used[strings.TrimPrefix(m.Name, "/")] {
			continue
		}
		switch m.Kind {
		case ESModule, CommonJS, TypeScript:
			if msg := tooDeep(m.Name, m.Contents); msg != nil {
				out = append(out, p.messages([]api.Message{*msg})...)
				continue
			}
			src := string(m.Contents)
			if m.Kind != CommonJS {
				src += forceESM
			}
			res := api.Transform(src, api.TransformOptions{
				LogLevel: api.LogLevelSilent, Sourcefile: m.Name, Loader: m.esbuild(), TsconfigRaw: "{}",
			})
			out = append(out, p.messages(res.Errors)...)
		case JSON:
			if msg := jsonError(m.Name, m.Contents); msg != nil {
				out = append(out, *msg)
			}
		}
	}
	return out
}

var noMatchingExport = regexp.MustCompile(`^No matching export in "(.*)" for import "(.*)"$`)

// messages translates esbuild's messages.
func (p *plugin) messages(in []api.Message) []Message {
	var out []Message
	for _, m := range in {
		t := Message{Text: p.plainText(m.Text)}
		if l := m.Location; l != nil {
			t.File, t.Line, t.Column, t.LineText = p.displayName(l.File), l.Line, l.Column+1, l.LineText
			if t.File == entryName {
				t = Message{Text: fmt.Sprintf("The entry file %q was not found in %s.", p.o.Entry, p.o.Dir)}
				out = append(out, t)
				continue
			}
			if l.Namespace != "" && l.Namespace != "file" {
				t.File = strings.TrimPrefix(t.File, l.Namespace+":")
			}
		}
		for _, n := range m.Notes {
			note := p.plainText(n.Text)
			if strings.Contains(note, "mark the path") {
				// Advice about the bundler's options, which nobody here can set.
				note = "durashim provides no such module, and it is not installed in node_modules"
			}
			t.Notes = append(t.Notes, note)
		}
		out = append(out, t)
	}
	return out
}

// plainText words link errors as the real runtime does.
func (p *plugin) plainText(s string) string {
	if m := noMatchingExport.FindStringSubmatch(s); m != nil {
		return fmt.Sprintf("The requested module '%s' does not provide an export named '%s'", p.displayName(m[1]), m[2])
	}
	return s
}

func jsString(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(b)
}
