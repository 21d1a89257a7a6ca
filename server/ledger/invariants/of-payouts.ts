import { AGENT_DEBTS, REFERRAL_REWARDS, REFUND_CODES, REFUNDS_PENDING, WITHDRAWALS_PENDING } from '../accounts.ts'
import type { Invariant } from './invariant.ts'

const WITHDRAWALS = { what: 'withdrawals', sql: 'select count(*) as rows from withdrawals' }

export const I19: Invariant = {
  id: 'I19',
  title: 'Every withdrawal left its earnings once and was paid or given back once, and what is kept for them equals the open ones.',
  counts: WITHDRAWALS,
  rules: [
    {
      says: 'what is kept for withdrawals equals the open ones',
      concerns: 'money',
      sql: `select 'account withdrawals-pending' as subject, 'kept ' || kept.pesewas || ', open withdrawals ' || open.pesewas as detail
        from (select coalesce(sum(pesewas), 0) as pesewas from house_balances where account_id = ${WITHDRAWALS_PENDING}) kept,
          (select coalesce(sum(amount_pesewas), 0) as pesewas from withdrawals where ended_at is null) open
        where kept.pesewas <> open.pesewas`,
    },
    {
      says: 'a withdrawal left the earnings once, and was paid or given back once it ended',
      concerns: 'money',
      sql: `select 'withdrawal ' || w.seq as subject, w.status || ' of ' || w.amount_pesewas || ', taken ' || coalesce(taken.amount_pesewas, 0)
            || ', paid ' || coalesce(paid.amount_pesewas, 0) || ', given back ' || coalesce(back.amount_pesewas, 0) as detail
        from withdrawals w
          left join journal_entries t on t.key = 'withdrawal:' || w.id
          left join postings taken on taken.entry_id = t.id and taken.account_id = ${WITHDRAWALS_PENDING}
          left join journal_entries p on p.key = 'withdrawal-paid:' || w.id
          left join postings paid on paid.entry_id = p.id and paid.account_id = ${WITHDRAWALS_PENDING}
          left join journal_entries b on b.key = 'withdrawal-returned:' || w.id
          left join postings back on back.entry_id = b.id and back.account_id = ${WITHDRAWALS_PENDING}
          left join journal_entries r on r.key = 'withdrawal-reversed:' || w.id
        where coalesce(taken.amount_pesewas, 0) <> w.amount_pesewas
          or coalesce(-paid.amount_pesewas, 0) <> case when w.status in ('paid', 'reversed') then w.amount_pesewas else 0 end
          or coalesce(-back.amount_pesewas, 0) <> case when w.status in ('failed', 'declined', 'cancelled') then w.amount_pesewas else 0 end
          or (r.id is not null) <> (w.status = 'reversed')
        order by w.seq limit 100`,
    },
  ],
}

