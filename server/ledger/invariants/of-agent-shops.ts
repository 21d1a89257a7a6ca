import { AGENT_DEBTS } from '../accounts.ts'
import type { Invariant } from './invariant.ts'

const SHARES = { what: "orders in agents' shops", sql: 'select count(*) as rows from profit_shares' } as const

export const I17: Invariant = {
  id: 'I17',
  title: "Nothing in an agent's shop was sold below the agent's cost or above the owner's limit.",
  counts: SHARES,
  rules: [
    {
      says: "an order in an agent's shop has its price within the bounds of its moment, and the agent's part is the rest of it",
      concerns: 'money',
      sql: `select 'order ' || s.order_id as subject, 'price ' || o.price_pesewas || ', agent''s ' || o.agent_profit_pesewas || ', noted '
            || s.price_pesewas || ' at ' || s.cost_pesewas || ', ' || s.floor_pesewas || ' to ' || s.ceiling_pesewas as detail
        from profit_shares s join orders o on o.id = s.order_id left join commissions c on c.order_id = s.order_id
        where o.price_pesewas <> s.price_pesewas or o.agent_profit_pesewas <> s.profit_pesewas + coalesce(c.profit_pesewas, 0) or o.shop_id is distinct from s.shop_id
          or o.price_pesewas <= s.cost_pesewas or o.price_pesewas < s.floor_pesewas or o.price_pesewas > s.ceiling_pesewas
        order by s.seq limit 100`,
    },
    {
      says: "an order in an agent's shop has its cost noted",
      concerns: 'money',
      sql: `select 'order ' || o.id as subject, 'price ' || o.price_pesewas || ', no cost noted' as detail
        from orders o left join profit_shares s on s.order_id = o.id
        where o.seq > $1 and o.shop_id is not null and s.order_id is null order by o.seq limit 100`,
      newer: { of: 'orders', sql: 'same' },
      joinsAll: true,
    },
    {
      says: "an order in a sub-agent's shop costs the sub-agent what their agent asked, above the agent's own cost",
      concerns: 'money',
      sql: `select 'order ' || c.order_id as subject, 'the sub-agent paid ' || s.cost_pesewas || ', noted ' || c.price_pesewas || ' at '
            || c.cost_pesewas || ', from ' || c.floor_pesewas as detail
        from commissions c join profit_shares s on s.order_id = c.order_id
        where c.price_pesewas <> s.cost_pesewas or c.sold_in <> s.shop_id or c.price_pesewas <= c.cost_pesewas or c.price_pesewas < c.floor_pesewas
        order by c.seq limit 100`,
    },
  ],
}

/** What an entry moved on these accounts. */
const moved = (entry: string, accounts: string) => `coalesce((
    select sum(p.amount_pesewas) from journal_entries e join postings p on p.entry_id = e.id
    where e.key = '${entry}:' || s.order_id and p.account_id in (${accounts})), 0)`

/** What is on the earnings of both, and on the debts; and on the earnings of one. */
const OF_BOTH = `w.account_id, v.account_id, ${AGENT_DEBTS}`
const ON_ONE = 'x.account_id'

export const I18: Invariant = {
  id: 'I18',
  title:
    "An agent's profit is released once, when the order is delivered, and taken back when it is refunded; guests' money never rests with an agent.",
  counts: SHARES,
  rules: [
    {
      says: "an agent's profit was released exactly for what was delivered, and taken back exactly for what was refunded after it",
      concerns: 'money',
      sql: `select 'order ' || order_id as subject, status || ', profit ' || profit || ', released ' || released || ', taken back ' || -taken as detail
        from (
          select *, case when delivered then profit else 0 end as due, case when delivered and status = 'rejected' then -profit else 0 end as back
          from (
            select s.seq, s.order_id, o.status, o.completed_at is not null as delivered, s.profit_pesewas + coalesce(c.profit_pesewas, 0) as profit,
              ${moved('delivery', OF_BOTH)} as released, ${moved('order-refund', OF_BOTH)} as taken,
              (s.released_at is not null) is distinct from (o.completed_at is not null) or (s.ended_at is not null) is distinct from (o.status = 'rejected')
                or (c.order_id is not null and (c.released_at, c.ended_at) is distinct from (s.released_at, s.ended_at)) as misnoted
            from profit_shares s join orders o on o.id = s.order_id join wallets w on w.shop_id = s.shop_id
            left join commissions c on c.order_id = s.order_id left join wallets v on v.shop_id = c.shop_id
          ) shares
        ) shares
        where released <> due or taken <> back or misnoted order by seq limit 100`,
    },
    {
      says: "of an order in a sub-agent's shop each has their own part: the sub-agent and the agent",
      concerns: 'money',
      sql: `select 'order ' || order_id as subject, 'profit ' || profit || ' less ' || repaid || ' repaid, released ' || released || ', taken back ' || -taken as detail
        from (
          select c.seq, s.order_id, s.shop_id, s.profit_pesewas as profit, s.repaid_pesewas as repaid, s.released_at,
            ${moved('delivery', ON_ONE)} as released, ${moved('order-refund', ON_ONE)} as taken
          from commissions c join shop_profits s on s.order_id = c.order_id join wallets x on x.shop_id = s.shop_id
        ) shares
        where released <> case when released_at is null then 0 else profit - repaid end or taken not between -profit and 0
        order by seq, shop_id limit 100`,
    },
    {
      says: "what agents owe is the sum of their shops' debts",
      concerns: 'money',
      sql: `select 'account ' || b.code as subject, 'has ' || b.pesewas || ', shops owe ' || owed.pesewas as detail
        from house_balances b, (select coalesce(sum(debt_pesewas), 0) as pesewas from wallets) owed
        where b.account_id = ${AGENT_DEBTS} and b.pesewas <> -owed.pesewas`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: "no payment came into an agent's earnings",
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, e.kind || ' of ' || p.amount_pesewas || ' in a shop''s earnings' as detail
        from wallets w join postings p on p.account_id = w.account_id join journal_entries e on e.id = p.entry_id
        where w.shop_id is not null and e.kind in ('order', 'card-payment', 'card-surcharge', 'recharge', 'guest-refund') order by e.id limit 100`,
    },
  ],
}
