create or replace view house_balances as
  select a.id as account_id, a.code, coalesce(kept.pesewas, 0) + coalesce(added.pesewas, 0) as pesewas
  from accounts a
  left join account_totals kept on kept.account_id = a.id
  left join (select account_id, sum(pesewas) as pesewas from account_deltas group by account_id) added on added.account_id = a.id
  where a.id < 1000;
