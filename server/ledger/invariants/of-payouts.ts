import { REFUNDS_PENDING, WITHDRAWALS_PENDING } from '../accounts.ts'
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
  title: 'What is kept for guests equals their open refunds.',
  counts: { what: 'refunds', sql: 'select count(*) as rows from refunds' },
  rules: [
    {
      says: 'what is kept for refunds equals the open ones',
      concerns: 'money',
      sql: `select 'account refunds-pending' as subject, 'kept ' || kept.pesewas || ', open refunds ' || open.pesewas as detail
        from (select coalesce(sum(pesewas), 0) as pesewas from house_balances where account_id = ${REFUNDS_PENDING}) kept,
          (select coalesce(sum(amount_pesewas), 0) as pesewas from refunds where status = 'due') open
        where kept.pesewas <> open.pesewas`,
    },
  ],
}
