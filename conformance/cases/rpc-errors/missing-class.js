// Rule: a namespace whose class the module does not export. Source: workerd behaviour.
import { fails } from 'failure.js';

const internal = /^internal error; reference = [0-9a-z]{24}$/;

// An RPC call.
export const call = {
  async test(ctrl, env) {
    await fails(() => env.Missing.getByName('x').anything(), Error, internal, { durableObjectReset: true });
  },
};

// A fetch: without remote, unlike a constructor that throws.
export const fetchCall = {
  async test(ctrl, env) {
    await fails(() => env.Missing.getByName('x').fetch('http://x/'), Error, internal, { durableObjectReset: true });
  },
};
