// toLocaleString for numbers in the locale of the real runtime, en-US.

const digits = (o, name, min, max) => {
  const v = o[name];
  if (v === undefined) return undefined;
  const n = Number(v);
  if (!(n >= min && n <= max)) throw new RangeErr(name + " value is out of range.");
  return Math.floor(n);
};

function group(whole) { return whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ","); }

// formatNumber gives undefined where only a full Intl could answer.
function formatLocale(x, locales, options, toText) {
  const list = locales === undefined ? ["en-US"] : typeof locales === "string" ? [locales] : [...locales];
  for (const l of list) {
    if (typeof l !== "string" || !/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(l)) {
      throw typeof l === "string" ? new RangeErr("Incorrect locale information provided") : new TypeErr("Incorrect locale information provided");
    }
  }
  if (list.length > 0 && !/^en(?:-US)?$/i.test(list[0])) {
    throw new RangeErr("toLocaleString: the locale " + list[0] + " is not supported, only en-US is");
  }
  const o = options === undefined ? {} : Object(options);
  for (const k of ["style", "currency", "notation", "unit", "compactDisplay", "minimumSignificantDigits", "maximumSignificantDigits", "signDisplay", "roundingMode", "roundingIncrement", "minimumIntegerDigits", "currencyDisplay", "numberingSystem"]) {
    if (o[k] === undefined || k === "style" && (o[k] === "decimal" || o[k] === "percent")) continue;
    if (k === "style" && o[k] === "currency" && o.currency === "USD" || k === "currency") continue;
    throw new RangeErr("toLocaleString: the option " + k + ": " + String(o[k]) + " is not supported");
  }
  const usd = o.style === "currency", percent = o.style === "percent";
  let min = digits(o, "minimumFractionDigits", 0, 100), max = digits(o, "maximumFractionDigits", 0, 100);
  const defMin = usd ? 2 : 0, defMax = usd ? 2 : percent ? 0 : 3;
  if (min === undefined) min = Math.min(defMin, max ?? defMin);
  if (max === undefined) max = Math.max(defMax, min);
  if (min > max) throw new RangeErr("maximumFractionDigits value is out of range.");
  return toText(x, min, max, o.useGrouping !== false && o.useGrouping !== "false", usd ? "$" : "", percent);
}

function localeDigits(x, min, max, grouping, prefix, percent) {
  const negative = x < 0 || Object.is(x, -0), sign = negative ? "-" : "";
  const suffix = percent ? "%" : "";
  if (x !== x) return prefix + "NaN" + suffix;
  if (x === Infinity || x === -Infinity) return sign + prefix + "∞" + suffix;
  const [whole, fraction] = host.round(Math.abs(x), max, percent ? 2 : 0).split(".");
  let f = fraction ?? "";
  while (f.length > min && f.endsWith("0")) f = f.slice(0, -1);
  return sign + prefix + (grouping ? group(whole) : whole) + (f === "" ? "" : "." + f) + suffix;
}

const { valueOf: numberValue } = Number.prototype, { valueOf: bigintValue } = BigInt.prototype;
const primitive = (valueOf, v, name) => {
  try {
    return apply(valueOf, v, []);
  } catch {
    throw new TypeErr(name + ".prototype.toLocaleString requires that 'this' be a " + name);
  }
};
define(Number.prototype, {
  toLocaleString(...args) {
    return formatLocale(primitive(numberValue, this, "Number"), args[0], args[1], localeDigits);
  },
});
define(BigInt.prototype, {
  toLocaleString(...args) {
    return formatLocale(primitive(bigintValue, this, "BigInt"), args[0], args[1], (x, min, max, grouping, prefix, percent) => {
      let whole = String(x < 0n ? -x : x);
      if (percent) whole = whole === "0" ? whole : whole + "00";
      return (x < 0n ? "-" : "") + prefix + (grouping ? group(whole) : whole) + (min > 0 ? "." + "0".repeat(min) : "") + (percent ? "%" : "");
    });
  },
});
