// The classes of cloudflare:workers. What they do beyond this, being called from
// outside, the host does.
(function () {
  "use strict";
  const tag = Object.prototype.toString;
  class DurableObject {
    constructor(ctx, env) {
      if (Reflect.apply(tag, ctx, []) !== "[object DurableObjectState]") {
        throw new TypeError("Failed to construct 'DurableObjectBase': constructor parameter 1 is not of type 'DurableObjectState'.");
      }
      this.ctx = ctx;
      this.env = env;
    }
  }
  class WorkerEntrypoint {
    constructor(ctx, env) {
      this.ctx = ctx;
      this.env = env;
    }
  }
  class RpcTarget {}
  // The host takes this one away and calls it: make makes what new returns. Only
  // a function of a script can tell how it was called.
  const stubClass = (make) => function RpcStub() {
    if (new.target === undefined) {
      throw new TypeError("Failed to construct 'JsRpcStub': Please use the 'new' operator, this object constructor cannot be called as a function.");
    }
    return make(arguments[0]);
  };
  return { DurableObject, WorkerEntrypoint, RpcTarget, stubClass };
})();
