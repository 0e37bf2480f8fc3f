// CompressionStream and DecompressionStream.
Promise.all(['gzip', 'deflate', 'deflate-raw'].map(async (f) => hex(await through(new DecompressionStream(f), await through(new CompressionStream(f), MSG, MSG)))))
Promise.all(['gzip', 'deflate', 'deflate-raw'].map(async (f) => hex(await through(new CompressionStream(f))).length > 0))
through(new DecompressionStream('gzip'), unhex('1f8b08000000000002ffcb4d2d2e4e4c4f0500da1c6fb607000000')).then(hex)
through(new DecompressionStream('gzip'), ...Array.from(unhex('1f8b08000000000000ffcb4d2d2e4e4c4f05005b0b09b607000000'), (x) => new Uint8Array([x]))).then(hex)
through(new DecompressionStream('gzip'), new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
through(new DecompressionStream('deflate'), new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
through(new DecompressionStream('deflate-raw'), new Uint8Array([255, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
through(new DecompressionStream('gzip'))
through(new DecompressionStream('deflate'))
through(new DecompressionStream('deflate-raw'))
Promise.all(['gzip', 'deflate', 'deflate-raw'].map(async (f) => through(new DecompressionStream(f), (await through(new CompressionStream(f), MSG)).slice(0, -1)).catch((e) => e)))
Promise.all(['gzip', 'deflate', 'deflate-raw'].map(async (f) => through(new DecompressionStream(f), new Uint8Array([...await through(new CompressionStream(f), MSG), 0])).catch((e) => e)))
Promise.all(['gzip', 'deflate', 'deflate-raw'].map(async (f) => through(new DecompressionStream(f), await through(new CompressionStream(f), MSG), new Uint8Array([0])).catch((e) => e)))
{ const a = await through(new CompressionStream('gzip'), MSG); return through(new DecompressionStream('gzip'), new Uint8Array([...a, ...a])) }
{ const a = await through(new CompressionStream('gzip'), MSG); a[a.length - 1] ^= 1; return through(new DecompressionStream('gzip'), a) }
{ const a = await through(new CompressionStream('gzip'), MSG); a[a.length - 5] ^= 1; return through(new DecompressionStream('gzip'), a) }
{ const a = await through(new CompressionStream('deflate'), MSG); a[a.length - 1] ^= 1; return through(new DecompressionStream('deflate'), a) }
{ const a = await through(new CompressionStream('deflate'), MSG); return [a[0], hex(a.slice(-4))] }
{ const a = await through(new CompressionStream('gzip'), MSG); return [hex(a.slice(0, 10)), hex(a.slice(-8))] }
{ const big = new Uint8Array(300000); for (let i = 0; i < big.length; i++) big[i] = i * i >> 3; const z = await through(new CompressionStream('gzip'), big); const back = await through(new DecompressionStream('gzip'), z); return [z.length < 300000, back.length, back.every((x, i) => x === big[i])] }
{ const s = new CompressionStream('gzip'); return [s.readable instanceof ReadableStream, s.writable instanceof WritableStream, s instanceof TransformStream, Object.prototype.toString.call(s), Object.getOwnPropertyNames(CompressionStream.prototype)] }
{ const s = new DecompressionStream('gzip'); return [Object.prototype.toString.call(s), Object.getOwnPropertyNames(DecompressionStream.prototype), Object.getPrototypeOf(DecompressionStream.prototype) === TransformStream.prototype] }
new CompressionStream()
new CompressionStream('nope')
new CompressionStream('GZIP')
new DecompressionStream()
new DecompressionStream('nope')
new DecompressionStream(undefined)
CompressionStream('gzip')
DecompressionStream('gzip')
CompressionStream.length
through(new CompressionStream('gzip'), 'text').then((b) => through(new DecompressionStream('gzip'), b)).then(hex)

through(new CompressionStream('deflate-raw'), new DataView(new ArrayBuffer(2)), new ArrayBuffer(2), new Uint16Array(1)).then((b) => through(new DecompressionStream('deflate-raw'), b)).then(hex)
{ const s = new DecompressionStream('gzip'); const w = s.writable.getWriter(); const rd = s.readable.getReader(); const a = w.write(new Uint8Array(20)).catch((e) => e); return [await a, await rd.read().catch((e) => e), await w.close().catch((e) => e), await w.closed.catch((e) => e)] }
{ const s = new CompressionStream('gzip'); const w = s.writable.getWriter(); const c = w.close(); const rd = s.readable.getReader({mode: 'byob'}); const x = await rd.read(new Uint8Array(100)); return [x.done, x.value.length > 0] }
{ const s = new CompressionStream('gzip'); const w = s.writable.getWriter(); const rd = s.readable.getReader(); const p = w.abort(new Error('stop')).catch((e) => e); return [await p, await rd.read().catch((e) => e)] }
{ const s = new CompressionStream('gzip'); const w = s.writable.getWriter(); await s.readable.cancel('no'); return w.write(MSG).catch((e) => e) }
new Response(new Response('hello hello hello').body.pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).text()
{ const s = new CompressionStream('gzip'); const w = s.writable.getWriter(); w.write(MSG); w.close(); return new Response(s.readable.pipeThrough(new DecompressionStream('gzip'))).text() }
{ const s = new CompressionStream('gzip'); const w = s.writable.getWriter(); await w.write(crypto.getRandomValues(new Uint8Array(60000))); await w.write(crypto.getRandomValues(new Uint8Array(60000))); await w.close(); return (await all(s.readable.pipeThrough(new DecompressionStream('gzip')))).reduce((n, c) => n + c.length, 0) }
{ const s = new CompressionStream('gzip'); const w = s.writable.getWriter(); return [w.desiredSize, (w.write(MSG), w.desiredSize)] }
