-- Names that customers give to the numbers they buy for. The same number may be known under one name for MTN and another for
-- airtime, so a contact belongs to a network.
create table contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  network text not null check (network in ('MTN', 'AirtelTigo', 'Telecel', 'Airtime', 'AFA', 'WAEC Checkers', 'MTN PULSE')),
  phone text not null check (phone ~ '^[0-9]{10}$'),
  name text not null check (name = btrim(name) and length(name) between 1 and 40),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (user_id, network, phone)
);
