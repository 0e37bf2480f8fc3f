// Rule: keys of crypto.subtle: what can be made of them, and the errors. Source:
// Web Cryptography API; RFC 6979, 7517, 7748; error texts as workerd words them.
import assert from 'node:assert';
import { fails, failsToClone } from 'failure.js';

const { subtle } = crypto;
const hex = (b) => Array.from(new Uint8Array(b), (x) => x.toString(16).padStart(2, '0')).join('');
const unhex = (s) => new Uint8Array((s.match(/../g) ?? []).map((x) => parseInt(x, 16)));
const utf8 = (s) => new TextEncoder().encode(s);
const b64 = (h) => btoa(String.fromCharCode(...unhex(h))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const SIGN = { name: 'HMAC', hash: 'SHA-256' };
const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const ES256 = { name: 'ECDSA', hash: 'SHA-256' };
const exponent = new Uint8Array([1, 0, 1]);
const test = (f) => ({ test: f });

// failsAs is fails for a DOMException of a name.
async function failsAs(name, message, action) {
  assert.strictEqual((await fails(action, DOMException, message)).name, name);
}

// RFC 6979, appendix A.2.5: a signature with ECDSA over P-256 and SHA-256.
export const ecdsaVector = test(async () => {
  const jwk = { kty: 'EC', crv: 'P-256', x: b64('60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6'), y: b64('7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299') };
  const k = await subtle.importKey('jwk', jwk, P256, true, ['verify']);
  const signature = unhex('efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8');
  assert.strictEqual(await subtle.verify(ES256, k, signature, utf8('sample')), true);
  assert.strictEqual(await subtle.verify(ES256, k, signature, utf8('Sample')), false);
  assert.strictEqual(await subtle.verify(ES256, k, signature.slice(1), utf8('sample')), false);
});

// RFC 7748, section 6.1: X25519.
export const x25519Vector = test(async () => {
  const jwk = { kty: 'OKP', crv: 'X25519', d: b64('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'), x: b64('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f') };
  const mine = await subtle.importKey('jwk', jwk, 'X25519', false, ['deriveBits']);
  const theirs = await subtle.importKey('raw', unhex('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'), 'X25519', true, []);
  assert.strictEqual(hex(await subtle.deriveBits({ name: 'X25519', public: theirs }, mine, 256)), '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742');
});

// A pair of each curve signs, verifies and comes back from every format.
const signs = (generate, algorithm, formats) => test(async () => {
  const { publicKey, privateKey } = await subtle.generateKey(generate, true, ['sign', 'verify']);
  assert.deepStrictEqual([publicKey.type, publicKey.usages, privateKey.type, privateKey.usages], ['public', ['verify'], 'private', ['sign']]);
  const signature = await subtle.sign(algorithm, privateKey, utf8('x'));
  assert.strictEqual(await subtle.verify(algorithm, publicKey, signature, utf8('x')), true);
  assert.strictEqual(await subtle.verify(algorithm, publicKey, signature, utf8('y')), false);
  for (const format of formats) {
    const k = await subtle.importKey(format, await subtle.exportKey(format, publicKey), generate, true, ['verify']);
    assert.strictEqual(await subtle.verify(algorithm, k, signature, utf8('x')), true, format);
  }
  for (const format of ['pkcs8', 'jwk']) {
    const k = await subtle.importKey(format, await subtle.exportKey(format, privateKey), generate, false, ['sign']);
    const other = await subtle.sign(algorithm, k, utf8('z'));
    assert.strictEqual(await subtle.verify(algorithm, publicKey, other, utf8('z')), true, format);
  }
});
export const p256 = signs(P256, ES256, ['raw', 'spki', 'jwk']);
export const p384 = signs({ name: 'ECDSA', namedCurve: 'P-384' }, { name: 'ECDSA', hash: 'SHA-384' }, ['raw', 'spki', 'jwk']);
export const p521 = signs({ name: 'ECDSA', namedCurve: 'P-521' }, { name: 'ECDSA', hash: 'SHA-512' }, ['raw', 'spki', 'jwk']);
export const ed25519 = signs('Ed25519', 'Ed25519', ['raw', 'spki', 'jwk']);
export const pkcs1 = signs({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: exponent }, 'RSASSA-PKCS1-v1_5', ['spki', 'jwk']);
export const pss = signs({ name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 1024, publicExponent: exponent }, { name: 'RSA-PSS', saltLength: 32 }, ['spki', 'jwk']);
export const pssUnsalted = signs({ name: 'RSA-PSS', hash: 'SHA-512', modulusLength: 1152, publicExponent: exponent }, { name: 'RSA-PSS', saltLength: 0 }, ['spki', 'jwk']);

// Two parties agree on the same bits.
const agrees = (algorithm, bits) => test(async () => {
  const name = algorithm.name ?? algorithm;
  const a = await subtle.generateKey(algorithm, false, ['deriveBits', 'deriveKey']);
  const b = await subtle.generateKey(algorithm, false, ['deriveBits']);
  const x = await subtle.deriveBits({ name, public: b.publicKey }, a.privateKey, bits);
  const y = await subtle.deriveBits({ name, public: a.publicKey }, b.privateKey, bits);
  assert.strictEqual(hex(x), hex(y));
  assert.strictEqual(x.byteLength, bits / 8);
  const k = await subtle.deriveKey({ name, public: b.publicKey }, a.privateKey, { name: 'AES-GCM', length: 128 }, true, ['encrypt']);
  assert.strictEqual(hex(await subtle.exportKey('raw', k)), hex(x).slice(0, 32));
});
export const ecdh256 = agrees({ name: 'ECDH', namedCurve: 'P-256' }, 256);
export const ecdh384 = agrees({ name: 'ECDH', namedCurve: 'P-384' }, 384);
export const x25519 = agrees('X25519', 256);

// RSA-OAEP encrypts and wraps.
export const oaep = test(async () => {
  const { publicKey, privateKey } = await subtle.generateKey({ name: 'RSA-OAEP', hash: 'SHA-1', modulusLength: 1024, publicExponent: exponent }, true, ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey']);
  const algorithm = { name: 'RSA-OAEP', label: utf8('label') };
  const sealed = await subtle.encrypt(algorithm, publicKey, utf8('secret'));
  assert.strictEqual(hex(await subtle.decrypt(algorithm, privateKey, sealed)), hex(utf8('secret')));
  await failsAs('OperationError', 'RSA-OAEP failed encrypt/decrypt.', () => subtle.decrypt('RSA-OAEP', privateKey, sealed));
  const inner = await subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, ['encrypt']);
  const back = await subtle.unwrapKey('raw', await subtle.wrapKey('raw', inner, publicKey, 'RSA-OAEP'), privateKey, 'RSA-OAEP', 'AES-CBC', true, ['encrypt']);
  assert.strictEqual(hex(await subtle.exportKey('raw', back)), hex(await subtle.exportKey('raw', inner)));
});

// A key is wrapped as JSON too.
export const wrapJWK = test(async () => {
  const k = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['wrapKey', 'unwrapKey']);
  const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) };
  const { privateKey } = await subtle.generateKey(P256, true, ['sign']);
  const wrapped = await subtle.wrapKey('jwk', privateKey, k, algorithm);
  const back = await subtle.unwrapKey('jwk', wrapped, k, algorithm, P256, true, ['sign']);
  assert.deepStrictEqual(await subtle.exportKey('jwk', back), await subtle.exportKey('jwk', privateKey));
});

