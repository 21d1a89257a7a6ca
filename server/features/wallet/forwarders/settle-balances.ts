import type { WalletNetwork } from '../../../../shared/forwarders.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { addDoubt, lockPayment, removeDoubt, updateFacts, updateForwarder } from '../received-payments/received-payments.sql.ts'
import type { ForwarderRow } from './forwarders.sql.ts'
import {
  countTold,
  forgetBalance,
  selectBalance,
  selectProvenSince,
  selectWaitingMovements,
  updateBalance,
  updateMovementsProven,
  type WaitingMovement,
} from './wallets.sql.ts'

/**
 * Follows a wallet's balance from the one that is proven: the message that begins there is proven, then the one that begins where
 * that ends, and so on. Where two begin at the same balance one is a fake or the balance came back to it, and both wait. Part of the
 * caller's transaction, which has the phone locked. Returns how many messages it proved.
 */
export async function settleBalances(tx: Tx, ctx: Ctx, forwarder: ForwarderRow, network: WalletNetwork): Promise<number> {
  const start = await selectBalance(tx, forwarder.id, network)
  if (start === null) return 0
  const waiting = await selectWaitingMovements(tx, forwarder.id, network)
  const { path, end } = follow(waiting, start)
  if (path.length === 0) return 0
  await updateBalance(tx, forwarder.id, network, end)
  await proveMovements(tx, ctx, forwarder, path)
  return path.length
}

type Step = Pick<WaitingMovement, 'openingPesewas' | 'closingPesewas'>

/** The only way from a balance through the movements, as far as it is the only one. */
function follow<M extends Step>(waiting: readonly M[], start: number): { path: M[]; end: number } {
  const from = Map.groupBy(waiting, ({ openingPesewas }) => openingPesewas)
  const path: M[] = []
  let end = start
  for (;;) {
    const next = from.get(end) ?? []
    const [only] = next
    if (!only || next.length > 1) return { path, end }
    from.delete(end)
    path.push(only)
    end = only.closingPesewas
  }
}

/** The only way that leads to a balance, the last movement first. */
export function followBack<M extends Step>(waiting: readonly M[], end: number): M[] {
  const turned = waiting.map((movement) => ({
    movement,
    openingPesewas: movement.closingPesewas,
    closingPesewas: movement.openingPesewas,
  }))
  return follow(turned, end).path.map(({ movement }) => movement)
}

/** A thief who sends the same payment with one balance after the other hits the right one some day. */
const MOST_TOLD = 5

/**
 * What these messages say of payments is so, and nothing of their balances speaks against crediting them any more. A payment moves one
 * wallet once: what another phone brought, was proven before, or came with ever other balances, is for a person.
 */
export async function proveMovements(tx: Tx, ctx: Ctx, forwarder: ForwarderRow, path: readonly WaitingMovement[]) {
  await updateMovementsProven(
    tx,
    path.map(({ seq }) => seq),
    ctx.now,
  )
  for (const { paymentId, facts } of path) {
    if (paymentId === null) continue
    const payment = await lockPayment(tx, paymentId)
    if (payment?.forwarderId && payment.forwarderId !== forwarder.id) continue
    const told = await countTold(tx, paymentId, forwarder.id)
    if (told.proven > 1 || told.all > MOST_TOLD) {
      await addDoubt(tx, paymentId, 'changed')
      continue
    }
    if (payment?.status !== 'waiting' || facts === null) {
      await removeDoubt(tx, paymentId, 'unproven')
      continue
    }
    const kept = payment.doubts.filter((doubt) => doubt === 'reversal')
    const doubts = [...facts.doubts.filter((doubt) => doubt !== 'unproven' && doubt !== 'reversal'), ...kept]
    const sentAt = facts.sentAt === null ? null : new Date(facts.sentAt)
    await updateFacts(tx, paymentId, { ...facts, sentAt, doubts }, forwarder.createdById)
    await updateForwarder(tx, paymentId, forwarder.id)
  }
}

/** How long ago a message may have been proven that another one, which begins at the same balance, calls into question. */
const QUESTIONED_FOR_MS = 3_600_000

/**
 * A message that begins where a proven one began, instead of where the last one ended: one of the two is a fake. If it is the proven one,
 * so are those that followed from it, and the balance is wrong: nothing more is credited before the owner has confirmed it. Part of the
 * caller's transaction, before the balances are settled.
 */
export async function noteFork(
  tx: Tx,
  ctx: Ctx,
  forwarder: ForwarderRow,
  { network, openingPesewas }: { network: WalletNetwork; openingPesewas: number },
) {
  const balance = await selectBalance(tx, forwarder.id, network)
  if (balance === null || balance === openingPesewas) return
  const since = new Date(ctx.now.getTime() - QUESTIONED_FOR_MS)
  const place = { forwarderId: forwarder.id, network, openingPesewas, closingPesewas: balance }
  const questioned = await selectProvenSince(tx, place, since)
  if (questioned.length === 0) return
  await forgetBalance(tx, forwarder.id, network)
  for (const paymentId of questioned) if (paymentId !== null) await addDoubt(tx, paymentId, 'fork')
  raiseAlarm(ctx.log, 'balances-fork', { forwarder: forwarder.name, network, paymentIds: questioned })
}
