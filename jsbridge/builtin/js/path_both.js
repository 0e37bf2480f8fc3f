// The two flavours of node:path put together: each knows the other.
(function (require, host) {
  "use strict";
  const { NodeError, NodeTypeError, received } = require("internal:errors");

  function needString(value, name) {
    if (typeof value !== "string") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type string.${received(value)}`);
    }
  }

  function needObject(value, name) {
    if (value === null || typeof value !== "object") {
      throw new NodeTypeError("ERR_INVALID_ARG_TYPE", `The "${name}" argument must be of type object.${received(value)}`);
    }
  }

  function matchesGlob() {
    throw new NodeError("ERR_METHOD_NOT_IMPLEMENTED", "The path.matchesGlob method is not implemented");
  }

  // dots takes "." and ".." out of the parts of a path; what climbs above the
  // start is kept only where the path is relative.
  function dots(parts, absolute) {
    const out = [];
    for (const part of parts) {
      if (part === "" || part === ".") continue;
      if (part !== "..") out.push(part);
      else if (out.length > 0 && out[out.length - 1] !== "..") out.pop();
      else if (!absolute) out.push("..");
    }
    return out;
  }

  function format(sep, obj) {
    needObject(obj, "pathObject");
    const dir = obj.dir || obj.root;
    let { ext } = obj;
    if (ext && ext[0] !== ".") ext = `.${ext}`;
    const base = obj.base || `${obj.name || ""}${ext || ""}`;
    if (!dir) return base;
    return dir === obj.root ? `${dir}${base}` : `${dir}${sep}${base}`;
  }

  // extensionStart is where the extension of a last component begins, or its
  // length when it has none: ".bashrc" and ".." have none.
  function extensionStart(base) {
    const dot = base.lastIndexOf(".");
    if (dot <= 0 || base === "..") return base.length;
    return dot;
  }

  function withoutSuffix(base, suffix) {
    return suffix !== undefined && suffix !== base && base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base;
  }

  const tools = { needString, needObject, dots, format, extensionStart, withoutSuffix };
  const posix = Object.assign({}, require("internal:path_unix").make(tools), { matchesGlob });
  const win32 = Object.assign({}, require("internal:path_windows").make(tools), { matchesGlob });
  const order = ["resolve", "normalize", "isAbsolute", "join", "relative", "toNamespacedPath", "dirname", "basename",
    "extname", "format", "parse", "matchesGlob", "sep", "delimiter"];
  function arrange(flavour) {
    const out = {};
    for (const name of order) out[name] = flavour[name];
    return out;
  }
  const p = arrange(posix);
  const w = arrange(win32);
  for (const o of [p, w]) Object.assign(o, { win32: w, posix: p });
  return {
    posix: Object.assign({}, p, { default: p }),
    win32: Object.assign({}, w, { default: w }),
  };
})
