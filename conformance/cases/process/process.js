// Rule: the global process. Source: https://developers.cloudflare.com/workers/runtime-apis/nodejs/process/
import assert from 'node:assert';
import module, { nextTick, env } from 'node:process';

const test = (f) => ({ test: f });
const unimplemented = (name) => ({ code: 'ERR_METHOD_NOT_IMPLEMENTED', message: `The process.${name} method is not implemented` });

export const moduleIsGlobal = test(() => {
  assert.deepStrictEqual([module === process, nextTick === process.nextTick, env === process.env], [true, true, true]);
  assert.strictEqual(Object.prototype.toString.call(process), '[object process]');
});

export const constants = test(() => {
  assert.deepStrictEqual([process.version, process.versions.node, process.versions.v8, process.platform, process.arch, process.argv, process.argv0, process.execArgv, process.title, process.pid, process.ppid, process.execPath],
    ['v22.23.4', '22.23.4', '', 'linux', 'x64', ['workerd'], 'workerd', [], 'workerd', 1, 0, '']);
  assert.deepStrictEqual(process.release, { name: 'node', lts: true, sourceUrl: '', headersUrl: '' });
  assert.deepStrictEqual([process.features.tls, process.features.typescript, process.connected, process.channel], [true, false, false, null]);
});

// Variables are strings; undefined is one, too.
export const variables = test(() => {
  process.env.FOO = 5;
  process.env.NONE = undefined;
  assert.deepStrictEqual([process.env.FOO, process.env.NONE, 'FOO' in process.env], ['5', 'undefined', true]);
  delete process.env.FOO;
  assert.strictEqual(process.env.FOO, undefined);
  assert.throws(() => { process.env.BAR = Symbol('a'); }, { name: 'TypeError', message: 'Cannot convert a symbol value to a string' });
});

export const order = test(async () => {
  const seen = [];
  process.nextTick((a, b) => seen.push('tick' + a + b), 1, 2);
  Promise.resolve().then(() => seen.push('promise'));
  queueMicrotask(() => seen.push('microtask'));
  process.nextTick(() => seen.push('tick'));
  setTimeout(() => seen.push('timeout'), 0);
  seen.push('sync');
  await scheduler.wait(5);
  assert.deepStrictEqual(seen, ['sync', 'tick12', 'promise', 'microtask', 'tick', 'timeout']);
});

export const events = test(() => {
  let n = 0;
  const add = (x) => { n += x; };
  assert.strictEqual(process.on('foo', add), process);
  assert.strictEqual(process.emit('foo', 5), true);
  process.off('foo', add);
  assert.deepStrictEqual([process.emit('foo', 1), n], [false, 5]);
});

export const warnings = test(async () => {
  const seen = [];
  const listener = (w) => seen.push([w.name, w.message, w.code, w.detail]);
  process.on('warning', listener);
  process.emitWarning('hey', 'Custom', 'C001');
  process.emitWarning('hey', { type: 'T', code: 'c', detail: 'd' });
  process.emitWarning(new TypeError('x'));
  assert.deepStrictEqual(seen, []);
  await scheduler.wait(1);
  process.off('warning', listener);
  assert.deepStrictEqual(seen, [['Custom', 'hey', 'C001', undefined], ['T', 'hey', 'c', 'd'], ['TypeError', 'x', undefined, undefined]]);
  assert.throws(() => process.emitWarning(5), { code: 'ERR_INVALID_ARG_TYPE', message: 'The "warning" argument must be an string or Error. Received type number (5)' });
});

export const hrtime = test(() => {
  const now = process.hrtime();
  assert.deepStrictEqual([now.length, now.every(Number.isInteger), typeof process.hrtime.bigint(), process.hrtime(now).length], [2, true, 'bigint', 2]);
  assert.throws(() => process.hrtime(5), { code: 'ERR_INVALID_ARG_TYPE', message: 'The "time" argument must be tuple of integers. Received type number (5)' });
  assert.throws(() => process.hrtime([1]), { code: 'ERR_OUT_OF_RANGE', message: 'The value of "time" is out of range. It must be 2. Received [ 1 ]' });
});

export const directory = test(() => {
  assert.strictEqual(process.cwd(), '/bundle');
  process.chdir('/tmp');
  assert.strictEqual(process.cwd(), '/tmp');
  process.chdir('/bundle');
  assert.throws(() => process.chdir('/nope'), { code: 'ENOENT', message: "no such file or directory, chdir 'nope'" });
  assert.throws(() => process.chdir(), { code: 'ERR_INVALID_ARG_TYPE', message: 'The "directory" argument must be of type string. Received undefined' });
});

export const users = test(() => {
  assert.deepStrictEqual([process.getuid(), process.geteuid(), process.getgid(), process.getegid(), process.getgroups(), process.umask()], [0, 0, 0, 0, [0], 18]);
  assert.throws(() => process.setuid(1), { code: 'EPERM', message: 'operation not permitted' });
});

export const memory = test(() => {
  assert.deepStrictEqual(process.memoryUsage(), { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 });
  assert.deepStrictEqual([process.constrainedMemory(), process.availableMemory()], [0, 0]);
});

export const builtinModules = test(async () => {
  assert.strictEqual(process.getBuiltinModule('node:path'), (await import('node:path')).default);
  assert.strictEqual(process.getBuiltinModule('nope'), undefined);
});

export const notThere = test(() => {
  for (const name of ['kill', 'binding', 'dlopen', 'getActiveResourcesInfo', 'cpuUsage', 'threadCpuUsage', 'execve', 'hasUncaughtExceptionCaptureCallback']) {
    assert.throws(() => process[name](), unimplemented(name));
  }
});

export const exitCode = test(() => {
  process.exitCode = 3;
  assert.strictEqual(process.exitCode, 3);
  process.exitCode = undefined;
});

export const streams = test(() => {
  assert.deepStrictEqual([process.stdout.fd, process.stderr.fd, process.stdin.fd], [1, 2, 0]);
});

export const writing = test(() => {
  let called = 0;
  assert.deepStrictEqual([process.stdout.write("a\n"), process.stderr.write(new Uint8Array([104, 105]), () => { called++; })], [true, true]);
  assert.deepStrictEqual([process.stdout.isTTY, process.stdout.writable, process.stdout._isStdio, process.stdin.read(), called], [undefined, true, true, null, 0]);
  assert.throws(() => process.stdout.write(5), {
    name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE',
    message: 'The "chunk" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received type number (5)',
  });
  assert.throws(() => process.stdout.write(null), { code: 'ERR_STREAM_NULL_VALUES', message: 'May not write null values to stream' });
});
