// Lists the properties of the built-in objects with their attributes.
const names = ["Object","Function","Array","String","Number","Boolean","Symbol","BigInt","Math","JSON","Reflect","Promise","Proxy","RegExp","Date","Error","AggregateError","EvalError","RangeError","ReferenceError","SyntaxError","TypeError","URIError","SuppressedError","Map","Set","WeakMap","WeakSet","WeakRef","FinalizationRegistry","ArrayBuffer","SharedArrayBuffer","DataView","Atomics","Uint8Array","Int8Array","Uint8ClampedArray","Int16Array","Uint16Array","Int32Array","Uint32Array","Float32Array","Float64Array","Float16Array","BigInt64Array","BigUint64Array","Iterator","AsyncIterator","DisposableStack","AsyncDisposableStack","eval","parseInt","parseFloat","isNaN","isFinite","escape","unescape","encodeURI","decodeURIComponent","globalThis","Infinity","NaN","undefined"];
function dump() {
  const out = []; const seen = new Map();
  const key = k => typeof k === "symbol" ? "@@" + String(k.description).replace(/^Symbol\./,"") : k;
  function attrs(d) { return (d.writable?"w":"-")+(d.enumerable?"e":"-")+(d.configurable?"c":"-"); }
  function val(v) { if (typeof v === "function") return "function " + v.name + "/" + v.length; if (typeof v === "object" && v) return "object"; return typeof v + " " + String(v); }
  function walk(o, path, depth) {
    if (seen.has(o)) return; seen.set(o, path);
    if (depth > 4) return;
    for (const k of Reflect.ownKeys(o)) {
      const d = Object.getOwnPropertyDescriptor(o, k); const p = path + "." + key(k);
      if (typeof o === "function" && (k === "name" || k === "length")) continue;
      if ("value" in d) { out.push(p + " " + attrs(d) + " " + val(d.value)); if (d.value && (typeof d.value === "object" || typeof d.value === "function")) walk(d.value, p, depth+1); }
      else out.push(p + " " + attrs(d) + " get " + (d.get ? val(d.get) : "-") + " set " + (d.set ? val(d.set) : "-"));
    }
    const pr = Object.getPrototypeOf(o); out.push(path + " [[Prototype]] " + (pr === null ? "null" : seen.get(pr) ?? typeof pr));
  }
  walk(Object.prototype, "Object.prototype", 0); walk(Function.prototype, "Function.prototype", 0);
  for (const n of names) { const d = Object.getOwnPropertyDescriptor(globalThis, n); if (!d) { out.push(n + " missing"); continue; }
    const v = globalThis[n]; out.push(n + " " + ("value" in d ? attrs(d) : "accessor") + " " + val(v)); if (v && v !== globalThis && (typeof v === "object" || typeof v === "function")) walk(v, n, 0); }
  const gf = Object.getPrototypeOf(function*(){}); walk(gf, "GeneratorFunction.prototype", 0);
  walk(Object.getPrototypeOf([][Symbol.iterator]()), "ArrayIteratorPrototype", 0);
  walk(Object.getPrototypeOf(async function(){}), "AsyncFunction.prototype", 0);
  walk(Object.getPrototypeOf(new Map()[Symbol.iterator]()), "MapIteratorPrototype", 0);
  walk(Object.getPrototypeOf(/x/[Symbol.matchAll]('x')), "RegExpStringIteratorPrototype", 0);
  walk(Object.getPrototypeOf(""[Symbol.iterator]()), "StringIteratorPrototype", 0);
  return out.sort().join("\n");
}
