import { type BulkShelf, type CheckedLine, checkLines, type Decision, type InFlight } from '../../../../shared/bulk-lines.ts'

/** A list as text, and what can be bought; `inFlight` are orders that its lines may repeat. */
export type ListToRead = { text: string; shelf: BulkShelf; decisions: Map<string, Decision>; inFlight: readonly InFlight[] }

/** The lines of a list as they are understood, without what else might be chosen for them. For `callAside`. */
export function readList({ text, shelf, decisions, inFlight }: ListToRead): CheckedLine[] {
  return checkLines(text, shelf, inFlight, decisions).map((line) => ({ ...line, choices: [] }))
}

/** The numbers that a list names, each once. For `callAside`. */
export function readReceivers({ text, shelf, decisions }: Omit<ListToRead, 'inFlight'>): string[] {
  return [...new Set(checkLines(text, shelf, [], decisions).flatMap(({ receiver }) => receiver ?? []))]
}

/**
 * Whether a text has so many lines that a list can't be read from it, without reading any of them. Empty lines between the others and a
 * heading are no orders.
 */
export function hasTooManyLines(text: string, most: number): boolean {
  let filled = 0
  for (let at = 0, lines = 0; at <= text.length; lines += 1) {
    const end = text.indexOf('\n', at)
    const stop = end === -1 ? text.length : end
    if (/\S/.test(text.slice(at, Math.min(stop, at + 200)))) filled += 1
    if (filled > most + 1 || lines > 4 * most) return true
    at = stop + 1
  }
  return false
}
