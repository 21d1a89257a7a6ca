import { formatPesewas } from '../../../../shared/money.ts'
import { CARD_PAYMENTS_RECEIVED, CARD_SURCHARGES } from '../../../ledger/accounts.ts'
import { postTransfer, type Wallet } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { holdTopUp } from './hold-top-up.ts'
import type { OwnedPayment, Settled } from './payments.sql.ts'
import { type PlacedLines, placeLines } from './place-lines.ts'
import { markBoughtWith } from './top-ups.sql.ts'

/**
 * Puts a top-up into its payer's wallet, without the surcharge, and buys its lines from there. What cannot be bought stays in the
 * wallet; what a new payer or one beyond the daily limit has left, and what is disputed, goes on hold. Call it with the payment and the wallet locked.
 */
export async function settleTopUp(
  tx: Tx,
  ctx: Ctx,
  payment: OwnedPayment,
  { accountId }: Wallet,
  receivedPesewas: number,
): Promise<Settled & Pick<PlacedLines, 'orders' | 'list'>> {
  const duePesewas = payment.pricePesewas + payment.surchargePesewas
  const isFull = receivedPesewas >= duePesewas
  const surchargePesewas = isFull ? payment.surchargePesewas : 0
  const toppedUpPesewas = receivedPesewas - surchargePesewas
  const settled = { receivedPesewas, toppedUpPesewas, inWallet: toppedUpPesewas > 0 }
  const tooLittle = `GHS ${formatPesewas(receivedPesewas)} was paid of GHS ${formatPesewas(duePesewas)}`
  if (toppedUpPesewas === 0) return { ...settled, status: 'held', reason: tooLittle, orders: [], list: null }

  await postTransfer(tx, {
    key: `card-payment:${payment.reference}`,
    kind: 'card-payment',
    memo: memoOf(receivedPesewas, surchargePesewas),
    actorId: payment.userId,
    lines: [
      { accountId: CARD_PAYMENTS_RECEIVED, amountPesewas: -receivedPesewas },
      { accountId, amountPesewas: toppedUpPesewas },
      ...(surchargePesewas > 0 ? [{ accountId: CARD_SURCHARGES, amountPesewas: surchargePesewas }] : []),
    ],
    now: ctx.now,
  })
  const { orders, list, reason } = isFull ? await spend(tx, ctx, payment) : { orders: [], list: null, reason: tooLittle }
  // The orders of a list name the top-up from the start.
  if (orders.length > 0) await markBoughtWith(tx, payment.reference, orders)
  if (orders.length > 0 || list) return { ...settled, status: 'paid', reason: null, orders, list }
  const onHold = await holdTopUp(tx, ctx, payment, accountId, toppedUpPesewas)
  return { ...settled, status: reason === null ? 'paid' : 'held', reason, onHold, orders: [], list: null }
}

function memoOf(receivedPesewas: number, surchargePesewas: number): string {
  const received = `GHS ${formatPesewas(receivedPesewas)} paid`
  return surchargePesewas === 0 ? received : `${received}, of which the provider’s 3% is GHS ${formatPesewas(surchargePesewas)}`
}

async function spend(tx: Tx, ctx: Ctx, payment: OwnedPayment): Promise<Pick<PlacedLines, 'orders' | 'list'> & { reason: string | null }> {
  if (payment.lines !== null || payment.listLines !== null) return placeLines(tx, ctx, payment)
  const payer = await selectUser(tx, payment.userId)
  return { orders: [], list: null, reason: payer?.status === 'Banned' ? 'the account is banned' : null }
}
