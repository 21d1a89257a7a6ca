import type { Decision } from '../../../../shared/orders.ts'
import { type DeliveryStatus, NEEDS_A_LOOK, needsReason } from '../../../../shared/suppliers.ts'
import { CARD_SURCHARGES, DISPUTE_LOSSES, ORDERS_UNDELIVERED, REFUNDS_PENDING, SALES } from '../../../ledger/accounts.ts'
import { lockWalletOf, postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AlreadyDecided, AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { type DecideJob, NEWS_QUEUE, NOTIFY_QUEUE, notifyJob, refundNewsJob } from '../../../platform/queues.ts'
import { refuseOwnGain } from '../../people/second-factor/refuse-own-gain.ts'
import { announceUserById } from '../../people/users/events.ts'
import { type BatchLock, endBatchLock, selectBatchesOf } from './batch-locks.sql.ts'
import { cancelUnsent, lockStanding } from './deliveries.sql.ts'
import { announceOrder, announceReport } from './events.ts'
import { holdDisputed } from './hold-disputed.ts'
import {
  hasAfaDetails,
  isPassedOver,
  lockOrder,
  type OrderRow,
  selectRegistrarFile,
  selectUndelivered,
  subtractFromTotalPurchase,
  updateDecision,
} from './orders.sql.ts'
import { lockPaymentsOfOrder, type PaymentOfOrder, reduceLoss } from './payment-losses.sql.ts'
import { oweRefund, takeBackProfit } from './refunds.sql.ts'
import { refuseLargeRefund } from './refuse-large-refund.ts'
import { endOpenReport, isResent } from './reports.sql.ts'

export type DecideOrder = {
  orderId: string
  status: Decision
  /** Rejects an order that its supplier has. `supplierStatus` is the status that the admin saw. */
  override?: { reason?: string | undefined; supplierStatus?: DeliveryStatus | undefined } | undefined
  /** Part of a bulk decision: the admin has not looked at this order unless the override has its status. */
  oneOfMany?: boolean
  /** Why it is refunded, in words that its buyer reads. */
  refundReason?: string | undefined
  /** The batch through which it is decided; one that is locked in a batch is decided in no other way. */
  batchId?: string
}

/**
 * Completes or rejects a pending order, once. Rejecting refunds everything paid for it.
 * @throws AtSupplier when the supplier has, may have or has delivered the order and the override gives no reason.
 * @throws InBatch when it is locked in another batch than the one named, or in none although one is named.
 * @throws NotFound, AlreadyDecided, OnHold; OwnGain; AppError (SECOND_PERSON_NEEDED) beyond what the actor may refund alone of what was or may have been delivered.
 */
export async function decideOrder(ctx: Ctx, asked: DecideOrder): Promise<OrderRow> {
  requireActor(ctx)
  const { orderId, status, override, oneOfMany = false, refundReason, batchId } = asked
  return decide(ctx, {
    orderId,
    status,
    note: override?.reason ?? refundReason ?? '',
    refundReason,
    batchId,
    alone: !oneOfMany,
    check: (standing) => checkStanding(standing, { status, override, oneOfMany }),
  })
}

/**
 * An automatic decision after the supplier's answer, where the settings allow it. Does nothing if the order was decided
 * meanwhile or the supplier's answer has changed.
 * @throws Forbidden when a person asks, NotFound
 */
export async function decideOrderAsSupplierSays(ctx: Ctx, { orderId, status }: DecideJob): Promise<void> {
  if (ctx.actor) throw new Forbidden()
  const note = status === 'completed' ? 'The supplier has delivered it.' : 'The supplier did not deliver it.'
  const says: readonly DeliveryStatus[] = status === 'completed' ? ['delivered'] : ['rejected', 'failed']
  const check = (standing: DeliveryStatus) => {
    if (!says.includes(standing)) throw new AtSupplier('The supplier says otherwise by now.')
  }
  await decide(ctx, { orderId, status, note, check, alone: true }).catch((error: unknown) => {
    const isMeanwhile =
      error instanceof AlreadyDecided || error instanceof AtSupplier || error instanceof OnHold || error instanceof InBatch
    if (!isMeanwhile) throw error
  })
}

type Deciding = {
  orderId: string
  status: Decision
  note: string
  alone: boolean
  check: (standing: DeliveryStatus) => void
  refundReason?: string | undefined
  batchId?: string | undefined
}

async function decide(ctx: Ctx, deciding: Deciding): Promise<OrderRow> {
  const { order, reportId } = await transaction(ctx.db, async (tx) => {
    if (ctx.actor) await requireStaff(tx, ctx, 'orders')
    return decideInside(tx, ctx, deciding)
  })
  announceOrder(ctx, order)
  if (reportId !== null) await announceReport(ctx, reportId)
  if (deciding.status === 'rejected') await announceUserById(ctx, order.userId)
  return order
}

const DAY_MS = 86_400_000

/** In characters; what the shop answers a report may be longer. */
const MOST_OF_A_REASON = 200

/**
 * Refunds an order because of a report, in the transaction that ends it: also one that was completed, once.
 * @throws AtSupplier, OnHold, AlreadyDecided when it is refunded already
 */
export async function refundReported(
  tx: Tx,
  ctx: Ctx,
  { orderId, note, supplierStatus }: { orderId: string; note: string; supplierStatus?: DeliveryStatus | undefined },
): Promise<OrderRow> {
  const override = { reason: note, supplierStatus }
  const check = (standing: DeliveryStatus) => checkStanding(standing, { status: 'rejected', override })
  const refundReason = [...note].slice(0, MOST_OF_A_REASON).join('')
  return (await decideInside(tx, ctx, { orderId, status: 'rejected', note, refundReason, alone: true, check, afterCompletion: true })).order
}

/**
 * Completes a pending order because a report of it ended with the data delivered.
 * @throws AtSupplier, AlreadyDecided
 */
export async function completeReported(
  tx: Tx,
  ctx: Ctx,
  { orderId, note, supplierStatus }: { orderId: string; note: string; supplierStatus?: DeliveryStatus | undefined },
): Promise<OrderRow> {
  const override = { reason: note, supplierStatus }
  const check = (standing: DeliveryStatus) => checkStanding(standing, { status: 'completed', override })
  return (await decideInside(tx, ctx, { orderId, status: 'completed', note, alone: true, check })).order
}

/** The caller has checked the actor. `reportId` is the open report that a refund ended. */
async function decideInside(
  tx: Tx,
  ctx: Ctx,
  { orderId, status, note, alone, check, refundReason, batchId, afterCompletion = false }: Deciding & { afterCompletion?: boolean },
): Promise<{ order: OrderRow; reportId: string | null }> {
  const found = await lockOrder(tx, orderId)
  if (!found) throw new NotFound('order')
  if (found.status !== 'pending' && !(afterCompletion && found.status === 'completed')) throw new AlreadyDecided('order', found.status)
  await refuseOwnGain(tx, ctx, 'orders', { orderId, status })
  const { lock, listedIn } = await selectBatchesOf(tx, orderId)
  if (lock !== null && lock.batchId !== batchId) throw new InBatch(lock)
  if (lock === null && batchId !== undefined) throw new NotInBatch()
  const payments = await lockPaymentsOfOrder(tx, orderId)
  const holdReason = payments.find((one) => one.holdReason !== null)?.holdReason ?? null
  // A delivery is a fact, so it may complete an order on hold; anything else about it needs an admin's explicit reason.
  const goesOn = ctx.actor === null || batchId !== undefined ? status === 'completed' : alone && note !== ''
  if (holdReason !== null && !goesOn) throw new OnHold(holdReason)
  const standing = await lockStanding(tx, orderId)
  if (standing !== null) check(standing)
  if (status === 'completed' && found.network === 'AFA' && !(await hasAfaDetails(tx, orderId))) throw new NobodyRegistered()
  const isRefund = status === 'rejected'
  if (isRefund && standing !== 'rejected' && standing !== 'failed' && (await isResent(tx, orderId))) throw new SentAgain()
  const overridden = ctx.actor !== null && standing !== null && needsReason(status, standing) && note !== ''
  const registrarFile = isRefund && found.network === 'AFA' ? await selectRegistrarFile(tx, orderId) : null
  const perhapsSent = isRefund && ctx.actor !== null && listedIn === null ? await findSending(tx, found, ctx.now) : null
  if (isRefund && (overridden || found.status === 'completed' || listedIn !== null || registrarFile !== null || perhapsSent !== null))
    await refuseLargeRefund(tx, ctx, found.pricePesewas + found.surchargePesewas)
  const reportId = isRefund ? await endOpenReport(tx, orderId, { outcome: 'refunded', endedBy: ctx.actor?.id ?? null, now: ctx.now }) : null
  if (isRefund) await refundOrder(tx, ctx, found, payments)
  const overrideReason = isRefund && (overridden || found.status === 'completed') ? note : null
  const decidedBy = ctx.actor?.id ?? null
  if (lock !== null) await endBatchLock(tx, orderId, { outcome: status, endedBy: decidedBy, now: ctx.now })
  const why = isRefund ? (refundReason ?? null) : null
  await updateDecision(tx, orderId, { status, decidedAt: ctx.now, decidedBy, overrideReason, refundReason: why })
  await cancelUnsent(tx, orderId, `the order was ${status} by hand`, ctx.now)
  if (status === 'completed') await ctx.jobs.enqueue(tx, NOTIFY_QUEUE, [notifyJob('completed', orderId)])
  else await ctx.jobs.enqueue(tx, NEWS_QUEUE, [refundNewsJob(orderId)])
  await recordAdminAction(tx, ctx, {
    action: `order.${status}`,
    subject: { type: 'order', id: orderId },
    before: {
      status: found.status,
      ...(overridden ? { supplierStatus: standing } : {}),
      ...(holdReason === null ? {} : { onHold: holdReason }),
      ...(listedIn === null ? {} : { batch: listedIn }),
      ...(registrarFile === null ? {} : { registrarFile }),
      ...(perhapsSent === null ? {} : { perhapsSent }),
    },
    after: { status },
    note,
  })
  return { order: (await lockOrder(tx, orderId)) as OrderRow, reportId }
}

/**
 * Why an order that no batch has listed may have been sent by hand all the same; null while it waits untouched. A person sends the oldest of a network
 * first, so one that was passed over, or waited for a day, was perhaps sent and never marked.
 */
async function findSending(tx: Tx, { network, seq, createdAt }: OrderRow, now: Date): Promise<string | null> {
  if (now.getTime() - createdAt.getTime() > DAY_MS) return 'it waited for more than a day'
  return (await isPassedOver(tx, { network, seq })) ? 'a person has completed later orders of its network' : null
}

/** @throws AtSupplier or BeingSent when the delivery's status forbids the decision. */
function checkStanding(standing: DeliveryStatus, { status, override, oneOfMany = false }: Omit<DecideOrder, 'orderId'>) {
  if (status === 'rejected' && standing === 'sending') throw new BeingSent()
  const seen = override?.supplierStatus
  if (seen !== undefined && seen !== standing) throw new AtSupplier(`${SINCE_YOU_LOOKED} ${STANDS[standing] ?? ''}`.trim())
  if (oneOfMany && seen === undefined && NEEDS_A_LOOK.includes(standing)) throw new AtSupplier(`${STANDS[standing]} Decide it by itself.`)
  const asked = status === 'rejected' || oneOfMany
  if (asked && needsReason(status, standing) && !override?.reason) throw new AtSupplier(`${STANDS[standing]} Give a reason to go on.`)
}

const SINCE_YOU_LOOKED = 'That order has moved on since you looked.'
const STANDS: Partial<Record<DeliveryStatus, string>> = {
  waiting: 'That order is about to be sent to the supplier.',
  sending: 'That order is being sent to the supplier at this moment.',
  accepted: 'The supplier has that order and may still deliver it.',
  unknown: 'The supplier may have that order and may still deliver it.',
  delivered: 'The supplier has delivered that order.',
}

/** Sent again because of a report, it may be delivered a second time. */
class SentAgain extends AppError {
  constructor() {
    super('CONFLICT', 'That order was sent again, so it cannot be refunded unless the supplier refuses it.')
  }
}

class AtSupplier extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}

