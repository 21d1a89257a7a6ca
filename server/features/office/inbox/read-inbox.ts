import { isoDay, startOfDay } from '../../../../shared/dates.ts'
import { type InboxGroup, type InboxReply, MOST_ORDERS_SHOWN } from '../../../../shared/inbox.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { Shop } from '../../../../shared/shop.ts'
import { ANSWERS_REPORTS, hasRole, SEES_COSTS, SEES_FINANCE, SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { selectDropped } from '../../../platform/day-caps.sql.ts'
import type { DiskSpace } from '../../../platform/disk-space.ts'
import { openOn } from '../../../platform/work-hours.ts'
import { selectWaitingWithdrawals } from '../../agents/withdrawals/withdrawals.sql.ts'
import { readPricesLeftOut } from '../../catalogue/prices/queries.ts'
import { selectBatches } from '../../delivery/batches/batches.sql.ts'
import { selectLevels } from '../../orders/checkers/checkers.sql.ts'
import { selectOrdersBySeq } from '../../orders/orders/orders.sql.ts'
import { presentOrder } from '../../orders/orders/present.ts'
import { sumPending } from '../../orders/orders/segments.sql.ts'
import { selectOpenApprovals } from '../../people/approvals/approvals.sql.ts'
import { selectForwarders } from '../../wallet/forwarders/forwarders.sql.ts'
import { selectMomoWallets } from '../../wallet/forwarders/wallets.sql.ts'
import { type PaymentMatchRow, readMatches } from '../../wallet/received-payments/queries.ts'
import { findDueClose } from '../day-close/queries.ts'
import { readProfitOfDay } from '../profit/queries.ts'
import { selectPause } from '../reconciliation/reconciliation.sql.ts'
import { selectLastRehearsal } from '../reconciliation/rehearsals.sql.ts'
import { selectWaitingHeldPayments, selectWaitingRecharges, type WaitingRow } from '../stats/stats.sql.ts'
import {
  type PendingGroup,
  selectOpenDisputes,
  selectOpenReports,
  selectOrdersByHour,
  selectOrdersOfDay,
  selectPendingGroups,
  selectWaitingRefunds,
} from './inbox.sql.ts'

/** A supplier usually needs minutes; after this an admin should ask. */
const TOO_LONG_MS = 60 * 60_000
/** The relay brings a new order to its supplier in a second; what takes longer is shown. */
const RELAYED_MS = 60_000
/** A guest's refund is sent in seconds; one that is still there waits for a person, or for a dispute to end. */
const REFUND_SENT_MS = 15 * 60_000
/** A message that is late closes the gap by itself. */
const GAP_MS = 10 * 60_000
/** A backup may have stopped working without a word. */
const REHEARSED_MS = 30 * 24 * 60 * 60_000
const MOST_PER_NETWORK = 500
/** Of what has a row of its own, such as a report; the rest is counted with the last. */
const MOST_ROWS = 10

const EMPTY = {
  count: 1,
  more: false,
  oldestAt: null,
  amount: null,
  network: null,
  supplier: null,
  detail: '',
  who: null,
  number: null,
  dueAt: null,
  orders: [],
  subject: null,
} satisfies Partial<InboxGroup>

/** What waits for the caller, as far as their roles let them see it, and how the day goes. */
export async function readInbox(
  ctx: Ctx,
  { hours, mode }: Pick<Shop, 'hours' | 'mode'>,
  disk: Pick<DiskSpace, 'low'> | null = null,
): Promise<InboxReply> {
  const actor = requireActor(ctx)
  const none = Promise.resolve([])
  const [ofOrders, approvals, phones, money, reports, work, pause, prices, close, checkers, rehearsal, dropped] = await Promise.all([
    readOrders(ctx, hasRole(actor, SEES_ORDERS)),
    hasRole(actor, 'finance') ? readApprovals(ctx, actor.id, hasRole(actor, 'owner')) : none,
    hasRole(actor, 'finance') ? readPhones(ctx) : none,
    hasRole(actor, SEES_FINANCE) ? readMoney(ctx) : none,
    hasRole(actor, ANSWERS_REPORTS) ? readReports(ctx) : none,
    hasRole(actor, 'orders') ? readStuckWork(ctx) : none,
    hasRole(actor, SEES_FINANCE) ? readPause(ctx) : none,
    hasRole(actor, 'products') ? readPrices(ctx) : none,
    hasRole(actor, SEES_FINANCE) ? readDayClose(ctx, hours) : none,
    hasRole(actor, SEES_COSTS) ? readLowStock(ctx) : none,
    mode === 'live' && hasRole(actor, 'owner') ? readRehearsal(ctx) : none,
    hasRole(actor, 'owner') ? readDropped(ctx) : none,
  ])
  const { groups, ...day } = ofOrders
  return {
    ...day,
    groups: [
      ...(hasRole(actor, 'owner') ? presentDisk(disk) : []),
      ...dropped,
      ...close,
      ...pause,
      ...groups,
      ...approvals,
      ...phones,
      ...money,
      ...reports,
      ...prices,
      ...checkers,
      ...rehearsal,
      ...work,
    ],
  }
}

/** Credits and debits, and for an owner prices, that somebody else has proposed. */
async function readApprovals(ctx: Ctx, userId: string, isOwner: boolean): Promise<InboxGroup[]> {
  const open = await selectOpenApprovals(ctx.db, ctx.now, { isOwner })
  return open
    .filter(({ proposerId }) => proposerId !== userId)
    .slice(0, MOST_ROWS)
    .map(({ id, details, username, proposer, proposedAt }) => ({
      ...EMPTY,
      kind: 'approval',
      key: `approval:${id}`,
      amount: details.prices ? null : toCedis(details.amountPesewas),
      oldestAt: proposedAt.toISOString(),
      detail: details.prices ? (details.prices[0] ?? '') : username,
      who: proposer,
      subject: id,
    }))
}

async function readOrders(ctx: Ctx, mayOrders: boolean): Promise<InboxReply> {
  const pending = await selectPendingGroups(ctx.db, {
    now: ctx.now,
    tooLongSince: new Date(ctx.now.getTime() - TOO_LONG_MS),
    relayedSince: new Date(ctx.now.getTime() - RELAYED_MS),
    mostPerNetwork: MOST_PER_NETWORK,
    mostSeqs: MOST_ORDERS_SHOWN,
  })
  const at = (kind: PendingGroup['kind']) => pending.filter((group) => group.kind === kind)
  const { waiting: withSuppliers } = await sumPending(ctx.db)
  const day = { ...(await readDay(ctx)), withSuppliers }
  if (!mayOrders) return { groups: [], day }

  const toDecide = pending.filter((group): group is ToDecide => !NOT_TO_DECIDE.includes(group.kind))
  const orders = await selectOrdersBySeq(
    ctx.db,
    toDecide.flatMap(({ seqs }) => seqs),
  )
  const bySeq = new Map(orders.map((order) => [order.seq, presentOrder(order, 'admin')]))
  const batches = at('in-batch').length === 0 ? [] : await readBatches(ctx)
  return { groups: [...toDecide.map((group) => presentPending(group, bySeq)), ...batches], day }
}

const NOT_TO_DECIDE: readonly PendingGroup['kind'][] = ['waiting', 'at-supplier', 'in-batch']
type ToDecide = PendingGroup & { kind: InboxGroup['kind'] }

function presentPending(group: ToDecide, bySeq: Map<number, Order>): InboxGroup {
  const { kind, network, supplier, orders, pesewas, oldest, seqs, more } = group
  return {
    ...EMPTY,
    kind,
    key: [kind, network ?? supplier].filter(Boolean).join(':'),
    count: orders,
    more,
    oldestAt: oldest.toISOString(),
    amount: toCedis(pesewas),
    network,
    supplier,
    orders: seqs.flatMap((seq) => bySeq.get(seq) ?? []),
  }
}

type Order = ReturnType<typeof presentOrder>

/** Batches that still lock orders, which somebody has sent or is about to send. */
async function readBatches({ db }: Ctx): Promise<InboxGroup[]> {
  const { batches } = await selectBatches(db, { open: true, network: null, search: null, limit: MOST_ROWS, offset: 0 })
  return batches.map(({ number, network, locked, lockedPesewas, madeBy, madeAt }) => ({
    ...EMPTY,
    kind: 'batch',
    key: `batch:${number}`,
    count: locked,
    amount: toCedis(lockedPesewas),
    oldestAt: madeAt.toISOString(),
    network,
    who: madeBy,
    number: String(number),
  }))
}

async function readDay(ctx: Ctx): Promise<Omit<InboxReply['day'], 'withSuppliers'>> {
  const { db, now } = ctx
  const today = new Date(`${isoDay(now)}T00:00:00Z`)
  const { orders, decided } = await selectOrdersOfDay(db, isoDay(now))
  const hours = orders === 0 ? Array.from({ length: 24 }, () => 0) : await selectOrdersByHour(db, { today, orders })
  const seesProfit = hasRole(requireActor(ctx), SEES_FINANCE)
  return { hours, orders, decided, profit: seesProfit ? await readProfitOfDay(db, isoDay(now)) : null }
}

async function readMoney({ db, now }: Ctx): Promise<InboxGroup[]> {
  const matches = await readMatches(db, now)
  const topUps = await selectWaitingRecharges(db)
  const held = await selectWaitingHeldPayments(db)
  const refunds = await selectWaitingRefunds(db, new Date(now.getTime() - REFUND_SENT_MS))
  const disputes = await selectOpenDisputes(db, MOST_ROWS)
  const withdrawals = await selectWaitingWithdrawals(db)
  return [
    ...presentMatches(matches),
    ...presentTopUps(topUps, matches),
    ...disputes.map(
      ({ id, reference, pesewas, dueAt, heardAt, category }): InboxGroup => ({
        ...EMPTY,
        kind: 'dispute',
        key: `dispute:${id}`,
        amount: toCedis(pesewas),
        oldestAt: heardAt.toISOString(),
        dueAt: dueAt?.toISOString() ?? null,
        detail: category,
        subject: reference,
      }),
    ),
    ...presentWaiting('held-payments', held),
    ...presentWithdrawals(withdrawals),
    ...presentWaiting('refunds', { ...refunds, orders: refunds.refunds }),
  ]
}

/** What agents want to have paid out and a person decides, and what the provider may have paid. */
function presentWithdrawals({ toDecide, unclear, pesewas, oldest }: Awaited<ReturnType<typeof selectWaitingWithdrawals>>): InboxGroup[] {
  const words = [toDecide > 0 && `${toDecide} to decide`, unclear > 0 && `${unclear} unclear`]
  return presentWaiting('withdrawals', { orders: toDecide + unclear, pesewas, oldest }).map((group) => ({
    ...group,
    detail: words.filter(Boolean).join(', '),
  }))
}

/** Payments that match for certain, to be approved together, and those to look at; what was kept for later is neither. */
function presentMatches(matches: readonly PaymentMatchRow[]): InboxGroup[] {
  const certain = matches.filter(({ state, request }) => state === 'certain' && request)
  const toCompare = matches.filter(({ state, payment }) => state !== 'certain' && payment.keptAt === null)
  const doubtful = toCompare.filter(({ state }) => state === 'doubtful').length
  const words = [doubtful > 0 && `${doubtful} doubtful`, toCompare.length > doubtful && `${toCompare.length - doubtful} unmatched`]
  return [
    ...presentPayments('matched', certain),
    ...presentPayments('to-compare', toCompare).map((group) => ({ ...group, detail: words.filter(Boolean).join(', ') })),
  ]
}

function presentPayments(kind: 'matched' | 'to-compare', matches: readonly PaymentMatchRow[]): InboxGroup[] {
  const [first] = matches
  if (!first) return []
  const oldest = matches.reduce((least, { payment }) => Math.min(least, payment.receivedAt.getTime()), first.payment.receivedAt.getTime())
  const pesewas = matches.reduce((sum, { payment }) => sum + payment.amountPesewas, 0)
  return [{ ...EMPTY, kind, key: kind, count: matches.length, amount: toCedis(pesewas), oldestAt: new Date(oldest).toISOString() }]
}

/** Requests for which no payment was read yet. */
function presentTopUps(waiting: WaitingRow, matches: readonly PaymentMatchRow[]): InboxGroup[] {
  const paid = new Map(matches.flatMap(({ request }) => (request?.status === 'pending' ? [[request.id, request.amountPesewas]] : [])))
  const pesewas = waiting.pesewas - [...paid.values()].reduce((sum, amount) => sum + amount, 0)
  return presentWaiting('top-ups', { ...waiting, orders: waiting.orders - paid.size, pesewas })
}

function presentWaiting(
  kind: 'top-ups' | 'held-payments' | 'refunds' | 'withdrawals',
  { orders, pesewas, oldest }: WaitingRow,
): InboxGroup[] {
  if (orders <= 0) return []
  return [{ ...EMPTY, kind, key: kind, count: orders, amount: toCedis(pesewas), oldestAt: oldest?.toISOString() ?? null }]
}

/** Phones of the shop that are silent, or whose messages have not followed from one another for a while. */
async function readPhones({ db, now }: Ctx): Promise<InboxGroup[]> {
  const [forwarders, wallets] = await Promise.all([selectForwarders(db), selectMomoWallets(db)])
  return forwarders.flatMap(({ id, name, silentSince, seenAt }): InboxGroup[] => {
    const gaps = wallets.filter(({ forwarderId, waiting }) => forwarderId === id && waiting > 0)
    const since = gaps.flatMap(({ waitingSince }) => waitingSince?.getTime() ?? []).toSorted((a, b) => a - b)[0]
    const isGap = since !== undefined && now.getTime() - since > GAP_MS
    if (silentSince === null && !isGap) return []
    const oldestAt = silentSince === null ? new Date(since ?? now) : seenAt
    const detail = silentSince === null ? 'gap' : 'silent'
    return [{ ...EMPTY, kind: 'phone', key: `phone:${id}`, oldestAt: oldestAt?.toISOString() ?? null, detail, who: name }]
  })
}

/** A row for each of the oldest reports; the last of them counts all that follow. */
async function readReports({ db }: Ctx): Promise<InboxGroup[]> {
  const { reports, total } = await selectOpenReports(db, MOST_ROWS)
  return reports.map(({ id, orderSeq, username, openedAt, text }, index) => ({
    ...EMPTY,
    kind: 'report',
    key: `report:${id}`,
    count: index === MOST_ROWS - 1 ? total - index : 1,
    oldestAt: openedAt.toISOString(),
    detail: text,
    who: username,
    number: String(orderSeq),
    subject: id,
  }))
}

/** A group for each queue, with the last job's reason. */
async function readStuckWork({ jobs }: Ctx): Promise<InboxGroup[]> {
  const { failed, total } = await jobs.listFailed({ limit: 100, offset: 0 })
  const queues = [...new Set(failed.map(({ queue }) => queue))]
  return queues.map((queue): InboxGroup => {
    const own = failed.filter((job) => job.queue === queue)
    const [last] = own as [(typeof own)[number]]
    return {
      ...EMPTY,
      kind: 'stuck-work',
      key: `stuck-work:${queue}`,
      count: own.length,
      more: total > failed.length,
      oldestAt: (own.at(-1) ?? last).failedAt.toISOString(),
      detail: last.reason,
      subject: own.length === 1 ? last.id : null,
    }
  })
}

/** Scheduled prices that did not go live, since somebody had changed them meanwhile. */
async function readPrices({ db, now }: Ctx): Promise<InboxGroup[]> {
  const left = await readPricesLeftOut(db, now)
  if (!left) return []
  return [{ ...EMPTY, kind: 'prices-left-out', key: 'prices-left-out', count: left.count, oldestAt: left.oldest.toISOString() }]
}

/** Kinds of checkers of which fewer are left than the owner wants to be told of. */
async function readLowStock({ db }: Ctx): Promise<InboxGroup[]> {
  return (await selectLevels(db))
    .filter(({ isLow }) => isLow)
    .map(({ kind, name, left, toldAt }) => {
      const key = `checkers-low:${kind}`
      return { ...EMPTY, kind: 'checkers-low', key, count: left, detail: name, oldestAt: toldAt?.toISOString() ?? null, subject: kind }
    })
}

/** The megabytes that are free where the database is, while they are few. */
/** Messages and mails of today that were not sent. */
async function readDropped({ db, now }: Ctx): Promise<InboxGroup[]> {
  const days = await selectDropped(db, isoDay(now))
  return days.map(({ what, dropped }) => ({
    ...EMPTY,
    kind: 'messages-dropped',
    key: `messages-dropped:${what}`,
    count: dropped,
    detail: what,
  }))
}

function presentDisk(disk: Pick<DiskSpace, 'low'> | null): InboxGroup[] {
  const low = disk?.low() ?? null
  if (!low) return []
  return [{ ...EMPTY, kind: 'disk-low', key: 'disk-low', detail: String(low.freeMb), oldestAt: low.since.toISOString() }]
}

/** A month after the last rehearsed restore, or after the shop began. */
async function readRehearsal({ db, now }: Ctx): Promise<InboxGroup[]> {
  const { at, isFirst } = await selectLastRehearsal(db)
  if (now.getTime() - at.getTime() <= REHEARSED_MS) return []
  const kind = 'restore-rehearsal'
  return [{ ...EMPTY, kind, key: kind, oldestAt: at.toISOString(), detail: isFirst ? 'never' : '' }]
}

/** From closing time on, until somebody has signed the day off. */
async function readDayClose({ db, now }: Ctx, hours: Shop['hours']): Promise<InboxGroup[]> {
  const closesAt = hours && (openOn(startOfDay(now), hours)?.closes ?? null)
  const due = await findDueClose(db, closesAt, now)
  return due ? [{ ...EMPTY, kind: 'day-close', key: 'day-close', oldestAt: due.toISOString() }] : []
}

async function readPause({ db }: Ctx): Promise<InboxGroup[]> {
  const pause = await selectPause(db)
  return pause ? [{ ...EMPTY, kind: 'paused', key: 'paused', oldestAt: pause.pausedAt.toISOString() }] : []
}
