// Rule: orders, lists, relative times and boundaries of text in English. Source: https://tc39.es/ecma402/
import assert from 'node:assert';

const test = (f) => ({ test: f });

export const localeCompare = test(() => {
  const compare = (a, b, options) => a.localeCompare(b, 'en', options);
  assert.deepStrictEqual([compare('a', 'b'), compare('a', 'A'), compare('a', 'á'), compare('résumé', 'resume'), compare('a', 'B'), compare('10', '2'), compare('z', 'ä'), compare('a', 'a'), compare('é', 'e\u0301')],
    [-1, -1, -1, 1, -1, -1, 1, 0, 0]);
  assert.deepStrictEqual([compare('10', '2', { numeric: true }), compare('a', 'Á', { sensitivity: 'base' }), compare('a', 'A', { sensitivity: 'accent' }), compare('a', 'á', { sensitivity: 'accent' }),
    compare('a', 'A', { sensitivity: 'case' }), compare('a-b', 'ab', { ignorePunctuation: true })], [1, 0, 0, -1, -1, 0]);
});

export const order = test(() => {
  const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  assert.strictEqual(ascii.sort(new Intl.Collator().compare).join(''),
    ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ');
  assert.strictEqual(['b', 'A', 'a', 'B', 'Á', 'á'].sort(new Intl.Collator('en', { caseFirst: 'upper' }).compare).join(''), 'AaÁáBb');
});

export const collatorOptions = test(() => {
  assert.deepStrictEqual(Object.entries(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).resolvedOptions()), Object.entries({
    locale: 'en', usage: 'sort', sensitivity: 'base', ignorePunctuation: false, collation: 'default', numeric: true, caseFirst: 'false',
  }));
});

export const localeCase = test(() => {
  assert.deepStrictEqual(['iß'.toLocaleUpperCase(), 'i'.toLocaleUpperCase('tr'), 'I'.toLocaleLowerCase('tr'), 'I'.toLocaleLowerCase('en')], ['ISS', 'İ', 'ı', 'i']);
  assert.throws(() => 'i'.toLocaleUpperCase('x_y'), { name: 'RangeError', message: 'Invalid language tag: x_y' });
});

export const lists = test(() => {
  const list = (items, options) => new Intl.ListFormat('en', options).format(items);
  assert.deepStrictEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((l) => list(l)), ['', 'a', 'a and b', 'a, b, and c']);
  assert.deepStrictEqual([list(['a', 'b', 'c'], { type: 'disjunction' }), list(['a', 'b', 'c'], { style: 'short' }), list(['a', 'b'], { style: 'short' }), list(['a', 'b', 'c'], { type: 'unit', style: 'narrow' })],
    ['a, b, or c', 'a, b, & c', 'a & b', 'a b c']);
  assert.deepStrictEqual(new Intl.ListFormat('en').formatToParts(['a', 'b']), [{ type: 'element', value: 'a' }, { type: 'literal', value: ' and ' }, { type: 'element', value: 'b' }]);
  assert.throws(() => list([1]), { name: 'TypeError', message: 'Iterable yielded 1 which is not a string' });
});

export const relativeTimes = test(() => {
  const rel = (n, unit, options) => new Intl.RelativeTimeFormat('en', options).format(n, unit);
  assert.deepStrictEqual([rel(-2, 'seconds'), rel(1, 'minute'), rel(-0, 'day'), rel(0, 'day'), rel(1234.5, 'year')],
    ['2 seconds ago', 'in 1 minute', '0 days ago', 'in 0 days', 'in 1,234.5 years']);
  const auto = { numeric: 'auto' };
  assert.deepStrictEqual([rel(-1, 'day', auto), rel(0, 'second', auto), rel(1, 'week', auto), rel(0, 'hour', auto), rel(-1, 'month', auto), rel(2, 'day', auto)],
    ['yesterday', 'now', 'next week', 'this hour', 'last month', 'in 2 days']);
  assert.deepStrictEqual([rel(-1, 'hour', { style: 'short' }), rel(2, 'quarter', { style: 'short' }), rel(2, 'year', { style: 'narrow' })], ['1 hr. ago', 'in 2 qtrs.', 'in 2y']);
  assert.throws(() => rel(1, 'foo'), { name: 'RangeError', message: "Invalid unit argument for Intl.RelativeTimeFormat.prototype.format() 'foo'" });
  assert.throws(() => rel(Infinity, 'day'), { name: 'RangeError', message: 'Value need to be finite number for Intl.RelativeTimeFormat.prototype.format()' });
});

