-- A float is what the shop has paid in elsewhere: at a supplier, at the SMS service, or at a portal that is used by hand. Its key is the
-- supplier's name, 'sms', or 'by-hand:' and the network. Amounts are pesewas, or messages for the SMS service.
set local lock_timeout = '3s';

create table float_readings (
  id bigint generated always as identity primary key,
  float_key text not null check (length(float_key) between 2 and 60),
  amount bigint not null,
  read_at timestamptz not null,
  -- By hand only: who counted, what the shop expected then, and what had been spent in that hour before, which is not spent since.
  entered_by uuid references users,
  expected bigint,
  spent_in_hour bigint not null default 0
);

create index float_readings_newest on float_readings (float_key, read_at desc, id desc);

-- What the owner was told about a float. One that is not over is not told again.
create table float_alarms (
  id bigint generated always as identity primary key,
  float_key text not null,
  kind text not null check (kind in ('low', 'finished', 'stopped')),
  amount bigint,
  raised_at timestamptz not null,
  ended_at timestamptz,
  message_id uuid references sms_messages
);

create unique index float_alarms_once on float_alarms (float_key, kind) where ended_at is null;
create index float_alarms_newest on float_alarms (float_key, kind, raised_at desc);

create table float_settings (
  singleton boolean primary key default true check (singleton),
  -- The owner is told when a float lasts less than this at the day's rate.
  alarm_hours integer not null default 1 check (alarm_hours between 1 and 72),
  -- How to top up, by key.
  how_to_top_up jsonb not null default '{}' check (jsonb_typeof(how_to_top_up) = 'object')
);

insert into float_settings default values;

-- Why the last call to a supplier failed ('no-money' and so on; empty when it did not say), and when.
alter table supplier_health add column cause text not null default '', add column failed_at timestamptz;

-- Orders that wait to be sent, by supplier: few, whatever the shop has delivered.
create index supplier_deliveries_waiting on supplier_deliveries (supplier) where status = 'waiting';

-- Messages to the owner about a float.
alter table sms_messages
  drop constraint sms_messages_kind_check,
  drop constraint sms_messages_check,
  add constraint sms_messages_kind_check check (kind in ('order', 'completed', 'digest', 'rejected', 'reply', 'alarm')),
  add constraint sms_messages_check check ((order_id is null) = (kind in ('digest', 'reply', 'alarm')));
