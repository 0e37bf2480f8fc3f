// Shared by the stream files, which are joined into one function body with
// `host` as parameter. The names at the top level of these files are therefore
// private to the streams.

const TOKEN = {}; // proves that a constructor is called from in here
const ILLEGAL = host.illegalInvocation;
const isObject = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';
const fail = (msg) => { throw new TypeError(msg); };
const rejected = (e) => Promise.reject(e);
const ignore = () => {};

// A stream that the platform itself makes belongs to the context that made it
// (s.owner, the host's number for it; 0 or undefined: to nobody), unlike one over
// a script's functions. The error of code of another one, or undefined.
const SOURCE = 'ReadableStreamSource>';
const SINK = 'Writable';
const foreign = (s, kind) => (s.owner ? host.foreign(s.owner, kind) : undefined);
const checkOwner = (s, kind) => {
  const e = foreign(s, kind);
  if (e !== undefined) throw e;
};

// A promise with its settling functions. Nobody has to handle its rejection:
// these promises are attributes that scripts may never look at.
function deferred() {
  const d = { settled: false };
  d.promise = new Promise((resolve, reject) => {
    d.resolve = (v) => { d.settled = true; resolve(v); };
    d.reject = (e) => { d.settled = true; reject(e); };
  });
  d.promise.then(undefined, ignore);
  return d;
}

// Calls an algorithm that a script supplied and turns a throw into a rejection.
function invoke(f, self, ...args) {
  if (f === undefined) return Promise.resolve();
  try {
    return Promise.resolve(f.call(self, ...args));
  } catch (e) {
    return rejected(e);
  }
}

function method(source, name, cls) {
  const f = source === undefined || source === null ? undefined : source[name];
  if (f === undefined) return undefined;
  if (typeof f !== 'function') {
    fail(`Incorrect type for the '${name}' field on '${cls}': the provided value is not of type 'function'.`);
  }
  return f;
}

// Reads an optional object argument of a constructor.
function options(v, i, cls, dict) {
  if (v === undefined || v === null) return undefined;
  if (!isObject(v)) fail(`Failed to construct '${cls}': constructor parameter ${i} is not of type '${dict}'.`);
  return v;
}

function highWaterMark(strategy, standard) {
  const h = strategy === undefined || strategy === null ? undefined : strategy.highWaterMark;
  if (h === undefined) return standard;
  const n = Number(h);
  if (Number.isNaN(n)) fail('The value cannot be converted because it is not an integer.');
  if (n < 0) fail('The value cannot be converted because it is negative and this API expects a positive bigint.');
  return n;
}

const bytesOf = (v) => (v instanceof ArrayBuffer ? new Uint8Array(v) : new Uint8Array(v.buffer, v.byteOffset, v.byteLength));
const isBytes = (v) => v instanceof ArrayBuffer || ArrayBuffer.isView(v);

// Moves the memory of a view into a buffer of its own, so that the script that
// handed it in cannot change it any more.
function takeBuffer(view) {
  const { byteOffset, byteLength } = view;
  return new Uint8Array(host.transfer(view.buffer), byteOffset, byteLength);
}
