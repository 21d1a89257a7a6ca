import type { JobsReply } from '../../../shared/jobs.ts'
import { toCedis } from '../../../shared/money.ts'
import { type Ctx, requireAdmin } from '../../platform/context.ts'
import type { Page } from '../../platform/http/lists.ts'
import { countNewOrders } from '../new-orders/new-orders.sql.ts'
import { selectSettings } from '../settings/settings.sql.ts'
import { selectUsedToday } from '../sms/messages.sql.ts'
import { type SupplierHealth, selectHealth } from '../supplier/health.sql.ts'
import type { Suppliers } from '../supplier/supplier-desk.ts'

/** How the shop's own work stands at this moment. */
export async function readJobs(ctx: Ctx, suppliers: Suppliers, page: Page): Promise<JobsReply & { total: number }> {
  requireAdmin(ctx)
  const [{ parked, total }, queues, ordersToRelay, health, settings, usedToday] = await Promise.all([
    ctx.jobs.listParked(page),
    ctx.jobs.countJobs(),
    countNewOrders(ctx.db),
    selectHealth(ctx.db),
    selectSettings(ctx.db),
    selectUsedToday(ctx.db, ctx.now.toISOString().slice(0, 10)),
  ])
  const kept = new Map(health.map((supplier) => [supplier.name, supplier]))
  return {
    total,
    parked: parked.map(({ id, queue, data, reason, tries, createdAt, parkedAt }) => ({
      _id: id,
      queue,
      data: data as Record<string, unknown>,
      reason,
      tries,
      createdAt: createdAt.toISOString(),
      parkedAt: parkedAt.toISOString(),
    })),
    queues,
    ordersToRelay,
    suppliers: [...suppliers.keys()].map((name) => presentHealth(kept.get(name) ?? { ...WELL, name })),
    sms: { usedToday, dailyCap: settings.smsDailyCap },
  }
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
