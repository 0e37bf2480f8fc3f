// Collator, ListFormat, RelativeTimeFormat, Segmenter, Locale and the rest.

function collatorState(list, options) {
  const r = reader("Collator", options);
  const out = { locale: resolve(locales(list)) };
  out.usage = r.text("usage", ["sort", "search"], "sort");
  r.text("localeMatcher", ["lookup", "best fit"]);
  const numeric = r.flag("numeric", false), caseFirst = r.text("caseFirst", ["upper", "lower", "false"], "false");
  out.sensitivity = r.text("sensitivity", ["base", "accent", "case", "variant"], "variant");
  out.ignorePunctuation = r.flag("ignorePunctuation", false);
  Object.assign(out, { collation: "default", numeric, caseFirst });
  return { resolved: out, run: host.collator(out.sensitivity, caseFirst, numeric, out.ignorePunctuation) };
}
define("Collator", intlClass("Collator", 0, collatorState, (at) => ({
  resolvedOptions() { return { ...at(this, "Intl.Collator.prototype.resolvedOptions").resolved }; },
  get compare() {
    const s = at(this, "get Intl.Collator.prototype.compare");
    return s.bound ??= (x, y) => s.run(String(x), String(y));
  },
}), true));
const plainCollator = cached(() => collatorState(undefined, undefined));
const thisText = (self, name) => {
  if (self === undefined || self === null) throw new TypeError(`String.prototype.${name} called on null or undefined`);
  return String(self);
};
methods["String.localeCompare"] = (self, that, list, options) => {
  const [a, b] = [thisText(self, "localeCompare"), String(that)];
  return (list === undefined && options === undefined ? plainCollator() : collatorState(list, options)).run(a, b);
};

// Turkish and its kin have an i of their own.
const turkic = (list) => /^(?:tr|az)\b/.test(locales(list)[0] ?? "");
methods["String.toLocaleUpperCase"] = (self, list) => {
  const s = thisText(self, "toLocaleUpperCase");
  return (turkic(list) ? s.replaceAll("i", "\u0130") : s).toUpperCase();
};
methods["String.toLocaleLowerCase"] = (self, list) => {
  const s = thisText(self, "toLocaleLowerCase");
  return (turkic(list) ? s.replaceAll("I\u0307", "i").replaceAll("I", "\u0131").replaceAll("\u0130", "i") : s).toLowerCase();
};
methods["Array.toLocaleString"] = (self, list, options) => {
  const o = Object(self), n = Math.min(Number(o.length) || 0, 2 ** 32 - 1), out = [];
  if (busy.includes(o)) return "";
  busy.push(o);
  try {
    for (let i = 0; i < n; i++) out.push(o[i] === undefined || o[i] === null ? "" : String(o[i].toLocaleString(list, options)));
  } finally {
    busy.pop();
  }
  return out.join(",");
};
const busy = [];

define("ListFormat", intlClass("ListFormat", 0, (list, options) => {
  if (options !== undefined && !isObject(options)) throw new TypeError("Incorrect ListFormat information provided");
  const r = reader("ListFormat", options);
  const out = { locale: resolve(locales(list)) };
  r.text("localeMatcher", ["lookup", "best fit"]);
  out.type = r.text("type", ["conjunction", "disjunction", "unit"], "conjunction");
  out.style = r.text("style", ["long", "short", "narrow"], "long");
  return { resolved: out };
}, (at) => {
  const flat = (s, items) => {
    const words = [];
    if (items !== undefined) {
      for (const v of items) {
        if (typeof v !== "string") throw new TypeError(`Iterable yielded ${show(v)} which is not a string`);
        words.push(v);
      }
    }
    const { type, style } = s.resolved;
    const word = type === "disjunction" ? "or" : type === "unit" || style === "narrow" ? "" : style === "short" ? "&" : "and";
    const comma = type === "unit" && style === "narrow" ? " " : ", ";
    const out = [];
    words.forEach((w, i) => {
      if (i > 0) {
        let sep = comma;
        if (i === words.length - 1 && word !== "") sep = (words.length > 2 ? ", " : " ") + word + " ";
        out.push("literal", sep);
      }
      out.push("element", w);
    });
    return out;
  };
  return {
    resolvedOptions() { return { ...at(this, "Intl.ListFormat.prototype.resolvedOptions").resolved }; },
    format(items) { return textOf(flat(at(this, "Intl.ListFormat.prototype.format"), items)); },
    formatToParts(items) { return partsOf(flat(at(this, "Intl.ListFormat.prototype.formatToParts"), items)); },
  };
}));

