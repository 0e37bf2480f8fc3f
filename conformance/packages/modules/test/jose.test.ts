// The tokens of RFC 7515, appendix A.1, and of keys made here.
import assert from "node:assert";
import { base64url, calculateJwkThumbprint, CompactEncrypt, compactDecrypt, createLocalJWKSet, decodeJwt, decodeProtectedHeader, EncryptJWT, errors, exportJWK, generateKeyPair, importJWK, jwtDecrypt, jwtVerify, SignJWT } from "jose";

const secret = new Uint8Array(32).fill(7);
const sign = (alg: string, key: any, expires: number | string = "2h") =>
  new SignJWT({ role: "admin" }).setProtectedHeader({ alg }).setSubject("ann").setIssuer("me").setIssuedAt().setExpirationTime(expires).sign(key);

export const sharedSecret = {
  async test() {
    const token = await sign("HS256", secret);
    assert.deepStrictEqual(decodeProtectedHeader(token), { alg: "HS256" });
    assert.strictEqual(decodeJwt(token).sub, "ann");
    const { payload } = await jwtVerify(token, secret, { issuer: "me" });
    assert.strictEqual(payload.role, "admin");
    assert.strictEqual(payload.exp! - payload.iat!, 7200);
    const forged = token.slice(0, -4) + (token.endsWith("AAAA") ? "BBBB" : "AAAA");
    await assert.rejects(jwtVerify(forged, secret), errors.JWSSignatureVerificationFailed);
    await assert.rejects(jwtVerify(token, secret, { issuer: "you" }), { code: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim: "iss" });
    await assert.rejects(jwtVerify(await sign("HS256", secret, 1), secret), { code: "ERR_JWT_EXPIRED" });
  },
};

export const rfc7515 = {
  async test() {
    const token = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const key = await importJWK({ kty: "oct", k: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow" }, "HS256");
    const { payload } = await jwtVerify(token, key, { currentDate: new Date(1_300_000_000_000) });
    assert.strictEqual(payload["http://example.com/is_root"], true);
  },
};

export const keyPairs = {
  async test() {
    for (const alg of ["ES256", "ES384", "EdDSA", "PS256", "RS256"]) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      const token = await sign(alg, privateKey);
      assert.strictEqual((await jwtVerify(token, publicKey)).payload.sub, "ann");
      const jwk = { ...(await exportJWK(publicKey)), alg, kid: "k1" };
      assert.strictEqual("d" in jwk, false);
      const keys = createLocalJWKSet({ keys: [jwk] });
      assert.strictEqual((await jwtVerify(token, keys)).protectedHeader.alg, alg);
      assert.match(await calculateJwkThumbprint(jwk), /^[\w-]{43}$/);
    }
  },
};

export const encryption = {
  async test() {
    const sealed = await new CompactEncrypt(new TextEncoder().encode("attack at dawn")).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(secret);
    assert.strictEqual(sealed.split(".").length, 5);
    assert.strictEqual(new TextDecoder().decode((await compactDecrypt(sealed, secret)).plaintext), "attack at dawn");
    const jwt = await new EncryptJWT({ a: 1 }).setProtectedHeader({ alg: "A256KW", enc: "A128CBC-HS256" }).encrypt(secret);
    assert.strictEqual((await jwtDecrypt(jwt, secret)).payload.a, 1);
    for (const alg of ["RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW"]) {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      const box = await new CompactEncrypt(new Uint8Array([1, 2, 3])).setProtectedHeader({ alg, enc: "A128GCM" }).encrypt(publicKey);
      assert.deepStrictEqual([...(await compactDecrypt(box, privateKey)).plaintext], [1, 2, 3]);
    }
    await assert.rejects(compactDecrypt(sealed, new Uint8Array(32)), errors.JWEDecryptionFailed);
  },
};

export const base64 = {
  test() {
    assert.strictEqual(base64url.encode(new Uint8Array([251, 255, 191])), "-_-_");
    assert.deepStrictEqual([...base64url.decode("-_-_")], [251, 255, 191]);
  },
};
