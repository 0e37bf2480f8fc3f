// Rule: MessageChannel, MessagePort and MessageEvent. Source: the HTML Standard
// (https://html.spec.whatwg.org/multipage/web-messaging.html#message-channels), where workerd follows it.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

// receiving makes a channel whose second port writes what it receives into a log.
function receiving() {
  const { port1, port2 } = new MessageChannel();
  const log = [];
  port2.onmessage = (event) => log.push(event.data);
  return { port1, port2, log };
}

// The ports are own, read-only properties of the channel.
export const ports = {
  async test() {
    const c = new MessageChannel();
    const { value, ...flags } = Object.getOwnPropertyDescriptor(c, 'port1');
    assert.deepStrictEqual(
      [Reflect.ownKeys(c), flags, value === c.port1, c.port1 instanceof MessagePort, c.port1 instanceof EventTarget, c.port1 !== c.port2],
      [['port2', 'port1'], { writable: false, enumerable: true, configurable: true }, true, true, true, true],
    );
  },
};

// A message arrives at the other port, as a promise job.
export const delivery = {
  async test() {
    const { port1, log } = receiving();
    Promise.resolve().then(() => log.push('before'));
    port1.postMessage(1);
    port1.postMessage(2);
    queueMicrotask(() => log.push('after'));
    log.push('sync');
    await scheduler.wait(1);
    assert.deepStrictEqual(log, ['sync', 'before', 1, 2, 'after']);
  },
};

// The event of a message.
export const event = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const event = await new Promise((resolve) => {
      port2.onmessage = resolve;
      port1.postMessage('hi');
    });
    assert.deepStrictEqual([
      event.constructor.name, event.type, event.data, event.isTrusted, event.origin, event.lastEventId, event.source === port2, event.ports,
      event.target === port2, Reflect.ownKeys(event),
    ], [
      'MessageEvent',
      'message',
      'hi',
      true,
      null,
      '',
      true,
      [],
      true,
      ['ports', 'source', 'lastEventId', 'origin', 'data'],
    ]);
  },
};

// Ports answer each other.
export const bothWays = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    port1.onmessage = (e) => { log.push('1 got ' + e.data); if (e.data < 3) port1.postMessage(e.data + 1); };
    port2.onmessage = (e) => { log.push('2 got ' + e.data); port2.postMessage(e.data + 1); };
    port2.postMessage(0);
    await scheduler.wait(1);
    assert.deepStrictEqual(log, ['1 got 0', '2 got 1', '1 got 2', '2 got 3', '1 got 4']);
  },
};

// Data is cloned when it is posted.
export const cloned = {
  async test() {
    const { port1, log } = receiving();
    const value = { n: 1, map: new Map([[1, new Set([2])]]) };
    value.self = value;
    port1.postMessage(value);
    value.n = 2;
    await scheduler.wait(1);
    assert.deepStrictEqual([log[0] !== value, log[0].self === log[0], log[0].n, log[0].map.get(1).has(2)], [true, true, 1, true]);
  },
};

// Errors and headers keep their class, instances of classes do not.
export const kinds = {
  async test() {
    const { port1, log } = receiving();
    port1.postMessage(new TypeError('q'));
    port1.postMessage(new Headers({ a: 'b' }));
    port1.postMessage(new (class A { x = 1; })());
    port1.postMessage(new Uint8Array([1, 2]));
    await scheduler.wait(1);
    assert.deepStrictEqual(log.map((v) => v.constructor.name), ['TypeError', 'Headers', 'Object', 'Uint8Array']);
  },
};

// What cannot be cloned is refused at once.
export const notCloneable = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    assert.deepStrictEqual([
      await thrown(() => port1.postMessage(Symbol('x'))), await thrown(() => port1.postMessage(port2)),
      await thrown(() => port1.postMessage(new ReadableStream())), await thrown(() => port1.postMessage({ get a() { throw new RangeError('mine'); } })),
    ], [
      'DataCloneError: Symbol(x) could not be cloned.',
      'DataCloneError: Could not serialize object of type "MessagePort". This type does not support serialization.',
      'DataCloneError: ReadableStream can only be serialized for RPC.',
      'RangeError: mine',
    ]);
  },
};