class InBatch extends AppError {
  constructor({ number, by }: BatchLock) {
    super('CONFLICT', `That order is in Batch ${number}, locked by ${by}. Open the batch to decide it.`)
  }
}

class NotInBatch extends AppError {
  constructor() {
    super('CONFLICT', 'That order is not in this batch any more.')
  }
}

class OnHold extends AppError {
  constructor(reason: string) {
    super('CONFLICT', `That order is on hold, because ${reason}. Release it under Finance, or decide it by itself and give a reason.`)
  }
}

/** Who completes it says that somebody was registered, and nobody knows who. */
class NobodyRegistered extends AppError {
  constructor() {
    super('CONFLICT', 'The details of the person are missing, so nobody can be registered. Ask the buyer for them, or refund the order.')
  }
}

/** While a call is under way its outcome is unknown, so the order cannot be refunded yet. */
class BeingSent extends AppError {
  constructor() {
    super('CONFLICT', 'That order is being sent to the supplier at this moment. Please try again in a minute.')
  }
}

/**
 * The price comes from the undelivered orders, or from the sales once it is delivered. Money already returned to the payer's card
 * reduces that loss instead of filling the wallet. Of an order in an agent's shop, the agent's part comes from what they earned.
 */
async function refundOrder(tx: Tx, ctx: Ctx, order: OrderRow, payments: PaymentOfOrder[]) {
  const { userId, pricePesewas, surchargePesewas } = order
  // What went back to a guest's card or phone is owed to them; everybody else has a wallet.
  const toAccount = userId === null ? REFUNDS_PENDING : (await lockWalletOf(tx, userId, ctx.now)).accountId
  let toPayer = pricePesewas + surchargePesewas
  const losses: { reference: string; pesewas: number }[] = []
  for (const { reference, lossPesewas } of payments) {
    const pesewas = Math.min(lossPesewas, toPayer)
    if (pesewas > 0) losses.push({ reference, pesewas })
    toPayer -= pesewas
  }
  const madeGood = pricePesewas + surchargePesewas - toPayer
  const undelivered = await selectUndelivered(tx, order.id)
  const share = order.agentProfitPesewas > 0 ? await takeBackProfit(tx, order.id, ctx.now) : []
  const takenBack = share.reduce((sum, { amountPesewas }) => sum - amountPesewas, 0)
  await postTransfer(tx, {
    key: `order-refund:${order.id}`,
    kind: 'order-refund',
    memo: `Refund of ${order.network} ${order.offer} to ${order.receiver}`,
    actorId: ctx.actor?.id ?? null,
    lines: [
      ...(toPayer > 0 ? [{ accountId: toAccount, amountPesewas: toPayer }] : []),
      { accountId: undelivered > 0 ? ORDERS_UNDELIVERED : SALES, amountPesewas: takenBack - pricePesewas },
      ...share,
      ...(surchargePesewas > 0 ? [{ accountId: CARD_SURCHARGES, amountPesewas: -surchargePesewas }] : []),
      ...(madeGood > 0 ? [{ accountId: DISPUTE_LOSSES, amountPesewas: madeGood }] : []),
    ],
    now: ctx.now,
  })
  for (const { reference, pesewas } of losses) await reduceLoss(tx, reference, pesewas, ctx.now)
  // What comes into the wallet is disputed as well.
  if (userId !== null) for (const { reference, holdReason } of payments) if (holdReason !== null) await holdDisputed(tx, ctx, reference)
  if (userId !== null) return subtractFromTotalPurchase(tx, userId, pricePesewas)
  if (toPayer === 0) return
  const guest = { paymentReference: order.paymentReference as string, phone: order.guestPhone as string }
  await oweRefund(tx, { ...guest, orderId: order.id, amountPesewas: toPayer, reason: 'the order was refunded', now: ctx.now })
}
