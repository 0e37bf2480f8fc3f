// Rule: an EventSource whose connection ended opens another: after two seconds, or what the server
// asked for, but no less than one second. Source: the HTML Standard; the bounds are workerd's.
import assert from 'node:assert';

const requests = [];
export default {
  fetch(request) {
    const { pathname } = new URL(request.url);
    requests.push([pathname, request.headers.get('last-event-id')]);
    const text = pathname === '/retry' ? 'retry: 20\nid: 4\ndata: a\n\n' : '';
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  },
};

// opened returns the times, in half seconds, at which a source opens, until the count is reached.
function opened(path, count) {
  requests.length = 0;
  const source = new EventSource('http://host' + path);
  const start = Date.now();
  const times = [];
  return new Promise((resolve) => {
    source.onopen = () => {
      times.push(Math.round((Date.now() - start) / 500));
      if (times.length === count) { source.close(); resolve(times); }
    };
  });
}

// Two seconds, if the server says nothing.
export const standard = {
  async test() {
    assert.deepStrictEqual(await opened('/plain', 3), [0, 4, 8]);
  },
};

// The server may ask for another time; less than a second is a second.
export const asked = {
  async test() {
    assert.deepStrictEqual([await opened('/retry', 3), requests], [[0, 2, 4], [['/retry', null], ['/retry', '4'], ['/retry', '4']]]);
  },
};

// A source that is closed while it waits stays closed.
export const closed = {
  async test() {
    requests.length = 0;
    const source = new EventSource('http://host/plain');
    await new Promise((resolve) => { source.onerror = resolve; });
    const state = source.readyState;
    source.close();
    await scheduler.wait(2500);
    assert.deepStrictEqual([state, source.readyState, requests.length], [0, 2, 1]);
  },
};