const spans = {
  second: ["sec.", "sec.", "s"], minute: ["min.", "min.", "m"], hour: ["hr.", "hr.", "h"], day: ["day", "days", "d"], week: ["wk.", "wk.", "w"],
  month: ["mo.", "mo.", "mo"], quarter: ["qtr.", "qtrs.", "q"], year: ["yr.", "yr.", "y"],
};
const near = {
  day: { "-1": "yesterday", 0: "today", 1: "tomorrow" }, second: { 0: "now" }, minute: { 0: "this minute" }, hour: { 0: "this hour" },
};
const shortNear = { week: "wk.", month: "mo.", quarter: "qtr.", year: "yr." };
define("RelativeTimeFormat", intlClass("RelativeTimeFormat", 0, (list, options) => {
  const r = reader("RelativeTimeFormat", options);
  const out = { locale: resolve(locales(list)) };
  r.text("localeMatcher", ["lookup", "best fit"]);
  out.style = r.text("style", ["long", "short", "narrow"], "long");
  out.numeric = r.text("numeric", ["always", "auto"], "always");
  out.numberingSystem = "latn";
  return { resolved: out };
}, (at) => {
  const flat = (s, method, value, unit) => {
    const n = Number(value), name = String(unit).replace(/s$/, "");
    if (!Object.hasOwn(spans, name)) throw new RangeError(`Invalid unit argument for Intl.RelativeTimeFormat.prototype.${method}() '${unit}'`);
    if (!Number.isFinite(n)) throw new RangeError(`Value need to be finite number for Intl.RelativeTimeFormat.prototype.${method}()`);
    const { style, numeric } = s.resolved;
    if (numeric === "auto") {
      let word = near[name]?.[n];
      if (near[name] === undefined && (n === 0 || n === 1 || n === -1)) {
        word = (n === 0 ? "this " : n === 1 ? "next " : "last ") + (style === "long" ? name : shortNear[name]);
      }
      if (word !== undefined) return { flat: ["literal", word] };
    }
    const past = n < 0 || Object.is(n, -0), digits = plainNumber().run(Math.abs(n));
    const one = textOf(digits) === "1";
    let after = style === "long" ? " " + name + (one ? "" : "s") : style === "short" ? " " + spans[name][one ? 0 : 1] : spans[name][2];
    if (past) after += " ago";
    return { flat: [...(past ? [] : ["literal", "in "]), ...digits, "literal", after], unit: name };
  };
  return {
    resolvedOptions() { return { ...at(this, "Intl.RelativeTimeFormat.prototype.resolvedOptions").resolved }; },
    format(value, unit) { return textOf(flat(at(this, "Intl.RelativeTimeFormat.prototype.format"), "format", value, unit).flat); },
    formatToParts(value, unit) {
      const f = flat(at(this, "Intl.RelativeTimeFormat.prototype.formatToParts"), "formatToParts", value, unit);
      return partsOf(f.flat).map((p) => (p.type === "literal" ? p : { ...p, unit: f.unit }));
    },
  };
}));

const iteratorProto = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
define("Segmenter", intlClass("Segmenter", 0, (list, options) => {
  if (options !== undefined && !isObject(options)) throw new TypeError("Incorrect Segmenter information provided");
  const r = reader("Segmenter", options);
  const out = { locale: resolve(locales(list)) };
  r.text("localeMatcher", ["lookup", "best fit"]);
  out.granularity = r.text("granularity", ["grapheme", "word", "sentence"], "grapheme");
  return { resolved: out };
}, (at) => ({
  resolvedOptions() { return { ...at(this, "Intl.Segmenter.prototype.resolvedOptions").resolved }; },
  segment(input) {
    const { granularity } = at(this, "Intl.Segmenter.prototype.segment").resolved;
    const text = String(input), flat = host.segments(text, granularity);
    const starts = [];
    let index = 0;
    for (let i = 0; i < flat.length; i += 2) {
      starts.push(index);
      index += flat[i].length;
    }
    const piece = (i) => ({
      segment: flat[2 * i], index: starts[i], input: text, ...(granularity === "word" ? { isWordLike: flat[2 * i + 1] } : {}),
    });
    const iterator = Object.create(iteratorProto, { [Symbol.toStringTag]: { value: "Segmenter String Iterator", configurable: true } });
    return {
      __proto__: {
        containing(at = 0) {
          const n = Math.trunc(Number(at)) || 0;
          if (n < 0 || n >= text.length) return undefined;
          let i = starts.length - 1;
          while (starts[i] > n) i--;
          return piece(i);
        },
        [Symbol.iterator]() {
          let i = 0;
          return Object.defineProperty(Object.create(iterator), "next", {
            value: () => (i < starts.length ? { value: piece(i++), done: false } : { value: undefined, done: true }),
          });
        },
      },
    };
  },
})));

const Locale = intlClass("Locale", 1, (tag, options) => {
  if (typeof tag !== "string" && !isObject(tag)) throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
  const canonical = host.canonical(String(tag));
  if (canonical === undefined) throw new RangeError("Incorrect locale information provided");
  if (options !== undefined && Object.keys(Object(options)).length > 0) throw new Error("Intl.Locale: options are not implemented");
  return { tag: canonical };
}, (at) => {
  const base = (self, name) => at(self, "Intl.Locale.prototype." + name).tag.split(/-[a-z0-9]-/)[0];
  const subtag = (self, name, re) => base(self, name).split("-").slice(1).find((s) => re.test(s));
  return {
    toString() { return at(this, "Intl.Locale.prototype.toString").tag; },
    get baseName() { return base(this, "baseName"); },
    get language() { return base(this, "language").split("-")[0]; },
    get script() { return subtag(this, "script", /^[A-Za-z]{4}$/); },
    get region() { return subtag(this, "region", /^(?:[A-Z]{2}|\d{3})$/); },
  };
});
delete Locale.supportedLocalesOf;
define("Locale", Locale);

define("getCanonicalLocales", { getCanonicalLocales(list) { return locales(list); } }.getCanonicalLocales);
const valueLists = { calendar: ["gregory"], collation: [], numberingSystem: ["latn"] };
define("supportedValuesOf", { supportedValuesOf(key) {
  const k = String(key);
  if (!["calendar", "collation", "currency", "numberingSystem", "timeZone", "unit"].includes(k)) throw new RangeError("Invalid key : " + k);
  return [...(valueLists[k] ?? host.values(k))];
} }.supportedValuesOf);
define("DisplayNames", missing("DisplayNames", 2));
define("DurationFormat", missing("DurationFormat", 0));
define("v8BreakIterator", missing("v8BreakIterator", 0));
return methods;
