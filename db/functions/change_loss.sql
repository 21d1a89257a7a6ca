-- The way in which the loss of a payment changes, whose follower for versions before is follow_loss: what went back to its payer (p_returned) and what of that nobody has compensated
-- (p_loss), each by so much. Whatever the payment caused follows. Call it with the payment locked.
create or replace function change_loss(p_payment text, p_returned bigint, p_loss bigint, p_now timestamptz) returns void language plpgsql as $$
declare
  payer uuid;
begin
  update payments set returned_pesewas = returned_pesewas + p_returned, loss_pesewas = loss_pesewas + p_loss
    where reference = p_payment returning user_id into payer;
  perform undo_effects(p_payment, p_now);
  -- What was delivered to an invited customer counts as far as it was paid for.
  update referrals set recheck_at = p_now where referred_id = payer and rewarded_at is not null;
end $$;
