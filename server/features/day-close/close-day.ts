import type { SignDayClose } from '../../../shared/day-close.ts'
import type { Issue } from '../../../shared/errors.ts'
import { formatPesewas, toPesewas } from '../../../shared/money.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { AppError, Invalid, NotFound } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { insertClose, lockLedger, type Range, type StoredCounted, selectClose, selectClosedUntil } from './day-close.sql.ts'
import { readPlaces, readSheet } from './read-sheet.ts'

/**
 * Signs a range off: its figures are kept for good, and no entry gets into it any more. It begins where the last close ended, or it
 * corrects a close of the same range. Returns its id.
 * @throws Invalid when a difference has no sentence; CONFLICT when the figures or the closes have moved on; NotFound
 */
export async function closeDay(ctx: Ctx, { counted, note, closing, ...request }: SignDayClose): Promise<number> {
  const range = { from: new Date(request.from), until: new Date(request.until) }
  if (range.until > ctx.now) throw new Invalid([{ path: 'until', message: 'That time has not come yet.' }])
  return transaction(ctx.db, async (tx) => {
    const { id: signedBy } = await requireStaff(tx, ctx, 'finance')
    await lockLedger(tx)
    const corrects = request.corrects === undefined ? null : Number(request.corrects)
    await checkOrder(tx, range, corrects, note)
    const { sheet, openingPesewas, closingPesewas, movements } = await readSheet(tx, range)
    if (closingPesewas !== toPesewas(closing))
      throw new MovedOn(
        `Money has moved since you looked: the wallets close with ¢${formatPesewas(closingPesewas)}. Look again, then sign.`,
      )
    const places = await readPlaces(tx, range, movements)
    const stored = explain(counted, places)
    const id = await insertClose(tx, {
      ...range,
      openingPesewas,
      closingPesewas,
      sheet,
      counted: stored,
      note,
      corrects,
      signedBy,
      now: ctx.now,
    })
    await recordAdminAction(tx, ctx, {
      action: corrects === null ? 'day.close' : 'day.correct',
      subject: { type: 'day', id: String(id) },
      after: { from: sheet.from, until: sheet.until, balancePesewas: closingPesewas, totalProfit: sheet.earned.profit },
      note,
    })
    return id
  })
}

/** Under the ledger's lock, so of two that sign the same range at once the second one is refused. */
async function checkOrder(tx: Tx, range: Range, corrects: number | null, note: string) {
  if (corrects === null) {
    const last = await selectClosedUntil(tx)
    if (last && last.getTime() !== range.from.getTime())
      throw new MovedOn('Somebody has closed this meanwhile. Look at what is left, then sign.')
    return
  }
  const wrong = await selectClose(tx, corrects)
  if (!wrong) throw new NotFound('close')
  if (wrong.correctedBy !== null) throw new MovedOn('That close was corrected already. Correct the correction instead.')
  if (wrong.from.getTime() !== range.from.getTime() || wrong.until.getTime() !== range.until.getTime())
    throw new Invalid([{ path: 'from', message: 'A correction is of the same time as the close that it corrects.' }])
  if (note === '') throw new Invalid([{ path: 'note', message: 'Say what was wrong.' }])
}

type Place = Awaited<ReturnType<typeof readPlaces>>[number]

/** @throws Invalid for a difference without a sentence, and for a place that there is not. */
function explain(counted: SignDayClose['counted'], places: readonly Place[]): StoredCounted[] {
  const issues: Issue[] = []
  const stored = counted.map((line, index) => {
    const place = places.find(({ key }) => key === line.key)
    const movedPesewas = toPesewas(line.moved)
    const countedPesewas = toPesewas(line.counted)
    const expectedPesewas = place?.expectedPesewas == null ? null : place.expectedPesewas + movedPesewas
    if (!place || counted.findIndex(({ key }) => key === line.key) !== index)
      issues.push({ path: `counted.${index}.key`, message: 'That is not one of the places to count.' })
    else if (expectedPesewas !== null && expectedPesewas !== countedPesewas && line.note === '')
      issues.push({
        path: `counted.${index}.note`,
        message: `Say why ${place.name} differs by ¢${formatPesewas(countedPesewas - expectedPesewas)}.`,
      })
    return { key: line.key, name: place?.name ?? line.key, expectedPesewas, movedPesewas, countedPesewas, note: line.note }
  })
  if (issues.length > 0) throw new Invalid(issues)
  return stored
}

class MovedOn extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}
