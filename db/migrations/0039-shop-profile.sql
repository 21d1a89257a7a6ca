-- What the owner changes on the screen. Null: as the environment says, which is how a shop starts.
set local lock_timeout = '3s';
alter table shop_settings
  add column name text check (length(name) between 1 and 60),
  add column tagline text check (length(tagline) between 1 and 120),
  add column phone text check (phone ~ '^[0-9]{10}$'),
  add column email text check (email = lower(btrim(email))),
  add column whatsapp text[] check (cardinality(whatsapp) between 1 and 2),
  add column work_hours text check (length(work_hours) between 1 and 100),
  add column brand text check (brand in ('green', 'blue', 'purple', 'wine', 'teal', 'ink')),
  -- Small for the header and large for a phone's home screen.
  add column logo_hash text references images,
  add column icon_hash text references images,
  -- Where customers send mobile money, one number for each network: [{ network, phone, accountName }]. Empty: to the one number above.
  add column payment_numbers jsonb not null default '[]' check (jsonb_typeof(payment_numbers) = 'array'),
  -- In hundredths of a percent.
  add column card_surcharge integer check (card_surcharge between 0 and 1000),
  add column agent_fee_pesewas bigint check (agent_fee_pesewas between 100 and 1000000),
  add column setup_hidden_at timestamptz;
