-- A typed number or address is no identity: a number counts as an account's once a code that was sent to it was typed there, an e-mail address once
-- a mail that was sent to it was answered.
set local lock_timeout = '3s';

-- A code without a shop confirms the number for the account that asked for it.
alter table payout_codes alter column shop_id drop not null;
alter table payout_codes add constraint payout_codes_of_asker unique (id, asked_by, phone);
create index payout_codes_of_account on payout_codes (asked_by, asked_at desc);

create table confirmed_numbers (
  phone text primary key,
  user_id uuid not null references users,
  code_id uuid not null unique,
  confirmed_at timestamptz not null,
  foreign key (code_id, user_id, phone) references payout_codes (id, asked_by, phone)
);
create index confirmed_numbers_of_user on confirmed_numbers (user_id);

-- When a mail to the present address was answered. Null for every address from before.
alter table users add column email_confirmed_at timestamptz;
