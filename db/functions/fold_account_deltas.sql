create or replace function fold_account_deltas() returns void language sql as $$
  with folded as (delete from account_deltas returning account_id, pesewas, day, kind),
  days as (
    insert into account_days as kept (day, account_id, kind, postings, pesewas)
    select day, account_id, kind, count(*), sum(pesewas) from folded group by day, account_id, kind
    on conflict (day, account_id, kind) do update
    set postings = kept.postings + excluded.postings, pesewas = kept.pesewas + excluded.pesewas
  )
  insert into account_totals as kept (account_id, pesewas)
  select account_id, sum(pesewas) from folded group by account_id
  on conflict (account_id) do update set pesewas = kept.pesewas + excluded.pesewas
$$;
