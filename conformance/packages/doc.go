// Package packages runs projects that use packages from npm, on durashim and on
// the real runtime; it has nothing but tests.
//
//   - orders is a shop in Hono, with zod and nanoid, whose orders live in Durable
//     Objects.
//   - capnweb is an object at the other end of capnweb's sessions, in batches and
//     over a transport of its own, and through message ports.
//   - modules has tests of some thirty packages that Workers use; objects runs the
//     same tests within a Durable Object.
//
// The packages are not part of the repository. With npm at hand:
//
//	DURASHIM_REQUIRE_WORKERD=1 go test ./conformance/packages
//
// installs them, and the real runtime unless DURASHIM_WORKERD names one; so does
// `npm install` in each project, after which a plain `go test` runs them on
// durashim. Without either the tests are skipped.
package packages
