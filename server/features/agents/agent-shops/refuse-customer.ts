import type { UserLevel } from '../../../../shared/users.ts'
import type { Queryable } from '../../../platform/db.ts'
import { Forbidden } from '../../../platform/errors.ts'
import { isSeller } from './agent-shops.sql.ts'

/**
 * Lets agents through, and customers with a shop or an agent above, also when they sell no more: what they sold stays theirs to see.
 * @throws Forbidden
 */
export async function refuseCustomer(db: Queryable, { id, level }: { id: string; level: UserLevel }): Promise<void> {
  if (level === 'Customer' && !(await isSeller(db, id))) throw new Forbidden('Only agents have a shop. Become an agent first.')
}
