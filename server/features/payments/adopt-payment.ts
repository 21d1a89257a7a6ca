import { cardSurcharge } from '../../../shared/money.ts'
import { type Actor, type Ctx, requireActor } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { lockActor } from '../../platform/lock-actor.ts'
import type { PurchaseLine } from '../checkout/checkout.sql.ts'
import { type CardDesk, firstCheckAt } from './card-desk.ts'
import { claimQuestion, shareRun } from './check-payment.ts'
import { insertForeignPayment, type NewPayment } from './payments.sql.ts'
import { fulfil, type Paid } from './settle-payment.ts'

/** What Paystack takes as a reference, ours among them. */
export function isCardReference(text: string): boolean {
  return /^[A-Za-z0-9.=-]{1,64}$/.test(text)
}

/**
 * Takes in a payment that the asker's client began at the card provider by itself, under a reference that we do not know. It
 * is the asker's only if the provider says that they paid it, which it does by the e-mail address that the payer gave; then it
 * becomes the order of `line`, or money in the asker's wallet, and is known from then on. Nothing happens otherwise.
 */
export async function adoptPayment(ctx: Ctx, desk: CardDesk, reference: string, line: PurchaseLine): Promise<void> {
  const actor = requireActor(ctx)
  await shareRun(desk, reference, async () => {
    if (!(await claimQuestion(ctx.db, { reference, userId: actor.id, now: ctx.now }))) return
    const verification = await desk.card.verify(reference)
    if (verification.outcome !== 'paid' || !isOurs(desk, verification) || !hasPaid(actor, verification)) return
    await transaction(ctx.db, async (tx) => {
      await lockActor(tx, ctx)
      await insertForeignPayment(tx, {
        ...toPay(line, verification),
        reference,
        userId: actor.id,
        now: ctx.now,
        checkAt: firstCheckAt(ctx.now),
      })
    })
    await fulfil(ctx, desk, reference, verification)
  })
}

function isOurs(desk: CardDesk, paid: Paid): boolean {
  return paid.isTest === desk.isTest && paid.currency === 'GHS' && paid.amountPesewas > 0
}

function hasPaid(actor: Actor, { payerEmail }: Paid): boolean {
  return payerEmail?.trim().toLowerCase() === actor.email
}

/** The spec's client multiplies by 1.03 and may cut off half a pesewa, so one less than our surcharge is taken too. */
function toPay(line: PurchaseLine, { amountPesewas }: Paid): Pick<NewPayment, 'purpose' | 'lines' | 'pricePesewas' | 'surchargePesewas'> {
  const pricePesewas = Math.max(line.seen, 1)
  const full = cardSurcharge(pricePesewas)
  const surchargePesewas = amountPesewas === pricePesewas + full - 1 ? full - 1 : full
  return { purpose: 'order', lines: [{ ...line, clientId: null }], pricePesewas, surchargePesewas }
}
