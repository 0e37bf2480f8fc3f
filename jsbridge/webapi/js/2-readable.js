// ReadableStream with its readers and controllers
// (https://streams.spec.whatwg.org/#rs), errors worded as workerd does.

const RELEASED = 'This ReadableStream reader has been released.';
const LOCKED = 'This ReadableStream is currently locked to a reader.';

let readableState; // ReadableStream object -> its state
let readerState;

// A stream's state. ctrl holds the functions pull(request), cancel(reason) and
// release() that differ between default and byte streams.
function newReadableState() {
  return { state: 'readable', error: undefined, reader: null, disturbed: false, ctrl: null, bytes: false, object: null };
}

function closeReadable(s) {
  if (s.state !== 'readable') return;
  s.state = 'closed';
  const r = s.reader;
  if (!r) return;
  r.closed.resolve(undefined);
  for (const q of r.requests.splice(0)) q.close();
}

function errorReadable(s, e) {
  if (s.state !== 'readable') return;
  s.state = 'errored';
  s.error = e;
  const r = s.reader;
  if (!r) return;
  r.closed.reject(e);
  for (const q of r.requests.splice(0)) q.error(e);
}

function cancelReadable(s, reason) {
  s.disturbed = true;
  if (s.state === 'closed') return Promise.resolve();
  if (s.state === 'errored') return rejected(s.error);
  const e = foreign(s, SOURCE);
  if (e !== undefined) return rejected(e);
  const ctrl = s.ctrl;
  closeReadable(s);
  return ctrl.cancel(reason).then(ignore);
}

function acquireReader(s, byob) {
  if (s.reader) fail(LOCKED);
  const r = { s, byob, requests: [], closed: deferred() };
  s.reader = r;
  if (s.state === 'closed') r.closed.resolve(undefined);
  else if (s.state === 'errored') r.closed.reject(s.error);
  return r;
}

function releaseReader(r) {
  const s = r.s;
  if (!s) return;
  const e = new TypeError(RELEASED);
  if (r.closed.settled) r.closed = deferred();
  r.closed.reject(e);
  s.ctrl.release();
  for (const q of r.requests.splice(0)) q.error(e);
  s.reader = null;
  r.s = null;
}

// Asks for the next chunk. request has chunk(value), close() and error(reason).
function readDefault(r, request) {
  const s = r.s;
  s.disturbed = true;
  if (s.state === 'closed') request.close();
  else if (s.state === 'errored') request.error(s.error);
  else {
    const e = foreign(s, SOURCE);
    if (e !== undefined) request.error(e);
    else s.ctrl.pull(request);
  }
}

const readPromise = (r) => new Promise((resolve, reject) => readDefault(r, {
  chunk: (value) => resolve({ value, done: false }),
  close: () => resolve({ value: undefined, done: true }),
  error: reject,
}));

// The part of both controllers that decides when to call the source's pull.
function puller(c) {
  c.maybePull = () => {
    if (!c.shouldPull()) return;
    if (c.pulling) {
      c.again = true;
      return;
    }
    c.pulling = true;
    invoke(c.pullFn, c.source, c.object).then(() => {
      c.pulling = false;
      if (c.again) {
        c.again = false;
        c.maybePull();
      }
    }, (e) => c.fail(e));
  };
  c.start = (startFn) => {
    let result;
    try {
      result = startFn === undefined ? undefined : startFn.call(c.source, c.object);
    } catch (e) {
      c.fail(e); // workerd errors the stream instead of throwing
      return;
    }
    Promise.resolve(result).then(() => {
      c.started = true;
      c.maybePull();
    }, (e) => c.fail(e));
  };
}

function defaultController(s, source, pullFn, cancelFn, hwm, sizeFn) {
  const c = {
    s, source, pullFn, queue: [], total: 0, started: false, closing: false, pulling: false, again: false, object: null,
    desired: () => (s.state === 'errored' ? null : s.state === 'closed' ? 0 : hwm - c.total),
    canEnqueue: () => s.state === 'readable' && !c.closing,
    shouldPull: () => c.canEnqueue() && c.started
      && ((s.reader !== null && s.reader.requests.length > 0) || hwm - c.total > 0),
    enqueue(chunk) {
      if (s.reader && s.reader.requests.length > 0) {
        s.reader.requests.shift().chunk(chunk);
      } else {
        let size = 1;
        if (sizeFn !== undefined) {
          try {
            size = Number(sizeFn(chunk));
            if (!(size >= 0) || size === Infinity) throw new RangeError('The chunk size must be a finite, non-negative number.');
          } catch (e) {
            c.fail(e);
            throw e;
          }
        }
        c.queue.push({ chunk, size });
        c.total += size;
      }
      c.maybePull();
    },
    close() {
      c.closing = true;
      if (c.queue.length === 0) closeReadable(s);
    },
    fail(e) {
      c.queue = [];
      c.total = 0;
      errorReadable(s, e);
    },
    pull(request) {
      if (c.queue.length === 0) {
        s.reader.requests.push(request);
        c.maybePull();
        return;
      }
      const { chunk, size } = c.queue.shift();
      c.total -= size;
      if (c.closing && c.queue.length === 0) closeReadable(s);
      else c.maybePull();
      request.chunk(chunk);
    },
    cancel(reason) {
      c.queue = [];
      c.total = 0;
      return invoke(cancelFn, source, reason);
    },
    release: ignore,
  };
  puller(c);
  s.ctrl = c;
  return c;
}

