// node:events: EventEmitter.
(function (require, host) {
  "use strict";
  const { NodeError, NodeTypeError, outOfRange, received } = require("internal:errors");
  const { inspect } = require("internal:inspect");
  const { on, once, addAbortListener } = require("internal:events_async");

  const capture = Symbol("kCapture");
  const errorMonitor = Symbol("events.errorMonitor");
  const captureRejectionSymbol = Symbol.for("nodejs.rejection");
  let defaultMax = 10;
  let captureAll = false;

  function needListener(fn, name = "listener") {
    if (typeof fn !== "function") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type function.${received(fn)}`);
    }
  }

  function needCount(n, name) {
    if (typeof n !== "number" || n < 0 || Number.isNaN(n)) {
      throw outOfRange(name, "a non-negative number", n);
    }
  }

  function EventEmitter(options) {
    EventEmitter.init.call(this, options);
  }
  EventEmitter.prototype._events = undefined;
  EventEmitter.prototype._eventsCount = 0;
  EventEmitter.prototype._maxListeners = undefined;

  EventEmitter.init = function (options) {
    if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
      this._events = Object.create(null);
      this._eventsCount = 0;
    }
    this._maxListeners = this._maxListeners || undefined;
    this.domain = null;
    if (options?.captureRejections) {
      if (typeof options.captureRejections !== "boolean") {
        throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
          `The "options.captureRejections" argument must be of type boolean.${received(options.captureRejections)}`);
      }
      this[capture] = true;
    } else {
      this[capture] = captureAll;
    }
  };

  // Methods show up in listings, as they did when prototypes were filled by
  // assignment; code that copies them with for-in depends on it.
  const methods = {
    setMaxListeners(n) {
      needCount(n, "n");
      this._maxListeners = n;
      return this;
    },
    getMaxListeners() {
      return maxOf(this);
    },
    emit(type, ...args) {
      return emit(this, type, args);
    },
    addListener(type, listener) {
      return add(this, type, listener, false);
    },
    on: undefined,
    prependListener(type, listener) {
      return add(this, type, listener, true);
    },
    once(type, listener) {
      needListener(listener);
      return this.on(type, onceWrap(this, type, listener));
    },
    prependOnceListener(type, listener) {
      needListener(listener);
      return this.prependListener(type, onceWrap(this, type, listener));
    },
    removeListener(type, listener) {
      needListener(listener);
      const list = this._events?.[type];
      if (list === undefined) return this;
      const all = typeof list === "function" ? [list] : list;
      let at = all.length - 1;
      while (at >= 0 && all[at] !== listener && all[at].listener !== listener) at--;
      if (at < 0) return this;
      const gone = all[at];
      const left = all.slice(0, at).concat(all.slice(at + 1));
      if (left.length === 0) {
        delete this._events[type];
        this._eventsCount--;
      } else this._events[type] = left.length === 1 ? left[0] : left;
      if (this._events.removeListener !== undefined) this.emit("removeListener", type, gone.listener || listener);
      return this;
    },
    off: undefined,
    removeAllListeners(type) {
      const events = this._events;
      if (events === undefined) return this;
      if (events.removeListener === undefined) {
        if (arguments.length === 0) {
          this._events = Object.create(null);
          this._eventsCount = 0;
        } else if (events[type] !== undefined) {
          delete events[type];
          this._eventsCount--;
        }
        return this;
      }
      if (arguments.length === 0) {
        for (const key of Reflect.ownKeys(events)) if (key !== "removeListener") this.removeAllListeners(key);
        this.removeAllListeners("removeListener");
        this._events = Object.create(null);
        this._eventsCount = 0;
        return this;
      }
      const list = events[type];
      if (typeof list === "function") this.removeListener(type, list);
      else if (list !== undefined) for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
      return this;
    },
    listeners(type) {
      return listOf(this, type).map((fn) => fn.listener || fn);
    },
    rawListeners(type) {
      return listOf(this, type);
    },
    listenerCount(type, listener) {
      const all = listOf(this, type);
      if (listener === undefined || listener === null) return all.length;
      return all.filter((fn) => fn === listener || fn.listener === listener).length;
    },
    eventNames() {
      return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [];
    },
  };
  Object.assign(EventEmitter.prototype, methods);
  EventEmitter.prototype.on = EventEmitter.prototype.addListener;
  EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

  function maxOf(emitter) {
    return emitter._maxListeners === undefined ? defaultMax : emitter._maxListeners;
  }

  function listOf(emitter, type) {
    const list = emitter._events?.[type];
    if (list === undefined) return [];
    return typeof list === "function" ? [list] : list.slice();
  }

  function add(emitter, type, listener, first) {
    needListener(listener);
    if (emitter._events === undefined) {
      emitter._events = Object.create(null);
      emitter._eventsCount = 0;
    } else if (emitter._events.newListener !== undefined) {
      // Before it is added, so that one for "newListener" is not told of itself.
      emitter.emit("newListener", type, listener.listener ?? listener);
    }
    const list = emitter._events[type];
    if (list === undefined) {
      emitter._events[type] = listener;
      emitter._eventsCount++;
      return emitter;
    }
    const all = typeof list === "function" ? [list] : list.slice();
    if (first) all.unshift(listener);
    else all.push(listener);
    emitter._events[type] = all;
    const max = maxOf(emitter);
    if (list.warned) all.warned = true;
    else if (max > 0 && all.length > max) {
      all.warned = true;
      if (typeof console === "object" && typeof console.log === "function") {
        console.log("Possible EventEmitter memory leak detected. " +
          `${all.length} ${String(type)} listeners added to an EventEmitter. Use emitter.setMaxListeners() to increase limit`);
      }
    }
    return emitter;
  }

  function onceWrap(target, type, listener) {
    let fired = false;
    const wrapped = function onceWrapper(...args) {
      if (fired) return undefined;
      target.removeListener(type, wrapped);
      fired = true;
      return Reflect.apply(listener, target, args);
    }.bind(undefined);
    wrapped.listener = listener;
    return wrapped;
  }

  function unhandled(args) {
    const er = args[0];
    if (er instanceof Error) return er;
    let text;
    try {
      text = inspect(er);
    } catch {
      text = er;
    }
    const err = new NodeError("ERR_UNHANDLED_ERROR", er === undefined && args.length === 0
      ? "Unhandled error. (undefined)" : `Unhandled error. (${text})`);
    err.context = er;
    return err;
  }

  function emit(emitter, type, args) {
    const events = emitter._events;
    if (type === "error") {
      if (events?.[errorMonitor] !== undefined) emit(emitter, errorMonitor, args);
      if (events?.error === undefined) throw unhandled(args);
    }
    const list = events?.[type];
    if (list === undefined) return false;
    for (const fn of typeof list === "function" ? [list] : list.slice()) {
      const result = Reflect.apply(fn, emitter, args);
      if (result !== undefined && result !== null && emitter[capture]) watch(emitter, result, type, args);
    }
    return true;
  }

  // watch turns the rejection of an async listener into an "error" event.
  function watch(emitter, promise, type, args) {
    if (typeof promise.then !== "function") return;
    promise.then.call(promise, undefined, (err) => {
      const rejected = () => {
        if (typeof emitter[captureRejectionSymbol] === "function") emitter[captureRejectionSymbol](err, type, ...args);
        else {
          // Not captured again: a rejecting "error" listener would never end.
          const before = emitter[capture];
          emitter[capture] = false;
          try {
            emitter.emit("error", err);
          } finally {
            emitter[capture] = before;
          }
        }
      };
      if (typeof process === "object" && typeof process?.nextTick === "function") process.nextTick(rejected);
      else rejected();
    });
  }

  function wrongEmitter(value, name = "emitter") {
    return new NodeTypeError("ERR_INVALID_ARG_TYPE",
      `The "${name}" argument must be an instance of EventEmitter or EventTarget.${received(value)}`);
  }

  function getEventListeners(emitter, type) {
    if (typeof emitter?.listeners === "function") return emitter.listeners(type);
    throw wrongEmitter(emitter);
  }

  function getMaxListeners(emitter) {
    if (typeof emitter?.getMaxListeners === "function") return maxOf(emitter);
    throw wrongEmitter(emitter);
  }

  function setMaxListeners(n = defaultMax, ...targets) {
    needCount(n, "n");
    if (targets.length === 0) defaultMax = n;
    for (const target of targets) {
      if (typeof target?.setMaxListeners === "function") target.setMaxListeners(n);
      else if (typeof target?.addEventListener !== "function") throw wrongEmitter(target, "eventTargets");
    }
  }

  function listenerCount(emitter, type) {
    if (typeof emitter.listenerCount === "function") return emitter.listenerCount(type);
    return methods.listenerCount.call(emitter, type);
  }

  class EventEmitterAsyncResource extends EventEmitter {
    #resource;

    constructor(options) {
      const name = typeof options === "string" ? options : options?.name ?? new.target.name;
      super(typeof options === "string" ? undefined : options);
      this.#resource = new (require("node:async_hooks").AsyncResource)(name);
    }

    emit(type, ...args) {
      return this.#resource.runInAsyncScope(EventEmitter.prototype.emit, this, type, ...args);
    }

    emitDestroy() {
      this.#resource.emitDestroy();
    }

    get asyncResource() {
      return this.#resource;
    }
  }

  Object.assign(EventEmitter, {
    on, once, getEventListeners, getMaxListeners, setMaxListeners, listenerCount, EventEmitter,
    usingDomains: false, captureRejectionSymbol, errorMonitor, EventEmitterAsyncResource,
  });
  Object.defineProperties(EventEmitter, {
    captureRejections: {
      get: () => captureAll,
      set(v) {
        if (typeof v !== "boolean") {
          throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
            `The "EventEmitter.captureRejections" argument must be of type boolean.${received(v)}`);
        }
        captureAll = v;
      },
      enumerable: true,
      configurable: true,
    },
    defaultMaxListeners: {
      get: () => defaultMax,
      set(v) {
        needCount(v, "defaultMaxListeners");
        defaultMax = v;
      },
      enumerable: true,
      configurable: true,
    },
  });
  EventEmitter.addAbortListener = addAbortListener;
  return {
    on, once, getEventListeners, getMaxListeners, setMaxListeners, listenerCount, EventEmitter,
    usingDomains: false, captureRejectionSymbol, errorMonitor, EventEmitterAsyncResource,
    captureRejections: captureAll, defaultMaxListeners: defaultMax, addAbortListener, default: EventEmitter,
  };
})
