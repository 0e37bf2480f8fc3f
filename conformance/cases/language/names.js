// Rule: the members that the built-in objects have. Source: the real runtime, whose engine decides which proposals are there.
import assert from 'node:assert';

// Asserts the own keys of an object, in any order.
const has = (get, ...want) => ({
  test() {
    const keys = Reflect.ownKeys(get()).map((k) => (typeof k === 'symbol' ? `[${k.description}]` : k));
    assert.deepStrictEqual(keys.sort(), want.sort());
  },
});

const typedArray = Object.getPrototypeOf(Uint8Array);

export const objectMembers = has(() => Object,
  'length', 'name', 'prototype', 'assign', 'getOwnPropertyDescriptor', 'getOwnPropertyDescriptors', 'getOwnPropertyNames',
  'getOwnPropertySymbols', 'hasOwn', 'is', 'preventExtensions', 'seal', 'create', 'defineProperties', 'defineProperty', 'freeze',
  'getPrototypeOf', 'setPrototypeOf', 'isExtensible', 'isFrozen', 'isSealed', 'keys', 'entries', 'fromEntries', 'values', 'groupBy');
export const objectPrototypeMembers = has(() => Object.prototype,
  'constructor', '__defineGetter__', '__defineSetter__', 'hasOwnProperty', '__lookupGetter__', '__lookupSetter__', 'isPrototypeOf',
  'propertyIsEnumerable', 'toString', 'valueOf', '__proto__', 'toLocaleString');
export const functionClassMembers = has(() => Function, 'length', 'name', 'prototype');
export const functionPrototypeMembers = has(() => Function.prototype,
  'length', 'name', 'constructor', 'apply', 'bind', 'call', 'toString', 'arguments', 'caller', '[Symbol.hasInstance]');
export const arrayMembers = has(() => Array, 'length', 'name', 'prototype', 'isArray', 'from', 'fromAsync', 'of', '[Symbol.species]');
export const arrayPrototypeMembers = has(() => Array.prototype,
  'length', 'constructor', 'at', 'concat', 'copyWithin', 'fill', 'find', 'findIndex', 'findLast', 'findLastIndex', 'lastIndexOf', 'pop',
  'push', 'reverse', 'shift', 'unshift', 'slice', 'sort', 'splice', 'includes', 'indexOf', 'join', 'keys', 'entries', 'values', 'forEach',
  'filter', 'flat', 'flatMap', 'map', 'every', 'some', 'reduce', 'reduceRight', 'toReversed', 'toSorted', 'toSpliced', 'with',
  'toLocaleString', 'toString', '[Symbol.iterator]', '[Symbol.unscopables]');
export const numberMembers = has(() => Number,
  'length', 'name', 'prototype', 'isFinite', 'isInteger', 'isNaN', 'isSafeInteger', 'parseFloat', 'parseInt', 'MAX_VALUE', 'MIN_VALUE',
  'NaN', 'NEGATIVE_INFINITY', 'POSITIVE_INFINITY', 'MAX_SAFE_INTEGER', 'MIN_SAFE_INTEGER', 'EPSILON');
export const numberPrototypeMembers = has(() => Number.prototype,
  'constructor', 'toExponential', 'toFixed', 'toPrecision', 'toString', 'valueOf', 'toLocaleString');
export const parseFloatMembers = has(() => parseFloat, 'length', 'name');
export const booleanMembers = has(() => Boolean, 'length', 'name', 'prototype');
export const booleanPrototypeMembers = has(() => Boolean.prototype, 'constructor', 'toString', 'valueOf');
export const stringMembers = has(() => String, 'length', 'name', 'prototype', 'fromCharCode', 'fromCodePoint', 'raw');
export const stringPrototypeMembers = has(() => String.prototype,
  'length', 'constructor', 'anchor', 'at', 'big', 'blink', 'bold', 'charAt', 'charCodeAt', 'codePointAt', 'concat', 'endsWith', 'fontcolor',
  'fontsize', 'fixed', 'includes', 'indexOf', 'isWellFormed', 'italics', 'lastIndexOf', 'link', 'localeCompare', 'match', 'matchAll',
  'normalize', 'padEnd', 'padStart', 'repeat', 'replace', 'replaceAll', 'search', 'slice', 'small', 'split', 'strike', 'sub', 'substr',
  'substring', 'sup', 'startsWith', 'toString', 'toWellFormed', 'trim', 'trimStart', 'trimLeft', 'trimEnd', 'trimRight',
  'toLocaleLowerCase', 'toLocaleUpperCase', 'toLowerCase', 'toUpperCase', 'valueOf', '[Symbol.iterator]');
