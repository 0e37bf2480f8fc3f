// Text for the formatter: primitives, quoting, the width of a string on a
// terminal, and removing colour codes.
(function (require, host) {
  "use strict";
  const escapes = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 92: "\\\\" };
  const needsEscape = /[\x00-\x1f\x27\x5c\x7f-\x9f\ud800-\udfff]/;
  const ansi = /[\u001b\u009b][[\]()#;?]*(?:(?:(?:[a-zA-Z\d]*(?:;[-a-zA-Z\d\/#&.:=?%@~_]*)*)?\u0007)|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]))/g;

  function hex(n, digits) {
    return n.toString(16).toUpperCase().padStart(digits, "0");
  }

  // quote writes a string as a literal, in the quotes that need no escaping.
  function quote(str) {
    if (!needsEscape.test(str)) return `'${str}'`;
    let mark = 39;
    if (str.includes("'")) {
      if (!str.includes('"')) mark = 34;
      else if (!str.includes("`") && !str.includes("${")) mark = 96;
    }
    const out = [];
    let from = 0;
    for (let i = 0; i < str.length; i++) {
      const c = str.charCodeAt(i);
      let text;
      if (c === mark) text = `\\${str[i]}`;
      else if (escapes[c] !== undefined) text = escapes[c];
      else if (c < 0x20 || (c >= 0x7f && c <= 0x9f)) text = `\\x${hex(c, 2)}`;
      else if (c >= 0xd800 && c <= 0xdfff) {
        if (c <= 0xdbff && i + 1 < str.length) {
          const d = str.charCodeAt(i + 1);
          if (d >= 0xdc00 && d <= 0xdfff) {
            i++;
            continue;
          }
        }
        text = `\\u${c.toString(16).padStart(4, "0")}`;
      } else continue;
      out.push(str.slice(from, i), text);
      from = i + 1;
    }
    out.push(str.slice(from));
    const q = String.fromCharCode(mark);
    return q + out.join("") + q;
  }

  function grouped(digits) {
    let out = "";
    let i = digits.length;
    const start = digits.startsWith("-") ? 1 : 0;
    for (; i > start + 3; i -= 3) out = `_${digits.slice(i - 3, i)}${out}`;
    return digits.slice(0, i) + out;
  }

  function numberText(n, separator) {
    if (Object.is(n, -0)) return "-0";
    const text = String(n);
    if (!separator || !Number.isFinite(n) || text.includes("e")) return text;
    const dot = text.indexOf(".");
    if (dot < 0) return grouped(text);
    let fraction = text.slice(dot + 1);
    const parts = [];
    for (; fraction.length > 3; fraction = fraction.slice(3)) parts.push(fraction.slice(0, 3));
    parts.push(fraction);
    return `${grouped(text.slice(0, dot))}.${parts.join("_")}`;
  }

  function formatNumber(ctx, n) {
    return ctx.style(numberText(n, ctx.numericSeparator), "number");
  }

  function formatBigInt(ctx, n) {
    return ctx.style(`${ctx.numericSeparator ? grouped(String(n)) : n}n`, "bigint");
  }

  function formatString(ctx, str) {
    let tail = "";
    if (str.length > ctx.maxStringLength) {
      const left = str.length - ctx.maxStringLength;
      str = str.slice(0, ctx.maxStringLength);
      tail = `... ${left} more character${left > 1 ? "s" : ""}`;
    }
    if (ctx.compact !== true && str.length > 16 && str.length > ctx.breakLength - ctx.indent - 4) {
      const lines = str.split("\n");
      const texts = [];
      for (let i = 0; i < lines.length; i++) {
        const last = i === lines.length - 1;
        if (last && lines[i] === "") break;
        texts.push(ctx.style(quote(last ? lines[i] : `${lines[i]}\n`), "string"));
      }
      return texts.join(` +\n${" ".repeat(ctx.indent + 2)}`) + tail;
    }
    return ctx.style(quote(str), "string") + tail;
  }

  function symbolText(sym) {
    const text = sym.toString();
    return text;
  }

  function formatPrimitive(ctx, v) {
    switch (typeof v) {
      case "string": return formatString(ctx, v);
      case "number": return formatNumber(ctx, v);
      case "bigint": return formatBigInt(ctx, v);
      case "boolean": return ctx.style(String(v), "boolean");
      case "undefined": return ctx.style("undefined", "undefined");
      case "symbol": return ctx.style(symbolText(v), "symbol");
    }
    return ctx.style("null", "null");
  }

  function strip(str) {
    return str.includes("\u001b") || str.includes("\u009b") ? str.replace(ansi, "") : str;
  }

  function wide(c) {
    return c >= 0x1100 && (c <= 0x115f || c === 0x2329 || c === 0x232a ||
      (c >= 0x2e80 && c <= 0x3247 && c !== 0x303f) || (c >= 0x3250 && c <= 0x4dbf) ||
      (c >= 0x4e00 && c <= 0xa4c6) || (c >= 0xa960 && c <= 0xa97c) || (c >= 0xac00 && c <= 0xd7a3) ||
      (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe10 && c <= 0xfe19) || (c >= 0xfe30 && c <= 0xfe6b) ||
      (c >= 0xff01 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1b000 && c <= 0x1b001) ||
      (c >= 0x1f200 && c <= 0x1f251) || (c >= 0x1f300 && c <= 0x1f64f) || (c >= 0x20000 && c <= 0x3fffd));
  }

  function zeroWidth(c) {
    return c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0x300 && c <= 0x36f) ||
      (c >= 0x200b && c <= 0x200f) || (c >= 0x20d0 && c <= 0x20ff) ||
      (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xfe20 && c <= 0xfe2f) || (c >= 0xe0100 && c <= 0xe01ef);
  }

  // width is the number of columns a terminal gives to a string.
  function width(str, colored) {
    if (colored) str = strip(str);
    let n = 0;
    let plain = true;
    for (let i = 0; i < str.length; i++) {
      const c = str.charCodeAt(i);
      if (c < 32 || c >= 127) {
        plain = false;
        break;
      }
    }
    if (plain) return str.length;
    for (const ch of str.normalize("NFC")) {
      const c = ch.codePointAt(0);
      if (wide(c)) n += 2;
      else if (!zeroWidth(c)) n++;
    }
    return n;
  }

  return { formatPrimitive, formatNumber, formatBigInt, quote, strip, width, numberText };
})
