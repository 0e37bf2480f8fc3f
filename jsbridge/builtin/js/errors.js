// Errors with codes, as the node: modules throw them.
(function (require, host) {
  "use strict";

  // Only a TypeError's code shows in String(err) through a property of its own,
  // a RangeError's not at all: odd, but what the real runtime does.
  function coded(Base) {
    const Coded = class extends Base {
      constructor(code, message) {
        super(message);
        this.code = code;
        this.name = Base.name;
        if (Base === TypeError) {
          this.toString = function () {
            return `${this.name} [${code}]: ${this.message}`;
          };
        }
        Object.defineProperty(this, "constructor", { value: Base, enumerable: false, configurable: true, writable: true });
      }
    };
    if (Base === Error) {
      Object.defineProperty(Coded.prototype, "toString", {
        value() {
          return `${this.name} [${this.code}]: ${this.message}`;
        },
        enumerable: false, configurable: true, writable: true,
      });
    }
    return Coded;
  }
  const NodeError = coded(Error);
  const NodeTypeError = coded(TypeError);
  const NodeRangeError = coded(RangeError);

  // received describes a bad argument the way the messages do.
  function received(value) {
    if (value === null || value === undefined) return ` Received ${value}`;
    const { inspect } = require("internal:inspect");
    if (typeof value === "function" && value.name) return ` Received function ${value.name}`;
    if (typeof value === "object") {
      if (value.constructor && value.constructor.name) return ` Received an instance of ${value.constructor.name}`;
      return ` Received ${inspect(value, { depth: -1 })}`;
    }
    let text = inspect(value, { colors: false });
    if (text.length > 28) text = `${text.slice(0, 25)}...`;
    return ` Received type ${typeof value} (${text})`;
  }

  function outOfRange(name, range, value) {
    const { inspect } = require("internal:inspect");
    return new NodeRangeError("ERR_OUT_OF_RANGE",
      `The value of "${name}" is out of range. It must be ${range}. Received ${inspect(value)}`);
  }

  return { outOfRange, NodeError, NodeTypeError, NodeRangeError, received };
})