export const I21: Invariant = {
  id: 'I21',
  title:
    'What is kept for refunds equals the open ones and the codes of guests, and each went back once: the way it came, or into one wallet.',
  counts: { what: 'refunds', sql: 'select count(*) as rows from refunds' },
  rules: [
    {
      says: 'what is kept for refunds equals the open ones',
      concerns: 'money',
      sql: `select 'account refunds-pending' as subject, 'kept ' || kept.pesewas || ', open refunds ' || open.pesewas as detail
        from (select coalesce(sum(pesewas), 0) as pesewas from house_balances where account_id = ${REFUNDS_PENDING}) kept,
          (select coalesce(sum(amount_pesewas), 0) as pesewas from refunds where ended_at is null and status <> 'code') open
        where kept.pesewas <> open.pesewas`,
    },
    {
      says: 'what is kept for codes equals the refunds that have one',
      concerns: 'money',
      sql: `select 'account refund-codes' as subject, 'kept ' || kept.pesewas || ', refunds with a code ' || open.pesewas as detail
        from (select coalesce(sum(pesewas), 0) as pesewas from house_balances where account_id = ${REFUND_CODES}) kept,
          (select coalesce(sum(amount_pesewas), 0) as pesewas from refunds where status = 'code') open
        where kept.pesewas <> open.pesewas`,
    },
    {
      says: 'a refund was paid out, or went through its code into one wallet, once and in full',
      concerns: 'money',
      sql: `select 'refund ' || r.id as subject, r.status || ' of ' || r.amount_pesewas || ', paid ' || coalesce(-paid.amount_pesewas, 0)
            || ', by hand ' || coalesce(-hand.amount_pesewas, 0) || ', coded ' || coalesce(coded.amount_pesewas, 0)
            || ', claimed ' || coalesce(claimed.amount_pesewas, 0) as detail
        from refunds r
          left join journal_entries p on p.key = 'card-refund:' || r.provider_id
          left join postings paid on paid.entry_id = p.id and paid.account_id = ${REFUNDS_PENDING}
          left join journal_entries h on h.key = 'refund-paid:' || r.id
          left join postings hand on hand.entry_id = h.id and hand.account_id in (${REFUNDS_PENDING}, ${REFUND_CODES})
          left join journal_entries c on c.key = 'refund-code:' || r.id
          left join postings coded on coded.entry_id = c.id and coded.account_id = ${REFUND_CODES}
          left join journal_entries g on g.key = 'refund-claimed:' || r.id
          left join wallets w on w.user_id = r.claimed_by
          left join postings claimed on claimed.entry_id = g.id and claimed.account_id = w.account_id
        where coalesce(-paid.amount_pesewas, 0) <> case when r.status = 'paid' and r.hand_transaction_id is null then r.amount_pesewas else 0 end
          or coalesce(-hand.amount_pesewas, 0) <> case when r.hand_transaction_id is not null then r.amount_pesewas else 0 end
          or coalesce(coded.amount_pesewas, 0) <> case when r.status in ('code', 'claimed') or hand.account_id = ${REFUND_CODES} or (r.status = 'returned' and c.id is not null) then r.amount_pesewas else 0 end
          or coalesce(claimed.amount_pesewas, 0) <> case when r.status = 'claimed' then r.amount_pesewas else 0 end
        order by r.seq limit 100`,
    },
    {
      says: 'what a customer has sent back was taken from their wallet once, no more than their order’s refund put there, and is there again exactly if it did not go',
      concerns: 'money',
      sql: `select 'refund ' || r.id as subject, r.status || ' of ' || r.amount_pesewas || ', refunded to the wallet ' || coalesce(given.amount_pesewas, 0)
            || ', taken ' || coalesce(-taken.amount_pesewas, 0) || ', back again ' || coalesce(again.amount_pesewas, 0) as detail
        from refunds r join wallets w on w.user_id = r.user_id
          left join journal_entries o on o.key = 'order-refund:' || r.order_id
          left join postings given on given.entry_id = o.id and given.account_id = w.account_id
          left join journal_entries t on t.key = 'refund-to-source:' || r.id
          left join postings taken on taken.entry_id = t.id and taken.account_id = w.account_id
          left join journal_entries a on a.key = 'refund-returned:' || r.id
          left join postings again on again.entry_id = a.id and again.account_id = w.account_id
        where coalesce(given.amount_pesewas, 0) < r.amount_pesewas or coalesce(-taken.amount_pesewas, 0) <> r.amount_pesewas
          or coalesce(again.amount_pesewas, 0) <> case when r.status = 'wallet' then r.amount_pesewas else 0 end
        order by r.seq limit 100`,
    },
    {
      says: 'what was taken from a wallet to be sent back, or came back from there, has its record',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject, 'no such record' as detail
        from journal_entries e left join refunds r on r.user_id is not null and r.id::text = substr(e.key, strpos(e.key, ':') + 1)
        where e.id > $1 and e.kind in ('refund-to-source', 'refund-returned') and r.id is null order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      // What a bank or the provider gives back beside that is theirs to decide: it is a loss, and for a person.
      says: 'the shop sends no more of a payment back to its customer than it brought in',
      concerns: 'money',
      sql: `select 'payment ' || m.reference as subject,
          'received ' || coalesce(m.received_pesewas, 0) || ', gave back ' || m.returned_pesewas || ', sent or sends back ' || sent.pesewas as detail
        from payments m join (
          select payment_reference as reference, sum(amount_pesewas) as pesewas from refunds where user_id is not null and status <> 'wallet' group by 1
        ) sent using (reference)
        where sent.pesewas > coalesce(m.received_pesewas, 0) order by m.seq limit 100`,
    },
  ],
}

export const I24: Invariant = {
  id: 'I24',
  title: 'Every reward for an invited customer went to the agent who invited them, once.',
  counts: { what: 'referrals', sql: 'select count(*) as rows from referrals' },
  rules: [
    {
      says: 'a reward was booked for each referral that was rewarded, and for no other',
      concerns: 'money',
      sql: `select 'referral of ' || coalesce(r.referred_id::text, e.key) as subject,
          'rewarded ' || case when r.rewarded_at is null then 0 else r.reward_pesewas end || ', booked ' || coalesce(p.amount_pesewas, 0) as detail
        from (
          select split_part(key, ':', 2) as referred, min(key) as key, array_agg(id) as ids,
            count(*) filter (where kind = 'referral-reward') as given, count(*) filter (where kind = 'referral-undone') as undone
          from journal_entries where kind in ('referral-reward', 'referral-undone') group by 1
        ) e
          full join (select * from referrals where rewarded_at is not null or undone > 0) r on e.referred = r.referred_id::text
          left join wallets w on w.user_id = r.referrer_id
          left join lateral (
            select sum(amount_pesewas) as amount_pesewas from postings where entry_id = any (e.ids) and account_id in (w.account_id, ${AGENT_DEBTS})
          ) p on true
        where r.referred_id is null or e.referred is null or e.undone <> r.undone or e.given <> r.undone + (r.rewarded_at is not null)::integer
          or p.amount_pesewas is distinct from case when r.rewarded_at is null then 0 else r.reward_pesewas end order by 1 limit 100`,
    },
    {
      says: 'what rewards cost equals the rewards',
      concerns: 'money',
      sql: `select 'account referral-rewards' as subject, 'has ' || kept.pesewas || ', rewards ' || paid.pesewas as detail
        from (select coalesce(sum(pesewas), 0) as pesewas from house_balances where account_id = ${REFERRAL_REWARDS}) kept,
          (select coalesce(sum(reward_pesewas), 0) as pesewas from referrals where rewarded_at is not null) paid
        where kept.pesewas <> -paid.pesewas`,
    },
  ],
}
