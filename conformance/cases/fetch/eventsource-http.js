// Rule: EventSource over HTTP: what it asks for, which answers it takes and what events come of them.
// Source: the HTML Standard (https://html.spec.whatwg.org/multipage/server-sent-events.html); the texts are workerd's.
import assert from 'node:assert';

// The worker is its own outbound service; requests are those that it got.
const requests = [];
const stream = (text, type = 'text/event-stream') => new Response(text, { headers: { 'content-type': type } });
export default {
  fetch(request) {
    const url = new URL(request.url);
    requests.push([request.method, url.pathname, ...[...request.headers].map((h) => h.join(': '))]);
    switch (url.pathname) {
      case '/events': return stream('id: 4\ndata: a\n\n');
      case '/charset': return stream('data: c\n\n', 'Text/Event-Stream; charset=utf-8');
      case '/redirect': return Response.redirect('http://other/events', 302);
      case '/none': return new Response(null, { status: 204 });
      case '/error': return new Response('x', { status: 500 });
      case '/text': return new Response('x');
      case '/throw': throw new Error('boom');
      case '/empty': return new Response(null, { headers: { 'content-type': 'text/event-stream' } });
    }
  },
};

// watch opens a source until its first error and returns its events.
async function watch(path) {
  requests.length = 0;
  const source = new EventSource('http://host' + path);
  const log = [source.readyState];
  source.onopen = (e) => log.push([e.constructor.name, e.type, source.readyState]);
  source.onmessage = (e) => log.push([e.type, e.data, e.lastEventId, e.origin]);
  await new Promise((resolve) => {
    source.onerror = (e) => { log.push([e.constructor.name, String(e.error), source.readyState]); resolve(); };
  });
  source.close();
  log.push(source.readyState);
  return log;
}

// A source opens, gets its events, and wants to connect again at the end.
export const events = {
  async test() {
    assert.deepStrictEqual(await watch('/events'), [
      0,
      ['OpenEvent', 'open', 1],
      ['message', 'a', '4', 'http://host'],
      ['ErrorEvent', 'Error: The server disconnected.', 0],
      2,
    ]);
  },
};

// What the request looks like.
export const request = {
  async test() {
    await watch('/events');
    assert.deepStrictEqual(requests, [['GET', '/events', 'accept: text/event-stream', 'cache-control: no-cache']]);
  },
};

// The content type may have parameters and any case.
export const contentType = {
  async test() {
    assert.deepStrictEqual(await watch('/charset'), [
      0,
      ['OpenEvent', 'open', 1],
      ['message', 'c', '', 'http://host'],
      ['ErrorEvent', 'Error: The server disconnected.', 0],
      2,
    ]);
  },
};

// Redirects are followed; the origin is that of the last URL.
export const redirect = {
  async test() {
    assert.deepStrictEqual([await watch('/redirect'), requests.length], [
      [
        0,
        ['OpenEvent', 'open', 1],
        ['message', 'a', '4', 'http://other'],
        ['ErrorEvent', 'Error: The server disconnected.', 0],
        2,
      ],
      2,
    ]);
  },
};

// An answer without a body is an empty stream.
export const empty = {
  async test() {
    assert.deepStrictEqual(await watch('/empty'), [0, ['OpenEvent', 'open', 1], ['ErrorEvent', 'Error: The server disconnected.', 0], 2]);
  },
};

// Other answers end the source.
export const refused = {
  async test() {
    assert.deepStrictEqual([await watch('/none'), await watch('/error'), await watch('/text'), await watch('/throw')], [
      [0, ['ErrorEvent', 'AbortError: No content type header was present in the response.', 2], 2],
      [0, ['ErrorEvent', 'AbortError: The response status code was 500.', 2], 2],
      [0, ['ErrorEvent', 'AbortError: The content type \'text/plain;charset=UTF-8\' is invalid.', 2], 2],
      [0, ['ErrorEvent', 'Error: boom', 2], 2],
    ]);
  },
};

// A source that is closed at once sends no event.
export const closedAtOnce = {
  async test() {
    const source = new EventSource('http://host/events');
    const log = [];
    source.onopen = source.onmessage = source.onerror = (e) => log.push(e.type);
    source.close();
    await scheduler.wait(20);
    assert.deepStrictEqual([source.readyState, log], [2, []]);
  },
};

// The URL is normalised.
export const url = {
  async test() {
    const source = new EventSource('HTTP://u:p@Host:80/x#frag');
    source.close();
    assert.deepStrictEqual([source.url, source.withCredentials], ['http://u:p@host/x#frag', false]);
  },
};
