import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { type CheckedLine, checkLines, type Decision, decisionKey, type InFlight, stockShelf } from '../../../../shared/bulk-lines.ts'
import { formatShortTime } from '../../../../shared/dates.ts'
import { ofUser, session } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'
import { ordersQuery } from '../../orders/api.ts'
import { useProducts } from '../../products/api.ts'

export type BulkDraft = { text: string; decisions: Record<string, Decision> }

const EMPTY: BulkDraft = { text: '', decisions: {} }

/** The list that an agent is working on, until it is paid for. */
export const bulkDraft = ofUser(createStored<BulkDraft>('bulkDraft', EMPTY, isDraft), EMPTY)

export function setBulkText(text: string): void {
  bulkDraft.set(text === '' ? EMPTY : { ...bulkDraft.get(), text })
}

export function decideLines(lines: readonly CheckedLine[], decision: Decision): void {
  const { text, decisions } = bulkDraft.get()
  const changed = lines.map((line) => [decisionKey(line.number, line.text), decision] as const)
  bulkDraft.set({ text, decisions: { ...decisions, ...Object.fromEntries(changed) } })
}

/** Writes one line anew. */
export function rewriteLine(number: number, text: string): void {
  const draft = bulkDraft.get()
  const lines = draft.text.split('\n')
  lines[number - 1] = text
  bulkDraft.set({ ...draft, text: lines.join('\n') })
}

/** Leaves only these lines, as after the others were paid for. */
export function keepLines(lines: readonly CheckedLine[]): void {
  bulkDraft.set(lines.length === 0 ? EMPTY : { text: lines.map(({ text }) => text).join('\n'), decisions: {} })
}

/** The lines as they stand: read, priced and compared with each other and with what is on its way. */
export function useBulkLines(): { lines: readonly CheckedLine[]; isKnown: boolean } {
  const { text, decisions } = useDeferredValue(bulkDraft.use())
  const level = session.use()?.userLevel ?? 'Customer'
  const { data: products } = useProducts()
  const { data: pending } = useQuery(ordersQuery({ page: 1, pageSize: 50, status: 'pending', mine: 'true' }))
  const shelf = useMemo(() => products && stockShelf(products, level), [products, level])
  const inFlight = useMemo(
    () =>
      (pending?.rows ?? []).map(({ receiver, offer, network, number, createdAt }): InFlight => {
        return { receiver, offer, network, number, at: formatShortTime(new Date(createdAt), new Date()) }
      }),
    [pending],
  )
  const lines = useMemo(
    () => (shelf ? checkLines(text, shelf, inFlight, new Map(Object.entries(decisions))) : []),
    [shelf, text, decisions, inFlight],
  )
  return { lines, isKnown: shelf !== undefined }
}

function isDraft(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { text, decisions } = value as Partial<BulkDraft>
  return typeof text === 'string' && typeof decisions === 'object' && decisions !== null
}
