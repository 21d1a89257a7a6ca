import { MAX_BATCH } from '../../../../shared/batch-rules.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { OrderCounts, OrderProgress, ReceiverCorrection, Reporting } from '../../../../shared/orders.ts'
import { hasRole, SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import { selectOldestByHand } from './by-hand.sql.ts'
import { selectDeliveryTimes, selectUsualTimes, selectVerificationDays, type UsualTimes } from './delivery-times.sql.ts'
import { type OrderRow, selectOrder, selectOrderByClientReference, selectOrderByReference, selectOrderIds } from './orders.sql.ts'
import { expectedOf, isVerifying, presentReport, stepsOf } from './present.ts'
import { type ReportRow, selectReportOfOrder } from './reports.sql.ts'
import { countDecided, countPending } from './segments.sql.ts'

/** Older orders say little about today, and a handful says little at all. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000
const FEWEST_ORDERS = 20

/** @throws NotFound when no order has that `_id` or number. */
export async function findOrderId(ctx: Ctx, named: string): Promise<string> {
  const id = (await selectOrderIds(ctx.db, [named])).get(named)
  if (id === undefined) throw new NotFound('order')
  return id
}

/**
 * An order that the caller may see: their own, or any for staff who see orders.
 * @throws NotFound, also for someone else's.
 */
export async function findVisibleOrder(ctx: Ctx, named: string): Promise<OrderRow> {
  const actor = requireActor(ctx)
  const order = await selectOrder(ctx.db, await findOrderId(ctx, named))
  if (!order || (order.userId !== actor.id && !hasRole(actor, SEES_ORDERS))) throw new NotFound('order')
  return order
}

type Read = { progress: OrderProgress; usual: UsualTimes | null; correction: ReceiverCorrection | null }

/** What has happened to an order, and while it is on its way, how long its network's orders take. */
export async function readProgress(ctx: Ctx, order: OrderRow): Promise<OrderProgress> {
  return (await readDelivery(ctx, order)).progress
}

type OwnProgress = { progress: OrderProgress; reporting: Reporting; correction: ReceiverCorrection | null }

/** The same for the buyer, and when they can report that it has not arrived. */
export async function readOwnProgress(ctx: Ctx, order: OrderRow): Promise<OwnProgress> {
  const [{ progress, usual, correction }, report] = await Promise.all([
    readDelivery(ctx, order, true),
    selectReportOfOrder(ctx.db, order.id),
  ])
  return {
    progress,
    correction,
    reporting: {
      opensAt: (await reportOpensAtOf(ctx, order, report, usual))?.toISOString() ?? null,
      report: report && presentReport(report),
    },
  }
}

async function readDelivery(ctx: Ctx, order: OrderRow, withUsual = false): Promise<Read> {
  const times = await selectDeliveryTimes(ctx.db, order.id)
  const steps = stepsOf(order, times)
  const isOnItsWay = steps.at(-1)?.at === null
  const verifying = isVerifying(order)
  const usual = isOnItsWay || (withUsual && order.status !== 'rejected') ? await readUsualTimes(ctx.db, order.network, ctx.now) : null
  const expected = isOnItsWay && !verifying && !order.needsDetails ? expectedOf(times.resentAt ?? order.createdAt, usual) : null
  const progress: OrderProgress = {
    steps,
    expected,
    ...(verifying ? { verifying } : {}),
    ...(order.needsDetails ? { needsDetails: true } : {}),
  }
  const correction = times.correction && { ...times.correction, at: new Date(times.correction.at).toISOString() }
  return { progress, usual, correction }
}

const MINUTE_MS = 60_000
/** Before the shop knows better: the usual time that it states everywhere is up to two hours. */
const UNKNOWN_LONGEST_MS = 120 * MINUTE_MS
const SHORTEST_MS = 15 * MINUTE_MS
const LONGEST_MS = 24 * 60 * MINUTE_MS

/**
 * From when a customer may report that an order has not arrived: once nearly all of the network's orders had arrived, counted
 * from the payment or from the end of the report before. Null while a report is open, and for a refunded order.
 */
export function reportOpensAt(
  order: OrderRow,
  report: Pick<ReportRow, 'status' | 'endedAt'> | null,
  usual: UsualTimes | null,
): Date | null {
  if (order.status === 'rejected' || report?.status === 'open') return null
  // The registrar takes a day.
  const unknown = order.network === 'AFA' ? LONGEST_MS : UNKNOWN_LONGEST_MS
  const longest = usual ? Math.ceil(usual.p98Seconds / 60) * MINUTE_MS : unknown
  const from = report?.endedAt ?? order.createdAt
  return new Date(from.getTime() + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, longest)))
}

/** The same, and while the network verifies the number only once the owner's patience with that has ended. */
async function reportOpensAtOf(ctx: Ctx, order: OrderRow, report: ReportRow | null, usual: UsualTimes | null): Promise<Date | null> {
  const opensAt = reportOpensAt(order, report, usual)
  const since = isVerifying(order) ? (order.supplier?.verifyingSince ?? null) : null
  if (opensAt === null || since === null) return opensAt
  const patienceMs = (await selectVerificationDays(ctx.db)) * 24 * 60 * MINUTE_MS
  return new Date(Math.max(opensAt.getTime(), new Date(since).getTime() + patienceMs))
}

/** How long a network's recent orders took; null when there are too few to say. */
export async function readUsualTimes(db: Queryable, network: string, now: Date): Promise<UsualTimes | null> {
  const { orders, ...times } = await selectUsualTimes(db, network, new Date(now.getTime() - RECENT_MS))
  return orders < FEWEST_ORDERS ? null : times
}

/**
 * The caller's own order with this reference, which is the shop's or what their client sent with it.
 * @throws NotFound, also for someone else's.
 */
export async function findOwnOrder(ctx: Ctx, reference: string): Promise<OrderRow> {
  const actor = requireActor(ctx)
  const order = await selectOrderByReference(ctx.db, reference)
  const own = order?.userId === actor.id ? order : await selectOrderByClientReference(ctx.db, actor.id, reference)
  if (!own) throw new NotFound('order')
  return own
}

/** How many orders wait to be decided, and what could be batched now, by network. */
export async function readOrderCounts(db: Queryable): Promise<OrderCounts> {
  const [pending, decided, byHand] = await Promise.all([countPending(db), countDecided(db), selectOldestByHand(db, MAX_BATCH)])
  return {
    pending: pending.reduce((sum, count) => sum + count.pending, 0),
    ...decided,
    networks: pending.map((count) => {
      const { orders = 0, amountPesewas = 0, oldestAt = null } = byHand.find(({ network }) => network === count.network) ?? {}
      return {
        network: count.network,
        toDecide: Math.max(0, count.pending - count.waiting),
        waiting: count.waiting,
        byHand: { orders, amount: toCedis(amountPesewas), oldestAt: oldestAt?.toISOString() ?? null },
      }
    }),
  }
}
