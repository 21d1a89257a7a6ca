create or replace function fold_account_deltas() returns void language sql as $$
  with folded as (delete from account_deltas returning account_id, pesewas)
  insert into account_totals as kept (account_id, pesewas)
  select account_id, sum(pesewas) from folded group by account_id
  on conflict (account_id) do update set pesewas = kept.pesewas + excluded.pesewas
$$;
