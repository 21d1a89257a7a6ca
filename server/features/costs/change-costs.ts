import type { SetCostsRequest } from '../../../shared/costs.ts'
import { toPesewas } from '../../../shared/money.ts'
import type { Ctx } from '../../platform/context.ts'
import { transaction } from '../../platform/db.ts'
import { Invalid } from '../../platform/errors.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { type CostLine, lockCosts } from './costs.sql.ts'
import { recordCosts } from './record-costs.ts'

/**
 * Sets what packages cost from now on, all of them or none. Orders that were delivered keep the cost they have. A cost that is the
 * same already is not set again.
 * @throws Invalid when a package is not on sale
 */
export async function changeCosts(ctx: Ctx, { costs }: SetCostsRequest): Promise<void> {
  const lines: CostLine[] = costs.map(({ cost, ...line }) => ({ ...line, costPesewas: cost === null ? null : toPesewas(cost) }))
  await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'products')
    const found = await lockCosts(tx, lines, ctx.now)
    const missing = lines.flatMap(({ offer }, index) =>
      found[index]?.exists ? [] : [{ path: `costs.${index}`, message: `${offer} is not in the catalogue any more.` }],
    )
    if (missing.length > 0) throw new Invalid(missing)
    await recordCosts(tx, ctx, { lines, found, setBy: admin.id })
  })
}
