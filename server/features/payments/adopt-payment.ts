import { cardSurcharge } from '../../../shared/money.ts'
import type { CardGateway } from '../../integrations/payments/card-gateway.ts'
import { type Actor, type Ctx, requireActor } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import type { PurchaseLine } from '../purchases/purchases.sql.ts'
import { shareRun, takeStatusQuery } from './check-payment.ts'
import { chooseFirstCheckTime } from './choose-check-time.ts'
import { lockReturnsOf, selectHoldReason } from './disputes.sql.ts'
import { insertForeignPayment, type NewPayment } from './payments.sql.ts'
import { fulfil, type Paid } from './settle-payment.ts'

/**
 * Adopts a payment that the caller's client started at the card provider under a reference unknown to us. The provider must
 * report that the caller's e-mail address paid it; then it buys `line`, or fills the caller's wallet. Otherwise nothing
 * happens.
 * @throws 402 while the payment is disputed or being refunded.
 */
export async function adoptPayment(ctx: Ctx, gateway: CardGateway, reference: string, line: PurchaseLine): Promise<void> {
  const actor = requireActor(ctx)
  await shareRun(gateway, reference, async () => {
    if (!(await takeStatusQuery(ctx, { reference, userId: actor.id }))) return
    const verification = await gateway.card.verify(reference)
    if (verification.outcome !== 'paid' || !isOurs(gateway, verification) || !hasPaid(actor, verification)) return
    await transaction(ctx.db, async (tx) => {
      await lockActor(tx, ctx)
      await lockReturnsOf(tx, reference)
      const reason = await selectHoldReason(tx, reference)
      if (reason !== null)
        throw new AppError('UNPAID', `We cannot place this order, because ${reason}. Nothing was taken from your wallet.`)
      await insertForeignPayment(tx, {
        ...toPay(line, verification),
        reference,
        userId: actor.id,
        now: ctx.now,
        checkAt: chooseFirstCheckTime(ctx.now),
      })
    })
    await fulfil(ctx, gateway, reference, verification)
  })
}

function isOurs(gateway: CardGateway, paid: Paid): boolean {
  return paid.isTest === gateway.isTest && paid.currency === 'GHS' && paid.amountPesewas > 0
}

function hasPaid(actor: Actor, { payerEmail }: Paid): boolean {
  return payerEmail?.trim().toLowerCase() === actor.email
}

/**
 * The public API's client multiplies by 1.03 and may truncate half a pesewa, so one pesewa less than our surcharge is
 * accepted.
 */
function toPay(line: PurchaseLine, { amountPesewas }: Paid): Pick<NewPayment, 'purpose' | 'lines' | 'pricePesewas' | 'surchargePesewas'> {
  const pricePesewas = Math.max(line.expectedPricePesewas, 1)
  const full = cardSurcharge(pricePesewas)
  const surchargePesewas = full > 0 && amountPesewas === pricePesewas + full - 1 ? full - 1 : full
  return { purpose: 'order', lines: [{ ...line, clientId: null }], pricePesewas, surchargePesewas }
}
