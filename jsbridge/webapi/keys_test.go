package webapi_test

import (
	"encoding/json"
	"testing"
)

// FuzzImportKey imports arbitrary data as keys of all kinds. Whatever is not
// taken is refused with an error of the script; what is taken can be exported.
func FuzzImportKey(f *testing.F) {
	for _, format := range []string{"raw", "pkcs8", "spki", "jwk"} {
		f.Add(format, []byte{0x30, 3, 2, 1, 0})
		f.Add(format, []byte(`{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AQ","p":"AQ","q":"AQ","dp":"AQ","dq":"AQ","qi":"AQ"}`))
		f.Add(format, []byte(`{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ","d":"AQ"}`))
		f.Add(format, make([]byte, 32))
	}
	const script = `(format, data) => {
		let json;
		if (format === 'jwk') try { json = JSON.parse(String.fromCharCode(...new Uint8Array(data))); } catch { return; }
		const algorithms = [['AES-GCM', 'encrypt'], [{name: 'HMAC', hash: 'SHA-1'}, 'sign'], ['HKDF', 'deriveBits'],
			['Ed25519', 'sign'], ['Ed25519', 'verify'], ['X25519', 'deriveBits'], ['X25519'],
			...['P-256', 'P-384', 'P-521'].flatMap((namedCurve) => [[{name: 'ECDSA', namedCurve}, 'sign'], [{name: 'ECDSA', namedCurve}, 'verify']]),
			[{name: 'RSA-PSS', hash: 'SHA-256'}, 'sign'], [{name: 'RSA-PSS', hash: 'SHA-256'}, 'verify']];
		for (const [algorithm, ...usages] of algorithms) {
			crypto.subtle.importKey(format, json ?? data, algorithm, true, usages).then(async (k) => {
				await crypto.subtle.exportKey('jwk', k);
				if (usages[0] === 'sign') await crypto.subtle.sign({name: k.algorithm.name, saltLength: 0, hash: 'SHA-256'}, k, data).catch(() => {});
			}).catch((e) => { if (!(e instanceof Error)) throw e; });
		}
	}`
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		w := newWorld(t)
		must(t, w.rt.Set("data", w.rt.NewArrayBuffer(data)))
		name, _ := json.Marshal(format)
		w.run(t, "fuzz.js", "("+script+")("+string(name)+", data)")
	})
}
