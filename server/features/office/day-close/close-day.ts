import type { SignDayClose } from '../../../../shared/day-close.ts'
import { COUNTED_FRESH_MS } from '../../../../shared/day-close-rules.ts'
import type { Issue } from '../../../../shared/errors.ts'
import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import { MOBILE_MONEY_RECEIVED, OWNER_FUNDS } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import {
  insertClose,
  lockLedger,
  type Range,
  type StoredCounted,
  selectClose,
  selectClosedUntil,
  selectSupplierAccount,
} from './day-close.sql.ts'
import { MOBILE_MONEY, readPlaces, readSheet } from './read-sheet.ts'

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
    const wrong = await checkOrder(tx, range, corrects, note)
    const { sheet, openingPesewas, closingPesewas, movements } = await readSheet(tx, range)
    if (wrong === null && counted.length === 0 && movements.length === 0) await refuseAgain(tx, range)
    if (closingPesewas !== toPesewas(closing))
      throw new MovedOn(
        `Money has moved since you looked: the wallets close with ¢${formatPesewas(closingPesewas)}. Look again, then sign.`,
      )
    const places = await readPlaces(tx, range, movements)
    const stored = explain(counted, places, range)
    if (wrong === null) await postOwnerFunds(tx, range, stored, signedBy)
    else checkMoved(stored, wrong.counted)
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
async function checkOrder(tx: Tx, range: Range, corrects: number | null, note: string): Promise<{ counted: StoredCounted[] } | null> {
  if (corrects === null) {
    const last = await selectClosedUntil(tx)
    if (last && last.getTime() !== range.from.getTime())
      throw new MovedOn('Somebody has closed this meanwhile. Look at what is left, then sign.')
    return null
  }
  const wrong = await selectClose(tx, corrects)
  if (!wrong) throw new NotFound('close')
  if (wrong.correctedBy !== null) throw new MovedOn('That close was corrected already. Correct the correction instead.')
  if (wrong.from.getTime() !== range.from.getTime() || wrong.until.getTime() !== range.until.getTime())
    throw new Invalid([{ path: 'from', message: 'A correction is of the same time as the close that it corrects.' }])
  if (note === '') throw new Invalid([{ path: 'note', message: 'Say what was wrong.' }])
  return wrong
}

/** A close of which nothing is left to sign: pressed twice, or in two tabs. A day without a movement is signed once. */
async function refuseAgain(tx: Tx, { from, until }: Range) {
  const last = await selectClosedUntil(tx)
  if (last?.getTime() === from.getTime() && until.getTime() - from.getTime() < SAME_DAY_MS)
    throw new MovedOn('This day is signed off already, and nothing has moved since.')
}

/** As late as this after a close, another one is of another day. */
const SAME_DAY_MS = 12 * 3_600_000

type Place = Awaited<ReturnType<typeof readPlaces>>[number]

/** @throws Invalid for a difference without a sentence, a reading that is old, and a place that there is not. */
function explain(counted: SignDayClose['counted'], places: readonly Place[], { until }: Range): StoredCounted[] {
  const issues: Issue[] = []
  const stored = counted.map((line, index) => {
    const say = (field: 'key' | 'counted' | 'note', message: string) => issues.push({ path: `counted.${index}.${field}`, message })
    const place = places.find(({ key }) => key === line.key)
    const movedPesewas = toPesewas(line.moved)
    const countedPesewas = toPesewas(line.counted)
    const expectedPesewas = place?.expectedPesewas == null ? null : place.expectedPesewas + movedPesewas
    const parts = line.parts.map((part) => ({
      key: part.key,
      name: place?.parts.find(({ key }) => key === part.key)?.name ?? part.key,
      countedPesewas: toPesewas(part.counted),
    }))
    if (!place || counted.findIndex(({ key }) => key === line.key) !== index) say('key', 'That is not one of the places to count.')
    else if (parts.length > 0 && parts.reduce((sum, part) => sum + part.countedPesewas, 0) !== countedPesewas)
      say('counted', `The numbers of ${place.name} do not add up to what was counted.`)
    else if (line.readAt !== undefined && line.readAt !== place.readAt)
      say('counted', `${place.name} was read again. Look again, then sign.`)
    else if (line.readAt !== undefined && Math.abs(until.getTime() - Date.parse(line.readAt)) > COUNTED_FRESH_MS)
      say('counted', `${place.name} was read more than 30 minutes ago. Count it again.`)
    else if (line.readAt !== undefined && line.counted !== place.read) say('counted', `That is not what was read at ${place.name}.`)
    else if (expectedPesewas !== null && expectedPesewas !== countedPesewas && line.note === '')
      say('note', `Say why ${place.name} differs by ¢${formatPesewas(countedPesewas - expectedPesewas)}.`)
    return { key: line.key, name: place?.name ?? line.key, expectedPesewas, movedPesewas, countedPesewas, note: line.note, parts }
  })
  if (issues.length > 0) throw new Invalid(issues)
  return stored
}

/** What the owner paid in or took out is booked within the range, so that the next one begins after it. */
async function postOwnerFunds(tx: Tx, range: Range, counted: readonly StoredCounted[], actorId: string) {
  for (const { key, name, movedPesewas } of counted) {
    if (movedPesewas === 0) continue
    const accountId = key === MOBILE_MONEY ? MOBILE_MONEY_RECEIVED : await selectSupplierAccount(tx, key)
    await postTransfer(tx, {
      key: `owner-funds:${range.from.toISOString()}:${key}`,
      kind: 'owner-funds',
      memo: movedPesewas > 0 ? `Paid in by the owner: ${name}` : `Taken out by the owner: ${name}`,
      actorId,
      lines: [
        { accountId, amountPesewas: -movedPesewas },
        { accountId: OWNER_FUNDS, amountPesewas: movedPesewas },
      ],
      now: new Date(range.until.getTime() - 1),
    })
  }
}

/** No entry gets into a closed range, so a correction is of what was counted, not of what the owner moved. */
function checkMoved(counted: readonly StoredCounted[], before: readonly StoredCounted[]) {
  const movedBefore = (key: string) => before.find((line) => line.key === key)?.movedPesewas ?? 0
  const changed = counted.findIndex(({ key, movedPesewas }) => movedPesewas !== movedBefore(key))
  if (changed !== -1)
    throw new Invalid([
      { path: `counted.${changed}.moved`, message: 'What was paid in or taken out is booked. Book the rest with the next close.' },
    ])
}

class MovedOn extends AppError {
  constructor(message: string) {
    super('CONFLICT', message)
  }
}
