// Rule: functions of an object-style export as RPC methods: exactly one argument.
// Source: Cloudflare docs "Remote-procedure call (RPC)"; workerd behaviour.
import assert from 'node:assert';
import { fails } from 'failure.js';

export const handlers = {
  one(value, env, ctx) {
    return ['one', value, typeof env, typeof ctx];
  },
  none() {
    return arguments.length;
  },
  four(a, b, c, d) {
    return [a, b, c, d];
  },
};

// One argument: the handler also gets env and ctx.
export const oneArgument = {
  async test(ctrl, env, ctx) {
    assert.deepStrictEqual(await ctx.exports.handlers.one(5), ['one', 5, 'object', 'object']);
  },
};

// It gets all three whatever it declares, up to three.
export const fewerDeclared = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(await ctx.exports.handlers.none(5), 3);
  },
};

const wrongNumber = 'Attempted to call RPC function "one" with the wrong number of arguments. When calling a top-level '
  + 'handler function that is not declared as part of a class, you must always send exactly one argument. In order to '
  + 'support variable numbers of arguments, the server must use class-based syntax (extending WorkerEntrypoint) instead.';

// No argument is refused.
export const noArgument = {
  async test(ctrl, env, ctx) {
    await fails(() => ctx.exports.handlers.one(), TypeError, wrongNumber, { remote: true });
  },
};

// So are two.
export const twoArguments = {
  async test(ctrl, env, ctx) {
    await fails(() => ctx.exports.handlers.one(1, 2), TypeError, wrongNumber, { remote: true });
  },
};

// A handler that declares more than three parameters cannot be called.
export const fourDeclared = {
  async test(ctrl, env, ctx) {
    await fails(() => ctx.exports.handlers.four(1), TypeError,
      'Cannot call handler function "four" over RPC because it has the wrong number of arguments. A simple function '
      + 'handler can only be called over RPC if it has exactly the arguments (arg, env, ctx), where only the first '
      + 'argument comes from the client. To support multi-argument RPC functions, use class-based syntax (extending '
      + 'WorkerEntrypoint) instead.', { remote: true });
  },
};
