// Rule: the shape of the platform's classes: names, lengths and attributes of their properties, and
// what a call and a construction without arguments give. Source: workerd.
import assert from 'node:assert';
import { shape } from 'shape.js';

// Event.
export const event = {
  async test() {
    assert.deepStrictEqual(shape(Event), {
      static: [
        'AT_TARGET [ec] 2',
        'BUBBLING_PHASE [ec] 3',
        'CAPTURING_PHASE [ec] 1',
        'NONE [ec] 0',
        'length [c] 0',
        'name [c] Event',
        'prototype [w] object',
      ],
      prototype: [
        'AT_TARGET [ec] 2',
        'BUBBLING_PHASE [ec] 3',
        'CAPTURING_PHASE [ec] 1',
        'NONE [ec] 0',
        'Symbol(Symbol.toStringTag) [wc] Event',
        'bubbles [ec] get',
        'cancelBubble [ec] get set',
        'cancelable [ec] get',
        'composed [ec] get',
        'composedPath [wec] function composedPath/0',
        'constructor [wc] function Event/0',
        'currentTarget [ec] get',
        'defaultPrevented [ec] get',
        'eventPhase [ec] get',
        'isTrusted [ec] get',
        'preventDefault [wec] function preventDefault/0',
        'returnValue [ec] get',
        'srcElement [ec] get',
        'stopImmediatePropagation [wec] function stopImmediatePropagation/0',
        'stopPropagation [wec] function stopPropagation/0',
        'target [ec] get',
        'timeStamp [ec] get',
        'type [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'Event\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'Event\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// CustomEvent.
export const customEvent = {
  async test() {
    assert.deepStrictEqual(shape(CustomEvent), {
      static: ['length [c] 0', 'name [c] CustomEvent', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] CustomEvent', 'constructor [wc] function CustomEvent/0', 'detail [ec] get'],
      inherits: 'Event',
      call: 'TypeError: Failed to construct \'CustomEvent\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'CustomEvent\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// ErrorEvent.
export const errorEvent = {
  async test() {
    assert.deepStrictEqual(shape(ErrorEvent), {
      static: ['length [c] 0', 'name [c] ErrorEvent', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ErrorEvent',
        'colno [ec] get',
        'constructor [wc] function ErrorEvent/0',
        'error [ec] get',
        'filename [ec] get',
        'lineno [ec] get',
        'message [ec] get',
      ],
      inherits: 'Event',
      call: 'TypeError: Failed to construct \'ErrorEvent\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'ErrorEvent\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// MessageEvent.
export const messageEvent = {
  async test() {
    assert.deepStrictEqual(shape(MessageEvent), {
      static: ['length [c] 0', 'name [c] MessageEvent', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] MessageEvent', 'constructor [wc] function MessageEvent/0'],
      inherits: 'Event',
      call: 'TypeError: Failed to construct \'MessageEvent\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'MessageEvent\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// CloseEvent.
export const closeEvent = {
  async test() {
    assert.deepStrictEqual(shape(CloseEvent), {
      static: ['length [c] 0', 'name [c] CloseEvent', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] CloseEvent', 'constructor [wc] function CloseEvent/0'],
      inherits: 'Event',
      call: 'TypeError: Failed to construct \'CloseEvent\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'CloseEvent\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// ExtendableEvent.
export const extendableEvent = {
  async test() {
    assert.deepStrictEqual(shape(ExtendableEvent), {
      static: ['length [c] 0', 'name [c] ExtendableEvent', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ExtendableEvent',
        'constructor [wc] function ExtendableEvent/0',
        'waitUntil [wec] function waitUntil/0',
      ],
      inherits: 'Event',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// FetchEvent.
export const fetchEvent = {
  async test() {
    assert.deepStrictEqual(shape(FetchEvent), {
      static: ['length [c] 0', 'name [c] FetchEvent', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] FetchEvent',
        'constructor [wc] function FetchEvent/0',
        'passThroughOnException [wec] function passThroughOnException/0',
        'respondWith [wec] function respondWith/0',
      ],
      inherits: 'ExtendableEvent',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// ScheduledEvent.
export const scheduledEvent = {
  async test() {
    assert.deepStrictEqual(shape(ScheduledEvent), {
      static: ['length [c] 0', 'name [c] ScheduledEvent', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ScheduledEvent',
        'constructor [wc] function ScheduledEvent/0',
        'noRetry [wec] function noRetry/0',
      ],
      inherits: 'ExtendableEvent',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// TailEvent.
export const tailEvent = {
  async test() {
    assert.deepStrictEqual(shape(TailEvent), {
      static: ['length [c] 0', 'name [c] TailEvent', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] TailEvent', 'constructor [wc] function TailEvent/0'],
      inherits: 'ExtendableEvent',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// PromiseRejectionEvent.
export const promiseRejectionEvent = {
  async test() {
    assert.deepStrictEqual(shape(PromiseRejectionEvent), {
      static: ['length [c] 0', 'name [c] PromiseRejectionEvent', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] PromiseRejectionEvent', 'constructor [wc] function PromiseRejectionEvent/0'],
      inherits: 'Event',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// EventTarget.
export const eventTarget = {
  async test() {
    assert.deepStrictEqual(shape(EventTarget), {
      static: ['length [c] 0', 'name [c] EventTarget', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] EventTarget',
        'addEventListener [wec] function addEventListener/0',
        'constructor [wc] function EventTarget/0',
        'dispatchEvent [wec] function dispatchEvent/0',
        'removeEventListener [wec] function removeEventListener/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'EventTarget\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// AbortController.
export const abortController = {
  async test() {
    assert.deepStrictEqual(shape(AbortController), {
      static: ['length [c] 0', 'name [c] AbortController', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] AbortController',
        'abort [wec] function abort/0',
        'constructor [wc] function AbortController/0',
        'signal [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'AbortController\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// AbortSignal.
export const abortSignal = {
  async test() {
    assert.deepStrictEqual(shape(AbortSignal), {
      static: [
        'abort [wec] function abort/0',
        'any [wec] function any/0',
        'length [c] 0',
        'name [c] AbortSignal',
        'prototype [w] object',
        'timeout [wec] function timeout/0',
      ],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] AbortSignal',
        'aborted [ec] get',
        'constructor [wc] function AbortSignal/0',
        'onabort [ec] get set',
        'reason [ec] get',
        'throwIfAborted [wec] function throwIfAborted/0',
      ],
      inherits: 'EventTarget',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// DOMException.
export const domexception = {
  async test() {
    assert.deepStrictEqual(shape(DOMException), {
      static: [
        'ABORT_ERR [ec] 20',
        'DATA_CLONE_ERR [ec] 25',
        'DOMSTRING_SIZE_ERR [ec] 2',
        'HIERARCHY_REQUEST_ERR [ec] 3',
        'INDEX_SIZE_ERR [ec] 1',
        'INUSE_ATTRIBUTE_ERR [ec] 10',
        'INVALID_ACCESS_ERR [ec] 15',
        'INVALID_CHARACTER_ERR [ec] 5',
        'INVALID_MODIFICATION_ERR [ec] 13',
        'INVALID_NODE_TYPE_ERR [ec] 24',
        'INVALID_STATE_ERR [ec] 11',
        'NAMESPACE_ERR [ec] 14',
        'NETWORK_ERR [ec] 19',
        'NOT_FOUND_ERR [ec] 8',
        'NOT_SUPPORTED_ERR [ec] 9',
        'NO_DATA_ALLOWED_ERR [ec] 6',
        'NO_MODIFICATION_ALLOWED_ERR [ec] 7',
        'QUOTA_EXCEEDED_ERR [ec] 22',
        'SECURITY_ERR [ec] 18',
        'SYNTAX_ERR [ec] 12',
        'TIMEOUT_ERR [ec] 23',
        'TYPE_MISMATCH_ERR [ec] 17',
        'URL_MISMATCH_ERR [ec] 21',
        'VALIDATION_ERR [ec] 16',
        'WRONG_DOCUMENT_ERR [ec] 4',
        'length [c] 0',
        'name [c] DOMException',
        'prototype [w] object',
      ],
      prototype: [
        'ABORT_ERR [ec] 20',
        'DATA_CLONE_ERR [ec] 25',
        'DOMSTRING_SIZE_ERR [ec] 2',
        'HIERARCHY_REQUEST_ERR [ec] 3',
        'INDEX_SIZE_ERR [ec] 1',
        'INUSE_ATTRIBUTE_ERR [ec] 10',
        'INVALID_ACCESS_ERR [ec] 15',
        'INVALID_CHARACTER_ERR [ec] 5',
        'INVALID_MODIFICATION_ERR [ec] 13',
        'INVALID_NODE_TYPE_ERR [ec] 24',
        'INVALID_STATE_ERR [ec] 11',
        'NAMESPACE_ERR [ec] 14',
        'NETWORK_ERR [ec] 19',
        'NOT_FOUND_ERR [ec] 8',
        'NOT_SUPPORTED_ERR [ec] 9',
        'NO_DATA_ALLOWED_ERR [ec] 6',
        'NO_MODIFICATION_ALLOWED_ERR [ec] 7',
        'QUOTA_EXCEEDED_ERR [ec] 22',
        'SECURITY_ERR [ec] 18',
        'SYNTAX_ERR [ec] 12',
        'Symbol(Symbol.toStringTag) [wc] DOMException',
        'TIMEOUT_ERR [ec] 23',
        'TYPE_MISMATCH_ERR [ec] 17',
        'URL_MISMATCH_ERR [ec] 21',
        'VALIDATION_ERR [ec] 16',
        'WRONG_DOCUMENT_ERR [ec] 4',
        'constructor [wc] function DOMException/0',
      ],
      inherits: 'Error',
      call: 'TypeError: Failed to construct \'DOMException\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// EventSource.
export const eventSource = {
  async test() {
    assert.deepStrictEqual(shape(EventSource), {
      static: [
        'CLOSED [ec] 2',
        'CONNECTING [ec] 0',
        'OPEN [ec] 1',
        'from [wec] function from/0',
        'length [c] 0',
        'name [c] EventSource',
        'prototype [w] object',
      ],
      prototype: [
        'CLOSED [ec] 2',
        'CONNECTING [ec] 0',
        'OPEN [ec] 1',
        'Symbol(Symbol.dispose) [wc] function /0',
        'Symbol(Symbol.toStringTag) [wc] EventSource',
        'close [wec] function close/0',
        'constructor [wc] function EventSource/0',
        'onerror [ec] get set',
        'onmessage [ec] get set',
        'onopen [ec] get set',
        'readyState [ec] get',
        'url [ec] get',
        'withCredentials [ec] get',
      ],
      inherits: 'EventTarget',
      call: 'TypeError: Failed to construct \'EventSource\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'EventSource\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// MessageChannel.
export const messageChannel = {
  async test() {
    assert.deepStrictEqual(shape(MessageChannel), {
      static: ['length [c] 0', 'name [c] MessageChannel', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] MessageChannel', 'constructor [wc] function MessageChannel/0'],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'MessageChannel\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// MessagePort.
export const messagePort = {
  async test() {
    assert.deepStrictEqual(shape(MessagePort), {
      static: ['length [c] 0', 'name [c] MessagePort', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] MessagePort',
        'close [wec] function close/0',
        'constructor [wc] function MessagePort/0',
        'onmessage [ec] get set',
        'postMessage [wec] function postMessage/0',
        'start [wec] function start/0',
      ],
      inherits: 'EventTarget',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};
