import {
  CARD_PAYMENTS_RECEIVED,
  CARD_PAYMENTS_UNSPENT,
  CARD_SURCHARGES,
  DISPUTE_LOSSES,
  DISPUTED_MONEY,
  GUEST_PAYMENTS,
  PAYMENTS_HELD,
  RESERVATIONS,
  TOP_UPS_ON_HOLD,
} from '../accounts.ts'
import type { Invariant } from './invariant.ts'

const PAYMENTS = { what: 'card payments', sql: 'select count(*) as rows from payments' } as const

export const I6: Invariant = {
  id: 'I6',
  title: 'Every card payment was booked once, in full, and became what it was for or is held with a reason.',
  counts: PAYMENTS,
  rules: [
    {
      says: 'what a card paid was booked once in full',
      concerns: 'money',
      joinsAll: true,
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
      says: 'every card payment in the books has its record',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such record' as detail
        from journal_entries e left join payments m on m.reference = substr(e.key, strpos(e.key, ':') + 1)
        where e.id > $1 and e.kind in ('card-payment', 'agent-upgrade') and m.reference is null
        order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: "every provider's fee in the books is that of a card payment",
      concerns: 'records',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such payment' as detail
        from journal_entries e left join payments m on e.key = 'provider-fee:' || m.reference
        where e.id > $1 and e.kind = 'provider-fee' and m.reference is null
        order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'a paid card payment has the orders that it was for, no other has any',
      concerns: 'records',
      sql: `select 'payment ' || coalesce(m.reference, o.reference) as subject,
          coalesce(m.status, 'unknown') || ', for ' || coalesce(m.price_pesewas, 0) || ', orders worth ' || coalesce(o.pesewas, 0) as detail
        from payments m full join (
          select payment_reference as reference, sum(price_pesewas) as pesewas
          from orders where payment_reference is not null group by 1
        ) o on o.reference = m.reference
        where o.pesewas is distinct from case when m.status = 'paid' and m.purpose = 'order' then m.price_pesewas end
        order by m.seq limit 100`,
    },
    {
      says: 'a settled top-up put into the wallet what was received without the surcharge',
      concerns: 'money',
      sql: `select 'payment ' || m.reference as subject,
          'received ' || m.received_pesewas || ', topped up ' || coalesce(m.topped_up_pesewas::text, 'nothing') || ', booked ' || coalesce(p.amount_pesewas, 0) as detail
        from payments m
        left join journal_entries e on e.key = 'card-payment:' || m.reference
        left join wallets w on w.user_id = m.user_id
        left join postings p on p.entry_id = e.id and p.account_id = w.account_id
        where m.purpose = 'top-up' and m.status in ('paid', 'held')
          and (m.topped_up_pesewas, coalesce(p.amount_pesewas, 0)) is distinct from (
            m.received_pesewas - case when m.received_pesewas < m.price_pesewas + m.surcharge_pesewas then 0 else m.surcharge_pesewas end,
            m.topped_up_pesewas)
        order by m.seq limit 100`,
    },
    {
      says: 'a paid top-up has the orders that it was to buy, no other has any',
      concerns: 'records',
      sql: `select 'payment ' || coalesce(m.reference, o.reference) as subject,
          coalesce(m.purpose || ' ' || m.status, 'unknown') || ', for ' || coalesce(m.list_lines, jsonb_array_length(m.lines), 0) || ' lines, orders ' || coalesce(o.made, 0) as detail
        from (select * from payments where purpose = 'top-up') m full join (
          select top_up_reference as reference, user_id, count(*) as made from orders where top_up_reference is not null group by 1, 2
        ) o on o.reference = m.reference
        where o.made is distinct from case when m.status = 'paid' then coalesce(m.list_lines, jsonb_array_length(m.lines)) end
          or (o.made is not null and o.user_id is distinct from m.user_id)
        order by m.seq limit 100`,
    },
    {
      says: 'what went back at the card provider was booked once, and no more than its payment brought in',
      concerns: 'money',
      sql: `select back.kind || ' ' || back.provider_id as subject,
          back.outcome || ' over ' || back.amount_pesewas || ', noted ' || back.booked_pesewas || ', booked ' || coalesce(p.amount_pesewas, 0) as detail
        from (
          select 'dispute' as kind, provider_id, amount_pesewas, booked_pesewas, won_back_pesewas, outcome, outcome = 'lost' as may,
            'dispute-lost:' as key from disputes
          union all select 'refund', provider_id, amount_pesewas, booked_pesewas, 0, status, status = 'processed', 'card-refund:' from card_refunds
        ) back
        left join journal_entries e on e.key = back.key || back.provider_id
        left join postings p on p.entry_id = e.id and p.account_id = ${CARD_PAYMENTS_RECEIVED}
        left join journal_entries n on n.key = 'dispute-won:' || back.provider_id and n.kind = 'dispute-won'
        left join postings won on won.entry_id = n.id and won.account_id = ${CARD_PAYMENTS_RECEIVED}
        where coalesce(p.amount_pesewas, 0) <> back.booked_pesewas + back.won_back_pesewas or coalesce(-won.amount_pesewas, 0) <> back.won_back_pesewas
          or (back.booked_pesewas > 0 and not back.may)
        order by 1 limit 100`,
    },
    {
      says: 'what a payment gave back is that of its disputes and refunds, and its loss is in the books',
      concerns: 'money',
      sql: `select 'payment ' || m.reference as subject,
          'gave back ' || m.returned_pesewas || ', its disputes and refunds ' || coalesce(back.pesewas, 0) as detail
        from payments m left join (
          select reference, sum(booked_pesewas) as pesewas
          from (select reference, booked_pesewas from disputes union all select reference, booked_pesewas from card_refunds) taken group by 1
        ) back using (reference)
        where m.returned_pesewas <> coalesce(back.pesewas, 0)
        union all
        select 'account ' || code, 'holds ' || pesewas || ', payments lost ' || lost
        from house_balances, (
          select (select coalesce(sum(loss_pesewas), 0) from payments) - (select coalesce(sum(undone_pesewas), 0) from undone_effects) as lost
        ) losses
        where account_id = ${DISPUTE_LOSSES} and pesewas <> -lost
        limit 100`,
    },
    {
      says: 'of what a payment caused as much is undone as of the payment is lost, and is booked',
      concerns: 'money',
      sql: `select 'payment ' || reference as subject, effect || ': lost ' || loss_pesewas || ', undone ' || undone || ' of ' || caused || ', booked ' || booked as detail
        from (
          select m.reference, m.loss_pesewas, due.effect, due.caused, due.target, coalesce(u.undone_pesewas, 0) as undone, (
            select coalesce(sum(p.amount_pesewas), 0) from generate_series(1, u.times) t
            join journal_entries e on e.key = due.effect || '-undone:' || coalesce(due.order_id::text, m.reference) || ':' || t
            join postings p on p.entry_id = e.id and p.account_id = ${DISPUTE_LOSSES}
          ) as booked
          from payments m join lateral (
            select 'upgrade' as effect, null::uuid as order_id, m.price_pesewas as caused,
              case when m.status = 'paid' then least(m.price_pesewas, m.loss_pesewas) else 0 end as target
            where m.purpose = 'agent-upgrade'
            union all
            select s.effect, s.order_id, s.profit_pesewas, case when s.released_at is null or s.ended_at is not null then 0
              else s.profit_pesewas * least(m.loss_pesewas, s.worth) / s.worth end
            from (
              select s.*, (sum(o.price_pesewas + o.surcharge_pesewas) filter (where s.ended_at is null and s.effect = 'profit') over ())::bigint as worth
              from (
                select order_id, 'profit' as effect, profit_pesewas, released_at, ended_at from profit_shares
                union all select order_id, 'commission', profit_pesewas, released_at, ended_at from commissions
              ) s join orders o on o.id = s.order_id where o.payment_reference = m.reference
            ) s
          ) due on true
          left join undone_effects u on u.payment_reference = m.reference and u.effect = due.effect and u.order_id is not distinct from due.order_id
          where m.loss_pesewas > 0 or u.undone_pesewas is not null
        ) effects
        where undone <> target or booked <> undone order by 1 limit 100`,
    },
  ],
}

