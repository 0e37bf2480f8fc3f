// Package config reads configurations into one model, whichever of the two
// formats they are written in: a wrangler project
// (https://developers.cloudflare.com/workers/wrangler/configuration/) or
// workerd's Cap'n Proto text (the schema is workerd.capnp in workerd's source).
// The model has the shape of workerd.capnp, and a wrangler file becomes what
// `workerd serve wrangler.jsonc` makes of it.
//
// Values keep the place where they are written ([Pos]), and every problem with
// the content of a file is an [*Error] that names its place. What a file may say
// but the model does not hold is kept as an [Unsupported], so that a later stage
// can name it: nothing is dropped in silence.
package config
