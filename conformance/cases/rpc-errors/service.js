// Rule: errors of a service (WorkerEntrypoint), for comparison with objects.
// Source: workerd behaviour; Cloudflare docs "Service bindings: RPC".
import { WorkerEntrypoint } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Service extends WorkerEntrypoint {
  field = 1;
  fail() {
    throw new RangeError('m');
  }
  failObject() {
    throw { a: 1 };
  }
  abort() {
    this.ctx.abort('aborted');
  }
  hang() {
    return new Promise(() => {});
  }
  fetch(request) {
    if (request.url.endsWith('/throw')) throw new RangeError('in fetch');
    if (request.url.endsWith('/async')) return Promise.resolve('no response');
    return 'no response';
  }
}

// A throw: remote, and no durableObjectId.
export const throwsError = {
  async test(ctrl, env) {
    await fails(() => env.Service.fail(), RangeError, 'm', { remote: true });
  },
};

// A thrown object.
export const throwsObject = {
  async test(ctrl, env) {
    await fails(() => env.Service.failObject(), Object, undefined, { a: 1, remote: true });
  },
};

// ctx.abort(): no properties.
export const abort = {
  async test(ctrl, env) {
    await fails(() => env.Service.abort(), Error, 'aborted');
  },
};

// A method that never settles is found out.
export const hang = {
  async test(ctrl, env) {
    await fails(() => env.Service.hang(), Error,
      "The Workers runtime canceled this request because it detected that your Worker's code had hung and would never "
      + 'generate a response. Refer to: https://developers.cloudflare.com/workers/observability/errors/');
  },
};

// Missing and own names.
export const names = {
  async test(ctrl, env) {
    await fails(() => env.Service.none(), TypeError, 'The RPC receiver does not implement the method "none".', { remote: true });
    await fails(() => env.Service.field, TypeError, 'The RPC receiver does not implement the method "field".', { remote: true });
  },
};

// A throw in fetch comes through a service binding as an error, never as a 500.
export const fetchThrows = {
  async test(ctrl, env) {
    await fails(() => env.Service.fetch('http://x/throw'), RangeError, 'in fetch', { remote: true });
  },
};

// What is not a Response, by a promise or at once.
export const fetchNotResponse = {
  async test(ctrl, env) {
    await fails(() => env.Service.fetch('http://x/async'), TypeError,
      "Incorrect type for Promise: the Promise did not resolve to 'Response'.", { remote: true });
    await fails(() => env.Service.fetch('http://x/'), TypeError,
      "Callback returned incorrect type; expected 'Promise'", { remote: true });
  },
};
