import type { JobsReply } from '../../../../shared/jobs.ts'
import { toCedis } from '../../../../shared/money.ts'
import { hasRole, SEES_FINANCE } from '../../../../shared/staff-rules.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { selectUsedToday } from '../../../platform/day-caps.sql.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { Page } from '../../../platform/http/lists.ts'
import type { FailedJob } from '../../../platform/job-queue.ts'
import { countNewOrders } from '../../delivery/order-relay/order-relay.sql.ts'
import { type SupplierHealth, selectHealth } from '../../delivery/supplier/health.sql.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { findReasonToKeep } from './find-reason-to-keep.ts'
import { findSubjects } from './find-subjects.ts'
import type { JobOrder } from './job-subjects.sql.ts'

/** The state of the shop's background work. */
export async function readJobs(ctx: Ctx, suppliers: Suppliers, page: Page): Promise<JobsReply & { total: number }> {
  const [{ failed, total }, queues, ordersToRelay, health, settings, usedToday] = await Promise.all([
    ctx.jobs.listFailed(page),
    ctx.jobs.countJobs(),
    countNewOrders(ctx.db),
    selectHealth(ctx.db),
    selectSettings(ctx.db),
    selectUsedToday(ctx.db, 'sms_days', ctx.now.toISOString().slice(0, 10)),
  ])
  const kept = new Map(health.map((supplier) => [supplier.name, supplier]))
  const withAmounts = hasRole(requireActor(ctx), SEES_FINANCE)
  return {
    total,
    failed: await presentFailed(ctx.db, failed),
    queues,
    ordersToRelay,
    suppliers: [...suppliers.keys()].map((name) => presentHealth(kept.get(name) ?? { ...WELL, name }, withAmounts)),
    sms: { usedToday, dailyCap: settings.smsDailyCap },
  }
}

async function presentFailed(db: Queryable, failed: FailedJob[]): Promise<JobsReply['failed']> {
  const subjects = await findSubjects(db, failed)
  return failed.map((job) => {
    const { order, message } = subjects.get(job.id) ?? {}
    const { id, queue, data, reason, attempts, createdAt, failedAt } = job
    return {
      _id: id,
      queue,
      data: data as Record<string, unknown>,
      order: order ? presentOrder(order) : null,
      messageTo: message?.receiver ?? null,
      reason,
      keep: findReasonToKeep(job, order ?? null),
      attempts,
      createdAt: createdAt.toISOString(),
      failedAt: failedAt.toISOString(),
    }
  })
}

function presentOrder({ orderId, pricePesewas, surchargePesewas, ...order }: JobOrder): NonNullable<JobsReply['failed'][number]['order']> {
  return { _id: orderId, ...order, totalAmount: toCedis(pricePesewas), surcharge: toCedis(surchargePesewas) }
}

const WELL = {
  openUntil: null,
  isTroubled: false,
  failures: 0,
  reason: '',
  cause: '',
  failedAt: null,
  balancePesewas: null,
  balanceAt: null,
}

/** The balance only for who sees the shop's finances, as with its floats. */
function presentHealth(
  { name, openUntil, reason, balancePesewas, balanceAt }: SupplierHealth,
  withAmounts: boolean,
): JobsReply['suppliers'][number] {
  return {
    name,
    openUntil: openUntil?.toISOString() ?? null,
    reason: openUntil ? reason : '',
    balance: balancePesewas === null || !withAmounts ? null : toCedis(balancePesewas),
    balanceAt: balanceAt?.toISOString() ?? null,
  }
}
