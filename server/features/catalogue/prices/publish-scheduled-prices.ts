import { rolesFor } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { announceProduct } from '../products/events.ts'
import type { ProductRow } from '../products/products.sql.ts'
import { changePackages } from './change-packages.ts'
import { factsOf } from './present.ts'
import { endSchedule, insertPublication, lockPublications, lockWaitingSchedule, selectDueSchedules } from './prices.sql.ts'

/**
 * Publishes the scheduled prices whose time has come, each once, however many processes look. Packages that somebody has changed since
 * they were scheduled, or whose new prices take an owner by now, are left as they are, and shown to the admins.
 */
export async function publishScheduledPrices(ctx: Ctx): Promise<void> {
  for (const id of await selectDueSchedules(ctx.db, ctx.now)) {
    const products = await transaction(ctx.db, (tx) => publishSchedule(tx, ctx, id))
    for (const product of products) announceProduct(ctx, product)
  }
}

async function publishSchedule(tx: Tx, ctx: Ctx, id: string): Promise<ProductRow[]> {
  const schedule = await lockWaitingSchedule(tx, id)
  if (!schedule) return []
  const subject = { type: 'prices', id: [...new Set(schedule.changes.map(({ network }) => network))].join(', ') }
  if (!(await mayStillPublish(tx, schedule.createdBy))) {
    await endSchedule(tx, id, { outcome: 'refused', leftOut: schedule.changes, now: ctx.now })
    const note = `Scheduled by ${schedule.by}, who may not change prices any more`
    await recordAdminAction(tx, ctx, { action: 'prices.refuse', subject, note })
    return []
  }
  await lockPublications(tx)
  const by = { userId: schedule.createdBy, isOwner: await isOwner(tx, schedule.createdBy), now: ctx.now, leavesOut: true }
  const { changes, conflicts, products } = await changePackages(tx, schedule.changes, by)
  await endSchedule(tx, id, { outcome: 'published', leftOut: conflicts.map(({ change }) => change), now: ctx.now })
  if (changes.length > 0) await insertPublication(tx, { changes, now: ctx.now, by: schedule.createdBy, scheduleId: id })
  const left =
    conflicts.length === 0 ? '' : `; left as they were: ${conflicts.map(({ change }) => `${change.network} ${change.offer}`).join(', ')}`
  await recordAdminAction(tx, ctx, {
    action: 'prices.publish',
    subject,
    before: factsOf(changes, 'from'),
    after: factsOf(changes, 'to'),
    note: `Scheduled by ${schedule.by}${left}`,
  })
  return products
}

/** Whoever scheduled prices and was banned, or lost the role for it, does not change them any more. */
export async function mayStillPublish(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from users u join staff_roles r on r.user_id = u.id
     where u.id = $1 and u.level = 'Admin' and u.status = 'Active' and r.role = any ($2) for share of u, r`,
    [userId, rolesFor('products')],
  )
  return rowCount !== 0
}

async function isOwner(tx: Tx, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(`select from staff_roles where user_id = $1 and role = 'owner'`, [userId])
  return rowCount !== 0
}
