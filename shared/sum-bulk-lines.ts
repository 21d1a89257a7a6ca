import { BULK_NETWORKS, type BulkNetwork } from './bulk-line.ts'
import type { CheckedLine } from './bulk-lines.ts'
import { toCedis, toPesewas } from './money.ts'

export type BulkSums = {
  ready: readonly CheckedLine[]
  doubtful: readonly CheckedLine[]
  wrong: readonly CheckedLine[]
  /** Of the lines that are ready, and at most of those to decide. */
  cedis: number
  doubtfulCedis: number
  networks: readonly { network: BulkNetwork; lines: number; cedis: number }[]
}

/** The lines by how they stand, and what they cost. */
export function sumLines(lines: readonly CheckedLine[]): BulkSums {
  const ready = lines.filter(({ state }) => state === 'ready')
  const doubtful = lines.filter(({ state }) => state === 'doubtful')
  const wrong = lines.filter(({ state }) => state === 'wrong')
  const networks = BULK_NETWORKS.map((network) => {
    const own = ready.filter(({ item }) => item?.network === network)
    return { network, lines: own.length, cedis: totalOf(own) }
  }).filter((sum) => sum.lines > 0)
  return { ready, doubtful, wrong, cedis: totalOf(ready), doubtfulCedis: totalOf(doubtful), networks }
}

function totalOf(lines: readonly CheckedLine[]): number {
  return toCedis(lines.reduce((sum, { item }) => sum + toPesewas(item?.cedis ?? 0), 0))
}
