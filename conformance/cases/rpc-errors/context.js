// Rule: an I/O object belongs to the request or object that made it. Source:
// Cloudflare docs "Errors and exceptions: cannot perform I/O on behalf of a different request"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

let shared;

export class Obj extends DurableObject {
  make(kind) {
    shared = {
      stub: () => this.env.Obj.getByName('other'),
      response: () => new Response(new Blob(['x']).stream()),
      data: () => ({ plain: 1 }),
    }[kind]();
  }
  hello() {
    return 'hello';
  }
}

const message = (type) => 'Cannot perform I/O on behalf of a different request. I/O objects (such as streams, '
  + 'request/response bodies, and others) created in the context of one request handler cannot be accessed from a '
  + "different request's handler. This is a limitation of Cloudflare Workers which allows us to improve overall "
  + `performance. (I/O type: ${type})`;

// A stub of a namespace that another object made.
export const foreignStub = {
  async test(ctrl, env) {
    await env.Obj.getByName('maker').make('stub');
    await fails(() => shared.hello(), Error, message('OutgoingFactory'));
  },
};

// A response that another object made.
export const foreignResponse = {
  async test(ctrl, env) {
    await env.Obj.getByName('maker').make('response');
    await fails(() => shared.text(), Error, message('ReadableStreamSource>'));
  },
};

// Plain data may be shared.
export const plainData = {
  async test(ctrl, env) {
    await env.Obj.getByName('maker').make('data');
    assert.deepStrictEqual(shared, { plain: 1 });
  },
};
