import { hasRole } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { AppError, Forbidden, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceProduct } from '../products/events.ts'
import { changePackages } from './change-packages.ts'
import { factsOf } from './present.ts'
import { type ChangeRow, insertPublication, isPublication, lockPublications, selectNewestPublication } from './prices.sql.ts'
import { refuseChangedMeanwhile } from './refuse-changed-meanwhile.ts'

/**
 * Brings back the prices from before the newest publication, all of them or none. Costs stay.
 * @throws NotFound; Forbidden where the old prices take an owner; 409 when it is not the newest, was undone already, or a package has changed since.
 */
export async function undoPublication(ctx: Ctx, id: string): Promise<void> {
  const products = await transaction(ctx.db, async (tx) => {
    const admin = await requireStaff(tx, ctx, 'products')
    await lockPublications(tx)
    const newest = await selectNewestPublication(tx)
    if (!(await isPublication(tx, id))) throw new NotFound('publication')
    if (newest?.undoes === id) throw new AppError('CONFLICT', 'These prices were undone already.')
    if (newest?.id !== id || newest.undoes) throw new AppError('CONFLICT', 'Prices were published since. Only the newest can be undone.')
    const back = newest.changes.map(reverse)
    const by = { userId: admin.id, isOwner: hasRole(admin, 'owner'), now: ctx.now }
    const { changes, products, toApprove } = await changePackages(tx, back, by, (conflicts) => {
      throw refuseChangedMeanwhile(conflicts, 'changes')
    })
    if (toApprove[0]) throw new Forbidden(`${toApprove[0].message} Ask an owner to undo it.`)
    await insertPublication(tx, { changes: back, now: ctx.now, by: admin.id, undoes: id })
    await recordAdminAction(tx, ctx, {
      action: 'prices.undo',
      subject: { type: 'prices', id: [...new Set(back.map(({ network }) => network))].join(', ') },
      before: factsOf(changes, 'from'),
      after: factsOf(changes, 'to'),
    })
    return products
  })
  for (const product of products) announceProduct(ctx, product)
}

function reverse({ priceCustomerPesewas, priceAgentPesewas, hidden, ...change }: ChangeRow): ChangeRow {
  const back = <T>({ from, to }: { from: T; to: T }) => ({ from: to, to: from })
  return {
    ...change,
    ...(priceCustomerPesewas && { priceCustomerPesewas: back(priceCustomerPesewas) }),
    ...(priceAgentPesewas && { priceAgentPesewas: back(priceAgentPesewas) }),
    ...(hidden && { hidden: back(hidden) }),
  }
}
