import { DISPUTE_LOSSES, GUEST_PAYMENTS, REFUNDS_PENDING } from '../accounts.ts'
import type { Invariant } from './invariant.ts'

const ORDERS = {
  what: 'orders',
  sql: 'select count(*) as rows from orders',
  newer: { of: 'orders', sql: 'select count(*) as rows from orders where seq > $1' },
} as const
const KEYS = { what: 'remembered purchases', sql: 'select count(*) as rows from idempotency_keys' } as const

export const I5: Invariant = {
  id: 'I5',
  title: 'Every order was paid once, exactly its price; nothing was taken without an order.',
  counts: ORDERS,
  rules: [
    {
      says: 'every order was paid once, exactly its price',
      concerns: 'money',
      sql: `select 'order ' || o.id as subject,
          'price ' || o.price_pesewas || ', paid ' || coalesce((-p.amount_pesewas)::text, 'nothing') as detail
        from orders o
        left join journal_entries e on e.key = 'order:' || o.id and e.kind = 'order'
        left join wallets w on w.user_id = o.user_id
        left join postings p on p.entry_id = e.id and p.account_id = case when o.user_id is null then ${GUEST_PAYMENTS} else w.account_id end
        where o.seq > $1 and p.amount_pesewas is distinct from -o.price_pesewas order by o.seq limit 100`,
      newer: { of: 'orders', sql: 'same' },
      joinsAll: true,
    },
    {
      says: 'every purchase entry has its order',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such order' as detail
        from journal_entries e
        left join orders o on o.id = case when e.key ~ '^order:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then right(e.key, 36)::uuid end
        where e.id > $1 and e.kind = 'order' and o.id is null order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
      joinsAll: true,
    },
  ],
}

const DECISIONS = `a.subject_type = 'order' and a.action in ('order.completed', 'order.rejected')`

/** The refunded part: what went into the wallet, or is owed to a guest, plus what compensated for money already returned to the payer's card. */
const REFUNDED = 'case when e.id is not null then coalesce(p.amount_pesewas, 0) + coalesce(l.amount_pesewas, 0) end'

/** A completed order has two decisions if a report of it ended in a refund. */
const MISRECORDED = `case when exists (select from reports r where r.order_id = o.id and r.status = 'refunded') and count(a.id) = 2
    then string_agg(a.action, ' ' order by a.id) <> 'order.completed order.rejected' or o.status <> 'rejected'
    else count(a.id) <> 1 or min(a.action) <> 'order.' || o.status end`

export const I8: Invariant = {
  id: 'I8',
  title: 'An order is decided once, and a rejected one is refunded once, in full.',
  counts: {
    what: 'orders',
    sql: ORDERS.sql,
    newer: { of: 'actions', sql: `select count(*) as rows from admin_actions a where a.id > $1 and ${DECISIONS}` },
  },
  rules: [
    {
      says: 'a rejected order was refunded once in full, no other order was',
      concerns: 'money',
      joinsAll: true,
      sql: `select 'order ' || o.id as subject,
          o.status || ', paid ' || (o.price_pesewas + o.surcharge_pesewas) || ', refunded ' || coalesce(${REFUNDED}::text, 'nothing') as detail
        from orders o
        left join journal_entries e on e.key = 'order-refund:' || o.id and e.kind = 'order-refund'
        left join wallets w on w.user_id = o.user_id
        left join postings p on p.entry_id = e.id and p.account_id = case when o.user_id is null then ${REFUNDS_PENDING} else w.account_id end
        left join postings l on l.entry_id = e.id and l.account_id = ${DISPUTE_LOSSES}
        where ${REFUNDED} is distinct from case when o.status = 'rejected' then o.price_pesewas + o.surcharge_pesewas end
        order by o.seq limit 100`,
      newer: {
        of: 'actions',
        sql: `select 'order ' || o.id as subject,
            o.status || ', paid ' || (o.price_pesewas + o.surcharge_pesewas) || ', refunded ' || coalesce(${REFUNDED}::text, 'nothing') as detail
          from admin_actions a join orders o on o.id = a.subject_id::uuid
          left join journal_entries e on e.key = 'order-refund:' || o.id and e.kind = 'order-refund'
          left join wallets w on w.user_id = o.user_id
          left join postings p on p.entry_id = e.id and p.account_id = case when o.user_id is null then ${REFUNDS_PENDING} else w.account_id end
          left join postings l on l.entry_id = e.id and l.account_id = ${DISPUTE_LOSSES}
          where a.id > $1 and ${DECISIONS}
            and ${REFUNDED} is distinct from case when o.status = 'rejected' then o.price_pesewas + o.surcharge_pesewas end
          order by o.seq limit 100`,
      },
    },
    {
      says: 'a decided order has one recorded decision, the one that it shows; a pending order has none',
      concerns: 'records',
      joinsAll: true,
      sql: `select 'order ' || o.id as subject, o.status || ', recorded ' || coalesce(string_agg(a.action, ', ' order by a.id), 'nothing') as detail
        from orders o left join admin_actions a on a.subject_id = o.id::text and ${DECISIONS}
        where o.status <> 'pending' or a.id is not null
        group by o.id having ${MISRECORDED}
        order by o.seq limit 100`,
      newer: {
        of: 'actions',
        sql: `select 'order ' || o.id as subject, o.status || ', recorded ' || string_agg(a.action, ', ' order by a.id) as detail
          from admin_actions a join orders o on o.id = a.subject_id::uuid
          where ${DECISIONS} and a.subject_id in (select a.subject_id from admin_actions a where a.id > $1 and ${DECISIONS})
          group by o.id having ${MISRECORDED}
          order by o.seq limit 100`,
      },
    },
  ],
}

