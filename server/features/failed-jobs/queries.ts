import type { JobsReply } from '../../../shared/jobs.ts'
import { toCedis } from '../../../shared/money.ts'
import type { Suppliers } from '../../integrations/supplier/suppliers.ts'
import type { Ctx } from '../../platform/context.ts'
import { selectUsedToday } from '../../platform/day-caps.sql.ts'
import type { Queryable } from '../../platform/db.ts'
import type { Page } from '../../platform/http/lists.ts'
import type { ParkedJob } from '../../platform/job-queue.ts'
import { countNewOrders } from '../order-relay/order-relay.sql.ts'
import { selectSettings } from '../settings/settings.sql.ts'
import { type SupplierHealth, selectHealth } from '../supplier/health.sql.ts'
import { findReasonToKeep } from './find-reason-to-keep.ts'
import { findSubjects } from './find-subjects.ts'
import type { JobOrder } from './job-subjects.sql.ts'

/** How the shop's own work stands at this moment. */
export async function readJobs(ctx: Ctx, suppliers: Suppliers, page: Page): Promise<JobsReply & { total: number }> {
  const [{ parked, total }, queues, ordersToRelay, health, settings, usedToday] = await Promise.all([
    ctx.jobs.listParked(page),
    ctx.jobs.countJobs(),
    countNewOrders(ctx.db),
    selectHealth(ctx.db),
    selectSettings(ctx.db),
    selectUsedToday(ctx.db, 'sms_days', ctx.now.toISOString().slice(0, 10)),
  ])
  const kept = new Map(health.map((supplier) => [supplier.name, supplier]))
  return {
    total,
    parked: await presentParked(ctx.db, parked),
    queues,
    ordersToRelay,
    suppliers: [...suppliers.keys()].map((name) => presentHealth(kept.get(name) ?? { ...WELL, name })),
    sms: { usedToday, dailyCap: settings.smsDailyCap },
  }
}

async function presentParked(db: Queryable, parked: ParkedJob[]): Promise<JobsReply['parked']> {
  const subjects = await findSubjects(db, parked)
  return parked.map((job) => {
    const { order, message } = subjects.get(job.id) ?? {}
    const { id, queue, data, reason, tries, createdAt, parkedAt } = job
    return {
      _id: id,
      queue,
      data: data as Record<string, unknown>,
      order: order ? presentOrder(order) : null,
      messageTo: message?.receiver ?? null,
      reason,
      keep: findReasonToKeep(job, order ?? null),
      tries,
      createdAt: createdAt.toISOString(),
      parkedAt: parkedAt.toISOString(),
    }
  })
}

function presentOrder({ orderId, pricePesewas, surchargePesewas, ...order }: JobOrder): NonNullable<JobsReply['parked'][number]['order']> {
  return { _id: orderId, ...order, totalAmount: toCedis(pricePesewas), surcharge: toCedis(surchargePesewas) }
}

const WELL = { pausedUntil: null, reason: '', balancePesewas: null, balanceAt: null }

function presentHealth({ name, pausedUntil, reason, balancePesewas, balanceAt }: SupplierHealth): JobsReply['suppliers'][number] {
  return {
    name,
    pausedUntil: pausedUntil?.toISOString() ?? null,
    reason: pausedUntil ? reason : '',
    balance: balancePesewas === null ? null : toCedis(balancePesewas),
    balanceAt: balanceAt?.toISOString() ?? null,
  }
}
