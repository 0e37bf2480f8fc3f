// The numeric reads and writes of Buffer, made from one table.
(function (require, host) {
  "use strict";
  const { NodeRangeError, NodeTypeError, outOfRange, received } = require("internal:errors");

  function needNumber(value, name) {
    if (typeof value !== "number") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type number.${received(value)}`);
    }
  }

  // place checks that size bytes fit at an offset.
  function place(buf, offset, size) {
    needNumber(offset, "offset");
    if (!Number.isInteger(offset)) throw outOfRange("offset", "an integer", offset);
    if (offset < 0) throw outOfRange("offset", `>= 0 && <= ${buf.length}`, offset);
    if (size > buf.length) throw new NodeRangeError("ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
    if (offset + size > buf.length) throw outOfRange("offset", `>= 0 and <= ${buf.length - size}`, offset);
  }

  function needLength(n) {
    needNumber(n, "byteLength");
    if (!Number.isInteger(n)) throw outOfRange("byteLength", "an integer", n);
    if (n < 1 || n > 6) throw outOfRange("byteLength", ">= 1 and <= 6", n);
  }

  const view = (buf) => new DataView(buf.buffer, buf.byteOffset, buf.length);

  function needValue(value, min, max) {
    if (value > max || value < min) throw outOfRange("value", `>= ${min} and <= ${max}`, value);
  }

  const methods = Object.create(null);
  function alias(name) {
    if (name.includes("UInt")) methods[name.replace("UInt", "Uint")] = methods[name];
  }

  // Fixed sizes: the DataView method, bytes, and the range of a written value.
  const fixed = [
    ["UInt8", "Uint8", 1, 0, 255], ["Int8", "Int8", 1, -128, 127],
    ["UInt16", "Uint16", 2, 0, 65535], ["Int16", "Int16", 2, -32768, 32767],
    ["UInt32", "Uint32", 4, 0, 4294967295], ["Int32", "Int32", 4, -2147483648, 2147483647],
    ["BigUInt64", "BigUint64", 8], ["BigInt64", "BigInt64", 8],
    ["Float", "Float32", 4], ["Double", "Float64", 8],
  ];
  for (const [name, dv, size, min, max] of fixed) {
    for (const end of size === 1 ? [""] : ["LE", "BE"]) {
      const little = end === "LE";
      const get = DataView.prototype[`get${dv}`];
      const put = DataView.prototype[`set${dv}`];
      const read = `read${name}${end}`;
      const write = `write${name}${end}`;
      methods[read] = {
        [read](offset = 0) {
          place(this, offset, size);
          return get.call(view(this), offset, little);
        },
      }[read];
      methods[write] = {
        [write](value, offset = 0) {
          if (min !== undefined) {
            value = +value;
            place(this, offset, size);
            needValue(value, min, max);
          } else {
            if (name === "BigUInt64" && (value < 0n || value >= 2n ** 64n)) throw bigRange(">= 0n and < 2n ** 64n", value);
            if (name === "BigInt64" && (value < -(2n ** 63n) || value >= 2n ** 63n)) {
              throw bigRange(">= -(2n ** 63n) and < 2 ** 63n", value);
            }
            place(this, offset, size);
          }
          put.call(view(this), offset, value, little);
          return offset + size;
        },
      }[write];
      alias(read);
      alias(write);
    }
  }

  function bigRange(range, value) {
    const { inspect } = require("internal:inspect");
    const shown = value > 2n ** 32n || value < -(2n ** 32n) ? inspect(value, { numericSeparator: true }) : inspect(value);
    return new NodeRangeError("ERR_OUT_OF_RANGE", `The value of "value" is out of range. It must be ${range}. Received ${shown}`);
  }

  // Any size from one to six bytes.
  for (const signed of [false, true]) {
    for (const end of ["LE", "BE"]) {
      const kind = `${signed ? "Int" : "UInt"}${end}`;
      const at = (offset, n, i) => (end === "LE" ? offset + n - 1 - i : offset + i);
      const read = `read${kind}`;
      const write = `write${kind}`;
      methods[read] = {
        [read](offset, byteLength) {
          if (offset === undefined) needNumber(offset, "offset");
          needLength(byteLength);
          place(this, offset, byteLength);
          let v = 0;
          for (let i = 0; i < byteLength; i++) v = v * 256 + this[at(offset, byteLength, i)];
          return signed && v >= 2 ** (8 * byteLength - 1) ? v - 2 ** (8 * byteLength) : v;
        },
      }[read];
      methods[write] = {
        [write](value, offset, byteLength) {
          needLength(byteLength);
          value = +value;
          place(this, offset, byteLength);
          if (signed) needValue(value, -(2 ** (8 * byteLength - 1)), 2 ** (8 * byteLength - 1) - 1);
          else needValue(value, 0, 2 ** (8 * byteLength) - 1);
          let v = value < 0 ? value + 2 ** (8 * byteLength) : Math.trunc(value);
          for (let i = byteLength - 1; i >= 0; i--) {
            this[at(offset, byteLength, i)] = v % 256;
            v = Math.floor(v / 256);
          }
          return offset + byteLength;
        },
      }[write];
      alias(read);
      alias(write);
    }
  }
  return { methods };
})
