import type { Db } from '../platform/db.ts'
import { recordLedgerCheck } from '../platform/metrics.ts'
import { CARD_PAYMENTS_RECEIVED } from './accounts.ts'

export type Violation = { rule: string; subject: string; detail: string }

/**
 * Proves the books from the postings alone and names whatever is wrong; an empty list means that all is well.
 * Amounts in the details are pesewas. Reads one snapshot, so it may run while the shop sells.
 */
export async function checkLedger(db: Db): Promise<Violation[]> {
  const found: Violation[] = []
  const client = await db.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    for (const { rule, sql } of RULES) {
      const { rows } = await client.query<{ subject: string; detail: string }>(sql)
      found.push(...rows.map((row) => ({ rule, ...row })))
    }
    await client.query('rollback')
  } finally {
    client.release()
  }
  recordLedgerCheck(found.length, new Date())
  return found
}

/** How much `checkLedger` has to prove. */
export async function countBooks(db: Db): Promise<{ entries: number; postings: number; wallets: number }> {
  const { rows } = await db.query<{ entries: number; postings: number; wallets: number }>(
    `select (select count(*) from journal_entries) as entries, (select count(*) from postings) as postings,
      (select count(*) from wallets) as wallets`,
  )
  return rows[0] as { entries: number; postings: number; wallets: number }
}

