create extension if not exists pg_trgm;

-- What an order is found by. A job fills it soon after the order, so that a checkout pays nothing for it; a search
-- also reads the few newest orders that are not here yet. The status is not in it, since it changes.
create table order_search (
  seq bigint primary key,
  words text not null
);

create index order_search_words on order_search using gin (words gin_trgm_ops);

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
