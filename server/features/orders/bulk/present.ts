import { Readable } from 'node:stream'
import type { BulkGroup, BulkJob, BulkJobLine, BulkPreview, BulkSchedule } from '../../../../shared/bulk.ts'
import { BYTE_ORDER_MARK, type Cell, csvAmount, csvLine, csvPhone } from '../../../../shared/csv.ts'
import { toCedis } from '../../../../shared/money.ts'
import { sumLines } from '../../../../shared/sum-bulk-lines.ts'
import type { JobRow, LineRow } from './bulk.sql.ts'
import type { GroupRow } from './groups.sql.ts'
import type { Preview } from './queries.ts'
import type { ScheduleRow } from './schedules.sql.ts'

export function presentPreview({ lines, onItsWay, balancePesewas }: Preview): BulkPreview {
  const sums = sumLines(lines)
  const balance = toCedis(balancePesewas)
  return {
    lines: lines.map((line) => ({
      number: line.number,
      text: line.text.slice(0, 200),
      state: line.state === 'skipped' ? 'wrong' : line.state,
      name: line.name.slice(0, 100),
      phoneNumber: line.receiver,
      network: line.network,
      offer: line.offer,
      productId: line.item?.productId ?? null,
      amount: line.item?.cedis ?? null,
      short: line.short,
      why: line.why,
      retryOf: line.retryOf,
    })),
    ready: { lines: sums.ready.length, amount: sums.cedis },
    doubtful: { lines: sums.doubtful.length, amount: sums.doubtfulCedis },
    wrong: sums.wrong.length,
    onItsWay: onItsWay.map(({ receiver, offer, network, seq, delivered, at }) => {
      return { phoneNumber: receiver, offer, network, number: String(seq), delivered, since: at.toISOString() }
    }),
    balance,
    missing: Math.max(0, toCedis(Math.round(sums.cedis * 100) - balancePesewas)),
  }
}

export function presentJob(row: JobRow): BulkJob {
  return {
    _id: row.id,
    number: String(row.seq),
    name: row.name,
    placedBy: row.placedBy,
    createdAt: row.createdAt.toISOString(),
    groupId: row.groupId,
    lines: row.lines,
    leftOut: row.leftOut,
    total: toCedis(row.totalPesewas),
    pending: row.pending,
    completed: row.completed,
    rejected: row.rejected,
    refunded: toCedis(row.refundedPesewas),
  }
}

export function presentLine(row: LineRow): BulkJobLine {
  const { number, text, name, why, retried } = row
  const order =
    row.orderId === null
      ? null
      : {
          _id: row.orderId,
          number: String(row.seq),
          network: row.network as string,
          offer: row.offer as string,
          phoneNumber: row.receiver as string,
          amount: toCedis(row.pricePesewas as number),
          status: row.status as NonNullable<LineRow['status']>,
          refundReason: row.refundReason,
        }
  return { number, text, name, why, order, retried }
}

const HEADINGS = ['Line', 'Written', 'Name', 'Number', 'Network', 'Offer', 'Price', 'Status', 'Order', 'Why']

/** Every line as CSV. Pages are asked for as the reader takes what came before, not many ahead. */
export function toFile(pages: AsyncIterable<readonly LineRow[]>): Readable {
  return Readable.from(presentFile(pages), { objectMode: false })
}

/** With a mark at its beginning by which Excel knows its letters. */
async function* presentFile(pages: AsyncIterable<readonly LineRow[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEADINGS)
  for await (const lines of pages) yield lines.map((line) => csvLine(fileCells(line))).join('')
}

function fileCells(line: LineRow): Cell[] {
  return [
    line.number,
    line.text,
    line.name,
    line.receiver && csvPhone(line.receiver),
    line.network,
    line.offer,
    line.pricePesewas === null ? null : csvAmount(line.pricePesewas),
    line.status ?? 'not sent',
    line.seq,
    line.refundReason ?? line.why,
  ]
}

export function presentGroup({ id, name, count, updatedAt }: Pick<GroupRow, 'id' | 'name' | 'count' | 'updatedAt'>): BulkGroup {
  return { _id: id, name, lines: count, updatedAt: updatedAt.toISOString() }
}

export function presentSchedule(row: ScheduleRow): BulkSchedule {
  return {
    _id: row.id,
    groupId: row.groupId,
    groupName: row.groupName,
    lines: row.lines,
    repeats: row.repeats,
    day: row.day,
    weekday: row.weekday,
    monthDay: row.monthDay,
    time: row.time,
    most: toCedis(row.mostPesewas),
    isPaused: row.isPaused,
    pausedWhy: row.pausedWhy,
    nextAt: row.nextAt?.toISOString() ?? null,
    question: row.question && {
      why: row.question,
      dueAt: (row.questionDueAt as Date).toISOString(),
      total: row.questionTotalPesewas === null ? null : toCedis(row.questionTotalPesewas),
    },
    lastJobId: row.lastJobId,
  }
}
