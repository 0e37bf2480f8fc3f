// util.styleText.
(function (require, host) {
  "use strict";
  const { inspect } = require("internal:inspect");
  const { colors } = require("internal:inspect_colors");
  const { NodeTypeError, received } = require("internal:errors");

  function styleText(format, text, options) {
    if (typeof text !== "string") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "text" argument must be of type string.${received(text)}`);
    }
    const names = Array.isArray(format) ? format : [format];
    let open = "";
    let close = "";
    for (const name of names) {
      const code = colors[name];
      if (code === undefined) {
        const list = Object.keys(colors).map((k) => `'${k}'`).join(", ");
        throw new NodeTypeError("ERR_INVALID_ARG_VALUE",
          `The argument 'format' must be one of: ${list}. Received ${inspect(name)}`);
      }
      open += `\u001b[${code[0]}m`;
      close = `\u001b[${code[1]}m${close}`;
    }
    // Unless told otherwise it looks at the stream the text is for, and the
    // output of a Worker is no terminal.
    if (options?.validateStream !== false) return text;
    return `${open}${text}${close}`;
  }

  return { styleText };
})
