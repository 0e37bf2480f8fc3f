// Byte streams: the controller whose queue holds bytes, and the reader that
// brings its own buffer (https://streams.spec.whatwg.org/#rbs-controller-class).

// Besides the queue there is a list of pending buffers to fill. Each has the
// request to answer, `take` (the view to fill), `filled` and `min` in bytes.
function byteController(s, source, pullFn, cancelFn, hwm, autoAllocate) {
  s.bytes = true;
  const c = {
    s, source, pullFn, queue: [], total: 0, started: false, closing: false, pulling: false, again: false, object: null,
    pending: [], request: null,
    desired: () => (s.state === 'errored' ? null : s.state === 'closed' ? 0 : hwm - c.total),
    canEnqueue: () => s.state === 'readable' && !c.closing,
    shouldPull: () => c.canEnqueue() && c.started
      && ((s.reader !== null && (s.reader.requests.length > 0 || c.pending.length > 0)) || hwm - c.total > 0),

    enqueue(chunk) {
      c.dropRequest();
      const waiting = s.reader && s.reader.requests.length > 0;
      if (c.pending.length > 0 && c.pending[0].auto && waiting && c.queue.length === 0) {
        c.pending.shift();
      }
      if (waiting && c.queue.length === 0) s.reader.requests.shift().chunk(chunk);
      else c.push(chunk);
      c.fillPending();
      c.maybePull();
    },
    push(u8) {
      c.queue.push(u8);
      c.total += u8.byteLength;
    },
    // Copies queued bytes into a pending buffer; true if that satisfies it.
    fill(p) {
      while (c.total > 0 && p.filled < p.take.byteLength) {
        const head = c.queue[0];
        const n = Math.min(head.byteLength, p.take.byteLength - p.filled);
        p.take.set(head.subarray(0, n), p.filled);
        p.filled += n;
        c.total -= n;
        if (n === head.byteLength) c.queue.shift();
        else c.queue[0] = head.subarray(n);
      }
      return p.filled >= p.min;
    },
    fillPending() {
      while (c.pending.length > 0 && c.total > 0 && !c.pending[0].auto && c.fill(c.pending[0])) {
        c.commit(c.pending.shift());
      }
      if (c.closing && c.total === 0) c.finishClose();
    },
    // Answers a request with what is in its buffer. Bytes that do not make up
    // a whole element go back to the queue.
    commit(p) {
      const rest = p.filled % p.elementSize;
      if (rest > 0) {
        const tail = p.take.slice(p.filled - rest, p.filled);
        c.queue.unshift(tail);
        c.total += rest;
        p.filled -= rest;
      }
      if (p.auto) {
        const q = s.reader && s.reader.requests.shift();
        const chunk = p.take.subarray(0, p.filled);
        if (q) q.chunk(chunk);
        else c.push(chunk);
      } else if (p.request) {
        p.request.chunk(p.view(p.filled));
      } else {
        c.push(p.take.slice(0, p.filled));
      }
    },
    dropRequest() {
      if (c.request) c.request.controller = null;
      c.request = null;
    },
    byobRequest() {
      if (!c.request && c.pending.length > 0) {
        const p = c.pending[0];
        c.request = { controller: c, pending: p, view: p.take.subarray(p.filled) };
        c.request.object = new ReadableStreamBYOBRequest(TOKEN, c.request);
      }
      return c.request ? c.request.object : null;
    },
    respond(n) {
      const p = c.pending[0];
      c.dropRequest();
      if (s.state === 'closed') {
        if (n !== 0) fail('bytesWritten must be zero after the stream is closed.');
        c.closePending();
        return;
      }
      if (n === 0) fail('bytesWritten must be more than zero while the stream is open.');
      if (p.filled + n > p.take.byteLength) throw new RangeError('bytesWritten is larger than the view.');
      p.filled += n;
      if (p.filled < p.min) {
        c.maybePull();
        return;
      }
      c.pending.shift();
      c.commit(p);
      c.fillPending();
      c.maybePull();
    },
    close() {
      c.closing = true;
      if (c.total === 0) c.finishClose();
    },
    finishClose() {
      if (c.pending.length > 0 && c.pending[0].filled % c.pending[0].elementSize !== 0) {
        const e = new TypeError('The stream was closed in the middle of an element.');
        c.fail(e);
        throw e;
      }
      closeReadable(s);
      c.closePending();
    },
    closePending() {
      for (const p of c.pending.splice(0)) {
        if (p.request) {
          if (p.filled > 0) p.request.chunk(p.view(p.filled));
          else p.request.closeWith(p.view(0));
        }
      }
    },
    fail(e) {
      c.dropRequest();
      c.queue = [];
      c.total = 0;
      const pending = c.pending.splice(0);
      errorReadable(s, e);
      for (const p of pending) if (p.request) p.request.error(e);
    },
    pull(request) {
      if (c.total > 0) {
        const u8 = c.queue.shift();
        c.total -= u8.byteLength;
        if (c.closing && c.total === 0) c.finishClose();
        else c.maybePull();
        request.chunk(u8);
        return;
      }
      if (autoAllocate !== undefined) {
        c.pending.push({ take: new Uint8Array(autoAllocate), filled: 0, min: 1, elementSize: 1, auto: true });
      }
      s.reader.requests.push(request);
      c.maybePull();
    },
    pullInto(p) {
      s.disturbed = true;
      if (s.state === 'errored') {
        p.request.error(s.error);
      } else if (s.state === 'closed') {
        p.request.closeWith(p.view(0));
      } else if (c.pending.length === 0 && c.total > 0 && c.fill(p)) {
        c.commit(p);
        if (c.closing && c.total === 0) c.finishClose();
        else c.maybePull();
      } else {
        c.pending.push(p);
        if (c.closing && c.total === 0) c.finishClose();
        else c.maybePull();
      }
    },
    cancel(reason) {
      c.dropRequest();
      c.queue = [];
      c.total = 0;
      c.closePending();
      return invoke(cancelFn, source, reason);
    },
    // A released reader's requests are answered with an error. A source that
    // is just filling its buffer may go on; the bytes go to the queue.
    release() {
      const e = new TypeError(RELEASED);
      for (const p of c.pending) {
        if (p.request) p.request.error(e);
        p.request = null;
      }
      if (!c.request) c.pending = [];
    },
  };
  puller(c);
  s.ctrl = c;
  return c;
}

