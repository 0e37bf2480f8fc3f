// Rule: what crypto and crypto.subtle say about arguments that they cannot take. Source: workerd; the
// texts are its own.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

const all = (...actions) => Promise.all(actions.map((f) => thrown(f)));
const S = crypto.subtle;

// What getRandomValues fills.
export const randomValues = {
  async test() {
    assert.deepStrictEqual(
      await all(() => crypto.getRandomValues(), () => crypto.getRandomValues(5), () => crypto.getRandomValues(new ArrayBuffer(1)), () => crypto.getRandomValues(new Float64Array(1)), () => crypto.getRandomValues(new Uint8Array(65537)), () => crypto.getRandomValues(new DataView(new ArrayBuffer(1)))),
      [
        'TypeError: Failed to execute \'getRandomValues\' on \'Crypto\': parameter 1 is not of type \'ArrayBufferView\'.',
        'TypeError: Failed to execute \'getRandomValues\' on \'Crypto\': parameter 1 is not of type \'ArrayBufferView\'.',
        'TypeError: Failed to execute \'getRandomValues\' on \'Crypto\': parameter 1 is not of type \'ArrayBufferView\'.',
        'TypeMismatchError: ArrayBufferView argument to getRandomValues() must be an integer-typed view.',
        'QuotaExceededError: getRandomValues() only accepts buffers of size <= 64K but provided 65537 bytes.',
        'TypeMismatchError: ArrayBufferView argument to getRandomValues() must be an integer-typed view.',
      ],
    );
  },
};

// Arguments of digest.
export const digest = {
  async test() {
    assert.deepStrictEqual(
      await all(() => S.digest(), () => S.digest('x', new Uint8Array(1)), () => S.digest('SHA-256'), () => S.digest('SHA-256', 'x'), () => S.digest({}, new Uint8Array(1)), () => S.digest(5, new Uint8Array(1))),
      [
        'TypeError: Failed to execute \'digest\' on \'SubtleCrypto\': parameter 1 is not of type \'string or HashAlgorithm\'.',
        'NotSupportedError: Unrecognized or unimplemented digest algorithm requested.',
        'TypeError: Failed to execute \'digest\' on \'SubtleCrypto\': parameter 2 is not of type \'BufferSource\'.',
        'TypeError: Failed to execute \'digest\' on \'SubtleCrypto\': parameter 2 is not of type \'BufferSource\'.',
        'NotSupportedError: Unrecognized or unimplemented digest algorithm requested.',
        'NotSupportedError: Unrecognized or unimplemented digest algorithm requested.',
      ],
    );
  },
};

// Arguments of timingSafeEqual.
export const timingSafeEqual = {
  async test() {
    assert.deepStrictEqual(
      await all(() => S.timingSafeEqual(), () => S.timingSafeEqual(new Uint8Array(1)), () => S.timingSafeEqual(new Uint8Array(1), new Uint8Array(2)), () => S.timingSafeEqual('a', 'a')),
      [
        'TypeError: Failed to execute \'timingSafeEqual\' on \'SubtleCrypto\': parameter 1 is not of type \'BufferSource\'.',
        'TypeError: Failed to execute \'timingSafeEqual\' on \'SubtleCrypto\': parameter 2 is not of type \'BufferSource\'.',
        'TypeError: Input buffers must have the same byte length.',
        'TypeError: Failed to execute \'timingSafeEqual\' on \'SubtleCrypto\': parameter 1 is not of type \'BufferSource\'.',
      ],
    );
  },
};

