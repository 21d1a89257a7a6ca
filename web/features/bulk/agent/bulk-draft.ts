import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import type { BulkPreview } from '../../../../shared/bulk.ts'
import type { ReadLine } from '../../../../shared/bulk-line.ts'
import { type CheckedLine, checkLines, type Decision, decisionKey, type InFlight, stockShelf } from '../../../../shared/bulk-lines.ts'
import { formatShortTime } from '../../../../shared/dates.ts'
import { ofUser, session } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useProducts } from '../../products/api.ts'
import { previewQuery } from './api.ts'

/** Where a list comes from. `cedis` is what it cost, or may cost, and a higher price is pointed out. */
export type DraftOrigin = { name?: string; groupId?: string; scheduleId?: string; cedis?: number }

export type BulkDraft = {
  text: string
  decisions: Record<string, Decision>
  /** The refunded order that a line buys again, by the same key as decisions. */
  retries?: Record<string, string>
  origin?: DraftOrigin
}

const EMPTY: BulkDraft = { text: '', decisions: {} }
const MOST_KNOWN = 20_000

/** The list that an agent is working on, until it is paid for. */
export const bulkDraft = ofUser(createStored<BulkDraft>('bulkDraft', EMPTY, isDraft), EMPTY)

export function setBulkText(text: string): void {
  bulkDraft.set(text === '' ? EMPTY : { ...bulkDraft.get(), text })
}

export function decideLines(lines: readonly CheckedLine[], decide: Decision | ((line: CheckedLine) => Decision)): void {
  const draft = bulkDraft.get()
  const changed = lines.map((line) => [decisionKey(line.number, line.text), typeof decide === 'function' ? decide(line) : decide] as const)
  bulkDraft.set({ ...draft, decisions: { ...draft.decisions, ...Object.fromEntries(changed) } })
}

/** Writes one line anew, as one or as several; what was decided of the lines below stays theirs. */
export function rewriteLine({ number, text: before }: Pick<CheckedLine, 'number' | 'text'>, text: string): void {
  const draft = bulkDraft.get()
  const lines = draft.text.split('\n').map((line) => line.replace(/\r$/, ''))
  const written = text.split('\n')
  lines.splice(number - 1, isJoined(lines, number, before) ? 2 : 1, ...written)
  const moved = lines.length - draft.text.split('\n').length
  const move = <T>(kept: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(kept).map(([key, value]) => {
        const [, at = '', line = ''] = /^(\d+) (.*)$/s.exec(key) ?? []
        return [Number(at) > number ? decisionKey(Number(at) + moved, line) : key, value]
      }),
    )
  const retries = draft.retries && { retries: move(draft.retries) }
  bulkDraft.set({ ...draft, ...retries, text: lines.join('\n'), decisions: move(draft.decisions) })
}

/** Whether the text is that of two lines, a number and its size below. */
function isJoined(lines: readonly string[], number: number, text: string): boolean {
  return text !== '' && lines[number - 1] !== text && `${lines[number - 1]} ${lines[number]}`.startsWith(text)
}

/** Leaves only these lines, as after the others were paid for. */
export function keepLines(lines: readonly CheckedLine[]): void {
  bulkDraft.set(lines.length === 0 ? EMPTY : { text: lines.map(({ text }) => text).join('\n'), decisions: {} })
}

/** Leaves out the lines that were paid for and those that were skipped, where the list is still the one that they were taken from. */
export function forgetLines(paid: readonly { number: number; text: string }[]): void {
  const { text, decisions } = bulkDraft.get()
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const isTheirs = ({ number, text: line }: { number: number; text: string }) =>
    lines[number - 1]?.startsWith(line) || isJoined(lines, number, line)
  if (!paid.every(isTheirs)) return
  const done = new Set(
    paid.flatMap((line) => (lines[line.number - 1]?.startsWith(line.text) ? [line.number] : [line.number, line.number + 1])),
  )
  const isSkipped = (line: string, number: number) => decisions[decisionKey(number, line)]?.skip === true
  const rest = lines.filter((line, index) => line.trim() !== '' && !done.has(index + 1) && !isSkipped(line, index + 1))
  bulkDraft.set(rest.length === 0 ? EMPTY : { text: rest.join('\n'), decisions: {} })
}

/**
 * Puts a group's or an earlier list's lines in the place of the list, as the shop knows them: what is known of their network and offer is not
 * asked again.
 */
export function takeOverLines(lines: BulkPreview['lines'], origin: DraftOrigin = {}): void {
  const keyed = lines.map((line, index) => ({ ...line, key: decisionKey(index + 1, line.text) }))
  bulkDraft.set({
    text: lines.map(({ text }) => text).join('\n'),
    decisions: Object.fromEntries(keyed.flatMap(({ key, network, offer }) => (network && offer ? [[key, { network, offer }]] : []))),
    retries: Object.fromEntries(keyed.flatMap(({ key, retryOf }) => (retryOf ? [[key, retryOf]] : []))),
    origin,
  })
}

type BulkLines = {
  lines: readonly CheckedLine[]
  /** False until the prices are there. */
  isKnown: boolean
}

/** The lines as they stand: read, priced, and compared with each other and with `inFlight`. */
export function useBulkLines(inFlight: readonly InFlight[] = NONE): BulkLines {
  const { text, decisions } = useDeferredValue(bulkDraft.use())
  const check = useCheckLines(inFlight)
  const lines = useMemo(() => check?.(text, decisions) ?? [], [check, text, decisions])
  return { lines, isKnown: check !== undefined }
}

const NONE: readonly InFlight[] = []

/** Checks a text at today's prices; undefined until they are there. */
export function useCheckLines(inFlight: readonly InFlight[] = NONE) {
  const level = session.use()?.userLevel ?? 'Customer'
  const { data: products } = useProducts()
  return useMemo(() => {
    if (!products) return undefined
    const shelf = stockShelf(products, level)
    return (text: string, decisions: Record<string, Decision> = {}) => {
      if (known.size > MOST_KNOWN) known.clear()
      return checkLines(text, shelf, inFlight, new Map(Object.entries(decisions)), known)
    }
  }, [products, level, inFlight])
}

const known = new Map<string, ReadLine>()

/** The orders on their way to the numbers of the list or delivered a short while ago, as the shop knows them, and whether it has answered for the list as it is now. */
export function useInFlight() {
  const { text } = bulkDraft.use()
  const asked = useDebounced(text, 300)
  const { data, isPlaceholderData, error, refetch } = useQuery({
    ...previewQuery(asked),
    enabled: asked.trim() !== '',
    placeholderData: (before) => before,
  })
  const onItsWay = data?.onItsWay
  const inFlight = useMemo(
    () =>
      (onItsWay ?? []).map(
        ({ phoneNumber, since, ...order }): InFlight => ({
          ...order,
          receiver: phoneNumber,
          at: formatShortTime(new Date(since), new Date()),
        }),
      ),
    [onItsWay],
  )
  return {
    inFlight,
    isChecked: data !== undefined && !isPlaceholderData && asked === text,
    error: data ? null : error,
    retry: () => void refetch(),
  }
}

function isDraft(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { text, decisions } = value as Partial<BulkDraft>
  return typeof text === 'string' && typeof decisions === 'object' && decisions !== null
}