export const symbolMembers = has(() => Symbol,
  'length', 'name', 'prototype', 'for', 'keyFor', 'asyncIterator', 'hasInstance', 'isConcatSpreadable', 'iterator', 'match', 'matchAll',
  'replace', 'search', 'species', 'split', 'toPrimitive', 'toStringTag', 'unscopables', 'dispose', 'asyncDispose');
export const symbolPrototypeMembers = has(() => Symbol.prototype,
  'constructor', 'toString', 'valueOf', 'description', '[Symbol.toStringTag]', '[Symbol.toPrimitive]');
export const dateMembers = has(() => Date, 'length', 'name', 'prototype', 'now', 'parse', 'UTC');
export const datePrototypeMembers = has(() => Date.prototype,
  'constructor', 'toString', 'toDateString', 'toTimeString', 'toISOString', 'toUTCString', 'toGMTString', 'getDate', 'setDate', 'getDay',
  'getFullYear', 'setFullYear', 'getHours', 'setHours', 'getMilliseconds', 'setMilliseconds', 'getMinutes', 'setMinutes', 'getMonth',
  'setMonth', 'getSeconds', 'setSeconds', 'getTime', 'setTime', 'getTimezoneOffset', 'getUTCDate', 'setUTCDate', 'getUTCDay',
  'getUTCFullYear', 'setUTCFullYear', 'getUTCHours', 'setUTCHours', 'getUTCMilliseconds', 'setUTCMilliseconds', 'getUTCMinutes',
  'setUTCMinutes', 'getUTCMonth', 'setUTCMonth', 'getUTCSeconds', 'setUTCSeconds', 'valueOf', 'getYear', 'setYear', 'toJSON',
  'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', '[Symbol.toPrimitive]');
export const promiseMembers = has(() => Promise,
  'length', 'name', 'prototype', 'all', 'allSettled', 'any', 'race', 'resolve', 'reject', 'withResolvers', 'try', '[Symbol.species]');
export const promisePrototypeMembers = has(() => Promise.prototype, 'constructor', 'then', 'catch', 'finally', '[Symbol.toStringTag]');
export const regExpMembers = has(() => RegExp,
  'length', 'name', 'prototype', 'input', '$_', 'lastMatch', '$&', 'lastParen', '$+', 'leftContext', '$`', 'rightContext', '$\'', '$1',
  '$2', '$3', '$4', '$5', '$6', '$7', '$8', '$9', 'escape', '[Symbol.species]');
export const regExpPrototypeMembers = has(() => RegExp.prototype,
  'constructor', 'exec', 'dotAll', 'flags', 'global', 'hasIndices', 'ignoreCase', 'multiline', 'source', 'sticky', 'unicode', 'unicodeSets',
  'compile', 'toString', 'test', '[Symbol.match]', '[Symbol.matchAll]', '[Symbol.replace]', '[Symbol.search]', '[Symbol.split]');
export const errorMembers = has(() => Error, 'length', 'name', 'prototype', 'captureStackTrace', 'isError', 'stackTraceLimit');
export const errorPrototypeMembers = has(() => Error.prototype, 'constructor', 'name', 'message', 'toString');
export const aggregateErrorMembers = has(() => AggregateError, 'length', 'name', 'prototype');
export const aggregateErrorPrototypeMembers = has(() => AggregateError.prototype, 'constructor', 'name', 'message');
export const evalErrorMembers = has(() => EvalError, 'length', 'name', 'prototype');
export const evalErrorPrototypeMembers = has(() => EvalError.prototype, 'constructor', 'name', 'message');
export const rangeErrorMembers = has(() => RangeError, 'length', 'name', 'prototype');
export const rangeErrorPrototypeMembers = has(() => RangeError.prototype, 'constructor', 'name', 'message');
export const referenceErrorMembers = has(() => ReferenceError, 'length', 'name', 'prototype');
export const referenceErrorPrototypeMembers = has(() => ReferenceError.prototype, 'constructor', 'name', 'message');
export const syntaxErrorMembers = has(() => SyntaxError, 'length', 'name', 'prototype');
export const syntaxErrorPrototypeMembers = has(() => SyntaxError.prototype, 'constructor', 'name', 'message');
export const typeErrorMembers = has(() => TypeError, 'length', 'name', 'prototype');
export const typeErrorPrototypeMembers = has(() => TypeError.prototype, 'constructor', 'name', 'message');
export const uRIErrorMembers = has(() => URIError, 'length', 'name', 'prototype');
export const uRIErrorPrototypeMembers = has(() => URIError.prototype, 'constructor', 'name', 'message');
export const jSONMembers = has(() => JSON, 'parse', 'stringify', 'rawJSON', 'isRawJSON', '[Symbol.toStringTag]');
export const mathMembers = has(() => Math,
  'abs', 'acos', 'acosh', 'asin', 'asinh', 'atan', 'atanh', 'atan2', 'ceil', 'cbrt', 'expm1', 'clz32', 'cos', 'cosh', 'exp', 'floor',
  'f16round', 'fround', 'hypot', 'imul', 'log', 'log1p', 'log2', 'log10', 'max', 'min', 'pow', 'random', 'round', 'sign', 'sin', 'sinh',
  'sqrt', 'sumPrecise', 'tan', 'tanh', 'trunc', 'E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2', '[Symbol.toStringTag]');
