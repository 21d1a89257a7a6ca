import { formatLongDate } from '../../../../shared/dates.ts'
import type { MomoNetwork } from '../../../../shared/message-formats.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import { isUnlikelyTime } from '../../../../shared/readers/read-date.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import type { Doubt, IncomingPayment, ReadMessage, Uncounted } from '../../messages/message-formats/parse-message.ts'
import { checkBalances, type Movement } from './check-balances.ts'
import { linkApproved } from './credit-payment.ts'
import { eightDigits } from './match-payments.ts'
import { readMatches } from './queries.ts'
import {
  addDoubt,
  insertPayments,
  insertReversals,
  type NewPayment,
  type Source,
  type StoredPayment,
  selectApprovedByHand,
  selectByTransaction,
  selectRecentBalances,
  selectReversed,
  takeReadingTurn,
  updateFacts,
  updateForwarder,
} from './received-payments.sql.ts'

/** What became of everything that was read. */
export type Reading = { read: number; certain: number; doubtful: number; unmatched: number; notCounted: Uncounted[] }

/**
 * Keeps the payments among messages or rows that were read, each transaction once: what is there already is not added again, and
 * one that was credited is reported with its day and its customer. No money moves.
 */
export async function recordPayments(ctx: Ctx, items: readonly ReadMessage[], source: 'message' | 'statement'): Promise<Reading> {
  const { notCounted, ids } = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'finance')
    const recorded = await recordLocked(tx, ctx, items, { source, by: admin.id, adminId: admin.id, forwarderId: null })
    await recordAdminAction(tx, ctx, {
      action: 'payment.read',
      subject: { type: 'payments', id: source },
      after: { read: items.length, new: recorded.fresh },
    })
    return recorded
  })
  const counts = { certain: 0, doubtful: 0, unmatched: 0 }
  for (const { state, payment } of await readMatches(ctx.db, ctx.now)) if (ids.has(payment.id)) counts[state]++
  return { read: items.length, ...counts, notCounted }
}

/** Who read messages in: an admin, or a phone, whose owner added it and which decides nothing. */
type Reader = { source: Source; by: string; adminId: string | null; forwarderId: string | null }
export type Recorded = { notCounted: Uncounted[]; ids: Set<string>; fresh: number }

/**
 * The same within the caller's transaction. What a phone sends is unproven until its balance follows from the one before, so it is
 * not compared with the balances of pasted messages.
 */
export async function recordLocked(
  tx: Tx,
  ctx: Ctx,
  items: readonly ReadMessage[],
  { source, by, adminId, forwarderId }: Reader,
): Promise<Recorded> {
  const sorted = sortOut(items)
  const unlike = source === 'phone' ? new Set<ReadMessage>() : await findUnlikelyBalances(tx, items)
  // A reversal and its payment that are read at the same moment must see each other.
  await takeReadingTurn(tx)
  const stored = await selectByTransaction(tx, mentionedIds(items))
  const named = items.flatMap((item) => (item.kind === 'reversal' ? idsIn(item.raw) : []))
  if (named.length > 0) await insertReversals(tx, named, ctx.now)
  const reversed = await selectReversed(tx, [...new Set(sorted.payments.map(({ transactionId }) => transactionId))])
  const storedById = Map.groupBy(stored, ({ transactionId }) => transactionId)
  const isQuestioned = findQuestioned(items)
  const seen = { notCounted: sorted.notCounted, ids: new Set<string>(), fresh: 0 }
  const fresh: NewPayment[] = []
  for (const payment of sorted.payments) {
    const found = [...payment.doubts]
    if (unlike.has(payment)) found.push('balance')
    if (payment.sentAt && isUnlikelyTime(payment.sentAt, ctx.now)) found.push('date')
    if (source === 'phone') found.push('unproven')
    if (reversed.has(payment.transactionId) || isQuestioned(payment)) found.push('reversal')
    const doubts = [...new Set(found)]
    const facts = { ...payment, doubts, source }
    const known = storedById.get(payment.transactionId)?.find((one) => isSame(one, payment))
    if (known) await meetKnown(tx, known, facts, { ...seen, by, forwarderId })
    else fresh.push(facts)
  }
  // A reversal, or unknown words about a payment that was read before: a person has to look at that payment again.
  for (const payment of stored) if (isQuestioned(payment)) await addDoubt(tx, payment.id, 'reversal')
  const byHand = new Set(await selectApprovedByHand(tx, [...new Set(fresh.flatMap(({ reference }) => [...eightDigits(reference)]))]))
  for (const { id, reference } of await insertPayments(tx, fresh, { by, at: ctx.now, forwarderId })) {
    const isByHand = [...eightDigits(reference)].some((rechargeId) => byHand.has(rechargeId))
    const linked = isByHand ? await linkApproved(tx, ctx, id, adminId) : null
    if (linked) seen.notCounted.push(linked)
    else seen.ids.add(id)
  }
  seen.fresh = fresh.length
  return seen
}

