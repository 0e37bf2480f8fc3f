// Rule: dates and times in en-US. Source: https://tc39.es/ecma402/#datetimeformat-objects
import assert from 'node:assert';

const date = new Date(Date.UTC(2026, 2, 5, 15, 4, 9, 78));

const formats = (...pairs) => ({
  test() {
    for (const [options, want] of pairs) {
      assert.strictEqual(new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(date), want, JSON.stringify(options));
    }
  },
});
const rejects = (options, name, message) => ({
  test() { assert.throws(() => new Intl.DateTimeFormat('en-US', options), { name, message }); },
});

export const plain = formats([{}, '3/5/2026']);
export const dateStyles = formats([{ dateStyle: 'full' }, 'Thursday, March 5, 2026'], [{ dateStyle: 'long' }, 'March 5, 2026'],
  [{ dateStyle: 'medium' }, 'Mar 5, 2026'], [{ dateStyle: 'short' }, '3/5/26']);
export const timeStyles = formats([{ timeStyle: 'full' }, '3:04:09 PM Coordinated Universal Time'], [{ timeStyle: 'long' }, '3:04:09 PM UTC'],
  [{ timeStyle: 'medium' }, '3:04:09 PM'], [{ timeStyle: 'short' }, '3:04 PM'], [{ timeStyle: 'short', hour12: false }, '15:04']);
export const bothStyles = formats([{ dateStyle: 'full', timeStyle: 'short' }, 'Thursday, March 5, 2026 at 3:04 PM'],
  [{ dateStyle: 'medium', timeStyle: 'medium' }, 'Mar 5, 2026, 3:04:09 PM'], [{ dateStyle: 'short', timeStyle: 'short' }, '3/5/26, 3:04 PM']);
export const numeric = formats([{ month: 'numeric', day: 'numeric' }, '3/5'], [{ year: 'numeric', month: '2-digit', day: '2-digit' }, '03/05/2026'],
  [{ year: 'numeric', month: 'numeric' }, '3/2026'], [{ year: '2-digit' }, '26'], [{ weekday: 'short', year: 'numeric', month: 'numeric', day: 'numeric' }, 'Thu, 3/5/2026']);
export const words = formats([{ month: 'long' }, 'March'], [{ month: 'narrow' }, 'M'], [{ year: 'numeric', month: 'short' }, 'Mar 2026'],
  [{ year: 'numeric', month: 'long', day: 'numeric' }, 'March 5, 2026'], [{ weekday: 'long', month: 'long', day: 'numeric' }, 'Thursday, March 5'],
  [{ weekday: 'long', day: 'numeric' }, '5 Thursday'], [{ weekday: 'long', month: 'short', year: 'numeric' }, 'Mar 2026 Thursday']);
export const times = formats([{ hour: 'numeric' }, '3 PM'], [{ hour: '2-digit' }, '03 PM'], [{ hour: 'numeric', hourCycle: 'h23' }, '15'],
  [{ hour: 'numeric', minute: 'numeric' }, '3:04 PM'], [{ minute: 'numeric', second: 'numeric' }, '04:09'], [{ minute: '2-digit' }, '4'],
  [{ hour: 'numeric', minute: 'numeric', second: 'numeric', hour12: false }, '15:04:09']);
export const midnight = {
  test() {
    const at = (hourCycle) => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hour: 'numeric', minute: 'numeric', hourCycle }).format(0);
    assert.deepStrictEqual(['h11', 'h12', 'h23', 'h24'].map(at), ['0:00 AM', '12:00 AM', '00:00', '24:00']);
  },
};
export const fractions = formats([{ fractionalSecondDigits: 2 }, '07'], [{ second: 'numeric', fractionalSecondDigits: 3 }, '9.078'],
  [{ hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 1 }, '3:04:09.0 PM']);
export const mixed = formats([{ month: 'short', day: 'numeric', hour: 'numeric' }, 'Mar 5, 3 PM'], [{ month: 'long', day: 'numeric', hour: 'numeric', minute: 'numeric' }, 'March 5 at 3:04 PM'],
  [{ weekday: 'short', hour: 'numeric' }, 'Thu 3 PM'], [{ year: 'numeric', hour: 'numeric' }, '2026, 3 PM']);
