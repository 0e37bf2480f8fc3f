{ const f = new FormData(); f.append('a', '1'); f.append('a', '2'); f.append('b', 3); return [f.get('a'), f.getAll('a'), f.has('b'), f.get('z'), [...f]] }
{ const f = new FormData(); f.append('a', '1'); f.append('b', '2'); f.append('a', '3'); f.set('a', 'x'); f.delete('b'); return [...f] }
{ const f = new FormData(); f.append('f', new File(['x'], 'n.txt', {type: 't/p'})); const g = f.get('f'); return [g, g instanceof File, await g.text()] }
{ const f = new FormData(); f.append('f', new Blob(['x'], {type: 't/p'})); const g = f.get('f'); return [g, g instanceof File, g.name] }
{ const f = new FormData(); f.append('f', new Blob(['x']), 'nm'); return f.get('f').name }
{ const f = new FormData(); f.append('f', new File(['x'], 'n'), 'other'); return f.get('f').name }
{ const f = new FormData(); const x = new File(['x'], 'n'); f.append('f', x); return f.get('f') === x }
{ const f = new FormData(); f.append('f', 'str', 'name'); return [...f] }
{ const f = new FormData(); f.append('a') }
{ const f = new FormData(); f.append('a', undefined); f.append('b', null); f.append('c', {}); return [...f] }
new FormData(5).get('a')
new FormData(undefined).get('a')
FormData()
{ const f = new FormData(); f.append('a', 'x\r\ny\nz'); f.append('q"r\n', 'v'); const r = new Response(f); const ct = r.headers.get('content-type'); const b = ct.split('boundary=')[1].replace(/"/g, ''); return [ct.replace(b, 'B'), (await r.text()).replaceAll(b, 'B')] }
{ const f = new FormData(); f.append('file', new File(['x'], 'a"b\n.txt', {type: 't/p'})); f.append('g', new Blob(['y'])); const r = new Response(f); const ct = r.headers.get('content-type'); const b = ct.split('boundary=')[1].replace(/"/g, ''); return [ct.replace(b, 'B'), b.replace(/[0-9a-f]/gi, 'h'), (await r.text()).replaceAll(b, 'B')] }
{ const f = new FormData(); const r = new Response(f); const ct = r.headers.get('content-type'); const b = ct.split('boundary=')[1].replace(/"/g, ''); return (await r.text()).replaceAll(b, 'B') }
{ const f = new FormData(); f.append('a', 'é'); f.append('f', new File(['xyz'], 'ü.txt', {type: 't/p'})); const g = await new Response(f).formData(); return [[...g], await g.get('f').text(), g.get('f').lastModified > 0] }
{ const b = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nv1\r\n--X\r\nContent-Disposition: form-data; name="f"; filename="q.txt"\r\nContent-Type: text/x\r\n\r\nbody\r\n--X--\r\n'; const g = await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData(); return [...g] }
{ const b = '--X\r\nContent-Disposition: form-data; name=a\r\n\r\nv1\r\n--X--'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary="X"'}}).formData()] }
{ const b = '--X\r\ncontent-disposition: form-data; name="f"; filename="q"\r\n\r\nbody\r\n--X--'; const g = await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData(); return [...g] }
{ const b = '--X\r\nContent-Disposition: form-data\r\n\r\nv1\r\n--X--'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nv1\r\n'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = 'junk'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = '--X--'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = 'pre\r\n--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nv1\r\n--X--\r\nepi'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = '--X\nContent-Disposition: form-data; name="a"\n\nv1\n--X--\n'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = '--X\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\nv1\r\n--X--'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ const b = '--X\r\nContent-Disposition: form-data; name="a\\"b"\r\n\r\nv1\r\n--X--'; return [...await new Response(b, {headers: {'content-type': 'multipart/form-data; boundary=X'}}).formData()] }
{ return [...await new Response('x', {headers: {'content-type': 'multipart/form-data'}}).formData()] }
{ const f = new FormData(); f.append('a', '1'); const r = []; f.forEach(function (v, k, o) { r.push(v, k, o === f, this && this.z) }, {z: 5}); return r }
{ const f = new FormData(); f.append('a', '1'); return [[...f.keys()], [...f.values()], Object.prototype.toString.call(f.entries())] }
{ const r = await new Request('http://a', {method: 'POST', body: new URLSearchParams('x=1&y=%C3%A9')}).formData(); return [...r] }