/** The payments among the items, each once, and what is not counted. */
function sortOut(items: readonly ReadMessage[]): { payments: IncomingPayment[]; notCounted: Uncounted[] } {
  const payments = new Map<string, IncomingPayment>()
  const notCounted: Uncounted[] = []
  for (const item of items) {
    if (item.kind !== 'credit') {
      notCounted.push(item)
      continue
    }
    const name = `${item.network} ${item.transactionId}`
    const before = payments.get(name)
    if (before === undefined) payments.set(name, item)
    else if (before.amountPesewas === item.amountPesewas) notCounted.push({ ...item, kind: 'repeated', says: 'It is in here twice.' })
    else {
      before.doubts = [...new Set([...before.doubts, 'changed' as const])]
      notCounted.push({
        ...item,
        kind: 'repeated',
        says: `The same transaction ID, with ¢${formatPesewas(before.amountPesewas)}, is in here too.`,
      })
    }
  }
  return { payments: [...payments.values()], notCounted }
}

type Seen = { notCounted: Uncounted[]; ids: Set<string>; by: string; forwarderId: string | null }

/** What a payment that is known already, and now read again, comes to. */
async function meetKnown(tx: Tx, known: StoredPayment, facts: NewPayment, { notCounted, ids, by, forwarderId }: Seen) {
  const sameAmount = known.amountPesewas === facts.amountPesewas
  const byPhone = facts.source === 'phone'
  const isUnread = facts.doubts.includes('unknown-form') && !known.doubts.includes('unknown-form')
  if (known.status === 'credited') {
    const credited = `Credited to ${known.username} on ${formatLongDate(known.creditedAt as Date)}.`
    const other = sameAmount ? '' : ` It was ¢${formatPesewas(known.amountPesewas)} then.`
    notCounted.push({ ...facts, kind: 'counted', says: credited + other })
    // What a person typed was believed meanwhile.
    if (byPhone && known.source !== 'phone' && !isUnread && differs(known, facts)) {
      await addDoubt(tx, known.id, 'contradicted')
      await addDoubt(tx, known.id, 'reversal')
    }
    return
  }
  if (known.status === 'dismissed') {
    notCounted.push({ ...facts, kind: 'counted', says: 'Somebody dismissed this payment.' })
    return
  }
  ids.add(known.id)
  const isBetter = known.doubts.includes('unknown-form') && !facts.doubts.includes('unknown-form')
  const isSameMessage = known.raw.trim() === facts.raw.trim()
  const plus = (...more: Doubt[]) => ({ ...facts, doubts: [...new Set([...facts.doubts, ...more])] })
  if (known.source === 'phone' && !byPhone) {
    // Nobody changes what a phone has brought: the same words may be understood by now, and others are a doubt.
    const kept = known.doubts.filter((doubt) => doubt !== 'unknown-form')
    if (isBetter && isSameMessage) await updateFacts(tx, known.id, { ...plus(...kept), source: 'phone' }, by)
    else if (differs(known, facts)) {
      await addDoubt(tx, known.id, 'changed')
      const says = `A phone of the shop brought it with ¢${formatPesewas(known.amountPesewas)} and perhaps other details. That stands.`
      notCounted.push({ ...facts, kind: 'repeated', says })
    }
    return
  }
  if (byPhone && known.source !== 'phone') {
    // The phone wins over what a person typed, but for words that nobody understands.
    const isOther = differs(known, facts)
    if (isUnread || !(isBetter || isOther)) return
    const kept = known.doubts.filter((doubt) => doubt === 'reversal')
    await updateFacts(tx, known.id, plus(...kept, ...(isOther ? ['changed' as const] : [])), by)
    if (forwarderId !== null) await updateForwarder(tx, known.id, forwarderId)
    return
  }
  // Two messages of a phone that differ: whichever its balances prove is believed, and until then neither is.
  if (byPhone && !isBetter) return
  const isUnclear = facts.doubts.includes('unclear-row')
  if (isUnclear && sameAmount) return
  const isConfirmed = sameAmount && facts.source === 'statement' && (known.source === 'message' || known.doubts.includes('unclear-row'))
  if (isConfirmed) await updateFacts(tx, known.id, confirmed(known, facts), by)
  else if (!sameAmount) await updateFacts(tx, known.id, plus('changed'), by)
  else if (isBetter) await updateFacts(tx, known.id, isSameMessage ? facts : plus('changed'), by)
}

