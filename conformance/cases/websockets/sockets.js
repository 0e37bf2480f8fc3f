// Rule: WebSockets of an object, accepted plainly or for hibernation. Source:
// Cloudflare docs "Durable Objects: WebSockets", "WebSocket Hibernation API"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { throws } from 'failure.js';

const closes = [];

export class Plain extends DurableObject {
  fetch() {
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    server.addEventListener('message', ({ data }) => server.send('echo ' + data));
    return new Response(null, { status: 101, webSocket: client });
  }
}

export class Hibernating extends DurableObject {
  fetch(request) {
    const [client, server] = Object.values(new WebSocketPair());
    this.ctx.acceptWebSocket(server, ['tag', new URL(request.url).pathname]);
    server.serializeAttachment({ path: new URL(request.url).pathname });
    return new Response(null, { status: 101, webSocket: client });
  }
  webSocketMessage(socket, message) {
    if (message === 'tags') return socket.send(JSON.stringify(this.ctx.getTags(socket)));
    if (message === 'attachment') return socket.send(JSON.stringify(socket.deserializeAttachment()));
    if (message === 'throw') throw new Error('in handler');
    if (typeof message !== 'string') return socket.send(new Uint8Array(message).toReversed());
    socket.send('echo ' + message);
  }
  webSocketClose(socket, code, reason, wasClean) {
    closes.push([code, reason, wasClean, socket.readyState]);
    if (code === 1005) socket.close();
    else socket.close(code, 'answered');
  }
  count(tag) {
    return this.ctx.getWebSockets(tag).length;
  }
  auto(request, response) {
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(request, response));
  }
  tooManyTags() {
    const [, server] = Object.values(new WebSocketPair());
    throws(() => this.ctx.acceptWebSocket(server, Array.from({ length: 11 }, (_, i) => String(i))), Error,
      'a Hibernatable WebSocket cannot have more than 10 tags');
    return 'refused';
  }
}

async function connect(stub, path = '/') {
  const response = await stub.fetch('http://x' + path, { headers: { Upgrade: 'websocket' } });
  assert.strictEqual(response.status, 101);
  const socket = response.webSocket;
  socket.accept();
  return socket;
}

function closed(socket, ...args) {
  return new Promise((resolve) => {
    socket.addEventListener('close', ({ code, reason, wasClean }) => resolve({ code, reason, wasClean }));
    socket.close(...args);
  });
}

function ask(socket, message) {
  return new Promise((resolve) => {
    socket.addEventListener('message', (event) => resolve(event.data), { once: true });
    socket.send(message);
  });
}

// A plain socket.
export const plain = {
  async test(ctrl, env) {
    const socket = await connect(env.Plain.getByName('x'));
    assert.strictEqual(await ask(socket, 'hello'), 'echo hello');
    await closed(socket);
  },
};

// A hibernating socket: webSocketMessage answers.
export const hibernating = {
  async test(ctrl, env) {
    const socket = await connect(env.Hibernating.getByName('x'));
    assert.strictEqual(await ask(socket, 'hello'), 'echo hello');
    await closed(socket);
  },
};

// Tags and attachment.
export const tagsAndAttachment = {
  async test(ctrl, env) {
    const socket = await connect(env.Hibernating.getByName('tags'), '/room');
    assert.strictEqual(await ask(socket, 'tags'), '["tag","/room"]');
    assert.strictEqual(await ask(socket, 'attachment'), '{"path":"/room"}');
    await closed(socket);
  },
};

// getWebSockets by tag.
export const byTag = {
  async test(ctrl, env) {
    const stub = env.Hibernating.getByName('by tag');
    const sockets = [await connect(stub, '/a'), await connect(stub, '/b')];
    assert.deepStrictEqual([await stub.count(), await stub.count('tag'), await stub.count('/a'), await stub.count('none')],
      [2, 2, 1, 0]);
    for (const socket of sockets) await closed(socket);
  },
};

// A handler that throws does not close the socket.
export const throwingHandler = {
  async test(ctrl, env) {
    const socket = await connect(env.Hibernating.getByName('throws'));
    socket.send('throw');
    assert.strictEqual(await ask(socket, 'still here'), 'echo still here');
    await closed(socket);
  },
};

// Automatic responses.
export const autoResponse = {
  async test(ctrl, env) {
    const stub = env.Hibernating.getByName('auto');
    await stub.auto('ping', 'pong');
    const socket = await connect(stub);
    assert.strictEqual(await ask(socket, 'ping'), 'pong');
    assert.strictEqual(await ask(socket, 'other'), 'echo other');
    await closed(socket);
  },
};

// A close: webSocketClose sees it, and its answer comes back.
export const close = {
  async test(ctrl, env) {
    const socket = await connect(env.Hibernating.getByName('close'));
    assert.deepStrictEqual(await closed(socket, 4001, 'my reason'), { code: 4001, reason: 'answered', wasClean: true });
    assert.deepStrictEqual(closes.filter((c) => c[0] === 4001), [[4001, 'my reason', true, 2]]);
  },
};

// Binary messages arrive as ArrayBuffers.
export const binary = {
  async test(ctrl, env) {
    const socket = await connect(env.Hibernating.getByName('binary'));
    socket.binaryType = 'arraybuffer';
    assert.deepStrictEqual([...new Uint8Array(await ask(socket, new Uint8Array([1, 2, 3])))], [3, 2, 1]);
    await closed(socket);
  },
};

// More than ten tags.
export const tooManyTags = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Hibernating.getByName('many').tooManyTags(), 'refused');
  },
};
