-- Deliveries by the hour, by package, and by how long they took, for Insight. Kept as order_totals are: a completed order adds a line to
-- insight_deltas, which a job folds. What an older version completed before this is not in it.
create table insight_hours (
  hour timestamptz not null,
  network text not null,
  -- A supplier's name, or 'by-hand'.
  supplier text not null,
  orders bigint not null,
  -- Sold, less what was refunded after its delivery; of that, what belongs to orders whose cost is known; and that cost.
  net_pesewas bigint not null,
  costed_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  primary key (hour, network, supplier)
);

create table insight_packages (
  day date not null,
  network text not null,
  supplier text not null,
  offer text not null,
  orders bigint not null,
  net_pesewas bigint not null,
  costed_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  primary key (day, network, supplier, offer)
);

-- From payment to delivery, in minutes, rounded up; longer ones in steps (delivery_minutes).
create table insight_minutes (
  day date not null,
  network text not null,
  supplier text not null,
  minutes integer not null,
  orders bigint not null,
  primary key (day, network, supplier, minutes)
);

-- The same by the hour of the day in which the order was bought, in longer steps.
create table insight_hour_minutes (
  day date not null,
  network text not null,
  supplier text not null,
  hour smallint not null check (hour between 0 and 23),
  minutes integer not null,
  orders bigint not null,
  primary key (day, network, supplier, hour, minutes)
);

create table insight_deltas (
  at timestamptz not null,
  network text not null,
  supplier text not null,
  offer text not null,
  orders integer not null default 0,
  net_pesewas bigint not null default 0,
  costed_pesewas bigint not null default 0,
  cost_pesewas bigint not null default 0,
  uncosted_orders integer not null default 0,
  bought_hour smallint,
  minutes integer
);

-- Who bought every week for four weeks and then stopped. Counted once a day.
create table lapsed_buyers (
  user_id uuid primary key references users,
  weekly_orders integer not null,
  last_order_at timestamptz not null
);

create table insight_progress (
  singleton boolean primary key default true check (singleton),
  lapsed_on date
);

insert into insight_progress default values;
