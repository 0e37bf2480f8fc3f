// node:util.
(function (require, host) {
  "use strict";
  const { inspect } = require("internal:inspect");
  const { format, formatWithOptions } = require("internal:format");
  const { strip } = require("internal:inspect_text");
  const { types } = require("internal:kinds");
  const { isDeepStrictEqual } = require("internal:deepequal");
  const { NodeError, NodeTypeError, received } = require("internal:errors");
  const { styleText } = require("internal:style_text");

  function invalidArg(name, wanted, value) {
    return new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be ${wanted}.${received(value)}`);
  }

  function needFunction(fn, name) {
    if (typeof fn !== "function") throw invalidArg(name, "of type function", fn);
  }

  // What this runtime lacks says so by name when it is called, or constructed.
  function absent(name) {
    const fn = function () {
      throw new NodeError("ERR_METHOD_NOT_IMPLEMENTED", `The util.${name} method is not implemented`);
    };
    return Object.defineProperty(fn, "name", { value: name, configurable: true });
  }

  const customPromisify = Symbol.for("nodejs.util.promisify.custom");

  function promisify(original) {
    needFunction(original, "original");
    const own = original[customPromisify];
    if (own) {
      needFunction(own, "util.promisify.custom");
      return Object.defineProperty(own, customPromisify, { value: own, enumerable: false, writable: false, configurable: true });
    }
    function fn(...args) {
      return new Promise((resolve, reject) => {
        original.call(this, ...args, (err, value) => {
          if (err) reject(err);
          else resolve(value);
        });
      });
    }
    Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
    Object.defineProperty(fn, customPromisify, { value: fn, enumerable: false, writable: false, configurable: true });
    return Object.defineProperties(fn, Object.getOwnPropertyDescriptors(original));
  }
  promisify.custom = customPromisify;

  function later(fn) {
    if (typeof process === "object" && typeof process?.nextTick === "function") process.nextTick(fn);
    else if (typeof queueMicrotask === "function") queueMicrotask(fn);
    else Promise.resolve().then(fn);
  }

  function callbackify(original) {
    needFunction(original, "original");
    function callbackified(...args) {
      const done = args.pop();
      if (typeof done !== "function") {
        throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The last argument must be of type function.${received(done)}`);
      }
      const cb = done.bind(this);
      Reflect.apply(original, this, args).then(
        (value) => later(() => cb(null, value)),
        (reason) => {
          if (!reason) {
            const err = new NodeError("ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value");
            err.reason = reason;
            reason = err;
          }
          later(() => cb(reason));
        },
      );
    }
    const props = Object.getOwnPropertyDescriptors(original);
    if (typeof props.length.value === "number") props.length.value++;
    if (typeof props.name.value === "string") props.name.value += "Callbackified";
    for (const key of Reflect.ownKeys(props)) Object.setPrototypeOf(props[key], null);
    Object.defineProperties(callbackified, props);
    return callbackified;
  }

  function inherits(ctor, superCtor) {
    if (ctor === undefined || ctor === null) throw invalidArg("ctor", "of type function", ctor);
    if (superCtor === undefined || superCtor === null) throw invalidArg("superCtor", "of type function", superCtor);
    if (superCtor.prototype === undefined) {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
        `The "superCtor.prototype" property must be of type object.${received(superCtor.prototype)}`);
    }
    Object.defineProperty(ctor, "super_", { value: superCtor, writable: true, configurable: true });
    Object.setPrototypeOf(ctor.prototype, superCtor.prototype);
  }

  function _extend(target, source) {
    return source === null || typeof source !== "object" ? target : Object.assign(target, source);
  }

  // deprecate keeps the function; a warning has nowhere to go in a Worker.
  function deprecate(fn) {
    needFunction(fn, "fn");
    return fn;
  }

  function debuglog() {
    return Object.assign(() => {}, { enabled: false });
  }

  function toUSVString(input) {
    return String(input).replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (s) => (s.length === 2 ? s : "\ufffd"));
  }

  function aborted(signal, resource) {
    if (signal === null || typeof signal !== "object" || !("aborted" in signal)) {
      return Promise.reject(invalidArg("signal", "an instance of AbortSignal", signal));
    }
    if (resource === null || typeof resource !== "object" && typeof resource !== "function") {
      return Promise.reject(invalidArg("resource", "of type object", resource));
    }
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  function stripVTControlCharacters(str) {
    if (typeof str !== "string") throw invalidArg("str", "of type string", str);
    return strip(str);
  }


  const util = {
    types,
    callbackify,
    promisify,
    inspect,
    format,
    formatWithOptions,
    stripVTControlCharacters,
    inherits,
    _extend,
    MIMEParams: absent("MIMEParams"),
    MIMEType: absent("MIMEType"),
    toUSVString,
    log: (...args) => console.log(format(...args)),
    aborted,
    debuglog,
    debug: debuglog,
    deprecate,
    getSystemErrorMap: absent("getSystemErrorMap"),
    getSystemErrorMessage: absent("getSystemErrorMessage"),
    getSystemErrorName: absent("getSystemErrorName"),
    TextEncoder: globalThis.TextEncoder,
    TextDecoder: globalThis.TextDecoder,
    parseArgs: absent("parseArgs"),
    parseEnv: absent("parseEnv"),
    styleText,
    transferableAbortController: absent("transferableAbortController"),
    transferableAbortSignal: absent("transferableAbortSignal"),
    getCallSite: absent("getCallSite"),
    getCallSites: absent("getCallSites"),
    isDeepStrictEqual,
    convertProcessSignalToExitCode: absent("convertProcessSignalToExitCode"),
    setTraceSigInt: absent("setTraceSigInt"),
    diff: absent("diff"),
    _errnoException: absent("_errnoException"),
    _exceptionWithHostPort: absent("_exceptionWithHostPort"),
    isArray: Array.isArray,
    isBoolean: (v) => typeof v === "boolean",
    isBuffer: (v) => require("node:buffer").Buffer.isBuffer(v),
    isDate: types.isDate,
    isError: (v) => types.isNativeError(v) || v instanceof Error,
    isFunction: (v) => typeof v === "function",
    isNull: (v) => v === null,
    isNullOrUndefined: (v) => v === null || v === undefined,
    isNumber: (v) => typeof v === "number",
    isObject: (v) => v !== null && typeof v === "object",
    isPrimitive: (v) => v === null || (typeof v !== "object" && typeof v !== "function"),
    isRegExp: types.isRegExp,
    isString: (v) => typeof v === "string",
    isSymbol: (v) => typeof v === "symbol",
    isUndefined: (v) => v === undefined,
  };
  return Object.assign({}, util, { default: util });
})
