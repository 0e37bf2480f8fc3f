// node:buffer: Buffer, a Uint8Array with Node's methods.
(function (require, host) {
  "use strict";
  const native = require("internal:native");
  const T = require("internal:buffer_text");
  const numbers = require("internal:buffer_numbers").methods;
  const { types } = require("internal:kinds");
  const { NodeError, NodeRangeError, NodeTypeError, outOfRange, received } = require("internal:errors");
  const { inspect } = require("internal:inspect");

  const kMaxLength = 2147483647;
  const kStringMaxLength = 536870888;
  let inspectMaxBytes = 50;

  class FastBuffer extends Uint8Array {}

  function invalidArg(name, wanted, value) {
    return new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be ${wanted}.${received(value)}`);
  }

  function needSize(size) {
    if (typeof size !== "number") throw invalidArg("size", "of type number", size);
    if (Number.isNaN(size)) throw new NodeRangeError("ERR_INVALID_ARG_VALUE", "The argument 'size' is invalid. Received NaN");
    if (size < 0) throw new RangeError(`Invalid typed array length: ${size}`);
    if (size > kMaxLength) throw outOfRange("size", `<= ${kMaxLength}`, size);
  }

  function create(size) {
    needSize(size);
    return new FastBuffer(size);
  }

  // Packages still call Buffer without new.
  function Buffer(value, encodingOrOffset, length) {
    if (typeof value === "number") {
      if (typeof encodingOrOffset === "string") throw invalidArg("string", "of type string", value);
      return Buffer.alloc(value);
    }
    return Buffer.from(value, encodingOrOffset, length);
  }
  Object.setPrototypeOf(Buffer, Uint8Array);
  Buffer.prototype = FastBuffer.prototype;
  Object.defineProperty(Buffer.prototype, "constructor", { value: Buffer, writable: true, configurable: true, enumerable: false });
  Object.defineProperty(Buffer, Symbol.species, { get: () => FastBuffer, configurable: true, enumerable: false });
  Buffer.poolSize = 0;

  function fromBytes(ab) {
    return new FastBuffer(ab);
  }

  function fromString(str, encoding) {
    return fromBytes(native.decode(str, T.encodingOf(encoding)));
  }

  function fromArrayBuffer(ab, offset, length) {
    offset = offset === undefined ? 0 : +offset || 0;
    const most = ab.byteLength - offset;
    if (most < 0) throw new NodeRangeError("ERR_BUFFER_OUT_OF_BOUNDS", '"offset" is outside of buffer bounds');
    if (length === undefined) length = most;
    else {
      length = +length;
      if (!(length > 0)) length = 0;
      else if (length > most) throw new NodeRangeError("ERR_BUFFER_OUT_OF_BOUNDS", '"length" is outside of buffer bounds');
    }
    return new FastBuffer(ab, offset, length);
  }

  function fromArrayLike(obj) {
    const n = obj.length > 0 ? Math.trunc(obj.length) : 0;
    const out = create(n);
    if (n > 0) out.set(obj); // a loop in the engine, not here
    return out;
  }

  function fromObject(obj) {
    if (obj.length !== undefined || types.isAnyArrayBuffer(obj.buffer)) {
      return typeof obj.length === "number" ? fromArrayLike(obj) : create(0);
    }
    if (obj.type === "Buffer" && Array.isArray(obj.data)) return fromArrayLike(obj.data);
    return undefined;
  }

  const statics = {
    from(value, encodingOrOffset, length) {
      if (typeof value === "string") return fromString(value, encodingOrOffset);
      if (typeof value === "object" && value !== null) {
        if (types.isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
        if (types.isTypedArray(value)) return fromArrayLike(value);
        const inner = value.valueOf && value.valueOf();
        if (inner !== null && inner !== undefined && inner !== value && (typeof inner === "string" || typeof inner === "object")) {
          return Buffer.from(inner, encodingOrOffset, length);
        }
        const made = fromObject(value);
        if (made !== undefined) return made;
        if (typeof value[Symbol.toPrimitive] === "function") {
          const primitive = value[Symbol.toPrimitive]("string");
          if (typeof primitive === "string") return fromString(primitive, encodingOrOffset);
        }
      }
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", "The first argument must be of type string or an instance of Buffer, " +
        `TypedArray, ArrayBuffer, SharedArrayBuffer, or Array or an Array-like Object.${received(value)}`);
    },
    of(...items) {
      return fromArrayLike(items);
    },
    alloc(size, fill, encoding) {
      const out = create(size);
      if (fill !== undefined && fill !== 0 && size > 0) out.fill(fill, encoding);
      return out;
    },
    allocUnsafe: (size) => create(size),
    allocUnsafeSlow: (size) => create(size),
    isBuffer: (v) => v instanceof Buffer,
    compare(a, b) {
      // The real runtime describes the type of the type; kept.
      for (const [name, v] of [["a", a], ["b", b]]) {
        if (!(v instanceof Uint8Array)) throw invalidArg(name, "an instance of Buffer or Uint8Array", typeof v);
      }
      return a === b ? 0 : native.compare(T.raw(a), T.raw(b));
    },
    isEncoding: (v) => typeof v === "string" && v !== "" && T.lookup(v) !== undefined,
    concat(list, length) {
      const wanted = "an (Buffer|Uint8Array)[]";
      if (!Array.isArray(list)) throw invalidArg("list", wanted, list);
      for (const part of list) if (!(part instanceof Uint8Array)) throw invalidArg("list", wanted, part);
      if (length === undefined) length = list.reduce((n, part) => n + part.length, 0);
      else needSize(length);
      const out = create(length);
      let at = 0;
      for (const part of list) {
        if (at >= length) break;
        out.set(part.length > length - at ? part.subarray(0, length - at) : part, at);
        at += part.length;
      }
      return out;
    },
    byteLength(string, encoding) {
      if (typeof string !== "string") {
        if (ArrayBuffer.isView(string) || types.isAnyArrayBuffer(string)) return string.byteLength;
        throw invalidArg("string", "of type string or an instance of Buffer or ArrayBuffer", string);
      }
      const name = T.lookup(encoding) ?? "utf8";
      switch (name) {
        case "utf8": return native.byteLength(string);
        case "latin1":
        case "ascii": return string.length;
        case "utf16le": return 2 * string.length;
        case "hex": return string.length >>> 1;
      }
      const padding = string.endsWith("==") ? 2 : string.endsWith("=") ? 1 : 0;
      return Math.floor(((string.length - padding) * 3) / 4);
    },
  };
  for (const name of Object.keys(statics)) Buffer[name] = statics[name];

  function swap(buf, size) {
    if (buf.length % size !== 0) {
      throw new NodeRangeError("ERR_INVALID_BUFFER_SIZE", `Buffer size must be a multiple of ${8 * size}-bits`);
    }
    for (let i = 0; i < buf.length; i += size) buf.subarray(i, i + size).reverse();
    return buf;
  }

  function bound(value, name, max, fallback) {
    if (value === undefined) return fallback;
    if (typeof value !== "number") throw invalidArg(name, "of type number", value);
    if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
    if (value < 0 || value > max) throw outOfRange(name, `>= 0 && <= ${max}`, value);
    return value;
  }

  function integer(n, fallback) {
    if (n === undefined) return fallback;
    n = +n;
    return Number.isNaN(n) ? 0 : Math.trunc(n);
  }

  const methods = {
    swap16() { return swap(this, 2); },
    swap32() { return swap(this, 4); },
    swap64() { return swap(this, 8); },
    toString(encoding, start, end) {
      return T.text(this, T.encodingOf(encoding), start, end);
    },
    equals(other) {
      if (!(other instanceof Uint8Array)) throw invalidArg("b", "an instance of Buffer or Uint8Array", typeof other);
      return this === other || (this.byteLength === other.byteLength && native.compare(this, T.raw(other)) === 0);
    },
    inspect(depth, options) {
      const n = Math.min(inspectMaxBytes, this.length);
      let text = this.toString("hex", 0, n).replace(/(..)(?=.)/g, "$1 ");
      const left = this.length - n;
      if (left > 0) text += ` ... ${left} more byte${left > 1 ? "s" : ""}`;
      const extra = Object.keys(this).filter((k) => !/^\d+$/.test(k));
      if (extra.length > 0) {
        const shown = inspect(Object.fromEntries(extra.map((k) => [k, this[k]])),
          Object.assign({}, options, { breakLength: Infinity, compact: true }));
        text += `${this.length > 0 ? ", " : ""}${shown.slice(2, -2)}`;
      }
      return `<${this.constructor.name} ${text}>`;
    },
    compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
      if (!(target instanceof Uint8Array)) throw invalidArg("target", "an instance of Buffer or Uint8Array", target);
      if (arguments.length === 1) return native.compare(this, T.raw(target));
      const ts = bound(targetStart, "targetStart", target.length, 0);
      const te = bound(targetEnd, "targetEnd", target.length, target.length);
      const ss = bound(sourceStart, "sourceStart", this.length, 0);
      const se = bound(sourceEnd, "sourceEnd", this.length, this.length);
      if (ss >= se) return ts >= te ? 0 : -1;
      if (ts >= te) return 1;
      return native.compare(this.subarray(ss, se), T.raw(target).subarray(ts, te));
    },
    includes(value, from, encoding) {
      return this.indexOf(value, from, encoding) !== -1;
    },
    indexOf(value, from, encoding) {
      return T.search(this, value, from, encoding, true);
    },
    lastIndexOf(value, from, encoding) {
      return T.search(this, value, from, encoding, false);
    },
    write: T.write,
    toJSON() {
      return { type: "Buffer", data: Array.from(this) };
    },
    slice(start, end) {
      return this.subarray(start, end);
    },
    copy(target, targetStart, sourceStart, sourceEnd) {
      if (!(target instanceof Uint8Array)) throw invalidArg("target", "an instance of Buffer or Uint8Array", target);
      const to = integer(targetStart, 0);
      if (to < 0) throw outOfRange("targetStart", ">= 0", to);
      const from = integer(sourceStart, 0);
      if (from < 0) throw outOfRange("sourceStart", ">= 0", from);
      const end = integer(sourceEnd, this.length);
      if (end < 0) throw outOfRange("sourceEnd", ">= 0", end);
      const n = Math.min(end, this.length) - from;
      if (to >= target.length || n <= 0) return 0;
      const count = Math.min(n, target.length - to);
      T.raw(target).set(T.raw(this).subarray(from, from + count), to);
      return count;
    },
    fill(value, offset, end, encoding) {
      if (typeof offset === "string") [offset, encoding] = [undefined, offset];
      else if (typeof end === "string") [end, encoding] = [undefined, end];
      const name = T.encodingOf(encoding);
      const to = end === undefined ? this.length : end;
      if (to < 0 || to > this.length) throw outOfRange("end", `0 to ${this.length}`, to);
      const from = offset === undefined ? 0 : offset;
      if (from < 0 || from > to) throw outOfRange("start", "0 to end", from);
      let pattern;
      if (typeof value === "string") {
        pattern = T.bytesOf(value, name);
        if (value !== "" && pattern.length === 0) {
          throw new NodeTypeError("ERR_INVALID_ARG_VALUE", `The argument 'value' is invalid.${received(value).replace(/ type string \((.*)\)$/, " $1")}`);
        }
      } else if (ArrayBuffer.isView(value)) pattern = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      else pattern = new Uint8Array([typeof value === "boolean" ? +value : value & 255]);
      if (pattern.length === 0) pattern = new Uint8Array(1);
      native.fill(T.raw(this).subarray(from, to), pattern);
      return this;
    },
  };
  methods.toLocaleString = methods.toString;
  Object.assign(methods, T.direct, numbers);

  const accessors = {
    __proto__: null,
    parent() { return this instanceof Buffer ? this.buffer : undefined; },
    offset() { return this instanceof Buffer ? this.byteOffset : undefined; },
  };
  const order = ["parent", "offset", "swap16", "swap32", "swap64", "toString", "toLocaleString", "equals", "inspect",
    "compare", "includes", "indexOf", "lastIndexOf",
    ...["Slice", "Write"].flatMap((s) => ["ascii", "base64", "base64url", "hex", "latin1", "ucs2", "utf8"].map((e) => e + s)),
    "write", "toJSON", "slice", ...numberOrder("read"), ...numberOrder("write"), "copy", "fill"];

  function numberOrder(verb) {
    const both = (name) => (name.includes("UInt") ? [name, name.replace("UInt", "Uint")] : [name]);
    return ["UIntLE", "UIntBE", "UInt8",
      ...(verb === "read" ? ["UInt16BE", "UInt16LE"] : ["UInt16LE", "UInt16BE"]),
      "UInt32LE", "UInt32BE", "BigUInt64LE", "BigUInt64BE", "IntLE", "IntBE", "Int8", "Int16LE", "Int16BE", "Int32LE",
      "Int32BE", "BigInt64LE", "BigInt64BE", "FloatLE", "FloatBE", "DoubleLE", "DoubleBE"].flatMap((n) => both(verb + n));
  }
  for (const name of order) {
    if (accessors[name]) Object.defineProperty(Buffer.prototype, name, { get: accessors[name], enumerable: true, configurable: true });
    else Buffer.prototype[name] = methods[name];
  }
  Object.defineProperty(Buffer.prototype, inspect.custom, { value: methods.inspect, enumerable: false, configurable: true, writable: true });

  // Both one-byte encodings stand for windows-1252 here; what it lacks is "?".
  const high = "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
    "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";
  function windows1252(str) {
    return fromArrayLike(Array.from(str, (ch) => {
      const c = ch.codePointAt(0);
      if (c < 0x80 || (c >= 0xa0 && c <= 0xff)) return c;
      const i = high.indexOf(ch);
      return i < 0 ? 0x3f : 0x80 + i;
    }));
  }

  function transcode(source, fromEncoding, toEncoding) {
    if (!(source instanceof Uint8Array)) throw invalidArg("source", "an instance of Buffer or Uint8Array", source);
    const can = ["utf8", "utf16le", "latin1", "ascii"];
    const from = T.lookup(fromEncoding);
    const to = T.lookup(toEncoding);
    if (!can.includes(from) || !can.includes(to)) throw new Error("Unable to transcode buffer due to unsupported encoding");
    const oneByte = from === "latin1" || from === "ascii";
    const str = native.encode(T.raw(source), oneByte ? "latin1" : from, 0, source.byteLength);
    if (oneByte && to === "utf8") return fromString(str.replace(/[\x80-\x9f]/g, (c) => high[c.charCodeAt(0) - 0x80]), to);
    return to === "latin1" || to === "ascii" ? windows1252(str) : fromString(str, to);
  }

  function bytes(input) {
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    if (types.isAnyArrayBuffer(input)) return new Uint8Array(input);
    throw invalidArg("input", "an instance of ArrayBuffer, Buffer, or TypedArray", input);
  }

  function resolveObjectURL() {
    throw new NodeError("ERR_METHOD_NOT_IMPLEMENTED", "The buffer.resolveObjectURL method is not implemented");
  }

  const members = {
    atob: globalThis.atob,
    btoa: globalThis.btoa,
    constants: { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: kStringMaxLength },
    kMaxLength,
    kStringMaxLength,
    Blob: globalThis.Blob,
    Buffer,
    File: globalThis.File,
    SlowBuffer: (size) => Buffer.allocUnsafeSlow(size),
    isAscii: (input) => bytes(input).every((b) => b < 128),
    isUtf8: (input) => native.isUtf8(bytes(input)),
    transcode,
    INSPECT_MAX_BYTES: inspectMaxBytes,
    resolveObjectURL,
  };
  const buffer = Object.assign({}, members);
  Object.defineProperty(buffer, "INSPECT_MAX_BYTES", {
    get: () => inspectMaxBytes,
    set(n) {
      if (typeof n !== "number" || !(n >= 0)) throw outOfRange("INSPECT_MAX_BYTES", "a non-negative number", n);
      inspectMaxBytes = n;
    },
    enumerable: true,
    configurable: true,
  });
  return Object.assign({}, members, { default: buffer });
})
