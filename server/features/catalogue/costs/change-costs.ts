import type { SetCostsRequest } from '../../../../shared/costs.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { hasRole } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceApprovals } from '../../people/approvals/events.ts'
import { OwnerNeeded, requestPriceApproval } from '../products/request-price-approval.ts'
import { type CostLine, type FoundCost, lockCosts } from './costs.sql.ts'
import { findCostsToApprove } from './find-costs-to-approve.ts'
import { recordCosts } from './record-costs.ts'

/**
 * Sets what packages cost from now on, all of them or none. Orders that were delivered keep the cost they have. A cost that is the
 * same already is not set again.
 * @throws Invalid when a package is not on sale; OwnerNeeded when nothing was set: an owner is asked.
 */
export async function changeCosts(ctx: Ctx, { costs }: SetCostsRequest): Promise<void> {
  const lines: CostLine[] = costs.map(({ cost, ...line }) => ({ ...line, costPesewas: cost === null ? null : toPesewas(cost) }))
  const messages = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'products')
    const found = await lockCosts(tx, lines, ctx.now)
    const missing = lines.flatMap(({ offer }, index) =>
      found[index]?.exists ? [] : [{ path: `costs.${index}`, message: `${offer} is not in the catalogue any more.` }],
    )
    if (missing.length > 0) throw new Invalid(missing)
    const toApprove = hasRole(admin, 'owner') ? [] : findCostsToApprove(lines, found)
    if (toApprove.length > 0)
      await requestPriceApproval(tx, ctx, { changes: [], costs: asProposed(lines, found), messages: toApprove, liveAt: null })
    else await recordCosts(tx, ctx, { lines, found, setBy: admin.id })
    return toApprove
  })
  if (messages.length === 0) return
  announceApprovals(ctx)
  throw new OwnerNeeded(messages)
}

export type ProposedCost = CostLine & { fromPesewas: number | null }

/** With what each is now, so that an owner agrees to that change and no other. */
export function asProposed(lines: readonly CostLine[], found: readonly FoundCost[]): ProposedCost[] {
  return lines.map((line, index) => ({ ...line, fromPesewas: found[index]?.costPesewas ?? null }))
}
