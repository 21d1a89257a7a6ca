-- Money that a client sets aside before it makes its orders, and card payments that pay for several orders.
set local lock_timeout = '3s';

insert into accounts (id, code) values (23, 'reservations'), (24, 'card-payments-unspent') on conflict (id) do nothing;

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text', '''provider-fee''::text, ''reservation''::text, ''reservation-returned''::text');
end $$;

-- Of the wallet's owner, in account 23 until then at the latest.
alter table wallets
  add column reserved_pesewas bigint not null default 0,
  add column reserved_until timestamptz,
  add constraint wallets_reserved check (reserved_pesewas >= 0 and (reserved_pesewas > 0) = (reserved_until is not null));
create index wallets_reserved_until on wallets (reserved_until) where reserved_until is not null;

-- The reference that a client gave its wallet order.
alter table orders add column client_reference text,
  add constraint orders_client_reference check (length(client_reference) between 1 and 64);

-- Of a payment that the payer's client began at the provider: it pays for further orders until then, from account 24.
alter table payments
  add column by_client boolean not null default false,
  add column unspent_pesewas bigint not null default 0,
  add column unspent_until timestamptz,
  add column unspent_uses integer not null default 0,
  add constraint payments_unspent check (unspent_pesewas >= 0 and (unspent_pesewas > 0) = (unspent_until is not null) and (unspent_pesewas = 0 or by_client));
create index payments_unspent_until on payments (unspent_until) where unspent_until is not null;
