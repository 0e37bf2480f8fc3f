// The escape codes of util.inspect.colors and the style of each kind of value.
(function (require, host) {
  "use strict";
  const colors = Object.create(null);
  const add = (names, from, off) => names.forEach((name, i) => { colors[name] = [from + i, off]; });
  colors.reset = [0, 0];
  colors.bold = [1, 22];
  colors.dim = [2, 22];
  colors.italic = [3, 23];
  colors.underline = [4, 24];
  colors.blink = [5, 25];
  colors.inverse = [7, 27];
  colors.hidden = [8, 28];
  colors.strikethrough = [9, 29];
  colors.doubleunderline = [21, 24];
  const base = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
  const upper = (s) => s[0].toUpperCase() + s.slice(1);
  add(base, 30, 39);
  add(base.map((n) => `bg${upper(n)}`), 40, 49);
  colors.framed = [51, 54];
  colors.overlined = [53, 55];
  colors.gray = [90, 39];
  add(base.slice(1).map((n) => `${n}Bright`), 91, 39);
  colors.bgGray = [100, 49];
  add(base.slice(1).map((n) => `bg${upper(n)}Bright`), 101, 49);

  // Old names that still work; they do not show up in a listing.
  function alias(target, name) {
    Object.defineProperty(colors, name, {
      get() { return this[target]; },
      set(v) { this[target] = v; },
      configurable: true,
      enumerable: false,
    });
  }
  alias("gray", "grey");
  alias("gray", "blackBright");
  alias("bgGray", "bgGrey");
  alias("bgGray", "bgBlackBright");
  alias("dim", "faint");
  alias("strikethrough", "crossedout");
  alias("strikethrough", "strikeThrough");
  alias("strikethrough", "crossedOut");
  alias("hidden", "conceal");
  alias("inverse", "swapColors");
  alias("inverse", "swapcolors");
  alias("doubleunderline", "doubleUnderline");

  const styles = Object.assign(Object.create(null), {
    special: "cyan",
    number: "yellow",
    bigint: "yellow",
    boolean: "yellow",
    undefined: "grey",
    null: "bold",
    string: "green",
    symbol: "green",
    date: "magenta",
    regexp: "red",
    module: "underline",
  });
  return { colors, styles };
})
