import type { SoldChecker } from '../../../../shared/checkers.ts'
import { ANSWERS_REPORTS } from '../../../../shared/staff-rules.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { CHECKER_LOSSES, CHECKER_STOCK } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { CHECKER_SMS_QUEUE } from '../../../platform/queues.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { lockOrder, type OrderRow } from '../orders/orders.sql.ts'
import { refuseLargeRefund } from '../orders/refuse-large-refund.ts'
import { replaceCode, selectCodesOf, selectOrderOfCode } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'
import { presentSold } from './present.ts'
import { queueMessages } from './send-checkers.ts'

/**
 * Gives the buyer of a faulty code another one, and books what that cost as a loss. A code is replaced once, and its replacement not again: then the
 * order is refunded. What one person replaces counts with what they refund (`refuseLargeRefund`).
 * @throws NotFound, OwnGain; 409 SECOND_PERSON_NEEDED; 409 CONFLICT when it was replaced, is a replacement, its order is refunded, or none is left
 */
export async function replaceChecker(
  ctx: Ctx,
  sms: SmsGateway,
  { codeId, reason }: { codeId: number; reason: string },
): Promise<SoldChecker[]> {
  const codes = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, ANSWERS_REPORTS)
    const orderId = await selectOrderOfCode(tx, codeId)
    const order = orderId === null ? null : await lockOrder(tx, orderId)
    if (!order) throw new NotFound('code')
    await refuseOwnGain(tx, ctx, ANSWERS_REPORTS, { orderId: order.id, status: 'rejected' })
    const sold = await selectCodesOf(tx, order.id)
    const faulty = sold.find(({ id }) => id === codeId)
    if (!faulty) throw new NotFound('code')
    if (order.status !== 'completed') throw new AppError('CONFLICT', 'That order is refunded, so there is nothing to replace.')
    if (faulty.fault !== null) throw new AppError('CONFLICT', 'That code was replaced already.')
    if (faulty.replacesId !== null)
      throw new AppError('CONFLICT', 'That code is a replacement itself. Refund the order instead, and ask the distributor.')
    const given = await replaceCode(tx, codeId, { reason, by: admin.id, now: ctx.now })
    if (!given)
      throw new AppError('CONFLICT', `There is no ${faulty.name} checker left to replace it with. Import more, or refund the order.`)
    const worthPesewas = worthOf(given.costPesewas, order, sold)
    await refuseLargeRefund(tx, ctx, worthPesewas)
    await postTransfer(tx, {
      key: `checker-loss:${given.id}`,
      kind: 'checker-loss',
      memo: `Replaces a faulty ${faulty.name} checker of order ${order.seq}`,
      actorId: admin.id,
      lines: [
        { accountId: CHECKER_LOSSES, amountPesewas: -given.costPesewas },
        { accountId: CHECKER_STOCK, amountPesewas: given.costPesewas },
      ],
      now: ctx.now,
    })
    await recordAdminAction(tx, ctx, {
      action: 'checkers.replaced',
      subject: { type: 'order', id: order.id },
      before: { serialEnd: faulty.tail },
      after: { costPesewas: given.costPesewas, worthPesewas },
      note: reason,
    })
    const all = await selectCodesOf(tx, order.id)
    await queueMessages(tx, ctx, sms, { order, codes: all.filter(({ id }) => id === given.id), askedAt: ctx.now })
    return all
  })
  ctx.jobs.wake(CHECKER_SMS_QUEUE)
  await announceCheckers(ctx, { onlySoldOut: true })
  return codes.map(presentSold)
}

/** What the buyer paid for one code, since whoever imported it typed what it cost; or that, where it is more. */
function worthOf(
  costPesewas: number,
  { pricePesewas, surchargePesewas }: Pick<OrderRow, 'pricePesewas' | 'surchargePesewas'>,
  codes: readonly { replacesId: number | null }[],
): number {
  const bought = codes.filter(({ replacesId }) => replacesId === null).length
  return Math.max(costPesewas, Math.ceil((pricePesewas + surchargePesewas) / bought))
}
