import { DurableObject } from "cloudflare:workers";
import { customAlphabet, nanoid } from "nanoid";
import { type NewOrder, type Order, type State, states } from "./order";

const receipt = customAlphabet("0123456789", 6);

/** The orders of one customer. */
export class Orders extends DurableObject<Env> {
  async place(order: NewOrder): Promise<Order> {
    const placed: Order = { ...order, id: nanoid(), state: "placed", placedAt: new Date() };
    await this.ctx.storage.put({ [`order:${placed.id}`]: placed, [`receipt:${placed.id}`]: receipt() });
    return placed;
  }

  async find(id: string): Promise<(Order & { receipt: string }) | null> {
    const found = await this.ctx.storage.get<any>([`order:${id}`, `receipt:${id}`]);
    const order = found.get(`order:${id}`);
    return order ? { ...order, receipt: found.get(`receipt:${id}`) } : null;
  }

  async all(): Promise<Order[]> {
    return [...(await this.ctx.storage.list<Order>({ prefix: "order:" })).values()];
  }

  async change(id: string, state: State): Promise<Order> {
    return this.ctx.storage.transaction(async (txn) => {
      const order = await txn.get<Order>(`order:${id}`);
      if (!order) {
        throw new RangeError(`no order ${id}`);
      }
      const next: readonly string[] = states[order.state];
      await txn.put(`order:${id}`, { ...order, state });
      if (!next.includes(state)) {
        throw new TypeError(`${order.state} cannot become ${state}`); // takes the put back
      }
      return { ...order, state };
    });
  }
}
