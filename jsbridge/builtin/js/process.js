// node:process, and the global of that name. There is no process behind it, as
// there is none on the real runtime: what only one could answer is a constant
// or an error.
(function (require, host) {
  "use strict";
  const { EventEmitter } = require("node:events");
  const { inspect } = require("internal:inspect");
  const errors = require("internal:errors");

  const version = host.nodeVersion?.() ?? "0.0.0";
  const fail = (Base, code, text) => {
    const e = new Base(text);
    Object.defineProperty(e, "code", { value: code, enumerable: true, writable: true, configurable: true });
    throw e;
  };
  const system = (code, text) => fail(Error, code, text);
  const received = (v) => errors.received(v);

  // The variables are strings, and so is what is assigned.
  const env = new Proxy(host.env?.() ?? {}, {
    set(target, key, value) {
      if (typeof key === "symbol" || typeof value === "symbol") throw new TypeError("Cannot convert a symbol value to a string");
      target[key] = `${value}`;
      return true;
    },
  });

  // The clock of the request, as nanoseconds since it began to count.
  const nanoseconds = () => BigInt(Math.round(host.now() * 1e6));
  function hrtime(time) {
    const now = nanoseconds();
    let [seconds, rest] = [Number(now / 1000000000n), Number(now % 1000000000n)];
    if (time !== undefined) {
      if (!Array.isArray(time)) fail(TypeError, "ERR_INVALID_ARG_TYPE", `The "time" argument must be tuple of integers.${received(time)}`);
      if (time.length !== 2) fail(RangeError, "ERR_OUT_OF_RANGE", `The value of "time" is out of range. It must be 2. Received ${inspect(time)}`);
      seconds -= time[0];
      rest -= time[1];
      if (rest < 0) {
        seconds--;
        rest += 1000000000;
      }
    }
    return [seconds, rest];
  }
  hrtime.bigint = function bigint() { return nanoseconds(); };

  let cwd = "/bundle", mask = 0o22;
  const list = { __proto__: null };
  for (const name of ["node", "v8", "modules", "zlib", "brotli", "zstd", "ares", "napi", "llhttp", "nghttp2", "acorn", "ada", "simdutf", "nbytes", "ncrypto",
    "uvwasi", "uv", "openssl", "sqlite", "icu", "undici", "simdjson", "unicode", "cldr", "tz", "cjs_module_lexer", "amaro", "merve"]) {
    list[name] = name === "node" ? version : "";
  }

  const methods = {
    getegid() { return 0; },
    getgid() { return 0; },
    getgroups() { return [0]; },
    geteuid() { return 0; },
    getuid() { return 0; },
    setSourceMapsEnabled(value, options) {},
    nextTick(callback, ...args) {
      host.nextTick(() => {
        if (typeof callback !== "function") throw new TypeError("cb is not a function");
        callback(...args);
      });
    },
    emitWarning(warning, type, code, ctor) {
      let detail;
      if (type !== null && typeof type === "object" && !Array.isArray(type)) {
        ({ detail, code } = type);
        type = type.type;
      } else if (typeof type === "function") type = code = undefined;
      else if (typeof code === "function") code = undefined;
      if (typeof warning === "string") {
        const e = new Error(warning);
        e.name = String(type || "Warning");
        if (code !== undefined) e.code = code;
        if (detail !== undefined) e.detail = detail;
        warning = e;
      } else if (!(warning instanceof Error)) {
        fail(TypeError, "ERR_INVALID_ARG_TYPE", `The "warning" argument must be an string or Error.${received(warning)}`);
      }
      host.nextTick(() => process.emit("warning", warning));
    },
    exit(code) { throw new Error(`process.exit(${code ?? 0}) is not implemented`); },
    abort() { throw new Error("process.abort() is not implemented"); },
    getBuiltinModule(id) { return host.getBuiltinModule(String(id)); },
    ref() {},
    unref() {},
    chdir(directory) {
      if (typeof directory !== "string") fail(TypeError, "ERR_INVALID_ARG_TYPE", `The "directory" argument must be of type string.${received(directory)}`);
      if (directory !== "/" && directory !== "/bundle" && directory !== "/tmp") system("ENOENT", `no such file or directory, chdir '${directory.replace(/^\//, "")}'`);
      cwd = directory;
    },
    cwd() { return cwd; },
    umask(value) { return mask; },
    hrtime,
    uptime() { return Math.floor(host.now()) / 1000; },
    memoryUsage() { return { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }; },
    constrainedMemory() { return 0; },
    availableMemory() { return 0; },
  };
  methods.memoryUsage.rss = function rss() { return 0; };
  for (const name of ["setegid", "setgid", "setgroups", "seteuid", "setuid", "initgroups"]) {
    methods[name] = { [name]() { system("EPERM", "operation not permitted"); } }[name];
  }
  for (const name of ["kill", "binding", "dlopen", "getActiveResourcesInfo", "setUncaughtExceptionCaptureCallback", "hasUncaughtExceptionCaptureCallback",
    "threadCpuUsage", "cpuUsage", "execve", "_linkedBinding"]) {
    methods[name] = { [name]() { system("ERR_METHOD_NOT_IMPLEMENTED", `The process.${name} method is not implemented`); } }[name];
  }

  // The standard streams, as far as a program uses them without a terminal: what
  // is written becomes lines of the console, and there is nothing to read.
  class SyncWriteStream extends EventEmitter {
    constructor(fd) {
      super();
      Object.assign(this, { fd, readable: false, _type: "fs", _isStdio: true, writable: true, writableLength: 0 });
      hide(this, "pending", "");
    }
    write(chunk, encoding, callback) {
      if (typeof encoding === "function") callback = encoding;
      if (chunk === null) throw new errors.NodeTypeError("ERR_STREAM_NULL_VALUES", "May not write null values to stream");
      if (typeof chunk !== "string" && !ArrayBuffer.isView(chunk)) {
        throw new errors.NodeTypeError("ERR_INVALID_ARG_TYPE", `The "chunk" argument must be of type string or an instance of Buffer, TypedArray, or DataView.${received(chunk)}`);
      }
      if (this.pending === "") host.nextTick(() => this.flush());
      this.pending += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
      const end = this.pending.lastIndexOf("\n");
      if (end >= 0) {
        this.print(this.pending.slice(0, end));
        this.pending = this.pending.slice(end + 1);
      }
      if (typeof callback === "function") host.nextTick(callback);
      return true;
    }
    end(chunk, encoding, callback) {
      if (chunk !== undefined && chunk !== null && typeof chunk !== "function") this.write(chunk, encoding);
      for (const f of [chunk, encoding, callback]) if (typeof f === "function") host.nextTick(f);
      return this;
    }
  }
  const hide = (o, name, value) => Object.defineProperty(o, name, { value, writable: true, configurable: true });
  hide(SyncWriteStream.prototype, "flush", function () {
    if (this.pending === "") return;
    this.print(this.pending);
    this.pending = "";
  });
  hide(SyncWriteStream.prototype, "print", function (text) { console.log(`${this.fd === 1 ? "stdout" : "stderr"}: ${text}`); });
  class ReadStream extends EventEmitter {
    constructor(fd) {
      super();
      Object.assign(this, { fd, readable: true });
    }
    read() { return null; }
    resume() { return this; }
    pause() { return this; }
    setEncoding() { return this; }
    [Symbol.asyncIterator]() { return { next: async () => ({ value: undefined, done: true }) }; }
  }
  const streams = {};
  const stream = (name, Class, fd) => ({
    get() { return streams[name] ??= new Class(fd); },
    set(value) { streams[name] = value; },
    enumerable: true, configurable: true,
  });

  const process = Object.create(Object.create(EventEmitter.prototype));
  EventEmitter.call(process);
  Object.assign(process, {
    version: "v" + version, versions: list, title: "workerd", argv: ["workerd"], argv0: "workerd", execArgv: [], arch: "x64", platform: "linux",
    pid: 1, ppid: 0, execPath: "", exitCode: undefined, connected: false, debugPort: 0, noDeprecation: false, throwDeprecation: false,
    traceDeprecation: false, sourceMapsEnabled: false, channel: null, domain: null, moduleLoadList: [], allowedNodeEnvironmentFlags: new Set(),
    release: { name: "node", lts: true, sourceUrl: "", headersUrl: "" },
    features: {
      cached_builtins: true, debug: false, inspector: false, ipv6: true, openssl_is_boringssl: true, require_module: false, tls: true, tls_alpn: true,
      tls_ocsp: true, tls_sni: true, typescript: false, uv: true,
    },
    assert: require("node:assert").ok, env, ...methods,
  });
  Object.defineProperties(process, {
    stdin: stream("stdin", ReadStream, 0), stdout: stream("stdout", SyncWriteStream, 1), stderr: stream("stderr", SyncWriteStream, 2),
  });
  Object.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });
  return { ...process, default: process };
})
