// Rule: numbers in en-US. Source: https://tc39.es/ecma402/#numberformat-objects
import assert from 'node:assert';

// Asserts how numbers are formatted with some options.
const formats = (options, ...pairs) => ({
  test() {
    const f = new Intl.NumberFormat('en-US', options);
    for (const [n, want] of pairs) assert.strictEqual(f.format(n), want);
  },
});
const rejects = (options, name, message) => ({
  test() { assert.throws(() => new Intl.NumberFormat('en-US', options), { name, message }); },
});
const parts = (options, n, want) => ({
  test() {
    const got = new Intl.NumberFormat('en-US', options).formatToParts(n);
    assert.strictEqual(got.map((p) => `${p.type}:${p.value}`).join('|'), want);
  },
});

export const decimal = formats({}, [0, '0'], [-0, '-0'], [1234.5678, '1,234.568'], [1e21, '1,000,000,000,000,000,000,000'], [1e-7, '0'], [1.005, '1.005'],
  [NaN, 'NaN'], [-Infinity, '-∞'], [12345678901234567890n, '12,345,678,901,234,567,890'], [undefined, 'NaN']);
export const strings = formats({}, ['1e3', '1,000'], ['0x10', '16'], ['123456789012345678901234567890.123', '123,456,789,012,345,678,901,234,567,890.123'], ['abc', 'NaN'], ['', '0']);
export const dollars = formats({ style: 'currency', currency: 'USD' }, [1.005, '$1.01'], [-1234.5, '-$1,234.50'], [NaN, '$NaN']);
export const yen = formats({ style: 'currency', currency: 'jpy' }, [2.5, '¥3'], [1e6, '¥1,000,000']);
export const francs = formats({ style: 'currency', currency: 'CHF' }, [1.5, 'CHF\u00a01.50'], [Infinity, 'CHF∞']);
export const currencyCode = formats({ style: 'currency', currency: 'USD', currencyDisplay: 'code' }, [-1, '-USD\u00a01.00']);
export const currencyName = formats({ style: 'currency', currency: 'USD', currencyDisplay: 'name' }, [1, '1.00 US dollars'], [2, '2.00 US dollars']);
export const narrowCurrency = formats({ style: 'currency', currency: 'CAD', currencyDisplay: 'narrowSymbol' }, [1, '$1.00']);
export const accounting = formats({ style: 'currency', currency: 'USD', currencySign: 'accounting' }, [-1, '($1.00)'], [1, '$1.00']);
export const stripped = formats({ style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' }, [1, '$1'], [1.5, '$1.50']);
export const percent = formats({ style: 'percent' }, [0.005, '1%'], [1.005, '101%'], [-0.12, '-12%']);
export const percentDigits = formats({ style: 'percent', maximumFractionDigits: 1 }, [0.0056, '0.6%'], [1.005, '100.5%']);
export const compact = formats({ notation: 'compact' }, [1234.5, '1.2K'], [123456789, '123M'], [999999, '1M'], [1e15, '1000T'], [1.005, '1'], [0.000123, '0.00012'], [-1500, '-1.5K']);
export const compactLong = formats({ notation: 'compact', compactDisplay: 'long' }, [1500, '1.5 thousand'], [1e6, '1 million'], [1.23e12, '1.2 trillion']);
export const compactCurrency = formats({ notation: 'compact', style: 'currency', currency: 'USD' }, [1234, '$1.2K']);
export const scientific = formats({ notation: 'scientific' }, [0, '0E0'], [1234.5678, '1.235E3'], [1e-7, '1E-7'], [999999, '1E6']);
export const engineering = formats({ notation: 'engineering' }, [0.1, '100E-3'], [123456789, '123.457E6'], [999999, '999.999E3']);
export const unit = formats({ style: 'unit', unit: 'kilometer-per-hour' }, [1, '1 km/h']);
export const unitLong = formats({ style: 'unit', unit: 'liter', unitDisplay: 'long' }, [1, '1 liter'], [1.5, '1.5 liters']);
export const unitNarrow = formats({ style: 'unit', unit: 'kilobyte', unitDisplay: 'narrow' }, [1, '1kB']);
export const temperature = formats({ style: 'unit', unit: 'celsius' }, [-1, '-1°C']);
export const minimumFraction = formats({ minimumFractionDigits: 2 }, [1, '1.00'], [1.23456, '1.235']);
export const significant = formats({ maximumSignificantDigits: 3 }, [1234.5678, '1,230'], [0.000123456, '0.000123'], [999999, '1,000,000']);
export const minimumSignificant = formats({ minimumSignificantDigits: 4 }, [0.1, '0.1000'], [1234.5678, '1,234.5678']);
export const minimumInteger = formats({ minimumIntegerDigits: 3 }, [1.5, '001.5']);
export const ungrouped = formats({ useGrouping: false }, [1234.5, '1234.5']);
export const groupedFromFive = formats({ useGrouping: 'min2' }, [1234, '1234'], [12345, '12,345']);
export const signAlways = formats({ signDisplay: 'always' }, [0, '+0'], [1, '+1'], [-1, '-1'], [NaN, '+NaN']);
export const signExceptZero = formats({ signDisplay: 'exceptZero' }, [0, '0'], [-0, '0'], [1, '+1'], [NaN, 'NaN']);
export const signNegative = formats({ signDisplay: 'negative' }, [-0, '0'], [-1, '-1']);
export const signNever = formats({ signDisplay: 'never' }, [-1, '1']);
export const halfEven = formats({ roundingMode: 'halfEven', maximumFractionDigits: 0 }, [2.5, '2'], [1.5, '2']);
export const ceiling = formats({ roundingMode: 'ceil', maximumFractionDigits: 0 }, [0.1, '1'], [-1.5, '-1']);
export const floor = formats({ roundingMode: 'floor', maximumFractionDigits: 0 }, [1.9, '1'], [-1.1, '-2']);
export const increment = formats({ roundingIncrement: 5, maximumFractionDigits: 2, minimumFractionDigits: 2 }, [1234.5678, '1,234.55']);
export const morePrecision = formats({ roundingPriority: 'morePrecision', maximumSignificantDigits: 2, maximumFractionDigits: 1 }, [1234.5678, '1,234.6'], [1.005, '1']);
export const lessPrecision = formats({ roundingPriority: 'lessPrecision', maximumSignificantDigits: 2, maximumFractionDigits: 1 }, [1234.5678, '1,200']);

export const decimalParts = parts({}, -1234567.891, 'minusSign:-|integer:1|group:,|integer:234|group:,|integer:567|decimal:.|fraction:891');
export const currencyParts = parts({ style: 'currency', currency: 'USD' }, -1234.5, 'minusSign:-|currency:$|integer:1|group:,|integer:234|decimal:.|fraction:50');
export const accountingParts = parts({ style: 'currency', currency: 'USD', currencySign: 'accounting' }, -1, 'literal:(|currency:$|integer:1|decimal:.|fraction:00|literal:)');
export const compactParts = parts({ notation: 'compact', compactDisplay: 'long' }, 1234567, 'integer:1|decimal:.|fraction:2|literal: |compact:million');
export const scientificParts = parts({ notation: 'scientific' }, 0.00123, 'integer:1|decimal:.|fraction:23|exponentSeparator:E|exponentMinusSign:-|exponentInteger:3');
export const unitParts = parts({ style: 'unit', unit: 'day', unitDisplay: 'long' }, 2, 'integer:2|literal: |unit:days');

export const resolvedOptions = {
  test() {
    assert.deepStrictEqual(Object.entries(new Intl.NumberFormat('en-US', { style: 'currency', currency: 'eur' }).resolvedOptions()), Object.entries({
      locale: 'en-US', numberingSystem: 'latn', style: 'currency', currency: 'EUR', currencyDisplay: 'symbol', currencySign: 'standard',
      minimumIntegerDigits: 1, minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: 'auto', notation: 'standard', signDisplay: 'auto',
      roundingIncrement: 1, roundingMode: 'halfExpand', roundingPriority: 'auto', trailingZeroDisplay: 'auto',
    }));
    const { minimumSignificantDigits, maximumSignificantDigits, useGrouping, roundingPriority } = new Intl.NumberFormat('en', { notation: 'compact' }).resolvedOptions();
    assert.deepStrictEqual([minimumSignificantDigits, maximumSignificantDigits, useGrouping, roundingPriority], [1, 2, 'min2', 'morePrecision']);
  },
};

// format is bound to its object, and is made once.
export const boundFormat = {
  test() {
    const f = new Intl.NumberFormat('en-US');
    assert.strictEqual(f.format, f.format);
    assert.deepStrictEqual([1, 1234].map(f.format), ['1', '1,234']);
    assert.throws(() => Intl.NumberFormat.prototype.resolvedOptions.call({}),
      { name: 'TypeError', message: 'Method UnwrapNumberFormat called on incompatible receiver #<Object>' });
  },
};

export const ranges = {
  test() {
    const [f, d] = [new Intl.NumberFormat('en-US'), new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })];
    assert.deepStrictEqual([f.formatRange(1, 2), f.formatRange(-1, 1), f.formatRange(1, 1), d.formatRange(1, 2), d.formatRange(1, 1)],
      ['1–2', '-1 – 1', '~1', '$1.00 – $2.00', '~$1.00']);
  },
};

