-- An order has used what its buyer's client set aside, so that this did not cost the shop its entries for nothing: gives the buyer's share of money to and
-- fro (server/platform/shares.ts, with the same figures) one place back.
create or replace function return_set_aside(p_user uuid, p_now timestamptz) returns void language sql as $$
  select settle_attempts('money to and fro ' || p_user, 200, 432000, -1, p_now)
$$;
