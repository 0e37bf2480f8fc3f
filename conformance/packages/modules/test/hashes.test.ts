// The expected digests are those of the standards' own examples ("abc", RFC 4231,
// RFC 6070 with SHA-256, RFC 7914).
import assert from "node:assert";
import { blake2b } from "@noble/hashes/blake2.js";
import { blake3 } from "@noble/hashes/blake3.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { md5, ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { keccak_256, sha3_256 } from "@noble/hashes/sha3.js";
import { bytesToHex as hex, hexToBytes, randomBytes, utf8ToBytes as utf8 } from "@noble/hashes/utils.js";

const abc = utf8("abc");

export const digests = {
  test() {
    assert.strictEqual(hex(sha256(abc)), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert.strictEqual(hex(sha512(abc)).slice(0, 32), "ddaf35a193617abacc417349ae204131");
    assert.strictEqual(hex(sha3_256(abc)), "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
    assert.strictEqual(hex(keccak_256(abc)), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
    assert.strictEqual(hex(blake2b(abc)).slice(0, 32), "ba80a53f981c4d0d6a2797b69f12f6e9");
    assert.strictEqual(hex(blake3(abc)), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
    assert.strictEqual(hex(sha1(abc)), "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert.strictEqual(hex(md5(abc)), "900150983cd24fb0d6963f7d28e17f72");
    assert.strictEqual(hex(ripemd160(abc)), "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc");
  },
};

export const agreesWithWebCrypto = {
  async test() {
    const data = randomBytes(10_000);
    for (const [name, hash] of [["SHA-1", sha1], ["SHA-256", sha256], ["SHA-512", sha512]] as const) {
      assert.strictEqual(hex(hash(data)), hex(new Uint8Array(await crypto.subtle.digest(name, data))));
    }
    const piecewise = sha256.create();
    for (let i = 0; i < data.length; i += 333) piecewise.update(data.subarray(i, i + 333));
    assert.strictEqual(hex(piecewise.digest()), hex(sha256(data)));
  },
};

export const keys = {
  test() {
    assert.strictEqual(hex(hmac(sha256, utf8("Jefe"), utf8("what do ya want for nothing?"))), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    assert.strictEqual(hex(hkdf(sha256, hexToBytes("0b".repeat(22)), hexToBytes("000102030405060708090a0b0c"), hexToBytes("f0f1f2f3f4f5f6f7f8f9"), 42)),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    assert.strictEqual(hex(pbkdf2(sha256, "passwd", "salt", { c: 1, dkLen: 64 })).slice(0, 32), "55ac046e56e3089fec1691c22544b605");
    assert.strictEqual(hex(scrypt("", "", { N: 16, r: 1, p: 1, dkLen: 64 })).slice(0, 32), "77d6576238657b203b19ca42c18a0497");
  },
};
