// node:path for "/".
(function (require, host) {
  "use strict";
  return {
    make({ needString, dots, format, extensionStart, withoutSuffix }) {
      function normalize(path) {
        needString(path, "path");
        if (path === "") return ".";
        const absolute = path[0] === "/";
        const trailing = path.endsWith("/");
        let out = dots(path.split("/"), absolute).join("/");
        if (out === "") {
          if (absolute) return "/";
          return trailing ? "./" : ".";
        }
        if (trailing) out += "/";
        return absolute ? `/${out}` : out;
      }

      function join(...args) {
        for (const arg of args) needString(arg, "path");
        const joined = args.filter((a) => a !== "").join("/");
        return joined === "" ? "." : normalize(joined);
      }

      function resolve(...args) {
        let path = "";
        for (let i = args.length - 1; i >= -1 && path[0] !== "/"; i--) {
          const part = i >= 0 ? args[i] : "/";
          if (i >= 0) needString(part, `paths[${i}]`);
          if (part !== "") path = path === "" ? part : `${part}/${path}`;
        }
        return `/${dots(path.split("/"), true).join("/")}`;
      }

      function relative(from, to) {
        needString(from, "from");
        needString(to, "to");
        if (from === to) return "";
        const a = resolve(from).split("/").filter((p) => p !== "");
        const b = resolve(to).split("/").filter((p) => p !== "");
        let same = 0;
        while (same < a.length && same < b.length && a[same] === b[same]) same++;
        return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
      }

      // trim drops the separators at the end of a path.
      function trim(path) {
        let end = path.length;
        while (end > 1 && path[end - 1] === "/") end--;
        return path.slice(0, end);
      }

      function dirname(path) {
        needString(path, "path");
        if (path === "") return ".";
        const p = trim(path);
        const cut = p.lastIndexOf("/");
        if (cut < 0) return ".";
        if (cut === 0) return "/";
        if (cut === 1 && p[0] === "/") return "//";
        return p.slice(0, cut);
      }

      function basename(path, suffix) {
        if (suffix !== undefined) needString(suffix, "ext");
        needString(path, "path");
        const p = trim(path);
        const base = p === "/" ? "" : p.slice(p.lastIndexOf("/") + 1);
        return path === suffix ? "" : withoutSuffix(base, suffix);
      }

      function extname(path) {
        needString(path, "path");
        const base = basename(path);
        return base.slice(extensionStart(base));
      }

      function parse(path) {
        needString(path, "path");
        const root = path[0] === "/" ? "/" : "";
        const p = trim(path);
        const base = basename(path);
        const cut = p.lastIndexOf("/");
        const dir = cut > 0 ? p.slice(0, cut) : root;
        const start = extensionStart(base);
        return { root, dir, base, ext: base.slice(start), name: base.slice(0, start) };
      }

      return {
        resolve, normalize, join, relative, dirname, basename, extname, parse,
        isAbsolute(path) {
          needString(path, "path");
          return path[0] === "/";
        },
        toNamespacedPath: (path) => path,
        format: (obj) => format("/", obj),
        sep: "/",
        delimiter: ":",
      };
    },
  };
})
