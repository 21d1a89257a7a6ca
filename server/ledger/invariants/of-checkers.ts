import { CHECKER_LOSSES, CHECKER_STOCK } from '../accounts.ts'
import type { Invariant } from './invariant.ts'

/** Of an order's codes those that were sold with it; what replaced a faulty one is a loss of its own. */
const SOLD = 'c.order_id is not null and c.replaces_id is null'

export const I22: Invariant = {
  id: 'I22',
  title: 'The books hold what the checkers in stock have cost, and each of them has one order at most.',
  counts: { what: 'checkers', sql: 'select count(*) as rows from checker_codes' },
  rules: [
    {
      says: 'the account of checkers equals what those in stock have cost',
      concerns: 'money',
      sql: `select 'account checker-stock' as subject, 'has ' || kept.pesewas || ', codes in stock ' || stock.pesewas as detail
        from (select coalesce(-sum(pesewas), 0) as pesewas from house_balances where account_id = ${CHECKER_STOCK}) kept,
          (select coalesce(sum(unit_cost_pesewas), 0) as pesewas from checker_codes
            where order_id is null and taken_back_at is null and voided_at is null) stock
        where kept.pesewas <> stock.pesewas`,
    },
    {
      says: 'what replaced faulty checkers, and what was voided, is booked as a loss, once each',
      concerns: 'money',
      sql: `select 'account checker-losses' as subject, 'has ' || kept.pesewas || ', replaced and voided ' || given.pesewas as detail
        from (select coalesce(-sum(pesewas), 0) as pesewas from house_balances where account_id = ${CHECKER_LOSSES}) kept,
          (select coalesce(sum(unit_cost_pesewas), 0) as pesewas from checker_codes
            where replaces_id is not null or (voided_at is not null and order_id is null)) given
        where kept.pesewas <> given.pesewas`,
    },
    {
      says: 'an order from the stock has the codes that its delivery was booked with',
      concerns: 'records',
      joinsAll: true,
      sql: `select 'order ' || coalesce(o.id, sold.order_id) as subject,
          coalesce(o.status, 'no order from the stock') || ', cost ' || coalesce(o.cost_pesewas, 0) || ', codes for ' || coalesce(sold.pesewas, 0) as detail
        from (select * from orders where cost_supplier = 'checker-stock') o
        full join (select c.order_id, sum(c.unit_cost_pesewas) as pesewas from checker_codes c where ${SOLD} group by 1) sold on sold.order_id = o.id
        where o.cost_pesewas is distinct from sold.pesewas or o.status = 'pending' limit 100`,
    },
    {
      says: 'an import is booked once, with what its codes have cost, and back once when it was taken back',
      concerns: 'money',
      sql: `select 'import ' || i.seq as subject, i.codes || ' codes at ' || i.unit_cost_pesewas || ', found ' || found.codes || ', booked '
            || coalesce(-paid.amount_pesewas, 0) || ', back ' || coalesce(back.amount_pesewas, 0) as detail
        from checker_imports i
          cross join lateral (select count(*) as codes from checker_codes c where c.import_id = i.id and c.unit_cost_pesewas = i.unit_cost_pesewas
            and c.kind = i.kind and (c.taken_back_at is null) = (i.taken_back_at is null)) found
          left join journal_entries e on e.key = 'checker-import:' || i.id
          left join postings paid on paid.entry_id = e.id and paid.account_id = ${CHECKER_STOCK}
          left join journal_entries r on r.key = 'checker-return:' || i.id
          left join postings back on back.entry_id = r.id and back.account_id = ${CHECKER_STOCK}
        where found.codes <> i.codes or coalesce(-paid.amount_pesewas, 0) <> i.codes::bigint * i.unit_cost_pesewas
          or coalesce(back.amount_pesewas, 0) <> case when i.taken_back_at is null then 0 else i.codes::bigint * i.unit_cost_pesewas end
        order by i.seq limit 100`,
    },
  ],
}