// Makes a stream for internal use; pull gets the controller functions.
function makeReadable({ start, pull, cancel, hwm = 1, bytes = false }) {
  const s = newReadableState();
  const stream = new ReadableStream(TOKEN, s);
  const c = bytes
    ? byteController(s, undefined, pull && (() => pull(c)), cancel, hwm, undefined)
    : defaultController(s, undefined, pull && (() => pull(c)), cancel, hwm, undefined);
  c.start(start && (() => start(c)));
  return { stream, s, c };
}

class ReadableStream {
  #s;

  constructor(source = undefined, strategy = undefined) {
    if (source === TOKEN) {
      this.#s = strategy;
      strategy.object = this;
      return;
    }
    source = options(source, 1, 'ReadableStream', 'UnderlyingSource');
    strategy = options(strategy, 2, 'ReadableStream', 'StreamQueuingStrategy');
    const s = newReadableState();
    s.object = this;
    this.#s = s;
    const type = source === undefined ? undefined : source.type;
    if (type !== undefined && String(type) !== 'bytes' && String(type) !== '') fail(`"${String(type)}" is not a valid type of ReadableStream.`);
    const startFn = method(source, 'start', 'UnderlyingSource');
    const pullFn = method(source, 'pull', 'UnderlyingSource');
    const cancelFn = method(source, 'cancel', 'UnderlyingSource');
    let c;
    if (type !== undefined && String(type) === 'bytes') {
      const auto = source.autoAllocateChunkSize;
      c = byteController(s, source, pullFn, cancelFn, highWaterMark(strategy, 0), auto === undefined ? undefined : Number(auto));
      c.object = new ReadableByteStreamController(TOKEN, c);
    } else {
      c = defaultController(s, source, pullFn, cancelFn, highWaterMark(strategy, 1), method(strategy, 'size', 'StreamQueuingStrategy'));
      c.object = new ReadableStreamDefaultController(TOKEN, c);
    }
    c.start(startFn);
  }

