-- A top-up fills its payer's wallet through the card provider. With lines, it also buys them from the wallet as it settles.
set local lock_timeout = '3s';

alter table payments
  -- What a settled top-up put into the wallet: what was received, without the surcharge.
  add column topped_up_pesewas bigint,
  -- What of that its payer cannot spend before on_hold_until; it is in account 18 meanwhile.
  add column on_hold_pesewas bigint not null default 0,
  add column on_hold_until timestamptz,
  drop constraint payments_purpose_check,
  add constraint payments_purpose_check check (purpose in ('order', 'agent-upgrade', 'top-up')),
  drop constraint payments_check,
  add constraint payments_check check (
    case purpose when 'order' then lines is not null when 'agent-upgrade' then lines is null else true end
  ),
  -- An older version does not say what was topped up, so it cannot settle a top-up in its own way.
  add constraint payments_topped_up check (
    (topped_up_pesewas is not null) = (purpose = 'top-up' and status in ('paid', 'held'))
    and coalesce(topped_up_pesewas, 0) between 0 and coalesce(received_pesewas, 0)
  ),
  add constraint payments_on_hold check (
    on_hold_pesewas between 0 and coalesce(topped_up_pesewas, 0) and (on_hold_pesewas > 0) = (on_hold_until is not null)
  );

create index payments_top_ups on payments (user_id, created_at) where purpose = 'top-up';
create index payments_on_hold on payments (on_hold_until) where on_hold_until is not null;

insert into accounts (id, code) values (18, 'top-ups-on-hold');

-- The top-up that was made to buy an order. It was paid from the wallet, but a dispute of the top-up holds it too.
alter table orders
  add column top_up_reference text,
  add constraint orders_topped_up check (top_up_reference is null or paid_with = 'wallet');
create index orders_top_up on orders (top_up_reference) where top_up_reference is not null;

alter table operations_settings
  add column top_up_minimum_pesewas bigint not null default 5000 check (top_up_minimum_pesewas >= 100),
  add column top_up_maximum_pesewas bigint not null default 200000 check (top_up_maximum_pesewas between 100 and 10000000),
  -- For each customer and day (UTC); 0 for no top-ups through the card provider.
  add column top_up_daily_pesewas bigint not null default 500000 check (top_up_daily_pesewas between 0 and 100000000),
  -- How long a new payer cannot spend a top-up; 0 for no hold.
  add column top_up_hold_hours integer not null default 0 check (top_up_hold_hours between 0 and 720),
  add constraint operations_settings_top_up check (top_up_minimum_pesewas <= top_up_maximum_pesewas);
