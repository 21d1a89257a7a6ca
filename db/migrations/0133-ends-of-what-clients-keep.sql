-- What clients make gets an end: a list waits for its payment under its payer, a logo goes once another has replaced it, and a webhook gets few
-- calls until it has answered one.
set local lock_timeout = '3s';

-- Null for lists of an older process, which are not counted.
alter table payment_lists add column user_id uuid;
create index payment_lists_waiting on payment_lists (user_id) where list is not null;

-- Pictures of products stay: orders show them. Logos that an older process stores are taken for such, and stay.
alter table images add column of_products boolean not null default true;
update images i set of_products = false
where not exists (select from products p where p.image_hash = i.hash)
  and (exists (select from agent_shops s where s.logo_hash = i.hash) or exists (select from shop_settings s where i.hash in (s.logo_hash, s.icon_hash)));

alter table webhook_endpoints add column proven_at timestamptz, add column unproven_calls integer not null default 0;
update webhook_endpoints e set proven_at = now()
where exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'delivered');

create index api_events_of_tests on api_events (user_id) where is_test or type = 'endpoint.test';
