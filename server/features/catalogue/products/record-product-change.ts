import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { type ProductRow, selectProduct } from './products.sql.ts'

/** Records what an admin changed, and returns the product as it is now. */
export async function recordProductChange(tx: Tx, ctx: Ctx, action: string, before: ProductRow | null, id: string): Promise<ProductRow> {
  const after = (await selectProduct(tx, id)) as ProductRow
  await recordAdminAction(tx, ctx, { action, subject: { type: 'product', id }, before: before && factsOf(before), after: factsOf(after) })
  return after
}

/** The product's facts for the admins' log. */
export function factsOf({ network, status, imageHash, packages }: ProductRow) {
  return {
    network,
    status,
    imageHash,
    packages: packages.map(({ id: _, hidden, soldOut: _soldOut, ...line }) => (hidden ? { ...line, hidden } : line)),
  }
}
