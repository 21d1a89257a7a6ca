import type * as z from 'zod/mini'
import { AGENT_UPGRADE_FEE_PESEWAS, cardSurcharge } from '../../../shared/money.ts'
import type { PaymentReply, paymentRequest } from '../../../shared/payments.ts'
import type { CardGateway } from '../../integrations/payments/card-gateway.ts'
import { type Actor, type Ctx, requireActor } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { AppError, OutsideService, PurchasesPaused } from '../../platform/errors.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import { makeReference } from '../../platform/reference.ts'
import { priceLines } from '../purchases/price-lines.ts'
import { type PurchaseLine, toPurchaseLines } from '../purchases/purchases.sql.ts'
import { chooseFirstCheckTime } from './choose-check-time.ts'
import { insertPayment, markUnpaid, updateAccessCode } from './payments.sql.ts'

type ToPay = { purpose: 'order' | 'agent-upgrade'; lines: PurchaseLine[] | null; pricePesewas: number; surchargePesewas: number }

/**
 * Stores a payment at the server's prices, then initializes it at the card provider.
 * @throws PurchasesPaused, 409 when a price or product is not as the buyer saw it, 502 when the provider refuses or does not
 * answer.
 */
export async function startPayment(ctx: Ctx, gateway: CardGateway, request: z.output<typeof paymentRequest>): Promise<PaymentReply> {
  const actor = requireActor(ctx)
  const toPay = request.purpose === 'order' ? await cartToPay(ctx, actor, request.items) : upgradeToPay(actor)
  const reference = makeReference()
  const noted = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    return insertPayment(tx, { reference, userId: actor.id, ...toPay, now: ctx.now, checkAt: chooseFirstCheckTime(ctx.now) })
  })
  if (!noted) throw new PurchasesPaused()

  const amountPesewas = toPay.pricePesewas + toPay.surchargePesewas
  const asked = await gateway.card.initialize({
    reference,
    amountPesewas,
    email: actor.email,
    metadata: { purpose: toPay.purpose, username: actor.username },
  })
  if (asked.outcome !== 'accepted') {
    ctx.log.warn({ reference, ...asked }, 'the card provider did not initialize a payment')
    // An unknown outcome stays open and is polled, in case the payer can pay all the same.
    if (asked.outcome === 'rejected') await markUnpaid(ctx.db, reference, { status: 'failed', reason: asked.reason })
    throw new OutsideService('Card payment is not available at the moment. Nothing was charged. Please try again, or pay from your wallet.')
  }
  await updateAccessCode(ctx.db, reference, asked.accessCode)
  return {
    reference,
    amount: amountPesewas,
    currency: 'GHS',
    email: actor.email,
    publicKey: gateway.card.publicKey,
    accessCode: asked.accessCode,
  }
}

async function cartToPay(
  ctx: Ctx,
  actor: Actor,
  items: { productId: string; offer: string; phoneNumber: string; amount: number }[],
): Promise<ToPay> {
  const lines = toPurchaseLines(items)
  const pricePesewas = await priceLines(ctx.db, actor.level, lines)
  return { purpose: 'order', lines, pricePesewas, surchargePesewas: cardSurcharge(pricePesewas) }
}

/** The upgrade costs 50.00 by card, without a surcharge. */
function upgradeToPay(actor: Actor): ToPay {
  if (actor.level !== 'Customer') throw new AppError('CONFLICT', `You are already ${actor.level === 'Agent' ? 'an agent' : 'an admin'}.`)
  return { purpose: 'agent-upgrade', lines: null, pricePesewas: AGENT_UPGRADE_FEE_PESEWAS, surchargePesewas: 0 }
}
