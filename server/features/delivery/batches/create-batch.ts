import { MAX_BATCH } from '../../../../shared/batch-rules.ts'
import type { Network } from '../../../../shared/networks.ts'
import { NEEDS_A_LOOK } from '../../../../shared/suppliers.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { selectByHand } from '../../orders/orders/by-hand.sql.ts'
import { type OrderRow, selectOrderIds, selectOrders } from '../../orders/orders/orders.sql.ts'
import { insertBatch, lockOrders, selectBatchable, selectBatchNumber } from './batches.sql.ts'
import { announceBatched } from './events.ts'

export type CreateBatch = { key: string; network: Network; ids?: string[] | undefined }
export type Refused = { id: string; message: string }

/**
 * Locks orders that a person has to send in a new batch of their network: those named, or the network's oldest. The same key
 * from the same admin is the same batch. Returns its number, and the named orders that cannot be batched, with why.
 * @throws NothingToBatch
 */
export async function createBatch(ctx: Ctx, { key, network, ids }: CreateBatch): Promise<{ number: number; refused: Refused[] }> {
  requireActor(ctx)
  const made = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'orders')
    const known = await selectBatchNumber(tx, admin.id, key)
    if (known !== null) return { number: known, refused: [], seqs: [] }
    const named = ids && (await selectOrderIds(tx, ids))
    const wanted = named ? [...new Set(named.values())] : await selectByHand(tx, network, MAX_BATCH)
    await lockOrders(tx, wanted)
    const batchable = await selectBatchable(tx, wanted, network)
    const number =
      batchable.length === 0
        ? null
        : await insertBatch(tx, { network, key, madeBy: admin.id, now: ctx.now, ids: batchable.map(({ id }) => id) })
    if (number === null) {
      // The same press may have come twice at once: then the other one has made the batch.
      const byOther = await selectBatchNumber(tx, admin.id, key)
      if (byOther !== null) return { number: byOther, refused: [], seqs: [] }
      throw new NothingToBatch(network)
    }
    await recordAdminAction(tx, ctx, {
      action: 'batch.create',
      subject: { type: 'batch', id: String(number) },
      after: { network, orders: batchable.length },
    })
    const taken = new Set(batchable.map(({ id }) => id))
    const left = named ? wanted.filter((id) => !taken.has(id)) : []
    const leftOrders = left.length === 0 ? [] : await selectOrders(tx, left)
    return {
      number,
      refused: leftOrders.map((order) => ({ id: order.id, message: whyNot(order, network) })),
      seqs: batchable.map(({ seq }) => seq),
    }
  })
  await announceBatched(ctx, made.seqs)
  return made
}

function whyNot({ status, network, batch, supplier, holdReason }: OrderRow, wanted: Network): string {
  if (network !== wanted) return `It is an order of ${network}, which has a portal of its own.`
  if (status !== 'pending') return `It is already ${status}.`
  if (batch) return `It is in Batch ${batch.number}, locked by ${batch.by}.`
  if (holdReason !== null) return `It is on hold, because ${holdReason}.`
  if (supplier && NEEDS_A_LOOK.includes(supplier.status)) return 'A supplier has it, or is about to get it.'
  return 'It cannot be batched at the moment. Look at it again.'
}

class NothingToBatch extends AppError {
  constructor(network: Network) {
    super('CONFLICT', `There is no ${network} order to batch. Another admin may have taken them: see the open batches.`)
  }
}
