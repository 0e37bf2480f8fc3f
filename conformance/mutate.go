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

// InertCases picks, from the results of a run with [InProcess.Mutate], the cases
// that passed although every assertion they reached was inverted: they have
// asserted nothing. Failures of whole files are returned apart, because such a
// run says nothing about their cases.
func InertCases(mutated []Result) (inert, unchecked []Result) {
	for _, r := range mutated {
		switch {
		case r.Test == "":
			unchecked = append(unchecked, r)
		case r.Passed:
			inert = append(inert, r)
		}
	}
	return inert, unchecked
}
