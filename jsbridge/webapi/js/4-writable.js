// WritableStream, its writer and its controller
// (https://streams.spec.whatwg.org/#ws), errors worded as workerd does.

const WRITER_RELEASED = 'This WritableStream writer has been released.';
const WRITER_LOCKED = 'This WritableStream is currently locked to a writer.';
const WRITER_CLOSED = 'This WritableStream has been closed.';

let writableState;

// sink has write(chunk), close() and abort(reason), each returning a promise.
// write may return undefined instead, which means that it is done.
function newWritableState(sink, hwm, sizeFn) {
  return {
    sink, hwm, sizeFn, object: null, state: 'writable', error: undefined, writer: null,
    queue: [], total: 0, started: false, inFlight: null, closeRequest: null, closing: false, pendingAbort: null,
    abortController: null,
  };
}

const closeQueued = (s) => s.closeRequest !== null || s.closing;
const desiredSize = (s) => (s.state === 'errored' || s.state === 'erroring' ? null : s.state === 'closed' ? 0 : s.hwm - s.total);

function updateReady(s) {
  const w = s.writer;
  if (!w || s.state !== 'writable' || closeQueued(s)) return;
  const blocked = desiredSize(s) <= 0;
  if (blocked && w.ready.settled) w.ready = deferred();
  else if (!blocked && !w.ready.settled) w.ready.resolve(undefined);
}

function rejectReady(w, e) {
  if (w.ready.settled) w.ready = deferred();
  w.ready.reject(e);
}

function startErroring(s, e) {
  s.state = 'erroring';
  s.error = e;
  if (s.writer) rejectReady(s.writer, e);
  if (!s.inFlight && !s.closing && s.started) finishErroring(s);
}

function finishErroring(s) {
  s.state = 'errored';
  const e = s.error;
  for (const q of s.queue.splice(0)) q.done.reject(e);
  s.total = 0;
  const abort = s.pendingAbort;
  s.pendingAbort = null;
  if (!abort) {
    rejectClosed(s);
  } else if (abort.wasErroring) {
    abort.done.reject(e);
    rejectClosed(s);
  } else {
    s.sink.abort(abort.reason).then(() => {
      abort.done.resolve(undefined);
      rejectClosed(s);
    }, (x) => {
      abort.done.reject(x);
      rejectClosed(s);
    });
  }
}

function rejectClosed(s) {
  if (s.closeRequest) {
    s.closeRequest.reject(s.error);
    s.closeRequest = null;
  }
  if (s.writer) s.writer.closed.reject(s.error);
}

function writableFail(s, e) {
  if (s.state === 'writable') startErroring(s, e);
  else if (s.state === 'erroring') finishErroring(s);
}

// Passes the next chunk, or the close, to the sink.
function advance(s) {
  if (!s.started || s.inFlight || s.closing) return;
  if (s.state === 'erroring') {
    finishErroring(s);
    return;
  }
  if (s.state !== 'writable') return;
  if (s.queue.length > 0) {
    const q = s.queue[0];
    s.inFlight = q;
    const written = () => {
      s.inFlight = null;
      s.queue.shift();
      s.total -= q.size;
      q.done.resolve(undefined);
      if (s.state === 'writable') updateReady(s);
      advance(s);
    };
    const p = s.sink.write(q.chunk);
    if (p === undefined) written();
    else p.then(written, (e) => {
      s.inFlight = null;
      s.queue.shift();
      s.total -= q.size;
      q.done.reject(e);
      writableFail(s, e);
    });
  } else if (s.closeRequest) {
    const done = s.closeRequest;
    s.closing = true;
    s.closeRequest = null;
    s.sink.close().then(() => {
      s.closing = false;
      done.resolve(undefined);
      if (s.pendingAbort) {
        s.pendingAbort.done.resolve(undefined);
        s.pendingAbort = null;
      }
      s.state = 'closed';
      if (s.writer) s.writer.closed.resolve(undefined);
    }, (e) => {
      s.closing = false;
      done.reject(e);
      if (s.pendingAbort) {
        s.pendingAbort.done.reject(e);
        s.pendingAbort = null;
      }
      writableFail(s, e);
    });
  }
}

function writableStart(s, result) {
  Promise.resolve(result).then(() => {
    s.started = true;
    advance(s);
  }, (e) => {
    s.started = true;
    writableFail(s, e);
  });
}

