-- Whoever registers with a number that an unconfirmed account has proves by a code that it is theirs, before they have an account themselves.
set local lock_timeout = '3s';
alter table payout_codes
  -- Null until the code has opened the account, whose it is from then on.
  alter column asked_by drop not null,
  add constraint payout_codes_of_newcomer check (asked_by is not null or shop_id is null) not valid;
alter table payout_codes validate constraint payout_codes_of_newcomer;
create index payout_codes_of_newcomers on payout_codes (asked_at) where asked_by is null;
