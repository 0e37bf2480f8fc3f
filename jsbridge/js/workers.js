// The classes of cloudflare:workers. What they do beyond this, being called from
// outside, the host does.
(function () {
  "use strict";
  class DurableObject {
    constructor(ctx, env) {
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
