// The classes of HTMLRewriter. A token's object is a thin cover: core(op, ...)
// works on the token that the rewriter stands at, and a token's object lives no
// longer than that.
(function (host) {
  "use strict";
  // Not the globals: a script may have taken them away before it first uses the class.
  const { Response, ReadableStream, IdentityTransformStream, TypeError, Error, Object, Reflect, Symbol } = host;
  const { apply, construct, ownKeys, getOwnPropertyDescriptor, setPrototypeOf, getPrototypeOf } = Reflect;
  // Members of Object.prototype must not get into descriptors.
  const defineProperty = (o, k, d) => Reflect.defineProperty(o, k, setPrototypeOf(d, null) && d);
  const ILLEGAL = "Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.";
  const DEAD = "This content token is no longer valid. Content tokens are only valid during the execution of the relevant content handler.";
  const LOCKED = "The ReadableStream has been locked to a reader.";
  const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
  const fail = (text) => { throw new TypeError(text); };

  const getter = (proto, name) => {
    const get = getOwnPropertyDescriptor(proto, name).get;
    return (o) => apply(get, o, []);
  };
  const method = (proto, name) => {
    const f = proto[name];
    return (o, ...args) => apply(f, o, args);
  };
  const bodyOf = getter(getPrototypeOf(Response.prototype), "body");
  const bodyUsed = getter(getPrototypeOf(Response.prototype), "bodyUsed");
  const locked = getter(ReadableStream.prototype, "locked");
  const getReader = method(ReadableStream.prototype, "getReader");
  const [readable, writable] = ["readable", "writable"].map((k) => getter(getPrototypeOf(IdentityTransformStream.prototype), k));
  const getWriter = method(host.WritableStream.prototype, "getWriter");
  const [read, cancel] = ["read", "cancel"].map((k) => method(host.ReadableStreamDefaultReader.prototype, k));
  const [write, close, abort] = ["write", "close", "abort"].map((k) => method(host.WritableStreamDefaultWriter.prototype, k));

  // Gives a class the members of an object literal, as Web IDL defines them.
  function members(F, name, from) {
    for (const k of ownKeys(from)) {
      const d = getOwnPropertyDescriptor(from, k);
      d.enumerable = typeof k === "string";
      for (const f of [d.value, d.get, d.set]) {
        if (typeof f === "function") defineProperty(f, "length", { value: 0, configurable: true });
      }
      defineProperty(F.prototype, k, d);
    }
    defineProperty(F, "length", { value: 0, configurable: true });
    defineProperty(F, "prototype", { writable: false });
    defineProperty(F.prototype, "constructor", { enumerable: false });
    defineProperty(F.prototype, Symbol.toStringTag, { value: name, writable: true, configurable: true });
    return F;
  }
  const tokenClass = (name, from) => members({ [name]: function () { fail("Illegal constructor"); } }[name], name, from);

  const TOKEN = {};
  let stateOf;
  class Token {
    #t;
    constructor(t) { this.#t = t; }
    static { stateOf = (o) => (isObject(o) && #t in o ? o.#t : undefined); }
  }
  const make = (F, t) => construct(Token, [t], F);

  // The state of a token's object; kind is its class.
  function at(o, kind) {
    const t = stateOf(o);
    if (t === undefined || t.kind !== kind) fail(ILLEGAL);
    if (!t.live) fail(DEAD);
    return t;
  }

  function need(args, n, name, kind, type) {
    if (args.length < n) fail(`Failed to execute '${name}' on '${kind}': parameter ${n} is not of type '${type}'.`);
  }

  // A stream that is inserted is locked at once.
  function lock(stream) {
    if (locked(stream)) fail(LOCKED);
    return getReader(stream);
  }

  // insert makes a method that puts content somewhere.
  function insert(kind, name) {
    const F = { [name](...args) {
      const t = at(this, kind);
      need(args, 1, name, kind, "string or JsReadableStream or Response");
      const options = args[1];
      if (options !== undefined && options !== null && !isObject(options)) {
        fail(`Failed to execute '${name}' on '${kind}': parameter 2 is not of type 'ContentOptions'.`);
      }
      let content = args[0];
      if (host.isResponse(content)) {
        if (bodyUsed(content)) fail(LOCKED);
        const body = bodyOf(content);
        content = body === null ? "" : lock(body);
      } else if (host.isStream(content)) content = lock(content);
      else content = `${content}`;
      const html = options !== undefined && options !== null && Boolean(options.html);
      t.core(name, content, html);
      return this;
    } };
    return F[name];
  }
  const inserts = (kind, names) => Object.fromEntries(names.map((n) => [n, insert(kind, n)]));

  const Element = tokenClass("Element", {
    get namespaceURI() { return at(this, "Element").core("namespace"); },
    get removed() { return at(this, "Element").core("removed"); },
    get attributes() {
      const t = at(this, "Element");
      return make(AttributesIterator, { kind: "AttributesIterator", of: t, list: t.core("attributes"), version: t.version, i: 0, live: true });
    },
    get tagName() { return at(this, "Element").core("name"); },
    set tagName(name) { at(this, "Element").core("rename", `${name}`); },
    getAttribute(...args) {
      const t = at(this, "Element");
      need(args, 1, "getAttribute", "Element", "string");
      return t.core("get", `${args[0]}`);
    },
    hasAttribute(...args) {
      const t = at(this, "Element");
      need(args, 1, "hasAttribute", "Element", "string");
      return t.core("get", `${args[0]}`) !== null;
    },
    setAttribute(...args) {
      const t = at(this, "Element");
      need(args, 1, "setAttribute", "Element", "string");
      need(args, 2, "setAttribute", "Element", "string");
      t.core("set", `${args[0]}`, `${args[1]}`);
      t.version++;
      return this;
    },
    removeAttribute(...args) {
      const t = at(this, "Element");
      need(args, 1, "removeAttribute", "Element", "string");
      if (t.core("unset", `${args[0]}`)) t.version++;
      return this;
    },
    ...inserts("Element", ["before", "after", "prepend", "append", "replace"]),
    remove() {
      at(this, "Element").core("remove");
      return this;
    },
    removeAndKeepContent() {
      at(this, "Element").core("keep");
      return this;
    },
    setInnerContent: insert("Element", "setInnerContent"),
    onEndTag(handler) {
      const t = at(this, "Element");
      if (typeof handler !== "function") fail("Failed to execute 'onEndTag' on 'Element': parameter 1 is not of type 'function'.");
      t.core("onEndTag", handler);
    },
  });

  const AttributesIterator = tokenClass("AttributesIterator", {
    next() {
      const t = stateOf(this);
      if (t === undefined || t.kind !== "AttributesIterator") fail(ILLEGAL);
      if (!t.of.live) fail(DEAD);
      if (t.version !== t.of.version) {
        throw new Error("The attributes of this element have been modified during iteration. You must create a new iterator after modifying attributes.");
      }
      return t.i < t.list.length ? { done: false, value: t.list[t.i++] } : { done: true, value: undefined };
    },
    [Symbol.iterator]() { return this; },
  });
  setPrototypeOf(AttributesIterator.prototype, getPrototypeOf(getPrototypeOf([].values())));

  const EndTag = tokenClass("EndTag", {
    get name() { return at(this, "EndTag").core("name"); },
    set name(name) { at(this, "EndTag").core("rename", `${name}`); },
    ...inserts("EndTag", ["before", "after"]),
    remove() {
      at(this, "EndTag").core("remove");
      return this;
    },
  });

  const Text = tokenClass("Text", {
    get removed() { return at(this, "Text").core("removed"); },
    get text() { return at(this, "Text").core("text"); },
    // The property is there to be refused with the platform's words.
    set text(value) {
      at(this, "Text");
      fail("Cannot assign to read only property 'text' of object '#<Text>'");
    },
    get lastInTextNode() { return at(this, "Text").core("last"); },
    ...inserts("Text", ["before", "after", "replace"]),
    remove() {
      at(this, "Text").core("remove");
      return this;
    },
  });

  const Comment = tokenClass("Comment", {
    get removed() { return at(this, "Comment").core("removed"); },
    get text() { return at(this, "Comment").core("text"); },
    set text(value) { at(this, "Comment").core("comment", `${value}`); },
    ...inserts("Comment", ["before", "after", "replace"]),
    remove() {
      at(this, "Comment").core("remove");
      return this;
    },
  });

  const Doctype = tokenClass("Doctype", {
    get name() { return at(this, "Doctype").core("doctype", 0); },
    get publicId() { return at(this, "Doctype").core("doctype", 1); },
    get systemId() { return at(this, "Doctype").core("doctype", 2); },
  });

  const DocumentEnd = tokenClass("DocumentEnd", inserts("DocumentEnd", ["append"]));

  // In the order of Go's kinds.
  const kinds = [
    [Element, "Element", "element"], [Text, "Text", "text"], [Comment, "Comment", "comments"], [Doctype, "Doctype", "doctype"],
    [EndTag, "EndTag", ""], [DocumentEnd, "DocumentEnd", "end"],
  ];

  let handlersOf;
  class Rewriter {
    #handlers = [];
    static { handlersOf = (o) => (isObject(o) && #handlers in o ? o.#handlers : fail(ILLEGAL)); }
  }

  // The functions of a handler object, taken when it is registered.
  function handlers(object, dictionary, names) {
    const out = { self: object };
    if (object === undefined || object === null) return out;
    for (const n of names) {
      const f = object[n];
      if (f === undefined) continue;
      if (typeof f !== "function") fail(`Incorrect type for the '${n}' field on '${dictionary}': the provided value is not of type 'function'.`);
      out[n] = f;
    }
    return out;
  }
  // Not by assignment, which a setter of Array.prototype would see.
  const add = (list, h) => { defineProperty(list, list.length, { value: h, writable: true, enumerable: true, configurable: true }); };
  const handlerType = (v) => v === undefined || v === null || isObject(v);

  const HTMLRewriter = members(function HTMLRewriter() {
    if (new.target === undefined) {
      fail("Failed to construct 'HTMLRewriter': Please use the 'new' operator, this object constructor cannot be called as a function.");
    }
    return construct(Rewriter, [], new.target);
  }, "HTMLRewriter", {
    on(...args) {
      const list = handlersOf(this);
      need(args, 1, "on", "HTMLRewriter", "string");
      const text = `${args[0]}`;
      if (args.length < 2 || !handlerType(args[1])) need([], 2, "on", "HTMLRewriter", "ElementContentHandlers");
      const h = handlers(args[1], "ElementContentHandlers", ["comments", "element", "text"]);
      h.selector = host.parse(text);
      add(list, h);
      return this;
    },
    onDocument(...args) {
      const list = handlersOf(this);
      if (args.length < 1 || !handlerType(args[0])) need([], 1, "onDocument", "HTMLRewriter", "DocumentContentHandlers");
      add(list, handlers(args[0], "DocumentContentHandlers", ["comments", "doctype", "end", "text"]));
      return this;
    },
    transform(...args) {
      const list = handlersOf(this);
      const response = args[0];
      if (!host.isResponse(response)) need([], 1, "transform", "HTMLRewriter", "Response");
      if (bodyUsed(response)) fail(LOCKED);
      const body = bodyOf(response);
      if (body === null) return new Response(null, response);
      const core = host.open(host.charset(response), list);
      const reader = lock(body);
      const pipe = new IdentityTransformStream();
      run(reader, getWriter(writable(pipe)), core, [...list]);
      return new Response(readable(pipe), response);
    },
  });

  async function run(reader, writer, core, list) {
    try {
      for (;;) {
        const { value, done } = await read(reader);
        core("write", value, done);
        for (let call = core("next"); call !== undefined; call = core("next")) {
          const [F, kind, name] = kinds[call.kind];
          const t = { kind, core, live: true, version: 0 };
          try {
            const h = call.handler === undefined ? undefined : list[call.handler];
            const result = h === undefined
              ? apply(call.endTag, undefined, [make(F, t)])
              : apply(h[name], h.self, [make(F, t)]);
            if (isObject(result)) await result;
          } finally {
            t.live = false;
          }
        }
        await flush(writer, core);
        if (done) break;
      }
      await close(writer);
    } catch (e) {
      abort(writer, e).catch(() => {});
      cancel(reader, host.isError(e) ? e : new Error(`${e}`)).catch(() => {});
    }
  }

  // flush writes the output; what is a stream is copied.
  async function flush(writer, core) {
    for (const piece of core("take")) {
      if (host.isBytes(piece)) {
        await write(writer, piece);
        continue;
      }
      core("convert", piece.html);
      for (;;) {
        const { value, done } = await read(piece.stream);
        const bytes = core("piece", value, done);
        if (bytes.byteLength > 0) await write(writer, bytes);
        if (done) break;
      }
    }
  }

  return HTMLRewriter;
})