class ReadableByteStreamController {
  #c;
  constructor(token, c) {
    if (token !== TOKEN) fail('Illegal constructor');
    this.#c = c;
  }
  static #of(o) { return isObject(o) && #c in o ? o.#c : fail(ILLEGAL); }
  get byobRequest() { return ReadableByteStreamController.#of(this).byobRequest(); }
  get desiredSize() { return ReadableByteStreamController.#of(this).desired(); }
  close() {
    const c = ReadableByteStreamController.#of(this);
    if (!c.canEnqueue()) fail('This ReadableStream is closed.');
    c.close();
  }
  enqueue(chunk) {
    const c = ReadableByteStreamController.#of(this);
    if (typeof chunk === 'string') chunk = host.encode(chunk);
    if (!isBytes(chunk)) fail("Failed to execute 'enqueue' on 'ReadableByteStreamController': parameter 1 is not of type 'BufferSource'.");
    if (!c.canEnqueue()) fail('Unable to enqueue');
    c.enqueue(takeBuffer(bytesOf(chunk)));
  }
  error(e) { ReadableByteStreamController.#of(this).fail(e); }
}

class ReadableStreamBYOBRequest {
  #q;
  constructor(token, q) {
    if (token !== TOKEN) fail('Illegal constructor');
    this.#q = q;
  }
  static #of(o) { return isObject(o) && #q in o ? o.#q : fail(ILLEGAL); }
  static #live(o) {
    const q = ReadableStreamBYOBRequest.#of(o);
    if (!q.controller) fail('This ReadableStreamBYOBRequest has been invalidated.');
    return q;
  }
  get view() {
    const q = ReadableStreamBYOBRequest.#of(this);
    return q.controller ? q.view : null;
  }
  respond(bytesWritten) { ReadableStreamBYOBRequest.#live(this).controller.respond(Number(bytesWritten)); }
  respondWithNewView(view) {
    const q = ReadableStreamBYOBRequest.#live(this);
    if (!isBytes(view)) fail("Failed to execute 'respondWithNewView' on 'ReadableStreamBYOBRequest': parameter 1 is not of type 'BufferSource'.");
    const u8 = bytesOf(view);
    if (u8.buffer !== q.view.buffer) {
      if (u8.byteLength > q.view.byteLength) throw new RangeError('The view is larger than the one that was requested.');
      q.view.set(u8);
    }
    q.controller.respond(u8.byteLength);
  }
  get atLeast() {
    const q = ReadableStreamBYOBRequest.#of(this);
    return q.controller ? Math.max(1, q.pending.min - q.pending.filled) : null;
  }
}

class ReadableStreamBYOBReader {
  #r;
  constructor(stream) {
    const s = readableState(stream);
    if (!s) fail("Failed to construct 'ReadableStreamBYOBReader': constructor parameter 1 is not of type 'ReadableStream'.");
    if (!s.bytes) fail('This ReadableStream does not support BYOB reads.');
    this.#r = acquireReader(s, true);
  }
  static #of(o) { return isObject(o) && #r in o ? o.#r : fail(ILLEGAL); }
  get closed() { return ReadableStreamBYOBReader.#of(this).closed.promise; }
  cancel(reason) {
    const r = ReadableStreamBYOBReader.#of(this);
    return r.s ? cancelReadable(r.s, reason) : rejected(new TypeError(RELEASED));
  }
  read(view, opts) {
    const r = ReadableStreamBYOBReader.#of(this);
    const min = opts === undefined || opts === null || opts.min === undefined ? 1 : Number(opts.min);
    return readInto(r, view, min, 'read');
  }
  readAtLeast(minBytes, view) {
    return readInto(ReadableStreamBYOBReader.#of(this), view, Number(minBytes), 'readAtLeast');
  }
  releaseLock() { releaseReader(ReadableStreamBYOBReader.#of(this)); }
}

function readInto(r, view, min, name) {
  const bad = (msg) => rejected(new TypeError(msg));
  if (!ArrayBuffer.isView(view)) {
    return bad(`Failed to execute '${name}' on 'ReadableStreamBYOBReader': parameter ${name === 'read' ? 1 : 2} is not of type 'ArrayBufferView'.`);
  }
  if (!r.s) return bad(RELEASED);
  if (view.byteLength === 0) return bad('You must call read() on a "byob" reader with a positive-sized TypedArray object.');
  const elementSize = view.BYTES_PER_ELEMENT || 1;
  if (!(min > 0)) return bad('The minimum number of elements to read must be positive.');
  if (min * elementSize > view.byteLength) {
    return rejected(new RangeError('The minimum number of elements to read is larger than the view.'));
  }
  const e = foreign(r.s, SOURCE);
  if (e !== undefined) return rejected(e);
  const View = view.constructor;
  const take = takeBuffer(bytesOf(view));
  return new Promise((resolve, reject) => r.s.ctrl.pullInto({
    take, filled: 0, min: min * elementSize, elementSize, auto: false,
    view: (n) => new View(take.buffer, take.byteOffset, View === DataView ? n : n / elementSize),
    request: {
      chunk: (value) => resolve({ value, done: false }),
      closeWith: (value) => resolve({ value, done: true }),
      error: reject,
    },
  }));
}
