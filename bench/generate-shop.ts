import { performance } from 'node:perf_hooks'
import type { Db, Tx } from '../server/platform/db.ts'

/** A hash of a password that nobody has: the generated users never sign in. */
const NO_PASSWORD = 'generated'

const SETTINGS = [
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  'session_replication_role = replica',
  'synchronous_commit = off',
  "work_mem = '256MB'",
  "maintenance_work_mem = '512MB'",
]

/**
 * The number in the name of the n-th user, as SQL. Those with a name in common lie anywhere among the others, as in a real shop; the
 * last user has the highest number.
 */
const nameOf = (n: string, users: number) => `coalesce(nullif(${n} * 7919 % ${users}, 0), ${users})`

/**
 * Which of the one in a hundred who buy often places the n-th order, from 0 on, as SQL: the first of them most, half of these orders come
 * from a quarter of them.
 */
const amongFew = (n: string, users: number) =>
  `floor(${Math.max(Math.floor(users / 100), 1)} * power(${n} * 7907 % 1000003 / 1000003.0, 2))::bigint`

/** In a shop they are made as its numbers grow. */
const MAKE_RANGES = 'select make_partitions()'

const SORTED = [
  ['account_days', 'account_days_pkey'],
  ['order_totals', 'order_totals_pkey'],
  ['delivery_totals', 'delivery_totals_of'],
  ['insight_hours', 'insight_hours_pkey'],
  ['insight_packages', 'insight_packages_pkey'],
  ['insight_minutes', 'insight_minutes_pkey'],
  ['insight_hour_minutes', 'insight_hour_minutes_pkey'],
] as const

/**
 * Fills a migrated database with users and orders whose books balance: every order is paid by one entry, the rejected
 * ones are refunded, the completed ones delivered by hand at nine tenths of their price, and all kept totals are those of the rows. The orders are spread evenly
 * over the last `days`. Set-based, so that a million orders take a few minutes.
 */
export async function generateShop(
  db: Db,
  { users, orders, days = 365 }: { users: number; orders: number; days?: number },
  onStep: (statement: string, ms: number) => void = () => undefined,
): Promise<void> {
  const client = await db.connect()
  try {
    for (const setting of SETTINGS) await client.query(`set ${setting}`)
    const indexes = await dropIndexes(client)
    for (const statement of statements(users, orders, days)) await run(client, statement, onStep)
    for (const index of indexes) await run(client, index, onStep)
    await client.query('set session_replication_role = origin')
    await run(client, 'vacuum analyze', onStep)
  } finally {
    client.release(true)
  }
}

async function run(client: Tx, statement: string, onStep: (statement: string, ms: number) => void) {
  const began = performance.now()
  await client.query(statement)
  onStep(statement, performance.now() - began)
}

