-- A PIN that a customer wants to be asked for before their wallet is spent, and that other ways to buy than the site always ask for.
create table transaction_pins (
  user_id uuid primary key references users,
  -- An argon2 hash, encrypted if the shop has a key for its secrets.
  pin bytea not null,
  -- Whether purchases on the site ask for it.
  at_checkout boolean not null,
  changed_at timestamptz not null,
  -- Wrong ones since the last right one or the last lock; how often it was locked lately; until when it is.
  tries integer not null default 0 check (tries between 0 and 4),
  locks integer not null default 0 check (locks >= 0),
  locked_until timestamptz,
  -- For a forgotten PIN: when its owner asked for another, how often since the last change, and the code that was sent.
  reset_asked_at timestamptz,
  resets integer not null default 0,
  reset_hash bytea,
  reset_tries integer not null default 0
);

-- Says that a PIN was right just now. It is used up by one purchase, in the purchase's own transaction.
create table pin_proofs (
  hash bytea primary key,
  user_id uuid not null references transaction_pins on delete cascade,
  expires_at timestamptz not null
);
create index pin_proofs_of_user on pin_proofs (user_id);
