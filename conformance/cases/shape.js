// Shared by the cases: how an object looks from outside.

function describe(value) {
  if (typeof value === 'function') return `function ${value.name}/${value.length}`;
  if (typeof value === 'object' && value !== null) return 'object';
  return String(value);
}

// properties lists the own properties of an object, sorted: name, flags
// (writable, enumerable, configurable) and what the property is. Symbols that
// are not the language's own are private to a runtime and left out.
export function properties(object) {
  const lines = [];
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key === 'symbol' && !String(key).startsWith('Symbol(Symbol.')) continue;
    const d = Object.getOwnPropertyDescriptor(object, key);
    const flags = (d.writable ? 'w' : '') + (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '');
    const what = 'value' in d ? (key === 'prototype' ? 'object' : describe(d.value)) : (d.get ? 'get' : '') + (d.set ? ' set' : '');
    lines.push(`${String(key)} [${flags}] ${what}`);
  }
  return lines.sort();
}

// shape describes a class: its static properties, those of its prototype, what
// both inherit from, and what becomes of a call and of a construction without
// arguments.
export function shape(Class) {
  const outcome = (action) => {
    try {
      action();
      return 'ok';
    } catch (e) {
      return `${e.name}: ${e.message}`;
    }
  };
  return {
    static: properties(Class),
    prototype: properties(Class.prototype),
    inherits: Object.getPrototypeOf(Class.prototype)?.constructor.name,
    call: outcome(() => Class()),
    construct: outcome(() => new Class()),
  };
}
