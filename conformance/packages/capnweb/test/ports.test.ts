// Transports that are built into the runtime.
import assert from "node:assert";
import { newMessagePortRpcSession, newWebSocketRpcSession, RpcTarget } from "capnweb";

class Local extends RpcTarget {
  add(a: number, b: number) {
    return a + b;
  }

  call(f: (n: number) => number) {
    return f(20);
  }
}

export const messagePorts = {
  async test() {
    const { port1, port2 } = new MessageChannel();
    newMessagePortRpcSession(port1, new Local());
    const api: any = newMessagePortRpcSession(port2);
    assert.strictEqual(await api.add(1, 2), 3);
    assert.strictEqual(await api.call((n: number) => n + 1), 21);
    assert.strictEqual(await api.add(api.add(1, 2), 3), 6);
  },
};

export const webSocketToAnObject = {
  async test(_: unknown, env: any) {
    const res = await env.DESK.getByName("ws").fetch("https://desk.example/ws", { headers: { upgrade: "websocket" } });
    assert.strictEqual(res.status, 101);
    res.webSocket.accept();
    const api: any = newWebSocketRpcSession(res.webSocket);
    assert.strictEqual(await api.greet("ann"), "Hello, ann!");
    assert.deepStrictEqual(await api.each([1, 2], (n: number) => n * 2), [2, 4]);
    assert.strictEqual(await api.open("bob").deposit(3), 3);
    api[Symbol.dispose]();
  },
};
