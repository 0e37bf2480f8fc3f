// Rule: values that cannot be sent. As an argument: the RpcPromise rejects,
// without `remote`, and nothing is thrown synchronously. As a result: the same
// error arrives with `remote` (a DOMException carries no durableObjectId). Source: workerd behaviour; HTML spec, structured clone.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import * as shared from 'failure.js';
import { fails, failsToClone } from 'failure.js';

class Plain {
  x = 1;
}

class Derived extends Plain {}

const unsupported = (name) =>
  `Could not serialize object of type "${name}". This type does not support serialization.`;
const badProxy = 'Proxy could not be serialized because it is not a valid RPC receiver type. '
  + "The Proxy must emulate either a plain object or an RpcTarget, as indicated by the Proxy's prototype chain.";

const values = {
  instance: [() => new Plain(), unsupported('Plain')],
  derived: [() => new Derived(), unsupported('Derived')],
  nullPrototype: [() => Object.create(null), unsupported('Object')],
  nested: [() => ({ a: [new Plain()] }), unsupported('Plain')],
  url: [() => new URL('http://x/'), unsupported('URL')],
  searchParams: [() => new URLSearchParams('a=b'), unsupported('URLSearchParams')],
  formData: [() => new FormData(), unsupported('FormData')],
  file: [() => new File(['x'], 'x.txt'), unsupported('File')],
  transformStream: [() => new TransformStream(), unsupported('TransformStream')],
  abortController: [() => new AbortController(), unsupported('AbortController')],
  event: [() => new Event('x'), unsupported('Event')],
  textEncoder: [() => new TextEncoder(), unsupported('TextEncoder')],
  symbol: [() => Symbol('x'), 'Symbol(x) could not be cloned.'],
  symbolInside: [() => ({ s: Symbol.iterator }), 'Symbol(Symbol.iterator) could not be cloned.'],
  weakMap: [() => new WeakMap(), '#<WeakMap> could not be cloned.'],
  weakSet: [() => new WeakSet(), '#<WeakSet> could not be cloned.'],
  weakRef: [() => new WeakRef({}), '#<WeakRef> could not be cloned.'],
  promiseInside: [() => ({ p: Promise.resolve(1) }), '#<Promise> could not be cloned.'],
  generator: [() => (function* () {})(), '[object Generator] could not be cloned.'],
  asyncGenerator: [() => (async function* () {})(), '[object AsyncGenerator] could not be cloned.'],
  mapIterator: [() => new Map().entries(), '[object Map Iterator] could not be cloned.'],
  argumentsObject: [() => (function () { return arguments; })(1), '#<Object> could not be cloned.'],
  proxyOfInstance: [() => new Proxy(new Plain(), {}), badProxy],
  abortSignal: [() => new AbortController().signal, 'AbortSignal serialization is not enabled.'],
};

export class Obj extends DurableObject {
  ran = 0;
  take() {
    this.ran++;
  }
  runs() {
    return this.ran;
  }
  give(name) {
    return values[name][0]();
  }
  giveId() {
    return this.ctx.id;
  }
  async giveKey() {
    return await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  }
  giveModule() {
    return shared;
  }
  giveStorage() {
    return this.ctx.storage;
  }
  giveMixed() {
    return [1, new Plain()];
  }
  async later(name) {
    await scheduler.wait(1);
    return values[name][0]();
  }
  throwing() {
    return { get x() { throw new RangeError('from getter'); } };
  }
}

const both = (name) => ({
  async test(ctrl, env) {
    const stub = env.Obj.get(env.Obj.newUniqueId());
    await failsToClone(() => stub.take(values[name][0]()), values[name][1]);
    assert.strictEqual(await stub.runs(), 0);
    await failsToClone(() => stub.give(name), values[name][1], { remote: true });
  },
});

export const instance = both('instance');
export const derived = both('derived');
export const nullPrototype = both('nullPrototype');
export const nested = both('nested');
export const url = both('url');
export const searchParams = both('searchParams');
export const formData = both('formData');
export const file = both('file');
export const transformStream = both('transformStream');
export const abortController = both('abortController');
export const event = both('event');
export const textEncoder = both('textEncoder');
export const symbol = both('symbol');
export const symbolInside = both('symbolInside');
export const weakMap = both('weakMap');
export const weakSet = both('weakSet');
export const weakRef = both('weakRef');
export const promiseInside = both('promiseInside');
export const generator = both('generator');
export const asyncGenerator = both('asyncGenerator');
export const mapIterator = both('mapIterator');
export const argumentsObject = both('argumentsObject');
export const proxyOfInstance = both('proxyOfInstance');
export const abortSignal = both('abortSignal');

