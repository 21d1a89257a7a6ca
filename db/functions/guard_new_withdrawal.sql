-- What goes out without a person goes to a number that was paid before, or that was confirmed by its code and no longer waits.
create or replace function guard_new_withdrawal() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_numbers n where n.shop_id = new.shop_id and n.phone = new.phone and n.free_at <= new.created_at)
    and not exists (
      select from withdrawals w
      where w.shop_id = new.shop_id and w.network = new.network and w.phone = new.phone and w.status = 'paid'
    ) then
    raise exception 'withdrawal % goes to a number that nobody has confirmed', new.reference using errcode = 'DW012';
  end if;
  return new;
end $$;
