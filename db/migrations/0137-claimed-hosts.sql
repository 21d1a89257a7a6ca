-- Only an approved host name is a shop's. Before, whoever claimed one first kept its rightful owner from it.
set local lock_timeout = '3s';
alter table agent_shops drop constraint agent_shops_host_key;
create unique index agent_shops_approved_host on agent_shops (host) where host_approved_at is not null;
create index agent_shops_claimed_host on agent_shops (host) where host is not null;
