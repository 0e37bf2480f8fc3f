import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";

interface Env {
  INVENTORY: DurableObjectNamespace<Inventory>;
}

/** The stock of one warehouse: how many of each item there are. */
export class Inventory extends DurableObject<Env> {
  static {
    // Setting a quantity twice is the same as setting it once, so this method
    // may run again when the reply to the first run was lost. addOne may not.
    retryable(this.prototype.setQuantity);
  }

  async setQuantity(itemId: string, quantity: number): Promise<number> {
    if (!Number.isInteger(quantity) || quantity < 0) {
      throw new RangeError(`quantity must be a whole number, not ${quantity}`);
    }
    await this.ctx.storage.put(`item:${itemId}`, quantity);
    return quantity;
  }

  async addOne(itemId: string): Promise<number> {
    const quantity = (await this.quantity(itemId)) + 1;
    await this.ctx.storage.put(`item:${itemId}`, quantity);
    return quantity;
  }

  async quantity(itemId: string): Promise<number> {
    return (await this.ctx.storage.get<number>(`item:${itemId}`)) ?? 0;
  }

  async items(): Promise<Record<string, number>> {
    const stored = await this.ctx.storage.list<number>({ prefix: "item:" });
    return Object.fromEntries([...stored].map(([key, quantity]) => [key.slice("item:".length), quantity]));
  }
}

/**
 * GET /                 lists the items
 * PUT /items/ID         sets a quantity; the body is a number
 * POST /items/ID/add    adds one
 */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    const warehouse = env.INVENTORY.getByName("main");
    const [, itemId, action] = pathname.match(/^\/items\/([^/]+)(\/add)?$/) ?? [];
    if (request.method === "GET" && pathname === "/") {
      return Response.json(await warehouse.items());
    }
    if (request.method === "PUT" && itemId && !action) {
      const quantity = Number(await request.text());
      if (!Number.isInteger(quantity) || quantity < 0) {
        return new Response("the body must be a whole number\n", { status: 400 });
      }
      return Response.json({ [itemId]: await warehouse.setQuantity(itemId, quantity) });
    }
    if (request.method === "POST" && itemId && action) {
      return Response.json({ [itemId]: await warehouse.addOne(itemId) });
    }
    return new Response("not found\n", { status: 404 });
  },
};
