// node:assert and node:assert/strict. The real runtime compares strictly in
// both, so equal is strictEqual and deepEqual is deepStrictEqual.
(function (require, host) {
  "use strict";
  const { inspect } = require("internal:inspect");
  const { isDeepStrictEqual, isPartialMatch } = require("internal:deepequal");
  const { AssertionError } = require("internal:assertion_error");
  const { listed } = require("internal:assert_diff");
  const { NodeTypeError, received } = require("internal:errors");
  const { types } = require("internal:kinds");

  function invalidArg(name, wanted, value) {
    return new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be ${wanted}.${received(value)}`);
  }

  function needBoth(args) {
    if (args.length < 2) throw new NodeTypeError("ERR_MISSING_ARGS", 'The "actual" and "expected" arguments must be specified');
  }

  function ok(...args) {
    if (args.length === 0) throw new AssertionError({ message: "No value argument passed to `assert.ok()`" });
    const [value, message] = args;
    if (!value) throw new AssertionError({ message, actual: value, expected: true, operator: "==" });
  }

  function assert(...args) {
    ok(...args);
  }

  function fail(message) {
    // Whatever is no text is thrown as it is, numbers too: so the real one does.
    if (message !== undefined && message !== null && typeof message !== "string") throw message;
    const err = new AssertionError({ message: message ?? "Failed", operator: "fail" });
    err.generatedMessage = !message;
    throw err;
  }

  function compareStrictly(actual, expected, message) {
    if (Object.is(actual, expected)) return;
    if (!message) {
      const text = inspect(actual);
      message = text === inspect(expected)
        ? `Values have the same structure but are not reference-equal:\n\n${text.replace(/^/gm, "    ")}\n`
        : `Values are not strictly equal:${listed(actual, expected)}`;
    }
    throw new AssertionError({ message: `${message}`, actual, expected, operator: "strictEqual" });
  }

  function strictEqual(actual, expected, message) {
    needBoth(arguments);
    compareStrictly(actual, expected, message);
  }

  function equal(actual, expected, message) {
    compareStrictly(actual, expected, message);
  }

  // The comparisons that have one fixed text.
  function check(good, fallback, operator) {
    return function (actual, expected, message) {
      if (operator !== "notEqual") needBoth(arguments);
      if (good(actual, expected)) return;
      throw new AssertionError({ message: message || fallback, actual, expected, operator });
    };
  }
  const notStrict = "Expected actual to be strictly unequal to expected";
  const notDeep = "Expected actual to not be deeply strictly equal to expected";
  const notStrictEqual = check((a, b) => !Object.is(a, b), notStrict, "notStrictEqual");
  const notDeepStrictEqual = check((a, b) => !isDeepStrictEqual(a, b), notDeep, "notDeepStrictEqual");
  const partialDeepStrictEqual = check(isPartialMatch,
    "Expected actual to be partially deeply strictly equal to expected", "partialDeepStrictEqual");

  function compareDeeply(actual, expected, message) {
    if (!isDeepStrictEqual(actual, expected)) {
      throw new AssertionError({ message, actual, expected, operator: "deepStrictEqual" });
    }
  }

  function deepStrictEqual(actual, expected, message) {
    needBoth(arguments);
    compareDeeply(actual, expected, message);
  }

  function deepEqual(actual, expected, message) {
    compareDeeply(actual, expected, message);
  }

  function notEqual(actual, expected, message) {
    if (Object.is(actual, expected)) {
      throw new AssertionError({ message: message || notStrict, actual, expected, operator: "notStrictEqual" });
    }
  }

  function notDeepEqual(actual, expected, message) {
    if (isDeepStrictEqual(actual, expected)) {
      throw new AssertionError({ message: message || notDeep, actual, expected, operator: "notDeepStrictEqual" });
    }
  }

  function match(actual, regexp, message) {
    if (!types.isRegExp(regexp)) throw invalidArg("regexp", "an instance of RegExp", regexp);
    if (regexp.test(actual)) return;
    message = message || `actual: "${actual}" expected to match: "${regexp}"`;
    throw new AssertionError({ message, actual, expected: regexp, operator: "match" });
  }

  function doesNotMatch(string, regexp, message) {
    if (!types.isRegExp(regexp)) throw invalidArg("regexp", "an instance of RegExp", regexp);
    if (typeof string === "string" && !regexp.test(string)) return;
    message = message || (typeof string === "string"
      ? `actual: "${string}" expected to not match: "${regexp}"`
      : `The "string" argument must be of type string.${received(string)}`);
    throw new AssertionError({ message, actual: string, expected: regexp, operator: "doesNotMatch" });
  }

  function ifError(value) {
    if (value === null || value === undefined) return;
    let text;
    if (typeof value === "object" && typeof value.message === "string") {
      text = value.message === "" && value.constructor ? value.constructor.name : value.message;
    } else text = inspect(value);
    const err = new AssertionError({ message: `ifError got unwanted exception: ${text}`, actual: value, expected: null, operator: "ifError" });
    err.generatedMessage = false;
    throw err;
  }

  // outcome runs the function under test.
  function outcome(fn) {
    if (typeof fn !== "function") throw invalidArg("fn", "of type function", fn);
    try {
      fn();
    } catch (error) {
      return { threw: true, error };
    }
    return { threw: false };
  }

  function isThenable(v) {
    // A function counts too: the promise of a call to an object is callable.
    return types.isPromise(v) || ((typeof v === "object" ? v !== null : typeof v === "function") && typeof v.then === "function");
  }

  async function asyncOutcome(promiseFn) {
    let promise;
    if (typeof promiseFn === "function") {
      promise = promiseFn();
      if (!isThenable(promise)) {
        throw new NodeTypeError("ERR_INVALID_RETURN_VALUE", 'Expected instance of Promise to be returned from the ' +
          `"promiseFn" function but got ${received(promise).replace(" Received ", "")}.`);
      }
    } else if (isThenable(promiseFn)) promise = promiseFn;
    else throw invalidArg("promiseFn", "of type function or an instance of Promise", promiseFn);
    try {
      await promise;
    } catch (error) {
      return { threw: true, error };
    }
    return { threw: false };
  }

  function nameOf(v) {
    return v === null || v === undefined ? "undefined" : v.constructor === undefined ? "undefined" : v.constructor.name;
  }

  function failed(message, error, expected, operator) {
    const err = new AssertionError({ message, actual: error, expected, operator });
    err.generatedMessage = true;
    return err;
  }

  function validate(error, expected, operator) {
    if (types.isRegExp(expected)) {
      const text = String(error);
      if (expected.test(text)) return;
      throw failed(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`,
        error, expected, operator);
    }
    if (typeof expected === "function") {
      if (expected.prototype !== undefined && error instanceof expected) return;
      if (expected === Error || Error.isPrototypeOf(expected)) {
        throw failed(`The error is expected to be an instance of "${expected.name}". Received "${nameOf(error)}"` +
          `\n\nError message:\n\n${error?.message}`, error, expected, operator);
      }
      const verdict = expected.call({}, error);
      if (verdict === true) return;
      throw failed(`The validation function is expected to return "true". Received ${inspect(verdict)}` +
        `\n\nCaught error:\n\n${error}`, error, expected, operator);
    }
    validateObject(error, expected, operator);
  }

  function validateObject(error, expected, operator) {
    if (expected === null) throw failed(`Invalid expectation: ${expected}`, error, expected, operator);
    if (typeof error !== "object" || error === null) {
      const what = error === null ? "null" : `${typeof error}: ${error}`;
      throw failed(`object is expected to thrown, but got ${what}`, error, expected, operator);
    }
    const keys = Object.keys(expected);
    if (expected instanceof Error) keys.push("name", "message");
    else if (keys.length === 0 && !Array.isArray(expected)) {
      throw new NodeTypeError("ERR_INVALID_ARG_VALUE", `The argument 'error' may not be an empty object. Received {}`);
    }
    for (const key of keys) {
      if (!(key in error)) throw failed(`A key in the expected object is missing: ${key}`, error, expected, operator);
      if (types.isRegExp(expected[key]) && typeof error[key] === "string") match(error[key], expected[key]);
      else compareDeeply(error[key], expected[key]);
    }
  }

  // expectation sorts out (error, message): a string in the place of the
  // error is the message, and one that equals the error's is a mistake. rejects
  // is lenient: it lets undefined stand before a message.
  function expectation(args, result, lenient) {
    let [expected, message] = args;
    const bad = () => invalidArg("error", "of type function or an instance of Error, RegExp, or Object", expected);
    if (args.length > 1 && (typeof expected === "string" || (expected === undefined && !lenient))) throw bad();
    if (typeof expected === "string") {
      message = expected;
      expected = undefined;
      if (result.threw) {
        const { error } = result;
        if (typeof error === "object" && error !== null ? error.message === message : error === message) {
          const what = typeof error === "object" ? `error message "${error.message}"` : `error "${error}"`;
          throw new NodeTypeError("ERR_AMBIGUOUS_ARGUMENT",
            `The "error/message" argument is ambiguous. The ${what} is identical to the message.`);
        }
      }
    } else if (expected !== undefined && typeof expected !== "object" && typeof expected !== "function") throw bad();
    return { expected, message };
  }

  function expectThrow(result, args, operator) {
    const { expected, message } = expectation(args, result, operator === "rejects");
    if (!result.threw) {
      const wanted = typeof expected === "function" && expected.name ? ` (${expected.name})` : "";
      const kind = operator === "rejects" ? "rejection" : "exception";
      const tail = message !== undefined && !(operator === "rejects" && args.length > 1) ? `: ${message}` : "";
      const end = wanted === "" && tail === "" || (operator === "rejects" && wanted !== "") || tail === "" ? "." : "";
      const err = new AssertionError({
        message: `Missing expected ${kind}${wanted}${tail}${end}`, actual: undefined, expected, operator,
      });
      err.generatedMessage = operator === "rejects";
      throw err;
    }
    if (expected !== undefined) validate(result.error, expected, operator);
  }

  function throws(fn, ...args) {
    expectThrow(outcome(fn), args, "throws");
  }

  async function rejects(promiseFn, ...args) {
    expectThrow(await asyncOutcome(promiseFn), args, "rejects");
  }

  function expectNone(result, fn, [expected, message], operator) {
    if (!result.threw) return;
    if (typeof expected === "string") {
      message = expected;
      expected = undefined;
    }
    if (expected !== undefined && typeof expected !== "function" && !types.isRegExp(expected)) {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", 'The "expected" argument must be of type function or an ' +
        `instance of RegExp. Received type ${typeof fn} (${inspect(fn)})`);
    }
    const { error } = result;
    if (typeof expected === "function") {
      if (!(error instanceof expected)) throw error;
      const text = `Got unwanted exception: ${expected.name}${message ? ` ${message}` : ""}`;
      throw new AssertionError({ message: text, actual: error, expected, operator });
    }
    const text = `Got unwanted exception${message ? `: ${message}` : "."}\nActual message: "${error?.message}"`;
    throw new AssertionError({ message: text, actual: error, expected, operator });
  }

  function doesNotThrow(fn, ...args) {
    expectNone(outcome(fn), fn, args, "doesNotThrow");
  }

  async function doesNotReject(promiseFn, ...args) {
    expectNone(await asyncOutcome(promiseFn), promiseFn, args, "doesNotReject");
  }

  const members = {
    fail, deepStrictEqual, notDeepStrictEqual, strictEqual, notStrictEqual, partialDeepStrictEqual, match,
    doesNotMatch, throws, rejects, doesNotThrow, doesNotReject, ifError,
  };
  // An instance has the same functions, bound to nothing.
  class AssertInstance {
    constructor(options) {
      if (options !== undefined && (typeof options !== "object" || options === null)) {
        throw invalidArg("options", "of type object", options);
      }
      Object.assign(this, members, { ok, equal, notEqual, deepEqual, notDeepEqual, AssertionError });
    }
  }
  // A plain function can tell that it was called without new, as the real one.
  function Assert(options) {
    if (new.target === undefined) {
      throw new NodeTypeError("ERR_CONSTRUCT_CALL_REQUIRED", "Class constructor Assert cannot be invoked without `new`");
    }
    return Reflect.construct(AssertInstance, [options], new.target);
  }
  Assert.prototype = AssertInstance.prototype;
  Object.defineProperty(Assert.prototype, "constructor", { value: Assert, writable: true, configurable: true });
  Object.assign(assert, members, { Assert, AssertionError, ok: assert });
  function strict(...args) {
    ok(...args);
  }
  Object.assign(strict, assert, { equal: strictEqual, deepEqual: deepStrictEqual, notEqual: notStrictEqual,
    notDeepEqual: notDeepStrictEqual, ok: strict, strict });
  Object.assign(assert, { strict, equal, notEqual, deepEqual, notDeepEqual });
  return Object.assign({}, members, {
    Assert, AssertionError, ok: assert, strict, equal, notEqual, deepEqual, notDeepEqual, default: assert,
  });
})
