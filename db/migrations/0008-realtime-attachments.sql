-- Between processes, an announcement that is too long for a notification waits here; @socket.io/postgres-adapter
-- names it so, writes and reads it, and empties it. Nothing is lost with it that a client does not read afresh.
create unlogged table socket_io_attachments (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  payload bytea
);
