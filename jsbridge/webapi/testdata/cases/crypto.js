crypto.subtle.digest('SHA-256', new TextEncoder().encode('abc'))
crypto.subtle.digest('sha-1', new Uint8Array(0))
crypto.subtle.digest({name: 'SHA-512'}, new ArrayBuffer(1))
crypto.subtle.digest('SHA-384', new DataView(new ArrayBuffer(1)))
crypto.subtle.digest('MD5', new Uint8Array(1))
crypto.subtle.digest('nope', new Uint8Array(1))
crypto.subtle.digest({}, new Uint8Array(1))
crypto.subtle.digest({name: 5}, new Uint8Array(1))
crypto.subtle.digest('SHA-256')
crypto.subtle.digest('SHA-256', 'x')
crypto.subtle.digest()
crypto.subtle.digest() instanceof Promise
crypto.getRandomValues(new Uint8Array(4)).length
{ const a = new Uint8Array(4); return crypto.getRandomValues(a) === a }
crypto.getRandomValues(new BigInt64Array(1)).length
crypto.getRandomValues(new Float32Array(1))
crypto.getRandomValues(new DataView(new ArrayBuffer(1)))
crypto.getRandomValues(new Uint8Array(65537))
crypto.getRandomValues(new Uint8Array(65536)).length
crypto.getRandomValues(new ArrayBuffer(1))
crypto.getRandomValues()
crypto.getRandomValues([1])
/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())
crypto.subtle === crypto.subtle
crypto.subtle.timingSafeEqual(new Uint8Array([1]), new Uint8Array([1]))
crypto.subtle.timingSafeEqual(new Uint8Array([1]), new Uint8Array([2]))
crypto.subtle.timingSafeEqual(new Uint8Array([1]), new Uint8Array([1, 2]))
crypto.subtle.timingSafeEqual(new ArrayBuffer(1), new Uint8Array([0]))
Object.prototype.toString.call(crypto)
Object.prototype.toString.call(crypto.subtle)
new Crypto()
{ const { randomUUID } = crypto; return randomUUID() }
typeof performance.now()
performance.timeOrigin
performance.toJSON()
performance instanceof EventTarget
navigator.userAgent
navigator.language
navigator.languages
navigator.hardwareConcurrency
navigator.platform
Object.prototype.toString.call(navigator)
new Navigator()
new Performance()