// A JSON Web Key has all members, most of them undefined.
export const jwkShape = test(async () => {
  const jwk = await subtle.exportKey('jwk', await subtle.importKey('raw', new Uint8Array([0, 1, 2]), SIGN, true, ['verify', 'sign']));
  assert.deepStrictEqual(JSON.parse(JSON.stringify(jwk)), { kty: 'oct', key_ops: ['sign', 'verify'], alg: 'HS256', ext: true, k: 'AAEC' });
  assert.strictEqual('d' in jwk, true);
});

// The attributes of a key are its own.
export const attributes = test(async () => {
  const k = await subtle.generateKey({ ...SIGN, length: 100 }, false, ['verify', 'sign', 'sign']);
  assert.deepStrictEqual({ ...k }, { usages: ['sign', 'verify'], algorithm: { name: 'HMAC', hash: { name: 'SHA-256' }, length: 100 }, extractable: false, type: 'secret' });
  assert.strictEqual(k instanceof CryptoKey, true);
  assert.throws(() => new CryptoKey(), TypeError);
});

export const notExtractable = test(async () => {
  const k = await subtle.generateKey(SIGN, false, ['sign']);
  await failsAs('InvalidAccessError', 'Attempt to export non-extractable HMAC key.', () => subtle.exportKey('raw', k));
});

