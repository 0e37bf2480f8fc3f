// node:string_decoder: text from bytes that come in pieces, where a piece may
// end inside a character.
(function (require, host) {
  "use strict";
  const { Buffer } = require("node:buffer");
  const { encodingOf } = require("internal:buffer_text");
  const { NodeTypeError, received } = require("internal:errors");

  // pending tells how many bytes at the end of buf start a character that is
  // not complete, and how many it needs in all.
  function pending(buf, encoding) {
    const n = buf.length;
    if (encoding === "utf8") {
      for (let back = 1; back <= Math.min(3, n); back++) {
        const c = buf[n - back];
        if ((c & 0xc0) === 0x80) continue;
        const size = c >= 0xf0 && c <= 0xf4 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xc2 && c < 0xe0 ? 2 : 1;
        if (size <= back) return { have: 0, size: 0 };
        // A second byte that cannot follow the first ends the character there.
        if (back > 1 && !follows(c, buf[n - back + 1])) return { have: 0, size: 0 };
        return { have: back, size };
      }
      return { have: 0, size: 0 };
    }
    if (encoding === "utf16le") {
      const odd = n % 2;
      const high = n - odd >= 2 ? buf[n - odd - 1] : 0;
      if (high >= 0xd8 && high <= 0xdb) return { have: 2 + odd, size: 4 };
      return { have: odd, size: odd ? 2 : 0 };
    }
    if (encoding === "base64" || encoding === "base64url") return { have: n % 3, size: n % 3 ? 3 : 0 };
    return { have: 0, size: 0 };
  }

  function follows(first, second) {
    if (first === 0xe0) return second >= 0xa0;
    if (first === 0xed) return second <= 0x9f;
    if (first === 0xf0) return second >= 0x90;
    if (first === 0xf4) return second <= 0x8f;
    return true;
  }

  class StringDecoderImpl {
    constructor(encoding) {
      const name = encodingOf(encoding);
      this.encoding = name;
      this.lastChar = Buffer.alloc(4);
      this.lastNeed = 0;
      this.lastTotal = 0;
    }

    write(buf) {
      if (typeof buf === "string") return buf;
      if (!ArrayBuffer.isView(buf)) {
        throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
          `The "buf" argument must be of type string or an instance of Buffer, TypedArray, or DataView.${received(buf)}`);
      }
      let bytes = Buffer.from(buf.buffer, buf.byteOffset, buf.byteLength);
      const kept = this.lastTotal - this.lastNeed;
      if (kept > 0) bytes = Buffer.concat([this.lastChar.subarray(0, kept), bytes]);
      const { have, size } = pending(bytes, this.encoding);
      const whole = bytes.length - have;
      bytes.copy(this.lastChar, 0, whole);
      this.lastTotal = size;
      this.lastNeed = size - have;
      return bytes.toString(this.encoding, 0, whole);
    }

    end(buf) {
      const head = buf === undefined ? "" : this.write(buf);
      const kept = this.lastTotal - this.lastNeed;
      this.lastTotal = this.lastNeed = 0;
      if (kept === 0) return head;
      return head + this.lastChar.toString(this.encoding, 0, this.encoding === "utf16le" ? kept - (kept % 2) : kept);
    }

    text(buf, offset) {
      this.lastTotal = this.lastNeed = 0;
      return this.write(buf.subarray(offset));
    }
  }

  // Old packages call it without new, and inherit from it with call().
  function StringDecoder(encoding) {
    const made = Reflect.construct(StringDecoderImpl, [encoding], new.target || StringDecoder);
    return new.target ? made : this instanceof StringDecoder ? void Object.assign(this, made) : made;
  }
  StringDecoder.prototype = StringDecoderImpl.prototype;
  Object.defineProperty(StringDecoder.prototype, "constructor", { value: StringDecoder, writable: true, configurable: true });
  return { StringDecoder, default: { StringDecoder } };
})
