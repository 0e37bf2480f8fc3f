// The value formatter behind console.log and util.inspect: options, the
// recursion with its circular references, and the layout in lines. How each
// kind of object looks is in inspect_kinds.js.
(function (require, host) {
  "use strict";
  const custom = Symbol.for("nodejs.util.inspect.custom");
  const { formatPrimitive, strip, width } = require("internal:inspect_text");
  const kinds = require("internal:inspect_kinds");
  const native = require("internal:native");

  const defaults = {
    showHidden: false,
    depth: 2,
    colors: false,
    customInspect: true,
    showProxy: false,
    maxArrayLength: 100,
    maxStringLength: 10000,
    breakLength: 80,
    compact: 3,
    sorted: false,
    getters: false,
    numericSeparator: false,
  };

  function inspect(value, opts) {
    const ctx = Object.assign({}, defaults);
    ctx.userOptions = undefined;
    if (arguments.length > 1 && typeof opts !== "object") {
      // inspect(value, showHidden, depth, colors), the form of old
      if (typeof opts === "boolean") ctx.showHidden = opts;
      if (arguments[2] !== undefined) ctx.depth = arguments[2];
      if (arguments[3] !== undefined) ctx.colors = arguments[3];
    } else if (opts) {
      for (const key of Object.keys(opts)) {
        if (Object.prototype.hasOwnProperty.call(defaults, key) || key === "stylize") ctx[key] = opts[key];
        else ctx.userOptions = opts;
      }
      ctx.userOptions = opts;
    }
    return run(ctx, value);
  }

  function run(ctx, value) {
    ctx.indent = 0;
    ctx.seen = [];
    ctx.level = 0;
    ctx.circular = undefined;
    ctx.style = ctx.colors ? colorStyle : plainStyle;
    if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
    if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
    ctx.format = formatValue;
    return formatValue(ctx, value, 0, false);
  }

  function plainStyle(text) {
    return text;
  }

  function colorStyle(text, kind) {
    const color = inspect.colors[inspect.styles[kind]];
    return color === undefined ? text : `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
  }

  function formatValue(ctx, value, depth, typed) {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) {
      return formatPrimitive(ctx, value);
    }
    const proxy = native.proxyDetails(value);
    if (proxy !== undefined) {
      if (proxy[0] === null) {
        return ctx.style("<Revoked Proxy>", "special");
      }
      // Look through it: formatting must not run the handler's traps.
      if (ctx.showProxy) return formatProxy(ctx, proxy, depth);
      return `Proxy(${formatValue(ctx, proxy[0], depth)})`;
    }
    if (ctx.customInspect) {
      const method = value[custom];
      if (typeof method === "function" && method !== inspect && ownConstructor(value)?.prototype !== value) {
        const left = ctx.depth === null ? null : ctx.depth - depth;
        const ret = method.call(value, left, publicOptions(ctx), inspect);
        if (ret !== value) {
          if (typeof ret !== "object" || ret === null) {
            return typeof ret === "string" ? ret.replaceAll("\n", `\n${" ".repeat(ctx.indent)}`) : formatValue(ctx, ret, depth);
          }
          return formatValue(ctx, ret, depth);
        }
      }
    }
    if (ctx.seen.includes(value)) {
      if (ctx.circular === undefined) ctx.circular = new Map();
      let index = ctx.circular.get(value);
      if (index === undefined) {
        index = ctx.circular.size + 1;
        ctx.circular.set(value, index);
      }
      return ctx.style(`[Circular *${index}]`, "special");
    }
    return formatObject(ctx, value, depth, typed);
  }

  function ownConstructor(value) {
    return Object.getOwnPropertyDescriptor(value, "constructor")?.value;
  }

  function formatProxy(ctx, proxy, depth) {
    if (ctx.depth !== null && depth > ctx.depth) return ctx.style("Proxy [Array]", "special");
    ctx.indent += 2;
    const parts = [formatValue(ctx, proxy[0], depth + 1), formatValue(ctx, proxy[1], depth + 1)];
    ctx.indent -= 2;
    return layout(ctx, { base: "", open: "Proxy [", close: "]", list: true }, parts, depth + 1);
  }

  function publicOptions(ctx) {
    const out = {
      stylize: ctx.colors ? (v, kind) => colorStyle(String(v), kind) : (v) => String(v),
    };
    for (const key of Object.keys(defaults)) out[key] = ctx[key];
    Object.assign(out, ctx.userOptions);
    return out;
  }

  function formatObject(ctx, value, depth, typed) {
    const shape = kinds.describe(ctx, value, depth, typed);
    if (typeof shape === "string") return shape;
    if (ctx.depth !== null && depth > ctx.depth) {
      const name = shape.prefix(shape.isArray ? "Array" : "Object").slice(0, -1);
      return ctx.style(name.startsWith("[") ? name : `[${name}]`, "special");
    }
    depth++;
    ctx.seen.push(value);
    ctx.level = depth;
    const parts = shape.entries === undefined ? [] : shape.entries(ctx, value, depth);
    for (const key of shape.keys) parts.push(formatProperty(ctx, value, depth, key, shape.list ? 2 : 0));
    ctx.seen.pop();
    if (ctx.circular !== undefined) {
      const index = ctx.circular.get(value);
      if (index !== undefined) {
        const ref = ctx.style(`<ref *${index}>`, "special");
        if (ctx.compact !== true) shape.base = shape.base === "" ? ref : `${ref} ${shape.base}`;
        else shape.open = `${ref} ${shape.open}`;
      }
    }
    if (ctx.sorted) {
      const compare = ctx.sorted === true ? undefined : ctx.sorted;
      if (!shape.list) parts.sort(compare);
      else if (shape.keys.length > 1) {
        const tail = parts.slice(parts.length - shape.keys.length).sort(compare);
        parts.splice(parts.length - shape.keys.length, shape.keys.length, ...tail);
      }
    }
    return layout(ctx, shape, parts, depth, value);
  }

  // mode 0 is a named property, 1 an element of an array, 2 an extra property
  // of an array.
  function formatProperty(ctx, value, depth, key, mode) {
    const desc = Object.getOwnPropertyDescriptor(value, key) ||
      { value: value[key], configurable: true, enumerable: true };
    let text;
    let gap = " ";
    if (desc.value !== undefined) {
      const step = ctx.compact !== true || mode !== 0 ? 2 : 3;
      ctx.indent += step;
      text = formatValue(ctx, desc.value, depth);
      if (step === 3 && ctx.breakLength < width(text, ctx.colors)) gap = `\n${" ".repeat(ctx.indent)}`;
      ctx.indent -= step;
    } else if (desc.get !== undefined) {
      text = formatGetter(ctx, value, depth, key, desc);
    } else if (desc.set !== undefined) {
      text = ctx.style("[Setter]", "special");
    } else {
      text = ctx.style("undefined", "undefined");
    }
    if (mode === 1) return text;
    return `${kinds.propertyName(ctx, key, desc)}:${gap}${text}`;
  }

  function formatGetter(ctx, value, depth, key, desc) {
    const label = desc.set !== undefined ? "Getter/Setter" : "Getter";
    const wanted = ctx.getters === true || (ctx.getters === "get" && desc.set === undefined) ||
      (ctx.getters === "set" && desc.set !== undefined);
    if (!wanted) return ctx.style(`[${label}]`, "special");
    try {
      const got = desc.get.call(value);
      ctx.indent += 2;
      let text;
      if (got === null) text = `${ctx.style(`[${label}:`, "special")} ${ctx.style("null", "null")}${ctx.style("]", "special")}`;
      else if (typeof got === "object") text = `${ctx.style(`[${label}]`, "special")} ${formatValue(ctx, got, depth)}`;
      else text = `${ctx.style(`[${label}:`, "special")} ${formatPrimitive(ctx, got)}${ctx.style("]", "special")}`;
      ctx.indent -= 2;
      return text;
    } catch (err) {
      return ctx.style(`[${label}: <Inspection threw (${err?.message})>]`, "special");
    }
  }

  // Entries go on one line while they are short and not nested deeper than
  // ctx.compact levels; arrays of more than six entries become columns.
  function layout(ctx, shape, parts, depth, value) {
    const { base, open, close } = shape;
    const lead = base === "" ? "" : `${base} `;
    if (ctx.compact !== true) {
      if (typeof ctx.compact === "number" && ctx.compact >= 1) {
        const count = parts.length;
        if (shape.list && count > 6) parts = columns(ctx, parts, value);
        if (ctx.level - depth < ctx.compact && count === parts.length) {
          const start = parts.length + ctx.indent + open.length + base.length + 10;
          if (fits(ctx, parts, start, base)) {
            const joined = parts.join(", ");
            if (!joined.includes("\n")) {
              return `${lead}${open} ${joined} ${close}`;
            }
          }
        }
      }
      const nl = `\n${" ".repeat(ctx.indent)}`;
      return `${lead}${open}${nl}  ${parts.join(`,${nl}  `)}${nl}${close}`;
    }
    if (fits(ctx, parts, 0, base)) return `${open}${base === "" ? "" : ` ${base}`} ${parts.join(", ")} ${close}`;
    const nl = `\n${" ".repeat(ctx.indent)}`;
    const first = base === "" && open.length === 1 ? " " : `${base === "" ? "" : ` ${base}`}\n${nl.slice(1)}  `;
    return `${open}${first}${parts.join(`,${nl}  `)} ${close}`;
  }

  function fits(ctx, parts, start, base) {
    let total = parts.length + start;
    if (total + parts.length > ctx.breakLength) return false;
    for (const part of parts) {
      total += ctx.colors ? strip(part).length : part.length;
      if (total > ctx.breakLength) return false;
    }
    return base === "" || !base.includes("\n");
  }

  // columns packs short entries into aligned rows of roughly square shape.
  function columns(ctx, parts, value) {
    const more = ctx.maxArrayLength < parts.length;
    const count = more ? parts.length - 1 : parts.length;
    const sizes = [];
    let total = 0;
    let longest = 0;
    for (let i = 0; i < count; i++) {
      const len = width(parts[i], ctx.colors);
      sizes.push(len);
      total += len + 2;
      if (len > longest) longest = len;
    }
    const cell = longest + 2;
    if (cell * 3 + ctx.indent >= ctx.breakLength || !(total / cell > 5 || longest <= 6)) return parts;
    const bias = Math.sqrt(cell - total / parts.length);
    const biased = Math.max(cell - 3 - bias, 1);
    const n = Math.min(
      Math.round(Math.sqrt(2.5 * biased * count) / biased),
      Math.floor((ctx.breakLength - ctx.indent) / cell),
      ctx.compact * 4,
      15,
    );
    if (n <= 1) return parts;
    const widths = [];
    for (let i = 0; i < n; i++) {
      let max = 0;
      for (let j = i; j < count; j += n) if (sizes[j] > max) max = sizes[j];
      widths.push(max + 2);
    }
    // Numbers line up at their right edge.
    const right = value !== undefined && Array.prototype.every.call(
      value, (v) => typeof v === "number" || typeof v === "bigint");
    const rows = [];
    for (let i = 0; i < count; i += n) {
      const end = Math.min(i + n, count);
      let row = "";
      let j = i;
      for (; j < end - 1; j++) {
        const pad = " ".repeat(widths[j - i] - sizes[j] - 2);
        row += right ? `${pad}${parts[j]}, ` : `${parts[j]}, ${pad}`;
      }
      row += right ? " ".repeat(Math.max(0, widths[j - i] - 2 - sizes[j])) + parts[j] : parts[j];
      rows.push(row);
    }
    if (more) rows.push(parts[count]);
    return rows;
  }

  inspect.custom = custom;
  Object.defineProperty(inspect, "defaultOptions", {
    get: () => defaults,
    set(options) {
      if (typeof options !== "object" || options === null) {
        throw new (require("internal:errors").NodeTypeError)("ERR_INVALID_ARG_TYPE",
          `The "options" argument must be of type object.${require("internal:errors").received(options)}`);
      }
      for (const key of Object.keys(options)) {
        if (!Object.prototype.hasOwnProperty.call(defaults, key)) {
          throw new TypeError(`Cannot add property ${key}, object is not extensible`);
        }
        defaults[key] = options[key];
      }
    },
  });
  inspect.colors = kinds.colors;
  inspect.styles = kinds.styles;
  kinds.connect({ formatValue, formatProperty, layout });
  return { inspect, formatValue };
})
