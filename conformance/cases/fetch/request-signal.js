// Rule: request.signal of a request that came in: aborted when the client gives up, with the
// flag enable_request_signal; it governs further requests with request_signal_passthrough.
// Source: Cloudflare docs "Compatibility flags: request.signal"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';

const logs = {};
let last = 0;
const shown = (e) => [e.name, e.message, e.retryable].join();
const gone = 'signal AbortError,The client has disconnected,true';

async function handle(env, request) {
  const { pathname, search } = new URL(request.url);
  const log = logs[search];
  log.push('start ' + pathname);
  request.signal.addEventListener('abort', () => log.push('signal ' + shown(request.signal.reason)));
  const leaf = env.Obj.getByName('leaf');
  try {
    if (pathname === '/given') await leaf.fetch('http://x/leaf' + search, { signal: request.signal });
    if (pathname === '/copied') await leaf.fetch(new Request('http://x/leaf' + search, request));
  } catch (e) {
    log.push('further ' + shown(e));
  }
  if (pathname === '/stream') {
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    (async () => {
      for (let i = 0; ; i++) await writer.write(new TextEncoder().encode('chunk'));
    })().catch((e) => log.push('write ' + shown(e)));
    return new Response(readable);
  }
  await scheduler.wait(100);
  log.push('end ' + pathname);
  return new Response('late');
}

export class Obj extends DurableObject {
  fetch(request) {
    return handle(this.env, request);
  }
}

export class Service extends WorkerEntrypoint {
  fetch(request) {
    return handle(this.env, request);
  }
}

// Fetches, gives up after a while and returns what happened there.
async function giveUp(stub, path, reason) {
  const search = '?' + last++;
  const log = logs[search] = [];
  const controller = new AbortController();
  scheduler.wait(10).then(() => controller.abort(reason));
  await assert.rejects(stub.fetch('http://x/' + path + search, { signal: controller.signal }));
  await scheduler.wait(400);
  return log;
}

// An object hears of it and goes on; the reason stays at home.
export const object = {
  async test(ctrl, env) {
    for (const reason of [undefined, 'why']) {
      assert.deepStrictEqual(await giveUp(env.Obj.getByName('x'), 'plain', reason),
        ['start /plain', ...(env.told ? [gone] : []), 'end /plain']);
    }
  },
};

// A service hears of it; whether it goes on is another matter.
export const service = {
  async test(ctrl, env, ctx) {
    const heard = await giveUp(ctx.exports.Service, 'plain');
    assert.deepStrictEqual(heard.filter((line) => !line.startsWith('end')), ['start /plain', ...(env.told ? [gone] : [])]);
  },
};

// Requests that the signal is given to.
for (const path of ['given', 'copied']) {
  handle[path] = {
    async test(ctrl, env) {
      const heard = await giveUp(env.Obj.getByName('x'), path);
      assert.strictEqual(heard.filter((line) => line === gone).length, env.passed ? 2 : env.told ? 1 : 0);
      assert.strictEqual(heard.includes('further AbortError,The client has disconnected,true'), env.passed);
      assert.strictEqual(heard.includes('end /leaf'), true);
    },
  };
}
export const given = handle.given;
export const copied = handle.copied;

// A response that is not read to its end. Of a service nothing goes on.
export const unread = {
  async test(ctrl, env, ctx) {
    for (const stub of [env.Obj.getByName('x'), ctx.exports.Service]) {
      const search = '?' + last++;
      const log = logs[search] = [];
      const response = await stub.fetch('http://x/stream' + search);
      const reader = response.body.getReader();
      await reader.read();
      await reader.cancel('enough');
      await scheduler.wait(50);
      if (stub === ctx.exports.Service) log.splice(env.told ? 2 : 1);
      else assert.strictEqual(log.pop(), 'write Error,Network connection lost.,true');
      assert.deepStrictEqual(log, ['start /stream', ...(env.told ? [gone] : [])]);
    }
  },
};

// Aborting what has been read to its end does nothing.
export const finished = {
  async test(ctrl, env, ctx) {
    for (const stub of [env.Obj.getByName('x'), ctx.exports.Service]) {
      const search = '?' + last++;
      const log = logs[search] = [];
      const controller = new AbortController();
      const response = await stub.fetch('http://x/plain' + search, { signal: controller.signal });
      assert.strictEqual(await response.text(), 'late');
      controller.abort();
      await scheduler.wait(5);
      assert.deepStrictEqual(log, ['start /plain', 'end /plain']);
    }
  },
};
