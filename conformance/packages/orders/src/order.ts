import { z } from "zod";

/** What a client sends to place an order. */
export const NewOrder = z.object({
  item: z.string().trim().min(1),
  quantity: z.coerce.number().int().positive().max(1000),
  email: z.email(),
  gift: z.boolean().default(false),
  notes: z.array(z.string()).max(3).optional(),
});
export type NewOrder = z.infer<typeof NewOrder>;

/** The states of an order, and what may follow each. */
export const states = { placed: ["paid", "cancelled"], paid: ["sent"], sent: [], cancelled: [] } as const;
export const Change = z.object({ state: z.enum(["placed", "paid", "sent", "cancelled"]) });
export type State = z.infer<typeof Change>["state"];

export interface Order extends NewOrder {
  id: string;
  state: State;
  placedAt: Date;
}
