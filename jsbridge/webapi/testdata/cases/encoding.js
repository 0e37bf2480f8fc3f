new TextEncoder().encode('hé😀\ud800')
new TextEncoder().encode()
new TextEncoder().encode(undefined)
new TextEncoder().encode(null)
new TextEncoder().encoding
new TextEncoder().encodeInto('hé😀', new Uint8Array(4))
new TextEncoder().encodeInto('hé😀x', new Uint8Array(10))
new TextEncoder().encodeInto('\ud800a', new Uint8Array(10))
{ const b = new Uint8Array(5); new TextEncoder().encodeInto('é', b.subarray(2)); return b }
new TextEncoder().encodeInto('a')
{ const d = new TextDecoder(); return [d.encoding, d.fatal, d.ignoreBOM] }
new TextDecoder('UTF8').encoding
new TextDecoder(' latin1 ').encoding
new TextDecoder('iso-8859-1').encoding
new TextDecoder('ascii').encoding
new TextDecoder('utf-16').encoding
new TextDecoder('utf-16le').encoding
new TextDecoder('utf-16be').encoding
new TextDecoder('unicode-1-1-utf-8').encoding
new TextDecoder('windows-1252').encoding
new TextDecoder('windows-1251').encoding
new TextDecoder('shift_jis').encoding
new TextDecoder('gbk').encoding
new TextDecoder('big5').encoding
new TextDecoder('euc-kr').encoding
new TextDecoder('iso-8859-2').encoding
new TextDecoder('koi8-r').encoding
new TextDecoder('macintosh').encoding
new TextDecoder('x-user-defined').encoding
new TextDecoder('replacement').encoding
new TextDecoder('nope')
new TextDecoder('')
new TextDecoder(undefined).encoding
new TextDecoder(null)
new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).fatal
new TextDecoder('utf-8', 5)
new TextDecoder('utf-8', null).fatal
new TextDecoder().decode()
new TextDecoder().decode(new Uint8Array([0x68, 0xc3, 0xa9]))
new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))
new TextDecoder('utf-8', {ignoreBOM: true}).decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))
new TextDecoder().decode(new Uint8Array([0xff, 0x61, 0xe2, 0x82, 0x61, 0xf0, 0x9f, 0x98, 0xed, 0xa0, 0x80]))
new TextDecoder().decode(new Uint8Array([0xc0, 0x80, 0xf5, 0x80, 0xe0, 0x80, 0x80]))
new TextDecoder('utf-8', {fatal: true}).decode(new Uint8Array([0xff]))
new TextDecoder('utf-8', {fatal: true}).decode(new Uint8Array([0xe2, 0x82]))
{ const d = new TextDecoder(); return [d.decode(new Uint8Array([0xe2, 0x82]), {stream: true}), d.decode(new Uint8Array([0xac]), {stream: true}), d.decode()] }
{ const d = new TextDecoder(); return [d.decode(new Uint8Array([0xe2, 0x82]), {stream: true}), d.decode(), d.decode(new Uint8Array([0x61]))] }
{ const d = new TextDecoder(); return [d.decode(new Uint8Array([0xef, 0xbb]), {stream: true}), d.decode(new Uint8Array([0xbf, 0x61]), {stream: true}), d.decode(new Uint8Array([0xef, 0xbb, 0xbf]))] }
{ const d = new TextDecoder(); return [d.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])), d.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))] }
{ const d = new TextDecoder('utf-8', {fatal: true}); let e1; try { d.decode(new Uint8Array([0xff])) } catch (e) { e1 = e } return [e1, d.decode(new Uint8Array([0x61]))] }
{ const d = new TextDecoder('utf-8', {fatal: true}); return [d.decode(new Uint8Array([0xe2, 0x82]), {stream: true}), d.decode(new Uint8Array([0xac]))] }
new TextDecoder().decode(new Uint8Array([1, 2, 3]).buffer)
new TextDecoder().decode(new DataView(new Uint8Array([65, 66, 67]).buffer, 1))
new TextDecoder().decode(new Uint16Array([0x4241]))
new TextDecoder().decode('x')
new TextDecoder().decode(null)
new TextDecoder().decode(undefined)
new TextDecoder().decode({})
new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0, 0x3d, 0xd8, 0x00, 0xde]))
new TextDecoder('utf-16le').decode(new Uint8Array([0xff, 0xfe, 0x61, 0]))
new TextDecoder('utf-16le').decode(new Uint8Array([0x61, 0, 0x62]))
new TextDecoder('utf-16le').decode(new Uint8Array([0x00, 0xd8, 0x61, 0]))
new TextDecoder('utf-16le', {fatal: true}).decode(new Uint8Array([0x00, 0xd8, 0x61, 0]))
new TextDecoder('utf-16be').decode(new Uint8Array([0, 0x61, 0xd8, 0x3d, 0xde, 0]))
new TextDecoder('latin1').decode(new Uint8Array([0x61, 0xe9, 0x80, 0x81, 0x9f]))
new TextDecoder('windows-1251').decode(new Uint8Array([0xcf, 0xf0]))
new TextDecoder('koi8-r').decode(new Uint8Array([0xcf, 0xf0]))
new TextDecoder('shift_jis').decode(new Uint8Array([0x83, 0x65]))
new TextDecoder('gbk').decode(new Uint8Array([0xc4, 0xe3]))
btoa('hello')
btoa('')
btoa('é')
btoa('ā')
btoa(5)
btoa(null)
btoa(undefined)
btoa()
atob('aGVsbG8=')
atob('aGVsbG8')
atob(' aGVs\nbG8= ')
atob('')
atob('a')
atob('ab')
atob('abc=')
atob('ab==')
atob('ab=')
atob('====')
atob('a-_b')
atob('*')
atob('6Q==')
atob(null)
atob(12)
atob('YR==')
atob()
{ const b = new Blob(['ab', new Uint8Array([99]), new Blob(['d']), new ArrayBuffer(1)]); return [b.size, b.type, await b.text(), await b.bytes()] }
new Blob(['a'], {type: 'Text/PLAIN'}).type
new Blob(['a'], {type: 'é'}).type
new Blob(['a'], {type: 5}).type
new Blob(['a\r\nb\nc'], {endings: 'native'}).text()
new Blob(['a'], {endings: 'x'}).size
new Blob('abc')
new Blob(5)
new Blob(null)
new Blob(undefined).size
new Blob([1, null, {}, true]).text()
new Blob([Symbol('x')])
new Blob(new Set(['a', 'b'])).text()
new Blob(['a'], 5)
new Blob(['a'], null).size
new Blob(['hello']).slice(1, 3).text()
new Blob(['hello']).slice(-3).text()
new Blob(['hello']).slice(-3, -1).text()
new Blob(['hello']).slice(3, 1).text()
new Blob(['hello']).slice(0, 100).size
new Blob(['hello'], {type: 'a/b'}).slice(0, 1).type
new Blob(['hello'], {type: 'a/b'}).slice(0, 1, 'C/d').type
new Blob(['hello']).slice(undefined, 2).text()
new Blob(['hello']).slice('1', '2').text()
new Blob(['hello']).slice(NaN).text()
new Blob(['hello']).arrayBuffer()
new Blob([new Uint8Array([0xff])]).text()
new Blob(['\ufeffa']).text()
Blob()
{ const f = new File(['ab'], 'n.txt', {type: 'text/plain', lastModified: 5}); return [f.name, f.size, f.type, f.lastModified, await f.text(), f instanceof Blob] }
typeof new File([], 'a').lastModified
new File(['a'])
new File([], 5).name
new File([], 'a/b').name
new File('a', 'b')
new File(undefined, 'x').size
new File([], 'a', {lastModified: 'x'}).lastModified
{ const f = new File(['abc'], 'n'); const s = f.slice(0, 1); return [s instanceof File, s.size] }
{ const b = new Uint8Array([1]); const l = new Blob([b]); b[0] = 2; return l.bytes() }
{ const a = await new Blob(['ab']).bytes(); return a.buffer.byteLength }