function write(s, chunk) {
  let size = 1;
  if (s.sizeFn !== undefined) {
    try {
      size = Number(s.sizeFn(chunk));
      if (!(size >= 0) || size === Infinity) throw new RangeError('The chunk size must be a finite, non-negative number.');
    } catch (e) {
      if (s.state === 'writable') startErroring(s, e);
      return rejected(e);
    }
  }
  if (s.state === 'errored' || s.state === 'erroring') return rejected(s.error);
  if (closeQueued(s) || s.state === 'closed') return rejected(new TypeError(WRITER_CLOSED));
  const e = foreign(s, SINK);
  if (e !== undefined) return rejected(e);
  const done = deferred();
  s.queue.push({ chunk, size, done });
  s.total += size;
  updateReady(s);
  advance(s);
  // The caller gets a promise whose rejection counts as unhandled.
  return done.promise.then();
}

function closeWritable(s) {
  if (s.state === 'errored') return rejected(s.error);
  if (closeQueued(s) || s.state === 'closed') return rejected(new TypeError(WRITER_CLOSED));
  const e = foreign(s, SINK);
  if (e !== undefined) return rejected(e);
  const done = s.closeRequest = deferred();
  if (s.writer && s.state === 'writable' && !s.writer.ready.settled) s.writer.ready.resolve(undefined);
  advance(s);
  return done.promise.then();
}

function abortWritable(s, reason) {
  if (s.state === 'closed' || s.state === 'errored') return Promise.resolve();
  const e = foreign(s, SINK);
  if (e !== undefined) return rejected(e);
  if (s.abortController) s.abortController.abort(reason);
  else s.abortedWith = { reason };
  if (s.state === 'closed' || s.state === 'errored') return Promise.resolve();
  if (s.pendingAbort) return s.pendingAbort.done.promise.then();
  const wasErroring = s.state === 'erroring';
  const done = deferred();
  s.pendingAbort = { done, reason: wasErroring ? undefined : reason, wasErroring };
  if (!wasErroring) startErroring(s, reason);
  return done.promise.then();
}

function acquireWriter(s) {
  if (s.writer) fail(WRITER_LOCKED);
  const w = { s, ready: deferred(), closed: deferred() };
  s.writer = w;
  if (s.state === 'writable') {
    if (closeQueued(s) || desiredSize(s) > 0) w.ready.resolve(undefined);
  } else if (s.state === 'closed') {
    w.ready.resolve(undefined);
    w.closed.resolve(undefined);
  } else {
    w.ready.reject(s.error);
    if (s.state === 'errored') w.closed.reject(s.error);
  }
  return w;
}

function releaseWriter(w) {
  const s = w.s;
  if (!s) return;
  const e = new TypeError(WRITER_RELEASED);
  rejectReady(w, e);
  if (w.closed.settled) w.closed = deferred();
  w.closed.reject(e);
  s.writer = null;
  w.s = null;
}

