-- What goes out without a person goes to a number that was paid before, or that was confirmed by its code and no longer waits. A number
-- that its shop has removed counts as new until somebody has let a withdrawal to it out.
create or replace function guard_new_withdrawal() returns trigger language plpgsql as $$
declare
  removed timestamptz := (select max(r.removed_at) from payout_number_removals r where r.shop_id = new.shop_id and r.phone = new.phone);
begin
  if not exists (
      select from payout_numbers n where n.shop_id = new.shop_id and n.phone = new.phone and n.free_at <= new.created_at and removed is null
    ) and not exists (
      select from withdrawals w
      where w.shop_id = new.shop_id and w.network = new.network and w.phone = new.phone and w.status = 'paid'
        and (removed is null or w.created_at > removed)
    ) then
    raise exception 'withdrawal % goes to a number that nobody has confirmed', new.reference using errcode = 'DW012';
  end if;
  return new;
end $$;
