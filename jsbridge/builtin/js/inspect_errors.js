// How errors look to the formatter: the stack in the form the real runtime
// gives it, with the error's class named and its lines indented.
(function (require, host) {
  "use strict";

  // The engine writes frames as "\tat f (file:1:2(34))"; people and tools
  // expect "    at f (file:1:2)".
  function frames(stack) {
    return stack.replace(/\n\tat ([^\n]*)/g, (_, frame) =>
      `\n    at ${frame.replace(/\((\d+)\)(\)?)$/, "$2")}`).replace(/\n+$/, "");
  }

  function stackOf(err) {
    let stack;
    try {
      stack = err.stack;
    } catch {
      stack = undefined;
    }
    if (stack) return frames(String(stack));
    try {
      return Error.prototype.toString.call(err);
    } catch {
      return "[object Error]";
    }
  }

  // A property whose text the stack already shows is not listed again.
  function dropShown(ctx, keys, err, stack) {
    if (ctx.showHidden || keys.length === 0) return;
    for (const name of ["name", "message", "stack"]) {
      const i = keys.indexOf(name);
      if (i >= 0 && (typeof err[name] !== "string" || stack.includes(err[name]))) keys.splice(i, 1);
    }
  }

  // The first line of a stack is made when the error is: a class that sets no
  // name of its own, or a name set later, has to be put in.
  function withName(stack, ctor, err, tag) {
    let name = "Error";
    try {
      if (err.name !== undefined && err.name !== null) name = String(err.name);
    } catch {}
    // Only what looks like the start of a regular error is touched: a stack may
    // hold anything.
    let shown = name;
    if (ctor === null) {
      const m = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) || /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
      shown = (m && m[1]) || "";
    } else if (!name.endsWith("Error") || !stack.startsWith(name) || !/^(?:[:\n]|$)/.test(stack.slice(name.length))) {
      return stack;
    }
    const rest = stack.slice(shown.length);
    let wanted = ctor === null ? `[${shown || "Error"}: null prototype]` : ctor;
    if (tag !== "" && tag !== ctor) wanted += ` [${tag}]`;
    if (wanted === name) return stack;
    if (!wanted.includes(name)) return `${wanted} [${name}]${rest}`;
    return shown === "" ? `${wanted}: ${stack}` : wanted + rest;
  }

  function formatError(ctx, err, ctor, tag, keys) {
    let stack = stackOf(err);
    dropShown(ctx, keys, err, stack);
    for (const extra of ["cause", "errors"]) {
      if (Object.prototype.hasOwnProperty.call(err, extra) && !keys.includes(extra) &&
        (extra !== "errors" || Array.isArray(err.errors))) keys.push(extra);
    }
    stack = withName(stack, ctor, err, tag);
    const pos = err.message && typeof err.message === "string" ? stack.indexOf(err.message) : -1;
    const from = pos >= 0 ? pos + err.message.length : 0;
    if (stack.indexOf("\n    at", from) < 0) stack = `[${stack}]`;
    if (ctx.indent !== 0) stack = stack.replaceAll("\n", `\n${" ".repeat(ctx.indent)}`);
    return stack;
  }

  return { formatError, frames };
})
