import type { Queryable } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { selectMissingForm } from '../afa/afa.sql.ts'
import type { PurchaseLine } from './purchases.sql.ts'

/** A 409 for a line of AFA whose details can't be used; `path` is their field in the request. */
export function refuseAfaForm(path: string): AppError {
  const message =
    'Please fill in the details for AFA again: we no longer have them, or that card is being registered already. Nothing was charged.'
  return new AppError('CONFLICT', message, [{ path, message }])
}

/**
 * For a purchase that is paid for before it is placed. Whether a card is registered must not be learned without paying: then the order, once
 * paid, waits for other details.
 * @throws 409 CONFLICT, which names the line whose details for AFA the shop does not have.
 */
export async function refuseMissingForms(
  db: Queryable,
  { userId, shopId, lines }: { userId: string | null; shopId: string | null; lines: readonly PurchaseLine[] },
): Promise<void> {
  const index = await selectMissingForm(db, { userId, shopId, lines })
  if (index !== null) throw refuseAfaForm(`items.${index}.afa`)
}
