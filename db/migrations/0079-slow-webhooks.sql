-- An endpoint whose answers take long is served after those that answer at once, as one that fails is.
set local lock_timeout = '3s';

alter table webhook_endpoints add column slow_since timestamptz;
