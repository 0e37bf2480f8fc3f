new Request('http://a/b?c#d').url
new Request('http://a').url
new Request('/x')
new Request('')
new Request()
new Request(new URL('http://a/x')).url
new Request('http://a', {method: 'post'}).method
new Request('http://a', {method: 'patch'}).method
new Request('http://a', {method: 'foo'}).method
new Request('http://a', {method: 'a b'}).method
new Request('http://a', {method: ''}).method
new Request('http://a', {method: 'TRACE'}).method
new Request('http://a', {method: 'CONNECT'}).method
new Request('http://a', {method: 'PROPFIND'}).method
new Request('http://a', {method: 'QUERY'}).method
new Request('http://a', {method: null}).method
new Request('http://a', {method: undefined}).method
new Request('http://a', {method: 5}).method
new Request('http://a', {method: 'GET', body: 'x'})
new Request('http://a', {method: 'HEAD', body: 'x'})
new Request('http://a', {method: 'GET', body: ''})
new Request('http://a', {method: 'GET', body: null}).body
new Request('http://a', {method: 'GET', body: undefined}).body
new Request('http://a', {method: 'POST', body: 'x'}).text()
{ const r = new Request('http://a', {method: 'POST', body: 'x'}); return [r.method, r.redirect, r.cf, r.integrity, r.keepalive, r.cache, r.bodyUsed, typeof r.body, [...r.headers], r.signal, r.fetcher] }
{ const r = new Request('http://a'); return [r.method, r.redirect, r.cf, r.integrity, r.keepalive, r.cache, r.bodyUsed, r.body, [...r.headers], r.signal === r.signal] }
new Request('http://a', {redirect: 'manual'}).redirect
new Request('http://a', {redirect: 'error'}).redirect
new Request('http://a', {redirect: 'x'}).redirect
new Request('http://a', {redirect: undefined}).redirect
new Request('http://a', {cache: 'no-store'}).cache
new Request('http://a', {cache: 'no-cache'}).cache
new Request('http://a', {cache: 'reload'}).cache
new Request('http://a', {cache: 'default'}).cache
new Request('http://a', {cache: 'x'}).cache
new Request('http://a', {cf: {a: 1}}).cf
new Request('http://a', {cf: 5}).cf
new Request('http://a', {cf: null}).cf
{ const cf = {a: {b: 1}}; const r = new Request('http://a', {cf}); cf.a.b = 2; return [r.cf, r.cf === cf, r.cf === r.cf] }
new Request('http://a', {mode: 'cors', credentials: 'include', referrer: 'x'}).mode
new Request('http://a', {mode: 'x'}).mode
new Request('http://a', {credentials: 'include'}).credentials
new Request('http://a', {integrity: 'sha'}).integrity
new Request('http://a', {integrity: ''}).integrity
new Request('http://a', {keepalive: true}).keepalive
new Request('http://a', {headers: {a: 'b'}}).headers.get('a')
new Request('http://a', {headers: 5})
new Request('http://a', 5)
new Request('http://a', null).method
new Request('http://a', 'x')
new Request('http://a', {headers: null}).method
new Request('http://a', {headers: undefined}).method
new Request('http://a', {signal: 5})
new Request('http://a', {signal: null}).signal
new Request('http://a', {signal: undefined}).signal
{ const c = new AbortController(); const r = new Request('http://a', {signal: c.signal}); return [r.signal === c.signal, r.signal.aborted, (c.abort('x'), r.signal.aborted), r.signal.reason] }
{ const a = new Request('http://a', {method: 'POST', body: 'x', headers: {q: 'w'}}); const b = new Request(a); return [a.bodyUsed, b.bodyUsed, b.method, [...b.headers], await b.text()] }
{ const a = new Request('http://a', {method: 'POST', body: 'x', headers: {q: 'w'}}); const b = new Request(a, {body: 'y', headers: {n: '1'}}); return [a.bodyUsed, [...b.headers], await b.text(), await a.text()] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); const b = new Request(a, {method: 'PUT'}); return [a.bodyUsed, b.method, await b.text()] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); await a.text(); return new Request(a) }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); await a.text(); return new Request(a, {body: 'z'}).text() }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); const b = new Request('http://b', a); return [b.method, await b.text(), a.bodyUsed] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); const b = new Request(a, {method: 'GET'}); return [b.method, b.body] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); const b = new Request(a, {body: null}); return [b.method, b.body] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); const b = a.clone(); return [await a.text(), await b.text(), a.bodyUsed] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); await a.text(); return a.clone() }
{ const a = new Request('http://a', {method: 'POST', body: 'x', cf: {a: 1}}); const b = a.clone(); return [b.cf, b.cf === a.cf, [...b.headers], b.signal === a.signal] }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); await a.text(); return a.text() }
{ const a = new Request('http://a', {method: 'POST', body: 'x'}); a.text(); return [a.bodyUsed, await a.text().catch(e => e)] }
new Request('http://a').text()
{ const a = new Request('http://a'); await a.text(); return [a.bodyUsed, await a.text(), a.clone().method] }
new Request('http://a').json()
new Request('http://a').arrayBuffer()
new Request('http://a').blob()
new Request('http://a').formData()
new Request('http://a', {method: 'POST', body: '{"a":1}'}).json()
new Request('http://a', {method: 'POST', body: '{a'}).json().catch(e => e.constructor.name)
new Request('http://a', {method: 'POST', body: '\ufeff{"a":1}'}).json()
new Request('http://a', {method: 'POST', body: '\ufeffab'}).text()
new Request('http://a', {method: 'POST', body: 'hé'}).arrayBuffer()
new Request('http://a', {method: 'POST', body: 'hé'}).bytes()
new Request('http://a', {method: 'POST', body: 'hé', headers: {'content-type': 'Text/X'}}).blob()
new Request('http://a', {method: 'POST', body: new Uint8Array([1, 2, 255])}).bytes()
new Request('http://a', {method: 'POST', body: new Uint8Array([0x68, 0xff])}).text()
new Request('http://a', {method: 'POST', body: new Uint16Array([1, 2]).subarray(1)}).bytes()
new Request('http://a', {method: 'POST', body: new DataView(new ArrayBuffer(2))}).bytes()
new Request('http://a', {method: 'POST', body: new ArrayBuffer(2)}).bytes()
[...new Request('http://a', {method: 'POST', body: new ArrayBuffer(2)}).headers]
[...new Request('http://a', {method: 'POST', body: new URLSearchParams('a=b')}).headers]
[...new Request('http://a', {method: 'POST', body: new Blob(['x'], {type: 'a/b'})}).headers]
[...new Request('http://a', {method: 'POST', body: new Blob(['x'])}).headers]
[...new Request('http://a', {method: 'POST', body: 'x', headers: {'Content-Type': 'q/r'}}).headers]
new Request('http://a', {method: 'POST', body: 5}).text()
new Request('http://a', {method: 'POST', body: {}}).text()
new Request('http://a', {method: 'POST', body: [1, 2]}).text()
new Request('http://a', {method: 'POST', body: true}).text()
new Request('http://a', {method: 'POST', body: Symbol('x')})
new Request('http://a', {method: 'POST', body: new URL('http://q')}).text()
{ const b = new Uint8Array([1, 2]); const r = new Request('http://a', {method: 'POST', body: b}); b[0] = 9; return r.bytes() }
new Request('http://user:pw@a/').url
new Request('http://user:pw@a/').headers.get('authorization')
new Request('HTTP://EXAMPLE.com:80/a/../b c?x=ä').url
new Request('ftp://a/').url
new Request('data:text/plain,x').url
new Request('a:b').url
new Request({toString() { return 'http://obj/' }}).url
new Request({url: 'http://obj/'}).url
Request('http://a')
{ class R extends Request { x = 1; get up() { return this.url.toUpperCase() } } const r = new R('http://a/q'); return [r.x, r.up, r instanceof Request, r.constructor.name, r.clone().constructor.name] }
{ const r = new Request('http://a', {method: 'POST', body: 'x'}); return [r.method = 'x', r.method] }
{ 'use strict'; const r = new Request('http://a'); r.method = 'x' }
new Request('http://a', {get method() { return 'PUT' }}).method
{ const order = []; const mk = (o) => new Proxy(o, {get(t, k) { order.push(String(k)); return t[k] }}); new Request('http://a', mk({method: 'GET'})); return order }
{ const order = []; const mk = (o) => new Proxy(o, {get(t, k) { order.push(String(k)); return t[k] }}); new Response('x', mk({status: 200})); return order }
{ const r = new Response(); return [r.status, r.statusText, r.ok, r.redirected, r.url, r.webSocket, r.cf, r.type, r.body, r.bodyUsed, [...r.headers]] }
{ const r = new Response('x'); return [r.status, r.statusText, r.ok, r.redirected, r.url, r.webSocket, r.cf, r.type, typeof r.body, r.bodyUsed, [...r.headers]] }
new Response('x', {status: 404}).ok
new Response('x', {status: 299}).ok
new Response('x', {status: 199})
new Response('x', {status: 101})
new Response('x', {status: 600})
new Response('x', {status: 204})
new Response('', {status: 204})
new Response(null, {status: 204}).status
new Response('x', {status: 304})
new Response('x', {status: 205})
new Response(null, {status: '201'}).status
new Response(null, {status: 200.5}).status
new Response(null, {status: 'x'}).status
new Response(null, {status: NaN}).status
new Response(null, {status: undefined}).status
new Response(null, {status: null}).status
new Response(null, {status: 1e10}).status
new Response(null, {status: -1}).status
new Response(null, {statusText: 'Hi'}).statusText
new Response(null, {statusText: 'a\nb'}).statusText
new Response(null, {statusText: 'é'}).statusText
new Response(null, {statusText: 'ā'}).statusText
new Response(null, {statusText: ''}).statusText
new Response(null, {status: 404, statusText: undefined}).statusText
new Response(null, {status: 404}).statusText
new Response(null, {status: 418}).statusText
new Response(null, {headers: {a: 'b'}}).headers.get('a')
new Response(null, {cf: {a: 1}}).cf
new Response(null, {webSocket: null}).webSocket
new Response(null, {webSocket: 5})
new Response(null, {encodeBody: 'manual'}).status
new Response(null, {encodeBody: 'automatic'}).status
new Response(null, {encodeBody: 'x'}).status
new Response(null, 5)
new Response(null, null).status
new Response(null, undefined).status
new Response(undefined).body
new Response('').body === null
new Response('').text()
new Response(5).text()
new Response({}).text()
new Response([]).text()
new Response(false).text()
new Response(0n).text()
new Response(Symbol('x'))
new Response(new Headers()).text()
new Response(new Response('x')).text()
new Response('x', new Response(null, {status: 201, headers: {a: 'b'}, statusText: 'q'})).status
{ const r = new Response('x', new Response(null, {status: 201, headers: {a: 'b'}, statusText: 'q', cf: {z: 1}})); return [r.status, r.statusText, [...r.headers], r.cf] }
{ const r = Response.json({a: 1}); return [r.status, [...r.headers], await r.text()] }
{ const r = Response.json({a: 1}, {status: 201, headers: {'content-type': 'x/y'}}); return [r.status, [...r.headers], await r.text()] }
Response.json(undefined)
Response.json()
Response.json(() => 1)
Response.json(Symbol('x'))
{ const a = {}; a.a = a; return Response.json(a) }
Response.json(1n)
Response.json(null).text()
Response.json('x').text()
Response.json({a: 1}, 5)
Response.json({a: 1}, {status: 204})
{ const r = Response.redirect('http://a/b'); return [r.status, [...r.headers], r.body, r.type, r.statusText] }
Response.redirect('http://a/b', 301).status
Response.redirect('http://a/b', 300).status
Response.redirect('http://a/b', 304).status
Response.redirect('http://a/b', 308).status
Response.redirect('http://a/b', 'x').status
Response.redirect('/b', 301).status
Response.redirect('http://a/ b', 301).headers.get('location')
Response.redirect('http://a/é', 301).headers.get('location')
Response.redirect(new URL('http://a/z')).headers.get('location')
Response.redirect()
{ const r = Response.error(); return [r.type, r.status, r.ok, r.body, r.statusText, r.url] }
{ const a = new Response('x', {status: 201, headers: {a: 'b'}}); const b = a.clone(); return [await a.text(), await b.text(), b.status, [...b.headers], a.bodyUsed] }
{ const a = new Response('x'); await a.text(); return a.clone() }
{ const a = new Response('x'); await a.text(); return a.text() }
{ const a = new Response('x'); await a.text(); return a.json() }
{ const a = new Response('x'); const p = a.arrayBuffer(); return [a.bodyUsed, await p] }
{ const a = new Response(''); await a.text(); return a.text() }
{ const a = new Response(null); await a.text(); return [a.bodyUsed, await a.text()] }
{ const r = new Response('x'); r.headers.set('q', '1'); return [r.headers === r.headers, r.headers.get('q')] }
new Response(null).blob()
new Response('abc', {headers: {'content-type': 'TEXT/html; charset=x'}}).blob().then(b => b.type)
new Response('abc').blob()
new Response('a=1&b=%20+x', {headers: {'content-type': 'application/x-www-form-urlencoded'}}).formData()
new Response('abc', {headers: {'content-type': 'text/html'}}).formData()
new Response('abc', {headers: {'content-type': ''}}).formData()
new Response(new URLSearchParams({a: 'b c'})).text()
new Response(new URLSearchParams({a: 'b c'})).headers.get('content-type')
new Response(new URLSearchParams({a: 'b c'})).formData()
new Response('x').json().catch(e => e.constructor.name)
Response.prototype.text.call({})
Response.prototype.text.call({}).catch(e => e)
{ class R extends Response { constructor(b) { super(b, {status: 202}) } } const r = new R('q'); return [r.status, await r.text(), r.constructor.name, r.clone().constructor.name] }
{ const r = new Response('x', {status: 200}); r.status = 5; return r.status }
String(new Response('x'))
Object.keys(new Response('x'))
JSON.stringify(new Request('http://a'))
new Response('x').body.locked
new Response('x').body.constructor.name
{ const r = new Response('x'); r.body; return [r.bodyUsed, await r.text()] }
{ const r = new Response('x'); return r.body === r.body }
