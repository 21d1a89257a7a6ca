import { toPesewas } from '../../../shared/money.ts'
import type { CostChange, PublishRequest } from '../../../shared/prices.ts'
import { recordAdminAction } from '../../platform/audit.ts'
import type { Ctx } from '../../platform/context.ts'
import { type Tx, transaction } from '../../platform/db.ts'
import { requireStaff } from '../../platform/lock-actor.ts'
import { lockCosts } from '../costs/costs.sql.ts'
import { recordCosts } from '../costs/record-costs.ts'
import { announceProduct } from '../products/events.ts'
import { changePackages } from './change-packages.ts'
import { factsOf, toChange } from './present.ts'
import { insertPublication, lockPublications } from './prices.sql.ts'
import { refuseChangedMeanwhile } from './refuse-changed-meanwhile.ts'

/**
 * Changes many prices and costs, all of them or none. Sent again, or when somebody else has just done the same, it changes nothing.
 * @throws 409 that names each package whose price, cost or visibility is not what the admin saw.
 */
export async function publishPrices(ctx: Ctx, { changes, costs }: PublishRequest): Promise<void> {
  const products = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'products')
    await lockPublications(tx)
    const made = await changePackages(tx, changes.map(toChange), (conflicts) => {
      throw refuseChangedMeanwhile(conflicts, 'changes')
    })
    await publishCosts(tx, ctx, admin.id, costs)
    if (made.changes.length === 0) return []
    await insertPublication(tx, { changes: made.changes, now: ctx.now, by: admin.id })
    await recordAdminAction(tx, ctx, {
      action: 'prices.publish',
      subject: { type: 'prices', id: [...new Set(made.changes.map(({ network }) => network))].join(', ') },
      before: factsOf(made.changes, 'from'),
      after: factsOf(made.changes, 'to'),
    })
    return made.products
  })
  for (const product of products) announceProduct(ctx, product)
}

async function publishCosts(tx: Tx, ctx: Ctx, setBy: string, costs: CostChange[]) {
  if (costs.length === 0) return
  const lines = costs.map(({ from: _, to, ...line }) => ({ ...line, costPesewas: to === null ? null : toPesewas(to) }))
  const found = await lockCosts(tx, lines, ctx.now)
  const conflicts = costs.flatMap(({ offer, from }, index) => {
    const { exists, network, costPesewas } = found[index] ?? { exists: false, network: null, costPesewas: null }
    const seen = from === null ? null : toPesewas(from)
    if (exists && (costPesewas === seen || costPesewas === lines[index]?.costPesewas)) return []
    const name = [network, offer].filter(Boolean).join(' ')
    return [{ index, message: exists ? `The cost of ${name} has changed.` : `${name} is not in the catalogue any more.` }]
  })
  if (conflicts.length > 0) throw refuseChangedMeanwhile(conflicts, 'costs')
  await recordCosts(tx, ctx, { lines, found, setBy })
}