export const badStyle = rejects({ style: 'x' }, 'RangeError', 'Value x out of range for Intl.NumberFormat options property style');
export const noCurrency = rejects({ style: 'currency' }, 'TypeError', 'Currency code is required with currency style.');
export const badCurrency = rejects({ currency: 'US' }, 'RangeError', 'Invalid currency code : US');
export const badUnit = rejects({ style: 'unit', unit: 'foo' }, 'RangeError', "Invalid unit argument for Intl.NumberFormat() 'foo'");
export const badDigits = rejects({ minimumFractionDigits: 5, maximumFractionDigits: 2 }, 'RangeError', 'maximumFractionDigits value is out of range.');
export const nullOptions = rejects(null, 'TypeError', 'Intl.NumberFormat called on null or undefined');

export const toLocaleString = {
  test() {
    assert.strictEqual((1234.5).toLocaleString(), '1,234.5');
    assert.strictEqual((1234.5).toLocaleString('en-US', { style: 'currency', currency: 'EUR' }), '€1,234.50');
    assert.strictEqual((123456n).toLocaleString(), '123,456');
    assert.strictEqual([1234, 'a', null, undefined, 5678n].toLocaleString(), '1,234,a,,,5,678');
  },
};

export const plurals = {
  test() {
    const [c, o] = [new Intl.PluralRules('en-US'), new Intl.PluralRules('en-US', { type: 'ordinal' })];
    assert.deepStrictEqual([0, 1, 2, 1.5, -1].map((n) => c.select(n)), ['other', 'one', 'other', 'other', 'one']);
    assert.deepStrictEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 103].map((n) => o.select(n)), ['one', 'two', 'few', 'other', 'other', 'other', 'other', 'one', 'two', 'few']);
    assert.strictEqual(new Intl.PluralRules('en', { minimumFractionDigits: 1 }).select(1), 'other');
    assert.deepStrictEqual(o.resolvedOptions().pluralCategories, ['one', 'two', 'few', 'other']);
  },
};

// A language that no runtime has is served in English.
export const unknownLocale = {
  test() {
    assert.strictEqual(new Intl.NumberFormat('xx').resolvedOptions().locale, 'en-US');
    assert.throws(() => new Intl.NumberFormat('en_US'), { name: 'RangeError', message: 'Invalid language tag: en_US' });
    assert.throws(() => new Intl.NumberFormat(null), { name: 'TypeError', message: 'Cannot convert undefined or null to object' });
    assert.throws(() => new Intl.NumberFormat([5]), { name: 'TypeError', message: 'Language ID should be string or object.' });
  },
};

export const otherLocale = {
  test() {
    assert.strictEqual(new Intl.NumberFormat('de').format(1234567.5), '1.234.567,5');
  },
};
