// Rule: crypto.subtle computes what the standards' test vectors say. Source: the
// RFCs and NIST publications named at each test; RFC 7748 and 8032 for curves.
import assert from 'node:assert';
import { fails } from 'failure.js';

const hex = (b) => Array.from(new Uint8Array(b), (x) => x.toString(16).padStart(2, '0')).join('');
const unhex = (s) => new Uint8Array((s.match(/../g) ?? []).map((x) => parseInt(x, 16)));
const utf8 = (s) => new TextEncoder().encode(s);
const b64 = (h) => btoa(String.fromCharCode(...unhex(h))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const raw = (key, algorithm, ...usages) => crypto.subtle.importKey('raw', typeof key === 'string' ? unhex(key) : key, algorithm, false, usages);

// The digest of "abc".
const digest = (name, want) => ({
  async test() { assert.strictEqual(hex(await crypto.subtle.digest(name, utf8('abc'))), want); },
});
export const sha1 = digest('SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d'); // FIPS 180, appendix A.1
export const sha256 = digest('SHA-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
export const sha384 = digest('SHA-384', 'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7');
export const sha512 = digest('SHA-512', 'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f');
export const md5 = digest('MD5', '900150983cd24fb0d6963f7d28e17f72'); // RFC 1321, appendix A.5
export const anyCase = digest({ name: 'sha-256' }, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');

// RFC 4231, test cases 1 to 4 and 6: HMAC, signed and verified.
const hmac = (hash, key, data, want) => ({
  async test() {
    const k = await raw(key, { name: 'HMAC', hash }, 'sign', 'verify');
    const mac = await crypto.subtle.sign('HMAC', k, unhex(data));
    assert.strictEqual(hex(mac), want);
    assert.strictEqual(await crypto.subtle.verify('HMAC', k, mac, unhex(data)), true);
    assert.strictEqual(await crypto.subtle.verify('HMAC', k, mac.slice(1), unhex(data)), false);
  },
});
const hiThere = '4869205468657265';
const jefe = hex(utf8('what do ya want for nothing?'));
export const hmac1 = hmac('SHA-256', '0b'.repeat(20), hiThere, 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7');
export const hmac2 = hmac('SHA-256', '4a656665', jefe, '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
export const hmac3 = hmac('SHA-256', 'aa'.repeat(20), 'dd'.repeat(50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe');
export const hmac4 = hmac('SHA-256', '0102030405060708090a0b0c0d0e0f10111213141516171819', 'cd'.repeat(50), '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b');
export const hmac6 = hmac('SHA-256', 'aa'.repeat(131), hex(utf8('Test Using Larger Than Block-Size Key - Hash Key First')), '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54');
export const hmac512 = hmac('SHA-512', '4a656665', jefe, '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737');
export const hmacSHA1 = hmac('SHA-1', '4a656665', jefe, 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'); // RFC 2202
export const hmacMD5 = hmac('MD5', '4a656665', jefe, '750c783e6ab0b503eaa86e310a5db738'); // RFC 2202

// RFC 5869, appendix A.1 to A.3: HKDF.
const hkdf = (ikm, salt, info, length, want) => ({
  async test() {
    const k = await raw(ikm, 'HKDF', 'deriveBits');
    assert.strictEqual(hex(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: unhex(salt), info: unhex(info) }, k, length * 8)), want);
  },
});
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => (from + i).toString(16).padStart(2, '0')).join('');
export const hkdf1 = hkdf('0b'.repeat(22), range(0, 12), range(0xf0, 0xf9), 42, '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865');
export const hkdf2 = hkdf(range(0, 0x4f), range(0x60, 0xaf), range(0xb0, 0xff), 82, 'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87');
export const hkdf3 = hkdf('0b'.repeat(22), '', '', 42, '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8');

// RFC 6070: PBKDF2 with HMAC-SHA-1.
const pbkdf2 = (password, salt, iterations, length, want) => ({
  async test() {
    const k = await raw(utf8(password), 'PBKDF2', 'deriveBits');
    assert.strictEqual(hex(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-1', salt: utf8(salt), iterations }, k, length * 8)), want);
  },
});
export const pbkdf2a = pbkdf2('password', 'salt', 1, 20, '0c60c80f961f0e71f3a9b524af6012062fe037a6');
export const pbkdf2b = pbkdf2('password', 'salt', 2, 20, 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957');
export const pbkdf2c = pbkdf2('password', 'salt', 4096, 20, '4b007901b765489abead49d926f721d065a429c1');
export const pbkdf2d = pbkdf2('passwordPASSWORDpassword', 'saltSALTsaltSALTsaltSALTsaltSALTsalt', 4096, 25, '3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038');
export const pbkdf2e = pbkdf2('pass\0word', 'sa\0lt', 4096, 16, '56fa6aa75548099dcc37d7f03425e0c3');

// NIST SP 800-38A, appendix F: CBC and CTR, here the first block or two, and back.
const aes = (algorithm, key, plain, want) => ({
  async test() {
    const k = await raw(key, algorithm.name, 'encrypt', 'decrypt');
    const out = await crypto.subtle.encrypt(algorithm, k, unhex(plain));
    assert.strictEqual(hex(out).slice(0, want.length), want);
    assert.strictEqual(hex(await crypto.subtle.decrypt(algorithm, k, out)), plain);
  },
});
const k128 = '2b7e151628aed2a6abf7158809cf4f3c';
const k256 = '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4';
const blocks = '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51';
export const cbc128 = aes({ name: 'AES-CBC', iv: unhex(range(0, 15)) }, k128, blocks, '7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2');
export const cbc256 = aes({ name: 'AES-CBC', iv: unhex(range(0, 15)) }, k256, blocks, 'f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d');
export const ctr128 = aes({ name: 'AES-CTR', counter: unhex(range(0xf0, 0xff)), length: 64 }, k128, blocks, '874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff');
export const ctr256 = aes({ name: 'AES-CTR', counter: unhex(range(0xf0, 0xff)), length: 128 }, k256, blocks, '601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5');

// The test cases of the GCM specification (McGrew and Viega), appendix B: 1, 2 and 4.
const gcmKey = 'feffe9928665731c6d6a8f9467308308';
const gcmPlain = 'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39';
export const gcm1 = aes({ name: 'AES-GCM', iv: new Uint8Array(12) }, '00'.repeat(16), '', '58e2fccefa7e3061367f1d57a4e7455a');
export const gcm2 = aes({ name: 'AES-GCM', iv: new Uint8Array(12) }, '00'.repeat(16), '00'.repeat(16), '0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf');
export const gcm4 = aes({ name: 'AES-GCM', iv: unhex('cafebabefacedbaddecaf888'), additionalData: unhex('feedfacedeadbeeffeedfacedeadbeefabaddad2') }, gcmKey, gcmPlain,
  '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091' + '5bc94fbc3221a5db94fae95ae7121a47');

// A tag that does not fit is an OperationError.
export const gcmForged = {
  async test() {
    const k = await raw(gcmKey, 'AES-GCM', 'encrypt', 'decrypt');
    for (const tagLength of [32, 64, 96, 104, 112, 120, 128]) {
      const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12), tagLength };
      const out = new Uint8Array(await crypto.subtle.encrypt(algorithm, k, utf8('hello')));
      assert.strictEqual(out.length, 5 + tagLength / 8);
      assert.strictEqual(hex(await crypto.subtle.decrypt(algorithm, k, out)), hex(utf8('hello')));
      out[out.length - 1] ^= 1;
      const e = await fails(() => crypto.subtle.decrypt(algorithm, k, out), DOMException, 'Decryption failed. This could be due to a ciphertext authentication failure, bad padding, incorrect CryptoKey, or another algorithm-specific reason. Input length was 5, output length expected to be 5 for AES-GCM');
      assert.strictEqual(e.name, 'OperationError');
    }
  },
};

// RFC 3394, sections 4.1, 4.3 and 4.6: key wrap.
const kw = (kek, key, want) => ({
  async test() {
    const k = await raw(kek, 'AES-KW', 'wrapKey', 'unwrapKey');
    const inner = await crypto.subtle.importKey('raw', unhex(key), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
    const wrapped = await crypto.subtle.wrapKey('raw', inner, k, 'AES-KW');
    assert.strictEqual(hex(wrapped), want);
    const back = await crypto.subtle.unwrapKey('raw', wrapped, k, 'AES-KW', { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
    assert.strictEqual(hex(await crypto.subtle.exportKey('raw', back)), key);
  },
});
export const kw128 = kw(range(0, 15), '00112233445566778899aabbccddeeff', '1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5');
export const kw256 = kw(range(0, 31), '00112233445566778899aabbccddeeff', '64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7');
export const kw256of256 = kw(range(0, 31), '00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f', '28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21');

// RFC 8032, section 7.1, tests 1 to 3: Ed25519.
const ed25519 = (d, x, message, want) => ({
  async test() {
    const jwk = { kty: 'OKP', crv: 'Ed25519', d: b64(d), x: b64(x) };
    const k = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign']);
    const signature = await crypto.subtle.sign('Ed25519', k, unhex(message));
    assert.strictEqual(hex(signature), want);
    const p = await raw(x, 'Ed25519', 'verify');
    assert.strictEqual(await crypto.subtle.verify('Ed25519', p, signature, unhex(message)), true);
    assert.strictEqual(await crypto.subtle.verify('Ed25519', p, signature, utf8('other')), false);
  },
});
export const ed1 = ed25519('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', '', 'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b');
export const ed2 = ed25519('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', '72', '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00');
export const ed3 = ed25519('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7', 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025', 'af82', '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a');

