// WeakRef and FinalizationRegistry.

function canBeHeldWeakly(v) {
  // A symbol could be held too, but not weakly: the engine offers no way.
  return isObject(v);
}

function weakRefClass() {
  const cells = new WeakMap();
  const WeakRefImpl = function WeakRef(target) {
    if (new.target === undefined) throw new TypeErr("Constructor WeakRef requires 'new'");
    const symbol = typeof target === "symbol" && Symbol.keyFor(target) === undefined;
    if (!symbol && !canBeHeldWeakly(target)) throw new TypeErr("WeakRef: invalid target");
    const self = Reflect.construct(Object, [], new.target);
    apply(weakSet, cells, [self, symbol ? () => target : host.weak(target)]);
    return self;
  };
  hidden(WeakRefImpl, "prototype", WeakRefImpl.prototype, false, false);
  define(WeakRefImpl.prototype, {
    deref() {
      const cell = isObject(this) ? apply(weakGet, cells, [this]) : undefined;
      if (cell === undefined) throw incompatible("WeakRef.prototype.deref", this);
      return cell();
    },
  });
  hidden(WeakRefImpl.prototype, Symbol.toStringTag, "WeakRef", false, true);
  return WeakRefImpl;
}

function registryClass() {
  const registries = new WeakMap();
  const method = "FinalizationRegistry.prototype.";
  const get = (v, name) => {
    const r = isObject(v) ? apply(weakGet, registries, [v]) : undefined;
    if (r === undefined) throw incompatible(method + name, v);
    return r;
  };
  const Registry = function FinalizationRegistry(cleanup) {
    if (new.target === undefined) throw new TypeErr("Constructor FinalizationRegistry requires 'new'");
    if (typeof cleanup !== "function") throw new TypeErr("FinalizationRegistry: cleanup must be callable");
    const self = Reflect.construct(Object, [], new.target);
    apply(weakSet, registries, [self, host.registry(cleanup)]);
    return self;
  };
  hidden(Registry, "prototype", Registry.prototype, false, false);
  define(Registry.prototype, {
    register(target, holdings, ...token) {
      const r = get(this, "register");
      if (!canBeHeldWeakly(target)) throw new TypeErr(method + "register: invalid target");
      if (Object.is(target, holdings)) throw new TypeErr(method + "register: target and holdings must not be same");
      if (token[0] !== undefined && !canBeHeldWeakly(token[0])) {
        throw new TypeErr("Invalid unregisterToken ('" + String(token[0]) + "')");
      }
      r.register(target, holdings, token[0]);
    },
    unregister(token) {
      const r = get(this, "unregister");
      if (!canBeHeldWeakly(token)) throw new TypeErr("Invalid unregisterToken ('" + String(token) + "')");
      return r.unregister(token);
    },
  });
  hidden(Registry.prototype.register, "length", 2, false, true);
  hidden(Registry.prototype, Symbol.toStringTag, "FinalizationRegistry", false, true);
  return Registry;
}
