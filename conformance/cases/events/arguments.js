// Rule: what the classes of events and signals say about arguments that they cannot take.
// Source: workerd; the texts are its own.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

const all = (...actions) => Promise.all(actions.map((f) => thrown(f)));

// Constructors of events.
export const events = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new Event(), () => new Event('x', 5), () => new CustomEvent(), () => new CustomEvent('x', 5), () => new ErrorEvent(), () => new ErrorEvent('x', 5), () => new CloseEvent(), () => new CloseEvent('x', 5), () => new Event(Symbol('x'))),
      [
        'TypeError: Failed to construct \'Event\': constructor parameter 1 is not of type \'string\'.',
        'TypeError: Failed to construct \'Event\': constructor parameter 2 is not of type \'Init\'.',
        'TypeError: Failed to construct \'CustomEvent\': constructor parameter 1 is not of type \'string\'.',
        'TypeError: Failed to construct \'CustomEvent\': constructor parameter 2 is not of type \'CustomEventInit\'.',
        'TypeError: Failed to construct \'ErrorEvent\': constructor parameter 1 is not of type \'string\'.',
        'TypeError: Failed to construct \'ErrorEvent\': constructor parameter 2 is not of type \'ErrorEventInit\'.',
        'TypeError: Failed to construct \'CloseEvent\': constructor parameter 1 is not of type \'string\'.',
        'TypeError: Failed to construct \'CloseEvent\': constructor parameter 2 is not of type \'Initializer\'.',
        'TypeError: Cannot convert a Symbol value to a string',
      ],
    );
  },
};

// Numbers of an ErrorEvent.
export const errorFields = {
  async test() {
    const e = new ErrorEvent('x', { lineno: 1.9, colno: '7', message: 5 });
    assert.deepStrictEqual(
      [e.lineno, e.colno, e.message, await thrown(() => new ErrorEvent('x', { lineno: 2 ** 31 })), new ErrorEvent('x', { lineno: NaN }).lineno],
      [1, 7, '5', 'TypeError: Value out of range. Must be between -2147483648 and 2147483647 (inclusive).', 0],
    );
  },
};

// Arguments of addEventListener.
export const addListener = {
  async test() {
    const t = new EventTarget();
    assert.deepStrictEqual(
      await all(() => t.addEventListener(), () => t.addEventListener('x'), () => t.addEventListener('x', 5), () => t.addEventListener('x', {}), () => t.addEventListener('x', () => {}, true), () => t.addEventListener('x', () => {}, { capture: true }), () => t.addEventListener('x', () => {}, { signal: 5 }), () => t.addEventListener('x', null)),
      [
        'TypeError: Failed to execute \'addEventListener\' on \'EventTarget\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'addEventListener\' on \'EventTarget\': parameter 2 is not of type \'function or HandlerObject\'.',
        'TypeError: Failed to execute \'addEventListener\' on \'EventTarget\': parameter 2 is not of type \'function or HandlerObject\'.',
        'TypeError: Incorrect type for the \'handleEvent\' field on \'HandlerObject\': the provided value is not of type \'function\'.',
        'TypeError: addEventListener(): useCapture must be false.',
        'TypeError: addEventListener(): options.capture must be false.',
        'TypeError: Incorrect type for the \'signal\' field on \'AddEventListenerOptions\': the provided value is not of type \'AbortSignal\'.',
        'nothing',
      ],
    );
  },
};

// Arguments of removeEventListener.
export const removeListener = {
  async test() {
    const t = new EventTarget();
    assert.deepStrictEqual(
      await all(() => t.removeEventListener(), () => t.removeEventListener('x'), () => t.removeEventListener('x', 5), () => t.removeEventListener('x', () => {}, true), () => t.removeEventListener('x', null)),
      [
        'TypeError: Failed to execute \'removeEventListener\' on \'EventTarget\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'removeEventListener\' on \'EventTarget\': parameter 2 is not of type \'Object\'.',
        'TypeError: Failed to execute \'removeEventListener\' on \'EventTarget\': parameter 2 is not of type \'Object\'.',
        'TypeError: removeEventListener(): useCapture must be false.',
        'nothing',
      ],
    );
  },
};

// Arguments of dispatchEvent.
export const dispatch = {
  async test() {
    const t = new EventTarget();
    const e = new Event('x');
    t.addEventListener('x', async () => {});
    assert.deepStrictEqual(
      await all(() => t.dispatchEvent(), () => t.dispatchEvent(5), () => t.dispatchEvent({ type: 'x' }), () => t.dispatchEvent(e), () => t.dispatchEvent(e)),
      [
        'TypeError: Failed to execute \'dispatchEvent\' on \'EventTarget\': parameter 1 is not of type \'Event\'.',
        'TypeError: Failed to execute \'dispatchEvent\' on \'EventTarget\': parameter 1 is not of type \'Event\'.',
        'TypeError: Failed to execute \'dispatchEvent\' on \'EventTarget\': parameter 1 is not of type \'Event\'.',
        'nothing',
        'nothing',
      ],
    );
  },
};

// Static functions of AbortSignal.
export const signals = {
  async test() {
    assert.deepStrictEqual(
      await all(() => AbortSignal.timeout(), () => AbortSignal.any(), () => AbortSignal.any(5), () => AbortSignal.any([5]), () => AbortSignal.any([]), () => AbortSignal.abort().throwIfAborted(), () => AbortSignal.abort(new RangeError('mine')).throwIfAborted()),
      [
        'TypeError: Failed to execute \'timeout\' on \'AbortSignal\': parameter 1 is not of type \'number\'.',
        'TypeError: Failed to execute \'any\' on \'AbortSignal\': parameter 1 is not of type \'Array\'.',
        'TypeError: Failed to execute \'any\' on \'AbortSignal\': parameter 1 is not of type \'Array\'.',
        'TypeError: Incorrect type for array element 0: the provided value is not of type \'AbortSignal\'.',
        'nothing',
        'AbortError: The operation was aborted',
        'RangeError: mine',
      ],
    );
  },
};

// Attributes need an object of their class.
export const receivers = {
  async test() {
    assert.deepStrictEqual(
      await all(() => Event.prototype.type, () => CustomEvent.prototype.detail, () => ErrorEvent.prototype.message, () => AbortSignal.prototype.aborted, () => AbortController.prototype.signal, () => EventTarget.prototype.dispatchEvent.call({}, new Event('x'))),
      [
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      ],
    );
  },
};

// Arguments of DOMException.
export const domException = {
  async test() {
    const e = new DOMException('m', { name: 'TimeoutError', cause: 5 });
    assert.deepStrictEqual(
      [new DOMException().name, new DOMException(null, null).name, e.name, e.code, e.cause, await thrown(() => new DOMException(Symbol('x'))), await thrown(() => DOMException('x'))],
      [
        'Error',
        'null',
        '[object Object]',
        0,
        undefined,
        'TypeError: Cannot convert a Symbol value to a string',
        'TypeError: Failed to construct \'DOMException\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      ],
    );
  },
};
