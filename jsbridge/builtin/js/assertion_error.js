// assert.AssertionError: the message is made from the operator and the two
// values when none is given.
(function (require, host) {
  "use strict";
  const { inspect } = require("internal:inspect");
  const { headlines, show, stacked } = require("internal:assert_diff");
  const { NodeTypeError, received } = require("internal:errors");

  function generated(actual, expected, operator) {
    switch (operator) {
      case "deepStrictEqual":
      case "strictEqual":
        return stacked(actual, expected, operator);
      case "notDeepStrictEqual":
      case "notStrictEqual": {
        let head = headlines[operator];
        const lines = show(actual).split("\n");
        if (operator === "notStrictEqual" && ((typeof actual === "object" && actual !== null) || typeof actual === "function")) {
          head = headlines.notStrictEqualObject;
        }
        if (lines.length > 50) lines.splice(46, lines.length, "...");
        return lines.length === 1 ? `${head}${lines[0].length > 5 ? "\n\n" : " "}${lines[0]}` : `${head}\n\n${lines.join("\n")}\n`;
      }
    }
    let a = show(actual);
    let b = show(expected);
    if (a.length > 512) a = `${a.slice(0, 509)}...`;
    if (b.length > 512) b = `${b.slice(0, 509)}...`;
    if (operator === "deepEqual") return `${headlines.deepEqual}\n\n${a}\n\nshould loosely deep-equal\n\n${b}`;
    if (operator === "notDeepEqual") return `${headlines.notDeepEqual}\n\n${a}\n\nshould not loosely deep-equal\n\n${b}`;
    return `${a} ${operator} ${b}`;
  }

  class AssertionError extends Error {
    constructor(options) {
      if (typeof options !== "object" || options === null) {
        throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
          `The "options" argument must be of type object.${received(options)}`);
      }
      const { message, operator, actual, expected } = options;
      super(message !== undefined && message !== null ? String(message) : generated(actual, expected, operator));
      this.generatedMessage = !message;
      Object.defineProperty(this, "name", { value: "AssertionError", enumerable: false, writable: true, configurable: true });
      this.code = "ERR_ASSERTION";
      this.actual = actual;
      this.expected = expected;
      this.operator = operator;
      // The first line of a stack names the code, as in every error with one.
      if (typeof this.stack === "string") {
        const rest = this.stack.indexOf(this.message) + this.message.length;
        const frames = this.stack.slice(Math.max(rest, 0));
        Object.defineProperty(this, "stack", {
          value: `AssertionError [ERR_ASSERTION]: ${this.message}${frames}`,
          enumerable: false, writable: true, configurable: true,
        });
      }
      if (typeof Error.captureStackTrace === "function" && typeof options.stackStartFn === "function") {
        Error.captureStackTrace(this, options.stackStartFn);
      }
    }

    toString() {
      return `${this.name} [${this.code}]: ${this.message}`;
    }

    [inspect.custom](depth, options) {
      return inspect(this, Object.assign({}, options, { customInspect: false, depth: 0 }));
    }
  }

  return { AssertionError };
})