// Without an argument the data is undefined.
export const noData = {
  async test() {
    const { port1, log } = receiving();
    port1.postMessage();
    await scheduler.wait(1);
    assert.deepStrictEqual(log, [undefined]);
  },
};

// Nothing can be transferred.
export const transfer = {
  async test() {
    const { port1, log } = receiving();
    const buffer = new ArrayBuffer(4);
    const errors = [await thrown(() => port1.postMessage(buffer, [buffer])), await thrown(() => port1.postMessage(buffer, { transfer: [buffer] })), await thrown(() => port1.postMessage(1, [5]))];
    await scheduler.wait(1);
    assert.deepStrictEqual([errors, buffer.byteLength, log], [
      [
        'Error: Transfer list is not supported',
        'Error: Transfer list is not supported',
        'Error: Transfer list is not supported',
      ],
      4,
      [],
    ]);
  },
};

// An empty list is allowed in either form.
export const transferForms = {
  async test() {
    const { port1, log } = receiving();
    port1.postMessage(1, []);
    port1.postMessage(2, { transfer: [] });
    port1.postMessage(3, null);
    port1.postMessage(4, {});
    await scheduler.wait(1);
    assert.deepStrictEqual(
      [log, await thrown(() => port1.postMessage(1, 5)), await thrown(() => port1.postMessage(1, { transfer: null }))],
      [
        [1, 2, 3, 4],
        'TypeError: Failed to execute \'postMessage\' on \'MessagePort\': parameter 2 is not of type \'Array or PostMessageOptions\'.',
        'TypeError: Incorrect type for the \'transfer\' field on \'PostMessageOptions\': the provided value is not of type \'Array\'.',
      ],
    );
  },
};

// Messages wait until somebody listens.
export const queued = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    port1.postMessage(1);
    await scheduler.wait(1);
    port2.onmessage = (e) => log.push(e.data);
    log.push('set');
    await scheduler.wait(1);
    assert.deepStrictEqual(log, ['set', 1]);
  },
};

// A listener is enough, start() need not be called.
export const listener = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    port1.postMessage(1);
    await scheduler.wait(1);
    port2.addEventListener('message', (e) => log.push(e.data));
    port1.postMessage(2);
    await scheduler.wait(1);
    assert.deepStrictEqual(log, [1, 2]);
  },
};

// After start() messages are delivered to nobody.
export const start = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    port2.start();
    port1.postMessage(1);
    await scheduler.wait(1);
    port2.onmessage = (e) => log.push(e.data);
    port1.postMessage(2);
    await scheduler.wait(1);
    assert.deepStrictEqual(log, [2]);
  },
};

// Messages wait again when the handler is gone.
export const handlerRemoved = {
  async test() {
    const { port1, port2, log } = receiving();
    port2.onmessage = null;
    port1.postMessage(1);
    await scheduler.wait(1);
    const before = [...log];
    port2.onmessage = (e) => log.push('late', e.data);
    await scheduler.wait(1);
    assert.deepStrictEqual([before, log], [[], ['late', 1]]);
  },
};

// onmessage takes functions and objects; an object is never called.
export const handler = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    const seen = [port2.onmessage];
    port2.onmessage = 5;
    seen.push(port2.onmessage);
    port2.onmessage = { handleEvent: () => log.push('handled') };
    seen.push(typeof port2.onmessage);
    port1.postMessage(1);
    await scheduler.wait(1);
    assert.deepStrictEqual([seen, log], [[null, null, 'object'], []]);
  },
};

// The handler is called on the global object.
export const handlerThis = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const self = await new Promise((resolve) => {
      port2.onmessage = function () { resolve(this); };
      port1.postMessage(1);
    });
    assert.deepStrictEqual(self === globalThis, true);
  },
};

