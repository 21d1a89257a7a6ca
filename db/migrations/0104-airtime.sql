-- Airtime that a supplier sends: an amount for a phone of one operator, where data is a volume.
set local lock_timeout = '3s';

alter table supplier_deliveries
  alter column volume_mb drop not null,
  add column airtime_operator text,
  add column airtime_pesewas integer,
  -- Every delivery has a volume, or an operator and an amount.
  add constraint supplier_deliveries_ware check (num_nonnulls(volume_mb, airtime_pesewas) = 1
    and num_nonnulls(airtime_operator, airtime_pesewas) <> 1
    and airtime_pesewas > 0 is not false and airtime_operator in ('MTN', 'Telecel', 'AirtelTigo') is not false);
