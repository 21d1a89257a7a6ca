import type { GroupLine } from '../../../../shared/bulk.ts'
import { type CheckedLine, type Decision, decisionKey, stockShelf } from '../../../../shared/bulk-lines.ts'
import { MAX_BULK_LINES } from '../../../../shared/bulk-rules.ts'
import { formatShortTime } from '../../../../shared/dates.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { readSpendable } from '../../../ledger/ledger.ts'
import { askerOf, callAside } from '../../../platform/aside.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/db.ts'
import { Forbidden, Invalid, NotFound } from '../../../platform/errors.ts'
import { readCatalogue } from '../../catalogue/products/queries.ts'
import {
  type BulkPurchaseLine,
  type JobRow,
  type LineRow,
  type OnItsWayRow,
  type RepeatableLine,
  selectJob,
  selectJobs,
  selectLines,
  selectOnItsWay,
  selectRepeatable,
} from './bulk.sql.ts'
import { type GroupRow, selectGroup } from './groups.sql.ts'
import { ONLY_AGENTS } from './place-bulk.ts'
import { hasTooManyLines, readList, readReceivers } from './read-list.ts'

const LIST_READER = new URL('./read-list.ts', import.meta.url)
const NO_LIST = `A list has 1 to ${MAX_BULK_LINES.toLocaleString('en')} lines.`
const JOBS_AT_ONCE = 10
const LINES_AT_ONCE = 1_000
/** A file goes out in pieces of some 30 KB. */
const LINES_OF_A_FILE = 250
/** The same again for longer than this is the customer's next bundle; sooner, it may be the list that was sent already. */
const SAME_AGAIN_MS = 12 * 3_600_000

type WantedPreview = {
  text?: string | undefined
  groupId?: string | undefined
  retryOf?: string | undefined
  repeatOf?: string | undefined
}
export type Preview = {
  lines: readonly (CheckedLine & { retryOf: string | null })[]
  onItsWay: readonly OnItsWayRow[]
  balancePesewas: number
}

/**
 * What the lines of a list would buy now, compared with each other, with all pending orders of the caller's, and with what was
 * delivered in the last hours: a list that is pasted again is not bought again by itself.
 * @throws Forbidden for a customer; NotFound for a group or a list of somebody else; Invalid for none or too many lines.
 */
export async function previewBulk(ctx: Ctx, wanted: WantedPreview): Promise<Preview> {
  const { id: userId, level } = requireActor(ctx)
  if (level === 'Customer') throw new Forbidden(ONLY_AGENTS)
  const { text, decisions, retries } = await findList(ctx, userId, wanted)
  if (hasTooManyLines(text, MAX_BULK_LINES)) throw new Invalid([{ path: 'text', message: NO_LIST }])
  const shelf = stockShelf(await readCatalogue(ctx.db), level)
  const [asker, signs] = [askerOf(ctx), text.length]
  const receivers = await callAside(asker, LIST_READER, readReceivers, { text, shelf, decisions }, { signs })
  const [onItsWay, balancePesewas] = await Promise.all([readOnItsWay(ctx, userId, receivers), readSpendable(ctx.db, userId)])
  const inFlight = onItsWay.map(({ seq, at, ...order }) => {
    return { ...order, number: String(seq), at: formatShortTime(at, ctx.now) }
  })
  const read = await callAside(asker, LIST_READER, readList, { text, shelf, decisions, inFlight }, { signs })
  if (read.length === 0 || read.length > MAX_BULK_LINES) throw new Invalid([{ path: 'text', message: NO_LIST }])
  const lines = read.map((line) => ({ ...line, retryOf: retries?.[line.number - 1] ?? null }))
  return { lines, onItsWay, balancePesewas }
}

function readOnItsWay(ctx: Ctx, userId: string, receivers: readonly string[]): Promise<OnItsWayRow[]> {
  return receivers.length === 0
    ? Promise.resolve([])
    : selectOnItsWay(ctx.db, { userId, receivers, since: new Date(ctx.now.getTime() - SAME_AGAIN_MS) })
}

type List = { text: string; decisions: Map<string, Decision>; retries: string[] | null }