// Arguments of generateKey.
export const generateKey = {
  async test() {
    assert.deepStrictEqual(
      await all(() => S.generateKey(), () => S.generateKey('x', true, []), () => S.generateKey({ name: 'AES-GCM', length: 1 }, true, ['encrypt']), () => S.generateKey({ name: 'AES-GCM', length: 256 }, true, []), () => S.generateKey({ name: 'AES-GCM', length: 256 }, true, ['sign']), () => S.generateKey({ name: 'HMAC' }, true, ['sign']), () => S.generateKey({ name: 'ECDSA', namedCurve: 'x' }, true, ['sign'])),
      [
        'TypeError: Failed to execute \'generateKey\' on \'SubtleCrypto\': parameter 1 is not of type \'string or GenerateKeyAlgorithm\'.',
        'NotSupportedError: Unrecognized key generation algorithm "x" requested.',
        'OperationError: Generated AES key length must be 128, 192, or 256 bits but requested 1.',
        'SyntaxError: Secret/private CryptoKeys must have at least one usage.',
        'SyntaxError: Attempt to generate AES-GCM key with invalid usage "sign".',
        'TypeError: Missing field "hash" in "algorithm".',
        'NotSupportedError: Unrecognized or unimplemented EC curve "x" requested.',
      ],
    );
  },
};

// Arguments of importKey.
export const importKey = {
  async test() {
    assert.deepStrictEqual(
      await all(() => S.importKey(), () => S.importKey('x', new Uint8Array(16), 'AES-GCM', true, ['encrypt']), () => S.importKey('raw', 'x', 'AES-GCM', true, ['encrypt']), () => S.importKey('raw', new Uint8Array(5), 'AES-GCM', true, ['encrypt']), () => S.importKey('raw', new Uint8Array(16), 'x', true, ['encrypt']), () => S.importKey('raw', new Uint8Array(16), 'AES-GCM', true, ['x']), () => S.importKey('jwk', {}, 'AES-GCM', true, ['encrypt'])),
      [
        'TypeError: Failed to execute \'importKey\' on \'SubtleCrypto\': parameter 1 is not of type \'string\'.',
        'NotSupportedError: Unrecognized key import format "x".',
        'TypeError: Failed to execute \'importKey\' on \'SubtleCrypto\': parameter 2 is not of type \'BufferSource or JsonWebKey\'.',
        'DataError: Imported AES key length must be 128, 192, or 256 bits but provided 40.',
        'NotSupportedError: Unrecognized key import algorithm "x" requested.',
        'SyntaxError: Attempt to import secret AES-GCM key with invalid usage "x".',
        'DataError: Symmetric "jwk" key import requires a JSON Web Key with Key Type parameter "kty" equal to "oct" (encountered "undefined").',
      ],
    );
  },
};

// A key of another algorithm or use.
export const use = {
  async test() {
    const key = await S.importKey('raw', new Uint8Array(16), 'AES-GCM', false, ['encrypt']);
    const data = new Uint8Array(1);
    assert.deepStrictEqual(
      await all(() => S.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, key, data), () => S.decrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, data), () => S.sign('HMAC', key, data), () => S.exportKey('raw', key), () => S.encrypt({ name: 'AES-GCM' }, key, data), () => S.encrypt('AES-GCM', {}, data), () => S.encrypt()),
      [
        'InvalidAccessError: Requested algorithm "AES-CBC" does not match this CryptoKey\'s algorithm "AES-GCM".',
        'InvalidAccessError: Requested key usage "decrypt" does not match any usage listed in this CryptoKey.',
        'InvalidAccessError: Requested algorithm "HMAC" does not match this CryptoKey\'s algorithm "AES-GCM".',
        'InvalidAccessError: Attempt to export non-extractable AES-GCM key.',
        'TypeError: Missing field "iv" in "algorithm".',
        'TypeError: Failed to execute \'encrypt\' on \'SubtleCrypto\': parameter 2 is not of type \'CryptoKey\'.',
        'TypeError: Failed to execute \'encrypt\' on \'SubtleCrypto\': parameter 1 is not of type \'string or EncryptAlgorithm\'.',
      ],
    );
  },
};

// The methods need their object.
export const receivers = {
  async test() {
    assert.deepStrictEqual(
      await all(() => crypto.getRandomValues.call({}, new Uint8Array(1)), () => S.digest.call({}, 'SHA-256', new Uint8Array(1)), () => Crypto.prototype.subtle, () => CryptoKey.prototype.type, () => new CryptoKey(), () => new Crypto(), () => new SubtleCrypto()),
      [
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
        'nothing',
        'TypeError: Illegal constructor',
        'TypeError: Illegal constructor',
        'TypeError: Illegal constructor',
      ],
    );
  },
};
