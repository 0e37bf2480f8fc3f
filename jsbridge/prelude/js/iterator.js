// The Iterator global and iterator helpers.
// https://tc39.es/ecma262/#sec-iterator-objects

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

const IteratorClass = function Iterator() {
  if (new.target === undefined) throw new TypeErr("Constructor Iterator requires 'new'");
  if (new.target === IteratorClass) throw new TypeErr("Abstract class Iterator not directly constructable");
  return Object.create(new.target.prototype ?? IteratorPrototype);
};
hidden(IteratorClass, "prototype", IteratorPrototype, false, false);
hidden(globalThis, "Iterator", IteratorClass, true, true);

// accessorLike makes a property that behaves as data for everything but
// assignment on the prototype itself, which code on the web relies on.
function accessorLike(key, value) {
  host.accessor(IteratorPrototype, key, () => value, function (v) {
    const label = typeof key === "symbol" ? "[Symbol.toStringTag]" : key;
    if (!isObject(this)) throw new TypeErr("Iterator.prototype." + label + " setter called on non-object");
    if (this === IteratorPrototype) throw new TypeErr("Cannot assign to this property");
    if (Object.hasOwn(this, key)) this[key] = v;
    else Object.defineProperty(this, key, { value: v, writable: true, enumerable: true, configurable: true });
  });
}
accessorLike("constructor", IteratorClass);
accessorLike(Symbol.toStringTag, "Iterator");

function receiver(o, name) {
  if (!isObject(o)) throw new TypeErr("Iterator.prototype." + name + " called on non-object");
  return o;
}

function close(it) {
  const r = it.return;
  if (r != null) apply(r, it, []);
}

// closing closes it because of an error, which counts more than what the
// closing itself throws.
function closing(it, error) {
  try { close(it); } catch {}
  return error;
}

function callback(it, f) {
  if (typeof f !== "function") throw closing(it, new TypeErr((isObject(f) ? show(f) : typeof f + " " + String(f)) + " is not a function"));
  return f;
}

function step(it, next) {
  const r = apply(next, it, []);
  if (!isObject(r)) throw new TypeErr("Iterator result " + String(r) + " is not an object");
  return r;
}

function count(it, limit) {
  let n;
  try { n = Number(limit); } catch (e) { throw closing(it, e); }
  if (n !== n) throw closing(it, new RangeErr(show(limit) + " must be positive"));
  n = Math.trunc(n);
  if (n < 0) throw closing(it, new RangeErr(show(limit) + " must be positive"));
  return n;
}

