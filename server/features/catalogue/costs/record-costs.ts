import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { type CostLine, insertCosts, type lockCosts } from './costs.sql.ts'

/** Stores those costs that differ from what was `found` under the lock, and what an admin changed by it. */
export async function recordCosts(
  tx: Tx,
  ctx: Ctx,
  { lines, found, setBy }: { lines: CostLine[]; found: Awaited<ReturnType<typeof lockCosts>>; setBy: string },
): Promise<void> {
  const changed = lines.flatMap((line, index) => {
    const before = found[index]?.costPesewas ?? null
    return before === line.costPesewas ? [] : [{ line, before, name: `${found[index]?.network} ${line.offer}, ${line.supplier}` }]
  })
  if (changed.length === 0) return
  await insertCosts(
    tx,
    changed.map(({ line }) => line),
    { setBy, now: ctx.now },
  )
  await recordAdminAction(tx, ctx, {
    action: 'costs.change',
    subject: { type: 'costs', id: 'catalogue' },
    before: { costs: changed.map(({ name, before }) => ({ name, costPesewas: before })) },
    after: { costs: changed.map(({ name, line }) => ({ name, costPesewas: line.costPesewas })) },
  })
}
