-- The ledger by day, so that what the wallets held at any time is known without adding up all entries; and the days that were closed.
set local lock_timeout = '3s';

-- Waits for entries that are being written, and keeps others out until the days below are those of all entries.
alter table account_deltas
  add column day date not null default (now() at time zone 'UTC')::date,
  add column kind text not null default '';
with folded as (delete from account_deltas returning account_id, pesewas)
insert into account_totals as kept (account_id, pesewas) select account_id, sum(pesewas) from folded group by account_id
on conflict (account_id) do update set pesewas = kept.pesewas + excluded.pesewas;

-- What moved on a house account by day and kind of entry, kept as account_totals are. What moved in the wallets is the rest of it.
create table account_days (
  day date not null,
  account_id bigint not null,
  kind text not null,
  postings bigint not null,
  pesewas bigint not null,
  primary key (day, account_id, kind)
);

insert into account_days (day, account_id, kind, postings, pesewas)
select (e.created_at at time zone 'UTC')::date, p.account_id, e.kind, count(*), sum(p.amount_pesewas)
from postings p join journal_entries e on e.id = p.entry_id where p.account_id < 1000 group by 1, 2, 3;

-- For the hours at the ends of a range. Entries come in the order of their times, nearly.
create index journal_entries_created on journal_entries using brin (created_at) with (pages_per_range = 32, autosummarize = on);

-- A range of time whose money somebody counted and signed. It is never changed: a mistake is corrected by a further close of the same
-- range. No entry gets into a range once it is closed (post_entry).
create table day_closes (
  id bigint generated always as identity primary key,
  from_at timestamptz not null,
  until_at timestamptz not null check (until_at > from_at),
  -- The close that this one corrects, which was not corrected before.
  corrects bigint unique references day_closes (id),
  opening_pesewas bigint not null,
  closing_pesewas bigint not null,
  -- The sheet as it was signed, amounts in pesewas.
  sheet jsonb not null,
  -- [{ "key", "name", "expectedPesewas", "countedPesewas", "note" }]: what was counted, and a sentence for each difference.
  counted jsonb not null constraint day_closes_explained check (not jsonb_path_exists(counted,
    '$[*] ? (@.expectedPesewas != null && @.countedPesewas != @.expectedPesewas && (@.note == null || @.note == ""))')),
  note text not null default '' check (length(note) <= 500),
  signed_by uuid not null references users (id),
  signed_at timestamptz not null,
  check (corrects is null or note <> '')
);

create unique index day_closes_in_a_row on day_closes (from_at) where corrects is null;
create index day_closes_until on day_closes (until_at);
