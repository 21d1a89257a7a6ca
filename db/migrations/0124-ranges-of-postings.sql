-- The postings are kept in ranges of their entries' numbers, as the activity and the words of orders are. What is there becomes the first
-- range, whose end was proved beforehand (prepare/0124-ranges-of-postings.sql); an empty or small table is read instead.
set local lock_timeout = '3s';

-- Their triggers are made again for the whole.
drop trigger if exists postings_append_only on postings;
drop trigger if exists postings_no_truncate on postings;
drop trigger if exists postings_of_their_transaction on postings;
do $$ begin
  if to_regclass('schema_functions') is not null then delete from schema_functions where name = 'triggers/postings.sql'; end if;
end $$;

alter table postings rename to postings_1;
alter index postings_pkey rename to postings_1_pkey;
alter index postings_account rename to postings_1_account;

create table postings (
  like postings_1 including defaults including constraints,
  primary key (entry_id, line),
  constraint postings_entry_id_fkey foreign key (entry_id) references journal_entries (id),
  constraint postings_account_id_fkey foreign key (account_id) references accounts (id)
) partition by range (entry_id);
alter table postings drop constraint if exists postings_first_range;
create index postings_account on postings (account_id, entry_id);

do $$
declare
  -- As in make_partitions.
  size constant bigint := 4000000;
  proved constant bigint := (select substring(pg_get_constraintdef(oid) from '\d+') from pg_constraint
    where conrelid = 'postings_1'::regclass and conname = 'postings_first_range' and convalidated);
  newest constant bigint :=
    greatest((select max(entry_id) from postings_1), pg_sequence_last_value(pg_get_serial_sequence('journal_entries', 'id')::regclass), 0);
  first_end constant bigint := coalesce(proved, (newest / size + 1) * size);
begin
  execute format('alter table postings attach partition postings_1 for values from (minvalue) to (%s)', first_end);
  alter table postings_1 drop constraint if exists postings_first_range;
  for ahead in 0..1 loop
    execute format('create table postings_%s partition of postings for values from (%s) to (%s)',
      ahead + 2, first_end + ahead * size, first_end + (ahead + 1) * size);
  end loop;
end $$;
