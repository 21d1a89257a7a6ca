import type { Invariant } from './invariant.ts'

const ENTRIES = {
  what: 'entries',
  sql: 'select count(*) as rows from journal_entries',
  newer: { of: 'entries', sql: 'select count(*) as rows from journal_entries where id > $1' },
} as const
const POSTINGS = {
  what: 'postings',
  sql: 'select count(*) as rows from postings',
  newer: { of: 'entries', sql: 'select count(*) as rows from postings where entry_id > $1' },
} as const
const WALLETS = { what: 'wallets', sql: 'select count(*) as rows from wallets' } as const

export const I1: Invariant = {
  id: 'I1',
  title: 'Every movement of money balances: what one account gives, others get.',
  counts: ENTRIES,
  rules: [
    {
      says: 'the postings of an entry sum to zero, and there are two or more',
      concerns: 'money',
      sql: `select 'entry ' || e.id || ' (' || e.key || ')' as subject,
          count(p.line) || ' postings, sum ' || coalesce(sum(p.amount_pesewas), 0) as detail
        from journal_entries e left join postings p on p.entry_id = e.id and p.entry_id > $1 where e.id > $1
        group by e.id having count(p.line) < 2 or coalesce(sum(p.amount_pesewas), 0) <> 0
        order by e.id limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
  ],
}

export const I2: Invariant = {
  id: 'I2',
  title: 'All the money in the books sums to zero: none appeared, none vanished.',
  counts: POSTINGS,
  rules: [
    {
      says: 'all postings sum to zero',
      concerns: 'money',
      sql: `select 'all postings' as subject, 'sum ' || sum(amount_pesewas) as detail
        from postings where entry_id > $1 having coalesce(sum(amount_pesewas), 0) <> 0`,
      newer: { of: 'entries', sql: 'same' },
    },
  ],
}

export const I3: Invariant = {
  id: 'I3',
  title: "Every wallet's balance is what its movements add up to, line by line.",
  counts: WALLETS,
  rules: [
    {
      says: "a wallet's balance is the sum of its postings",
      concerns: 'money',
      joinsAll: true,
      sql: `select 'wallet of ' || coalesce(u.username, 'a shop') || ' (account ' || w.account_id || ')' as subject,
          'balance ' || w.balance_pesewas || ', postings ' || coalesce(s.total, 0) as detail
        from wallets w left join users u on u.id = w.user_id
        left join (select account_id, sum(amount_pesewas) as total from postings where account_id >= 1000 group by account_id) s
          using (account_id)
        where w.balance_pesewas <> coalesce(s.total, 0) order by w.account_id limit 100`,
      newer: {
        of: 'entries',
        sql: `select 'wallet of ' || coalesce(u.username, 'a shop') || ' (account ' || w.account_id || ')' as subject,
            'balance ' || w.balance_pesewas || ', postings ' || last.balance_after_pesewas as detail
          from (select distinct account_id from postings where entry_id > $1 and account_id >= 1000) moved
          join wallets w using (account_id) left join users u on u.id = w.user_id,
          lateral (
            select balance_after_pesewas from postings p where p.account_id = w.account_id order by entry_id desc, line desc limit 1
          ) last
          where w.balance_pesewas <> last.balance_after_pesewas order by w.account_id limit 100`,
      },
    },
    {
      says: "a wallet's statement adds up line by line",
      concerns: 'money',
      // A wrong amount shifts every later balance, so report only the first line that is off.
      sql: `select 'entry ' || entry_id || ', account ' || account_id as subject,
          'balance after ' || balance_after_pesewas || ', expected ' || balance_after_pesewas - off as detail
        from (
          select entry_id, account_id, balance_after_pesewas, off, lag(off, 1, 0::numeric) over (partition by account_id order by entry_id, line) as off_before
          from (
            select entry_id, line, account_id, balance_after_pesewas,
              balance_after_pesewas - sum(amount_pesewas) over (partition by account_id order by entry_id, line) as off
            from postings where account_id >= 1000
          ) lines
        ) steps
        where off <> 0 and off <> off_before order by entry_id limit 100`,
      newer: {
        of: 'entries',
        sql: `select 'entry ' || p.entry_id || ', account ' || p.account_id as subject,
            'balance after ' || p.balance_after_pesewas || ', expected ' || coalesce(before.balance_after_pesewas, 0) + p.amount_pesewas as detail
          from postings p left join lateral (
            select q.balance_after_pesewas from postings q
            where q.account_id = p.account_id and (q.entry_id, q.line) < (p.entry_id, p.line)
            order by q.entry_id desc, q.line desc limit 1
          ) before on true
          where p.entry_id > $1 and p.account_id >= 1000
            and p.balance_after_pesewas <> coalesce(before.balance_after_pesewas, 0) + p.amount_pesewas
          order by p.entry_id limit 100`,
      },
    },
  ],
}

export const I4: Invariant = {
  id: 'I4',
  title: 'No wallet is below zero.',
  counts: WALLETS,
  rules: [
    {
      says: 'no wallet is below zero',
      concerns: 'money',
      sql: `select 'account ' || account_id as subject, 'balance ' || balance_pesewas as detail
        from wallets where balance_pesewas < 0 order by account_id limit 100`,
    },
  ],
}

/** The triggers and constraints that protect the ledger, by name. */
const GUARDS = `values ('journal_entries', 'journal_entries_append_only'), ('journal_entries', 'journal_entries_no_truncate'),
  ('journal_entries', 'journal_entries_balance'), ('postings', 'postings_append_only'), ('postings', 'postings_no_truncate'),
  ('postings', 'postings_of_their_transaction'), ('ledger_seals', 'ledger_seals_append_only'), ('ledger_seals', 'ledger_seals_no_truncate'),
  ('admin_actions', 'admin_actions_append_only'), ('admin_actions', 'admin_actions_no_truncate'),
  ('orders', 'orders_decided_once'), ('recharges', 'recharges_decided_once'), ('supplier_deliveries', 'supplier_deliveries_guarded'),
  ('orders', 'orders_rejected_knowingly'), ('orders', 'orders_delivery_cost'), ('orders', 'orders_delivered'),
  ('package_costs', 'package_costs_append_only'), ('package_costs', 'package_costs_no_truncate'),
  ('received_payments', 'received_payments_guarded'), ('payment_credits', 'payment_credits_guarded'), ('day_closes', 'day_closes_append_only'),
  ('day_closes', 'day_closes_no_truncate'), ('day_closes', 'day_closes_in_order')`

export const I12: Invariant = {
  id: 'I12',
  title: 'What was booked was never changed: the hash chain over the ledger holds, and its guards are in place.',
  counts: {
    what: 'entries in the hash chain',
    sql: 'select coalesce(sum(entries), 0) as rows from ledger_seals',
    newer: { of: 'entries', sql: 'select coalesce(sum(entries), 0) as rows from ledger_seals where last_entry > $1' },
  },
  rules: [
    {
      says: 'the hash chain over the ledger holds',
      concerns: 'money',
      // $1 is 0, or the newest entry of a good check; the link that contains it is checked again.
      sql: `select 'entries ' || s.first_entry || ' to ' || s.last_entry as subject,
          s.entries || ' chained at ' || to_char(s.sealed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ', now ' || again.entries
            || case when again.entries = s.entries then ', and not the same' else '' end as detail
        from (select *, lag(seal, 1, ''::bytea) over (order by last_entry) as before from ledger_seals) s,
          lateral seal_entries(s.before, s.first_entry, s.last_entry) again
        where s.last_entry > $1 and (again.seal, again.entries) is distinct from (s.seal, s.entries)
        order by s.last_entry limit 100`,
      newer: { of: 'entries', sql: 'same' },
    },
    {
      says: 'what guards the books is in place and awake',
      concerns: 'money',
      sql: `select guard.name || ' on ' || guard.on_table as subject, case when t.oid is null then 'gone' else 'switched off' end as detail
        from (${GUARDS}) guard (on_table, name)
        left join pg_trigger t on t.tgrelid = to_regclass('public.' || guard.on_table) and t.tgname = guard.name
        where t.oid is null or t.tgenabled not in ('O', 'A')
        union all
        select t.tgname || ' on ' || t.tgrelid::regclass, 'switched off'
        from pg_trigger t join pg_trigger whole on whole.oid = t.tgparentid
        join (${GUARDS}) guard (on_table, name) on whole.tgrelid = to_regclass('public.' || guard.on_table) and whole.tgname = guard.name
        where whole.tgenabled in ('O', 'A') and t.tgenabled not in ('O', 'A')
        union all
        select 'wallet_not_below_zero on wallets', 'gone'
        where not exists (select from pg_constraint where conrelid = 'public.wallets'::regclass and conname = 'wallet_not_below_zero' and convalidated)
        order by 1`,
      newer: {
        of: 'entries',
        sql: 'same',
      },
    },
  ],
}
