{ const u = new URL('https://u:p@EXAMPLE.com:8080/a/./b/../c?x=1&y=2#h'); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.toString(), u.toJSON(), JSON.stringify({u})] }
new URL('x')
new URL('/a', 'http://b')
new URL('../q?z', 'http://b/c/d/e')
new URL('//h/p', 'https://b/c')
new URL('?q', 'https://b/c?d#e')
new URL('#q', 'https://b/c?d#e')
new URL('', 'https://b/c?d#e')
new URL('a', 'nope')
new URL('a', undefined)
new URL('http://a', undefined)
new URL('http://a', null)
new URL('http://a', 'nope')
new URL('http://a', '')
new URL(undefined)
new URL(null)
new URL()
new URL(Symbol('x'))
URL('http://a')
new URL(new URL('http://a/b'), new URL('http://c'))
new URL('http://a b/')
new URL('http://a%/')
new URL('http://[::1]:3000/')
new URL('http://[1:2::3')
new URL('http://[2001:0db8:0000:0000:0000:0000:0000:0001]/')
new URL('http://[::ffff:1.2.3.4]/')
new URL('http://0x7f.1/')
new URL('http://127.1/')
new URL('http://256.256.256.256/')
new URL('http://1.2.3.4.5/')
new URL('http://999999999999/')
new URL('http://a:99999/')
new URL('http://a:/')
new URL('http://a:x/')
new URL('http://:80/')
new URL('http://a:80/')
new URL('https://a:443/')
new URL('ws://a:80/x')
new URL('wss://a:443/x').origin
new URL('ftp://a:21/x').origin
new URL('file:///c:/x/../y')
new URL('file://host/c|/x')
new URL('file:///a').origin
new URL('data:text/plain,hello world#f')
new URL('data:x').origin
new URL('javascript:alert(1)')
new URL('mailto:a@b')
new URL('blob:https://a.com/uuid').origin
new URL('blob:x').origin
new URL('urn:isbn:123').pathname
new URL('custom://Host:1/p?q#f').href
new URL('custom://Host').pathname
new URL('custom:/p').href
new URL('http://ex.com/ä ö?ü=é#ñ')
new URL('http://ex.com/%zz%41')
new URL('http://ex.com/a\\b')
new URL('http:\\\\ex.com\\a')
new URL('http:ex.com')
new URL('http:/ex.com')
new URL('http:////ex.com')
new URL('  http://ex.com  ')
new URL('ht\ntp://e\tx.com/a\rb')
new URL('http://ex.com/"<>`{}|^')
new URL('http://ex.com/?"<>`{}|^\'')
new URL('http://ex.com/#"<>`{}|^\'')
new URL('foo://ex.com/?\'')
new URL('http://münchen.de/')
new URL('http://xn--mnchen-3ya.de/').hostname
new URL('http://日本語.jp/').hostname
new URL('http://faß.de/').hostname
new URL('http://☃.net/').hostname
new URL('http://EXAMPLE。com/').hostname
new URL('http://a_b.com/').hostname
new URL('http://-a-.com/').hostname
new URL('http://a..b/').hostname
new URL('http://a./').hostname
new URL('http://xn--/').hostname
new URL('http://xn--a/').hostname
new URL('http://a\u00adb/').hostname
new URL('http://\u00ad/')
new URL('http://ex%41mple.com/').hostname
new URL('http://a<b/')
new URL('http://a^b/')
new URL('http://a|b/')
new URL('http://%00/')
new URL('foo://a^b/')
new URL('foo://a b/')
new URL('foo://ä/').hostname
new URL('http://u@h/')
new URL('http://u:@h/')
new URL('http://:p@h/')
new URL('http://@h/')
new URL('http://a@b@c/')
new URL('http://ü:ä@h/').username
new URL('http://h/\ud800').href
new URL('http://h/?\ud83d\ude00').href
new URL('http://h/a/%2e/b/%2E%2e/c').href
new URL('http://h/..').href
new URL('http://h/a//b').href
new URL('about:blank').href
new URL('about:blank#x').href
new URL('x', 'about:blank')
new URL('#x', 'about:blank').href
new URL('x', 'data:foo')
new URL('web+demo:/.//not-a-host/').href
new URL('foo:///').href
new URL('foo://').href
new URL('file:').href
new URL('file:a', 'file:///b/c').href
new URL('C|/x', 'file:///d:/y').href
new URL('http://h?q').href
new URL('http://h#f').href
new URL('//').href
new URL('http://')
new URL('https:///')
new URL('http://h/ ').href
new URL('foo:bar  ').href
new URL('foo:bar  #x').href
URL.canParse('http://a')
URL.canParse('a')
URL.canParse('a', 'http://b')
URL.canParse(undefined)
URL.parse('http://a')
URL.parse('a')
URL.parse('a', 'http://b')
URL.canParse()
URL.createObjectURL(new Blob())
URL.revokeObjectURL('x')
{ const u = new URL('http://a/'); u.href = 'https://b/c'; return u.href }
{ const u = new URL('http://a/'); u.href = 'nope' }
{ const u = new URL('http://a/'); try { u.href = 'nope' } catch (e) { return [e, u.href] } }
{ const u = new URL('http://a/'); u.protocol = 'https'; return u.href }
{ const u = new URL('http://a:443/'); u.protocol = 'https:'; return u.href }
{ const u = new URL('http://a/'); u.protocol = 'foo'; return u.href }
{ const u = new URL('foo://a/'); u.protocol = 'http'; return u.href }
{ const u = new URL('http://a/'); u.protocol = 'file'; return u.href }
{ const u = new URL('http://a/'); u.protocol = '1x'; return u.href }
{ const u = new URL('http://a/'); u.protocol = 'https:foo'; return u.href }
{ const u = new URL('http://a/'); u.username = 'u:@'; u.password = 'p /'; return u.href }
{ const u = new URL('http://u:p@a/'); u.username = ''; u.password = ''; return u.href }
{ const u = new URL('file:///a'); u.username = 'x'; u.port = '1'; u.password = 'c'; return u.href }
{ const u = new URL('http://a/'); u.host = 'b:81'; return u.href }
{ const u = new URL('http://a:90/'); u.host = 'b'; return u.href }
{ const u = new URL('http://a:90/'); u.host = ''; return u.href }
{ const u = new URL('http://a:90/'); u.host = 'b c'; return u.href }
{ const u = new URL('http://a:90/'); u.host = 'b/c?d'; return u.href }
{ const u = new URL('http://a:90/'); u.hostname = 'b:5'; return u.href }
{ const u = new URL('http://a:90/'); u.hostname = 'b'; return u.href }
{ const u = new URL('mailto:x'); u.host = 'b'; u.hostname = 'c'; u.pathname = '/d'; return u.href }
{ const u = new URL('http://a/'); u.port = '8080'; return u.href }
{ const u = new URL('http://a:1/'); u.port = ''; return u.href }
{ const u = new URL('http://a:1/'); u.port = '80'; return u.href }
{ const u = new URL('http://a:1/'); u.port = '2x'; return u.href }
{ const u = new URL('http://a:1/'); u.port = 'x'; return u.href }
{ const u = new URL('http://a:1/'); u.port = '99999'; return u.href }
{ const u = new URL('http://a:1/'); u.port = 22; return u.href }
{ const u = new URL('http://a/'); u.pathname = 'x y'; return u.href }
{ const u = new URL('http://a/b'); u.pathname = ''; return u.href }
{ const u = new URL('http://a/b'); u.pathname = '?#'; return u.href }
{ const u = new URL('http://a/b'); u.pathname = '/a/../c'; return u.href }
{ const u = new URL('foo://a/b'); u.pathname = ''; return u.href }
{ const u = new URL('http://a/b'); u.search = 'x=1 2'; return [u.href, u.search] }
{ const u = new URL('http://a/b?z'); u.search = ''; return u.href }
{ const u = new URL('http://a/b?z'); u.search = '?'; return [u.href, u.search] }
{ const u = new URL('http://a/b'); u.search = "?'#"; return u.href }
{ const u = new URL('http://a/b#z'); u.hash = ''; return u.href }
{ const u = new URL('http://a/b#z'); u.hash = '#'; return [u.href, u.hash] }
{ const u = new URL('http://a/b#z'); u.hash = 'x y'; return u.href }
{ const u = new URL('http://a/b'); u.origin = 'x'; return u.origin }
{ const u = new URL('http://a/?x=1'); u.searchParams.append('y', 'ä b'); return [u.href, u.searchParams === u.searchParams] }
{ const u = new URL('http://a/?x=1'); u.searchParams.delete('x'); return u.href }
{ const u = new URL('http://a/?x=1'); const p = u.searchParams; u.search = '?q=5'; return [p.get('q'), p.get('x')] }
{ const u = new URL('http://a/?x=1'); const p = u.searchParams; u.href = 'http://b/?w=2'; return [p.toString(), u.searchParams === p] }
{ const u = new URL('http://a/?b=%2B+c&a=~\''); u.searchParams.sort(); return u.href }
{ const u = new URL('http://a/?b=%2B+c&a=~\''); return [u.search, u.searchParams.get('b')] }
{ const u = new URL('http://a/? '); u.searchParams; return u.href }
{ class U extends URL { get x() { return this.host } } return new U('http://q/').x }
new URLSearchParams('?a=1&a=2&b=%20+&=x&c&&d=').toString()
[...new URLSearchParams('?a=1&a=2&b=%20+&=x&c&&d=')]
[...new URLSearchParams('??a=1')]
[...new URLSearchParams({a: 1, b: undefined, c: null})]
[...new URLSearchParams([['a', 1], ['b', 2]])]
[...new URLSearchParams(new Map([['a', 'b']]))]
[...new URLSearchParams(new URLSearchParams('a=b'))]
[...new URLSearchParams(new FormData())]
new URLSearchParams([['a']])
new URLSearchParams([['a', 'b', 'c']])
new URLSearchParams([5])
new URLSearchParams(['ab'])
new URLSearchParams(5).toString()
new URLSearchParams(null).toString()
new URLSearchParams(undefined).toString()
new URLSearchParams(true).toString()
new URLSearchParams(Symbol('x'))
new URLSearchParams(() => 1).toString()
new URLSearchParams('a=%f0%9f%98%80&b=%ff&c=%4&d=%').toString()
new URLSearchParams({a: "~*-._ !'()é😀\ud800&=+%"}).toString()
{ const p = new URLSearchParams('a=1&b=2&a=3'); return [p.get('a'), p.getAll('a'), p.has('a'), p.has('a', '3'), p.has('a', '4'), p.get('z'), p.size, p.has('a', undefined)] }
{ const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', 9); p.set('n', 'x'); return p.toString() }
{ const p = new URLSearchParams('a=1&b=2&a=3'); p.delete('a', '3'); return p.toString() }
{ const p = new URLSearchParams('a=1&b=2&a=3'); p.delete('a', undefined); return p.toString() }
{ const p = new URLSearchParams('a=1&b=2&a=3'); p.delete('a'); return p.toString() }
{ const p = new URLSearchParams('z=1&a=2&\uffff=5&😀=4&a=1'); p.sort(); return [...p] }
{ const p = new URLSearchParams('a=1&b=2'); const r = []; p.forEach(function (v, k, o) { r.push(v, k, o === p, this && this.q) }, {q: 1}); return r }
{ const p = new URLSearchParams('a=1&b=2&c=3'); const r = []; for (const [k] of p) { r.push(k); if (k === 'a') p.delete('b') } return r }
{ const p = new URLSearchParams('a=1&b=2'); return [[...p.keys()], [...p.values()], [...p.entries()], Object.prototype.toString.call(p.keys())] }
new URLSearchParams().append('a')
new URLSearchParams().get()
URLSearchParams.prototype.get.call(new URL('http://a'), 'x')
URLSearchParams('a')
