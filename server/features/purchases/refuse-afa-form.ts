import type { Queryable } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { selectMissingForm, selectUnusableForm } from '../afa/afa.sql.ts'
import type { PurchaseLine } from './purchases.sql.ts'

/** A 409 for a line of AFA whose details can't be used; `path` is their field in the request. */
export function refuseAfaForm(path: string): AppError {
  const message =
    'Please fill in the details for AFA again: we no longer have them, or that card is being registered already. Nothing was charged.'
  return new AppError('CONFLICT', message, [{ path, message }])
}

/**
 * For a purchase that is paid for before it is placed.
 * @throws 409 CONFLICT, which names the line whose details for AFA can't be used.
 */
export async function refuseUnusableForms(
  db: Queryable,
  { userId, shopId, lines }: { userId: string | null; shopId: string | null; lines: readonly PurchaseLine[] },
): Promise<void> {
  const index = await selectUnusableForm(db, { userId, shopId, lines })
  if (index !== null) throw refuseAfaForm(`items.${index}.afa`)
}

/**
 * The same for a guest, who must not learn here whether a card is registered: then the order, once paid, waits for other details.
 * @throws as above, for details that the shop does not have.
 */
export async function refuseMissingForms(db: Queryable, shopId: string, lines: readonly PurchaseLine[]): Promise<void> {
  const index = await selectMissingForm(db, shopId, lines)
  if (index !== null) throw refuseAfaForm(`items.${index}.afa`)
}
