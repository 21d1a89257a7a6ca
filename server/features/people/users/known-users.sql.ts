import type { Queryable } from '../../../platform/db.ts'

/**
 * Whether a user, `u` of the query, has bought something or paid to be an agent: more than an account that anybody can make. What all share and
 * anybody can use up is kept in part for these.
 */
export const IS_BUYER = `(u.level <> 'Customer' or exists (select from orders o where o.user_id = u.id))`
/** The same, or has confirmed a number. */
export const IS_KNOWN = `(${IS_BUYER} or exists (select from confirmed_numbers n where n.user_id = u.id))`

export async function selectIsKnown(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from users u where u.id = $1 and ${IS_KNOWN}`, [userId])
  return rowCount === 1
}
