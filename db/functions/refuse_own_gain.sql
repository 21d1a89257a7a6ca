-- Nobody but the only owner decides what they gain from, whatever the program lets through. The argument names the table: a trigger of a
-- partitioned one sees the partition's name.
create or replace function refuse_own_gain() returns trigger language plpgsql as $$
declare
  v_person uuid;
  v_gains boolean;
begin
  case tg_argv[0]
  when 'withdrawals', 'refunds' then
    v_person := new.decided_by;
    if tg_argv[0] = 'refunds' then v_gains := gains_from(v_person, array[new.user_id], array[new.phone], null);
    else v_gains := gains_from(v_person, null, null, array[new.shop_id]); end if;
  when 'orders' then
    v_person := new.decided_by;
    v_gains := gains_from_order(v_person, new.id, new.status);
  when 'journal_entries' then
    v_person := new.actor_id;
    v_gains := exists (select from postings p join wallets w on w.account_id = p.account_id
      where p.entry_id = new.id and p.amount_pesewas > 0 and gains_from(v_person, array[w.user_id], null, array[w.shop_id]));
  end case;
  if v_gains and not is_only_owner(v_person) then
    raise exception '% decides a row of % that they gain from', v_person, tg_argv[0] using errcode = 'DW015';
  end if;
  return new;
end $$;
