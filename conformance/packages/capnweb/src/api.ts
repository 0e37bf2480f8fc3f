import { RpcTarget } from "capnweb";

export class Account extends RpcTarget {
  #name: string;
  #ctx: DurableObjectState;
  balance = 7; // an own property, which no caller sees

  constructor(name: string, ctx: DurableObjectState) {
    super();
    this.#name = name;
    this.#ctx = ctx;
  }

  get name() {
    return this.#name;
  }

  friends(): string[] {
    return this.#name === "ann" ? ["bob", "cyd"] : [];
  }

  async deposit(amount: number): Promise<number> {
    return this.#ctx.storage.transaction(async (txn) => {
      const next = ((await txn.get<number>(this.#name)) ?? 0) + amount;
      await txn.put(this.#name, next);
      return next;
    });
  }

  async [Symbol.dispose]() {
    const all = (await this.#ctx.storage.get<string[]>("disposed")) ?? [];
    await this.#ctx.storage.put("disposed", [...all, this.#name]);
  }
}

/** What the object offers. */
export class Api extends RpcTarget {
  #ctx: DurableObjectState;
  #main?: () => any;
  #kept?: any;

  constructor(ctx: DurableObjectState, main?: () => any) {
    super();
    this.#ctx = ctx;
    this.#main = main;
  }

  greet(name: string): string {
    return `Hello, ${name}!`;
  }

  open(name: string): Account {
    return new Account(name, this.#ctx);
  }

  profile(name: string) {
    return { name, length: name.length };
  }

  nothing(): null {
    return null;
  }

  echo(value: unknown): unknown {
    return value;
  }

  /** A stub among the arguments ends with the call, so a copy is returned. */
  copy(stub: any): unknown {
    return { copy: stub.dup() };
  }

  /** Calls what may be a stub of the runtime's own. */
  async depositTwice(account: any): Promise<number[]> {
    return [await account.deposit(1), await account.deposit(2)];
  }

  make(kind: "response" | "blob") {
    return kind === "blob" ? new Blob(["some ", "text"], { type: "text/plain" }) : new Response("body", { status: 418, headers: { x: "y" } });
  }

  async read(from: Request | Response | Blob): Promise<string> {
    return `${from.constructor.name} of "${await from.text()}"`;
  }

  describe(value: any): string {
    return `${Object.prototype.toString.call(value)} ${value?.constructor?.name}`;
  }

  fail(kind: string): never {
    switch (kind) {
      case "type":
        throw new TypeError("not this type");
      case "range":
        throw new RangeError("not in range");
      case "secret":
        throw new Error("secret");
      case "properties":
        throw Object.assign(new Error("with a code"), { code: "E_CODE", detail: { a: [1] } });
    }
    throw "a string";
  }

  /** Calls back while the call is open. */
  async each(values: number[], callback: (n: number) => Promise<number>): Promise<number[]> {
    const out: number[] = [];
    for (const v of values) {
      out.push(await callback(v));
    }
    return out;
  }

  /** Keeps a callback after the call. */
  keep(callback: any) {
    this.#kept = callback.dup();
  }

  async useKept(value: unknown): Promise<unknown> {
    return await this.#kept(value);
  }

  release() {
    this.#kept[Symbol.dispose]();
  }

  /** Asks the client's own main interface. */
  async askClient(question: string): Promise<string> {
    return `the client says ${await this.#main!().answer(question)}`;
  }

  counter(start: number) {
    let n = start;
    return { next: () => ++n, start };
  }

  async size(stream: ReadableStream<Uint8Array>): Promise<number> {
    let n = 0;
    for await (const chunk of stream as any) {
      n += chunk.length;
    }
    return n;
  }

  numbers(count: number): ReadableStream<number> {
    let n = 0;
    return new ReadableStream({
      pull(c) {
        if (n === count) {
          c.close();
        } else {
          c.enqueue(n++);
        }
      },
    });
  }

  never(): Promise<never> {
    return new Promise(() => {});
  }
}