/** Drops what only makes the loading slow, and returns the statements that create it again. */
async function dropIndexes(client: Tx): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select x.indexrelid::regclass::text as name, pg_get_indexdef(x.indexrelid) as definition
     from pg_index x
     where x.indrelid = any('{users, orders, order_search, postings, admin_actions}'::regclass[])
       and not exists (select from pg_constraint c where c.conindid = x.indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

function statements(users: number, orders: number, days: number): string[] {
  return [
    `insert into users (username, username_skeleton, email, phone, password_hash, level, created_at)
     select 'trader ' || ${nameOf('n', users)}, 'generated-' || n, 'trader' || n || '@example.com', '05' || lpad(n::text, 8, '0'), '${NO_PASSWORD}',
       case when n % 10 = 0 then 'Agent' else 'Customer' end, now() - interval '${days + 35} days' + n * interval '1 second'
     from generate_series(1::bigint, ${users}) n`,
    `insert into accounts (id, code) select 1000000 + row_number() over (order by seq), 'wallet:' || id from users where password_hash = '${NO_PASSWORD}'`,
    `insert into wallets (account_id, user_id)
     select a.id, u.id from users u join accounts a on a.code = 'wallet:' || u.id where u.password_hash = '${NO_PASSWORD}'`,
    // One user of a hundred places two orders of three, as in a real shop.
    `create temporary table traders as
     select row_number() over (order by u.seq) as n, u.id, u.level, w.account_id from users u join wallets w on w.user_id = u.id
     where u.password_hash = '${NO_PASSWORD}'`,
    'create index on traders (n)',
    `create temporary table shelf as
     select row_number() over (order by p.seq, k.position) as n, p.id as product_id, p.network, p.image_hash, k.offer,
       k.price_customer_pesewas, k.price_agent_pesewas
     from products p join packages k on k.product_id = p.id`,
    `insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference,
       status, created_at, decided_at, decided_by, completed_at, cost_supplier, cost_pesewas)
     select t.id, s.product_id, s.network, s.offer, s.image_hash, t.level, '024' || lpad((o.n * 7919 % 10000000)::text, 7, '0'),
       case when t.level = 'Customer' then s.price_customer_pesewas else s.price_agent_pesewas end, 'wallet',
       substr(translate(encode(sha256(('order' || o.n)::bytea), 'base64'), '+/=', ''), 1, 20), o.status, o.created_at, case when o.status <> 'pending' then o.created_at + interval '4 minutes' end, null,
       case when o.status = 'completed' then o.created_at + interval '4 minutes' end, case when o.status = 'completed' then 'by-hand' end,
       case when o.status = 'completed' then 9 * case when t.level = 'Customer' then s.price_customer_pesewas else s.price_agent_pesewas end / 10 end
     from (
       select n, case when n > ${orders} - 50 then 'pending' when n % 50 = 0 then 'rejected' else 'completed' end as status,
         date_trunc('second', now()) - interval '${days} days' * (1 - n::double precision / ${orders}) as created_at,
         case when n % 3 = 0 then n * 31 % ${users} else ${amongFew('n', users)} end + 1 as trader,
         n * 13 % (select count(*) from shelf) + 1 as item
       from generate_series(1::bigint, ${orders}) n
     ) o
     join traders t on t.n = o.trader join shelf s on s.n = o.item
     order by o.n`,
    // Each trader was credited once with all that they have spent, and ten cedis more.
    `create temporary table spent as
     select t.account_id, t.id as user_id, coalesce(sum(o.price_pesewas), 0)::bigint as total,
       coalesce(sum(o.price_pesewas) filter (where o.status = 'rejected'), 0)::bigint as refunded
     from traders t left join orders o on o.user_id = t.id group by 1, 2`,
    `insert into journal_entries (key, kind, memo, created_at)
     select 'admin-credit:generated:' || user_id, 'admin-credit', 'Generated', now() - interval '${days + 35} days' from spent`,
    MAKE_RANGES,
    `insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
     select e.id, l.line, case when l.line = 1 then s.account_id else 6 end, case when l.line = 1 then s.total + 1000 else -s.total - 1000 end,
       case when l.line = 1 then s.total + 1000 end
     from spent s join journal_entries e on e.key = 'admin-credit:generated:' || s.user_id cross join (values (1), (2)) l(line)`,
    `insert into journal_entries (key, kind, memo, actor_id, created_at)
     select 'order:' || id, 'order', network || ' ' || offer, user_id, created_at from orders order by seq`,
    MAKE_RANGES,
    `insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
     select e.id, l.line, case when l.line = 1 then s.account_id else 8 end,
       case when l.line = 1 then -o.price_pesewas else o.price_pesewas end,
       case when l.line = 1 then s.total + 1000 - sum(o.price_pesewas) over (partition by o.user_id, l.line order by o.seq) end
     from orders o join spent s on s.user_id = o.user_id join journal_entries e on e.key = 'order:' || o.id cross join (values (1), (2)) l(line)`,
    `insert into journal_entries (key, kind, memo, created_at)
     select 'order-refund:' || id, 'order-refund', 'Refund', decided_at from orders where status = 'rejected' order by seq`,
    MAKE_RANGES,
    `insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
     select e.id, l.line, case when l.line = 1 then s.account_id else 8 end,
       case when l.line = 1 then o.price_pesewas else -o.price_pesewas end,
       case when l.line = 1 then 1000 + sum(o.price_pesewas) over (partition by o.user_id, l.line order by o.seq) end
     from orders o join spent s on s.user_id = o.user_id join journal_entries e on e.key = 'order-refund:' || o.id
       cross join (values (1), (2)) l(line)
     where o.status = 'rejected'`,
    `insert into journal_entries (key, kind, memo, created_at)
     select 'delivery:' || id, 'delivery', network || ' ' || offer, completed_at from orders where status = 'completed' order by seq`,
    MAKE_RANGES,
    `insert into postings (entry_id, line, account_id, amount_pesewas)
     select e.id, l.line, l.account, case l.account when 8 then -o.price_pesewas when 1 then o.price_pesewas when 10 then -o.cost_pesewas else o.cost_pesewas end
     from orders o join journal_entries e on e.key = 'delivery:' || o.id cross join (values (1, 8), (2, 1), (3, 10), (4, 100)) l(line, account)
     where o.status = 'completed'`,
    `update wallets w set balance_pesewas = 1000 + s.refunded, total_purchase_pesewas = s.total - s.refunded from spent s where s.account_id = w.account_id`,
    `insert into account_days (day, account_id, kind, postings, pesewas)
     select (e.created_at at time zone 'UTC')::date, p.account_id, e.kind, count(*), sum(p.amount_pesewas)
     from postings p join journal_entries e on e.id = p.entry_id where p.account_id < 1000 group by 1, 2, 3`,
    'insert into account_totals (account_id, pesewas) select account_id, sum(pesewas) from account_days group by 1',
    `insert into order_deltas (day, block, network, status, orders, pesewas)
     select (created_at at time zone 'UTC')::date, seq / 10000, network, status, count(*), sum(price_pesewas) from orders group by 1, 2, 3, 4`,
    `insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, cost_pesewas)
     select (completed_at at time zone 'UTC')::date, network, cost_supplier, case when level = 'Agent' then user_id end, count(*),
       sum(price_pesewas), sum(cost_pesewas) from orders where completed_at is not null group by 1, 2, 3, 4`,
    `insert into insight_deltas (at, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, bought_hour, minutes)
     select completed_at, network, cost_supplier, offer, 1, price_pesewas, price_pesewas, cost_pesewas,
       extract(hour from created_at at time zone 'UTC'), 1 + seq % 90 from orders where completed_at is not null`,
    'select fold_account_deltas(), fold_order_deltas(), fold_delivery_deltas(), fold_insight_deltas()',
    // In a shop the days come one after the other, and lie so.
    ...SORTED.map(([table, index]) => `cluster ${table} using ${index}`),
    'select count_lapsed_buyers(now()), add_up_days(now(), 10000), count_user_blocks(now(), 10000)',
    `select setval(pg_get_serial_sequence('admin_actions', 'id'), ${orders})`,
    MAKE_RANGES,
    `select setval(pg_get_serial_sequence('admin_actions', 'id'), coalesce((select max(id) from admin_actions), 0) + 1, false)`,
    `insert into order_search (seq, words) select o.seq, order_words(o, u) from orders o join users u on u.id = o.user_id on conflict do nothing`,
    `insert into admin_actions (action, subject_type, subject_id, before, after, created_at)
     select 'order.' || status, 'order', id, '{"status": "pending"}', jsonb_build_object('status', status), decided_at
     from orders where status <> 'pending' order by seq`,
    `update list_counts set rows = (select count(*) from users) where list = 'users'`,
    `update list_counts set rows = (select count(*) from admin_actions) where list = 'admin_actions'`,
  ]
}
