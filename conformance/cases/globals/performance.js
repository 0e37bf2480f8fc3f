// Rule: performance: marks, measures and the rest. Source: the User Timing standard
// (https://w3c.github.io/user-timing/), where workerd follows it.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

// cleared leaves no entries of earlier tests.
function cleared() {
  performance.clearMarks();
  performance.clearMeasures();
}

// The time origin is the epoch.
export const origin = {
  async test() {
    assert.deepStrictEqual(
      [performance.timeOrigin, { ...performance.toJSON() }, Object.getPrototypeOf(performance.toJSON()), JSON.stringify(performance), Reflect.ownKeys(performance)],
      [0, { timeOrigin: 0 }, null, '{"timeOrigin":0}', []],
    );
  },
};

// Time stands still while nothing waits.
export const now = {
  async test() {
    assert.deepStrictEqual([typeof performance.now(), performance.now() > 1e12], ['number', true]);
  },
};

// A mark has a name, a time and a detail.
export const mark = {
  async test() {
    const m = performance.mark('a', { startTime: 5, detail: { x: 1 } });
    assert.deepStrictEqual(
      [m.constructor.name, m instanceof PerformanceEntry, m.name, m.entryType, m.startTime, m.duration, m.detail, { ...m.toJSON() }, JSON.stringify(m), Reflect.ownKeys(m)],
      [
        'PerformanceMark',
        true,
        'a',
        'mark',
        5,
        0,
        { x: 1 },
        { name: 'a', entryType: 'mark', startTime: 5, duration: 0, detail: { x: 1 } },
        '{"name":"a","entryType":"mark","startTime":5,"duration":0,"detail":{"x":1}}',
        [],
      ],
    );
  },
};

// A mark is made now, without a detail.
export const markDefaults = {
  async test() {
    const m = performance.mark('a');
    assert.deepStrictEqual(
      [m.startTime > 1e12, m.duration, m.detail, performance.mark(5).name, performance.mark('x', null).detail, performance.mark('x', { startTime: -1 }).startTime],
      [true, 0, null, '5', null, -1],
    );
  },
};

// The detail is kept, not cloned, and must be an object.
export const markDetail = {
  async test() {
    const detail = { x: 1 };
    assert.deepStrictEqual(
      [performance.mark('a', { detail }).detail === detail, await thrown(() => performance.mark('a', { detail: 5 })), await thrown(() => performance.mark('a', { detail: null }))],
      [
        true,
        'TypeError: Incorrect type for the \'detail\' field on \'Options\': the provided value is not of type \'Object\'.',
        'TypeError: Incorrect type for the \'detail\' field on \'Options\': the provided value is not of type \'Object\'.',
      ],
    );
  },
};

// Arguments of mark.
export const markErrors = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => performance.mark()), await thrown(() => performance.mark('x', 5)), await thrown(() => performance.mark.call({}, 'x'))],
      [
        'TypeError: Failed to execute \'mark\' on \'Performance\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'mark\' on \'Performance\': parameter 2 is not of type \'Options\'.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      ],
    );
  },
};

// A mark that is constructed is on no list.
export const constructed = {
  async test() {
    cleared();
    const m = new PerformanceMark('c', { startTime: 7, detail: { q: 1 } });
    assert.deepStrictEqual(
      [m.name, m.startTime, m.detail, m.entryType, performance.getEntries().length, await thrown(() => new PerformanceMark()), await thrown(() => new PerformanceMark('x', 5))],
      [
        'c',
        7,
        { q: 1 },
        'mark',
        0,
        'TypeError: Failed to construct \'PerformanceMark\': constructor parameter 1 is not of type \'string\'.',
        'TypeError: Failed to construct \'PerformanceMark\': constructor parameter 2 is not of type \'Options\'.',
      ],
    );
  },
};

// A measure goes from one mark to another.
export const measure = {
  async test() {
    cleared();
    performance.mark('s', { startTime: 10 });
    performance.mark('e', { startTime: 30 });
    const m = performance.measure('m', 's', 'e');
    assert.deepStrictEqual([m.constructor.name, m.name, m.entryType, m.startTime, m.duration, m.detail, JSON.stringify(m)], [
      'PerformanceMeasure',
      'm',
      'measure',
      10,
      20,
      null,
      '{"name":"m","entryType":"measure","startTime":10,"duration":20}',
    ]);
  },
};

// A measure of given times.
export const measureOptions = {
  async test() {
    const times = (o) => { const m = performance.measure('m', o); return [m.startTime, m.duration]; };
    assert.deepStrictEqual(
      [times({ start: 5, end: 20 }), times({ start: 5, duration: 20 }), times({ end: 5 }), times({ start: 10, end: 5 }), times({ start: '10', end: 15 }), performance.measure('m', { start: 1, detail: { x: 1 } }).detail],
      [[5, 15], [5, 20], [0, 5], [10, 0], [10, 5], { x: 1 }],
    );
  },
};

// Without an end a measure lasts until now, without a start from the time origin.
export const measureNow = {
  async test() {
    const m = performance.measure('m');
    assert.deepStrictEqual([m.startTime, m.duration > 1e12, performance.measure('m', { start: 5 }).duration > 1e12], [0, true, true]);
  },
};

// A mark that does not exist is no error.
export const measureMissing = {
  async test() {
    cleared();
    performance.mark('z', { startTime: 3 });
    assert.deepStrictEqual(
      [performance.measure('m', 'nope').startTime, performance.measure('m', 'z', 'nope').startTime, performance.measure('m', 'z', 'nope').duration > 1e12],
      [0, 3, true],
    );
  },
};

