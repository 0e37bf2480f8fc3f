// Rule: which names of an object a stub reaches, and how it refuses the others. A failed
// look-up carries `remote` only.
// Source: workerd behaviour; Cloudflare docs "Remote-procedure call (RPC): visibility".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  field = 'own';
  #secret = 1;
  arrow = () => 'arrow';
  static st() {}
  get num() {
    return 5;
  }
  get throwing() {
    throw new RangeError('getter failed');
  }
  get bare() {
    return Object.assign(Object.create(null), { x: 1 });
  }
  get nested() {
    return { a: { b: 'deep', f: (x) => x + 1 }, list: [10, 20] };
  }
  _underscore() {
    return 'under' + this.#secret;
  }
  #hidden() {}
  inherited() {
    return 'base';
  }
  onProto() {
    return 'method';
  }
  'odd name!'() {
    return 'odd';
  }
  alarm() {}
  webSocketMessage() {}
}
Obj.prototype.constant = 7;
Obj.prototype.added = function () { return 'added ' + (this instanceof Obj); };

export class Sub extends Obj {
  inherited() {
    return 'sub of ' + super.inherited();
  }
}

export class Bare {
  hello() {
    return 'hello';
  }
  fetch() {
    return new Response('bare');
  }
}

const missing = (name) => `The RPC receiver does not implement the method "${name}".`;
const reserved = (name) => `'${name}' is a reserved method and cannot be called over RPC.`;

const stubOf = (env) => env.Obj.getByName('names');
const remote = { remote: true };

const refusesCall = (name, message) => ({
  async test(ctrl, env) {
    await fails(() => stubOf(env)[name](), TypeError, message, remote);
  },
});

// No such method.
export const missingMethod = refusesCall('nothing', missing('nothing'));

// Own properties of the instance cannot be reached, functions included.
export const ownField = refusesCall('field', missing('field'));
export const ownArrow = refusesCall('arrow', missing('arrow'));
export const envField = refusesCall('env', missing('env'));
export const ctxField = refusesCall('ctx', missing('ctx'));

// Statics and private methods cannot be reached.
export const staticMethod = refusesCall('st', missing('st'));
export const privateMethod = refusesCall('#hidden', missing('#hidden'));

// Reserved names.
export const reservedAlarm = refusesCall('alarm', reserved('alarm'));
export const reservedMessage = refusesCall('webSocketMessage', reserved('webSocketMessage'));
export const reservedClose = refusesCall('webSocketClose', reserved('webSocketClose'));
export const reservedDup = refusesCall('dup', reserved('dup'));
export const reservedError = refusesCall('webSocketError', reserved('webSocketError'));

// Reading what is missing or own rejects too.
export const missingProperty = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).nothing, TypeError, missing('nothing'), remote);
    await fails(() => stubOf(env).field, TypeError, missing('field'), remote);
  },
};

// Calling a getter's value that is no function.
export const callGetter = refusesCall('num', '"num" is not a function.');

// Calling a constant on the prototype.
export const callConstant = refusesCall('constant', '"constant" is not a function.');

// Prototype getters and constants can be read.
export const readGetter = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).num, 5);
    assert.strictEqual(await stubOf(env).constant, 7);
  },
};

// A throwing getter.
export const throwingGetter = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).throwing, RangeError, 'getter failed', remote);
  },
};

// A path into a plain object.
export const propertyPath = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).nested.a.b, 'deep');
    assert.strictEqual(await stubOf(env).nested.a.f(1), 2);
  },
};

// A path into an array does not find its elements.
export const pathIntoArray = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env).nested.list, [10, 20]);
    assert.strictEqual(await stubOf(env).nested.list[1], undefined);
  },
};

// A path through a primitive.
export const pathThroughPrimitive = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).num.x, TypeError, missing('num'), remote);
  },
};

// A path through an object without a prototype.
export const pathThroughBareObject = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).bare.x, TypeError, missing('bare'), remote);
  },
};

// A stub has no events of its own: what other platforms have is a name like any other.
export const onRpcBroken = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).onRpcBroken(() => {}), TypeError, missing('onRpcBroken'), remote);
    assert.ok('onRpcBroken' in stubOf(env));
  },
};

// A path to what is missing in a plain object.
export const pathToMissing = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).nested.zzz(), TypeError, missing('zzz'), remote);
  },
};

// Calling a non-function at the end of a path.
export const pathNotAFunction = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).nested.a(), TypeError, '"nested.a" is not a function.', remote);
  },
};

// Underscore names are ordinary.
export const underscore = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env)._underscore(), 'under1');
  },
};

// Any string can be a method's name.
export const oddName = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env)['odd name!'](), 'odd');
  },
};

// Functions put on the prototype later are methods, with the instance as `this`.
export const addedToPrototype = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).added(), 'added true');
  },
};

// Inherited and overridden methods.
export const inheritance = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Sub.getByName('x').inherited(), 'sub of base');
    assert.strictEqual(await env.Sub.getByName('x').onProto(), 'method');
  },
};

// A class that does not extend DurableObject has no RPC, but fetch works.
export const withoutExtends = {
  async test(ctrl, env) {
    const stub = env.Bare.getByName('x');
    await fails(() => stub.hello(), TypeError,
      'The receiving Durable Object does not support RPC, because its class was not declared with '
      + '`extends DurableObject`. In order to enable RPC, make sure your class extends the special class '
      + '`DurableObject`, which can be imported from the module "cloudflare:workers".',
      remote);
    assert.strictEqual(await (await stub.fetch('http://x/')).text(), 'bare');
  },
};

// A path of more than 65 properties is refused where it is made.
export const pathTooDeep = {
  async test(ctrl, env) {
    await fails(async () => {
      let path = stubOf(env);
      for (let i = 0; i < 66; i++) path = path.x;
      return path;
    }, TypeError, 'RPC pipelined property path is too deep (max 64).');
  },
};

// A path of 65 properties still goes out.
export const pathJustDeepEnough = {
  async test(ctrl, env) {
    await fails(async () => {
      let path = stubOf(env);
      for (let i = 0; i < 65; i++) path = path.x;
      return path;
    }, TypeError, missing('x'), remote);
  },
};
