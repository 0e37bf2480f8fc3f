// NumberFormat, PluralRules and the locale methods of numbers.

const increments = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];
const roundings = ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"];

// The digit options (https://tc39.es/ecma402/#sec-setnfdigitoptions).
function digitOptions(r, out, minDefault, maxDefault, notation) {
  out.minimumIntegerDigits = r.number("minimumIntegerDigits", 1, 21, 1);
  const minF = r.object.minimumFractionDigits, maxF = r.object.maximumFractionDigits;
  const minS = r.object.minimumSignificantDigits, maxS = r.object.maximumSignificantDigits;
  const increment = r.number("roundingIncrement", 1, 5000, 1);
  if (!increments.includes(increment)) throw new RangeError("roundingIncrement value is out of range.");
  const mode = r.text("roundingMode", roundings, "halfExpand");
  const priority = r.text("roundingPriority", ["auto", "morePrecision", "lessPrecision"], "auto");
  const zeros = r.text("trailingZeroDisplay", ["auto", "stripIfInteger"], "auto");
  if (increment !== 1) maxDefault = minDefault;
  const hasS = minS !== undefined || maxS !== undefined, hasF = minF !== undefined || maxF !== undefined;
  const needS = priority !== "auto" || hasS;
  const needF = priority !== "auto" || !needS && !(!hasF && notation === "compact");
  let chosen = priority;
  if (needF) {
    let lo = integer("minimumFractionDigits", minF, 0, 100, undefined), hi = integer("maximumFractionDigits", maxF, 0, 100, undefined);
    if (lo === undefined) lo = Math.min(minDefault, hi ?? minDefault);
    else if (hi === undefined) hi = Math.max(maxDefault, lo);
    else if (lo > hi) throw new RangeError("maximumFractionDigits value is out of range.");
    out.minimumFractionDigits = lo;
    out.maximumFractionDigits = hi ?? Math.max(maxDefault, lo);
  }
  if (needS) {
    out.minimumSignificantDigits = integer("minimumSignificantDigits", minS, 1, 21, 1);
    out.maximumSignificantDigits = integer("maximumSignificantDigits", maxS, out.minimumSignificantDigits, 21, 21);
  }
  if (!needS && !needF) {
    Object.assign(out, { minimumFractionDigits: 0, maximumFractionDigits: 0, minimumSignificantDigits: 1, maximumSignificantDigits: 2 });
    chosen = "morePrecision";
  }
  if (increment !== 1) {
    if (needS) throw new TypeError("roundingIncrement value is invalid.");
    if (out.maximumFractionDigits !== out.minimumFractionDigits) throw new RangeError("roundingIncrement value is out of range.");
  }
  return { roundingIncrement: increment, roundingMode: mode, roundingPriority: chosen, trailingZeroDisplay: zeros };
}

function numberOptions(list, options) {
  const r = reader("NumberFormat", options);
  const out = { locale: resolve(locales(list)), numberingSystem: "latn" };
  r.text("localeMatcher", ["lookup", "best fit"]);
  const style = out.style = r.text("style", ["decimal", "percent", "currency", "unit"], "decimal");
  const currency = r.text("currency");
  if (currency !== undefined && !/^[A-Za-z]{3}$/.test(currency)) throw new RangeError("Invalid currency code : " + currency);
  if (style === "currency" && currency === undefined) throw new TypeError("Currency code is required with currency style.");
  const display = r.text("currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol");
  const sign = r.text("currencySign", ["standard", "accounting"], "standard");
  const unit = r.text("unit");
  if (style === "unit" && unit === undefined) throw new TypeError("Invalid unit argument for Intl.NumberFormat() ''");
  if (unit !== undefined && !host.hasUnit(unit)) {
    const [a, b] = unit.split("-per-");
    if (b !== undefined && host.hasUnit(a) && host.hasUnit(b)) throw new RangeError(`Intl.NumberFormat: the unit ${unit} is not implemented`);
    throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
  }
  const unitDisplay = r.text("unitDisplay", ["short", "narrow", "long"], "short");
  if (style === "currency") Object.assign(out, { currency: currency.toUpperCase(), currencyDisplay: display, currencySign: sign });
  if (style === "unit") Object.assign(out, { unit, unitDisplay });
  const notation = r.text("notation", ["standard", "scientific", "engineering", "compact"], "standard");
  const digits = style === "currency" && notation === "standard" ? host.currencyDigits(out.currency) : 0;
  const tail = digitOptions(r, out, digits, style === "currency" ? digits : style === "percent" ? 0 : Math.max(digits, 3), notation);
  const compact = r.text("compactDisplay", ["short", "long"], "short");
  let grouping = r.object.useGrouping;
  if (grouping === undefined || grouping === "true" || grouping === "false") grouping = notation === "compact" ? "min2" : "auto";
  else if (grouping === true) grouping = "always";
  else if (!grouping) grouping = false;
  else if (!["min2", "auto", "always"].includes(String(grouping))) {
    throw new RangeError(`Value ${grouping} out of range for Intl.NumberFormat options property useGrouping`);
  }
  out.useGrouping = grouping;
  out.notation = notation;
  if (notation === "compact") out.compactDisplay = compact;
  out.signDisplay = r.text("signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto");
  return Object.assign(out, tail);
}

