// node:querystring.
(function (require, host) {
  "use strict";
  const { Buffer } = require("node:buffer");

  function escape(str) {
    if (typeof str !== "string") str = typeof str === "object" ? String(str) : `${str}`;
    try {
      return encodeURIComponent(str);
    } catch {
      const err = new URIError("URI malformed");
      err.code = "ERR_INVALID_URI";
      throw err;
    }
  }

  // unescapeBuffer decodes %XX bytes and leaves anything else as it is.
  function unescapeBuffer(str, decodeSpaces) {
    const out = [];
    for (let i = 0; i < str.length; i++) {
      let c = str.charCodeAt(i);
      if (c === 0x25 && /^[0-9a-fA-F]{2}$/.test(str.slice(i + 1, i + 3))) {
        c = parseInt(str.slice(i + 1, i + 3), 16);
        i += 2;
      } else if (c === 0x2b && decodeSpaces) c = 0x20;
      out.push(c & 255);
    }
    return Buffer.from(out);
  }

  function unescape(str, decodeSpaces) {
    try {
      return decodeURIComponent(str);
    } catch {
      return unescapeBuffer(str, decodeSpaces).toString();
    }
  }

  function primitive(v) {
    switch (typeof v) {
      case "string": return v;
      case "number": return Number.isFinite(v) ? `${v}` : "";
      case "bigint": return `${v}`;
      case "boolean": return v ? "true" : "false";
    }
    return "";
  }

  function stringify(obj, sep, eq, options) {
    sep = sep || "&";
    eq = eq || "=";
    let encode = qs.escape;
    if (typeof options?.encodeURIComponent === "function") encode = options.encodeURIComponent;
    if (obj === null || typeof obj !== "object") return "";
    const out = [];
    for (const key of Object.keys(obj)) {
      const name = `${encode(primitive(key))}${eq}`;
      const value = obj[key];
      if (Array.isArray(value)) for (const v of value) out.push(name + encode(primitive(v)));
      else out.push(name + encode(primitive(value)));
    }
    return out.join(sep);
  }

  function parse(str, sep, eq, options) {
    const out = Object.create(null);
    if (typeof str !== "string" || str.length === 0) return out;
    sep = sep ? `${sep}` : "&";
    eq = eq ? `${eq}` : "=";
    let max = 1000;
    if (typeof options?.maxKeys === "number") max = options.maxKeys > 0 ? options.maxKeys : Infinity;
    let decode = qs.unescape;
    if (typeof options?.decodeURIComponent === "function") decode = options.decodeURIComponent;
    const text = (part) => {
      part = part.replaceAll("+", " ");
      if (decode === unescape && !part.includes("%")) return part;
      try {
        return decode(part);
      } catch {
        return unescape(part, true);
      }
    };
    let count = 0;
    for (const part of str.split(sep)) {
      if (part === "") continue;
      if (count++ >= max) break;
      const i = part.indexOf(eq);
      const key = text(i < 0 ? part : part.slice(0, i));
      const value = i < 0 ? "" : text(part.slice(i + eq.length));
      if (!(key in out)) out[key] = value;
      else if (Array.isArray(out[key])) out[key].push(value);
      else out[key] = [out[key], value];
    }
    return out;
  }

  const qs = { decode: parse, encode: stringify, escape, parse, stringify, unescape, unescapeBuffer };
  return Object.assign({}, qs, { default: qs });
})
