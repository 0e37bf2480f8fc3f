// Rule: how ids follow from the unique key "obj-key" and the name: key =
// SHA-256(uniqueKey); base = HMAC-SHA-256(key, name)[0:16]; id = base followed by
// HMAC-SHA-256(key, base)[0:16], in hex. Source: workerd behaviour.
import assert from 'node:assert';
import { createHash, createHmac } from 'node:crypto';
import { DurableObject } from 'cloudflare:workers';

export class Obj extends DurableObject {}

const key = createHash('sha256').update('obj-key').digest();
const mac = (data) => createHmac('sha256', key).update(data).digest().subarray(0, 16);
const derive = (base) => Buffer.concat([base, mac(base)]).toString('hex');

// The known example.
export const example = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.idFromName('a').toString(),
      '790d0f7b9bee2720a321a2f24942fd27c8507ddd786ab8679d0ede2fcb7115f9');
  },
};

// Names of every kind follow the formula.
export const formula = {
  test(ctrl, env) {
    for (const name of ['', 'b', 'some longer name', '\u00e9\u4e2d\u{1f600}', 'x'.repeat(2000)]) {
      assert.strictEqual(env.Obj.idFromName(name).toString(), derive(mac(name)));
    }
  },
};

// The second half of a unique id proves the first.
export const uniqueIdProof = {
  test(ctrl, env) {
    const id = Buffer.from(env.Obj.newUniqueId().toString(), 'hex');
    assert.strictEqual(id.toString('hex'), derive(id.subarray(0, 16)));
  },
};

// Any 16 bytes with the right proof are an id.
export const chosenBase = {
  test(ctrl, env) {
    const id = derive(Buffer.alloc(16, 7));
    assert.strictEqual(env.Obj.idFromString(id).toString(), id);
  },
};

// One changed bit in the first half is refused.
export const wrongProof = {
  test(ctrl, env) {
    const id = derive(Buffer.alloc(16, 7));
    assert.throws(() => env.Obj.idFromString('06' + id.slice(2)),
      { name: 'TypeError', message: 'Durable Object ID is not valid for this namespace.' });
  },
};
