-- A guest's refund code, PINs and AFA details are shown where the guest pays: staff and suppliers see the references, too.
set local lock_timeout = '3s';
alter table payments
  -- The hash of a random id that the browser keeps which began the payment. Null for accounts, and for payments of versions before.
  add column guest_browser bytea constraint payments_guest_browser check (guest_browser is null or (user_id is null and length(guest_browser) = 32));
