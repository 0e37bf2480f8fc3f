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
  return { DurableObject, WorkerEntrypoint, RpcTarget };
})();
