// What cloudflare:workers exports. What the classes do beyond this, being called
// from outside, the host does.
(function (host) {
  "use strict";
  const tag = Object.prototype.toString;
  const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";

  // A class as the platform makes them: name is what scripts import, own what its
  // errors and its tag say. Only a function of a script can tell how it was called.
  function base(name, own, construct) {
    const C = { [name]: function (...args) {
      if (new.target === undefined) {
        throw new TypeError(`Failed to construct '${own}': Please use the 'new' operator, this object constructor cannot be called as a function.`);
      }
      return construct(this, (i, type, ok) => {
        if (!ok(args[i])) throw new TypeError(`Failed to construct '${own}': constructor parameter ${i + 1} is not of type '${type}'.`);
        return args[i];
      });
    } }[name];
    host.tag(C.prototype, own);
    return C;
  }

  const entry = (type, ok) => (o, take) => {
    o.ctx = take(0, type, ok);
    o.env = take(1, "Object", isObject);
  };
  const tagged = (type) => (v) => isObject(v) && Reflect.apply(tag, v, []) === `[object ${type}]`;

  // An object that shows whatever current() is when it is looked at.
  const traps = {
    __proto__: null,
    get(_, key) { return this.current()[key]; },
    set(_, key, value) { return this.fixed || Reflect.set(this.current(), key, value); },
    has(_, key) { return key in this.current(); },
    deleteProperty(_, key) { return this.fixed || Reflect.deleteProperty(this.current(), key); },
    ownKeys() { return Reflect.ownKeys(this.current()); },
    defineProperty(_, key, d) { return this.fixed || Reflect.defineProperty(this.current(), key, d); },
    getOwnPropertyDescriptor(_, key) { return Reflect.getOwnPropertyDescriptor(this.current(), key); },
  };
  const view = (current, fixed) => new Proxy({}, { __proto__: traps, current, fixed });

  const run = (name, n, f) => {
    if (typeof f !== "function") {
      throw new TypeError(`Failed to execute '${name}' on 'EnvModule': parameter ${n} is not of type 'function'.`);
    }
  };

  // What exists on the platform and not here.
  const missing = (what) => {
    host.missing(what);
  };

  return {
    DurableObject: base("DurableObject", "DurableObjectBase", entry("DurableObjectState", tagged("DurableObjectState"))),
    WorkerEntrypoint: base("WorkerEntrypoint", "WorkerEntrypoint", entry("Object", isObject)),
    WorkflowEntrypoint: base("WorkflowEntrypoint", "WorkflowEntrypoint", entry("ExecutionContext", tagged("ExecutionContext"))),
    RpcTarget: base("RpcTarget", "JsRpcTarget", () => {}),
    RpcStub: base("RpcStub", "JsRpcStub", (_, take) => host.newStub(take(0, "Object", isObject))),
    env: view(host.env, false),
    // Assignments to exports do nothing.
    exports: view(host.exports, true),
    withEnv(env, f) {
      run("withEnv", 2, f);
      return host.run(f, env, undefined, true, false);
    },
    withExports(exports, f) {
      run("withExports", 2, f);
      return host.run(f, undefined, exports, false, true);
    },
    withEnvAndExports(env, exports, f) {
      run("withEnvAndExports", 3, f);
      return host.run(f, env, exports, true, true);
    },
    cache: {},
    restore: Symbol("cloudflare:workers:restore"),
    abortIsolate(reason) {
      missing("abortIsolate() of cloudflare:workers");
    },
    tracing: new Proxy({}, {
      get: (_, key) => (typeof key === "symbol" || key === "then" ? undefined : missing("tracing." + key + " of cloudflare:workers")),
    }),
  };
})
