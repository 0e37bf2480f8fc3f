package shimtest

import (
	"net/http"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// settings are what options change.
type settings struct {
	runtime runtime.Options
	points  []durable.FaultPoint // of Everywhere
	extra   int
}

// Option changes how a world is opened, and what [Everywhere] does in it.
type Option func(*settings)

// Seed sets what all random numbers of the world depend on; by default 1.
func Seed(seed uint64) Option { return func(s *settings) { s.runtime.Seed = &seed } }

// Isolates spreads the objects of each class over n isolates.
func Isolates(n int) Option { return func(s *settings) { s.runtime.Isolates = n } }

// Environment selects an environment of a wrangler file.
func Environment(name string) Option { return func(s *settings) { s.runtime.Environment = name } }

// Outbound answers what scripts fetch from outside of the project. Without it
// they reach the network, but for [Audit], where such a fetch fails.
func Outbound(r http.RoundTripper) Option { return func(s *settings) { s.runtime.Outbound = r } }

// Options changes any option of the runtime that the world is opened with.
func Options(f func(*runtime.Options)) Option { return func(s *settings) { f(&s.runtime) } }

// Points sets which faults [Everywhere] and [Explore] place at each call; by
// default [DefaultPoints]. A point that needs a number (a delay) is not among
// those that can be placed.
func Points(points ...durable.FaultPoint) Option {
	return func(s *settings) { s.points = points }
}

// Extra bounds how many runs [Everywhere] and [Explore] make for calls that are
// made only because of a fault; by default 100.
func Extra(runs int) Option { return func(s *settings) { s.extra = runs } }
