import { formatPesewas } from '../../../../shared/money.ts'
import { CARD_PAYMENTS_RECEIVED, DISPUTE_LOSSES, REFUND_CODES, REFUNDS_PENDING } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { sumInWallet } from '../../orders/orders/disputed-money.sql.ts'
import { oweRefund } from '../../orders/orders/refunds.sql.ts'
import { markBooked, markWonBack, type Return, selectUnbookedReturns, selectWonBack } from './disputes.sql.ts'
import type { PaymentRow } from './payments.sql.ts'
import { lockReturned, selectClaimers, selectGuest, selectRejectedUnpaid, updateRefund } from './refunds-to-source.sql.ts'

type Line = { accountId: number; amountPesewas: number }

/**
 * Books what a lost dispute had taken and the shop has won since; call it with the payment locked. It ends the payment's loss first. The rest
 * was taken from the payer, or was not paid to them when an order was rejected, so it is theirs again, but for what the provider has refunded
 * to a guest meanwhile.
 */
export async function giveBackWon(tx: Tx, ctx: Ctx, { reference, userId }: Pick<PaymentRow, 'reference' | 'userId'>): Promise<void> {
  for (const { id, amountPesewas, lossPesewas } of await selectWonBack(tx, reference)) {
    const compensatedPesewas = Math.min(lossPesewas, amountPesewas)
    const restPesewas = amountPesewas - compensatedPesewas
    const refunded = userId === null ? await selectRefunded(tx, reference, restPesewas) : []
    const refundedPesewas = refunded.reduce((sum, { bookedPesewas }) => sum + bookedPesewas, 0)
    const toPayer =
      userId === null ? await toGuest(tx, ctx, reference, restPesewas - refundedPesewas) : [await toWallet(tx, ctx, userId, restPesewas)]
    const lines = [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: -amountPesewas },
      { accountId: DISPUTE_LOSSES, amountPesewas: compensatedPesewas },
      { accountId: REFUNDS_PENDING, amountPesewas: refundedPesewas },
      ...toPayer,
    ]
    await postTransfer(tx, {
      key: `dispute-won:${id}`,
      kind: 'dispute-won',
      memo: `Card payment ${reference}: GHS ${formatPesewas(amountPesewas)} came back, since dispute ${id} was won after all`,
      actorId: null,
      lines: lines.filter((line) => line.amountPesewas !== 0),
      now: ctx.now,
    })
    await markWonBack(tx, reference, { id, amountPesewas, compensatedPesewas, now: ctx.now })
    for (const refund of refunded) await bookRefunded(tx, ctx, reference, refund)
  }
}

type Refunded = Return & { bookedPesewas: number }

/** What the provider refunded while the bank had the whole payment, up to what came back. Nobody owes the guest that any more. */
async function selectRefunded(tx: Tx, reference: string, mostPesewas: number): Promise<Refunded[]> {
  let restPesewas = mostPesewas
  return (await selectUnbookedReturns(tx, reference))
    .filter(({ kind, currency }) => kind === 'refund' && currency === 'GHS')
    .map((refund) => {
      const bookedPesewas = Math.min(refund.amountPesewas, restPesewas)
      restPesewas -= bookedPesewas
      return { ...refund, bookedPesewas }
    })
    .filter(({ bookedPesewas }) => bookedPesewas > 0)
}

async function bookRefunded(tx: Tx, ctx: Ctx, reference: string, { bookedPesewas, ...refund }: Refunded) {
  await postTransfer(tx, {
    key: `card-refund:${refund.id}`,
    kind: 'card-refund',
    memo: `Card payment ${reference}: GHS ${formatPesewas(bookedPesewas)} went back to your card or phone`,
    actorId: null,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: bookedPesewas },
      { accountId: REFUNDS_PENDING, amountPesewas: -bookedPesewas },
    ],
    now: ctx.now,
  })
  await markBooked(tx, reference, { ...refund, amountPesewas: bookedPesewas }, 0, ctx.now)
}

async function toWallet(tx: Tx, ctx: Ctx, userId: string, amountPesewas: number): Promise<Line> {
  return { accountId: (await lockWalletOf(tx, userId, ctx.now)).accountId, amountPesewas }
}

/** What was taken from the wallets that had claimed the guest's refund is there again; the rest is owed to the guest. */
async function toGuest(tx: Tx, ctx: Ctx, paymentReference: string, pesewas: number): Promise<Line[]> {
  const lines: Line[] = []
  let restPesewas = pesewas
  for (const { userId, claimedPesewas } of restPesewas > 0 ? await selectClaimers(tx, paymentReference) : []) {
    const { accountId } = await lockWalletOf(tx, userId, ctx.now)
    const amountPesewas = Math.min(restPesewas, claimedPesewas - (await sumInWallet(tx, paymentReference, accountId)))
    if (amountPesewas <= 0) continue
    restPesewas -= amountPesewas
    lines.push({ accountId, amountPesewas })
  }
  return [...lines, ...(await oweAgain(tx, ctx, paymentReference, restPesewas))]
}

/** What the guest was owed before, then what was not owed because the bank had given it back. */
async function oweAgain(tx: Tx, ctx: Ctx, paymentReference: string, pesewas: number): Promise<Line[]> {
  const lines: Line[] = []
  let restPesewas = pesewas
  for (const refund of await lockReturned(tx, paymentReference)) {
    const { amountPesewas, wasCode } = refund
    if (amountPesewas > restPesewas) continue
    restPesewas -= amountPesewas
    await updateRefund(tx, refund, { status: wasCode ? 'code' : 'due', endedAt: null, providerNote: null, askAt: wasCode ? null : ctx.now })
    lines.push({ accountId: wasCode ? REFUND_CODES : REFUNDS_PENDING, amountPesewas })
  }
  for (const order of restPesewas > 0 ? await selectRejectedUnpaid(tx, paymentReference) : []) {
    const amountPesewas = Math.min(order.pesewas, restPesewas)
    if (amountPesewas === 0) break
    restPesewas -= amountPesewas
    const reason = 'the payment came back from your bank'
    await oweRefund(tx, { paymentReference, orderId: order.orderId, phone: order.phone, amountPesewas, reason, now: ctx.now })
    lines.push({ accountId: REFUNDS_PENDING, amountPesewas })
  }
  if (restPesewas > 0) {
    const phone = await selectGuest(tx, paymentReference)
    const reason = 'the payment came back from your bank'
    await oweRefund(tx, { paymentReference, orderId: null, phone, amountPesewas: restPesewas, reason, now: ctx.now })
    lines.push({ accountId: REFUNDS_PENDING, amountPesewas: restPesewas })
  }
  return lines
}
