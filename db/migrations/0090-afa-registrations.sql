-- What the registrar of AFA needs to know about a person. Without a row an AFA order waits for these details. Whether it was registered or
-- refused is the order's own status.
create sequence afa_batches as bigint;

create table afa_registrations (
  order_id uuid primary key references orders,
  -- Encrypted if the shop has a key for its secrets; null once it was erased.
  details bytea,
  -- A keyed hash of the card's number, so that one card is registered once.
  card_hash bytea,
  -- When the person agreed that the details are passed on, which is when they were given.
  consented_at timestamptz not null,
  -- When and in which file they went to the registrar.
  sent_at timestamptz,
  batch bigint,
  erased_at timestamptz,
  check ((sent_at is null) = (batch is null)),
  check ((details is null) = (erased_at is not null)),
  check ((card_hash is null) = (erased_at is not null))
);
create index afa_registrations_of_card on afa_registrations (card_hash) where card_hash is not null;
create index afa_registrations_unsent on afa_registrations (consented_at) where sent_at is null and erased_at is null;
create index afa_registrations_of_batch on afa_registrations (batch) where batch is not null;
