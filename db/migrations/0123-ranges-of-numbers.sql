-- The activity and the words of orders are kept in ranges of their numbers, so that what is old lies in tables of its own, which no new
-- row touches. What is there becomes the first range; db/functions/make_partitions.sql makes the ones after it.
set local lock_timeout = '3s';

-- Their triggers are made again for the whole.
drop trigger if exists admin_actions_append_only on admin_actions;
drop trigger if exists admin_actions_no_truncate on admin_actions;
drop trigger if exists admin_actions_counted on admin_actions;
do $$ begin
  if to_regclass('schema_functions') is not null then delete from schema_functions where name = 'triggers/admin_actions.sql'; end if;
end $$;

alter table admin_actions rename to admin_actions_1;
alter index admin_actions_pkey rename to admin_actions_1_pkey;
alter index admin_actions_action rename to admin_actions_1_action;
alter index admin_actions_actor rename to admin_actions_1_actor;
alter index admin_actions_created rename to admin_actions_1_created;
alter index admin_actions_note rename to admin_actions_1_note;
alter index admin_actions_subject rename to admin_actions_1_subject;
alter table admin_actions_1 alter column id drop identity;

create table admin_actions (
  like admin_actions_1 including defaults,
  primary key (id),
  constraint admin_actions_actor_id_fkey foreign key (actor_id) references users (id)
) partition by range (id);
alter table admin_actions alter column id add generated always as identity;
create index admin_actions_action on admin_actions (action, id desc);
create index admin_actions_actor on admin_actions (actor_id, id desc);
create index admin_actions_created on admin_actions (created_at);
create index admin_actions_note on admin_actions using gin (note gin_trgm_ops) where note <> '';
create index admin_actions_subject on admin_actions (subject_type, subject_id, id desc);

alter table order_search rename to order_search_1;
alter index order_search_pkey rename to order_search_1_pkey;
alter index order_search_words rename to order_search_1_words;

create table order_search (like order_search_1, primary key (seq)) partition by range (seq);
create index order_search_words on order_search using gin (words gin_trgm_ops);

do $$
declare
  -- As in make_partitions.
  size constant bigint := 4000000;
  last_action constant bigint := (select coalesce(max(id), 0) from admin_actions_1);
  action_end constant bigint := (last_action / size + 1) * size;
  order_end constant bigint := (select coalesce(max(seq), 0) / size + 1 from order_search_1) * size;
begin
  perform setval(pg_get_serial_sequence('admin_actions', 'id'), greatest(last_action, 1), last_action > 0);
  execute format('alter table admin_actions attach partition admin_actions_1 for values from (minvalue) to (%s)', action_end);
  execute format('alter table order_search attach partition order_search_1 for values from (minvalue) to (%s)', order_end);
  for ahead in 0..1 loop
    execute format('create table admin_actions_%s partition of admin_actions for values from (%s) to (%s)',
      ahead + 2, action_end + ahead * size, action_end + (ahead + 1) * size);
    execute format('create table order_search_%s partition of order_search for values from (%s) to (%s)',
      ahead + 2, order_end + ahead * size, order_end + (ahead + 1) * size);
  end loop;
end $$;