// A Promise as an argument is not awaited.
export const promiseArgument = {
  async test(ctrl, env) {
    await failsToClone(() => env.Obj.getByName('a').take(Promise.resolve(1)), '#<Promise> could not be cloned.');
  },
};

// A CryptoKey.
export const cryptoKey = {
  async test(ctrl, env) {
    const key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    await failsToClone(() => env.Obj.getByName('a').take(key), unsupported('CryptoKey'));
    await failsToClone(() => env.Obj.getByName('a').giveKey(), unsupported('CryptoKey'), { remote: true });
  },
};

// A WebSocket.
export const webSocket = {
  async test(ctrl, env) {
    await failsToClone(() => env.Obj.getByName('a').take(new WebSocketPair()[0]), unsupported('WebSocket'));
  },
};

// The namespace object of a module, also one that was imported as text or JSON is no such.
export const moduleNamespace = {
  async test(ctrl, env) {
    await failsToClone(() => env.Obj.getByName('a').take(shared), '[object Module] could not be cloned.');
    await failsToClone(() => env.Obj.getByName('a').giveModule(), '[object Module] could not be cloned.', { remote: true });
    await failsToClone(() => structuredClone(shared), '[object Module] could not be cloned.');
  },
};

// An id or a namespace as an argument.
export const idArgument = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('a');
    await failsToClone(() => stub.take(stub.id), unsupported('DurableObjectId'));
    await failsToClone(() => stub.take(env.Obj), unsupported('DurableObjectNamespace'));
    await failsToClone(() => stub.take(env), unsupported('DurableObjectNamespace'));
  },
};

// ctx.id and ctx.storage as a result.
export const contextResults = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('a');
    const props = { remote: true };
    await failsToClone(() => stub.giveId(), unsupported('DurableObjectId'), props);
    await failsToClone(() => stub.giveStorage(), unsupported('DurableObjectStorage'), props);
  },
};

// A bad argument throws nothing synchronously.
export const notSynchronous = {
  async test(ctrl, env) {
    const promise = env.Obj.getByName('a').take(Symbol('x'));
    assert.strictEqual(promise.constructor.name, 'RpcPromise');
    await failsToClone(() => promise, 'Symbol(x) could not be cloned.');
  },
};

// One bad argument among good ones is enough.
export const secondArgument = {
  async test(ctrl, env) {
    await failsToClone(() => env.Obj.getByName('a').take(1, new Plain()), unsupported('Plain'));
  },
};

// A result that comes later fails in the same way.
export const asyncResult = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('a');
    await failsToClone(() => stub.later('instance'), unsupported('Plain'), { remote: true });
  },
};

// A result that cannot be sent does not harm the object.
export const objectSurvives = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('survive');
    await stub.take();
    await failsToClone(() => stub.giveMixed(), unsupported('Plain'), { remote: true });
    assert.strictEqual(await stub.runs(), 1);
  },
};

// What a getter of an argument throws rejects the call.
export const throwingGetterArgument = {
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('a').take({ get x() { throw new RangeError('mine'); } }),
      RangeError, 'mine');
  },
};

// What a getter of a result throws rejects the call; it is
// not the method's own error, so durableObjectId is absent.
export const throwingGetterResult = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('a');
    await fails(() => stub.throwing(), RangeError, 'from getter', { remote: true });
  },
};

// More than 32 MiB is refused, with the exact size.
export const tooLarge = {
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('a').take(new Uint8Array(33 << 20)), Error,
      /^Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: \d+ bytes\.$/);
  },
};

// A SharedArrayBuffer is sent, but cannot be read.
export const sharedArrayBuffer = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('a');
    await fails(() => stub.take(new SharedArrayBuffer(4)), Error, 'Unable to deserialize cloned data.',
      { remote: true, durableObjectId: stub.id.toString() });
  },
};

// structuredClone refuses functions, which a call would turn into stubs.
export const structuredCloneFunction = {
  async test() {
    await failsToClone(() => structuredClone(() => 1), '() => 1 could not be cloned.');
  },
};
