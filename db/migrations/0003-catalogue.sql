-- Pictures are stored once, under the hash of their bytes, and served from there for ever.
create table images (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  content_type text not null check (content_type in ('image/webp')),
  bytes bytea not null check (length(bytes) <= 204800),
  created_at timestamptz not null
);

create table products (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity unique,
  network text not null check (network in ('MTN', 'AirtelTigo', 'Telecel', 'Airtime', 'AFA', 'WAEC Checkers', 'MTN PULSE')),
  image_hash text not null references images (hash),
  status text not null default 'available' check (status in ('available', 'out of stock')),
  created_at timestamptz not null
);

create table packages (
  id uuid primary key default gen_random_uuid(),
  product_id uuid not null references products (id) on delete cascade,
  position smallint not null,
  offer text not null check (offer = btrim(offer) and length(offer) between 1 and 60),
  price_customer_pesewas bigint not null check (price_customer_pesewas > 0),
  price_agent_pesewas bigint not null check (price_agent_pesewas > 0),
  unique (product_id, offer)
);
