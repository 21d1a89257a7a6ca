-- A message that somebody answers just now, so that a repetition at the same moment waits for that. What outlives its time was left by a process that
-- died; session: the conversation in which that one may have acted, so that whoever answers the message next can say what came of it.
create table whatsapp_claims (
  id text primary key check (length(id) between 1 and 200),
  by uuid not null,
  until timestamptz not null,
  session text
);
create index whatsapp_claims_old on whatsapp_claims (until);
