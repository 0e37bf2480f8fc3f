// Rule: Event, EventTarget, AbortSignal and reportError. Source: DOM spec; HTML
// spec, reportError; workerd behaviour.
import assert from 'node:assert';
import { fails } from 'failure.js';

// Listeners run in the order they were added, synchronously.
export const order = {
  test() {
    const target = new EventTarget();
    const order = [];
    target.addEventListener('x', () => order.push(1));
    target.addEventListener('x', () => order.push(2));
    assert.strictEqual(target.dispatchEvent(new Event('x')), true);
    assert.deepStrictEqual(order, [1, 2]);
  },
};

// The same listener is added once.
export const addedOnce = {
  test() {
    const target = new EventTarget();
    let n = 0;
    const listener = () => { n++; };
    target.addEventListener('x', listener);
    target.addEventListener('x', listener);
    target.dispatchEvent(new Event('x'));
    assert.strictEqual(n, 1);
  },
};

// once.
export const once = {
  test() {
    const target = new EventTarget();
    let n = 0;
    target.addEventListener('x', () => { n++; }, { once: true });
    target.dispatchEvent(new Event('x'));
    target.dispatchEvent(new Event('x'));
    assert.strictEqual(n, 1);
  },
};

// removeEventListener.
export const remove = {
  test() {
    const target = new EventTarget();
    let n = 0;
    const listener = () => { n++; };
    target.addEventListener('x', listener);
    target.removeEventListener('x', listener);
    target.dispatchEvent(new Event('x'));
    assert.strictEqual(n, 0);
  },
};

// handleEvent objects.
export const handleEvent = {
  test() {
    const target = new EventTarget();
    const listener = { n: 0, handleEvent(event) { this.n++; this.type = event.type; } };
    target.addEventListener('x', listener);
    target.dispatchEvent(new Event('x'));
    assert.deepStrictEqual([listener.n, listener.type], [1, 'x']);
  },
};

// preventDefault makes dispatchEvent false, for events that are not cancelable
// too; defaultPrevented stays false for those.
export const preventDefault = {
  test() {
    const target = new EventTarget();
    target.addEventListener('x', (event) => event.preventDefault());
    const [yes, no] = [new Event('x', { cancelable: true }), new Event('x')];
    assert.deepStrictEqual([target.dispatchEvent(yes), yes.defaultPrevented], [false, true]);
    assert.deepStrictEqual([target.dispatchEvent(no), no.defaultPrevented], [false, false]);
  },
};

// stopImmediatePropagation stops later listeners.
export const stopImmediate = {
  test() {
    const target = new EventTarget();
    let n = 0;
    target.addEventListener('x', (event) => event.stopImmediatePropagation());
    target.addEventListener('x', () => { n++; });
    target.dispatchEvent(new Event('x'));
    assert.strictEqual(n, 0);
  },
};

// CustomEvent carries detail; the default is undefined (the DOM spec says null).
export const customEvent = {
  test() {
    assert.strictEqual(new CustomEvent('x', { detail: 5 }).detail, 5);
    assert.strictEqual(new CustomEvent('x').detail, undefined);
  },
};

// A signal aborts once; its event comes synchronously, the default reason is an AbortError.
export const abort = {
  test() {
    const controller = new AbortController();
    let n = 0;
    controller.signal.addEventListener('abort', () => { n++; });
    controller.abort();
    controller.abort();
    assert.strictEqual(n, 1);
    assert.strictEqual(controller.signal.aborted, true);
    assert.strictEqual(controller.signal.reason.name, 'AbortError');
    assert.strictEqual(controller.signal.reason.message, 'The operation was aborted');
  },
};

// throwIfAborted throws the very reason.
export const throwIfAborted = {
  test() {
    const reason = { any: 'thing' };
    assert.throws(() => AbortSignal.abort(reason).throwIfAborted(), (e) => e === reason);
  },
};

// AbortSignal.any follows the first of its signals.
export const abortAny = {
  test() {
    const [a, b] = [new AbortController(), new AbortController()];
    const any = AbortSignal.any([a.signal, b.signal]);
    b.abort('by b');
    assert.deepStrictEqual([any.aborted, any.reason, a.signal.aborted], [true, 'by b', false]);
  },
};

// A signal removes a listener.
export const signalOption = {
  test() {
    const target = new EventTarget();
    const controller = new AbortController();
    let n = 0;
    target.addEventListener('x', () => { n++; }, { signal: controller.signal });
    controller.abort();
    target.dispatchEvent(new Event('x'));
    assert.strictEqual(n, 0);
  },
};

// reportError fires an error event on the global object.
export const reportErrorEvent = {
  test() {
    const error = new Error('reported');
    let event;
    addEventListener('error', (e) => { event = e; e.preventDefault(); }, { once: true });
    reportError(error);
    assert.strictEqual(event.error, error);
    assert.strictEqual(event.type, 'error');
  },
};

// new Event without a type.
export const eventNeedsType = {
  async test() {
    await fails(() => new Event(), TypeError,
      "Failed to construct 'Event': constructor parameter 1 is not of type 'string'.");
  },
};
