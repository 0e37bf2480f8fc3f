// Rule: the clock of the local runtime moves within a turn; in production it
// stands still until the next I/O. Source: workerd behaviour, against Cloudflare docs "Performance and timers".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';

const clockMoves = () => {
  const before = Date.now();
  for (let i = 0; i < 300000; i++) if (Date.now() !== before) return true;
  return false;
};

export class Obj extends DurableObject {
  moves() {
    return clockMoves();
  }
}

// In a handler.
export const inHandler = {
  test() {
    assert.strictEqual(clockMoves(), true);
  },
};

// In an object.
export const inObject = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('x').moves(), true);
  },
};
