{ const s = streamOf(1); s.getReader(); s.getReader() }
{ const s = streamOf(1); s.getReader(); return s.cancel() }
{ const s = streamOf(1); s.getReader(); return s.tee() }
{ const s = streamOf(1); s.getReader(); return s.pipeTo(new WritableStream()) }
{ const s = streamOf(1); s.getReader(); return s.pipeThrough(new TransformStream()) }
{ const s = streamOf(1); s.getReader(); return s.values() }
{ let c; new ReadableStream({start(k) { c = k }}); c.close(); c.enqueue(1) }
{ let c; new ReadableStream({start(k) { c = k }}); c.close(); c.close() }
{ let c; new ReadableStream({start(k) { c = k }}, {highWaterMark: 3, size: () => 2}); const before = c.desiredSize; c.enqueue(1); return [before, c.desiredSize] }
streamOf(1).getReader({mode: 'byob'})
streamOf(1).getReader({mode: 'x'})
streamOf(1).getReader(5)
{ const r = streamOf(1).getReader(); r.releaseLock(); return r.read() }
{ const r = streamOf(1).getReader(); r.releaseLock(); return r.closed }
{ const r = new ReadableStream().getReader(); const p = r.read(); r.releaseLock(); return p }
{ const s = streamOf(1); const r = s.getReader(); const before = s.locked; r.releaseLock(); return [before, s.locked] }
{ const s = new ReadableStream({start() { throw new Error('x') }}); return s.getReader().read() }
new ReadableStream({start() { return Promise.reject(new Error('late')) }}).getReader().read()
new ReadableStream({pull() { throw new Error('px') }}).getReader().read()
new ReadableStream({pull() { return Promise.reject(new Error('pr')) }}).getReader().closed
new ReadableStream(5)
new ReadableStream({type: 'x'})
new ReadableStream({}, {highWaterMark: -1})
all(streamOf(1, 'a', undefined))
{ let n = 0; return all(new ReadableStream({pull(c) { c.enqueue(++n); if (n === 3) c.close() }})) }
{ const calls = []; const s = new ReadableStream({start() { calls.push('start') }, pull() { calls.push('pull') }}); await 0; await 0; await 0; return calls }
{ let q; const s = new ReadableStream({cancel(r) { q = r }}); const v = await s.cancel('z'); return [q, v] }
{ const r = streamOf().getReader(); return [await r.closed, await r.read()] }
{ let c; const s = new ReadableStream({start(k) { c = k }}); const r = s.getReader(); const p = r.read(); c.error(new Error('boom')); return [await p.catch(e => e), await r.closed.catch(e => e), await r.read().catch(e => e)] }
{ const [a, b] = streamOf(1, 2).tee(); return [await all(a), await all(b)] }
{ const [a, b] = new Response('hi').body.tee(); return [await new Response(a).text(), await new Response(b).text()] }
{ let q; const [a, b] = new ReadableStream({cancel(r) { q = r }}).tee(); const p = a.cancel('one'); b.cancel('two'); await p; return q }
{ const r = []; await streamOf(1, 2).pipeTo(new WritableStream({write(c) { r.push(c) }, close() { r.push('closed') }})); return r }
{ const r = []; await streamOf(1).pipeTo(new WritableStream({write(c) { r.push(c) }, close() { r.push('closed') }}), {preventClose: true}); return r }
{ const r = []; await new ReadableStream({start(c) { c.error(new Error('se')) }}).pipeTo(new WritableStream({abort(e) { r.push('ab ' + e.message) }})).catch(e => r.push('rej ' + e.message)); return r }
{ const r = []; await new ReadableStream({pull(c) { c.enqueue(1) }, cancel(e) { r.push('c ' + e.message) }}).pipeTo(new WritableStream({write() { throw new Error('we') }})).catch(e => r.push('rej ' + e.message)); return r }
{ const r = []; await new ReadableStream({cancel(e) { r.push('c ' + e) }}).pipeTo(new WritableStream({abort(e) { r.push('ab ' + e) }}), {signal: AbortSignal.abort('why')}).catch(e => r.push('rej ' + e)); return r.sort() }
{ const s = streamOf(1); const w = new WritableStream(); const p = s.pipeTo(w); const during = [s.locked, w.locked]; await p; return [during, s.locked, w.locked] }
{ const w = new WritableStream(); w.getWriter(); w.getWriter() }
{ const w = new WritableStream(); w.getWriter(); return w.abort() }
{ const w = new WritableStream(); w.getWriter(); return w.close() }
{ const w = new WritableStream().getWriter(); w.close(); return w.write(1) }
{ const w = new WritableStream().getWriter(); await w.close(); return w.close() }
{ const w = new WritableStream().getWriter(); w.releaseLock(); return w.write(1) }
{ const w = new WritableStream().getWriter(); w.releaseLock(); return w.desiredSize }
{ const w = new WritableStream().getWriter(); await w.abort('r'); return w.write(1) }
{ const w = new WritableStream({write() { throw new Error('we') }}).getWriter(); return [await w.write(1).catch(e => e), await w.closed.catch(e => e)] }
{ const r = []; const w = new WritableStream({start() { r.push('start') }, write(c) { r.push(c) }, close() { r.push('close') }}).getWriter(); await w.write(1); await w.write(2); await w.close(); return [r, await w.closed, w.desiredSize] }
{ let c; const w = new WritableStream({start(k) { c = k }}); w.abort('q').catch(() => {}); return [c.signal.aborted, c.signal.reason] }
{ let c; const w = new WritableStream({start(k) { c = k }}).getWriter(); c.error(new Error('ce')); return [await w.closed.catch(e => e), w.desiredSize] }
{ const w = new WritableStream({}, {highWaterMark: 2}).getWriter(); const a = w.desiredSize; w.write(1); return [a, w.desiredSize] }
{ const t = new TransformStream({transform(c, k) { k.enqueue(c * 2) }, flush(k) { k.enqueue('end') }}); const w = t.writable.getWriter(); w.write(1); w.write(2); w.close(); return all(t.readable) }
{ const t = new TransformStream(); const w = t.writable.getWriter(); w.write('a'); w.close(); return all(t.readable) }
{ const t = new TransformStream({transform() { throw new Error('te') }}); const w = t.writable.getWriter(); const p = w.write(1).catch(e => 'w ' + e.message); return [await t.readable.getReader().read().catch(e => 'r ' + e.message), await p] }
{ const t = new TransformStream({transform(c, k) { k.terminate() }}); const w = t.writable.getWriter(); w.write(1).catch(() => {}); const a = await t.readable.getReader().read(); return [a, await w.closed.catch(e => e)] }
all(streamOf(1, 2).pipeThrough(new TransformStream({transform(c, k) { k.enqueue(c + 1) }})))
{ const t = new TransformStream(); return [t.readable, t.writable, t.readable === t.readable] }
{ const t = new IdentityTransformStream(); const w = t.writable.getWriter(); w.write(utf8('ab')); w.close(); return new Response(t.readable).text() }
{ const t = new IdentityTransformStream(); const w = t.writable.getWriter(); w.write('ab'); w.close(); return new Response(t.readable).text() }
{ const t = new IdentityTransformStream(); return t.writable.getWriter().write(5) }
{ const t = new FixedLengthStream(2); const w = t.writable.getWriter(); w.write(utf8('ab')); w.close(); return new Response(t.readable).text() }
{ const t = new FixedLengthStream(3); const w = t.writable.getWriter(); w.write(utf8('ab')).catch(() => {}); w.close().catch(() => {}); return new Response(t.readable).text() }
{ const t = new FixedLengthStream(1); const w = t.writable.getWriter(); w.write(utf8('ab')).catch(() => {}); return new Response(t.readable).text() }
new FixedLengthStream()
new FixedLengthStream('x')
new Response(streamOf(1)).text()
new Response(streamOf('a', 'b')).text()
new Response(streamOf(utf8('a'), utf8('b'))).text()
new Response(streamOf(utf8('{"a":'), utf8('1}'))).json()
[...new Response(streamOf(utf8('a'))).headers]
{ const s = streamOf('a'); s.getReader(); return new Response(s) }
{ const s = streamOf('a'); const r = s.getReader(); await r.read(); r.releaseLock(); return new Response(s) }
{ const s = streamOf(utf8('q')); const r = new Response(s); return [r.body === s, await r.text(), r.bodyUsed, s.locked] }
{ const r = new Response(streamOf(utf8('q'))); const c = r.clone(); return [await r.text(), await c.text()] }
{ const r = new Response('x'); r.body.getReader(); return r.text() }
{ const r = new Response('x'); r.body.getReader(); return r.clone() }
{ const r = new Response('x'); const rd = r.body.getReader(); await rd.read(); rd.releaseLock(); return [r.bodyUsed, await r.text().catch(e => e)] }
{ const r = new Response('x'); await r.text(); return [r.body.locked, r.bodyUsed] }
{ const r = new Response('xy'); return new Response(r.body).text() }
{ const r = new Request('http://a', {method: 'POST', body: 'x'}); r.body.getReader(); return new Request(r) }
new Request('http://a', {method: 'POST', body: streamOf(utf8('hi'))}).text()
all(ReadableStream.from([1, 2]))
all(ReadableStream.from('ab'))
ReadableStream.from(5)
new Response([utf8('a'), utf8('b')]).text()
{ const s = new ReadableStream({type: 'bytes', start(c) { c.enqueue(utf8('hello')); c.close() }}); const r = s.getReader({mode: 'byob'}); return [await r.read(new Uint8Array(3)), await r.read(new Uint8Array(3)), await r.read(new Uint8Array(3))] }
{ const s = new ReadableStream({type: 'bytes', pull(c) { const v = c.byobRequest.view; v[0] = 7; c.byobRequest.respond(1) }}); const a = await s.getReader({mode: 'byob'}).read(new Uint8Array(3)); return [a, a.value.buffer.byteLength] }
{ const s = new ReadableStream({type: 'bytes', start(c) { c.enqueue(utf8('abc')) }}); return s.getReader().read() }
{ const r = new Response('hello').body.getReader({mode: 'byob'}); return [await r.read(new Uint8Array(3)), await r.readAtLeast(2, new Uint8Array(5))] }
{ const b = new Uint8Array([1, 2]); const s = new ReadableStream({type: 'bytes', start(c) { c.enqueue(b) }}); return [b.byteLength, await s.getReader().read()] }
{ const r = new Response('ab').body.getReader(); return [await r.read(), await r.read()] }
all(new Blob(['ab']).stream())
all(streamOf('a', 'é').pipeThrough(new TextEncoderStream()))
all(streamOf('\ud83d', '\ude00').pipeThrough(new TextEncoderStream()))
{ return (await all(streamOf(new Uint8Array([0xc3]), new Uint8Array([0xa9])).pipeThrough(new TextDecoderStream()))).join('') }
{ const t = new TextDecoderStream('utf-16le', {fatal: true}); return [t.encoding, t.fatal, t.ignoreBOM, new TextEncoderStream().encoding] }
{ const c = new CountQueuingStrategy({highWaterMark: 3}), b = new ByteLengthQueuingStrategy({highWaterMark: 4}); return [c.highWaterMark, c.size(), b.highWaterMark, b.size(new Uint8Array(5))] }
new CountQueuingStrategy()
{ let q = 'no'; const it = new ReadableStream({pull(c) { c.enqueue(1) }, cancel() { q = 'cancelled' }}).values(); const a = await it.next(); const b = await it.return('v'); return [a, b, q] }
{ let q = 'no'; const s = new ReadableStream({pull(c) { c.enqueue(1) }, cancel() { q = 'cancelled' }}); const it = s.values({preventCancel: true}); await it.next(); await it.return(); return [q, s.locked] }
new ReadableStreamDefaultController()
new ReadableStreamDefaultReader()
new ReadableStreamDefaultReader(5)
new ReadableStreamDefaultReader(streamOf(1)).read()
ReadableStream.prototype.getReader.call({})
Object.prototype.toString.call(new ReadableStream())
{ class S extends ReadableStream { x = 1 } const s = new S({start(c) { c.enqueue(5); c.close() }}); return [s.x, s instanceof ReadableStream, await all(s)] }
