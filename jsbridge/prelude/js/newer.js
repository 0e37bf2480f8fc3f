// The newest iterator methods, and half-precision floats in DataView.

define(IteratorClass, {
  zip(iterables, options) { return rare().zip(iterables, options); },
  zipKeyed(iterables, options) { return rare().zipKeyed(iterables, options); },
});
hidden(IteratorClass.zip, "length", 1, false, true);
hidden(IteratorClass.zipKeyed, "length", 1, false, true);

define(IteratorPrototype, {
  join(separator) {
    const it = receiver(this, "join");
    let sep;
    try { sep = separator === undefined ? "," : `${separator}`; } catch (e) { throw closing(it, e); }
    const next = it.next, parts = [];
    for (;;) {
      const r = step(it, next);
      if (r.done) return parts.join(sep);
      const v = r.value;
      try { parts[parts.length] = v == null ? "" : `${v}`; } catch (e) { throw closing(it, e); }
    }
  },
  includes(item, skipped) {
    const it = receiver(this, "includes");
    if (skipped !== undefined && (typeof skipped !== "number" || Math.trunc(skipped) !== skipped)) {
      throw closing(it, new TypeErr("skippedElements argument must be undefined or an integer"));
    }
    let skip = skipped === undefined ? 0 : skipped;
    if (skip < 0) throw closing(it, new RangeErr(show(skip) + " must be positive"));
    for (const next = it.next; ;) {
      const r = step(it, next);
      if (r.done) return false;
      if (skip > 0) skip--;
      else {
        const v = r.value;
        if (v === item || v !== v && item !== item) {
          close(it);
          return true;
        }
      }
    }
  },
});
hidden(IteratorPrototype.includes, "length", 1, false, true);

// The engine knows neither flag, so no expression has them.
host.flags(RegExp.prototype, (o, name) => {
  if (o === RegExp.prototype) return undefined;
  if (!isObject(o)) throw new TypeErr("RegExp.prototype." + name + " getter called on non-object " + show(o));
  return false;
});
// The engine's own.
delete BigInt.prototype.length;
delete BigInt.prototype.name;

const { getUint16, setUint16 } = DataView.prototype, { f16round } = Math;
function viewCall(view, f, name, args) {
  try {
    return apply(f, view, args);
  } catch (e) {
    if (e instanceof RangeErr) throw new RangeErr("Offset is outside the bounds of the DataView");
    if (!(e instanceof TypeErr) || isObject(view) && ArrayBuffer.isView(view)) throw e;
    throw incompatible("DataView.prototype." + name, view);
  }
}
define(DataView.prototype, {
  getFloat16(offset, little) { return rare().fromHalf(viewCall(this, getUint16, "getFloat16", [offset, little])); },
  setFloat16(offset, value, little) { viewCall(this, setUint16, "setFloat16", [offset, rare().toHalf(Number(unbig(value))), little]); },
});
hidden(DataView.prototype.getFloat16, "length", 1, false, true);
hidden(DataView.prototype.setFloat16, "length", 2, false, true);

function unbig(v) {
  if (typeof v === "bigint") throw new TypeErr("Cannot convert a BigInt value to a number");
  return v;
}
