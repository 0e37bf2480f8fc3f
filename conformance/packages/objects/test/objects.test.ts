// The tests of the project modules, within a Durable Object.
import assert from "node:assert";

const inside = (file: string, tests: string[]) => ({
  async test(_: unknown, env: any) {
    assert.deepStrictEqual((await env.INSIDE.getByName(file).run(file)).sort(), tests.sort());
  },
});

export const dateFns = inside("dateFns", ["formatting", "parsing", "arithmetic"]);
export const fflate = inside("fflate", ["roundTrips", "zip", "streams", "agreesWithTheRuntime", "bytesInAnObject"]);
export const hashes = inside("hashes", ["digests", "agreesWithWebCrypto", "keys"]);
export const hono = inside("hono", ["routing", "middleware", "validators", "streams", "cookiesTokensAndHtml"]);
export const ids = inside("ids", ["nanoids", "ulids", "uuids"]);
export const immer = inside("immer", ["sharingAndFreezing", "patches", "mapsSetsAndClasses", "asyncDrafts"]);
export const ittyRouter = inside("ittyRouter", ["routesAndParams", "errorsAndMiddleware"]);
export const jose = inside("jose", ["sharedSecret", "rfc7515", "keyPairs", "encryption", "base64"]);
export const marked = inside("marked", ["document", "emphasisAcrossScripts", "extensions"]);
export const msgpackr = inside("msgpackr", ["everyType", "standardBytes", "recordsAndSharing", "extensionsAndStreams", "bytesInAnObject"]);
export const queries = inside("queries", ["kysely", "queryLanguage", "requests"]);
export const reports = inside("reports", ["errorReports", "tokens"]);
export const schemas = inside("schemas", ["zodTypes", "zodJsonSchema", "valibot"]);
export const state = inside("state", ["observables", "machines", "documents", "patterns", "values"]);
export const superjson = inside("superjson", ["everyType", "customTypes", "overTheWire"]);
export const text = inside("text", ["preact", "templates", "cookies", "words", "collections"]);
