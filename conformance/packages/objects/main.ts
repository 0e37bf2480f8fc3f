import { DurableObject } from "cloudflare:workers";
import * as dateFns from "../modules/test/date-fns.test";
import * as fflate from "../modules/test/fflate.test";
import * as hashes from "../modules/test/hashes.test";
import * as hono from "../modules/test/hono.test";
import * as ids from "../modules/test/ids.test";
import * as immer from "../modules/test/immer.test";
import * as ittyRouter from "../modules/test/itty-router.test";
import * as jose from "../modules/test/jose.test";
import * as marked from "../modules/test/marked.test";
import * as msgpackr from "../modules/test/msgpackr.test";
import * as queries from "../modules/test/queries.test";
import * as reports from "../modules/test/reports.test";
import * as schemas from "../modules/test/schemas.test";
import * as state from "../modules/test/state.test";
import * as superjson from "../modules/test/superjson.test";
import * as text from "../modules/test/text.test";

export { Notes } from "../modules/main";

const files: Record<string, Record<string, { test: (_: unknown, env: unknown) => unknown }>> = {
  dateFns, fflate, hashes, hono, ids, immer, ittyRouter, jose, marked, msgpackr, queries, reports, schemas, state, superjson, text,
};

/** Runs the tests of a file within an object. */
export class Inside extends DurableObject {
  async run(file: string): Promise<string[]> {
    const names = Object.keys(files[file]);
    for (const name of names) {
      try {
        await files[file][name].test(null, this.env);
      } catch (e: any) {
        throw new Error(`${file}:${name}: ${e.stack}`);
      }
    }
    return names;
  }
}

export default {};
