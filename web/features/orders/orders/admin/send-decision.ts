import type { Decision, Order } from '../../../../../shared/orders.ts'
import { isOutcomeUnknown, RefusedError } from '../../../../lib/http.ts'

/**
 * Decides an order although a reply may be lost on the way: then it looks what became of the order, and sends the decision once more where it is still
 * pending. That is safe, since an order is decided once. Returns the order as it was decided.
 * @throws what the shop refused, or that it did not reply twice.
 */
export async function sendDecision(status: Decision, send: () => Promise<Order>, look: () => Promise<Order>): Promise<Order> {
  try {
    return await send()
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    const found = await look().catch(() => null)
    if (found === null) throw error
    if (found.status === status) return found
    if (found.status !== 'pending') throw error
    return await send().catch(async (again) => {
      // The first one may have arrived in between.
      const decided = again instanceof RefusedError ? await look().catch(() => null) : null
      if (decided?.status === status) return decided
      throw again
    })
  }
}