/** Each query lists what breaks its rule, as `subject` and `detail`; at most a hundred of each. */
const RULES: { rule: string; sql: string }[] = [
  {
    rule: 'the postings of an entry sum to zero, and there are two or more',
    sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject,
        count(p.line) || ' postings, sum ' || coalesce(sum(p.amount_pesewas), 0) as detail
      from journal_entries e left join postings p on p.entry_id = e.id
      group by e.id having count(p.line) < 2 or coalesce(sum(p.amount_pesewas), 0) <> 0
      order by e.id limit 100`,
  },
  {
    rule: 'all postings sum to zero',
    sql: `select 'all postings' as subject, 'sum ' || sum(amount_pesewas) as detail
      from postings having coalesce(sum(amount_pesewas), 0) <> 0`,
  },
  {
    rule: "a wallet's balance is the sum of its postings",
    sql: `select 'wallet of ' || u.username || ' (account ' || w.account_id || ')' as subject,
        'balance ' || w.balance_pesewas || ', postings ' || coalesce(s.total, 0) as detail
      from wallets w join users u on u.id = w.user_id
      left join (select account_id, sum(amount_pesewas) as total from postings where account_id >= 1000 group by account_id) s
        using (account_id)
      where w.balance_pesewas <> coalesce(s.total, 0) order by w.account_id limit 100`,
  },
  {
    rule: 'no wallet is below zero',
    sql: `select 'account ' || account_id as subject, 'balance ' || balance_pesewas as detail
      from wallets where balance_pesewas < 0 order by account_id limit 100`,
  },
  {
    rule: "a wallet's statement adds up line by line",
    sql: `select 'entry ' || entry_id || ', account ' || account_id as subject,
        'balance after ' || balance_after_pesewas || ', expected ' || running as detail
      from (
        select entry_id, account_id, balance_after_pesewas,
          sum(amount_pesewas) over (partition by account_id order by entry_id, line) as running
        from postings where account_id >= 1000
      ) lines
      where balance_after_pesewas <> running order by entry_id limit 100`,
  },
  {
    rule: 'every order was paid once, exactly its price',
    sql: `select 'order ' || o.id as subject,
        'price ' || o.price_pesewas || ', paid ' || coalesce((-p.amount_pesewas)::text, 'nothing') as detail
      from orders o
      left join journal_entries e on e.key = 'order:' || o.id and e.kind = 'order'
      left join wallets w on w.user_id = o.user_id
      left join postings p on p.entry_id = e.id and p.account_id = w.account_id
      where p.amount_pesewas is distinct from -o.price_pesewas order by o.seq limit 100`,
  },
  {
    rule: 'every purchase entry has its order',
    sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such order' as detail
      from journal_entries e left join orders o on e.key = 'order:' || o.id
      where e.kind = 'order' and o.id is null order by e.id limit 100`,
  },
  {
    rule: 'every recharge and card payment in the books has its record',
    sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such record' as detail
      from journal_entries e
      left join recharges r on e.key = 'recharge:' || r.id
      left join payments m on m.reference = substr(e.key, strpos(e.key, ':') + 1)
      where (e.kind = 'recharge' and r.id is null) or (e.kind in ('card-payment', 'agent-upgrade') and m.reference is null)
      order by e.id limit 100`,
  },
  {
    rule: 'an approved recharge was credited once in full, no other recharge was',
    sql: `select 'recharge ' || r.recharge_id as subject,
        r.status || ', asked ' || r.amount_pesewas || ', credited ' || coalesce(p.amount_pesewas::text, 'nothing') as detail
      from recharges r
      left join journal_entries e on e.key = 'recharge:' || r.id and e.kind = 'recharge'
      left join wallets w on w.user_id = r.user_id
      left join postings p on p.entry_id = e.id and p.account_id = w.account_id
      where p.amount_pesewas is distinct from case when r.status = 'approved' then r.amount_pesewas end
      order by r.seq limit 100`,
  },
  {
    rule: 'what a card paid was booked once in full',
    sql: `select 'payment ' || m.reference as subject,
        m.status || ', received ' || coalesce(m.received_pesewas, 0) || ', booked ' || coalesce(booked.pesewas, 0) as detail
      from payments m left join (
        select substr(e.key, strpos(e.key, ':') + 1) as reference, -sum(p.amount_pesewas) as pesewas
        from journal_entries e join postings p on p.entry_id = e.id and p.account_id = ${CARD_PAYMENTS_RECEIVED}
        where e.kind in ('card-payment', 'agent-upgrade') group by 1
      ) booked using (reference)
      where coalesce(m.received_pesewas, 0) <> coalesce(booked.pesewas, 0) order by m.seq limit 100`,
  },
  {
    rule: 'a rejected order was refunded once in full, no other order was',
    sql: `select 'order ' || o.id as subject,
        o.status || ', paid ' || (o.price_pesewas + o.surcharge_pesewas) || ', refunded ' || coalesce(p.amount_pesewas::text, 'nothing') as detail
      from orders o
      left join journal_entries e on e.key = 'order-refund:' || o.id and e.kind = 'order-refund'
      left join wallets w on w.user_id = o.user_id
      left join postings p on p.entry_id = e.id and p.account_id = w.account_id
      where p.amount_pesewas is distinct from case when o.status = 'rejected' then o.price_pesewas + o.surcharge_pesewas end
      order by o.seq limit 100`,
  },
  {
    rule: "a house account's kept balance is the sum of its postings",
    sql: `select 'account ' || b.code as subject, 'kept ' || b.pesewas || ', postings ' || coalesce(s.total, 0) as detail
      from house_balances b
      left join (select account_id, sum(amount_pesewas) as total from postings where account_id < 1000 group by account_id) s using (account_id)
      where b.pesewas <> coalesce(s.total, 0) order by b.account_id`,
  },
  {
    rule: 'the kept counts of orders are those of the orders',
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
    rule: "a wallet's total purchase is the sum of its orders that were not rejected",
    sql: `select 'wallet of ' || u.username as subject,
        'kept ' || w.total_purchase_pesewas || ', orders ' || coalesce(s.total, 0) as detail
      from wallets w join users u on u.id = w.user_id
      left join (select user_id, sum(price_pesewas) as total from orders where status <> 'rejected' group by user_id) s
        on s.user_id = w.user_id
      where w.total_purchase_pesewas <> coalesce(s.total, 0) order by w.account_id limit 100`,
  },
]

/** The rules that `checkLedger` holds the books to, as it names them. */
export const LEDGER_RULES: readonly string[] = RULES.map(({ rule }) => rule)