export const intlMembers = has(() => Intl,
  'getCanonicalLocales', 'supportedValuesOf', 'DateTimeFormat', 'NumberFormat', 'Collator', 'v8BreakIterator', 'PluralRules',
  'RelativeTimeFormat', 'ListFormat', 'Locale', 'DisplayNames', 'Segmenter', 'DurationFormat', '[Symbol.toStringTag]');
export const arrayBufferMembers = has(() => ArrayBuffer, 'length', 'name', 'prototype', 'isView', '[Symbol.species]');
export const arrayBufferPrototypeMembers = has(() => ArrayBuffer.prototype,
  'constructor', 'byteLength', 'slice', 'maxByteLength', 'resizable', 'resize', 'transfer', 'transferToFixedLength', 'detached',
  '[Symbol.toStringTag]');
export const atomicsMembers = has(() => Atomics,
  'load', 'store', 'add', 'sub', 'and', 'or', 'xor', 'exchange', 'compareExchange', 'isLockFree', 'wait', 'waitAsync', 'notify', 'pause',
  '[Symbol.toStringTag]');
export const uint8ArrayMembers = has(() => Uint8Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT', 'fromBase64', 'fromHex');
export const uint8ArrayPrototypeMembers = has(() => Uint8Array.prototype,
  'constructor', 'BYTES_PER_ELEMENT', 'toBase64', 'setFromBase64', 'toHex', 'setFromHex');
export const int8ArrayMembers = has(() => Int8Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const int8ArrayPrototypeMembers = has(() => Int8Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const uint16ArrayMembers = has(() => Uint16Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const uint16ArrayPrototypeMembers = has(() => Uint16Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const int16ArrayMembers = has(() => Int16Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const int16ArrayPrototypeMembers = has(() => Int16Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const uint32ArrayMembers = has(() => Uint32Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const uint32ArrayPrototypeMembers = has(() => Uint32Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const int32ArrayMembers = has(() => Int32Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const int32ArrayPrototypeMembers = has(() => Int32Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const float32ArrayMembers = has(() => Float32Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const float32ArrayPrototypeMembers = has(() => Float32Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const float64ArrayMembers = has(() => Float64Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const float64ArrayPrototypeMembers = has(() => Float64Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const uint8ClampedArrayMembers = has(() => Uint8ClampedArray, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const uint8ClampedArrayPrototypeMembers = has(() => Uint8ClampedArray.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const bigUint64ArrayMembers = has(() => BigUint64Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const bigUint64ArrayPrototypeMembers = has(() => BigUint64Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const bigInt64ArrayMembers = has(() => BigInt64Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const bigInt64ArrayPrototypeMembers = has(() => BigInt64Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const dataViewMembers = has(() => DataView, 'length', 'name', 'prototype');
export const dataViewPrototypeMembers = has(() => DataView.prototype,
  'constructor', 'buffer', 'byteLength', 'byteOffset', 'getInt8', 'setInt8', 'getUint8', 'setUint8', 'getInt16', 'setInt16', 'getUint16',
  'setUint16', 'getInt32', 'setInt32', 'getUint32', 'setUint32', 'getFloat16', 'setFloat16', 'getFloat32', 'setFloat32', 'getFloat64',
  'setFloat64', 'getBigInt64', 'setBigInt64', 'getBigUint64', 'setBigUint64', '[Symbol.toStringTag]');
export const mapMembers = has(() => Map, 'length', 'name', 'prototype', 'groupBy', '[Symbol.species]');
export const mapPrototypeMembers = has(() => Map.prototype,
  'constructor', 'get', 'set', 'has', 'delete', 'clear', 'entries', 'forEach', 'keys', 'size', 'values', 'getOrInsert',
  'getOrInsertComputed', '[Symbol.toStringTag]', '[Symbol.iterator]');
export const bigIntMembers = has(() => BigInt, 'length', 'name', 'prototype', 'asUintN', 'asIntN');
export const bigIntPrototypeMembers = has(() => BigInt.prototype, 'constructor', 'toLocaleString', 'toString', 'valueOf', '[Symbol.toStringTag]');
export const setMembers = has(() => Set, 'length', 'name', 'prototype', '[Symbol.species]');
export const setPrototypeMembers = has(() => Set.prototype,
  'constructor', 'has', 'add', 'delete', 'difference', 'clear', 'entries', 'forEach', 'intersection', 'isSubsetOf', 'isSupersetOf',
  'isDisjointFrom', 'size', 'symmetricDifference', 'union', 'values', 'keys', '[Symbol.toStringTag]', '[Symbol.iterator]');
export const iteratorMembers = has(() => Iterator, 'length', 'name', 'prototype', 'from', 'concat', 'zip', 'zipKeyed');
export const iteratorPrototypeMembers = has(() => Iterator.prototype,
  'constructor', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find', 'map', 'filter', 'take', 'drop', 'flatMap', 'join', 'includes',
  '[Symbol.iterator]', '[Symbol.toStringTag]', '[Symbol.dispose]');
export const weakMapMembers = has(() => WeakMap, 'length', 'name', 'prototype');
export const weakMapPrototypeMembers = has(() => WeakMap.prototype,
  'constructor', 'delete', 'get', 'set', 'has', 'getOrInsert', 'getOrInsertComputed', '[Symbol.toStringTag]');
export const weakSetMembers = has(() => WeakSet, 'length', 'name', 'prototype');
export const weakSetPrototypeMembers = has(() => WeakSet.prototype, 'constructor', 'delete', 'has', 'add', '[Symbol.toStringTag]');
export const weakRefMembers = has(() => WeakRef, 'length', 'name', 'prototype');
export const weakRefPrototypeMembers = has(() => WeakRef.prototype, 'constructor', 'deref', '[Symbol.toStringTag]');
export const proxyMembers = has(() => Proxy, 'length', 'name', 'revocable');
export const reflectMembers = has(() => Reflect,
  'defineProperty', 'deleteProperty', 'apply', 'construct', 'get', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'has', 'isExtensible',
  'ownKeys', 'preventExtensions', 'set', 'setPrototypeOf', '[Symbol.toStringTag]');
export const finalizationRegistryMembers = has(() => FinalizationRegistry, 'length', 'name', 'prototype');
export const finalizationRegistryPrototypeMembers = has(() => FinalizationRegistry.prototype,
  'constructor', 'register', 'unregister', '[Symbol.toStringTag]');
export const float16ArrayMembers = has(() => Float16Array, 'length', 'name', 'prototype', 'BYTES_PER_ELEMENT');
export const float16ArrayPrototypeMembers = has(() => Float16Array.prototype, 'constructor', 'BYTES_PER_ELEMENT');
export const sharedArrayBufferMembers = has(() => SharedArrayBuffer, 'length', 'name', 'prototype', '[Symbol.species]');
export const sharedArrayBufferPrototypeMembers = has(() => SharedArrayBuffer.prototype,
  'constructor', 'byteLength', 'slice', 'maxByteLength', 'growable', 'grow', '[Symbol.toStringTag]');
export const suppressedErrorMembers = has(() => SuppressedError, 'length', 'name', 'prototype');
export const suppressedErrorPrototypeMembers = has(() => SuppressedError.prototype, 'constructor', 'name', 'message');
export const disposableStackMembers = has(() => DisposableStack, 'length', 'name', 'prototype');
export const disposableStackPrototypeMembers = has(() => DisposableStack.prototype,
  'constructor', 'use', 'dispose', 'adopt', 'defer', 'move', 'disposed', '[Symbol.dispose]', '[Symbol.toStringTag]');
export const asyncDisposableStackMembers = has(() => AsyncDisposableStack, 'length', 'name', 'prototype');
export const asyncDisposableStackPrototypeMembers = has(() => AsyncDisposableStack.prototype,
  'constructor', 'use', 'disposeAsync', 'adopt', 'defer', 'move', 'disposed', '[Symbol.asyncDispose]', '[Symbol.toStringTag]');
export const typedArrayMembers = has(() => typedArray, 'length', 'name', 'prototype', 'of', 'from', '[Symbol.species]');
export const typedArrayPrototypeMembers = has(() => typedArray.prototype,
  'constructor', 'buffer', 'byteLength', 'byteOffset', 'length', 'entries', 'keys', 'values', 'at', 'copyWithin', 'every', 'fill', 'filter',
  'find', 'findIndex', 'findLast', 'findLastIndex', 'forEach', 'includes', 'indexOf', 'join', 'lastIndexOf', 'map', 'reverse', 'reduce',
  'reduceRight', 'set', 'slice', 'some', 'sort', 'subarray', 'toReversed', 'toSorted', 'with', 'toLocaleString', 'toString',
  '[Symbol.toStringTag]', '[Symbol.iterator]');
export const generatorMembers = has(() => Object.getPrototypeOf(function* () {}).prototype,
  'constructor', 'next', 'return', 'throw', '[Symbol.toStringTag]');
export const arrayIteratorProtoMembers = has(() => Object.getPrototypeOf([].values()), 'next', '[Symbol.toStringTag]');
export const intlgetCanonicalLocalesMembers = has(() => Intl.getCanonicalLocales, 'length', 'name');
export const intlsupportedValuesOfMembers = has(() => Intl.supportedValuesOf, 'length', 'name');
export const intlDateTimeFormatMembers = has(() => Intl.DateTimeFormat, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlDateTimeFormatPrototypeMembers = has(() => Intl.DateTimeFormat.prototype,
  'constructor', 'resolvedOptions', 'formatToParts', 'format', 'formatRange', 'formatRangeToParts', '[Symbol.toStringTag]');
export const intlNumberFormatMembers = has(() => Intl.NumberFormat, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlNumberFormatPrototypeMembers = has(() => Intl.NumberFormat.prototype,
  'constructor', 'resolvedOptions', 'formatToParts', 'format', 'formatRange', 'formatRangeToParts', '[Symbol.toStringTag]');
export const intlCollatorMembers = has(() => Intl.Collator, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlCollatorPrototypeMembers = has(() => Intl.Collator.prototype, 'constructor', 'resolvedOptions', 'compare', '[Symbol.toStringTag]');
export const intlv8BreakIteratorMembers = has(() => Intl.v8BreakIterator, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlv8BreakIteratorPrototypeMembers = has(() => Intl.v8BreakIterator.prototype,
  'constructor', 'resolvedOptions', 'adoptText', 'first', 'next', 'current', 'breakType', '[Symbol.toStringTag]');
export const intlPluralRulesMembers = has(() => Intl.PluralRules, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlPluralRulesPrototypeMembers = has(() => Intl.PluralRules.prototype,
  'constructor', 'resolvedOptions', 'select', 'selectRange', '[Symbol.toStringTag]');
export const intlRelativeTimeFormatMembers = has(() => Intl.RelativeTimeFormat, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlRelativeTimeFormatPrototypeMembers = has(() => Intl.RelativeTimeFormat.prototype,
  'constructor', 'resolvedOptions', 'format', 'formatToParts', '[Symbol.toStringTag]');
export const intlListFormatMembers = has(() => Intl.ListFormat, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlListFormatPrototypeMembers = has(() => Intl.ListFormat.prototype,
  'constructor', 'resolvedOptions', 'format', 'formatToParts', '[Symbol.toStringTag]');
export const intlLocaleMembers = has(() => Intl.Locale, 'length', 'name', 'prototype');
export const intlLocalePrototypeMembers = has(() => Intl.Locale.prototype,
  'constructor', 'toString', 'maximize', 'minimize', 'language', 'script', 'region', 'variants', 'baseName', 'calendar', 'caseFirst',
  'collation', 'firstDayOfWeek', 'hourCycle', 'numeric', 'numberingSystem', 'getCalendars', 'getCollations', 'getHourCycles',
  'getNumberingSystems', 'getTimeZones', 'getTextInfo', 'getWeekInfo', '[Symbol.toStringTag]');
export const intlDisplayNamesMembers = has(() => Intl.DisplayNames, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlDisplayNamesPrototypeMembers = has(() => Intl.DisplayNames.prototype,
  'constructor', 'resolvedOptions', 'of', '[Symbol.toStringTag]');
export const intlSegmenterMembers = has(() => Intl.Segmenter, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlSegmenterPrototypeMembers = has(() => Intl.Segmenter.prototype, 'constructor', 'resolvedOptions', 'segment', '[Symbol.toStringTag]');
export const intlDurationFormatMembers = has(() => Intl.DurationFormat, 'length', 'name', 'prototype', 'supportedLocalesOf');
export const intlDurationFormatPrototypeMembers = has(() => Intl.DurationFormat.prototype,
  'constructor', 'resolvedOptions', 'format', 'formatToParts', '[Symbol.toStringTag]');
