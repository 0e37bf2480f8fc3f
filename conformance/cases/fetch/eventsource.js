// Rule: EventSource over a stream: how event streams are parsed and what happens at their end.
// Source: the HTML Standard (https://html.spec.whatwg.org/multipage/server-sent-events.html); EventSource.from is workerd's.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

// events reads a stream to its end and returns the events of the types.
async function events(text, types = ['message']) {
  const source = EventSource.from(new Response(text).body);
  const log = [];
  for (const type of types) source.addEventListener(type, (e) => log.push([e.type, e.data, e.lastEventId]));
  await new Promise((resolve) => source.addEventListener('error', resolve));
  return log;
}

// The fields of an event.
export const fields = {
  async test() {
    assert.deepStrictEqual(
      await events('data: a\n\nevent: foo\nid: 7\ndata: b\n\ndata: c\n\n', ['message', 'foo']),
      [['message', 'a', ''], ['foo', 'b', '7'], ['message', 'c', '7']],
    );
  },
};

// Lines of data are joined; one space after the colon is not part of it.
export const data = {
  async test() {
    assert.deepStrictEqual(await events('data:x\ndata:  y\ndata\n\ndata: z\n\n'), [['message', 'x\n y\n', ''], ['message', 'z', '']]);
  },
};

// Comments and unknown fields are left out; names are case-sensitive.
export const comments = {
  async test() {
    assert.deepStrictEqual(await events(': comment\n: \nfoo: x\nData: y\ndata: c\n\n'), [['message', 'c', '']]);
  },
};

// An event without data, and one without an end, are not sent.
export const incomplete = {
  async test() {
    assert.deepStrictEqual(await events('event: a\n\nid: 3\n\ndata: x\n\ndata: z', ['message', 'a']), [['message', 'x', '3']]);
  },
};

// Lines end with CR LF, LF or CR; a byte order mark is skipped.
export const lineEnds = {
  async test() {
    assert.deepStrictEqual(
      await events('\ufeffdata: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\ndata: e\n\r\n'),
      [['message', 'a', ''], ['message', 'b', ''], ['message', 'c', ''], ['message', 'd\ne', '']],
    );
  },
};

// The last id stays until it is replaced.
export const ids = {
  async test() {
    assert.deepStrictEqual(
      await events('id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: 3\u0000\ndata: d\n\n'),
      [['message', 'a', '1'], ['message', 'b', '1'], ['message', 'c', ''], ['message', 'd', '3\u0000']],
    );
  },
};

// The time to wait is no part of an event.
export const retry = {
  async test() {
    assert.deepStrictEqual(await events('retry: 5\ndata: a\n\nretry: x\ndata: b\n\n'), [['message', 'a', ''], ['message', 'b', '']]);
  },
};

// Pieces may end anywhere, also within a character.
export const chunks = {
  async test() {
    const bytes = new TextEncoder().encode('data: é\r\n\r\ndata: q\n\n');
    const source = EventSource.from(new ReadableStream({
      start(c) { for (const b of bytes) c.enqueue(new Uint8Array([b])); c.close(); },
    }));
    const log = [];
    source.onmessage = (e) => log.push(e.data);
    await new Promise((resolve) => source.addEventListener('error', resolve));
    assert.deepStrictEqual(log, ['é', 'q']);
  },
};

// A source over a stream is open from the start and has no URL.
export const from = {
  async test() {
    const stream = new ReadableStream();
    const source = EventSource.from(stream);
    assert.deepStrictEqual(
      [source.url, source.readyState, source.withCredentials, stream.locked, source.onopen, source.onmessage, source.onerror, Reflect.ownKeys(source)],
      ['', 1, false, true, null, null, null, []],
    );
  },
};

// What from() refuses.
export const fromErrors = {
  async test() {
    const stream = new ReadableStream();
    stream.getReader();
    assert.deepStrictEqual(
      [await thrown(() => EventSource.from()), await thrown(() => EventSource.from(5)), await thrown(() => EventSource.from(null)), await thrown(() => EventSource.from(stream))],
      [
        'TypeError: Failed to execute \'from\' on \'EventSource\': parameter 1 is not of type \'JsReadableStream\'.',
        'TypeError: Failed to execute \'from\' on \'EventSource\': parameter 1 is not of type \'JsReadableStream\'.',
        'TypeError: Failed to execute \'from\' on \'EventSource\': parameter 1 is not of type \'JsReadableStream\'.',
        'TypeError: This ReadableStream is locked.',
      ],
    );
  },
};

