import assert from "node:assert";
import { add, addMonths, differenceInBusinessDays, differenceInDays, eachDayOfInterval, format, formatDistance, formatDuration, formatISO, getISOWeek, intervalToDuration, isValid, parse, parseISO, startOfWeek } from "date-fns";
import { de } from "date-fns/locale/de";

const day = new Date(2026, 10, 30, 13, 5, 9, 7);

export const formatting = {
  test() {
    assert.strictEqual(format(day, "yyyy-MM-dd'T'HH:mm:ss.SSS"), "2026-11-30T13:05:09.007");
    assert.strictEqual(format(day, "EEEE, do MMMM yyyy, h:mm aaaa, 'week' I"), "Monday, 30th November 2026, 1:05 p.m., week 49");
    assert.strictEqual(format(day, "EEEE, do MMMM", { locale: de }), "Montag, 30. November");
    assert.strictEqual(format(day, "PPpp"), "Nov 30, 2026, 1:05:09 PM");
    assert.strictEqual(formatISO(new Date(2026, 0, 2), { representation: "date" }), "2026-01-02");
    assert.strictEqual(formatDistance(new Date(2026, 0, 1), new Date(2026, 2, 1), { addSuffix: true }), "about 2 months ago");
    assert.strictEqual(formatDuration({ hours: 2, minutes: 1 }), "2 hours 1 minute");
  },
};

export const parsing = {
  test() {
    assert.strictEqual(parseISO("2026-11-30T13:05:09.007Z").getTime(), Date.UTC(2026, 10, 30, 13, 5, 9, 7));
    assert.deepStrictEqual(parse("30. Nov. 2026, 13:05", "d. MMM yyyy, HH:mm", new Date(0), { locale: de }), new Date(2026, 10, 30, 13, 5));
    assert.ok(!isValid(parse("31/02/2026", "dd/MM/yyyy", new Date(0))));
  },
};

export const arithmetic = {
  test() {
    assert.deepStrictEqual(addMonths(new Date(2026, 0, 31), 1), new Date(2026, 1, 28));
    assert.deepStrictEqual(add(day, { years: 1, weeks: 2, hours: 3 }), new Date(2027, 11, 14, 16, 5, 9, 7));
    assert.strictEqual(differenceInDays(new Date(2026, 2, 1), new Date(2026, 1, 1)), 28);
    assert.strictEqual(differenceInBusinessDays(new Date(2026, 10, 30), new Date(2026, 10, 20)), 6);
    assert.deepStrictEqual(intervalToDuration({ start: new Date(2026, 0, 1), end: new Date(2027, 2, 4, 5) }), { years: 1, months: 2, days: 3, hours: 5 });
    assert.strictEqual(eachDayOfInterval({ start: new Date(2026, 1, 26), end: new Date(2026, 2, 2) }).length, 5);
    assert.deepStrictEqual(startOfWeek(day, { weekStartsOn: 1 }), new Date(2026, 10, 30));
    assert.strictEqual(getISOWeek(new Date(2027, 0, 1)), 53);
  },
};
