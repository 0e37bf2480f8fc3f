// The parts of node:events that wait: once, on and addAbortListener. They take
// an EventEmitter or an EventTarget.
(function (require, host) {
  "use strict";
  const { NodeTypeError, received } = require("internal:errors");

  function abortError(signal) {
    const err = new Error("The operation was aborted");
    err.name = "AbortError";
    err.code = "ABORT_ERR";
    if (signal?.reason !== undefined) err.cause = signal.reason;
    return err;
  }

  function needSignal(signal) {
    if (signal !== undefined && (signal === null || typeof signal !== "object" || !("aborted" in signal))) {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
        `The "options.signal" argument must be an instance of AbortSignal.${received(signal)}`);
    }
  }

  function attach(target, type, fn, once) {
    if (typeof target?.on === "function") {
      if (once) target.once(type, fn);
      else target.on(type, fn);
    } else if (typeof target?.addEventListener === "function") target.addEventListener(type, fn, { once });
    else {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
        `The "emitter" argument must be an instance of EventEmitter.${received(target)}`);
    }
  }

  function detach(target, type, fn) {
    if (typeof target.removeListener === "function") target.removeListener(type, fn);
    else target.removeEventListener(type, fn);
  }

  async function once(emitter, type, options) {
    const signal = options?.signal;
    needSignal(signal);
    if (signal?.aborted) throw abortError(signal);
    return new Promise((resolve, reject) => {
      const isEmitter = typeof emitter?.on === "function";
      const cleanup = () => {
        if (isEmitter && type !== "error") detach(emitter, "error", failed);
        signal?.removeEventListener?.("abort", stopped);
      };
      const failed = (err) => {
        detach(emitter, type, done);
        cleanup();
        reject(err);
      };
      const done = (...args) => {
        cleanup();
        resolve(args);
      };
      const stopped = () => {
        detach(emitter, type, done);
        cleanup();
        reject(abortError(signal));
      };
      attach(emitter, type, done, true);
      if (isEmitter && type !== "error") emitter.once("error", failed);
      signal?.addEventListener?.("abort", stopped, { once: true });
    });
  }

  function on(emitter, type, options) {
    const signal = options?.signal;
    needSignal(signal);
    if (signal?.aborted) throw abortError(signal);
    const events = [];
    const waiting = [];
    let error = null;
    let finished = false;

    const arrived = (...args) => {
      const w = waiting.shift();
      if (w) w.resolve({ value: args, done: false });
      else events.push(args);
    };
    const failed = (err) => {
      const w = waiting.shift();
      if (w) w.reject(err);
      else error = { err };
      finish();
    };
    const stopped = () => failed(abortError(signal));
    const ended = () => finish();
    function finish() {
      detach(emitter, type, arrived);
      if (typeof emitter.on === "function") detach(emitter, "error", failed);
      for (const name of options?.close ?? []) detach(emitter, name, ended);
      signal?.removeEventListener?.("abort", stopped);
      finished = true;
      for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true });
      return Promise.resolve({ value: undefined, done: true });
    }
    const iterator = {
      next() {
        if (events.length > 0) return Promise.resolve({ value: events.shift(), done: false });
        if (error !== null) {
          const { err } = error;
          error = null;
          return Promise.reject(err);
        }
        if (finished) return Promise.resolve({ value: undefined, done: true });
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      },
      return: finish,
      throw(err) {
        if (!(err instanceof Error)) {
          throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
            `The "EventEmitter.AsyncIterator" argument must be an instance of Error.${received(err)}`);
        }
        error = { err };
        finish();
      },
    };
    if (Symbol.asyncIterator) iterator[Symbol.asyncIterator] = function () { return this; };
    attach(emitter, type, arrived, false);
    if (type !== "error" && typeof emitter.on === "function") emitter.on("error", failed);
    for (const name of options?.close ?? []) attach(emitter, name, ended, false);
    signal?.addEventListener?.("abort", stopped, { once: true });
    return iterator;
  }

  function addAbortListener(signal, listener) {
    if (signal === undefined) {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
        `The "signal" argument must be an instance of AbortSignal.${received(signal)}`);
    }
    needSignal(signal);
    if (typeof listener !== "function") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "listener" argument must be of type function.${received(listener)}`);
    }
    let remove;
    if (signal.aborted) queueMicrotask(() => listener());
    else {
      signal.addEventListener("abort", listener, { once: true });
      remove = () => signal.removeEventListener("abort", listener);
    }
    const out = {};
    if (Symbol.dispose) out[Symbol.dispose] = () => remove?.();
    return out;
  }

  return { on, once, addAbortListener };
})
