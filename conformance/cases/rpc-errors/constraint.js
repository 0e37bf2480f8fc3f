// Rule: a deferred constraint that is violated at commit resets the object and
// rolls back. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  setup() {
    this.ctx.storage.sql.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
    this.ctx.storage.sql.exec('CREATE TABLE child (p REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)');
  }
  violate() {
    this.ctx.storage.sql.exec('INSERT INTO child VALUES (99)');
  }
  count() {
    return this.ctx.storage.sql.exec('SELECT count(*) AS n FROM child').one().n;
  }
}

const message = 'Durable Object was reset and rolled back to its last known good state because the application left the '
  + 'database in a state where constraints were violated: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT '
  + '(extended: SQLITE_CONSTRAINT_FOREIGNKEY)';

// The caller, the next call on the stub, and a fresh stub.
export const violated = {
  async test(ctrl, env) {
    await env.Obj.getByName('x').setup();
    const stub = env.Obj.getByName('x');
    await fails(() => stub.violate(), Error, message);
    await fails(() => stub.count(), Error, message);
    assert.strictEqual(await env.Obj.getByName('x').count(), 0);
  },
};
