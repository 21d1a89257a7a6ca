create extension if not exists pg_trgm;

-- What an order is found by. A job fills it soon after the order, so that a checkout pays nothing for it; a search
-- also reads the few newest orders that are not here yet. The status is not in it, since it changes.
create table order_search (
  seq bigint primary key,
  words text not null
);

create index order_search_words on order_search using gin (words gin_trgm_ops);

create function order_words(made orders) returns text language sql stable as $$
  select concat_ws(' ', coalesce(made.client_id, made.seq::text), u.username, made.network, made.receiver, made.offer, made.reference,
    made.payment_reference, to_char(made.created_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS'),
    (made.price_pesewas / 100.0)::numeric(20, 2)::text)
  from users u where u.id = made.user_id
$$;

-- The newest orders that order_search lacks. A transaction that took its number early may commit late, so the last
-- thousand numbers before the newest known one are looked at again.
create view orders_not_searchable as
  select o.seq, o.network, o.status, order_words(o) as words from orders o
  where o.seq > (select coalesce(max(seq), 0) - 1000 from order_search)
    and not exists (select from order_search s where s.seq = o.seq);

create function index_new_orders() returns void language sql as $$
  insert into order_search (seq, words)
  select seq, words from orders_not_searchable order by seq limit 20000
  on conflict (seq) do nothing
$$;

create index users_words on users using gin ((username || ' ' || phone || ' ' || email) gin_trgm_ops);

-- How many rows a list has, kept by those who write it; none of these lists grows fast enough to make its row hot.
create table list_counts (
  list text not null,
  status text not null default '',
  rows bigint not null default 0,
  primary key (list, status)
);

insert into list_counts (list, status) values
  ('users', ''), ('admin_actions', ''), ('recharges', 'pending'), ('recharges', 'approved'), ('recharges', 'declined');
update list_counts set rows = (select count(*) from users) where list = 'users';
update list_counts set rows = (select count(*) from admin_actions) where list = 'admin_actions';
update list_counts set rows = (select count(*) from recharges r where r.status = list_counts.status) where list = 'recharges';

create function count_row() returns trigger language plpgsql as $$
begin
  update list_counts set rows = rows + 1 where list = tg_table_name and status = '';
  return null;
end $$;

create function count_recharge() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update list_counts set rows = rows - 1 where list = 'recharges' and status = old.status;
  end if;
  update list_counts set rows = rows + 1 where list = 'recharges' and status = new.status;
  return null;
end $$;

create trigger users_counted after insert on users for each row execute function count_row();
create trigger admin_actions_counted after insert on admin_actions for each row execute function count_row();
create trigger recharges_counted after insert on recharges for each row execute function count_recharge();
create trigger recharges_recounted after update of status on recharges for each row
  when (old.status is distinct from new.status) execute function count_recharge();