// Of several marks of a name, the first counts.
export const measureFirst = {
  async test() {
    cleared();
    performance.mark('dup', { startTime: 1 });
    performance.mark('dup', { startTime: 9 });
    assert.deepStrictEqual(performance.measure('m', 'dup').startTime, 1);
  },
};

// Entries are listed in the order in which they were made.
export const entries = {
  async test() {
    cleared();
    performance.mark('b', { startTime: 2 });
    performance.mark('a', { startTime: 1 });
    performance.measure('c', { start: 0, end: 5 });
    const names = (list) => list.map((e) => e.name);
    assert.deepStrictEqual([
      names(performance.getEntries()), names(performance.getEntriesByType('mark')), names(performance.getEntriesByType('measure')),
      names(performance.getEntriesByType('nope')), performance.getEntriesByName('a').length, performance.getEntriesByName('a', 'mark').length, performance.getEntriesByName('a', 'measure').length,
    ], [['b', 'a', 'c'], ['b', 'a'], ['c'], [], 1, 1, 0]);
  },
};

// The lists are new, the entries are the same.
export const sameEntries = {
  async test() {
    cleared();
    const m = performance.mark('z');
    assert.deepStrictEqual([performance.getEntries() === performance.getEntries(), performance.getEntries()[0] === m], [false, true]);
  },
};

// Marks and measures are cleared apart, by name or all.
export const clear = {
  async test() {
    cleared();
    performance.mark('a');
    performance.mark('b');
    performance.measure('c');
    performance.clearMarks('a');
    performance.clearMeasures('zz');
    const first = performance.getEntries().map((e) => e.name);
    performance.clearMarks();
    const second = performance.getEntries().map((e) => e.name);
    performance.clearMeasures();
    assert.deepStrictEqual([first, second, performance.getEntries()], [['b', 'c'], ['c'], []]);
  },
};

// Arguments of the lists.
export const entryErrors = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => performance.getEntriesByName()), await thrown(() => performance.getEntriesByType()), await thrown(() => performance.measure())],
      [
        'TypeError: Failed to execute \'getEntriesByName\' on \'Performance\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'getEntriesByType\' on \'Performance\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'measure\' on \'Performance\': parameter 1 is not of type \'string\'.',
      ],
    );
  },
};

// No events are counted.
export const eventCounts = {
  async test() {
    const c = performance.eventCounts;
    assert.deepStrictEqual(
      [Object.prototype.toString.call(c), c.size, c.get('x'), c.has('x'), [...c], [...c.keys()], c === performance.eventCounts, typeof EventCounts],
      ['[object EventCounts]', 0, undefined, false, [], [], false, 'undefined'],
    );
  },
};

// What Node.js adds is there and says nothing.
export const node = {
  async test() {
    const f = function foo(a, b) { return [this, a]; };
    assert.deepStrictEqual([
      performance.nodeTiming.constructor.name, JSON.stringify(performance.nodeTiming), performance.eventLoopUtilization(), performance.timerify(f) === f,
      await thrown(() => performance.timerify(5)), performance.markResourceTiming(),
    ], [
      'PerformanceNodeTiming',
      '{"name":"node","entryType":"node","startTime":0,"duration":0,"nodeStart":0,"v8Start":0,"bootstrapComplete":0,"environment":0,"loopStart":0,"loopExit":0,"idleTime":0,"uvMetricsInfo":{"loopCount":0,"events":0,"eventsWaiting":0}}',
      { idle: 0, active: 0, utilization: 0 },
      true,
      'TypeError: Failed to execute \'timerify\' on \'Performance\': parameter 1 is not of type \'function\'.',
      undefined,
    ]);
  },
};

// Resource timings can be cleared, though there are none.
export const resources = {
  async test() {
    assert.deepStrictEqual(
      [performance.clearResourceTimings(), performance.setResourceTimingBufferSize(5), await thrown(() => performance.setResourceTimingBufferSize())],
      [
        undefined,
        undefined,
        'TypeError: Failed to execute \'setResourceTimingBufferSize\' on \'Performance\': parameter 1 is not of type \'unsigned integer\'.',
      ],
    );
  },
};

// An observer is never called.
export const observer = {
  async test() {
    const log = [];
    const o = new PerformanceObserver((list) => log.push(list));
    o.observe({ entryTypes: ['mark'] });
    performance.mark('seen');
    await scheduler.wait(1);
    assert.deepStrictEqual(
      [log, o.takeRecords(), o.disconnect(), [...PerformanceObserver.supportedEntryTypes], await thrown(() => new PerformanceObserver()), await thrown(() => o.observe(5))],
      [
        [],
        [],
        undefined,
        ['measure', 'mark'],
        'TypeError: Failed to construct \'PerformanceObserver\': constructor parameter 1 is not of type \'Value\'.',
        'TypeError: Failed to execute \'observe\' on \'PerformanceObserver\': parameter 1 is not of type \'ObserveOptions\'.',
      ],
    );
  },
};

// Classes that cannot be constructed.
export const illegal = {
  async test() {
    assert.deepStrictEqual(
      await Promise.all([Performance, PerformanceEntry, PerformanceMeasure, PerformanceResourceTiming, PerformanceObserverEntryList].map((C) => thrown(() => new C()))),
      [
        'TypeError: Illegal constructor',
        'TypeError: Illegal constructor',
        'TypeError: Illegal constructor',
        'TypeError: Illegal constructor',
        'TypeError: Illegal constructor',
      ],
    );
  },
};

// performance is an EventTarget.
export const target = {
  async test() {
    const log = [];
    performance.addEventListener('x', (e) => log.push(e.type));
    performance.dispatchEvent(new Event('x'));
    assert.deepStrictEqual([log, performance instanceof EventTarget], [['x'], true]);
  },
};
