// Iterator.zip and Iterator.zipKeyed.
// https://tc39.es/proposal-joint-iteration/

function zip(iterables, options) {
  if (!isObject(iterables)) throw new TypeErr("Iterator.zip called on non-object");
  const [mode, padding] = zipOptions(options, "zip");
  const its = [];
  for (const v of iterables) its[its.length] = opened(its, v);
  let pads = [];
  if (padding !== undefined) {
    let i = 0;
    for (const v of padding) {
      if (i === its.length) break;
      pads[i++] = v;
    }
  }
  return zipper("zip", its, mode, pads, (values) => values);
}

function zipKeyed(iterables, options) {
  if (!isObject(iterables)) throw new TypeErr("Iterator.zipKeyed called on non-object");
  const [mode, padding] = zipOptions(options, "zipKeyed");
  const keys = [], its = [];
  for (const k of ownKeys(iterables)) {
    const d = getOwnPropertyDescriptor(iterables, k);
    if (d === undefined || !d.enumerable) continue;
    const v = iterables[k];
    if (v === undefined) continue;
    keys[keys.length] = k;
    its[its.length] = opened(its, v);
  }
  const pads = padding === undefined ? [] : keys.map((k) => padding[k]);
  return zipper("zipKeyed", its, mode, pads, (values) => {
    const out = { __proto__: null };
    for (let i = 0; i < keys.length; i++) out[keys[i]] = values[i];
    return out;
  });
}

function zipOptions(options, name) {
  if (options === undefined) return ["shortest", undefined];
  if (!isObject(options)) throw new TypeErr("options called on non-object");
  const mode = options.mode === undefined ? "shortest" : options.mode;
  if (mode !== "shortest" && mode !== "longest" && mode !== "strict") {
    throw new TypeErr(`Iterator.${name} mode must be 'shortest', 'longest', or 'strict'`);
  }
  let padding;
  if (mode === "longest") {
    padding = options.padding;
    if (padding !== undefined && !isObject(padding)) throw new TypeErr("padding called on non-object");
  }
  return [mode, padding];
}

// opened takes the iterator of a value; if there is none, those that are open
// are closed.
function opened(its, v) {
  try {
    const method = isObject(v) ? v[Symbol.iterator] : undefined;
    if (!isObject(v) || method != null && typeof method !== "function") throw new TypeErr(String(v) + " is not iterable");
    const it = method == null ? v : apply(method, v, []);
    if (!isObject(it)) throw new TypeErr(String(it) + " is not an object");
    return { it, next: it.next };
  } catch (e) {
    throw closeAll(its, e);
  }
}

function closeAll(its, error) {
  for (let i = its.length - 1; i >= 0; i--) {
    if (its[i] !== null) error = closing(its[i].it, error);
  }
  return error;
}

function zipper(name, its, mode, pads, finish) {
  const open = its.slice();
  const self = {
    return() {
      let failed = false, error;
      for (let i = open.length - 1; i >= 0; i--) {
        if (open[i] === null) continue;
        const { it } = open[i];
        open[i] = null;
        try { close(it); } catch (e) { if (!failed) [failed, error] = [true, e]; }
      }
      if (failed) throw error;
      return {};
    },
  };
  const uneven = () => closeAll(open, new TypeErr(`Iterators passed to Iterator.${name} in 'strict' mode must have the same length`));
  return new Helper(self, undefined, (h) => {
    const values = [];
    let left = 0;
    if (open.length === 0) return false;
    for (let i = 0; i < open.length; i++) {
      if (open[i] === null) { // longest
        values[i] = pads[i];
        continue;
      }
      const { it, next } = open[i];
      let r;
      try {
        r = step(it, next);
        if (!r.done) {
          values[i] = r.value;
          left++;
          continue;
        }
      } catch (e) {
        open[i] = null;
        throw closeAll(open, e);
      }
      open[i] = null;
      if (mode === "longest") {
        values[i] = pads[i];
        continue;
      }
      if (mode === "shortest") {
        self.return();
        return false;
      }
      if (i > 0) throw uneven();
      for (let k = 1; k < open.length; k++) {
        const { it: other, next: otherNext } = open[k];
        let end;
        try { end = step(other, otherNext); } catch (e) {
          open[k] = null;
          throw closeAll(open, e);
        }
        if (!end.done) throw uneven();
        open[k] = null;
      }
      return false;
    }
    if (left === 0) return false;
    h.value = finish(values);
    return true;
  });
}