/** The list as text. What is known of a line beside its text, such as the refunded order that it buys again, is kept beside it. */
async function findList(ctx: Ctx, userId: string, wanted: WantedPreview): Promise<List> {
  const { text, groupId, retryOf, repeatOf } = wanted
  if ([text, groupId, retryOf, repeatOf].filter((one) => one !== undefined).length !== 1) {
    throw new Invalid([{ path: 'text', message: 'Send one list: its text, a group, or an earlier list.' }])
  }
  if (text !== undefined) return { text, decisions: new Map(), retries: null }
  if (groupId !== undefined) {
    const { lines } = await findGroup(ctx.db, userId, groupId)
    return { ...writeList(lines.map(({ phoneNumber, ...line }) => ({ ...line, receiver: phoneNumber }))), retries: null }
  }
  const jobId = (retryOf ?? repeatOf) as string
  if (!(await selectJob(ctx.db, userId, jobId))) throw new NotFound('list')
  const lines = await selectRepeatable(ctx.db, jobId, { onlyRefunded: retryOf !== undefined })
  return { ...writeList(lines), retries: retryOf === undefined ? null : lines.map(({ orderId }) => orderId) }
}

/** Number, package, network and name are decided already, so that none is ever read in another way. */
function writeList(lines: readonly Pick<RepeatableLine, 'receiver' | 'network' | 'offer' | 'name'>[]): Omit<List, 'retries'> {
  const written = lines.map(({ receiver, offer, network }) => `${receiver} ${offer} ${network}`)
  const decisions = lines.map(({ receiver, offer, network, name }, index) => {
    return [decisionKey(index + 1, written[index] as string), { receiver, offer, network, name }] as const
  })
  return { text: written.join('\n'), decisions: new Map(decisions) }
}

async function findGroup(db: Queryable, userId: string, id: string): Promise<GroupRow> {
  const group = await selectGroup(db, userId, id)
  if (!group) throw new NotFound('group')
  return group
}

/** @throws NotFound, also for a group of somebody else. */
export function readGroup(ctx: Ctx, id: string): Promise<GroupRow> {
  return findGroup(ctx.db, requireActor(ctx).id, id)
}

export type PricedGroup = { lines: BulkPurchaseLine[]; totalPesewas: number }

/** What a group would cost an agent now, and its lines ready to buy; null where one of them cannot be bought. */
export async function priceGroup(db: Queryable, lines: readonly GroupLine[]): Promise<PricedGroup | null> {
  const shelf = stockShelf(await readCatalogue(db), 'Agent')
  const found = lines.map((line, index) => {
    const { network } = line
    const offer = shelf[network].find((one) => one.offer === line.offer)
    return (
      offer && {
        number: index + 1,
        text: `${line.phoneNumber} ${line.offer}`,
        name: line.name,
        product: offer.productId,
        network,
        offer: line.offer,
        receiver: line.phoneNumber,
        expectedPricePesewas: toPesewas(offer.cedis),
        retryOf: null,
      }
    )
  })
  const ready = found.filter((line) => line !== undefined)
  const totalPesewas = ready.reduce((sum, { expectedPricePesewas }) => sum + expectedPricePesewas, 0)
  return ready.length === lines.length ? { lines: ready, totalPesewas } : null
}

/** One page of the caller's lists, newest first. */
export async function readJobs(ctx: Ctx, cursor: string | undefined): Promise<{ jobs: JobRow[]; next: string | null }> {
  const before = cursor === undefined ? null : Number(cursor)
  const rows = await selectJobs(ctx.db, { userId: requireActor(ctx).id, before, limit: JOBS_AT_ONCE + 1 })
  const jobs = rows.slice(0, JOBS_AT_ONCE)
  return { jobs, next: rows.length > JOBS_AT_ONCE ? String(jobs.at(-1)?.seq) : null }
}

/** @throws NotFound, also for a list of somebody else. */
export async function readJob(ctx: Ctx, id: string): Promise<JobRow> {
  const job = await selectJob(ctx.db, requireActor(ctx).id, id)
  if (!job) throw new NotFound('list')
  return job
}

type LinesFilter = { cursor?: string | undefined; state?: Parameters<typeof selectLines>[1]['state'] | undefined }

/** A thousand lines of a list that `readJob` found. */
export async function readLines(
  ctx: Ctx,
  jobId: string,
  { cursor, state = null }: LinesFilter,
): Promise<{ lines: LineRow[]; next: string | null }> {
  const rows = await selectLines(ctx.db, { jobId, after: Number(cursor ?? 0), state, limit: LINES_AT_ONCE + 1 })
  const lines = rows.slice(0, LINES_AT_ONCE)
  return { lines, next: rows.length > LINES_AT_ONCE ? String(lines.at(-1)?.number) : null }
}

/** All lines of a list that `readJob` found, each page once it is asked for; no connection is held meanwhile. */
export async function* readAllLines(db: Queryable, jobId: string): AsyncGenerator<LineRow[]> {
  let after = 0
  for (;;) {
    const lines = await selectLines(db, { jobId, after, state: null, limit: LINES_OF_A_FILE })
    if (lines.length > 0) yield lines
    if (lines.length < LINES_OF_A_FILE) return
    after = (lines.at(-1) as LineRow).number
  }
}