// A handler that throws does not stop the others; the port gets a second event.
export const throwing = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    const log = [];
    const report = (e) => { log.push('reported ' + e.error.message); e.preventDefault(); };
    addEventListener('error', report);
    port2.onmessage = () => { throw new Error('boom'); };
    port2.addEventListener('message', () => log.push('second'));
    port2.addEventListener('messageerror', (e) => log.push([e.constructor.name, e.data.message]));
    port1.postMessage(1);
    await scheduler.wait(1);
    removeEventListener('error', report);
    assert.deepStrictEqual(log, ['reported boom', 'second', ['MessageEvent', 'boom']]);
  },
};

// Closing one port closes both, and both are told.
export const close = {
  async test() {
    const { port1, port2, log } = receiving();
    port2.addEventListener('close', (e) => log.push('2 ' + e.constructor.name));
    port1.addEventListener('close', () => log.push('1'));
    port1.close();
    log.push('sync');
    port1.postMessage(1);
    port2.postMessage(1);
    port2.close();
    await scheduler.wait(1);
    assert.deepStrictEqual(log, ['2 Event', '1', 'sync']);
  },
};

// What was posted before is still delivered.
export const closeAfterPost = {
  async test() {
    const { port1, port2, log } = receiving();
    port1.postMessage(1);
    port1.close();
    await scheduler.wait(1);
    assert.deepStrictEqual(log, [1]);
  },
};

// What waits for delivery is not lost when the handler closes the port.
export const closeInHandler = {
  async test() {
    const { port1, port2, log } = receiving();
    port2.addEventListener('message', () => port2.close());
    port1.postMessage(1);
    port1.postMessage(2);
    await scheduler.wait(1);
    assert.deepStrictEqual(log, [1, 2]);
  },
};

// Ports cannot be constructed, and their methods need one.
export const illegal = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => new MessagePort()), await thrown(() => MessageChannel()), await thrown(() => MessagePort.prototype.postMessage.call({}, 1)),
      await thrown(() => MessagePort.prototype.onmessage),
    ], [
      'TypeError: Illegal constructor',
      'TypeError: Failed to construct \'MessageChannel\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
    ]);
  },
};

// The defaults of a MessageEvent, and its options.
export const constructedEvent = {
  async test() {
    const e = new MessageEvent('x');
    const { port1 } = new MessageChannel();
    const f = new MessageEvent('x', { data: { a: 1 }, origin: 5, lastEventId: 'l', source: port1, ports: [port1] });
    assert.deepStrictEqual(
      [[e.data, e.origin, e.lastEventId, e.source, e.ports, e.isTrusted], [f.data, f.origin, f.lastEventId, f.source === port1, f.ports[0] === port1]],
      [[null, '', '', null, [], false], [{ a: 1 }, '5', 'l', true, true]],
    );
  },
};

// Options of a wrong type.
export const eventErrors = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => new MessageEvent()), await thrown(() => new MessageEvent('x', 5)), await thrown(() => new MessageEvent('x', { ports: 5 })),
      await thrown(() => new MessageEvent('x', { ports: [5] })), await thrown(() => new MessageEvent('x', { source: 5 })),
    ], [
      'TypeError: Failed to construct \'MessageEvent\': constructor parameter 1 is not of type \'string\'.',
      'TypeError: Failed to construct \'MessageEvent\': constructor parameter 2 is not of type \'Initializer\'.',
      'TypeError: Incorrect type for the \'ports\' field on \'Initializer\': the provided value is not of type \'Array\'.',
      'TypeError: Incorrect type for array element 0: the provided value is not of type \'MessagePort\'.',
      'TypeError: Incorrect type for the \'source\' field on \'Initializer\': the provided value is not of type \'MessagePort\'.',
    ]);
  },
};

// A port can be sent any event.
export const dispatched = {
  async test() {
    const { port1 } = new MessageChannel();
    const log = [];
    port1.onmessage = (e) => log.push(e.data, e.isTrusted);
    assert.deepStrictEqual([port1.dispatchEvent(new MessageEvent('message', { data: 1 })), log], [true, [1, false]]);
  },
};
