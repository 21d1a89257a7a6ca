-- A card payment may be for a list of thousands of lines. They are kept apart, so that reading payments stays as cheap as it is.
set local lock_timeout = '3s';
-- How many lines that list has; null for other payments.
alter table payments add column list_lines integer;

create table payment_lists (
  reference text primary key references payments,
  -- The list as it is placed once the payment is settled; none once it was placed, since its lines are then those of bulk_lines.
  list jsonb check (jsonb_typeof(list) = 'object'),
  created_at timestamptz not null
);
