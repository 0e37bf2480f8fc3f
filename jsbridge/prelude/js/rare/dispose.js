// DisposableStack and AsyncDisposableStack.
// https://tc39.es/proposal-explicit-resource-management/

function disposer(v, async, what) {
  let m;
  if (async) {
    m = v[Symbol.asyncDispose];
    if (m == null) {
      const sync = v[Symbol.dispose];
      // What a synchronous method returns is not waited for.
      if (typeof sync === "function") return function () { apply(sync, this, []); };
      m = sync;
    }
  } else {
    m = v[Symbol.dispose];
  }
  if (m == null) throw new TypeErr("Symbol(Symbol." + (async ? "asyncDispose" : "dispose") + ") is not a function");
  return callable(m);
}

function stackClass(async) {
  const name = async ? "AsyncDisposableStack" : "DisposableStack";
  const incompat = (method, v) => incompatible(name + ".prototype." + method, v);
  // The list lives in a private field of an object that a plain function
  // makes, because a class says other things when it is called without new.
  class Holder extends function (o) { return o; } {
    #list = [];
    static has(s) { return #list in s; }
    static get(s) { return s.#list; }
    static set(s, l) { s.#list = l; }
  }
  const { has: brand, get: getList, set: give } = Holder;
  const make = (target) => {
    if (target === undefined) throw new TypeErr("Constructor " + name + " requires 'new'");
    return new Holder(Reflect.construct(Object, [], target));
  };
  const C = async ? function AsyncDisposableStack() { return make(new.target); } : function DisposableStack() { return make(new.target); };
  hidden(C, "prototype", C.prototype, false, false);
  const list = (s, method) => {
    if (!isObject(s) || !brand(s)) throw incompat(method, s);
    return getList(s);
  };
  const take = (s) => {
    const l = getList(s);
    give(s, null);
    return l;
  };
  const open = (s, method) => {
    const l = list(s, method);
    if (l === null) throw new ReferenceError("Cannot call " + name + ".prototype." + method + " on an already-disposed " + name);
    return l;
  };
  const disposed = (s) => {
    if (!isObject(s) || !(brand(s))) throw incompatible("get " + name + ".prototype.disposed", s);
    return list(s, "disposed") === null;
  };
  const accessors = {
    get disposed() { return disposed(this); },
  };
  for (const k of ownKeys(accessors)) {
    const d = getOwnPropertyDescriptor(accessors, k);
    d.enumerable = false;
    Object.defineProperty(C.prototype, k, d);
  }
  define(C.prototype, {
    use(value) {
      const l = open(this, "use");
      if (value == null) {
        if (async) l.push(() => {});
      } else {
        if (!isObject(value)) throw new TypeErr("An object is expected with `using` declarations");
        const m = disposer(value, async);
        l.push(() => apply(m, value, []));
      }
      return value;
    },
    adopt(value, onDispose) {
      const l = open(this, "adopt");
      callable(onDispose);
      l.push(() => onDispose(value));
      return value;
    },
    defer(onDispose) {
      const l = open(this, "defer");
      l.push(() => callable(onDispose)());
      callable(onDispose);
    },
    move() {
      open(this, "move");
      const s = new C();
      give(s, take(this));
      return s;
    },
  });
  if (async) {
    define(C.prototype, {
      disposeAsync() { return disposeAsync(this); },
    });
    const disposeAsync = async (s) => {
      if (list(s, "disposeAsync") === null) return;
      const l = take(s);
      let failed = false, error;
      for (let i = l.length - 1; i >= 0; i--) {
        try {
          await l[i]();
        } catch (e) {
          error = failed ? new SuppressedErrorImpl(e, error, "An error was suppressed during disposal") : e;
          failed = true;
        }
      }
      if (failed) throw error;
    };
    hidden(C.prototype, Symbol.asyncDispose, C.prototype.disposeAsync, true, true);
  } else {
    define(C.prototype, {
      dispose() {
        if (list(this, "dispose") === null) return;
        const l = take(this);
        let failed = false, error;
        for (let i = l.length - 1; i >= 0; i--) {
          try {
            l[i]();
          } catch (e) {
            error = failed ? new SuppressedErrorImpl(e, error, "An error was suppressed during disposal") : e;
            failed = true;
          }
        }
        if (failed) throw error;
      },
    });
    hidden(C.prototype, Symbol.dispose, C.prototype.dispose, true, true);
  }
  hidden(C.prototype, Symbol.toStringTag, name, false, true);
  return C;
}
