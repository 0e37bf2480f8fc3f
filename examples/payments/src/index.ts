import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";

interface Env {
  ACCOUNT: DurableObjectNamespace<Account>;
  ORDER: DurableObjectNamespace<Order>;
}

/**
 * A customer's account. It can be charged in three ways; only one of them
 * charges once whatever the connection does. The other two are mistakes that are
 * made on purpose, for the tests to find.
 */
export class Account extends DurableObject<Env> {
  static {
    retryable(this.prototype.charged, this.prototype.chargeOnce);
    // The first mistake: a method that is marked although running it twice
    // charges twice.
    retryable(this.prototype.chargeMarked);
  }

  /** How many cents were charged so far. */
  async charged(): Promise<number> {
    return (await this.ctx.storage.get<number>("charged")) ?? 0;
  }

  /** Charges an amount, once for each payment: a second run finds the first. */
  async chargeOnce(paymentId: string, cents: number): Promise<number> {
    const key = `payment:${paymentId}`;
    const known = await this.ctx.storage.get<number>(key);
    if (known !== undefined) {
      return known;
    }
    const total = (await this.charged()) + cents;
    // One put: both are written, or neither.
    await this.ctx.storage.put({ charged: total, [key]: total });
    return total;
  }

  /** Charges an amount. Not marked, so the platform never runs it twice. */
  async charge(cents: number): Promise<number> {
    const total = (await this.charged()) + cents;
    await this.ctx.storage.put("charged", total);
    return total;
  }

  /** The same, marked. */
  async chargeMarked(cents: number): Promise<number> {
    return this.charge(cents);
  }
}

/** An order, which is paid once. */
export class Order extends DurableObject<Env> {
  static {
    retryable(this.prototype.pay);
  }

  /** Pays the order from an account; every later call does nothing. */
  async pay(account: string, cents: number): Promise<string> {
    if (!(await this.ctx.storage.get("paid"))) {
      await this.env.ACCOUNT.getByName(account).chargeOnce(this.ctx.id.toString(), cents);
      await this.ctx.storage.put("paid", true);
    }
    return "paid";
  }
}

/**
 * The second mistake: the platform retries the call where that is safe, and where
 * it gives up because the charge may have been made, this loop makes it again.
 */
async function chargeWithRetries(account: DurableObjectStub<Account>, cents: number): Promise<number> {
  for (let round = 1; ; round++) {
    try {
      return await account.charge(cents);
    } catch (error) {
      if (round === 3 || !(error as { retryable?: boolean }).retryable) {
        throw error;
      }
    }
  }
}

/**
 * POST /order      pays an order; safe
 * POST /marked     charges with the marked method
 * POST /loop       charges in a loop
 */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const account = env.ACCOUNT.getByName("ada");
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case "POST /order":
        return new Response(await env.ORDER.getByName("order 1").pay("ada", 500));
      case "POST /marked":
        return Response.json(await account.chargeMarked(500));
      case "POST /loop":
        return Response.json(await chargeWithRetries(account, 500));
    }
    return new Response("not found\n", { status: 404 });
  },
};
