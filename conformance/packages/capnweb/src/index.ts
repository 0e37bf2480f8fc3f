import { DurableObject } from "cloudflare:workers";
import { newHttpBatchRpcResponse, newWorkersRpcResponse, RpcSession } from "capnweb";
import { Account, Api } from "./api";
import { Queue } from "./queue";

/** Serves Api over each transport that leads to an object. */
export class Desk extends DurableObject {
  #requests = 0;

  async fetch(request: Request): Promise<Response> {
    this.#requests++;
    const api = new Api(this.ctx);
    if (new URL(request.url).pathname === "/batch") {
      return newHttpBatchRpcResponse(request, api, { onSendError: (e) => (e.message === "secret" ? new Error("redacted") : undefined) });
    }
    return newWorkersRpcResponse(request, api); // a batch for POST, a WebSocket for an upgrade
  }

  /** The messages of a session as calls of the runtime's own RPC. */
  join(peer: any, clientHas: "main" | "nothing") {
    const queue = new Queue(peer);
    const session = new RpcSession<any>(queue, new Api(this.ctx, clientHas === "main" ? () => session.getRemoteMain() : undefined));
    return queue.end;
  }

  /** The same account by the runtime's own RPC. */
  account(name: string): Account {
    return new Account(name, this.ctx);
  }

  /** Gives a function of the caller's back to it. */
  call(f: any) {
    return f.dup();
  }

  requests(): number {
    return this.#requests;
  }

  disposed(): Promise<string[]> {
    return this.ctx.storage.get("disposed") as Promise<string[]>;
  }
}

export default {};
