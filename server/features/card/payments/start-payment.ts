import type * as z from 'zod/mini'
import { cardSurcharge, toPesewas } from '../../../../shared/money.ts'
import type { PaymentPurpose, PaymentReply, paymentRequest } from '../../../../shared/payments.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { type Actor, type Ctx, requireActor } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, PurchasesPaused } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { makeReference } from '../../../platform/reference.ts'
import { priceLines } from '../../orders/purchases/price-lines.ts'
import { type PurchaseLine, selectOnTheWay, toPurchaseLines } from '../../orders/purchases/purchases.sql.ts'
import { refuseMissingForms } from '../../orders/purchases/refuse-afa-form.ts'
import { refuseOnTheWay } from '../../orders/purchases/refuse-on-the-way.ts'
import { takePinProof } from '../../people/transaction-pin/take-pin-proof.ts'
import { chooseFirstCheckTime } from './choose-check-time.ts'
import { readUpgradeFee } from './claim-upgrade.ts'
import { openAtProvider } from './open-at-provider.ts'
import { insertPayment } from './payments.sql.ts'
import { refuseTopUp } from './refuse-top-up.ts'

type Request = z.output<typeof paymentRequest>
type Items = Extract<Request, { purpose: 'order' }>['items']
type ToPay = {
  purpose: PaymentPurpose
  lines: PurchaseLine[] | null
  /** What the lines cost. A top-up for them has another price: what is missing. */
  linesPesewas: number | null
  pricePesewas: number
  surchargePesewas: number
}

/** `asks`: what it would buy and is on its way already is refused. `pinProof` is what `createPinProof` made. */
type How = { asks?: boolean; pinProof?: string | undefined }

/**
 * Stores a payment at the server's prices, then initializes it at the card provider.
 * @throws PurchasesPaused, PinRequired where the wallet pays for a part, 409 when a price, a product or the balance is not as the buyer saw it, or ON_THE_WAY, 502 when the provider refuses or
 * does not answer; whatever `refuseTopUp` throws.
 */
export async function startPayment(ctx: Ctx, gateway: CardGateway, request: Request, { asks, pinProof }: How = {}): Promise<PaymentReply> {
  const actor = requireActor(ctx)
  const { linesPesewas, ...toPay } = await readToPay(ctx, actor, request)
  const found = asks && toPay.lines && (await selectOnTheWay(ctx.db, actor.id, toPay.lines))
  if (found) throw refuseOnTheWay(found, (index) => `items.${index}.phoneNumber`)
  if (toPay.lines) await refuseMissingForms(ctx.db, { userId: actor.id, shopId: null, lines: toPay.lines })
  const reference = makeReference()
  const noted = await transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    // The rest of what it buys comes from the wallet.
    if (toPay.purpose === 'top-up' && linesPesewas !== null) await takePinProof(tx, actor.id, pinProof, ctx.now)
    if (toPay.purpose === 'top-up') await refuseTopUp(tx, ctx, { userId: actor.id, amountPesewas: toPay.pricePesewas, linesPesewas })
    return insertPayment(tx, { reference, userId: actor.id, ...toPay, now: ctx.now, checkAt: chooseFirstCheckTime(ctx.now) })
  })
  if (!noted) throw new PurchasesPaused()

  const amountPesewas = toPay.pricePesewas + toPay.surchargePesewas
  return openAtProvider(ctx, gateway, { reference, amountPesewas, purpose: toPay.purpose, payer: actor })
}

async function readToPay(ctx: Ctx, actor: Actor, request: Request): Promise<ToPay> {
  switch (request.purpose) {
    case 'agent-upgrade':
      return upgradeToPay(ctx, actor)
    case 'order': {
      const { lines, linesPesewas } = await priceCart(ctx, actor, request.items)
      return { purpose: 'order', lines, linesPesewas, pricePesewas: linesPesewas, surchargePesewas: cardSurcharge(linesPesewas) }
    }
    case 'top-up': {
      const cart = request.items ? await priceCart(ctx, actor, request.items) : { lines: null, linesPesewas: null }
      const pricePesewas = toPesewas(request.amount)
      return { purpose: 'top-up', ...cart, pricePesewas, surchargePesewas: cardSurcharge(pricePesewas) }
    }
  }
}

async function priceCart(ctx: Ctx, actor: Actor, items: Items): Promise<{ lines: PurchaseLine[]; linesPesewas: number }> {
  const lines = toPurchaseLines(items)
  return { lines, linesPesewas: await priceLines(ctx.db, actor.level, lines) }
}

/** The upgrade costs what the owner has set, 50.00 otherwise, by card and without a surcharge. */
async function upgradeToPay(ctx: Ctx, actor: Actor): Promise<ToPay> {
  if (actor.level !== 'Customer') throw new AppError('CONFLICT', `You are already ${actor.level === 'Agent' ? 'an agent' : 'an admin'}.`)
  const pricePesewas = await readUpgradeFee(ctx.db)
  return { purpose: 'agent-upgrade', lines: null, linesPesewas: null, pricePesewas, surchargePesewas: 0 }
}
