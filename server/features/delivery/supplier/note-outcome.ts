import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { DataSupplier, SendOutcome, StatusOutcome } from '../../../integrations/supplier/data-supplier.ts'
import type { SupplierGateway } from '../../../integrations/supplier/suppliers.ts'
import { raiseAlarm } from '../../../platform/alarms.ts'
import type { Ctx } from '../../../platform/context.ts'
import { countSupplierCall } from '../../../platform/metrics.ts'
import { ALARM_QUEUE, alarmJob } from '../../../platform/queues.ts'
import { noteFailure, noteSuccess } from './health.sql.ts'

const REASONS = {
  'no-money': 'our balance there is empty',
  'too-often': 'it was called too often',
  'not-allowed': 'it does not allow us to order',
}

/** Records a call's outcome. Opens the supplier's circuit breaker after failures, and alerts the operator when it opens. */
export async function noteOutcome(ctx: Ctx, gateway: SupplierGateway, { name }: DataSupplier, outcome: SendOutcome | StatusOutcome) {
  countSupplierCall(name, outcome.outcome === 'rejected' || outcome.outcome === 'unknown' ? outcome.outcome : 'accepted')
  const cause = outcome.outcome === 'rejected' && outcome.cause in REASONS ? (outcome.cause as keyof typeof REASONS) : null
  if (cause === null && outcome.outcome !== 'unknown') {
    const sent = outcome.outcome === 'accepted' || outcome.outcome === 'rejected'
    if (await noteSuccess(ctx.db, name, { sent })) await checkAlarms(ctx, name)
    return
  }
  const reason = cause === null ? outcome.detail : `${REASONS[cause]}: ${outcome.detail}`
  const { breakerOpenMs, longestBreakerOpenMs: longestMs } = gateway.timings
  const openMs = await noteFailure(ctx.db, name, { reason, cause: cause ?? '', breakerOpenMs, longestMs })
  if (openMs === null) return
  raiseAlarm(ctx.log, 'supplier-paused', { supplier: name, reason, openMs })
  await checkAlarms(ctx, name)
}

/** Tells the owner and the admins' screens soon. If this process dies first, the next reading of the balances does. */
async function checkAlarms(ctx: Ctx, supplier: SupplierName) {
  await ctx.jobs.enqueue(ctx.db, ALARM_QUEUE, [alarmJob(supplier)])
  ctx.jobs.wake(ALARM_QUEUE)
}
