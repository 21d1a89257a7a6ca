-- A shop that is full of its guests' forms makes room at the address that has given most of them.
set local lock_timeout = '3s';
alter table afa_forms
  -- The network of a guest's address (platform/address-key.ts). Null for accounts, and for forms of versions before.
  add column guest_address text constraint afa_forms_guest_address check (guest_address is null or (user_id is null and length(guest_address) <= 64));