export const relativeParts = test(() => {
  assert.deepStrictEqual(new Intl.RelativeTimeFormat('en').formatToParts(-1.5, 'day'), [
    { type: 'integer', value: '1', unit: 'day' }, { type: 'decimal', value: '.', unit: 'day' }, { type: 'fraction', value: '5', unit: 'day' }, { type: 'literal', value: ' days ago' },
  ]);
});

const pieces = (granularity, text) => [...new Intl.Segmenter('en', { granularity }).segment(text)].map((s) => s.segment);

export const graphemes = test(() => {
  assert.deepStrictEqual(pieces('grapheme', 'a\u0301👨‍👩‍👧🇩🇪🇫🇷\r\n한'), ['a\u0301', '👨‍👩‍👧', '🇩🇪', '🇫🇷', '\r\n', '한']);
});
export const wordBoundaries = test(() => {
  assert.deepStrictEqual(pieces('word', "It's 3.14 foo_bar e-mail, U.S.A."), ["It's", ' ', '3.14', ' ', 'foo_bar', ' ', 'e', '-', 'mail', ',', ' ', 'U', '.', 'S', '.', 'A', '.']);
});
export const sentences = test(() => {
  assert.deepStrictEqual(pieces('sentence', 'Hello world. How are you? Fine!'), ['Hello world. ', 'How are you? ', 'Fine!']);
});
export const segments = test(() => {
  const s = new Intl.Segmenter('en', { granularity: 'word' }).segment('ab cd');
  assert.deepStrictEqual({ ...s.containing(3) }, { segment: 'cd', index: 3, input: 'ab cd', isWordLike: true });
  assert.strictEqual(s.containing(9), undefined);
});
// Words of languages without spaces need a dictionary.
export const dictionaryWords = test(() => {
  assert.deepStrictEqual(pieces('word', '你好'), ['你好']);
});

export const canonicalLocales = test(() => {
  assert.deepStrictEqual(Intl.getCanonicalLocales(['EN-us', 'de-de', 'DE-DE', 'zh-hant-tw', 'iw']), ['en-US', 'de-DE', 'zh-Hant-TW', 'he']);
  assert.throws(() => Intl.getCanonicalLocales('de-de-de'), { name: 'RangeError', message: 'Invalid language tag: de-de-de' });
});

export const values = test(() => {
  assert.strictEqual(Intl.supportedValuesOf('timeZone').includes('Europe/Berlin'), true);
  assert.strictEqual(Intl.supportedValuesOf('currency').includes('EUR'), true);
  assert.deepStrictEqual(Intl.supportedValuesOf('unit').slice(0, 3), ['acre', 'bit', 'byte']);
  assert.throws(() => Intl.supportedValuesOf('foo'), { name: 'RangeError', message: 'Invalid key : foo' });
});

export const supportedLocales = test(() => {
  assert.deepStrictEqual(Intl.NumberFormat.supportedLocalesOf(['en', 'xx', 'en-US']), ['en', 'en-US']);
});

export const displayNames = test(() => {
  assert.strictEqual(new Intl.DisplayNames('en', { type: 'region' }).of('US'), 'United States');
});
export const durations = test(() => {
  assert.strictEqual(new Intl.DurationFormat('en', { style: 'long' }).format({ hours: 1, minutes: 2 }), '1 hour, 2 minutes');
});
export const localeOptions = test(() => {
  assert.strictEqual(new Intl.Locale('en-Latn-us', { hourCycle: 'h12' }).toString(), 'en-Latn-US-u-hc-h12');
});
