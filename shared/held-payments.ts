import * as z from 'zod/mini'

/** `GET /payment?status=held`: money that came by card and waits for the operator. `amount` in cedis, `user` a username. */
export const heldPayment = z.object({
  reference: z.string(),
  user: z.string(),
  amount: z.number(),
  status: z.string(),
  reason: z.string(),
  createdAt: z.string(),
})
export type HeldPayment = z.output<typeof heldPayment>
