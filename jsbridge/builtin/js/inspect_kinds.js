// How each kind of object looks to the formatter: the name before its braces,
// its entries, and which of its properties are shown.
(function (require, host) {
  "use strict";
  const K = require("internal:kinds");
  const native = require("internal:native");
  const { formatPrimitive, formatNumber, quote } = require("internal:inspect_text");
  const { colors, styles } = require("internal:inspect_colors");
  const { formatError } = require("internal:inspect_errors");
  const { types } = K;
  let core;

  // constructorName finds the class an object was made by: the first function
  // named "constructor" on its prototype chain that the object is an instance
  // of. null means that there is none.
  function constructorName(ctx, obj, depth, protoProps) {
    const start = obj;
    let first;
    for (let o = obj; o !== null && o !== undefined;) {
      const ctor = Object.getOwnPropertyDescriptor(o, "constructor")?.value;
      if (typeof ctor === "function" && ctor.name !== "" && isInstance(start, ctor)) return String(ctor.name);
      o = Object.getPrototypeOf(o);
      if (first === undefined) first = o;
    }
    if (first === null || first === undefined) return null;
    const guess = native.brand(start);
    const kind = guess === "Object" || guess === "" ? "Object" : guess;
    if (ctx.depth !== null && depth > ctx.depth) return `${kind} <Complex prototype>`;
    const inner = constructorName(ctx, first, depth + 1);
    if (inner === null) {
      const sub = Object.assign({}, ctx, { customInspect: false, depth: -1 });
      return `${kind} <${core.formatValue(sub, first, 0)}>`;
    }
    return `${kind} <${inner}>`;
  }

  function isInstance(obj, ctor) {
    try {
      return obj instanceof ctor;
    } catch {
      return false;
    }
  }

  function makePrefix(ctor, tag, fallback, size) {
    if (ctor === null) {
      if (tag !== "" && fallback !== tag) return `[${fallback}${size}: null prototype] [${tag}] `;
      return `[${fallback}${size}: null prototype] `;
    }
    if (tag !== "" && ctor !== tag) return `${ctor}${size} [${tag}] `;
    return `${ctor}${size} `;
  }

  function propertyKeys(ctx, value) {
    if (ctx.showHidden) return Object.getOwnPropertyNames(value).concat(Object.getOwnPropertySymbols(value));
    return Object.keys(value).concat(K.enumerableSymbols(value));
  }

  function elementKeys(ctx, value) {
    if (!ctx.showHidden) return K.extraKeys(value, true);
    return Object.getOwnPropertyNames(value).filter((k) => !K.isIndex(k)).concat(Object.getOwnPropertySymbols(value));
  }

  // describe returns the finished text of a value that has nothing inside, or
  // a shape: { base, open, close, keys, entries, list, prefix }.
  function describe(ctx, value, depth, typed) {
    const ctor = constructorName(ctx, value, depth);
    let tag = value[Symbol.toStringTag];
    if (typeof tag !== "string" || (tag !== "" && (ctx.showHidden
      ? Object.prototype.hasOwnProperty.call(value, Symbol.toStringTag)
      : Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag)))) tag = "";
    const prefix = (fallback, size = "") => makePrefix(ctor, tag, fallback, size);
    const shape = { base: "", open: "{", close: "}", keys: undefined, entries: undefined, list: false, isArray: false, prefix };
    if (Array.isArray(value)) return describeArray(ctx, value, shape, ctor, tag);
    if (types.isSet(value)) return describeCollection(ctx, value, shape, "Set", K.setSize(value), setEntries);
    if (types.isMap(value)) return describeCollection(ctx, value, shape, "Map", K.mapSize(value), mapEntries);
    if (types.isTypedArray(value)) return describeTypedArray(ctx, value, shape);
    if (types.isModuleNamespaceObject(value)) {
      shape.keys = propertyKeys(ctx, value);
      shape.open = `${makePrefix(ctor, "", "Module")}{`;
      return shape.keys.length === 0 ? `${shape.open}}` : shape;
    }
    shape.keys = propertyKeys(ctx, value);
    return describeOther(ctx, value, shape, ctor, tag, depth, typed);
  }

  function describeArray(ctx, value, shape, ctor, tag) {
    const prefix = ctor !== "Array" || tag !== "" ? shape.prefix("Array", `(${value.length})`) : "";
    shape.keys = elementKeys(ctx, value);
    shape.isArray = shape.list = true;
    shape.open = `${prefix}[`;
    shape.close = "]";
    if (value.length === 0 && shape.keys.length === 0) return `${shape.open}]`;
    shape.entries = arrayEntries;
    return shape;
  }

  function describeCollection(ctx, value, shape, name, size, entries) {
    shape.keys = propertyKeys(ctx, value);
    const prefix = shape.prefix(name, `(${size})`);
    if (size === 0 && shape.keys.length === 0) return `${prefix}{}`;
    shape.open = `${prefix}{`;
    shape.entries = entries;
    return shape;
  }

  function describeTypedArray(ctx, value, shape) {
    const length = typedLength(value);
    shape.keys = elementKeys(ctx, value);
    shape.open = `${shape.prefix(K.typedArrayName(value), `(${length})`)}[`;
    shape.close = "]";
    shape.list = true;
    if (length === 0 && shape.keys.length === 0 && !ctx.showHidden) return `${shape.open}]`;
    shape.entries = typedEntries;
    return shape;
  }

  const typedLength = (v) =>
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length").get.call(v);

  function describeOther(ctx, value, shape, ctor, tag, depth, typed) {
    const { keys, prefix } = shape;
    if (types.isArgumentsObject(value)) {
      shape.open = "[Arguments] {";
      if (keys.length === 0) return "[Arguments] {}";
    } else if (typeof value === "function") {
      shape.base = functionBase(value, ctor, tag);
      if (keys.length === 0) return ctx.style(shape.base, "special");
    } else if (types.isRegExp(value)) {
      const text = ctor !== null ? RegExp.prototype.toString.call(value) : regexpText(value);
      const p = prefix("RegExp");
      shape.base = p === "RegExp " ? text : `${p}${text}`;
      if (keys.length === 0 || (ctx.depth !== null && depth > ctx.depth)) return ctx.style(shape.base, "regexp");
    } else if (types.isDate(value)) {
      const time = Date.prototype.getTime.call(value);
      const text = Number.isNaN(time) ? "Invalid Date" : Date.prototype.toISOString.call(value);
      const p = prefix("Date");
      shape.base = p === "Date " ? text : `${p}${text}`;
      if (keys.length === 0) return ctx.style(shape.base, "date");
    } else if (types.isNativeError(value) || isErrorLike(value)) {
      shape.base = formatError(ctx, value, ctor, tag, keys);
      if (keys.length === 0) return shape.base;
    } else if (types.isAnyArrayBuffer(value)) {
      const p = prefix(types.isArrayBuffer(value) ? "ArrayBuffer" : "SharedArrayBuffer");
      if (typed) {
        if (keys.length === 0) return `${p}{ byteLength: ${formatNumber(ctx, value.byteLength)} }`;
      } else shape.entries = bufferEntries;
      shape.open = `${p}{`;
      keys.unshift("byteLength");
    } else if (types.isDataView(value)) {
      shape.open = `${prefix("DataView")}{`;
      keys.unshift("byteLength", "byteOffset", "buffer");
    } else if (types.isPromise(value)) {
      shape.open = `${prefix("Promise")}{`;
      shape.entries = promiseEntries;
    } else if (types.isWeakSet(value)) {
      shape.open = `${prefix("WeakSet")}{`;
      shape.entries = unknownItems;
    } else if (types.isWeakMap(value)) {
      shape.open = `${prefix("WeakMap")}{`;
      shape.entries = unknownItems;
    } else if (types.isBoxedPrimitive(value)) {
      shape.base = boxedBase(ctx, value, keys, ctor, tag, shape);
      if (shape.keys.length === 0) return shape.base;
    } else {
      const plain = ctor === "Object" && tag === "";
      const p = plain ? "" : prefix(plainName(value));
      if (keys.length === 0) return `${p}{}`;
      shape.open = `${p}{`;
    }
    return shape;
  }

  // regexpText is for a regular expression that has lost its prototype.
  function regexpText(value) {
    const own = (name) => Object.getOwnPropertyDescriptor(RegExp.prototype, name)?.get?.call(value);
    const flags = { hasIndices: "d", global: "g", ignoreCase: "i", multiline: "m", dotAll: "s", unicode: "u", sticky: "y" };
    return `/${own("source")}/${Object.keys(flags).map((f) => (own(f) ? flags[f] : "")).join("")}`;
  }

  function plainName(value) {
    const name = native.brand(value);
    return name === "" || name === "Proxy" || name === "TypedArray" ? "Object" : name;
  }

  function isErrorLike(value) {
    return value instanceof Error && native.brand(value) !== "Proxy";
  }

  function functionBase(value, ctor, tag) {
    const kind = K.functionKind(value);
    if (K.isClass(value)) return classBase(value, ctor, tag);
    let base = `[${kind || "Function"}`;
    if (ctor === null) base += " (null prototype)";
    base += value.name === "" || value.name === undefined ? " (anonymous)" : `: ${String(value.name)}`;
    base += "]";
    // Methods of async classes have the wrong prototype in this engine, so a
    // constructor named Function says nothing against the kind.
    if (ctor !== kind && ctor !== null && ctor !== "Function") base += ` ${ctor}`;
    if (tag !== "" && ctor !== tag && tag !== kind) base += ` [${tag}]`;
    return base;
  }

  function classBase(value, ctor, tag) {
    const named = Object.prototype.hasOwnProperty.call(value, "name") && value.name !== "";
    let base = `[class ${named ? String(value.name) : "(anonymous)"}`;
    if (ctor !== "Function" && ctor !== null) base += ` [${ctor}]`;
    if (tag !== "" && ctor !== tag) base += ` [${tag}]`;
    if (ctor !== null) {
      const parent = Object.getPrototypeOf(value).name;
      if (parent) base += ` extends ${parent}`;
    } else base += " extends [null prototype]";
    return `${base}]`;
  }

  function boxedBase(ctx, value, keys, ctor, tag, shape) {
    let name;
    let inner;
    if (types.isNumberObject(value)) [name, inner] = ["Number", Number.prototype.valueOf.call(value)];
    else if (types.isStringObject(value)) {
      [name, inner] = ["String", String.prototype.valueOf.call(value)];
      shape.keys = keys.filter((k) => !(K.isIndex(k) && +k < inner.length));
    } else if (types.isBooleanObject(value)) [name, inner] = ["Boolean", Boolean.prototype.valueOf.call(value)];
    else if (types.isBigIntObject(value)) [name, inner] = ["BigInt", BigInt.prototype.valueOf.call(value)];
    else [name, inner] = ["Symbol", Symbol.prototype.valueOf.call(value)];
    let base = `[${name}`;
    if (name !== ctor) base += ctor === null ? " (null prototype)" : ` (${ctor})`;
    base += `: ${formatPrimitive(Object.assign({}, ctx, { style: (t) => t }), inner)}]`;
    if (tag !== "" && tag !== ctor) base += ` [${tag}]`;
    return shape.keys.length !== 0 ? base : ctx.style(base, name.toLowerCase());
  }

  function moreItems(n) {
    return `... ${n} more item${n > 1 ? "s" : ""}`;
  }

  function arrayEntries(ctx, value, depth) {
    const parts = [];
    const length = value.length;
    let i = 0;
    for (; i < length && parts.length < ctx.maxArrayLength; i++) {
      if (Object.prototype.hasOwnProperty.call(value, i)) {
        parts.push(core.formatProperty(ctx, value, depth, i, 1));
        continue;
      }
      let end = nextOwn(value, i, length);
      const n = end - i;
      parts.push(ctx.style(`<${n} empty item${n > 1 ? "s" : ""}>`, "undefined"));
      i = end - 1;
    }
    if (i < length) parts.push(moreItems(length - i));
    return parts;
  }

  // nextOwn finds the next filled index after a hole. Object.keys keeps a
  // sparse array of four milliards from taking as many steps.
  function nextOwn(value, from, length) {
    for (let i = from; i < from + 64 && i < length; i++) {
      if (Object.prototype.hasOwnProperty.call(value, i)) return i;
    }
    for (const k of Object.keys(value)) if (K.isIndex(k) && +k >= from) return +k;
    return length;
  }

  function typedEntries(ctx, value, depth) {
    const length = typedLength(value);
    const n = Math.min(Math.max(0, ctx.maxArrayLength), length);
    const parts = [];
    for (let i = 0; i < n; i++) parts.push(formatPrimitive(ctx, value[i]));
    if (length > n) parts.push(moreItems(length - n));
    if (ctx.showHidden) {
      ctx.indent += 2;
      for (const key of ["BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"]) {
        parts.push(`[${key}]: ${core.formatValue(ctx, value[key], depth, true)}`);
      }
      ctx.indent -= 2;
    }
    return parts;
  }

  function setEntries(ctx, value, depth) {
    const parts = [];
    const size = K.setSize(value);
    const max = Math.min(Math.max(0, ctx.maxArrayLength), size);
    ctx.indent += 2;
    let i = 0;
    Set.prototype.forEach.call(value, (v) => {
      if (i++ < max) parts.push(core.formatValue(ctx, v, depth));
    });
    ctx.indent -= 2;
    if (size > max) parts.push(moreItems(size - max));
    return parts;
  }

  function mapEntries(ctx, value, depth) {
    const parts = [];
    const size = K.mapSize(value);
    const max = Math.min(Math.max(0, ctx.maxArrayLength), size);
    ctx.indent += 2;
    let i = 0;
    Map.prototype.forEach.call(value, (v, k) => {
      if (i++ < max) parts.push(`${core.formatValue(ctx, k, depth)} => ${core.formatValue(ctx, v, depth)}`);
    });
    ctx.indent -= 2;
    if (size > max) parts.push(moreItems(size - max));
    return parts;
  }

  function bufferEntries(ctx, value) {
    let bytes;
    try {
      bytes = new Uint8Array(value);
    } catch {
      return [ctx.style("(detached)", "special")];
    }
    const n = Math.min(Math.max(0, ctx.maxArrayLength), bytes.length);
    const texts = [];
    for (let i = 0; i < n; i++) texts.push(bytes[i].toString(16).padStart(2, "0"));
    let text = texts.join(" ");
    const left = bytes.length - n;
    if (left > 0) text += ` ... ${left} more byte${left > 1 ? "s" : ""}`;
    return [`${ctx.style("[Uint8Contents]", "special")}: <${text}>`];
  }

  function promiseEntries(ctx, value, depth) {
    const [state, result] = native.promiseDetails(value);
    if (state === 0) return [ctx.style("<pending>", "special")];
    ctx.indent += 2;
    const text = core.formatValue(ctx, result, depth);
    ctx.indent -= 2;
    return [state === 2 ? `${ctx.style("<rejected>", "special")} ${text}` : text];
  }

  function unknownItems(ctx) {
    return [ctx.style("<items unknown>", "special")];
  }

  function propertyName(ctx, key, desc) {
    if (typeof key === "symbol") {
      const text = ctx.style(key.toString(), "symbol");
      return desc.enumerable === false ? `[${text}]` : text;
    }
    if (key === "__proto__") return "['__proto__']";
    if (desc.enumerable === false) return `[${key}]`;
    if (/^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key)) return ctx.style(String(key), "name");
    return ctx.style(quote(String(key)), "string");
  }

  return {
    describe, propertyName, colors, styles,
    connect(fns) { core = fns; },
  };
})
