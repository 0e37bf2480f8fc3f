// node:path for Windows: "\" and "/" both separate, and a path may start with
// a drive ("C:") or a share ("\\server\share").
(function (require, host) {
  "use strict";
  const isSep = (c) => c === "/" || c === "\\";
  const isLetter = (c) => c !== undefined && /^[A-Za-z]$/.test(c);

  // split takes a path apart: device is "", "C:" or "\\server\share"; rooted
  // tells whether a separator follows it; rest is the remainder.
  function split(path) {
    if (isSep(path[0])) {
      const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path);
      if (share) {
        const device = `\\\\${share[1]}\\${share[2]}`;
        let i = share[0].length;
        while (isSep(path[i])) i++;
        return { device, raw: share[0], rooted: true, unc: true, start: i, rest: path.slice(i) };
      }
      let i = 0;
      while (isSep(path[i])) i++;
      return { device: "", raw: "", rooted: true, unc: false, start: 1, rest: path.slice(i) };
    }
    if (isLetter(path[0]) && path[1] === ":") {
      const rooted = isSep(path[2]);
      let i = 2;
      while (isSep(path[i])) i++;
      return { device: path.slice(0, 2), raw: path.slice(0, 2), rooted, unc: false, start: rooted ? 3 : 2, rest: path.slice(i) };
    }
    return { device: "", raw: "", rooted: false, unc: false, start: 0, rest: path };
  }

  return {
    make({ needString, dots, format, extensionStart, withoutSuffix }) {
      const pieces = (text) => text.split(/[\\/]/);

      function normalize(path) {
        needString(path, "path");
        if (path === "") return ".";
        if (path.length === 1) return isSep(path) ? "\\" : path;
        const { device, rooted, unc, rest } = split(path);
        let tail = dots(pieces(rest), rooted).join("\\");
        if (tail === "" && !rooted) tail = ".";
        if (tail !== "" && isSep(path[path.length - 1])) tail += "\\";
        if (unc) return `${device}\\${tail}`;
        return `${device}${rooted ? "\\" : ""}${tail}`;
      }

      function join(...args) {
        for (const arg of args) needString(arg, "path");
        const parts = args.filter((a) => a !== "");
        if (parts.length === 0) return ".";
        let joined = parts.join("\\");
        // Only a first part that is a share itself may make a share.
        const first = parts[0];
        const share = isSep(first[0]) && isSep(first[1]) && first.length > 2 && !isSep(first[2]);
        if (!share) {
          let i = 0;
          while (isSep(joined[i])) i++;
          if (i >= 2) joined = `\\${joined.slice(i)}`;
        }
        return normalize(joined);
      }

      function resolve(...args) {
        let device = "";
        let tail = "";
        let rooted = false;
        for (let i = args.length - 1; i >= -1; i--) {
          let path;
          if (i >= 0) {
            path = args[i];
            needString(path, `paths[${i}]`);
            if (path === "") continue;
          } else path = device === "" ? "/" : `${device}\\`;
          const s = split(path);
          if (s.device !== "") {
            if (device === "") device = s.device;
            else if (s.device.toLowerCase() !== device.toLowerCase()) continue;
          }
          if (rooted) {
            if (device !== "") break;
          } else {
            tail = `${s.rest}\\${tail}`;
            rooted = s.rooted;
            if (rooted && device !== "") break;
          }
        }
        const text = dots(pieces(tail), rooted).join("\\");
        return rooted ? `${device}\\${text}` : `${device}${text}` || ".";
      }

      function relative(from, to) {
        needString(from, "from");
        needString(to, "to");
        if (from === to) return "";
        const fromFull = resolve(from);
        const toFull = resolve(to);
        if (fromFull.toLowerCase() === toFull.toLowerCase()) return "";
        const a = fromFull.split("\\").filter((p) => p !== "");
        const b = toFull.split("\\").filter((p) => p !== "");
        let same = 0;
        while (same < a.length && same < b.length && a[same].toLowerCase() === b[same].toLowerCase()) same++;
        if (same === 0 && (split(fromFull).device !== "" || split(toFull).device !== "")) return toFull;
        return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("\\");
      }

      // lastPart finds the last component after the root, without separators
      // behind it: [start, end) in path.
      function lastPart(path) {
        const s = split(path);
        const low = s.unc ? s.raw.length : path[1] === ":" && isLetter(path[0]) ? 2 : 0;
        let end = path.length;
        while (end > low && isSep(path[end - 1])) end--;
        let start = end;
        while (start > low && !isSep(path[start - 1])) start--;
        return { start, end, rootEnd: s.unc ? Math.min(path.length, s.raw.length + 1) : s.start, s };
      }

      function dirname(path) {
        needString(path, "path");
        if (path === "") return ".";
        if (path.length === 1) return isSep(path) ? path : ".";
        const { start, rootEnd, s } = lastPart(path);
        if (s.unc && s.rest === "") return path;
        let end = start;
        while (end > rootEnd && isSep(path[end - 1])) end--;
        if (end > rootEnd) return path.slice(0, end);
        if (rootEnd > 0) return path.slice(0, rootEnd);
        return ".";
      }

      function basename(path, suffix) {
        if (suffix !== undefined) needString(suffix, "ext");
        needString(path, "path");
        const low = isLetter(path[0]) && path[1] === ":" ? 2 : 0;
        let end = path.length;
        while (end > low && isSep(path[end - 1])) end--;
        let start = end;
        while (start > low && !isSep(path[start - 1])) start--;
        return path === suffix ? "" : withoutSuffix(path.slice(start, end), suffix);
      }

      function extname(path) {
        needString(path, "path");
        const base = basename(path);
        return base.slice(extensionStart(base));
      }

      function parse(path) {
        needString(path, "path");
        const out = { root: "", dir: "", base: "", ext: "", name: "" };
        if (path === "") return out;
        const { start, end, rootEnd, s } = lastPart(path);
        out.root = path.slice(0, rootEnd);
        if (s.unc && s.rest === "") {
          out.root = out.dir = path;
          return out;
        }
        const from = Math.max(start, rootEnd);
        out.base = path.slice(from, Math.max(end, from));
        const dot = extensionStart(out.base);
        out.name = out.base.slice(0, dot);
        out.ext = out.base.slice(dot);
        out.dir = from > rootEnd ? path.slice(0, from - 1) : out.root;
        return out;
      }

      return {
        resolve, normalize, join, relative, dirname, basename, extname, parse,
        isAbsolute(path) {
          needString(path, "path");
          if (path === "") return false;
          return isSep(path[0]) || (path.length > 2 && isLetter(path[0]) && path[1] === ":" && isSep(path[2]));
        },
        toNamespacedPath(path) {
          if (typeof path !== "string" || path === "") return path;
          const full = resolve(path);
          if (full.length <= 2) return path;
          if (full[0] === "\\" && full[1] === "\\" && full[2] !== "?" && full[2] !== ".") return `\\\\?\\UNC\\${full.slice(2)}`;
          if (isLetter(full[0]) && full[1] === ":" && full[2] === "\\") return `\\\\?\\${full}`;
          return path;
        },
        format: (obj) => format("\\", obj),
        sep: "\\",
        delimiter: ";",
      };
    },
  };
})