class WritableStream {
  #s;
  constructor(sink = undefined, strategy = undefined) {
    if (sink === TOKEN) {
      this.#s = strategy;
      strategy.object = this;
      return;
    }
    sink = options(sink, 1, 'WritableStream', 'UnderlyingSink');
    strategy = options(strategy, 2, 'WritableStream', 'StreamQueuingStrategy');
    const startFn = method(sink, 'start', 'UnderlyingSink');
    const writeFn = method(sink, 'write', 'UnderlyingSink');
    const closeFn = method(sink, 'close', 'UnderlyingSink');
    const abortFn = method(sink, 'abort', 'UnderlyingSink');
    const s = newWritableState({
      write: (chunk) => (writeFn === undefined ? undefined : invoke(writeFn, sink, chunk, controller)),
      close: () => invoke(closeFn, sink),
      abort: (reason) => invoke(abortFn, sink, reason),
    }, highWaterMark(strategy, 1), method(strategy, 'size', 'StreamQueuingStrategy'));
    s.object = this;
    this.#s = s;
    const controller = new WritableStreamDefaultController(TOKEN, s);
    // Without a start function the sink is ready at once, in workerd.
    if (startFn === undefined) s.started = true;
    else writableStart(s, invoke(startFn, sink, controller));
  }
  static { writableState = (o) => (isObject(o) && #s in o ? o.#s : undefined); }
  get locked() { return thisWritable(this).writer !== null; }
  abort(reason) {
    const s = thisWritable(this);
    return s.writer ? rejected(new TypeError(WRITER_LOCKED)) : abortWritable(s, reason);
  }
  close() {
    const s = thisWritable(this);
    return s.writer ? rejected(new TypeError(WRITER_LOCKED)) : closeWritable(s);
  }
  getWriter() {
    thisWritable(this);
    return new WritableStreamDefaultWriter(this);
  }
}

function thisWritable(o) { return writableState(o) || fail(ILLEGAL); }

class WritableStreamDefaultController {
  #s;
  constructor(token, s) {
    if (token !== TOKEN) fail('Illegal constructor');
    this.#s = s;
  }
  static #of(o) { return isObject(o) && #s in o ? o.#s : fail(ILLEGAL); }
  get signal() {
    const s = WritableStreamDefaultController.#of(this);
    if (!s.abortController) {
      s.abortController = new host.AbortController();
      if (s.abortedWith) s.abortController.abort(s.abortedWith.reason);
    }
    return s.abortController.signal;
  }
  error(e) {
    const s = WritableStreamDefaultController.#of(this);
    if (s.state === 'writable') startErroring(s, e);
  }
}

class WritableStreamDefaultWriter {
  #w;
  constructor(stream) {
    const s = writableState(stream);
    if (!s) fail("Failed to construct 'WritableStreamDefaultWriter': constructor parameter 1 is not of type 'WritableStream'.");
    this.#w = acquireWriter(s);
  }
  static #of(o) { return isObject(o) && #w in o ? o.#w : fail(ILLEGAL); }
  get closed() { return WritableStreamDefaultWriter.#of(this).closed.promise; }
  get ready() { return WritableStreamDefaultWriter.#of(this).ready.promise; }
  get desiredSize() {
    const w = WritableStreamDefaultWriter.#of(this);
    return w.s ? desiredSize(w.s) : fail(WRITER_RELEASED);
  }
  abort(reason) {
    const w = WritableStreamDefaultWriter.#of(this);
    return w.s ? abortWritable(w.s, reason) : rejected(new TypeError(WRITER_RELEASED));
  }
  close() {
    const w = WritableStreamDefaultWriter.#of(this);
    return w.s ? closeWritable(w.s) : rejected(new TypeError(WRITER_RELEASED));
  }
  write(chunk) {
    const w = WritableStreamDefaultWriter.#of(this);
    return w.s ? write(w.s, chunk) : rejected(new TypeError(WRITER_RELEASED));
  }
  releaseLock() { releaseWriter(WritableStreamDefaultWriter.#of(this)); }
}

// Copies a readable to a writable (https://streams.spec.whatwg.org/#readable-stream-pipe-to).
function pipe(rs, ws, opts) {
  const { preventClose, preventAbort, preventCancel, signal } = opts === undefined || opts === null ? {} : opts;
  if (signal !== undefined && !host.isAbortSignal(signal)) {
    fail("Incorrect type for the 'signal' field on 'PipeToOptions': the provided value is not of type 'AbortSignal'.");
  }
  if (ws.writer) fail(WRITER_LOCKED);
  checkOwner(rs, SOURCE);
  checkOwner(ws, SINK);
  const r = acquireReader(rs, false);
  const w = acquireWriter(ws);
  rs.disturbed = true;
  const done = deferred();
  let over = false;
  let last = Promise.resolve(); // settled when the latest write is
  let stopListening = ignore;
  const end = async (action, error, failed) => {
    if (over) return;
    over = true;
    stopListening();
    await last;
    try {
      await action();
    } catch (e) {
      if (!failed) error = e;
      failed = true;
    }
    releaseWriter(w);
    releaseReader(r);
    if (failed) done.reject(error);
    else done.resolve(undefined);
  };
  const step = () => {
    if (over) return;
    if (ws.state === 'errored' || ws.state === 'erroring') {
      end(() => (preventCancel ? undefined : cancelReadable(rs, ws.error)), ws.error, true);
      return;
    }
    if (closeQueued(ws) || ws.state === 'closed') {
      const e = new TypeError(WRITER_CLOSED);
      end(() => (preventCancel ? undefined : cancelReadable(rs, e)), e, true);
      return;
    }
    if (rs.state === 'errored') {
      end(() => (preventAbort ? undefined : abortWritable(ws, rs.error)), rs.error, true);
      return;
    }
    if (desiredSize(ws) <= 0) {
      w.ready.promise.then(step, step);
      return;
    }
    readDefault(r, {
      chunk(value) {
        if (!over) last = write(ws, value).then(undefined, ignore);
        Promise.resolve().then(step);
      },
      close() { end(() => (preventClose ? undefined : closeWritable(ws)), undefined, false); },
      error: step,
    });
  };
  // A destination that fails while the source is idle must end the pipe.
  w.closed.promise.then(step, step);
  if (signal !== undefined) {
    stopListening = host.onAbort(signal, (reason) => end(async () => {
      const actions = [];
      if (!preventAbort && ws.state === 'writable') actions.push(abortWritable(ws, reason));
      if (!preventCancel && rs.state === 'readable') actions.push(cancelReadable(rs, reason));
      await Promise.all(actions);
    }, reason, true));
  }
  step();
  return done.promise.then();
}