// What is formatted: a number, a BigInt or a numeric string.
function numericValue(v) {
  if (isObject(v)) {
    const p = v[Symbol.toPrimitive] === undefined ? v.valueOf() : v[Symbol.toPrimitive]("number");
    v = isObject(p) ? String(p) : p;
  }
  return typeof v === "bigint" || typeof v === "string" ? v : Number(v);
}

const numberState = (list, options) => {
  const resolved = numberOptions(list, options);
  return { resolved, run: host.number(resolved) };
};

function numberRange(s, a, b) {
  if (a === undefined || b === undefined) throw new TypeError("startRange or endRange cannot be undefined".replace("startRange or endRange", a === undefined ? "start" : "end"));
  const [x, y] = [numericValue(a), numericValue(b)];
  if (x !== x || y !== y) throw new RangeError("Invalid time value".replace("time", "number"));
  if (!["decimal", "currency"].includes(s.resolved.style) || s.resolved.notation !== "standard") {
    throw new Error(`Intl.NumberFormat.prototype.formatRange is not implemented for the style ${s.resolved.style}`);
  }
  const [p, q] = [textOf(s.run(x)), textOf(s.run(y))];
  if (p === q) return "~" + p;
  const plain = s.resolved.style === "decimal" && !/^[-+]/.test(p) && !/^[-+]/.test(q);
  return p + (plain ? "–" : " – ") + q;
}

const UNWRAP = "UnwrapNumberFormat";
const NumberFormat = intlClass("NumberFormat", 0, numberState, (at) => ({
  resolvedOptions() { return { ...at(this, UNWRAP).resolved }; },
  formatToParts(value) { return partsOf(at(this, "Intl.NumberFormat.prototype.formatToParts").run(numericValue(value))); },
  get format() {
    const s = at(this, UNWRAP);
    return s.bound ??= (value) => textOf(s.run(numericValue(value)));
  },
  formatRange(start, end) { return numberRange(at(this, "Intl.NumberFormat.prototype.formatRange"), start, end); },
  formatRangeToParts(start, end) {
    at(this, "Intl.NumberFormat.prototype.formatRangeToParts");
    throw new Error("Intl.NumberFormat.prototype.formatRangeToParts is not implemented");
  },
}), true);
define("NumberFormat", NumberFormat);

const plainNumber = cached(() => numberState(undefined, undefined));
const numberText = (v, list, options) => {
  const s = list === undefined && options === undefined ? plainNumber() : numberState(list, options);
  return textOf(s.run(v));
};
for (const [name, proto] of [["Number", Number.prototype], ["BigInt", BigInt.prototype]]) {
  const valueOf = proto.valueOf;
  methods[name + ".toLocaleString"] = (self, list, options) => {
    let v;
    try {
      v = apply(valueOf, self, []);
    } catch {
      throw new TypeError(`${name}.prototype.toLocaleString requires that 'this' be a ${name}`);
    }
    return numberText(v, list, options);
  };
}

const PluralRules = intlClass("PluralRules", 0, (list, options) => {
  const r = reader("PluralRules", options);
  // The rules are those of the language, and so is the locale.
  const out = { locale: resolve(locales(list)).slice(0, 2) };
  r.text("localeMatcher", ["lookup", "best fit"]);
  out.type = r.text("type", ["cardinal", "ordinal"], "cardinal");
  out.notation = r.text("notation", ["standard", "scientific", "engineering", "compact"], "standard");
  const digits = {};
  const tail = digitOptions(r, digits, 0, 3, out.notation);
  const resolved = { ...out, ...digits, pluralCategories: out.type === "cardinal" ? ["one", "other"] : ["one", "two", "few", "other"], ...tail };
  return { resolved, run: host.number({ style: "decimal", signDisplay: "never", useGrouping: false, ...resolved }) };
}, (at) => {
  const select = (s, n) => {
    const text = textOf(s.run(n));
    if (s.resolved.type === "cardinal") return text === "1" ? "one" : "other";
    if (!/^\d+$/.test(text)) return "other";
    const [tens, ones] = [Number(text.slice(-2)), Number(text.slice(-1))];
    if (tens >= 11 && tens <= 13) return "other";
    return ["other", "one", "two", "few"][ones] ?? "other";
  };
  return {
    resolvedOptions() {
      const s = at(this, "Intl.PluralRules.prototype.resolvedOptions");
      return { ...s.resolved, pluralCategories: [...s.resolved.pluralCategories] };
    },
    select(value) { return select(at(this, "Intl.PluralRules.prototype.select"), Number(value)); },
    // In English a range is never singular.
    selectRange(start, end) {
      const s = at(this, "Intl.PluralRules.prototype.selectRange");
      if (start === undefined || end === undefined) throw new TypeError((start === undefined ? "start" : "end") + " cannot be undefined");
      const [x, y] = [Number(start), Number(end)];
      if (x !== x || y !== y) throw new RangeError("Invalid number value");
      return "other";
    },
  };
});
define("PluralRules", PluralRules);
