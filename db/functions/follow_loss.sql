-- At the commit, when a process of a version before has changed the loss of a payment without change_loss: what the payment caused follows all the
-- same. After change_loss there is nothing left to do.
create or replace function follow_loss() returns trigger language plpgsql as $$
begin
  perform undo_effects(new.reference, now());
  update referrals set recheck_at = now() where referred_id = new.user_id and rewarded_at is not null and recheck_at is null;
  return null;
end $$;