export const I9: Invariant = {
  id: 'I9',
  title: "An order is delivered once at most: everything sent to a supplier went under the order's own reference, or one of its resends.",
  counts: { what: 'deliveries', sql: 'select count(*) as rows from supplier_deliveries' },
  rules: [
    {
      says: 'a delivery stands under the reference of its order, and nothing was sent that was not noted',
      concerns: 'records',
      sql: `select 'order ' || d.order_id as subject,
          d.status || ' after ' || d.attempts || ' calls, under ' || d.reference || ', the order has ' || coalesce(o.reference, 'gone') as detail
        from supplier_deliveries d left join orders o on o.id = d.order_id
        where (d.reference is distinct from o.reference
            and not exists (select from reports r where r.order_id = o.id and r.status = 'resent' and r.resend_reference = d.reference)
            and not exists (select from delivery_restarts a where a.order_id = o.id and a.reference = d.reference))
          or d.resent > d.attempts
          or (d.attempts = 0 and d.status in ('sending', 'accepted', 'rejected', 'delivered', 'failed'))
        order by d.created_at, d.order_id limit 100`,
    },
  ],
}

export const I10: Invariant = {
  id: 'I10',
  title: 'Every purchase that a buyer was told of is still there as they were told.',
  counts: KEYS,
  rules: [
    {
      says: 'the orders of every acknowledged purchase are there',
      concerns: 'records',
      sql: `select 'order ' || (told ->> 'id') as subject, 'acknowledged at ' || (told ->> 'price_pesewas') || ', now '
          || coalesce(o.price_pesewas::text, 'gone') as detail
        from idempotency_keys k cross join lateral jsonb_array_elements(k.outcome -> 'orders') told
        left join orders o on o.id = (told ->> 'id')::uuid
        where k.outcome ->> 'outcome' = 'placed'
          and (o.user_id, o.price_pesewas, o.reference) is distinct from (k.user_id, (told ->> 'price_pesewas')::bigint, told ->> 'reference')
        order by k.created_at limit 100`,
    },
  ],
}

export const I11: Invariant = {
  id: 'I11',
  title: 'A purchase that was refused left nothing behind.',
  counts: KEYS,
  rules: [
    {
      says: 'no order stands under a key that was refused',
      concerns: 'records',
      // A refusal does not reserve a client's id, and an order paid by card may use it later.
      sql: `select 'order ' || o.id as subject, 'refused as ' || (k.outcome ->> 'code') || ' under ' || k.key as detail
        from idempotency_keys k join orders o on o.payment_reference = substr(k.key, 9) and o.user_id = k.user_id
        where k.key like 'payment:%' and k.outcome ->> 'outcome' = 'refused'
          -- Where the first item of a client's cart could not be bought, the others may be.
          and not exists (select from payments m where m.reference = o.payment_reference and m.by_client)
        order by o.seq limit 100`,
    },
  ],
}

export const I13: Invariant = {
  id: 'I13',
  title: 'Every new order is passed on to whoever delivers it, once.',
  counts: { what: 'orders to pass on', sql: 'select count(*) as rows from order_outbox' },
  rules: [
    {
      says: 'an order is passed on before those that come much later, and no order twice',
      concerns: 'records',
      // If no order at all is relayed, the relay is down and no order is lost.
      sql: `select 'order ' || x.order_id as subject, case when o.id is null then 'no such order' when x.times > 1 then x.times || ' times'
            else 'left behind since ' || to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') end as detail
        from (select order_id, count(*) as times from order_outbox group by order_id) x left join orders o on o.id = x.order_id
        where o.id is null or x.times > 1 or (o.created_at < now() - interval '15 minutes' and exists (
          select from orders later where later.seq > o.seq and later.created_at > o.created_at + interval '15 minutes'
            and not exists (select from order_outbox y where y.order_id = later.id)
        ))
        order by 1 limit 100`,
    },
  ],
}

export const I25: Invariant = {
  id: 'I25',
  title: 'Every list of orders that was paid for has all its orders, for the total that was agreed.',
  counts: { what: 'lists of orders', sql: 'select count(*) as rows from bulk_jobs' },
  rules: [
    {
      says: 'a list has as many orders as it was paid for, for its total',
      concerns: 'records',
      sql: `select 'list ' || j.id as subject,
          j.lines || ' lines for ' || j.total_pesewas || ', has ' || bought.orders || ' orders for ' || bought.pesewas as detail
        from bulk_jobs j join (
          select kept.id, count(o.id) as orders, coalesce(sum(o.price_pesewas), 0) as pesewas
          from bulk_jobs kept left join bulk_lines l on l.job_id = kept.id left join orders o on o.id = l.order_id and o.user_id = kept.user_id
          group by kept.id
        ) bought using (id)
        where (bought.orders, bought.pesewas) is distinct from (j.lines, j.total_pesewas) order by j.seq limit 100`,
      joinsAll: true,
    },
  ],
}
