import type { BulkJobLine } from '../../../../../shared/bulk.ts'
import { toCedis, toPesewas } from '../../../../../shared/money.ts'

/** A line that was paid for. */
export type SentLine = BulkJobLine & { order: NonNullable<BulkJobLine['order']> }

export type SentSums = {
  sent: readonly SentLine[]
  completed: readonly SentLine[]
  pending: readonly SentLine[]
  rejected: readonly SentLine[]
  /** Refunded and not bought again yet: only these can be. */
  canGoAgain: readonly SentLine[]
  leftOut: readonly BulkJobLine[]
  networks: readonly { network: string; completed: number; rejected: number; lines: number }[]
}

/** The lines of a list by how they went, and each network's part, the largest first. */
export function countLines(lines: readonly BulkJobLine[]): SentSums {
  const sent = lines.filter(wasPaid)
  const of = (status: SentLine['order']['status']) => sent.filter(({ order }) => order.status === status)
  const rejected = of('rejected')
  const networks = [...Map.groupBy(sent, ({ order }) => order.network)].map(([network, own]) => ({
    network,
    completed: own.filter(({ order }) => order.status === 'completed').length,
    rejected: own.filter(({ order }) => order.status === 'rejected').length,
    lines: own.length,
  }))
  return {
    sent,
    completed: of('completed'),
    pending: of('pending'),
    rejected,
    canGoAgain: rejected.filter(({ retried }) => retried === null),
    leftOut: lines.filter((line) => !wasPaid(line)),
    networks: networks.sort((one, other) => other.lines - one.lines),
  }
}

function wasPaid(line: BulkJobLine): line is SentLine {
  return line.order !== null
}

/** What these lines cost, in cedis. */
export function totalOf(lines: readonly SentLine[]): number {
  return toCedis(lines.reduce((sum, { order }) => sum + toPesewas(order.amount), 0))
}