export const wrongUsage = test(async () => {
  const k = await subtle.generateKey(SIGN, false, ['sign']);
  await failsAs('InvalidAccessError', 'Requested key usage "verify" does not match any usage listed in this CryptoKey.', () => subtle.verify('HMAC', k, new Uint8Array(32), new Uint8Array(1)));
});

export const wrongAlgorithm = test(async () => {
  const k = await subtle.generateKey(SIGN, false, ['sign']);
  await failsAs('InvalidAccessError', 'Requested algorithm "ECDSA" does not match this CryptoKey\'s algorithm "HMAC".', () => subtle.sign(ES256, k, new Uint8Array(1)));
});

export const noUsage = test(async () => {
  await failsAs('SyntaxError', 'Secret/private CryptoKeys must have at least one usage.', () => subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', true, []));
  await failsAs('SyntaxError', 'Attempt to import secret AES-CBC key with invalid usage "sign".', () => subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', true, ['sign']));
});

export const badKeyData = test(async () => {
  await failsAs('DataError', 'Imported AES key length must be 128, 192, or 256 bits but provided 120.', () => subtle.importKey('raw', new Uint8Array(15), 'AES-CBC', true, ['encrypt']));
  await failsAs('DataError', 'Invalid PKCS8 input.', () => subtle.importKey('pkcs8', new Uint8Array(3), P256, true, ['sign']));
  await failsAs('DataError', 'Invalid SPKI input.', () => subtle.importKey('spki', new Uint8Array(3), P256, true, ['verify']));
});

export const unknownAlgorithm = test(async () => {
  await failsAs('NotSupportedError', 'Unrecognized key import algorithm "nope" requested.', () => subtle.importKey('raw', new Uint8Array(15), 'nope', true, ['encrypt']));
  await failsAs('NotSupportedError', 'Unrecognized key generation algorithm "nope" requested.', () => subtle.generateKey('nope', true, ['encrypt']));
});

// A key cannot be cloned.
export const notCloned = test(async () => {
  const k = await subtle.generateKey(SIGN, true, ['sign']);
  await failsToClone(() => structuredClone(k), 'Could not serialize object of type "CryptoKey". This type does not support serialization.');
});

// crypto.DigestStream is a writable stream with a promise of the digest.
export const digestStream = test(async () => {
  const d = new crypto.DigestStream('SHA-256');
  await new Response('abc').body.pipeTo(d);
  assert.strictEqual(hex(await d.digest), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.strictEqual(d.bytesWritten, 3n);
});

// What aborts it is what its promise rejects with.
export const digestAborted = test(async () => {
  const d = new crypto.DigestStream('MD5');
  const reason = new Error('enough');
  await d.abort(reason);
  assert.strictEqual(await d.digest.catch((e) => e), reason);
});
