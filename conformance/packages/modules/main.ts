import { DurableObject } from "cloudflare:workers";

/** Keeps bytes and values for the tests that store what a package made. */
export class Notes extends DurableObject {
  write(key: string, value: unknown) {
    return this.ctx.storage.put(key, value);
  }

  read(key: string) {
    return this.ctx.storage.get(key);
  }
}

export default {};
