import type { UserLevel } from '../../../shared/users.ts'
import type { Queryable } from '../../platform/db.ts'
import { Forbidden } from '../../platform/errors.ts'
import { wasSubAgent } from './agent-shops.sql.ts'

/**
 * Lets agents through, and sub-agents, also when they are none any more: what they sold stays theirs to see.
 * @throws Forbidden
 */
export async function refuseCustomer(db: Queryable, { id, level }: { id: string; level: UserLevel }): Promise<void> {
  if (level === 'Customer' && !(await wasSubAgent(db, id))) throw new Forbidden('Only agents have a shop. Become an agent first.')
}