// At its end the source is closed, with an error event.
export const end = {
  async test() {
    const source = EventSource.from(new Response('data: a\n\n').body);
    const log = [];
    source.onopen = () => log.push('open');
    const e = await new Promise((resolve) => source.addEventListener('error', resolve));
    assert.deepStrictEqual(
      [log, source.readyState, e.constructor.name, String(e.error), e.message],
      [[], 2, 'ErrorEvent', 'Error: The server disconnected.', ''],
    );
  },
};

// The error of the stream is that of the event.
export const streamError = {
  async test() {
    const source = EventSource.from(new ReadableStream({ start(c) { c.error(new RangeError('broke')); } }));
    const e = await new Promise((resolve) => source.addEventListener('error', resolve));
    assert.deepStrictEqual([String(e.error), source.readyState], ['RangeError: broke', 2]);
  },
};

// After close() nothing is sent.
export const closed = {
  async test() {
    const source = EventSource.from(new Response('data: a\n\n').body);
    const log = [];
    source.onmessage = source.onerror = (e) => log.push(e.type);
    source.close();
    await scheduler.wait(1);
    assert.deepStrictEqual([source.readyState, log], [2, []]);
  },
};

// A source can be disposed of.
export const disposed = {
  async test() {
    const log = [];
    {
      using source = EventSource.from(new Response('data: a\n\n').body);
      source.onmessage = () => log.push('message');
    }
    await scheduler.wait(1);
    assert.deepStrictEqual(log, []);
  },
};

// What came in the same piece is still sent.
export const closeInListener = {
  async test() {
    const source = EventSource.from(new Response('data: a\n\ndata: b\n\n').body);
    const log = [];
    source.onmessage = (e) => { log.push(e.data); source.close(); };
    await scheduler.wait(5);
    assert.deepStrictEqual([log, source.readyState], [['a', 'b'], 2]);
  },
};

// A listener that throws ends the source.
export const throwing = {
  async test() {
    const source = EventSource.from(new Response('data: a\n\ndata: b\n\n').body);
    const log = [];
    const report = (e) => { log.push('reported ' + e.error.message); e.preventDefault(); };
    addEventListener('error', report);
    source.onmessage = (e) => { log.push(e.data); throw new Error('mine'); };
    await new Promise((resolve) => source.addEventListener('error', (e) => { log.push(String(e.error)); resolve(); }));
    removeEventListener('error', report);
    assert.deepStrictEqual([log, source.readyState], [['a', 'reported mine', 'Error: mine'], 2]);
  },
};

// The event of a message.
export const message = {
  async test() {
    const source = EventSource.from(new Response('data: a\n\n').body);
    let self;
    const e = await new Promise((resolve) => { source.onmessage = function (x) { self = this; resolve(x); }; });
    assert.deepStrictEqual(
      [e.constructor.name, e.isTrusted, e.origin, e.source, e.ports, e.bubbles, e.cancelable, e.target === source, self === globalThis, Reflect.ownKeys(e)],
      [
        'MessageEvent',
        true,
        null,
        null,
        [],
        false,
        false,
        true,
        true,
        ['ports', 'source', 'lastEventId', 'origin', 'data'],
      ],
    );
  },
};

// The handler attributes take objects only.
export const handlers = {
  async test() {
    const source = EventSource.from(new ReadableStream());
    const f = () => {};
    source.onmessage = 5;
    const first = source.onmessage;
    source.onmessage = f;
    source.onerror = f;
    source.onerror = null;
    assert.deepStrictEqual([first, source.onmessage === f, source.onerror], [null, true, null]);
  },
};

// The states have names.
export const constants = {
  async test() {
    assert.deepStrictEqual([EventSource.CONNECTING, EventSource.OPEN, EventSource.CLOSED, EventSource.prototype.CLOSED], [0, 1, 2, 2]);
  },
};

// What the constructor refuses.
export const constructorErrors = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => new EventSource()), await thrown(() => new EventSource('bad')), await thrown(() => new EventSource('')),
      await thrown(() => new EventSource('http://x/', 5)), await thrown(() => new EventSource('http://x/', { withCredentials: true })),
      await thrown(() => new EventSource('http://x/', { fetcher: 5 })), await thrown(() => EventSource('http://x/')),
    ], [
      'TypeError: Failed to construct \'EventSource\': constructor parameter 1 is not of type \'string\'.',
      'SyntaxError: Cannot open an EventSource to \'bad\'. The URL is invalid.',
      'SyntaxError: Cannot open an EventSource to \'\'. The URL is invalid.',
      'TypeError: Failed to construct \'EventSource\': constructor parameter 2 is not of type \'EventSourceInit\'.',
      'NotSupportedError: The init.withCredentials option is not supported. It must be false or undefined.',
      'TypeError: Incorrect type for the \'fetcher\' field on \'EventSourceInit\': the provided value is not of type \'Fetcher\'.',
      'TypeError: Failed to construct \'EventSource\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
    ]);
  },
};
