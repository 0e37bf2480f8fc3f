// Renders any value as one line of text, the same way on every engine, so that
// answers of two runtimes can be compared as strings.
function show(v, depth = 0) {
  if (v === null) return 'null';
  switch (typeof v) {
    case 'undefined': return 'undefined';
    case 'string': return JSON.stringify(v);
    case 'bigint': return v + 'n';
    case 'symbol': return v.toString();
    case 'function': return 'function ' + v.name;
    case 'number': return Object.is(v, -0) ? '-0' : String(v);
    case 'boolean': return String(v);
  }
  if (depth > 4) return '...';
  const sub = (x) => show(x, depth + 1);
  if (Array.isArray(v)) return '[' + Array.from(v, sub).join(', ') + ']';
  if (v instanceof Error) {
    const own = Object.keys(v).filter((k) => k !== 'stack').map((k) => k + ': ' + sub(v[k]));
    return v.constructor.name + '(' + v.name + ': ' + v.message + ')' + (own.length ? '{' + own.join(', ') + '}' : '');
  }
  if (v instanceof ArrayBuffer) return 'ArrayBuffer[' + Array.from(new Uint8Array(v)).join(' ') + ']';
  if (ArrayBuffer.isView(v)) return v.constructor.name + '[' + Array.from(v).join(' ') + ']';
  const proto = Object.getPrototypeOf(v);
  if (proto === Object.prototype || proto === null) {
    return '{' + Object.keys(v).map((k) => k + ': ' + sub(v[k])).join(', ') + '}';
  }
  if (v instanceof Headers || v instanceof URLSearchParams || v instanceof FormData) {
    return v.constructor.name + show([...v], depth + 1);
  }
  if (v instanceof File) return 'File(' + v.name + ' ' + v.size + ' ' + v.type + ')';
  if (v instanceof Blob) return 'Blob(' + v.size + ' ' + v.type + ')';
  if (v instanceof URL) return 'URL(' + v.href + ')';
  return Object.prototype.toString.call(v);
}

async function runCases(cases, out) {
  for (const [name, fn] of cases) {
    let text;
    try {
      text = show(await fn());
    } catch (e) {
      text = 'throws ' + show(e);
    }
    out(name, text);
  }
}

// Helpers for the snippets about streams.
const utf8 = (s) => new TextEncoder().encode(s);
const streamOf = (...chunks) => new ReadableStream({ start(c) { for (const x of chunks) c.enqueue(x); c.close(); } });
async function all(stream) {
  const out = [];
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return out;
    out.push(value);
  }
}
