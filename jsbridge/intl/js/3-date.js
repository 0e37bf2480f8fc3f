// DateTimeFormat and the locale methods of dates.

const widths = ["narrow", "short", "long"], twoDigits = ["2-digit", "numeric"];
const dateParts = ["weekday", "year", "month", "day"], timeParts = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
const styles = {
  full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  long: { year: "numeric", month: "long", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  short: { year: "2-digit", month: "numeric", day: "numeric" },
};
const clocks = {
  full: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "long" },
  long: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
  medium: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  short: { hour: "numeric", minute: "2-digit" },
};

// required and defaults are as in https://tc39.es/ecma402/#sec-createdatetimeformat.
function dateState(list, options, required = "any", defaults = "date") {
  const r = reader("DateTimeFormat", options);
  const out = { locale: resolve(locales(list)), calendar: "gregory", numberingSystem: "latn" };
  r.text("localeMatcher", ["lookup", "best fit"]);
  for (const [key, only] of [["calendar", "gregory"], ["numberingSystem", "latn"]]) {
    const v = r.text(key);
    if (v !== undefined && v !== only) throw new RangeError(`Intl.DateTimeFormat: the ${key} ${v} is not implemented`);
  }
  const hour12 = r.object.hour12;
  let cycle = r.text("hourCycle", ["h11", "h12", "h23", "h24"]);
  const zone = r.object.timeZone;
  out.timeZone = host.zone(zone === undefined ? undefined : String(zone));
  if (out.timeZone === undefined) throw new RangeError("Invalid time zone specified: " + zone);
  let c = {};
  c.weekday = r.text("weekday", widths);
  c.era = r.text("era", widths);
  c.year = r.text("year", twoDigits);
  c.month = r.text("month", ["2-digit", "numeric", "narrow", "short", "long"]);
  c.day = r.text("day", twoDigits);
  c.dayPeriod = r.text("dayPeriod", widths);
  c.hour = r.text("hour", twoDigits);
  c.minute = r.text("minute", twoDigits);
  c.second = r.text("second", twoDigits);
  c.fractionalSecondDigits = r.number("fractionalSecondDigits", 1, 3, undefined);
  c.timeZoneName = r.text("timeZoneName", ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"]);
  r.text("formatMatcher", ["basic", "best fit"]);
  const dateStyle = r.text("dateStyle", ["full", "long", "medium", "short"]), timeStyle = r.text("timeStyle", ["full", "long", "medium", "short"]);
  let at = false;
  if (dateStyle !== undefined || timeStyle !== undefined) {
    if (Object.values(c).some((v) => v !== undefined)) throw new TypeError("Invalid option : option");
    if (required === "date" && timeStyle !== undefined) throw new TypeError("Invalid option : timeStyle");
    if (required === "time" && dateStyle !== undefined) throw new TypeError("Invalid option : dateStyle");
    c = { ...styles[dateStyle], ...clocks[timeStyle] };
    at = timeStyle !== undefined && (dateStyle === "full" || dateStyle === "long");
  } else {
    const some = (names) => names.some((n) => c[n] !== undefined);
    const need = !((required === "date" || required === "any") && some(dateParts) || (required === "time" || required === "any") && some(timeParts));
    if (need && defaults !== "time") c.year = c.month = c.day = "numeric";
    if (need && defaults !== "date") c.hour = c.minute = c.second = "numeric";
  }
  if (hour12 !== undefined) cycle = hour12 ? "h12" : "h23";
  else if (cycle === undefined) cycle = "h12";
  if (c.hour !== undefined && (cycle === "h23" || cycle === "h24")) c.hour = "2-digit";
  if (c.minute !== undefined) c.minute = c.hour !== undefined || c.second !== undefined ? "2-digit" : "numeric";
  if (c.second !== undefined) c.second = c.minute !== undefined ? "2-digit" : "numeric";
  if (c.hour !== undefined && c.minute === undefined && c.second !== undefined) {
    throw new Error("Intl.DateTimeFormat: an hour with seconds and no minutes is not implemented");
  }
  // Where CLDR has no pattern ICU puts pieces together in ways of its own.
  if (c.day === undefined && c.year === undefined && c.weekday !== undefined && c.month !== undefined &&
      (c.weekday === "short" ? c.month !== "numeric" && c.month !== "short" : c.weekday === "long" && c.month === "narrow") ||
      c.month === undefined && c.weekday === undefined && c.day !== undefined && c.year !== undefined ||
      c.month === undefined && c.day === undefined && c.weekday === "short" && c.year === "2-digit") {
    throw new Error("Intl.DateTimeFormat: this combination of weekday, year, month and day is not implemented");
  }
  const run = host.date({ ...c, at: at ? "at" : undefined, timeZone: out.timeZone, hourCycle: cycle });
  if (c.hour !== undefined) Object.assign(out, { hourCycle: cycle, hour12: cycle === "h12" || cycle === "h11" });
  if (dateStyle !== undefined || timeStyle !== undefined) Object.assign(out, { dateStyle, timeStyle });
  else Object.assign(out, Object.fromEntries(["weekday", "era", "year", "month", "day", ...timeParts, "timeZoneName"].map((k) => [k, c[k]])));
  for (const k of Object.keys(out)) if (out[k] === undefined) delete out[k];
  return { resolved: out, run };
}

function dateFlat(s, value) {
  const flat = s.run(value === undefined ? host.now() : Number(value));
  if (flat === undefined) throw new RangeError("Invalid time value");
  return flat;
}

const DateTimeFormat = intlClass("DateTimeFormat", 0, (list, options) => dateState(list, options), (at) => ({
  resolvedOptions() { return { ...at(this, "UnwrapDateTimeFormat").resolved }; },
  formatToParts(date) { return partsOf(dateFlat(at(this, "Intl.DateTimeFormat.prototype.formatToParts"), date)); },
  get format() {
    const s = at(this, "UnwrapDateTimeFormat");
    return s.bound ??= (date) => textOf(dateFlat(s, date));
  },
  formatRange(start, end) {
    const s = at(this, "Intl.DateTimeFormat.prototype.formatRange");
    if (start === undefined || end === undefined) throw new TypeError("startDate or endDate cannot be undefined");
    const [p, q] = [textOf(dateFlat(s, start)), textOf(dateFlat(s, end))];
    if (p === q) return p;
    // Only where nothing is said once for both ends.
    const r = s.resolved;
    if (r.month === "numeric" && r.day === "numeric" && r.year === "numeric" && r.hour === undefined && r.weekday === undefined) return `${p} – ${q}`;
    throw new Error("Intl.DateTimeFormat.prototype.formatRange is implemented for numeric dates only");
  },
  formatRangeToParts(start, end) {
    at(this, "Intl.DateTimeFormat.prototype.formatRangeToParts");
    throw new Error("Intl.DateTimeFormat.prototype.formatRangeToParts is not implemented");
  },
}), true);
define("DateTimeFormat", DateTimeFormat);

const getTime = Date.prototype.getTime;
for (const [name, required, defaults] of [["toLocaleString", "any", "all"], ["toLocaleDateString", "date", "date"], ["toLocaleTimeString", "time", "time"]]) {
  const plain = cached(() => dateState(undefined, undefined, required, defaults));
  methods["Date." + name] = (self, list, options) => {
    let t;
    try {
      t = apply(getTime, self, []);
    } catch {
      throw new TypeError("this is not a Date object.");
    }
    if (t !== t) return "Invalid Date";
    const s = list === undefined && options === undefined ? plain() : dateState(list, options, required, defaults);
    return textOf(dateFlat(s, t));
  };
}
