-- A new number for earnings is confirmed by a code that is sent to it; then money goes out to it without a person.
set local lock_timeout = '3s';

alter table withdrawal_rules
  -- How long a number waits that is confirmed soon after the account's phone, e-mail address or password was changed.
  add column number_hold_hours integer not null default 24 check (number_hold_hours between 0 and 168);

-- When the phone, the e-mail address or the password was changed last; a trigger notes it.
alter table users add column login_changed_at timestamptz;

create table payout_codes (
  id uuid primary key default gen_random_uuid(),
  shop_id uuid not null references agent_shops,
  phone text not null check (phone ~ '^0[25][0-9]{8}$'),
  asked_by uuid not null references users,
  asked_at timestamptz not null,
  -- The code is made as its message is sent, and only its hash is kept.
  hash bytea check (length(hash) = 32),
  ends_at timestamptz,
  wrong integer not null default 0 check (wrong between 0 and 5),
  used_at timestamptz,
  unique (id, shop_id, phone),
  check ((hash is null) = (ends_at is null)),
  check (used_at is null or hash is not null)
);
create index payout_codes_of_shop on payout_codes (shop_id, asked_at desc);
create index payout_codes_of_phone on payout_codes (phone, asked_at desc);

create table payout_numbers (
  shop_id uuid not null references agent_shops,
  phone text not null,
  code_id uuid not null unique,
  confirmed_by uuid not null references users,
  confirmed_at timestamptz not null,
  -- From then on money goes out to it without a person.
  free_at timestamptz not null check (free_at >= confirmed_at),
  primary key (shop_id, phone),
  foreign key (code_id, shop_id, phone) references payout_codes (id, shop_id, phone)
);

alter table sms_messages add column payout_code_id uuid references payout_codes;
create index sms_messages_of_payout_codes on sms_messages (payout_code_id) where payout_code_id is not null;

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  named text;
begin
  foreach named in array array['sms_messages_kind_check', 'sms_messages_check'] loop
    execute (select format('alter table sms_messages drop constraint %I, add constraint %I %s', named, named,
        replace(pg_get_constraintdef(oid), '''refund-code''::text', '''refund-code''::text, ''payout-code''::text, ''payout-number''::text'))
      from pg_constraint where conname = named);
  end loop;
end $$;
alter table sms_messages add constraint sms_messages_of_payout_code check ((payout_code_id is not null) = (kind = 'payout-code'));
