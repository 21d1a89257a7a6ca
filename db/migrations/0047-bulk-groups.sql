-- Lists that an agent keeps, and when they are placed by themselves.
create table bulk_groups (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  name text not null check (name = btrim(name) and length(name) between 1 and 60),
  -- [{ "name", "phoneNumber", "network", "offer" }]: a group is always read and written as a whole.
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and jsonb_array_length(lines) between 1 and 5000),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index bulk_groups_name on bulk_groups (user_id, lower(name));

create table bulk_schedules (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  group_id uuid not null references bulk_groups on delete cascade,
  repeats text not null check (repeats in ('once', 'weekly', 'monthly')),
  -- Of a single run its date, otherwise the day of the week (1 is Monday) or of the month.
  day date,
  weekday smallint check (weekday between 1 and 7),
  month_day smallint check (month_day between 1 and 31),
  -- The hour and minute in Ghana, which is UTC all year.
  at_time time not null,
  -- The highest total that is placed without a question.
  most_pesewas bigint not null check (most_pesewas > 0),
  is_paused boolean not null default false,
  -- None once it has ended.
  next_at timestamptz,
  -- Whoever owns it was told that the wallet will not do for the run of this time.
  warned_for timestamptz,
  -- Why the run of this time was not placed and waits for an answer.
  question text check (question in ('price', 'balance', 'missed', 'lines')),
  question_due_at timestamptz,
  question_total_pesewas bigint,
  last_job_id uuid references bulk_jobs,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((repeats = 'once') = (day is not null)),
  check ((repeats = 'weekly') = (weekday is not null)),
  check ((repeats = 'monthly') = (month_day is not null)),
  check ((question is null) = (question_due_at is null))
);
create index bulk_schedules_user on bulk_schedules (user_id);
create index bulk_schedules_group on bulk_schedules (group_id);
create index bulk_schedules_due on bulk_schedules (next_at) where next_at is not null and not is_paused;
