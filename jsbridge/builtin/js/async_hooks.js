// node:async_hooks: AsyncLocalStorage and AsyncResource. All storages share
// one immutable Map from storage to store, which the host carries along each
// asynchronous flow; a change makes a new Map.
(function (require, host) {
  "use strict";

  function current() {
    if (typeof host.getAsyncContext !== "function") throw new Error("AsyncLocalStorage needs the host function getAsyncContext");
    return host.getAsyncContext();
  }

  function replace(context) {
    if (typeof host.setAsyncContext !== "function") throw new Error("AsyncLocalStorage needs the host function setAsyncContext");
    host.setAsyncContext(context);
  }

  // Both classes are native in the real runtime, whose bindings word it so.
  function needFunction(fn, method, owner, n, kind) {
    if (typeof fn !== "function") {
      throw new TypeError(`Failed to execute '${method}' on '${owner}': parameter ${n} is not of type '${kind}'.`);
    }
  }

  function within(context, fn, self, args) {
    const before = current();
    replace(context);
    try {
      return Reflect.apply(fn, self, args);
    } finally {
      replace(before);
    }
  }

  function changed(storage, store) {
    return new Map(current()).set(storage, store);
  }

  class AsyncLocalStorage {
    #default;
    #name;

    constructor(options) {
      if (options !== undefined && (options === null || typeof options !== "object")) {
        throw new TypeError("Failed to construct 'AsyncLocalStorage': constructor parameter 1 is not of type 'AsyncLocalStorageOptions'.");
      }
      this.#default = options?.defaultValue;
      this.#name = options?.name === undefined ? "" : String(options.name);
    }

    get name() {
      return this.#name;
    }

    getStore() {
      const context = current();
      return context !== undefined && context !== null && context.has(this) ? context.get(this) : this.#default;
    }

    run(store, fn, ...args) {
      needFunction(fn, "run", "AsyncLocalStorage", 2, "function");
      return within(changed(this, store), fn, undefined, args);
    }

    exit(fn, ...args) {
      needFunction(fn, "exit", "AsyncLocalStorage", 1, "function");
      return within(changed(this, undefined), fn, undefined, args);
    }

    // A store set for the rest of a flow would leak into whatever the flow
    // goes on with: the real runtime refuses both.
    enterWith() {
      throw new Error("asyncLocalStorage.enterWith() is not implemented");
    }

    disable() {
      throw new Error("asyncLocalStorage.disable() is not implemented");
    }

    static bind(fn) {
      needFunction(fn, "bind", "AsyncLocalStorage", 1, "Function");
      const context = current();
      return function (...args) {
        return within(context, fn, this, args);
      };
    }

    static snapshot() {
      const context = current();
      return (fn, ...args) => within(context, fn, undefined, args);
    }
  }

  class AsyncResource {
    #context = current();

    asyncId() {
      return 0;
    }

    triggerAsyncId() {
      return 0;
    }

    runInAsyncScope(fn, self, ...args) {
      return within(this.#context, fn, self, args);
    }

    bind(fn, self) {
      needFunction(fn, "bind", "AsyncResource", 1, "Function");
      const context = this.#context;
      const bound = self === undefined
        ? function (...args) { return within(context, fn, this, args); }
        : (...args) => within(context, fn, self, args);
      Object.defineProperties(bound, {
        asyncResource: { value: this, writable: true, enumerable: true, configurable: true },
      });
      return bound;
    }

    emitDestroy() {}

    static bind(fn, type, self) {
      return new AsyncResource(type || fn.name || "bound-anonymous-fn").bind(fn, self);
    }
  }

  class AsyncHook {
    enable() {
      return this;
    }

    disable() {
      return this;
    }
  }

  // The real runtime accepts hooks and never calls them; so do we.
  function createHook() {
    return new AsyncHook();
  }

  const members = {
    AsyncLocalStorage,
    AsyncResource,
    asyncWrapProviders: Object.freeze(Object.create(null)),
    createHook,
    executionAsyncId: () => 0,
    executionAsyncResource: () => Object.create(null),
    triggerAsyncId: () => 0,
  };
  return Object.assign({}, members, { default: members });
})
