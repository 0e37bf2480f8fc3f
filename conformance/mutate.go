package conformance

import (
	_ "embed"
	"fmt"
	"regexp"

	"github.com/durashim/durashim/internal/config"
)

//go:embed inverted_assert.js
var invertedAssert []byte

// invertedName is the module that stands in for node:assert. The slash makes it
// the same module for importers in every directory.
const invertedName = "durashim-inverted-assert.js"

// The ways to get at node:assert: import and export declarations, import() and
// require(). An import that is written otherwise is not found, and its cases are
// then reported as inert, which is the safe side.
var (
	assertImport  = regexp.MustCompile(`(\bfrom\s*|\bimport\s*\(?\s*)["'](?:node:)?assert(?:/strict)?["']`)
	assertRequire = regexp.MustCompile(`\brequire\s*\(\s*["'](?:node:)?assert(?:/strict)?["']\s*\)`)
)

// invert replaces node:assert in the code of every worker by a module whose
// assertions fail exactly when the real ones do not.
func invert(cfg *config.Config) error {
	for _, s := range cfg.Services {
		if s.Worker == nil || len(s.Worker.Modules) == 0 {
			continue
		}
		for _, m := range s.Worker.Modules {
			if m.Name.Value == invertedName {
				return fmt.Errorf("%s: the name %q is needed for the inverted assertions", m.Pos, invertedName)
			}
			switch m.Kind {
			case config.ModuleES, config.ModuleCommonJS:
				m.Content = assertImport.ReplaceAll(m.Content, []byte(`${1}"/`+invertedName+`"`))
				m.Content = assertRequire.ReplaceAll(m.Content, []byte(`require("/`+invertedName+`").default`))
			}
		}
		last := s.Worker.Modules[len(s.Worker.Modules)-1]
		s.Worker.Modules = append(s.Worker.Modules, &config.Module{
			Name: config.Text{Value: invertedName, Pos: last.Pos}, Kind: config.ModuleES, Content: invertedAssert,
			ContentPos: last.Pos, Pos: last.Pos,
		})
	}
	return nil
}

// InertCases finds the cases that have asserted nothing: those that pass in a
// plain run and also in one with [InProcess.Mutate], although every assertion
// that they reached was inverted. Unchecked are those of which the two runs say
// nothing, because they fail in the plain one or their file could not be run with
// inverted assertions; their Error says which.
func InertCases(plain, mutated []Result) (inert, unchecked []Result) {
	byCase := map[string]Result{}
	for _, r := range mutated {
		byCase[r.Case] = r
	}
	for _, r := range plain {
		m, ok := byCase[r.Case]
		switch {
		case !r.Passed:
			r.Error = "fails with its own assertions already"
			unchecked = append(unchecked, r)
		case !ok:
			r.Passed, r.Error = false, "was not run with inverted assertions: "+byCase[r.File].Error
			unchecked = append(unchecked, r)
		case m.Passed:
			inert = append(inert, r)
		}
	}
	return inert, unchecked
}
