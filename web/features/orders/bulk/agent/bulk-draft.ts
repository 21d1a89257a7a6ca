import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import type { BulkPreview } from '../../../../../shared/bulk.ts'
import type { ReadLine } from '../../../../../shared/bulk-line.ts'
import { type CheckedLine, checkLines, type Decision, decisionKey, type InFlight, stockShelf } from '../../../../../shared/bulk-lines.ts'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { ofUser, session } from '../../../../lib/session.ts'
import { createStored } from '../../../../lib/stored.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'
import { useProducts } from '../../../catalogue/products/api.ts'
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

/** Writes the list anew; what was decided of its lines goes with them, unless they were changed. */
export function setBulkText(text: string): void {
  const draft = bulkDraft.get()
  bulkDraft.set(text === '' ? EMPTY : { ...draft, ...withText(draft, text) })
}

/** Another text of a list, with what was decided of the lines that are the same. */
export function withText(before: Notes & { text: string }, text: string): Pick<BulkDraft, 'text' | 'decisions' | 'retries'> {
  return { text, ...moveNotes(before, toMove(before.text, text)) }
}

export function decideLines(lines: readonly CheckedLine[], decide: Decision | ((line: CheckedLine) => Decision)): void {
  const draft = bulkDraft.get()
  const changed = lines.map((line) => [decisionKey(line.number, line.text), typeof decide === 'function' ? decide(line) : decide] as const)
  bulkDraft.set({ ...draft, decisions: { ...draft.decisions, ...Object.fromEntries(changed) } })
}

/** Writes one line anew, as one or as several; what was decided of the lines below stays theirs. */
export function rewriteLine({ number, text: before }: Pick<CheckedLine, 'number' | 'text'>, text: string): void {
  const draft = bulkDraft.get()
  const lines = rowsOf(draft.text)
  const removed = isJoined(lines, number, before) ? 2 : 1
  const written = text.split('\n')
  lines.splice(number - 1, removed, ...written)
  const notes = moveNotes(draft, (at) => (at > number ? at + written.length - removed : at))
  bulkDraft.set({ ...draft, text: lines.join('\n'), ...notes })
}

function rowsOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, ''))
}

/** Where each line of a text is in another, from 1, or null: of equal lines the first old one is the first new one. */
function toMove(before: string, after: string): (at: number) => number | null {
  const places = new Map<string, number[]>()
  const rows = rowsOf(after)
  for (let at = rows.length; at > 0; at--) {
    const row = rows[at - 1] as string
    const known = places.get(row)
    if (known) known.push(at)
    else places.set(row, [at])
  }
  const moved = rowsOf(before).map((row) => places.get(row)?.pop() ?? null)
  return (at) => moved[at - 1] ?? null
}

type Notes = Pick<BulkDraft, 'decisions' | 'retries'>

/** What is known of lines, at the places where they are now; null for a line that is gone. */
function moveNotes({ decisions, retries }: Notes, move: (at: number) => number | null): Notes {
  const moved = <T>(kept: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(kept).flatMap(([key, value]) => {
        const [, at = '', line = ''] = /^(\d+) (.*)$/s.exec(key) ?? []
        const place = move(Number(at))
        return place === null ? [] : [[decisionKey(place, line), value]]
      }),
    )
  return { decisions: moved(decisions), ...(retries && { retries: moved(retries) }) }
}

/** Whether the text is that of two lines, a number and its size below. */
function isJoined(lines: readonly string[], number: number, text: string): boolean {
  return text !== '' && lines[number - 1] !== text && `${lines[number - 1]} ${lines[number]}`.startsWith(text)
}

/** Leaves only these lines, as after the others were paid for. */
export function keepLines(lines: readonly CheckedLine[]): void {
  const places = new Map(lines.map(({ number }, index) => [number, index + 1]))
  keepRows(
    lines.map(({ text }) => text),
    places,
  )
}

/** Whether to send what repeats another line is asked again: that one may be paid for by now. */
function keepRows(rows: readonly string[], places: ReadonlyMap<number, number>): void {
  const draft = bulkDraft.get()
  const { decisions, ...notes } = moveNotes(draft, (at) => places.get(at) ?? null)
  const asked = Object.fromEntries(Object.entries(decisions).map(([key, { send: _, ...rest }]) => [key, rest]))
  const { name, groupId } = draft.origin ?? {}
  const origin = { ...(name && { name }), ...(groupId && { groupId }) }
  bulkDraft.set(rows.length === 0 ? EMPTY : { ...notes, text: rows.join('\n'), decisions: asked, origin })
}

/** Leaves out the lines that were paid for and those that were skipped, where the list is still the one that they were taken from. */
export function forgetLines(paid: readonly { number: number; text: string }[]): void {
  const { text, decisions } = bulkDraft.get()
  const lines = rowsOf(text)
  const isTheirs = ({ number, text: line }: { number: number; text: string }) =>
    lines[number - 1]?.startsWith(line) || isJoined(lines, number, line)
  if (!paid.every(isTheirs)) return
  const done = new Set(
    paid.flatMap((line) => (lines[line.number - 1]?.startsWith(line.text) ? [line.number] : [line.number, line.number + 1])),
  )
  const isSkipped = (line: string, number: number) => decisions[decisionKey(number, line)]?.skip === true
  const rest = lines.flatMap((line, index) =>
    line.trim() !== '' && !done.has(index + 1) && !isSkipped(line, index + 1) ? [{ line, number: index + 1 }] : [],
  )
  const places = new Map(rest.map(({ number }, index) => [number, index + 1]))
  keepRows(
    rest.map(({ line }) => line),
    places,
  )
}

/**
 * Puts a group's or an earlier list's lines in the place of the list, as the shop knows them: what is known of their network, offer and name is
 * not asked again.
 */
export function takeOverLines(lines: BulkPreview['lines'], origin: DraftOrigin = {}): void {
  const keyed = lines.map((line, index) => ({ ...line, key: decisionKey(index + 1, line.text) }))
  bulkDraft.set({
    text: lines.map(({ text }) => text).join('\n'),
    decisions: Object.fromEntries(
      keyed.flatMap(({ key, network, offer, name }) => (network && offer ? [[key, { network, offer, name }]] : [])),
    ),
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
          at: formatShortTime(new Date(since), shopNow()),
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
