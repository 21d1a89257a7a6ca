import type { ChangeCheckerPackage } from '../../../../shared/checkers.ts'
import { hasRole, SEES_COSTS } from '../../../../shared/staff-rules.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid, NotFound } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import type { Vault } from '../../../platform/vault.ts'
import { lockProduct } from '../../catalogue/products/products.sql.ts'
import { VaultClosed } from './check-lines.ts'
import { existsKind, type PackageRow, selectPackages, upsertPackage } from './checkers.sql.ts'
import { announceCheckers } from './events.ts'

/**
 * Sells a package from the stock of a kind from now on, or by hand. Orders that wait to be sent by hand stay as they are.
 * Only an owner has a package sell another kind or more codes: its price stays, and whoever changes it could buy at it.
 * @throws NotFound for a package that is not a checker's; Invalid, VaultClosed
 */
export async function changePackage(ctx: Ctx, vault: Vault | null, wanted: ChangeCheckerPackage): Promise<void> {
  if (!vault && wanted.kind !== null) throw new VaultClosed()
  await transaction(ctx.db, async (tx) => {
    const actor = await requireStaff(tx, ctx, SEES_COSTS)
    // A purchase in an agent's shop reads the catalogue under this lock.
    await lockProduct(tx, wanted.productId)
    const before = (await selectPackages(tx)).find(({ productId, offer }) => productId === wanted.productId && offer === wanted.offer)
    if (!before) throw new NotFound('package')
    if (wanted.kind !== null && !(await existsKind(tx, wanted.kind)))
      throw new Invalid([{ path: 'kind', message: 'Choose a kind from the list.' }])
    if (!hasRole(actor, 'owner')) refuseMoreForThePrice(before, wanted)
    await upsertPackage(tx, wanted)
    await recordAdminAction(tx, ctx, {
      action: 'checkers.package',
      subject: { type: 'product', id: wanted.productId },
      before: { offer: before.offer, kind: before.kind, units: before.units },
      after: { offer: wanted.offer, kind: wanted.kind, units: wanted.units },
    })
  })
  await announceCheckers(ctx)
}

function refuseMoreForThePrice(before: PackageRow, { kind, units }: ChangeCheckerPackage) {
  if (kind === null || (kind === before.kind && units <= before.units)) return
  const path = kind === before.kind ? 'units' : 'kind'
  throw new Invalid([{ path, message: `${before.offer} would sell something else at its price. An owner must change it.` }])
}
