interface Env {
  SHOP: string;
  ORDERS: DurableObjectNamespace<import("./object").Orders>;
}