// A helper object has a function that finds its next value: it puts the value
// into h.value and returns true, or returns false at the end. Generators would
// be shorter and, in this engine, fifty times slower.
class Helper {
  #h;
  constructor(it, next, advance) {
    this.#h = { it, next, advance, value: undefined, index: 0, inner: null, innerNext: undefined, running: false, done: false };
  }
  static state(o, method) {
    if (!isObject(o) || !(#h in o)) throw incompatible("Iterator Helper.prototype." + method, o);
    const h = o.#h;
    if (h.running) throw new TypeErr("Generator is already running");
    return h;
  }
}
const helperState = Helper.state;
const IteratorHelperPrototype = Helper.prototype;
Object.setPrototypeOf(IteratorHelperPrototype, IteratorPrototype);
delete IteratorHelperPrototype.constructor;
define(IteratorHelperPrototype, {
  next() {
    const h = helperState(this, "next");
    if (h.done) return { value: undefined, done: true };
    h.running = true;
    let more = false;
    try {
      more = h.advance(h);
    } finally {
      h.running = false;
      if (!more) h.done = true;
    }
    const value = h.value;
    h.value = undefined;
    return more ? { value, done: false } : { value: undefined, done: true };
  },
  return() {
    const h = helperState(this, "return");
    if (!h.done) {
      h.done = true;
      h.running = true;
      try {
        if (h.inner !== null) {
          try { close(h.inner); } catch (e) { throw h.it === null ? e : closing(h.it, e); }
        }
        if (h.it !== null) close(h.it);
      } finally {
        h.running = false;
      }
    }
    return { value: undefined, done: true };
  },
});
hidden(IteratorHelperPrototype, Symbol.toStringTag, "Iterator Helper", false, true);

const stop = {};

function flattenable(v, strings, method) {
  if (!isObject(v) && !(strings && typeof v === "string")) throw new TypeErr(method + " called on non-object");
  const m = v[Symbol.iterator];
  const it = m == null ? v : apply(callable(m), v, []);
  if (!isObject(it)) throw new TypeErr(show(it) + " is not an object");
  return it;
}

define(IteratorPrototype, {
  map(mapper) {
    const it = receiver(this, "map");
    callback(it, mapper);
    return new Helper(it, it.next, (h) => {
      const r = step(it, h.next);
      if (r.done) return false;
      const v = r.value;
      try { h.value = mapper(v, h.index++); } catch (e) { throw closing(it, e); }
      return true;
    });
  },
  filter(predicate) {
    const it = receiver(this, "filter");
    callback(it, predicate);
    return new Helper(it, it.next, (h) => {
      for (;;) {
        const r = step(it, h.next);
        if (r.done) return false;
        const v = r.value;
        let ok;
        try { ok = predicate(v, h.index++); } catch (e) { throw closing(it, e); }
        if (ok) {
          h.value = v;
          return true;
        }
      }
    });
  },
  take(limit) {
    const it = receiver(this, "take");
    let left = count(it, limit);
    return new Helper(it, it.next, (h) => {
      if (left === 0) {
        close(it);
        return false;
      }
      left--;
      const r = step(it, h.next);
      if (r.done) return false;
      h.value = r.value;
      return true;
    });
  },
  drop(limit) {
    const it = receiver(this, "drop");
    let left = count(it, limit);
    return new Helper(it, it.next, (h) => {
      for (; left > 0; left--) if (step(it, h.next).done) return false;
      const r = step(it, h.next);
      if (r.done) return false;
      h.value = r.value;
      return true;
    });
  },
  flatMap(mapper) {
    const it = receiver(this, "flatMap");
    callback(it, mapper);
    return new Helper(it, it.next, (h) => {
      for (;;) {
        if (h.inner === null) {
          const r = step(it, h.next);
          if (r.done) return false;
          const v = r.value;
          try {
            h.inner = flattenable(mapper(v, h.index++), false, "Iterator.prototype.flatMap");
            h.innerNext = h.inner.next;
          } catch (e) {
            throw closing(it, e);
          }
        }
        try {
          const r = step(h.inner, h.innerNext);
          if (!r.done) {
            h.value = r.value;
            return true;
          }
        } catch (e) {
          throw closing(it, e);
        }
        h.inner = null;
      }
    });
  },
  reduce(reducer, ...initial) {
    const it = receiver(this, "reduce");
    callback(it, reducer);
    const next = it.next;
    let acc = initial[0], i = 0;
    if (initial.length === 0) {
      const r = step(it, next);
      if (r.done) throw new TypeErr("Reduce of a done iterator with no initial value");
      acc = r.value;
      i = 1;
    }
    consume(it, next, (v, k) => { acc = reducer(acc, v, k + i); });
    return acc;
  },
  toArray() {
    const it = receiver(this, "toArray"), out = [];
    consume(it, it.next, (v) => { out[out.length] = v; });
    return out;
  },
  forEach(fn) {
    const it = receiver(this, "forEach");
    callback(it, fn);
    consume(it, it.next, (v, i) => { fn(v, i); });
  },
  some(predicate) {
    const it = receiver(this, "some");
    callback(it, predicate);
    return consume(it, it.next, (v, i) => (predicate(v, i) ? stop : undefined));
  },
  every(predicate) {
    const it = receiver(this, "every");
    callback(it, predicate);
    return !consume(it, it.next, (v, i) => (predicate(v, i) ? undefined : stop));
  },
  find(predicate) {
    const it = receiver(this, "find");
    callback(it, predicate);
    let found;
    consume(it, it.next, (v, i) => { if (predicate(v, i)) { found = v; return stop; } });
    return found;
  },
});

// consume feeds every value to f and tells whether f stopped it.
function consume(it, next, f) {
  for (let i = 0; ; i++) {
    const r = step(it, next);
    if (r.done) return false;
    const v = r.value;
    let x;
    try { x = f(v, i); } catch (e) { throw closing(it, e); }
    if (x === stop) {
      close(it);
      return true;
    }
  }
}
hidden(IteratorPrototype.reduce, "length", 1, false, true);
define(IteratorPrototype, { [Symbol.dispose]() { close(this); } });

const wrapped = new WeakMap();
const WrapForValidIteratorPrototype = Object.create(IteratorPrototype);
define(WrapForValidIteratorPrototype, {
  next() {
    const w = apply(weakGet, wrapped, [this]);
    if (w === undefined) throw incompatible("%WrapForValidIteratorPrototype%.next", this);
    return apply(w.next, w.it, []);
  },
  return() {
    const w = apply(weakGet, wrapped, [this]);
    if (w === undefined) throw incompatible("%WrapForValidIteratorPrototype%.return", this);
    const r = w.it.return;
    return r === undefined ? { value: undefined, done: true } : apply(r, w.it, []);
  },
});

define(IteratorClass, {
  from(value) {
    const it = flattenable(value, true, "Iterator.from"), next = it.next;
    if (it instanceof IteratorClass) return it;
    const o = Object.create(WrapForValidIteratorPrototype);
    apply(weakSet, wrapped, [o, { it, next }]);
    return o;
  },
  concat(...items) {
    const list = items.map((v) => {
      if (!isObject(v)) throw new TypeErr("Iterator.concat called on non-object");
      const open = v[Symbol.iterator];
      if (typeof open !== "function") throw new TypeErr(show(v) + " is not iterable");
      return { open, v };
    });
    let i = 0;
    return new Helper(null, undefined, (h) => {
      for (;;) {
        if (h.inner === null) {
          if (i === list.length) return false;
          const { open, v } = list[i++];
          const it = apply(open, v, []);
          if (!isObject(it)) throw new TypeErr(show(it) + " is not an object");
          h.inner = it;
          h.innerNext = it.next;
        }
        const r = step(h.inner, h.innerNext);
        if (!r.done) {
          h.value = r.value;
          return true;
        }
        h.inner = null;
      }
    });
  },
});
hidden(IteratorClass.concat, "length", 0, false, true);
