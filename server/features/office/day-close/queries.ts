import { startOfDay } from '../../../../shared/dates.ts'
import type { WholeClose } from '../../../../shared/day-close.ts'
import type { Queryable } from '../../../platform/db.ts'
import { Invalid, NotFound } from '../../../platform/errors.ts'
import { type Range, selectClose, selectClosedUntil, selectCloses, selectLastMovement } from './day-close.sql.ts'
import { presentClose, presentWholeClose } from './present.ts'
import { readPlaces, readSheet } from './read-sheet.ts'

const CLOSES_SHOWN = 31

type Asked = { from?: string | undefined; until?: string | undefined }

/** The range asked for: from the last close until now, and before the first close from midnight. */
async function findRange(db: Queryable, { from, until }: Asked, now: Date): Promise<Range & { isNext: boolean }> {
  const last = await selectClosedUntil(db)
  const midnight = startOfDay(now)
  const range = { from: from ? new Date(from) : (last ?? midnight), until: until ? new Date(until) : now }
  if (range.from >= range.until) throw new Invalid([{ path: 'until', message: 'The end has to be after the beginning.' }])
  return { ...range, isNext: last === null || last.getTime() === range.from.getTime() }
}

export async function readDayClose(db: Queryable, asked: Asked, now: Date) {
  const { isNext, ...range } = await findRange(db, asked, now)
  const [{ sheet, movements }, closes] = await Promise.all([readSheet(db, range), selectCloses(db, CLOSES_SHOWN)])
  const places = await readPlaces(db, range, movements)
  return {
    sheet,
    places: places.map(({ expectedPesewas: _, ...place }) => place),
    isNext: isNext && range.until <= now,
    closes: closes.map(presentClose),
  }
}

/** @throws NotFound */
export async function readSignedClose(db: Queryable, id: number): Promise<WholeClose> {
  const row = await selectClose(db, id)
  if (!row) throw new NotFound('close')
  return presentWholeClose(row)
}

/** Signed so long before closing time, a day counts as closed. */
const EARLY_MS = 3 * 3_600_000

/**
 * Since when the day is to be closed; null while the shop is open, when it was closed, and when nothing has moved since.
 */
export async function findDueClose(db: Queryable, closesAt: Date | null, now: Date): Promise<Date | null> {
  if (closesAt === null || now < closesAt) return null
  const last = await selectClosedUntil(db)
  if (last !== null && last.getTime() >= closesAt.getTime() - EARLY_MS) return null
  const moved = await selectLastMovement(db)
  return moved !== null && (last === null || moved > last) ? closesAt : null
}
