new Headers({a: '1', B: '2'})
new Headers([['a', '1'], ['A', '2']])
new Headers([['a', '1', '2']])
new Headers([['a']])
new Headers(['ab'])
new Headers(new Headers({x: 'y'}))
new Headers(new Map([['k', 'v']]))
new Headers(null)
new Headers(undefined)
new Headers('x')
new Headers({'a b': '1'})
new Headers({'': '1'})
new Headers({a: 'x\ny'})
new Headers({a: 'x\0y'})
new Headers({a: '  x \t'}).get('a')
new Headers({a: 'x\u0100'})
new Headers({a: '\u00e9'}).get('a')
new Headers({'\u00e9': 'a'})
new Headers({a: undefined, b: null, c: 1, d: true, e: {}}) 
new Headers({[Symbol('x')]: 'a', b: 'c'})
new Headers(Object.create({inherited: '1'}, {own: {value: '2', enumerable: true}}))
{ const h = new Headers(); h.append('X-A', '1'); h.append('x-a', '2'); return [h.get('X-a'), [...h], h.has('x-A')] }
{ const h = new Headers(); h.append('Set-Cookie', 'a=1'); h.append('set-cookie', 'b=2'); return [h.get('set-cookie'), [...h], h.getSetCookie(), h.getAll('Set-Cookie'), [...h.keys()], [...h.values()]] }
new Headers().getSetCookie()
new Headers({a: 'b'}).getAll('a')
{ const h = new Headers({b: '1', a: '2', C: '3'}); h.set('B', '9'); h.delete('A'); return [...h] }
{ const h = new Headers([['a', '1'], ['b', '2'], ['a', '3']]); h.set('a', 'x'); return [...h] }
new Headers().get('a b')
new Headers().has('')
new Headers().delete('a b')
new Headers().set('a', '\r\n x \r\n')
{ const h = new Headers({a: '1'}); h.set('a', '\r\n x \r\n'); return h.get('a') }
{ const r = []; new Headers({b: '1', a: '2'}).forEach(function (v, k, h) { r.push(v, k, h instanceof Headers, this === 7 || typeof this) }, 7); return r }
{ const r = []; new Headers({b: '1', a: '2'}).forEach(function (v, k, h) { 'use strict'; r.push(this) }); return r }
{ const h = new Headers({a: '1', b: '2', c: '3'}); const r = []; for (const [k, v] of h) { r.push(k, v); h.delete('b'); h.set('d', 'x') } return r }
new Headers().get()
new Headers().get(undefined)
new Headers({undefined: 'x'}).get(undefined)
new Headers().set('a')
new Headers().append('a', undefined)
new Headers().get(Symbol('x'))
Headers.prototype.get.call({}, 'a')
{ const it = new Headers({a: '1'}).entries(); return [it.next(), it.next(), it.next(), it[Symbol.iterator]() === it, Object.prototype.toString.call(it)] }
Headers()
new Headers(5)
new Headers(true)
String(new Headers())
JSON.stringify(new Headers({a: 'b'}))
{ class H extends Headers { extra() { return this.get('a') + '!' } } const h = new H({a: 'b'}); return [h.extra(), h instanceof Headers, h.constructor.name] }
new Headers({a: '1', 'set-cookie': 'x', 'Set-Cookie': 'y'})
new Headers([['a', '1'], 5])
new Headers([[1, 2]])
new Headers([new Set(['a', 'b'])])
new Headers((function* () { yield ['a', 'b'] })())
new Headers({Connection: 'a', Host: 'b', 'content-length': '3'})
new Response(null, {headers: {a: 'b'}}).headers.set('a', 'c')
{ const r = Response.redirect('http://x/'); try { r.headers.set('a', 'b') } catch (e) { return e } return [...r.headers] }
{ const r = Response.error(); try { r.headers.set('a', 'b') } catch (e) { return e } return [...r.headers] }
new Headers({a: '1'}).get('A')
new Headers({ 'x-long': 'a,b' , 'X-Long2': '' })
Object.keys(new Headers({a: 'b'}))
{ const h = new Headers({a: 'b'}); h.foo = 1; return [Object.keys(h), Reflect.ownKeys(h), Object.getOwnPropertySymbols(h), Object.getOwnPropertyNames(h)] }
{ const h = new Headers({a: 'b'}); const c = Object.assign({}, h), d = {...h}; return [Reflect.ownKeys(c), Reflect.ownKeys(d)] }
{ const p = new Proxy(new Headers({a: 'b'}), {}); return p.get('a') }
{ const seen = []; const p = new Proxy(new Headers({a: 'b'}), {get(t, k, r) { seen.push(typeof k); return Reflect.get(t, k) }}); try { Headers.prototype.get.call(p, 'a') } catch (e) { return [e, seen] } return seen }
