// What happens to each method when the reply to it is lost on the way back.
import assert from "node:assert";
import { faults, timeline } from "durashim:test";

export const setQuantitySurvivesALostReply = {
  async test(_: unknown, env: any) {
    const warehouse = env.INVENTORY.getByName("main");
    faults.dropReply({ method: "setQuantity" });
    assert.strictEqual(await warehouse.setQuantity("apple", 5), 5);
    assert.strictEqual(await warehouse.quantity("apple"), 5);
    const [call] = timeline.calls();
    assert.strictEqual(call.runs, 2);
    assert.strictEqual(call.outcome, "recovered");
  },
};

export const addOneIsNeverRunTwice = {
  async test(_: unknown, env: any) {
    const warehouse = env.INVENTORY.getByName("main");
    await warehouse.setQuantity("apple", 5);
    faults.dropReply({ method: "addOne" });
    // A function, not the promise itself: the promise of a call is callable, so
    // assert.rejects() would call it, and what is pipelined on ends its retries.
    await assert.rejects(() => warehouse.addOne("apple"), { message: "Network connection lost.", retryable: true });
    // The caller saw a failure, and yet it ran: once.
    assert.strictEqual(await warehouse.quantity("apple"), 6);
    const call = timeline.calls().find((c) => c.method === "addOne")!;
    assert.strictEqual(call.runs, 1);
    assert.strictEqual(call.outcome, "claim rejected");
  },
};

export const bothSurviveARefusedConnection = {
  async test(_: unknown, env: any) {
    const warehouse = env.INVENTORY.getByName("main");
    faults.refuseRequest({ times: 2 });
    assert.strictEqual(await warehouse.setQuantity("pear", 1), 1);
    faults.refuseRequest({ times: 2 });
    assert.strictEqual(await warehouse.addOne("pear"), 2);
  },
};
