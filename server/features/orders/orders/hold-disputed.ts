import { DISPUTED_MONEY } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import {
  attributeOrders,
  selectDisputedMoney,
  selectDisputedPayment,
  sumInWallet,
  sumOpenReturns,
  upsertDisputedMoney,
} from './disputed-money.sql.ts'

/**
 * Keeps what is disputed of a payment, or goes back at the provider, out of the wallets that still have it, and puts it back there once that is
 * over. What was spent from there already is in orders of the wallet: they wait too, the pending ones first, and their refund makes good
 * the payment's loss. Call it with the payment locked. Calling it again changes nothing.
 */
export async function holdDisputed(tx: Tx, ctx: Ctx, reference: string): Promise<void> {
  const payment = await selectDisputedPayment(tx, reference)
  if (!payment || payment.receivedPesewas === null) return
  const { holdReason, receivedPesewas, returnedPesewas, onHoldPesewas, lossPesewas, owners } = payment
  const open = Math.max(0, Math.min(await sumOpenReturns(tx, reference), receivedPesewas - returnedPesewas) - onHoldPesewas)
  const held = await selectDisputedMoney(tx, reference)
  // Staff may have released it although the bank has not decided yet.
  let toKeep = holdReason === null ? 0 : open
  let toFind = open + lossPesewas
  if (toFind === 0 && held.every(({ pesewas }) => pesewas === 0)) return
  const changes: Change[] = []
  for (const owner of owners) {
    const { accountId, balancePesewas } = await lockWalletOf(tx, owner, ctx.now)
    const before = held.find((one) => one.accountId === accountId)?.pesewas ?? 0
    const cameIn = before + Math.max(0, await sumInWallet(tx, reference, accountId))
    const due = Math.min(toFind, cameIn)
    const pesewas = Math.min(toKeep, cameIn, before + balancePesewas)
    changes.push({ accountId, before, pesewas })
    if (due > pesewas) await attributeOrders(tx, { reference, userId: owner, pesewas: due - pesewas })
    toKeep -= pesewas
    toFind -= due
  }
  await book(tx, ctx, reference, changes)
}

/** Puts all that was kept out of wallets back there, before it is taken for good or given to somebody. Call it with the payment locked. */
export async function releaseDisputed(tx: Tx, ctx: Ctx, reference: string): Promise<void> {
  const held = await selectDisputedMoney(tx, reference)
  await book(
    tx,
    ctx,
    reference,
    held.map(({ accountId, pesewas }) => ({ accountId, before: pesewas, pesewas: 0 })),
  )
}

type Change = { accountId: number; before: number; pesewas: number }

async function book(tx: Tx, ctx: Ctx, reference: string, all: Change[]) {
  const changes = all.filter(({ before, pesewas }) => before !== pesewas)
  if (changes.length === 0) return
  const times = await upsertDisputedMoney(tx, reference, changes)
  const more = changes.reduce((sum, { before, pesewas }) => sum + pesewas - before, 0)
  await postTransfer(tx, {
    key: `${more > 0 ? 'disputed-hold' : 'disputed-release'}-${times}:${reference}`,
    kind: 'card-payment',
    memo: more > 0 ? 'Your bank is looking into this payment' : 'Your bank’s look into this payment is over',
    actorId: null,
    lines: [
      ...changes.map(({ accountId, before, pesewas }) => ({ accountId, amountPesewas: before - pesewas })),
      { accountId: DISPUTED_MONEY, amountPesewas: more },
    ].filter(({ amountPesewas }) => amountPesewas !== 0),
    now: ctx.now,
  })
}
