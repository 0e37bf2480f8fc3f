// util.format: a printf-like template, then whatever arguments are left.
(function (require, host) {
  "use strict";
  const { inspect } = require("internal:inspect");
  const { numberText } = require("internal:inspect_text");
  const { types } = require("internal:kinds");

  const numeric = (v, separator) => numberText(v, separator);
  const big = (v, options) => inspect(v, options);

  // A class that says itself how it is written, %s lets speak; all other
  // objects are inspected one level deep.
  function hasOwnText(v) {
    const own = Object.prototype.hasOwnProperty;
    if (types.isProxy(v)) return false;
    for (let o = v; o !== null; o = Object.getPrototypeOf(o)) {
      const ctor = Object.getOwnPropertyDescriptor(o, "constructor")?.value;
      if (typeof ctor === "function" && globalThis[ctor.name] === ctor) return false;
      if (own.call(o, "toString")) return true;
    }
    return false;
  }

  function asString(arg, options) {
    switch (typeof arg) {
      case "number": return numeric(arg, options.numericSeparator);
      case "bigint": return big(arg, options);
      case "object":
        if (arg !== null && hasOwnText(arg) && typeof arg.toString === "function") return String(arg);
        return inspect(arg, Object.assign({}, options, { depth: 0, colors: false, compact: 3 }));
    }
    return String(arg);
  }

  function asJSON(arg) {
    try {
      return String(JSON.stringify(arg));
    } catch (err) {
      if (/circular/i.test(String(err.message))) return "[Circular]";
      throw err;
    }
  }

  function convert(kind, arg, options) {
    switch (kind) {
      case "s": return asString(arg, options);
      case "d":
        if (typeof arg === "bigint") return big(arg, options);
        return typeof arg === "symbol" ? "NaN" : numeric(Number(arg), options.numericSeparator);
      case "i":
        if (typeof arg === "bigint") return big(arg, options);
        return typeof arg === "symbol" ? "NaN" : numeric(parseInt(arg), options.numericSeparator);
      case "f": return typeof arg === "symbol" ? "NaN" : numeric(parseFloat(arg), options.numericSeparator);
      case "j": return asJSON(arg);
      case "o": return inspect(arg, Object.assign({}, options, { showHidden: true, showProxy: true, depth: 4 }));
      case "O": return inspect(arg, options);
      case "c": return "";
    }
    return undefined;
  }

  function formatWithOptions(options, ...args) {
    const first = args[0];
    let next = 0;
    const out = [];
    let joined;
    if (typeof first === "string") {
      if (args.length === 1) return first;
      next = 1;
      let from = 0;
      for (let i = 0; i < first.length - 1; i++) {
        if (first[i] !== "%") continue;
        const kind = first[i + 1];
        if (kind === "%") {
          out.push(first.slice(from, i), "%");
        } else {
          if (next === args.length || !"sdifjoOc".includes(kind)) continue;
          out.push(first.slice(from, i), convert(kind, args[next++], options));
        }
        from = i + 2;
        i++;
      }
      out.push(first.slice(from));
      joined = out.join("");
    }
    const rest = args.slice(next).map((v) => (typeof v === "string" ? v : inspect(v, options)));
    if (joined !== undefined) rest.unshift(joined);
    return rest.join(" ");
  }

  function format(...args) {
    return formatWithOptions({}, ...args);
  }

  return { format, formatWithOptions };
})
