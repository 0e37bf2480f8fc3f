// Rule: what DurableObjectNamespace makes of names and id strings, and what an
// id is. Source: workerd behaviour; Cloudflare docs "Durable Object ID", "Durable Object Namespace".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { failsToClone, throws } from 'failure.js';

export class Obj extends DurableObject {
  className() {
    return 'Obj';
  }
}

export class Other extends DurableObject {
  className() {
    return 'Other';
  }
}

// The same name always gives the same id.
export const sameNameSameId = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.idFromName('a').toString(), env.Obj.idFromName('a').toString());
    assert.ok(env.Obj.idFromName('a').equals(env.Obj.idFromName('a')));
  },
};

// Different names give different ids.
export const otherNameOtherId = {
  test(ctrl, env) {
    assert.ok(!env.Obj.idFromName('a').equals(env.Obj.idFromName('b')));
  },
};

// An id prints as 64 lower-case hex digits.
export const hexForm = {
  test(ctrl, env) {
    assert.match(String(env.Obj.idFromName('x')), /^[0-9a-f]{64}$/);
    assert.match(String(env.Obj.newUniqueId()), /^[0-9a-f]{64}$/);
  },
};

// Ids of namespaces with different unique keys differ for the same name.
export const namespaceInId = {
  test(ctrl, env) {
    assert.notStrictEqual(String(env.Obj.idFromName('a')), String(env.Other.idFromName('a')));
  },
};

// An id has the own properties jurisdiction and name; JSON shows the name only.
export const nameIsOwn = {
  test(ctrl, env) {
    const id = env.Obj.idFromName('foo');
    assert.deepStrictEqual(Object.keys(id), ['jurisdiction', 'name']);
    assert.strictEqual(id.jurisdiction, undefined);
    assert.strictEqual(JSON.stringify(id), '{"name":"foo"}');
  },
};

// A unique id has no name.
export const uniqueHasNoName = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.newUniqueId().name, undefined);
  },
};

// Two unique ids differ.
export const uniqueIdsDiffer = {
  test(ctrl, env) {
    assert.ok(!env.Obj.newUniqueId().equals(env.Obj.newUniqueId()));
  },
};

// idFromString(id.toString()) is an equal id.
export const stringRoundTrip = {
  test(ctrl, env) {
    const id = env.Obj.newUniqueId();
    const back = env.Obj.idFromString(id.toString());
    assert.ok(back.equals(id));
    assert.strictEqual(back.toString(), id.toString());
  },
};

// The name is lost on the way through the string.
export const stringLosesName = {
  test(ctrl, env) {
    const id = env.Obj.idFromString(env.Obj.idFromName('n').toString());
    assert.strictEqual(id.name, undefined);
    assert.ok(id.equals(env.Obj.idFromName('n')));
  },
};

// idFromString accepts upper-case digits and prints lower-case ones.
export const upperCaseString = {
  test(ctrl, env) {
    const id = env.Obj.idFromName('n');
    assert.strictEqual(env.Obj.idFromString(id.toString().toUpperCase()).toString(), id.toString());
  },
};

// idFromString refuses an id of another namespace.
export const foreignString = {
  test(ctrl, env) {
    throws(() => env.Obj.idFromString(env.Other.idFromName('a').toString()),
      TypeError, 'Durable Object ID is not valid for this namespace.');
  },
};

// idFromString refuses a string that is not 64 hex digits.
export const shortString = {
  test(ctrl, env) {
    throws(() => env.Obj.idFromString('abc'), TypeError,
      'Invalid Durable Object ID: must be 64 hex digits');
  },
};

// idFromString refuses 64 characters that are not all hex digits.
export const nonHexString = {
  test(ctrl, env) {
    throws(() => env.Obj.idFromString('z'.repeat(64)), TypeError,
      'Invalid Durable Object ID: must be 64 hex digits');
  },
};

// get() takes an id of another namespace: the object is one of its own class.
export const foreignId = {
  async test(ctrl, env) {
    const id = env.Other.idFromName('a');
    const stub = env.Obj.get(id);
    assert.strictEqual(stub.id.toString(), id.toString());
    assert.strictEqual(await stub.className(), 'Obj');
  },
};

// get() refuses a string.
export const getString = {
  test(ctrl, env) {
    throws(() => env.Obj.get('foo'), TypeError,
      "Failed to execute 'get' on 'DurableObjectNamespace': parameter 1 is not of type 'DurableObjectId'.");
  },
};

// getByName() needs a name.
export const getByNameNothing = {
  test(ctrl, env) {
    throws(() => env.Obj.getByName(), TypeError,
      "Failed to execute 'getByName' on 'DurableObjectNamespace': parameter 1 is not of type 'string'.");
  },
};

// idFromName() needs a name.
export const idFromNameNothing = {
  test(ctrl, env) {
    throws(() => env.Obj.idFromName(), TypeError,
      "Failed to execute 'idFromName' on 'DurableObjectNamespace': parameter 1 is not of type 'string'.");
  },
};

// A name that is not a string is turned into one.
export const namesAreCoerced = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.getByName(5).name, '5');
    assert.ok(env.Obj.idFromName(5).equals(env.Obj.idFromName('5')));
    assert.ok(env.Obj.idFromName(null).equals(env.Obj.idFromName('null')));
  },
};

// The empty string is a name.
export const emptyName = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.idFromName('').name, '');
  },
};

// Names are hashed as UTF-8, not normalised.
export const unicodeNames = {
  test(ctrl, env) {
    assert.ok(!env.Obj.idFromName('\u00e9').equals(env.Obj.idFromName('e\u0301')));
    assert.strictEqual(env.Obj.idFromName('\u{1f600}').name, '\u{1f600}');
  },
};

// equals() wants an id.
export const equalsWantsId = {
  test(ctrl, env) {
    throws(() => env.Obj.idFromName('a').equals('a'), TypeError,
      "Failed to execute 'equals' on 'DurableObjectId': parameter 1 is not of type 'DurableObjectId'.");
  },
};

// Ids of two namespaces are not equal.
export const equalsAcrossNamespaces = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.idFromName('a').equals(env.Other.idFromName('a')), false);
  },
};

// DurableObjectNamespace has exactly these methods.
export const namespaceMethods = {
  test(ctrl, env) {
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(env.Obj)).filter((n) => n !== 'constructor');
    assert.deepStrictEqual(names.sort(),
      ['get', 'getByName', 'idFromName', 'idFromString', 'jurisdiction', 'newUniqueId']);
  },
};

// Namespace and id carry their class names as tags.
export const tags = {
  test(ctrl, env) {
    assert.strictEqual(Object.prototype.toString.call(env.Obj), '[object DurableObjectNamespace]');
    assert.strictEqual(Object.prototype.toString.call(env.Obj.newUniqueId()), '[object DurableObjectId]');
  },
};

// Without jurisdictions (as locally), naming one is refused.
export const jurisdictionNewUniqueId = {
  test(ctrl, env) {
    throws(() => env.Obj.newUniqueId({ jurisdiction: 'eu' }), Error,
      'Jurisdiction restrictions are not implemented in workerd.');
  },
};

// namespace.jurisdiction() with an unknown name is refused.
export const jurisdictionUnknown = {
  test(ctrl, env) {
    throws(() => env.Obj.jurisdiction('mars'), Error,
      'Jurisdiction restrictions are not implemented in workerd.');
  },
};

// An id cannot be cloned.
export const idIsNotCloneable = {
  async test(ctrl, env) {
    await failsToClone(() => structuredClone(env.Obj.idFromName('a')),
      'Could not serialize object of type "DurableObjectId". This type does not support serialization.');
  },
};
