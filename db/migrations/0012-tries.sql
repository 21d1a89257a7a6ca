-- How often something was tried lately, by whom: a bucket that every try fills by one, and that leaks one every so often.
-- All processes count together. Not logged, since it costs less, and after a crash of the database all may try anew.
create unlogged table tries (
  bucket text primary key,
  empty_at timestamptz not null
);

create index tries_empty_at on tries (empty_at);

-- Where somebody has signed in before: a browser keeps a random number, of which only the hash is here. It gives no
-- rights; whoever tries from there is not counted together with those who guess from elsewhere.
create table known_devices (
  device_hash bytea not null,
  user_id uuid not null references users (id),
  last_used_at timestamptz not null,
  primary key (device_hash, user_id)
);

create index known_devices_user on known_devices (user_id, last_used_at desc);
