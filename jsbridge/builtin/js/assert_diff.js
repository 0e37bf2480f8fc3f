// The two forms in which failed assertions show a difference: line by line
// with context (deepStrictEqual and AssertionError itself), and as a list of
// removed and added lines (strictEqual).
(function (require, host) {
  "use strict";
  const native = require("internal:native");
  const { inspect } = require("internal:inspect");
  const K = require("internal:kinds");

  const headlines = {
    deepStrictEqual: "Expected values to be strictly deep-equal:",
    strictEqual: "Expected values to be strictly equal:",
    strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
    deepEqual: "Expected values to be loosely deep-equal:",
    notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
    notStrictEqual: 'Expected "actual" to be strictly unequal to:',
    notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
    notDeepEqual: "Expected values not to be loosely deep-equal:",
    notIdentical: "Values have same structure but are not reference-equal:",
  };

  // The stack of an error is no part of a comparison: show a copy without it.
  function bare(v) {
    if (!K.types.isNativeError(v)) return v;
    const copy = Object.assign(Object.create(Object.getPrototypeOf(v)), v);
    Object.defineProperty(copy, "message", { value: v.message, enumerable: false });
    return copy;
  }

  function show(v) {
    return inspect(bare(v), {
      compact: true,
      customInspect: false,
      depth: 1000,
      maxArrayLength: Infinity,
      maxStringLength: null,
      showHidden: false,
      breakLength: 80,
      showProxy: false,
      sorted: true,
      getters: true,
    });
  }

  const simple = (v) => typeof v !== "object" || v === null;

  function stacked(actual, expected, operator) {
    const a = show(actual).split("\n");
    const b = show(expected).split("\n");
    let pointer = "";
    if (operator === "strictEqual" && (!simple(actual) && !simple(expected) ||
      typeof actual === "function" && typeof expected === "function")) operator = "strictEqualObject";
    if (a.length === 1 && b.length === 1 && a[0] !== b[0]) {
      const size = a[0].length + b[0].length;
      if (size <= 12) {
        if (simple(actual) && simple(expected) && (actual !== 0 || expected !== 0)) {
          return `${headlines[operator]}\n\n${a[0]} !== ${b[0]}\n`;
        }
      } else if (operator !== "strictEqualObject" && size < 80) {
        let i = 0;
        while (a[0][i] === b[0][i]) i++;
        if (i > 2) pointer = `\n  ${" ".repeat(i)}^`;
      }
    }
    const tail = commonTail(a, b);
    if (a.length === 0 && b.length === 0) return identical(tail.lines);
    const body = context(a, b);
    const skipped = body.skipped || tail.skipped;
    const head = `${headlines[operator]}\n+ actual - expected${skipped ? " ... Lines skipped" : ""}\n`;
    if (body.cut) return `${head}${body.text}`;
    return `${head}${body.text}${tail.text}${pointer}`;
  }

  function identical(lines) {
    if (lines.length > 50) lines = lines.slice(0, 46).concat("...");
    return `${headlines.notIdentical}\n\n${lines.join("\n")}\n`;
  }

  // commonTail takes the equal last lines off both; of five or more it shows
  // the first and the last three.
  function commonTail(a, b) {
    const lines = [];
    while (a.length > 0 && b.length > 0 && a[a.length - 1] === b[b.length - 1]) {
      lines.unshift(a.pop());
      b.pop();
    }
    const skipped = lines.length >= 5;
    const shown = skipped ? [`  ${lines[0]}`, "...", ...lines.slice(-3).map((l) => `  ${l}`)] : lines.map((l) => `  ${l}`);
    return { lines, skipped, text: shown.map((l) => `\n${l}`).join("") };
  }

  // context walks both texts side by side: up to two equal lines after and
  // before each difference, and "..." for more.
  function context(a, b) {
    const out = [];
    let added = [];
    let same = 0;
    let skipped = false;
    const lead = (lines, i) => {
      if (same > 2) {
        if (same > 5) {
          out.push("...");
          skipped = true;
        } else if (same === 5) out.push(`  ${lines[i - 3]}`);
        if (same > 3) out.push(`  ${lines[i - 2]}`);
        out.push(`  ${lines[i - 1]}`);
      }
      same = 0;
    };
    let printed = 0;
    const max = Math.max(a.length, b.length);
    for (let i = 0; i < max; i++) {
      if (i >= a.length) {
        lead(b, i);
        added.push(`- ${b[i]}`);
      } else if (i >= b.length) {
        lead(a, i);
        out.push(`+ ${a[i]}`);
      } else {
        // A comma at the end of one line only says that more follows there.
        const differ = a[i] !== b[i] && a[i] !== `${b[i]},` && `${a[i]},` !== b[i];
        if (differ) {
          lead(a, i);
          out.push(`+ ${a[i]}`);
          added.push(`- ${b[i]}`);
        } else {
          out.push(...added);
          added = [];
          same++;
          if (same <= 2) out.push(`  ${`${a[i]},` === b[i] ? b[i] : a[i]}`);
        }
      }
      printed = out.length + added.length;
      if (printed > 50 && i < max - 2) {
        const lines = [...out, "...", ...added, "..."];
        return { cut: true, skipped: true, text: lines.map((l) => `\n${l}`).join("") };
      }
    }
    return { cut: false, skipped, text: [...out, ...added].map((l) => `\n${l}`).join("") };
  }

  // script finds a shortest list of removed (-1), common (0) and added (1)
  // lines; in a replaced stretch the longer side comes first.
  function script(a, b) {
    let from = 0;
    while (from < a.length && from < b.length && a[from] === b[from]) from++;
    let tail = 0;
    while (tail < a.length - from && tail < b.length - from &&
      a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
    const x = a.slice(from, a.length - tail);
    const y = b.slice(from, b.length - tail);
    const out = a.slice(0, from).map((value) => ({ type: 0, value }));
    const swap = y.length > x.length;
    const [m, n] = swap ? [y, x] : [x, y];
    const ids = new Map();
    const number = (line) => {
      if (!ids.has(line)) ids.set(line, ids.size);
      return ids.get(line);
    };
    let i = 0;
    let j = 0;
    const mid = native.lineScript(Int32Array.from(m, number), Int32Array.from(n, number)).map((type) => {
      if (type === 0) j++;
      const value = type > 0 ? n[j++] : m[i++];
      return { type: swap ? -type : type, value };
    });
    return out.concat(mid, a.slice(a.length - tail).map((value) => ({ type: 0, value })));
  }

  // Strings are compared by lines with their line ends made visible.
  function visible(text) {
    return text.replaceAll("\b", "\\b").replaceAll("\f", "\\f").replaceAll("\t", "\\t").replaceAll("\v", "\\v")
      .replace(/\r\n|\r|\n/g, (s) => (s === "\r" ? "\\r" : s === "\n" ? "\\n\n" : "\\r\\n\r\n"));
  }

  const words = (text) => text.split(/(\w+)/).filter((w) => w.trim() !== "");

  // With more removed than added lines the real runtime exchanges the texts
  // of each pair it finds; people compare outputs, so do we.
  function exchange(lines) {
    const added = lines.filter((l) => l.type === 1);
    const removed = lines.filter((l) => l.type === -1);
    if (added.length >= removed.length) return;
    for (const a of added) {
      let pair;
      while (removed.length > 0) {
        pair = removed.shift();
        const other = new Set(words(pair.value));
        if (words(a.value).some((w) => other.has(w))) break;
      }
      if (pair !== undefined) [a.value, pair.value] = [pair.value, a.value];
    }
  }

  function listed(actual, expected) {
    const strings = typeof actual === "string" && typeof expected === "string";
    const parts = (v) => (strings ? visible(v).split("\n") : inspect(v).split("\n"));
    const lines = script(parts(actual), parts(expected));
    if (strings) exchange(lines);
    const marks = { "-1": "-   ", 0: "    ", 1: "+   " };
    const text = lines.map((l) => marks[l.type] + l.value).join("\n");
    return `\n\n\n[Diff] Actual / Expected\n\n\n${text}\n${strings ? "\n" : ""}`;
  }

  return { headlines, show, stacked, listed, script };
})
