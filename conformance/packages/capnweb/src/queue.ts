import { RpcTarget } from "cloudflare:workers";
import type { RpcTransport } from "capnweb";

/** The end of a Queue that the other side pushes into. */
class End extends RpcTarget {
  #queue: Queue;

  constructor(queue: Queue) {
    super();
    this.#queue = queue;
  }

  push(message: string) {
    this.#queue.take(message);
  }

  close(message: string) {
    this.#queue.fail(new Error(message));
  }
}

/** A transport of capnweb: what one side sends, the other finds in its queue. */
export class Queue implements RpcTransport {
  readonly end = new End(this);
  #peer: any;
  #messages: string[] = [];
  #waiting?: { resolve: (m: string) => void; reject: (e: Error) => void };
  #error?: Error;
  sent = 0;

  constructor(peer?: any) {
    this.#peer = peer?.dup(); // the argument of a call ends with it
  }

  /** Connects the side that was made first. */
  attach(peer: any) {
    this.#peer = peer;
  }

  take(message: string) {
    if (this.#waiting) {
      this.#waiting.resolve(message);
      this.#waiting = undefined;
    } else {
      this.#messages.push(message);
    }
  }

  fail(error: Error) {
    this.#error = error;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  async send(message: string) {
    this.sent++;
    await this.#peer.push(message);
  }

  receive(): Promise<string> {
    const message = this.#messages.shift();
    if (message !== undefined) {
      return Promise.resolve(message);
    }
    if (this.#error) {
      return Promise.reject(this.#error);
    }
    return new Promise((resolve, reject) => { this.#waiting = { resolve, reject }; });
  }

  abort(reason: any) {
    const closed = this.#peer?.close(String(reason?.message ?? reason));
    closed?.catch(() => {}); // the other side may be gone
    this.fail(reason);
  }
}