export const I7: Invariant = {
  id: 'I7',
  title: 'Every approved recharge was credited once, with what came in; no other was credited.',
  counts: { what: 'recharges', sql: 'select count(*) as rows from recharges' },
  rules: [
    {
      says: 'an approved recharge was credited once with what came in, no other recharge was',
      concerns: 'money',
      sql: `select 'recharge ' || r.recharge_id as subject,
          r.status || ', asked ' || r.amount_pesewas || ', credited ' || coalesce(p.amount_pesewas::text, 'nothing') as detail
        from recharges r
        left join journal_entries e on e.key = 'recharge:' || r.id and e.kind = 'recharge'
        left join wallets w on w.user_id = r.user_id
        left join postings p on p.entry_id = e.id and p.account_id = w.account_id
        where p.amount_pesewas is distinct from case when r.status = 'approved' then coalesce(r.credited_pesewas, r.amount_pesewas) end
        order by r.seq limit 100`,
    },
    {
      says: 'every recharge in the books has its record',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such record' as detail
        from journal_entries e left join recharges r on e.key = 'recharge:' || r.id
        where e.id > $1 and e.kind = 'recharge' and r.id is null order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
  ],
}

export const I15: Invariant = {
  id: 'I15',
  title: 'What passes through the shop clears: nothing is left over between a card payment and what it bought.',
  counts: PAYMENTS,
  rules: [
    {
      says: 'the accounts for money in passing are at zero',
      concerns: 'money',
      sql: `select 'account ' || code as subject, 'holds ' || pesewas as detail
        from house_balances where account_id in (${PAYMENTS_HELD}, ${GUEST_PAYMENTS}) and pesewas <> 0`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'the account for top-ups on hold has what their payers cannot spend yet',
      concerns: 'money',
      sql: `select 'account ' || code as subject, 'has ' || pesewas || ', on hold ' || on_hold as detail
        from house_balances, (select coalesce(sum(on_hold_pesewas), 0) as on_hold from payments where on_hold_until is not null) waiting
        where account_id = ${TOP_UPS_ON_HOLD} and pesewas <> on_hold`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'the account for disputed money has what is kept out of wallets',
      concerns: 'money',
      sql: `select 'account ' || code as subject, 'has ' || pesewas || ', kept out of wallets ' || kept as detail
        from house_balances, (select coalesce(sum(pesewas), 0) as kept from disputed_money) waiting
        where account_id = ${DISPUTED_MONEY} and pesewas <> kept`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'the account for card payments unspent has what waits for further orders',
      concerns: 'money',
      sql: `select 'account ' || code as subject, 'has ' || pesewas || ', unspent ' || unspent as detail
        from house_balances, (select coalesce(sum(unspent_pesewas), 0) as unspent from payments where unspent_until is not null) waiting
        where account_id = ${CARD_PAYMENTS_UNSPENT} and pesewas <> unspent`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'the account for reservations has what is set aside of the wallets',
      concerns: 'money',
      sql: `select 'account ' || code as subject, 'has ' || pesewas || ', set aside ' || reserved as detail
        from house_balances, (select coalesce(sum(reserved_pesewas), 0) as reserved from wallets where reserved_until is not null) waiting
        where account_id = ${RESERVATIONS} and pesewas <> reserved`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'what is set aside of a wallet is what it has not got back',
      concerns: 'money',
      sql: `select 'account ' || w.account_id as subject, 'set aside ' || w.reserved_pesewas || ', booked ' || booked.pesewas as detail
        from wallets w cross join lateral (
          select coalesce(-sum(p.amount_pesewas), 0) as pesewas from postings p join journal_entries e on e.id = p.entry_id
          where p.account_id = w.account_id and e.kind in ('reservation', 'reservation-returned')
        ) booked
        where w.reserved_until is not null and w.reserved_pesewas <> booked.pesewas order by w.account_id limit 100`,
    },
    {
      says: 'the surcharge of a card payment is that of its orders, and is booked as such',
      concerns: 'money',
      joinsAll: true,
      // The surcharge of a top-up is part of the entry that fills the wallet, and no order has a part of it.
      sql: `select 'payment ' || m.reference as subject,
          'surcharge ' || m.surcharge_pesewas || ', its orders ' || coalesce(o.pesewas, 0) || ', booked ' || coalesce(booked.pesewas, 0) as detail
        from payments m
        left join (select payment_reference, sum(surcharge_pesewas) as pesewas from orders where payment_reference is not null group by 1) o
          on o.payment_reference = m.reference
        left join (
          -- A further order of a payment has an entry of its own, "card-surcharge-2:…".
          select regexp_replace(e.key, '^card-surcharge-\\d+:', 'card-surcharge:') as key, sum(p.amount_pesewas) as pesewas
          from journal_entries e join postings p on p.entry_id = e.id and p.account_id = ${CARD_SURCHARGES}
          where e.kind in ('card-surcharge', 'card-payment') group by 1
        ) booked on booked.key = case m.purpose when 'top-up' then 'card-payment:' else 'card-surcharge:' end || m.reference
        where coalesce(booked.pesewas, 0) <> case
            when m.purpose = 'order' and m.status = 'paid' then m.surcharge_pesewas
            when m.purpose = 'top-up' and m.received_pesewas >= m.price_pesewas + m.surcharge_pesewas then m.surcharge_pesewas
            else 0 end
          or coalesce(o.pesewas, 0) <> case when m.purpose = 'order' and m.status = 'paid' then m.surcharge_pesewas else 0 end
        order by m.seq limit 100`,
    },
    {
      says: 'every surcharge in the books is that of a card payment',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, e.kind || ', surcharge ' || p.amount_pesewas as detail
        from postings p join journal_entries e on e.id = p.entry_id
        left join payments m on m.reference = substr(e.key, strpos(e.key, ':') + 1)
        where p.account_id = ${CARD_SURCHARGES} and p.entry_id > $1 and e.id > $1 and e.kind <> 'order-refund'
          and (e.kind = 'card-surcharge' and (m.purpose = 'order' or m.by_client) or e.kind = 'card-payment' and m.purpose = 'top-up') is not true
        order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
  ],
}

export const I20: Invariant = {
  id: 'I20',
  title: 'Every received mobile-money payment was credited at most once, with what came in.',
  counts: { what: 'credits of received payments', sql: 'select count(*) as rows from payment_credits' },
  rules: [
    {
      says: 'a received payment was credited with what came in',
      concerns: 'money',
      sql: `select 'payment ' || p.network || ' ' || p.transaction_id as subject,
          'came in ' || c.amount_pesewas || ', credited ' || coalesce(l.amount_pesewas::text, 'nothing') as detail
        from payment_credits c join received_payments p on p.id = c.payment_id
        left join journal_entries e on e.key = c.entry_key
        left join wallets w on w.user_id = c.user_id
        left join postings l on l.entry_id = e.id and l.account_id = w.account_id
        where l.amount_pesewas is distinct from c.amount_pesewas order by c.id limit 100`,
    },
    {
      says: 'a credit that was taken back was debited once, no other was',
      concerns: 'money',
      sql: `select 'payment ' || p.network || ' ' || p.transaction_id as subject,
          case when c.taken_back_at is null then 'credited' else 'taken back' end || ', debited ' || coalesce((-l.amount_pesewas)::text, 'nothing') as detail
        from payment_credits c join received_payments p on p.id = c.payment_id
        left join journal_entries e on e.key = 'momo-undo:' || c.id
        left join wallets w on w.user_id = c.user_id
        left join postings l on l.entry_id = e.id and l.account_id = w.account_id
        where l.amount_pesewas is distinct from case when c.taken_back_at is not null then -c.amount_pesewas end order by c.id limit 100`,
    },
    {
      says: 'every credit of a received payment has its record',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such record' as detail
        from journal_entries e left join payment_credits c on c.entry_key = e.key
        where e.id > $1 and e.key like 'momo:%' and c.id is null order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'a received payment is credited exactly while one customer has it',
      concerns: 'records',
      sql: `select 'payment ' || p.network || ' ' || p.transaction_id as subject, 'it is ' || p.status as detail
        from received_payments p left join payment_credits c on c.payment_id = p.id and c.taken_back_at is null
        where (p.status = 'credited') <> (c.id is not null) order by p.seq limit 100`,
    },
  ],
}
