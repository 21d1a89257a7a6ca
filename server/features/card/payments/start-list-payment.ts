import { cardSurcharge } from '../../../../shared/money.ts'
import type { PaymentReply } from '../../../../shared/payments.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { PurchasesPaused } from '../../../platform/errors.ts'
import { makeReference } from '../../../platform/reference.ts'
import { insertStoredList } from '../../orders/bulk/bulk.sql.ts'
import { lockAgent, type WantedBulk } from '../../orders/bulk/place-bulk.ts'
import { priceBulk } from '../../orders/bulk/price-bulk.ts'
import { refuseAfa } from '../../orders/bulk/refuse-afa.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { chooseFirstCheckTime } from './choose-check-time.ts'
import { openAtProvider } from './open-at-provider.ts'
import { insertPayment } from './payments.sql.ts'
import { refuseTopUp } from './refuse-top-up.ts'

/**
 * Stores a list and its payment at the server's prices, then initializes the payment at the card provider. `topUpPesewas` is what the wallet
 * lacks for the list, null where the card pays for all of it.
 * @throws Forbidden for a customer; PurchasesPaused; PinRequired where the wallet pays for a part; 409 when a price, a product, the total or the balance is not as the buyer saw it; 502 when
 * the provider refuses or does not answer; whatever `refuseTopUp` throws.
 */
export async function startListPayment(
  ctx: Ctx,
  gateway: CardGateway,
  wanted: Omit<WantedBulk, 'key'>,
  topUpPesewas: number | null,
): Promise<PaymentReply> {
  const actor = requireActor(ctx)
  const { name, groupId, scheduleId = null, lines, leftOut, totalPesewas } = wanted
  const reference = makeReference()
  const pricePesewas = topUpPesewas ?? totalPesewas
  const surchargePesewas = cardSurcharge(pricePesewas)
  const purpose = topUpPesewas === null ? 'order' : 'top-up'
  const noted = await transaction(ctx.db, async (tx) => {
    const userId = await lockAgent(tx, ctx)
    await refuseAfa(tx, wanted)
    await priceBulk(tx, actor.level, wanted)
    if (topUpPesewas !== null) await takePinProof(tx, userId, wanted.pinProof, ctx.now)
    if (topUpPesewas !== null) await refuseTopUp(tx, ctx, { userId, amountPesewas: topUpPesewas, linesPesewas: totalPesewas })
    const payment = { reference, userId, purpose, lines: purpose === 'order' ? [] : null, listLines: lines.length } as const
    const checkAt = chooseFirstCheckTime(ctx.now)
    if (!(await insertPayment(tx, { ...payment, pricePesewas, surchargePesewas, now: ctx.now, checkAt }))) return false
    const list = { name, groupId, scheduleId, lines, leftOut, totalPesewas }
    await insertStoredList(tx, { reference, userId, list, now: ctx.now })
    return true
  })
  if (!noted) throw new PurchasesPaused()
  return openAtProvider(ctx, gateway, { reference, amountPesewas: pricePesewas + surchargePesewas, purpose, payer: actor })
}
