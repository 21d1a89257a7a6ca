-- A supplier delivered an order after all that had gone on since: told once in the order's history, however often it says so.
set local lock_timeout = '3s';

alter table delivery_events drop constraint delivery_events_kind_check;
alter table delivery_events add constraint delivery_events_kind_check
  check (kind in ('not-taken', 'unknown', 'asked', 'rejected', 'failed', 'delivered-after-all'));
create unique index delivery_events_after_all on delivery_events (reference) where kind = 'delivered-after-all';