  static {
    readableState = (o) => (isObject(o) && #s in o ? o.#s : undefined);
  }

  get locked() { return thisReadable(this).reader !== null; }

  cancel(reason) {
    const s = thisReadable(this);
    return s.reader ? rejected(new TypeError(LOCKED)) : cancelReadable(s, reason);
  }

  getReader(opts) {
    const s = thisReadable(this);
    if (opts !== undefined && opts !== null && !isObject(opts)) {
      fail("Failed to execute 'getReader' on 'ReadableStream': parameter 1 is not of type 'GetReaderOptions'.");
    }
    const mode = opts === undefined || opts === null ? undefined : opts.mode;
    if (mode === undefined) return new ReadableStreamDefaultReader(this);
    if (String(mode) !== 'byob') fail("mode must be undefined or 'byob' in call to getReader().");
    return new ReadableStreamBYOBReader(this);
  }

  pipeThrough(transform, opts) {
    const s = thisReadable(this);
    if (!isObject(transform)) fail("Failed to execute 'pipeThrough' on 'ReadableStream': parameter 1 is not of type 'Transform'.");
    const { readable, writable } = transform;
    if (!readableState(readable)) fail("Incorrect type for the 'readable' field on 'Transform': the provided value is not of type 'ReadableStream'.");
    if (!writableState(writable)) fail("Incorrect type for the 'writable' field on 'Transform': the provided value is not of type 'WritableStream'.");
    if (s.reader) fail(LOCKED);
    pipe(s, writableState(writable), opts).then(undefined, ignore);
    return readable;
  }

  pipeTo(destination, opts) {
    const s = thisReadable(this);
    const w = writableState(destination);
    if (!w) return rejected(new TypeError("Failed to execute 'pipeTo' on 'ReadableStream': parameter 1 is not of type 'WritableStream'."));
    if (s.reader) return rejected(new TypeError(LOCKED));
    try {
      return pipe(s, w, opts);
    } catch (e) {
      return rejected(e);
    }
  }

  tee() {
    const s = thisReadable(this);
    if (s.reader) fail('This ReadableStream is currently locked to a reader,');
    return tee(s);
  }

  values(opts) {
    const s = thisReadable(this);
    return iterate(acquireReader(s, false), Boolean(opts && opts.preventCancel));
  }

  static from(source) {
    if (!isObject(source) && typeof source !== 'string') {
      fail("Failed to execute 'from' on 'ReadableStream': parameter 1 is not of type 'AsyncGenerator'.");
    }
    return fromIterable(source);
  }
}

function thisReadable(o) {
  return readableState(o) || fail(ILLEGAL);
}

function fromIterable(source) {
  const f = (Symbol.asyncIterator && source[Symbol.asyncIterator]) || source[Symbol.iterator];
  if (typeof f !== 'function') fail("Failed to execute 'from' on 'ReadableStream': parameter 1 is not of type 'AsyncGenerator'.");
  const it = f.call(source);
  return makeReadable({
    hwm: 0,
    pull: async (c) => {
      const { value, done } = await it.next();
      if (done) c.close();
      else c.enqueue(await value);
    },
    cancel: async (reason) => {
      if (typeof it.return === 'function') await it.return(reason);
    },
  }).stream;
}

// The iterator of values(). Calls are chained, as those of an async generator.
function iterate(r, preventCancel) {
  let last = Promise.resolve();
  let finished = false;
  const chain = (f) => (last = last.then(f, f));
  const it = {
    next: () => chain(async () => {
      if (finished) return { done: true, value: undefined };
      let step;
      try {
        step = await readPromise(r);
      } catch (e) {
        finished = true;
        releaseReader(r);
        throw e;
      }
      if (step.done) {
        finished = true;
        releaseReader(r);
      }
      return { done: step.done, value: step.value };
    }),
    return: (value) => chain(async () => {
      if (!finished) {
        finished = true;
        const s = r.s;
        releaseReader(r);
        if (!preventCancel) await cancelReadable(s, value);
      }
      return { done: true, value };
    }),
  };
  if (Symbol.asyncIterator) it[Symbol.asyncIterator] = () => it;
  return it;
}

class ReadableStreamDefaultController {
  #c;
  constructor(token, c) {
    if (token !== TOKEN) fail('Illegal constructor');
    this.#c = c;
  }
  static #of(o) { return isObject(o) && #c in o ? o.#c : fail(ILLEGAL); }
  get desiredSize() { return ReadableStreamDefaultController.#of(this).desired(); }
  close() {
    const c = ReadableStreamDefaultController.#of(this);
    if (!c.canEnqueue()) fail('This ReadableStream is closed.');
    c.close();
  }
  enqueue(chunk) {
    const c = ReadableStreamDefaultController.#of(this);
    if (!c.canEnqueue()) fail('Unable to enqueue');
    c.enqueue(chunk);
  }
  error(e) { ReadableStreamDefaultController.#of(this).fail(e); }
}

class ReadableStreamDefaultReader {
  #r;
  constructor(stream) {
    const s = readableState(stream);
    if (!s) fail("Failed to construct 'ReadableStreamDefaultReader': constructor parameter 1 is not of type 'ReadableStream'.");
    this.#r = acquireReader(s, false);
  }
  static { readerState = (o) => (isObject(o) && #r in o ? o.#r : undefined); }
  get closed() { return thisReader(this).closed.promise; }
  cancel(reason) {
    const r = thisReader(this);
    return r.s ? cancelReadable(r.s, reason) : rejected(new TypeError(RELEASED));
  }
  read() {
    const r = thisReader(this);
    return r.s ? readPromise(r) : rejected(new TypeError(RELEASED));
  }
  releaseLock() {
    const r = thisReader(this);
    if (r.s) checkOwner(r.s, 'Canceler');
    releaseReader(r);
  }
}

function thisReader(o) { return readerState(o) || fail(ILLEGAL); }

// Two streams that both see every chunk. Bytes are copied for the second, so
// that neither can change what the other reads.
function tee(s) {
  checkOwner(s, SOURCE);
  const r = acquireReader(s, false);
  s.disturbed = true;
  let reading = false;
  let again = false;
  const canceled = [false, false];
  const done = deferred();
  const branches = [];
  const pull = () => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    readDefault(r, {
      chunk(value) {
        reading = false;
        branches.forEach(({ c }, i) => {
          if (!canceled[i]) c.enqueue(i === 1 && isBytes(value) ? bytesOf(value).slice() : value);
        });
        if (again) {
          again = false;
          pull();
        }
      },
      close() {
        branches.forEach(({ c }, i) => { if (!canceled[i]) c.close(); });
        done.resolve(undefined);
      },
      error(e) {
        branches.forEach(({ c }) => c.fail(e));
        done.resolve(undefined);
      },
    });
  };
  for (const i of [0, 1]) {
    branches.push(makeReadable({
      bytes: s.bytes,
      hwm: s.bytes ? 0 : 1,
      pull,
      cancel(reason) {
        canceled[i] = true;
        // workerd passes on the reason given last, not a list of both.
        if (canceled[0] && canceled[1]) cancelReadable(s, reason).then(done.resolve, done.reject);
        return done.promise;
      },
    }));
  }
  r.closed.promise.then(undefined, (e) => branches.forEach(({ c }) => c.fail(e)));
  if (s.owner) branches.forEach((b) => { b.s.owner = s.owner; });
  return branches.map((b) => b.stream);
}
