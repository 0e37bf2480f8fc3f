// Brand checks: what a value is, whatever its prototype or its tag says.
// util.types, the formatter and deep equality all stand on these.
(function (require, host) {
  "use strict";
  const native = require("internal:native");
  const call = Function.prototype.call;
  const uncurry = (fn) => call.bind(fn);
  const getter = (proto, key) => uncurry(Object.getOwnPropertyDescriptor(proto, key).get);

  // A method that throws for the wrong receiver is the only brand check plain
  // JavaScript has; native.brand answers for the kinds that the engine tells.
  // An exception costs more than all the rest, so that objects without a class
  // are not asked; nobody gives a WeakMap the prototype of a plain object.
  function accepts(fn) {
    return (v) => {
      if (brand(v) !== "Object") return false;
      const proto = Object.getPrototypeOf(v);
      if (proto === Object.prototype || proto === null) return false;
      try {
        fn(v);
        return true;
      } catch {
        return false;
      }
    };
  }

  const TypedArray = Object.getPrototypeOf(Uint8Array);
  const typedArrayName = getter(TypedArray.prototype, Symbol.toStringTag);
  const brand = native.brand;
  const branded = (name) => (v) => brand(v) === name;

  const boxes = ["Number", "String", "Boolean", "BigInt", "Symbol"];
  const isNumberObject = branded("Number");
  const isStringObject = branded("String");
  const isBooleanObject = branded("Boolean");
  const isBigIntObject = branded("BigInt");
  const isSymbolObject = branded("Symbol");
  const isTypedArray = (v) => typeof v === "object" && v !== null && typedArrayName(v) !== undefined;
  const isArrayBuffer = branded("ArrayBuffer");
  const isSharedArrayBuffer = () => false; // the engine has none
  const isDataView = accepts(getter(DataView.prototype, "byteLength"));
  const sourceOf = uncurry(Function.prototype.toString);

  function functionKind(v) {
    if (typeof v !== "function" || brand(v) === "Proxy") return "";
    const name = brand(v);
    if (name === "AsyncFunction") return "AsyncFunction";
    if (name === "GeneratorFunction") return "GeneratorFunction";
    // The engine gives async methods the class and prototype of plain ones:
    // only their source tells.
    if (/^(?:static\s+)?async\s+[\w$[#'"]/.test(sourceOf(v))) return "AsyncFunction";
    const proto = Object.getPrototypeOf(v);
    const tag = proto === null ? "" : proto[Symbol.toStringTag];
    if (tag === "AsyncFunction" || tag === "GeneratorFunction" || tag === "AsyncGeneratorFunction") return tag;
    return "Function";
  }

  function isClass(v) {
    if (typeof v !== "function" || brand(v) === "Proxy") return false;
    const src = sourceOf(v);
    return src.startsWith("class") && src.endsWith("}");
  }

  // The engine does not tell these kinds from plain objects; their prototypes
  // are as good a sign as there is.
  const generatorPrototype = Object.getPrototypeOf(function* () {}).prototype;
  const mapIteratorPrototype = Object.getPrototypeOf(new Map().keys());
  const setIteratorPrototype = Object.getPrototypeOf(new Set().keys());
  function inherits(v, proto) {
    return typeof v === "object" && v !== null && Object.prototype.isPrototypeOf.call(proto, v);
  }

  const typed = (name) => (v) => isTypedArray(v) && typedArrayName(v) === `${name}Array`;

  // In the order of the real runtime, which listings show.
  const types = {
    isCryptoKey: (v) => typeof CryptoKey === "function" && v instanceof CryptoKey,
    isKeyObject: () => false,
    isAsyncFunction: (v) => /^Async/.test(functionKind(v)),
    isGeneratorFunction: (v) => /GeneratorFunction$/.test(functionKind(v)),
    isGeneratorObject: (v) => brand(v) !== "Proxy" && inherits(v, generatorPrototype),
    isAnyArrayBuffer: (v) => isArrayBuffer(v) || isSharedArrayBuffer(v),
    isArrayBuffer,
    isArgumentsObject: branded("Arguments"),
    isBoxedPrimitive: (v) => boxes.includes(brand(v)),
    isDataView,
    isMap: branded("Map"),
    isMapIterator: (v) => brand(v) !== "Proxy" && inherits(v, mapIteratorPrototype),
    isModuleNamespaceObject: (v) =>
      typeof v === "object" && v !== null && brand(v) !== "Proxy" &&
      Object.getOwnPropertyDescriptor(v, Symbol.toStringTag)?.value === "Module" &&
      Object.getPrototypeOf(v) === null,
    isNativeError: branded("Error"),
    isPromise: branded("Promise"),
    isProxy: branded("Proxy"),
    isSet: branded("Set"),
    isSetIterator: (v) => brand(v) !== "Proxy" && inherits(v, setIteratorPrototype),
    isSharedArrayBuffer,
    isWeakMap: accepts((v) => WeakMap.prototype.has.call(v, v)),
    isWeakSet: accepts((v) => WeakSet.prototype.has.call(v, v)),
    isRegExp: branded("RegExp"),
    isDate: branded("Date"),
    isStringObject,
    isSymbolObject,
    isNumberObject,
    isBooleanObject,
    isBigIntObject,
    isArrayBufferView: ArrayBuffer.isView,
    isBigInt64Array: typed("BigInt64"),
    isBigUint64Array: typed("BigUint64"),
    isFloat16Array: typed("Float16"),
    isFloat32Array: typed("Float32"),
    isFloat64Array: typed("Float64"),
    isInt8Array: typed("Int8"),
    isInt16Array: typed("Int16"),
    isInt32Array: typed("Int32"),
    isTypedArray,
    isUint8Array: typed("Uint8"),
    isUint8ClampedArray: typed("Uint8Clamped"),
    isUint16Array: typed("Uint16"),
    isUint32Array: typed("Uint32"),
    isExternal: () => false,
  };

  return {
    types,
    functionKind,
    isClass,
    sourceOf,
    typedArrayName,
    mapSize: getter(Map.prototype, "size"),
    setSize: getter(Set.prototype, "size"),
    // Own keys that are not array indices, as in arrays' extra properties.
    extraKeys(v, symbols) {
      const keys = Object.keys(v).filter((k) => !isIndex(k));
      return symbols ? keys.concat(enumerableSymbols(v)) : keys;
    },
    enumerableSymbols,
    isIndex,
  };

  function enumerableSymbols(v) {
    const all = Object.getOwnPropertySymbols(v);
    return all.length === 0 ? all : all.filter((s) => Object.prototype.propertyIsEnumerable.call(v, s));
  }

  function isIndex(key) {
    if (typeof key !== "string" || key.length === 0 || key.length > 10) return false;
    const n = +key;
    return n >= 0 && n < 4294967295 && String(n >>> 0) === key;
  }
})
