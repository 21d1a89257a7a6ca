import { useRef } from 'react'
import type { Order } from '../../../../../shared/orders.ts'

type List = { rows: Order[]; total: number }

/**
 * The rows of a list, in which those that were decided while it is shown keep their place until the view changes: what comes next
 * does not move under a thumb. `view` names what is shown.
 */
export function useKeptRows(list: List | undefined, view: string): List | undefined {
  const shown = useRef<{ view: string; rows: readonly Order[] }>({ view, rows: [] })
  if (!list) return undefined
  const before = shown.current.view === view ? shown.current.rows : []
  const rows = keepDecided(before, list.rows)
  shown.current = { view, rows }
  return { rows, total: list.total }
}

export function keepDecided(before: readonly Order[], now: readonly Order[]): Order[] {
  const known = new Set(now.map(({ _id }) => _id))
  const kept = before.filter(({ _id, status }) => !known.has(_id) && status !== 'pending')
  if (kept.length === 0) return [...now]
  return [...now, ...kept].sort((one, other) => Number(other.number) - Number(one.number))
}
