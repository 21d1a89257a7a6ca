import { formatShortTime } from '../../../../shared/dates.ts'
import { SCHEDULE_AT_MOST_DAYS } from '../../../../shared/price-rules.ts'
import type { ScheduleRequest } from '../../../../shared/prices.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, Invalid } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { lockProducts } from '../products/products.sql.ts'
import { OwnerNeeded } from '../products/request-price-approval.ts'
import { findToApprove, nameOf, planChanges } from './change-packages.ts'
import { factsOf, toChange } from './present.ts'
import { type ChangeRow, insertSchedule, lockPublications, selectWaitingSchedules } from './prices.sql.ts'
import { askOwner } from './publish-prices.ts'
import { refuseChangedMeanwhile } from './refuse-changed-meanwhile.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Has prices changed at a time to come.
 * @throws OwnerNeeded when an owner is asked first; Invalid for a time that is past or too far away; 409 when a package is not what the admin saw or is scheduled already.
 */
export async function schedulePrices(ctx: Ctx, { liveAt, changes }: ScheduleRequest): Promise<void> {
  const at = new Date(liveAt)
  if (at <= ctx.now) throw new Invalid([{ path: 'liveAt', message: 'Choose a time to come.' }])
  if (at.getTime() > ctx.now.getTime() + SCHEDULE_AT_MOST_DAYS * DAY_MS)
    throw new Invalid([{ path: 'liveAt', message: `Choose a time within ${SCHEDULE_AT_MOST_DAYS} days.` }])
  const outcome = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'products')
    await lockPublications(tx)
    const asked = changes.map(toChange)
    const products = await lockProducts(tx, [...new Set(asked.map(({ productId }) => productId))])
    const planned = planChanges(products, asked)
    if (planned.conflicts.length > 0) throw refuseChangedMeanwhile(planned.conflicts, 'changes')
    const rows = planned.changes.map(({ change }) => change)
    if (rows.length === 0) throw new Invalid([{ path: 'changes', message: 'These are the prices already.' }])
    await refuseScheduledTwice(tx, rows, ctx.now)
    if (!hasRole(admin, 'owner')) {
      const toApprove = await findToApprove(tx, planned.changes, { userId: admin.id, now: ctx.now })
      if (toApprove.length > 0) return askOwner(tx, ctx, { asked, messages: toApprove.map(({ message }) => message), liveAt: at })
    }
    await insertSchedule(tx, { changes: rows, liveAt: at, now: ctx.now, by: admin.id })
    await recordAdminAction(tx, ctx, {
      action: 'prices.schedule',
      subject: { type: 'prices', id: [...new Set(rows.map(({ network }) => network))].join(', ') },
      before: factsOf(rows, 'from'),
      after: { ...factsOf(rows, 'to'), liveAt: at.toISOString() },
    })
    return null
  })
  if (outcome === null) return
  announceApprovals(ctx)
  throw new OwnerNeeded(outcome.messages)
}

/** The second of two schedules of a package would always find it changed by the first. */
async function refuseScheduledTwice(tx: Tx, rows: readonly ChangeRow[], now: Date) {
  const keyOf = ({ productId, offer }: ChangeRow) => `${productId} ${offer}`
  const waiting = new Map((await selectWaitingSchedules(tx)).flatMap(({ changes, liveAt }) => changes.map((line) => [keyOf(line), liveAt])))
  const issues = rows.flatMap((row, index) => {
    const liveAt = waiting.get(keyOf(row))
    return liveAt
      ? [{ path: `changes.${index}`, message: `${nameOf(row)} already has new prices from ${formatShortTime(liveAt, now)}.` }]
      : []
  })
  if (issues[0]) throw new AppError('CONFLICT', `${issues[0].message} Cancel those first.`, issues)
}
