import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { bearerAuth } from "hono/bearer-auth";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { validator } from "hono/validator";
import { z } from "zod";
import { Change, NewOrder } from "./order";

export { Orders } from "./object";

/** Answers 400 with zod's findings when a JSON body does not fit. */
const body = <T extends z.ZodType>(schema: T) =>
  validator("json", (value, c) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      return c.json({ errors: parsed.error.issues.map((i) => ({ path: i.path.join("."), code: i.code })) }, 400);
    }
    return parsed.data as z.infer<T>;
  });

const orders = new Hono<{ Bindings: Env; Variables: { customer: DurableObjectStub } }>()
  .use("/:customer/*", async (c, next) => {
    c.set("customer", c.env.ORDERS.getByName(c.req.param("customer")));
    await next();
  })
  .get("/:customer/orders", etag(), async (c) => c.json(await c.var.customer.all()))
  .post("/:customer/orders", body(NewOrder), async (c) => {
    const order = await c.var.customer.place(c.req.valid("json"));
    c.header("Location", new URL(`${c.req.path}/${order.id}`, c.req.url).href);
    return c.json(order, 201);
  })
  .get("/:customer/orders/:id{[A-Za-z0-9_-]+}", async (c) => {
    const order = await c.var.customer.find(c.req.param("id"));
    return order ? c.json(order) : c.notFound();
  })
  .patch("/:customer/orders/:id", body(Change), async (c) => {
    try {
      return c.json(await c.var.customer.change(c.req.param("id"), c.req.valid("json").state));
    } catch (e) {
      throw new HTTPException(e instanceof RangeError ? 404 : 409, { message: (e as Error).message, cause: e });
    }
  });

const app = new Hono<{ Bindings: Env }>()
  .use(cors({ origin: ["https://shop.example"] }))
  .use(async (c, next) => {
    await next();
    c.res.headers.set("x-shop", c.env.SHOP);
  })
  .get("/", (c) => c.html("<h1>orders</h1>"))
  .use("/admin/*", bearerAuth({ token: "s3cret" }))
  .get("/admin/health", (c) => c.text("fine"))
  .get("/search", (c) => c.json({ q: c.req.query("q"), tags: c.req.queries("tag") }))
  .post("/form", async (c) => {
    const form = await c.req.parseBody({ all: true });
    return c.json(form);
  })
  .route("/customers", orders)
  .notFound((c) => c.json({ error: "not found" }, 404))
  .onError((e, c) => (e instanceof HTTPException ? c.json({ error: e.message }, e.status) : c.json({ error: "internal" }, 500)));

export default app;
