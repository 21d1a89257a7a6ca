import { RESERVATIONS } from '../accounts.ts'
import type { Invariant } from './invariant.ts'

export const I14: Invariant = {
  id: 'I14',
  title: 'The statistics are what the orders and the ledger add up to.',
  counts: { what: 'orders', sql: 'select count(*) as rows from orders' },
  rules: [
    {
      says: "a house account's kept balance is the sum of its postings",
      concerns: 'records',
      sql: `select 'account ' || b.code as subject, 'kept ' || b.pesewas || ', postings ' || coalesce(s.total, 0) as detail
        from house_balances b
        left join (select account_id, sum(amount_pesewas) as total from postings where account_id < 1000 group by account_id) s using (account_id)
        where b.pesewas <> coalesce(s.total, 0) order by b.account_id`,
    },
    {
      says: "a house account's kept days are those of its postings",
      concerns: 'records',
      sql: `select coalesce(kept.day, real.day) || ' account ' || coalesce(kept.account_id, real.account_id) || ' ' || coalesce(kept.kind, real.kind) as subject,
          'kept ' || coalesce(kept.pesewas, 0) || ' in ' || coalesce(kept.postings, 0) || ', postings ' || coalesce(real.pesewas, 0)
            || ' in ' || coalesce(real.postings, 0) as detail
        from (
          select day, account_id, kind, sum(postings) as postings, sum(pesewas) as pesewas from (
            select day, account_id, kind, postings, pesewas from account_days union all select day, account_id, kind, 1, pesewas from account_deltas
          ) moved group by 1, 2, 3
        ) kept
        full join (
          select coalesce((e.created_at at time zone 'UTC')::date, '-infinity') as day, p.account_id, coalesce(e.kind, '') as kind,
            count(*) as postings, sum(p.amount_pesewas) as pesewas
          from postings p left join journal_entries e on e.id = p.entry_id where p.account_id < 1000 group by 1, 2, 3
        ) real using (day, account_id, kind)
        where (coalesce(kept.postings, 0), coalesce(kept.pesewas, 0)) <> (coalesce(real.postings, 0), coalesce(real.pesewas, 0))
        order by 1 limit 100`,
    },
    {
      says: 'the kept counts of orders are those of the orders',
      concerns: 'records',
      sql: `select coalesce(kept.day, real.day) || ' ' || coalesce(kept.network, real.network) || ' ' || coalesce(kept.status, real.status) as subject,
          'kept ' || coalesce(kept.orders, 0) || ' worth ' || coalesce(kept.pesewas, 0)
            || ', orders ' || coalesce(real.orders, 0) || ' worth ' || coalesce(real.pesewas, 0) as detail
        from (select day, network, status, sum(orders) as orders, sum(pesewas) as pesewas from order_counts where day <> 'infinity' group by 1, 2, 3) kept
        full join (
          select (created_at at time zone 'UTC')::date as day, network, status, count(*) as orders, sum(price_pesewas) as pesewas from orders group by 1, 2, 3
        ) real on (kept.day, kept.network, kept.status) = (real.day, real.network, real.status)
        where (coalesce(kept.orders, 0), coalesce(kept.pesewas, 0)) <> (coalesce(real.orders, 0), coalesce(real.pesewas, 0))
        order by 1 limit 100`,
    },
    {
      says: 'the counts of a stretch of orders are those of its blocks',
      concerns: 'records',
      sql: `select 'stretch ' || coalesce(kept.stretch, blocks.stretch) || ' ' || coalesce(kept.network, blocks.network) || ' '
            || coalesce(kept.status, blocks.status) as subject,
          'kept ' || coalesce(kept.orders, 0) || ', its blocks ' || coalesce(blocks.orders, 0) as detail
        from (select stretch, network, status, sum(orders) as orders from order_stretch_counts group by 1, 2, 3) kept
        full join (
          select block / 100 as stretch, network, status, sum(orders) as orders from order_counts where day <> 'infinity' group by 1, 2, 3
        ) blocks on (kept.stretch, kept.network, kept.status) = (blocks.stretch, blocks.network, blocks.status)
        where coalesce(kept.orders, 0) <> coalesce(blocks.orders, 0) order by 1 limit 100`,
    },
    {
      says: 'a closed range equals the ledger',
      concerns: 'records',
      sql: `select 'close ' || c.id as subject, 'opened with ' || c.opening_pesewas || ' and closed with ' || c.closing_pesewas
            || ', the ledger has ' || real.closing - real.moved || ' and ' || real.closing as detail
        from day_closes c,
          lateral (select coalesce(sum(pesewas), 0) as pesewas from account_movements(c.until_at, 'infinity') where account_id <> ${RESERVATIONS}) since,
          lateral (select coalesce(sum(pesewas), 0) as pesewas from account_movements(c.from_at, c.until_at) where account_id <> ${RESERVATIONS}) during,
          lateral (
            select since.pesewas - (select coalesce(sum(pesewas), 0) from house_balances where account_id <> ${RESERVATIONS}) as closing, -during.pesewas as moved
          ) real
        where (c.opening_pesewas, c.closing_pesewas) <> (real.closing - real.moved, real.closing)
        order by c.id limit 100`,
    },
    {
      says: "a wallet's total purchase is the sum of its orders that were not rejected",
      concerns: 'records',
      joinsAll: true,
      sql: `select 'wallet of ' || u.username as subject,
          'kept ' || w.total_purchase_pesewas || ', orders ' || coalesce(s.total, 0) as detail
        from wallets w join users u on u.id = w.user_id
        left join (select user_id, sum(price_pesewas) as total from orders where status <> 'rejected' group by user_id) s
          on s.user_id = w.user_id
        where w.total_purchase_pesewas <> coalesce(s.total, 0) order by w.account_id limit 100`,
    },
    {
      says: 'the kept lengths of the lists are those of the lists',
      concerns: 'records',
      sql: `select 'list ' || concat_ws(' ', kept.list, nullif(kept.status, '')) as subject, 'kept ' || kept.rows || ', there are ' || real.rows as detail
        from list_counts kept join (
          select 'users' as list, '' as status, count(*) as rows from users
          union all select 'admin_actions', '', count(*) from admin_actions
          union all select 'received_payments', '', count(*) from received_payments
          union all select 'recharges', s.status, count(r.id) from unnest(array['pending', 'approved', 'declined']) s (status)
            left join recharges r on r.status = s.status group by s.status
        ) real using (list, status)
        where kept.rows <> real.rows order by 1`,
    },
    {
      says: 'the counted blocks of users are those of the users',
      concerns: 'records',
      sql: `select 'block ' || b.block as subject, 'kept ' || b.users || ', there are ' || count(u.seq) as detail
        from user_blocks b left join users u on u.seq >= b.block * 1000::bigint and u.seq < (b.block + 1) * 1000::bigint
        group by b.block, b.users having b.users <> count(u.seq) order by b.block limit 100`,
    },
  ],
}
