import { useEffect, useRef, useState } from 'react'

const SHOWN_MS = 8000

/** How a row that has changed looks: an edge, and a tint that lets badges stand out. */
export const CHANGED = 'shadow-[inset_4px_0_0_var(--pending)] bg-[color-mix(in_srgb,var(--pending-soft)_50%,var(--surface))]!'

type Row = { _id: string }
type Known = Map<string, string>

/** Changes made in this browser are not highlighted; remembered until their announcement has arrived. */
const ownChanges = new Set<string>()

export function noteOwnChange(id: string): void {
  ownChanges.add(id)
  setTimeout(() => ownChanges.delete(id), SHOWN_MS)
}

/**
 * Rows that somebody else changed or added while this list was on screen, each for a few seconds.
 * `versionOf` must differ for a change; `view` names the page shown, since rows of another page are not changes.
 */
export function useChangedRows<R extends Row>(
  rows: readonly R[] | undefined,
  versionOf: (row: R) => string,
  view: string,
): ReadonlySet<string> {
  const known = useRef<{ view: string; rows: Known } | null>(null)
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    if (!rows) return
    const before = known.current?.view === view ? known.current.rows : null
    known.current = { view, rows: new Map(rows.map((row) => [row._id, versionOf(row)])) }
    const found = before ? findChanged(rows, versionOf, before).filter((id) => !ownChanges.has(id)) : []
    if (found.length === 0) return
    setChanged((earlier) => new Set([...earlier, ...found]))
    setTimeout(() => setChanged((earlier) => new Set([...earlier].filter((id) => !found.includes(id)))), SHOWN_MS)
  }, [rows, versionOf, view])

  return changed
}

/** Rows with a new version, and new rows above a known one. A row that moves up from the next page doesn't count. */
export function findChanged<R extends Row>(
  rows: readonly R[],
  versionOf: (row: R) => string,
  before: ReadonlyMap<string, string>,
): string[] {
  const lastKnown = rows.findLastIndex((row) => before.has(row._id))
  const wasEmpty = before.size === 0
  return rows
    .filter((row, index) => {
      const version = before.get(row._id)
      return version === undefined ? wasEmpty || index < lastKnown : version !== versionOf(row)
    })
    .map((row) => row._id)
}
