-- An order that is refunded after its delivery counts no longer for the reward of whoever invited its buyer.
create or replace function note_undone_order() returns trigger language plpgsql as $$
begin
  update referrals set recheck_at = new.decided_at where referred_id = new.user_id and rewarded_at is not null;
  return null;
end $$;