export const eras = formats([{ era: 'short' }, '3/5/2026 AD'], [{ era: 'long', year: 'numeric' }, '2026 Anno Domini'], [{ era: 'narrow', year: 'numeric', month: 'short' }, 'Mar 2026 A']);
export const dayPeriods = formats([{ dayPeriod: 'short' }, 'in the afternoon'], [{ hour: 'numeric', dayPeriod: 'long' }, '3 in the afternoon']);
export const beforeChrist = {
  test() {
    const old = new Date(Date.UTC(-43, 2, 15));
    assert.strictEqual(new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', era: 'short' }).format(old), '3/15/44 BC');
  },
};

// Names of zones, with daylight saving time; where there is no name the offset stands.
export const zones = {
  test() {
    const at = (timeZone, month) => new Date(Date.UTC(2026, month, 1, 12)).toLocaleString('en-US', { timeZone, timeZoneName: 'short' });
    assert.deepStrictEqual([at('America/New_York', 0), at('America/New_York', 6), at('Europe/London', 6), at('Australia/Sydney', 0), at('Asia/Kathmandu', 0), at('+05:30', 0)], [
      '1/1/2026, 7:00:00 AM EST', '7/1/2026, 8:00:00 AM EDT', '7/1/2026, 1:00:00 PM GMT+1', '1/1/2026, 11:00:00 PM GMT+11',
      '1/1/2026, 5:45:00 PM GMT+5:45', '1/1/2026, 5:30:00 PM GMT+5:30',
    ]);
  },
};
export const zoneNames = formats([{ hour: 'numeric', timeZone: 'America/New_York', timeZoneName: 'long' }, '10 AM Eastern Standard Time'],
  [{ hour: 'numeric', timeZone: 'America/New_York', timeZoneName: 'shortGeneric' }, '10 AM ET'], [{ hour: 'numeric', timeZone: 'America/New_York', timeZoneName: 'longOffset' }, '10 AM GMT-05:00'],
  [{ timeZone: 'Asia/Kolkata', timeZoneName: 'long' }, '3/5/2026, India Standard Time'], [{ timeZoneName: 'shortOffset' }, '3/5/2026, GMT+0']);
export const canonicalZones = {
  test() {
    const zone = (timeZone) => new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone;
    assert.deepStrictEqual(['gmt', 'etc/utc', 'US/Pacific', 'europe/berlin', '-0330', '+01:00'].map(zone),
      ['UTC', 'UTC', 'America/Los_Angeles', 'Europe/Berlin', '-03:30', '+01:00']);
  },
};
export const badZone = rejects({ timeZone: 'foo' }, 'RangeError', 'Invalid time zone specified: foo');
export const badStyleMix = rejects({ dateStyle: 'full', year: 'numeric' }, 'TypeError', 'Invalid option : option');
export const badMonth = rejects({ month: 'x' }, 'RangeError', 'Value x out of range for Intl.DateTimeFormat options property month');

export const parts = {
  test() {
    const got = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full', timeStyle: 'short' }).formatToParts(date);
    assert.strictEqual(got.map((p) => `${p.type}:${p.value}`).join('|'),
      'weekday:Thursday|literal:, |month:March|literal: |day:5|literal:, |year:2026|literal: at |hour:3|literal::|minute:04|literal: |dayPeriod:PM');
  },
};

export const resolvedOptions = {
  test() {
    assert.deepStrictEqual(Object.entries(new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', hour: 'numeric', minute: 'numeric', hour12: false }).resolvedOptions()), Object.entries({
      locale: 'en-US', calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC', hourCycle: 'h23', hour12: false, hour: '2-digit', minute: '2-digit',
    }));
  },
};

export const methods = {
  test() {
    const all = (options) => ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'].map((m) => date[m]('en-US', { timeZone: 'UTC', ...options }));
    assert.deepStrictEqual(all({}), ['3/5/2026, 3:04:09 PM', '3/5/2026', '3:04:09 PM']);
    assert.deepStrictEqual(all({ month: 'short' }), ['Mar', 'Mar', 'Mar, 3:04:09 PM']);
    assert.deepStrictEqual(all({ hour: 'numeric' }), ['3 PM', '3/5/2026, 3 PM', '3 PM']);
    assert.throws(() => date.toLocaleDateString('en-US', { timeStyle: 'short' }), { name: 'TypeError', message: 'Invalid option : timeStyle' });
    assert.strictEqual(new Date(NaN).toLocaleString(), 'Invalid Date');
    assert.throws(() => new Intl.DateTimeFormat().format(NaN), { name: 'RangeError', message: 'Invalid time value' });
  },
};

export const ranges = {
  test() {
    const f = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' });
    assert.deepStrictEqual([f.formatRange(0, 1e11), f.formatRange(0, 1)], ['1/1/1970 – 3/3/1973', '1/1/1970']);
  },
};

export const collapsedRange = {
  test() {
    const f = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
    assert.strictEqual(f.formatRange(date, new Date(Date.UTC(2026, 10, 30))), 'Mar 5 – Nov 30, 2026');
  },
};
