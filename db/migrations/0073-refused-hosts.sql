-- The owner may refuse a host name that an agent asked for. The agent reads which one until they ask again.
set local lock_timeout = '3s';

alter table agent_shops
  add column refused_host text,
  add constraint agent_shops_refused_host check (length(refused_host) between 4 and 100);
