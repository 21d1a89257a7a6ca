set local lock_timeout = '3s';
-- A code for a new PIN belongs to the account that asked for it, by the message that brings it: a number changes hands before it is sent.
alter table transaction_pins add column reset_message_id uuid unique references sms_messages;

alter table payments
  -- What a card payment that was no top-up has left in its payer's wallet, or on hold for it, without the surcharge.
  add column left_pesewas bigint not null default 0,
  -- What is on hold is beyond the limits of top-ups: a person releases it or sends it back.
  add column waits_for_staff boolean not null default false,
  drop constraint payments_on_hold,
  add constraint payments_on_hold check (on_hold_pesewas >= 0 and on_hold_pesewas <= coalesce(topped_up_pesewas, 0) + left_pesewas
    and (on_hold_pesewas > 0) = (on_hold_until is not null)) not valid,
  add constraint payments_left check (left_pesewas = 0
    or (left_pesewas > 0 and left_pesewas <= coalesce(received_pesewas, 0) and user_id is not null and purpose <> 'top-up')) not valid;
alter table payments validate constraint payments_on_hold;
alter table payments validate constraint payments_left;
create index payments_with_rest on payments (user_id, created_at) where left_pesewas > 0;
create index payments_for_staff on payments (seq desc) where waits_for_staff;
