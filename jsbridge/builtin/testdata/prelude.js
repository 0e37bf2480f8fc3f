// Runs before the snippets, here and on the real runtime.
const { inspect, format, isDeepStrictEqual, types } = util;
const EventEmitter = events.EventEmitter;
const { Buffer } = buffer;
const { AsyncLocalStorage, AsyncResource } = async_hooks;
const { StringDecoder } = string_decoder;

// Frames of a stack differ between engines: one mark stands for all of them.
function noFrames(text) {
  return text.replace(/\n( *)at [^\n]*?( \{)?(?=\n|$)(?:\n *at [^\n]*?( \{)?(?=\n|$))*/g, (m, indent) => `\n${indent}at *${m.endsWith(" {") ? " {" : ""}`);
}

function describeError(e) {
  if (typeof e !== "object" || e === null) return `thrown ${String(e)}`;
  if (e.code === "ERR_ASSERTION") {
    return `${e.name} ${e.operator} generated=${e.generatedMessage}\n${e.message}`;
  }
  return `${e.name} ${e.code}\n${e.message}`;
}

// t runs an assertion and tells how it ended.
function t(fn) {
  try {
    const r = fn();
    if (r && typeof r.then === "function") return r.then(() => "pass", describeError);
    return "pass";
  } catch (e) {
    return describeError(e);
  }
}

async function answer(fn) {
  try {
    const v = await fn();
    return noFrames(typeof v === "string" ? v : inspect(v));
  } catch (e) {
    return noFrames(`threw ${describeError(e)}`);
  }
}