/** Doubts that no statement ends, which whoever reads it in may have written themselves. */
const LASTING: readonly Doubt[] = ['reversal', 'changed', 'unproven']

/** What a statement confirms. Many name neither the reference nor the number: what the message said of them stays. */
function confirmed(known: StoredPayment, facts: NewPayment): NewPayment {
  return {
    ...facts,
    payerName: facts.payerName ?? known.payerName,
    payerPhone: facts.payerPhone ?? known.payerPhone,
    typedPhone: facts.typedPhone ?? known.typedPhone,
    reference: facts.reference ?? known.reference,
    doubts: known.doubts.filter((doubt) => LASTING.includes(doubt)),
  }
}

/** Whether two readings of a transaction say something else. A statement leaves facts out and writes names in its own way. */
function differs(known: StoredPayment, facts: NewPayment): boolean {
  if (known.amountPesewas !== facts.amountPesewas) return true
  const isRow = known.source === 'statement' || facts.source === 'statement'
  const told = isRow
    ? (['payerPhone', 'typedPhone', 'reference'] as const)
    : (['payerPhone', 'typedPhone', 'reference', 'payerName'] as const)
  return told.some((fact) => {
    const [one, other] = [plain(known[fact]), plain(facts[fact])]
    return one !== other && !(isRow && (one === '' || other === ''))
  })
}

function plain(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().toLowerCase()
}

/**
 * The same transaction. One in unknown words may have been filed under another network, and a statement read under a wrong one:
 * no two networks give the same id to the same amount.
 */
function isSame(stored: StoredPayment, payment: IncomingPayment): boolean {
  if (stored.transactionId !== payment.transactionId) return false
  const isUnknown = payment.doubts.includes('unknown-form') || stored.doubts.includes('unknown-form')
  return stored.network === payment.network || isUnknown || stored.amountPesewas === payment.amountPesewas
}

/** All payments and movements with balances, in the networks that were read; those of earlier days help to place the new ones. */
async function findUnlikelyBalances(tx: Tx, items: readonly ReadMessage[]): Promise<Set<ReadMessage>> {
  const moved = items.flatMap((item) => toMovement(item))
  const networks = [...new Set(moved.map(({ network }) => network))]
  const before = moved.length === 0 ? [] : await selectRecentBalances(tx, networks)
  const unlikely = new Set<ReadMessage>()
  for (const network of networks) {
    const all: (Movement & { item?: ReadMessage })[] = [...moved, ...before].filter((one) => one.network === network)
    for (const { item } of checkBalances(all)) if (item) unlikely.add(item)
  }
  return unlikely
}

/** How a message says that a wallet's balance changed; empty where it does not say. */
export function toMovement(item: ReadMessage): (Movement & { item: ReadMessage; network: MomoNetwork })[] {
  const { balancePesewas, amountPesewas, network } = item
  if (balancePesewas === null || amountPesewas === null || network === null) return []
  if (item.kind === 'credit' || item.kind === 'refund' || item.kind === 'interest')
    return [{ item, network, balancePesewas, changePesewas: amountPesewas }]
  return item.kind === 'money-out' ? [{ item, network, balancePesewas, changePesewas: -amountPesewas - item.feePesewas }] : []
}

/** Whether an item questions a payment: a reversal, or unknown words, in which its id stands. */
function findQuestioned(items: readonly ReadMessage[]): (payment: { transactionId: string; raw: string }) => boolean {
  const rawsById = new Map<string, Set<string>>()
  for (const item of items) {
    if (item.kind !== 'reversal' && !(item.kind === 'credit' && item.doubts.includes('unknown-form'))) continue
    for (const id of idsIn(item.raw)) {
      const raws = rawsById.get(id) ?? new Set()
      rawsById.set(id, raws.add(item.raw.trim()))
    }
  }
  return ({ transactionId, raw }) => {
    const raws = rawsById.get(transactionId)
    return raws !== undefined && (raws.size > 1 || !raws.has(raw.trim()))
  }
}

function mentionedIds(items: readonly ReadMessage[]): string[] {
  return [...new Set(items.flatMap((item) => [item.transactionId ?? '', ...(isPlain(item) ? [] : idsIn(item.raw))]))].filter(Boolean)
}

function isPlain(item: ReadMessage): boolean {
  return item.kind === 'credit' && !item.doubts.includes('unknown-form')
}

function idsIn(raw: string): string[] {
  return [...raw.matchAll(/(?<!\d)\d{10,16}(?!\d)/g)].map(([digits]) => digits.replace(/^0+/, ''))
}
