import pg from 'pg'

export type Buyer = { id: string; token: string }

/**
 * Customers with a session and `cedis` in their wallets, straight in the database: to register thousands would measure
 * the hashing of passwords. Their tokens are worth nothing outside of a database that is thrown away.
 */
export async function makeBuyers(databaseUrl: string, count: number, cedis: number): Promise<Buyer[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Buyer>(
      `with made as (
         insert into users (username, username_skeleton, email, phone, password_hash)
         select 'bench ' || n, 'bench-' || n, 'bench' || n || '@example.com', '059' || lpad(n::text, 7, '0'), 'none' from generate_series(1, $1::int) n
         returning id, 'bench-' || replace(id::text, '-', '') as token
       ), wallet as (
         select m.id, create_wallet(m.id) as account from made m
       ), session as (
         insert into sessions (token_hash, user_id, created_at, last_used_at, expires_at)
         select sha256(convert_to(token, 'UTF8')), id, now(), now(), now() + interval '1 day' from made returning user_id
       )
       select m.id, m.token from made m join wallet using (id) join session s on s.user_id = m.id`,
      [count],
    )
    await client.query(
      `select post_entry('admin-credit:bench:' || user_id, 'admin-credit', 'Bench', null, array[account_id, 6], array[$1::bigint, -$1::bigint], now())
       from wallets where user_id = any ($2::uuid[])`,
      [cedis * 100, rows.map(({ id }) => id)],
    )
    return rows
  } finally {
    await client.end()
  }
}
