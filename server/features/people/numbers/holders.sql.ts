import type { Queryable, Tx } from '../../../platform/db.ts'

/** Whether an account gives this number as its own. */
export async function selectHolder(db: Queryable, phone: string): Promise<boolean> {
  const { rowCount } = await db.query('select from users where phone = $1', [phone])
  return rowCount === 1
}

/**
 * The account that gives a number as its own. `hasProved`: a code or WhatsApp showed that it has the number. `hasTraded`: money, orders, a shop or a
 * decision of the owner's are in it.
 */
export type Holder = { id: string; email: string; hasProved: boolean; hasTraded: boolean }

/** Locked until the transaction ends; null where no account has the number. */
export async function lockHolder(tx: Tx, phone: string): Promise<Holder | null> {
  const { rows } = await tx.query<Holder>(
    `select u.id, u.email,
       exists (select from confirmed_numbers n where n.user_id = u.id and n.phone = u.phone)
         or exists (select from whatsapp_links l where l.user_id = u.id and l.phone = u.phone and l.linked_at is not null) as "hasProved",
       u.level <> 'Customer' or u.status <> 'Active' or w.version > 0
         or exists (select from orders o where o.user_id = u.id)
         or exists (select from payments p where p.user_id = u.id and p.received_pesewas is not null)
         or exists (select from agent_shops a where a.owner_id = u.id)
         or exists (select from sub_agents s where s.user_id = u.id) as "hasTraded"
     from users u join wallets w on w.user_id = u.id where u.phone = $1 for update of u`,
    [phone],
  )
  return rows[0] ?? null
}

/** The triggers of `users` drop what was confirmed and note the change. */
export async function updateHolderPhone(tx: Tx, id: string, phone: string) {
  await tx.query('update users set phone = $2 where id = $1', [id, phone])
}
