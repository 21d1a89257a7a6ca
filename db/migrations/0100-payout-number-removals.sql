-- A number that its shop no longer wants: money goes there again only after a person has looked, confirmed or paid before or not.
set local lock_timeout = '3s';

create table payout_number_removals (
  id bigint generated always as identity primary key,
  shop_id uuid not null references agent_shops,
  phone text not null,
  removed_by uuid not null references users,
  removed_at timestamptz not null
);
create index payout_number_removals_of_shop on payout_number_removals (shop_id, phone, removed_at desc);
