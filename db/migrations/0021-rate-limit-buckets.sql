-- The buckets of the rate limiter, formerly `tries`. All processes count together. Unlogged, since it costs less: after a crash
-- of the database every bucket is unused again. `tries` stays for a process of version 0.2 that runs while this is applied;
-- a migration of the version after 0.3 drops it.
create unlogged table rate_limit_buckets (
  name text primary key,
  empty_at timestamptz not null
);

create index rate_limit_buckets_empty_at on rate_limit_buckets (empty_at);

insert into rate_limit_buckets select bucket, empty_at from tries;
