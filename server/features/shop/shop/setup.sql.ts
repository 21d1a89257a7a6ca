import type { Queryable, Tx } from '../../../platform/db.ts'

/** The number in the sample settings, which is nobody's. */
const SAMPLE_PHONE = '0240000000'

export type SetupFacts = {
  hidden: boolean
  named: boolean
  paid: boolean
  priced: boolean
  routed: boolean
  sold: boolean
  /** The owner who asks signs in with a code too. */
  secured: boolean
}

/** What the shop's records say about its first steps. Each is one row of an index or a running total. */
export async function selectSetupFacts(db: Queryable, ownerId: string): Promise<SetupFacts> {
  const { rows } = await db.query<SetupFacts>(
    `select setup_hidden_at is not null as hidden, name is not null as named, momo_phone_number <> $1 as paid,
       exists (select from admin_actions where subject_type in ('product', 'prices')) as priced,
       exists (select from admin_actions where subject_type = 'settings' and subject_id = 'shop') as routed,
       exists (select from order_counts where day = 'infinity' and status = 'completed' and orders > 0) as sold,
       exists (select from second_factors where user_id = $2 and confirmed_at is not null) as secured
     from shop_settings`,
    [SAMPLE_PHONE, ownerId],
  )
  return rows[0] as SetupFacts
}

export async function updateSetupHidden(tx: Tx, at: Date | null) {
  await tx.query('update shop_settings set setup_hidden_at = $1', [at])
}
