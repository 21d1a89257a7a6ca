-- Double entry in whole pesewas. An account's balance is the sum of its postings; a positive posting to a wallet
-- is money that the shop owes its owner. Ids below 1000 are the house's accounts, named in server/ledger/accounts.ts.
create table accounts (
  id bigint primary key,
  code text not null unique
);

create sequence wallet_account_ids start 1000;

insert into accounts (id, code) values
  (1, 'sales'),
  (2, 'card-surcharges'),
  (3, 'agent-upgrade-fees'),
  (4, 'mobile-money-received'),
  (5, 'card-payments-received'),
  (6, 'adjustments'),
  (7, 'payments-held');

-- Running balances are kept for wallets only: a house account that every sale updated would be a hot row.
create table wallets (
  account_id bigint primary key references accounts (id),
  user_id uuid not null unique references users (id),
  balance_pesewas bigint not null default 0 constraint wallet_not_below_zero check (balance_pesewas >= 0),
  total_purchase_pesewas bigint not null default 0 check (total_purchase_pesewas >= 0),
  version bigint not null default 0
) with (fillfactor = 70);

create table journal_entries (
  id bigint generated always as identity primary key,
  key text not null unique check (length(key) between 3 and 200),
  kind text not null check (kind in (
    'order', 'order-refund', 'admin-credit', 'admin-debit', 'recharge', 'card-payment', 'card-surcharge', 'agent-upgrade'
  )),
  memo text not null default '',
  actor_id uuid references users (id),
  -- The transaction that wrote the entry: postings may only be added by the same one.
  xact xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null
);

create table postings (
  entry_id bigint not null references journal_entries (id),
  line smallint not null check (line > 0),
  account_id bigint not null references accounts (id),
  amount_pesewas bigint not null check (amount_pesewas <> 0),
  -- For a wallet: its balance after this posting. Null for a house account.
  balance_after_pesewas bigint check (balance_after_pesewas >= 0),
  primary key (entry_id, line),
  check ((account_id >= 1000) = (balance_after_pesewas is not null))
);

create index postings_account on postings (account_id, entry_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'DW001';
end $$;

create trigger journal_entries_append_only before update or delete on journal_entries
  for each row execute function refuse_change();
create trigger journal_entries_no_truncate before truncate on journal_entries
  for each statement execute function refuse_change();
create trigger postings_append_only before update or delete on postings
  for each row execute function refuse_change();
create trigger postings_no_truncate before truncate on postings
  for each statement execute function refuse_change();

create function check_posting_is_of_its_transaction() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added join journal_entries entry on entry.id = added.entry_id
    where entry.xact <> pg_current_xact_id()
  ) then
    raise exception 'a posting may only join an entry of its own transaction' using errcode = 'DW002';
  end if;
  return null;
end $$;

create trigger postings_of_their_transaction after insert on postings
  referencing new table as added
  for each statement execute function check_posting_is_of_its_transaction();

create function check_entry_balances() returns trigger language plpgsql as $$
declare
  total numeric;
  lines integer;
begin
  select coalesce(sum(amount_pesewas), 0), count(*) into total, lines from postings where entry_id = new.id;
  if lines < 2 then
    raise exception 'journal entry % (%) has % postings, at least two are needed', new.id, new.key, lines using errcode = 'DW003';
  end if;
  if total <> 0 then
    raise exception 'journal entry % (%) does not balance: its postings sum to %', new.id, new.key, total using errcode = 'DW003';
  end if;
  return null;
end $$;

-- Deferred to the commit, when all postings of the entry are there.
create constraint trigger journal_entries_balance after insert on journal_entries
  deferrable initially deferred
  for each row execute function check_entry_balances();

-- The house accounts' balances, kept without a hot row: each entry adds a line to account_deltas, which a job now and
-- then folds into account_totals. A balance is the sum of both, read in one statement.
create table account_totals (
  account_id bigint primary key references accounts (id),
  pesewas bigint not null
);

create table account_deltas (
  account_id bigint not null,
  pesewas bigint not null
);

create function fold_account_deltas() returns void language sql as $$
  with folded as (delete from account_deltas returning account_id, pesewas)
  insert into account_totals as kept (account_id, pesewas)
  select account_id, sum(pesewas) from folded group by account_id
  on conflict (account_id) do update set pesewas = kept.pesewas + excluded.pesewas
$$;

create view house_balances as
  select a.id as account_id, a.code, coalesce(kept.pesewas, 0) + coalesce(added.pesewas, 0) as pesewas
  from accounts a
  left join account_totals kept on kept.account_id = a.id
  left join (select account_id, sum(pesewas) as pesewas from account_deltas group by account_id) added on added.account_id = a.id
  where a.id < 1000;

create function create_wallet(p_user uuid) returns bigint language plpgsql as $$
declare
  account bigint := nextval('wallet_account_ids');
begin
  insert into accounts (id, code) values (account, 'wallet:' || p_user);
  insert into wallets (account_id, user_id) values (account, p_user);
  return account;
end $$;

-- Moves money: one balanced entry, p_accounts[i] gets p_amounts[i] pesewas. The only writer of postings and of
-- wallet balances. The same key with the same lines is the same entry and moves nothing again; with other
-- lines it is an error (DW004). A wallet that would go below zero is an error (constraint wallet_not_below_zero).
create function post_entry(
  p_key text, p_kind text, p_memo text, p_actor uuid, p_accounts bigint[], p_amounts bigint[], p_now timestamptz
) returns bigint language plpgsql as $$
declare
  entry bigint;
  same boolean;
  after bigint;
begin
  -- Sorted, so that two entries over the same wallets never wait for each other in a circle.
  perform 1 from wallets where account_id = any (p_accounts) order by account_id for update;

  insert into journal_entries (key, kind, memo, actor_id, created_at)
  values (p_key, p_kind, p_memo, p_actor, p_now)
  on conflict (key) do nothing
  returning id into entry;

  if entry is null then
    select e.id, e.kind = p_kind and (
      select array_agg(p.account_id order by p.line) = p_accounts and array_agg(p.amount_pesewas order by p.line) = p_amounts
      from postings p where p.entry_id = e.id
    ) into entry, same from journal_entries e where e.key = p_key;
    if same is not true then
      raise exception 'journal key % was used for another entry', p_key using errcode = 'DW004';
    end if;
    return entry;
  end if;

  for i in 1 .. cardinality(p_accounts) loop
    after := null;
    if p_accounts[i] >= 1000 then
      update wallets set balance_pesewas = balance_pesewas + p_amounts[i], version = version + 1
      where account_id = p_accounts[i]
      returning balance_pesewas into strict after;
    else
      insert into account_deltas (account_id, pesewas) values (p_accounts[i], p_amounts[i]);
    end if;
    insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
    values (entry, i, p_accounts[i], p_amounts[i], after);
  end loop;
  return entry;
end $$;
