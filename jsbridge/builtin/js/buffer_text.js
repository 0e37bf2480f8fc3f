// Buffer and text: encoding names, reading and writing strings, searching.
(function (require, host) {
  "use strict";
  const native = require("internal:native");
  const { NodeTypeError, outOfRange, received } = require("internal:errors");

  const names = {
    utf8: "utf8", "utf-8": "utf8", hex: "hex", base64: "base64", base64url: "base64url", latin1: "latin1",
    binary: "latin1", ascii: "ascii", ucs2: "utf16le", "ucs-2": "utf16le", utf16le: "utf16le", "utf-16le": "utf16le",
  };

  // lookup gives an encoding its one name, or undefined.
  function lookup(encoding) {
    if (typeof encoding !== "string") return undefined;
    const key = encoding.toLowerCase();
    return Object.prototype.hasOwnProperty.call(names, key) ? names[key] : undefined;
  }

  function encodingOf(encoding) {
    if (encoding === undefined || encoding === null || encoding === "") return "utf8";
    const name = lookup(encoding);
    if (name === undefined) throw new NodeTypeError("ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
    return name;
  }

  const bytesOf = (str, encoding) => new Uint8Array(native.decode(str, encoding));

  function clamp(n, length, fallback) {
    if (n === undefined) return fallback;
    n = Math.trunc(+n) || 0;
    return n < 0 ? 0 : n > length ? length : n;
  }

  const raw = (buf) => new Uint8Array(buf.buffer, buf.byteOffset, buf.byteLength);

  function text(buf, encoding, start, end) {
    const from = clamp(start, buf.length, 0);
    const to = clamp(end, buf.length, buf.length);
    return from >= to ? "" : native.encode(buf, encoding, from, to);
  }

  function needIndex(n, name, max) {
    if (typeof n !== "number") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type number.${received(n)}`);
    }
    if (!Number.isInteger(n)) throw outOfRange(name, "an integer", n);
    if (n < 0 || n > max) throw outOfRange(name, `>= 0 && <= ${max}`, n);
  }

  // put writes as much of a string as fits, whole characters only.
  function put(buf, str, offset, length, encoding) {
    const bytes = bytesOf(String(str), encoding);
    const room = Math.min(length, buf.length - offset);
    let n = Math.min(bytes.length, room);
    if (encoding === "utf8") n = native.utf8Fit(bytes, room);
    else if (encoding === "utf16le") n -= n % 2;
    raw(buf).set(n === bytes.length ? bytes : bytes.subarray(0, n), offset);
    return n;
  }

  // The overloads write(string, encoding), write(string, offset, encoding)
  // and write(string, offset, length, encoding).
  function write(string, offset, length, encoding) {
    if (typeof offset === "string") return put(this, string, 0, this.length, encodingOf(offset));
    if (offset === undefined) return put(this, string, 0, this.length, encodingOf(encoding));
    needIndex(offset, "offset", this.length);
    if (typeof length === "string") return put(this, string, offset, this.length - offset, encodingOf(length));
    if (length === undefined) return put(this, string, offset, this.length - offset, encodingOf(encoding));
    needIndex(length, "length", this.length);
    return put(this, string, offset, length, encodingOf(encoding));
  }

  // xxxSlice and xxxWrite, which some packages call directly.
  const direct = {};
  for (const [prefix, encoding] of [["ascii", "ascii"], ["base64", "base64"], ["base64url", "base64url"], ["hex", "hex"],
    ["latin1", "latin1"], ["ucs2", "utf16le"], ["utf8", "utf8"]]) {
    direct[`${prefix}Slice`] = function (start, end) {
      return text(this, encoding, start, end);
    };
    direct[`${prefix}Write`] = function (string, offset = 0, length = this.length) {
      needIndex(offset, "offset", this.length);
      needIndex(length, "length", this.length - offset);
      return put(this, string, offset, length, encoding);
    };
  }

  // needle turns what is looked for into bytes.
  function needle(value, encoding) {
    if (typeof value === "number") return new Uint8Array([value & 255]);
    if (typeof value === "string") return bytesOf(value, encoding);
    if (value instanceof Uint8Array) return value;
    throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
      'The "value" argument must be one of type number or string or an instance of Buffer or Uint8Array.' + received(value));
  }

  function search(buf, value, from, encoding, forward) {
    if (typeof from === "string") {
      encoding = from;
      from = undefined;
    }
    const name = encodingOf(encoding);
    const what = needle(value, name);
    const step = typeof value === "string" && name === "utf16le" ? 2 : 1;
    from = +from;
    if (Number.isNaN(from)) from = forward ? 0 : buf.length;
    from = Math.trunc(Math.max(-2147483648, Math.min(2147483647, from)));
    if (from < 0) from += buf.length;
    if (from < 0) {
      if (!forward) return -1;
      from = 0;
    }
    if (what.length === 0) return Math.min(from, buf.length);
    if (forward) return native.indexOf(buf, what, from, step);
    return native.lastIndexOf(buf, what, Math.min(from, buf.length), step);
  }

  return { lookup, encodingOf, bytesOf, raw, text, write, direct, search };
})
