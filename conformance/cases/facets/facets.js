// Rule: facets: child objects with storage of their own. Source: workerd
// behaviour; Cloudflare docs "Durable Object facets".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails, failsToClone, throws } from 'failure.js';

export class Child extends DurableObject {
  n = 0;
  count() {
    return ++this.n;
  }
  async set(value) {
    await this.ctx.storage.put('k', value);
  }
  get() {
    return this.ctx.storage.get('k');
  }
  abort() {
    this.ctx.abort('facet gone');
  }
  fail() {
    throw new RangeError('in facet');
  }
}

const bodies = [];

export class Parent extends DurableObject {
  async run(index) {
    await bodies[index](this.ctx, (name) => this.ctx.facets.get(name, () => ({ class: this.ctx.exports.Child })), this);
    return 'done';
  }
  expose() {
    return this.ctx.facets.get('child', () => ({ class: this.ctx.exports.Child }));
  }
}

const inside = (body) => {
  const index = bodies.push(body) - 1;
  return {
    async test(ctrl, env) {
      assert.strictEqual(await env.Parent.get(env.Parent.newUniqueId()).run(index), 'done');
    },
  };
};

// The same name is the same facet.
export const sameName = inside(async (ctx, facet) => {
  assert.strictEqual(await facet('a').count(), 1);
  assert.strictEqual(await facet('a').count(), 2);
  assert.strictEqual(await facet('b').count(), 1);
});

// A facet's storage is its own.
export const ownStorage = inside(async (ctx, facet) => {
  await ctx.storage.put('k', 'parent');
  await facet('a').set('a');
  await facet('b').set('b');
  assert.deepStrictEqual([await ctx.storage.get('k'), await facet('a').get(), await facet('b').get()], ['parent', 'a', 'b']);
});

// abort() by the parent: the old stub gets the reason, the next get a new instance.
export const abortByParent = inside(async (ctx, facet) => {
  const stub = facet('a');
  await stub.count();
  ctx.facets.abort('a', new RangeError('by parent'));
  await fails(() => stub.count(), RangeError, 'by parent');
  assert.strictEqual(await facet('a').count(), 1);
});

// ctx.abort() in the facet does not reset the parent.
export const abortByItself = inside(async (ctx, facet, parent) => {
  parent.alive = true;
  await fails(() => facet('a').abort(), Error, 'facet gone', { durableObjectReset: true });
  assert.strictEqual(await facet('a').count(), 1);
  assert.strictEqual(parent.alive, true);
});

// delete() removes the storage.
export const deleteFacet = inside(async (ctx, facet) => {
  const stub = facet('a');
  await stub.set(1);
  ctx.facets.delete('a');
  await fails(() => stub.get(), Error, 'Facet was deleted.');
  assert.strictEqual(await facet('a').get(), undefined);
});

// A name of more than 256 characters.
export const longName = inside(async (ctx, facet) => {
  throws(() => facet('x'.repeat(257)), TypeError, 'Facet name is too long (max 256 characters).');
});

// An error of a facet carries its parent's id.
export const error = inside(async (ctx, facet) => {
  await fails(() => facet('a').fail(), RangeError, 'in facet', { remote: true, durableObjectId: ctx.id.toString() });
});

// A facet's stub cannot leave the parent.
export const stubStays = {
  async test(ctrl, env) {
    await failsToClone(() => env.Parent.getByName('x').expose(),
      'Stubs pointing to Durable Object facets are not serializable.', { remote: true });
  },
};
