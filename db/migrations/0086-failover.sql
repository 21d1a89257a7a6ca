-- Several suppliers for one network, tried in the owner's order.
set local lock_timeout = '3s';

alter table operations_settings
  -- By network, the suppliers after the one in supplier_routes, in their order.
  add column supplier_fallbacks jsonb not null default '{}' check (jsonb_typeof(supplier_fallbacks) = 'object'),
  -- An order may move on to a supplier where it costs more than it was sold for, or where the cost is not known.
  add column send_below_cost boolean not null default false,
  -- For how many days a number may be with its network for verification before a person must look.
  add column verification_days integer not null default 7 check (verification_days between 1 and 30);

-- An order that moves on by itself has nobody who restarted it. Only one that its supplier certainly does not have moves on so.
alter table delivery_restarts
  alter column restarted_by drop not null,
  -- Why it moved on by itself.
  add column why text,
  add constraint delivery_restarts_by_itself check (restarted_by is not null or (to_supplier is not null and to_supplier <> from_supplier
    and from_status in ('waiting', 'rejected', 'failed') and not looked_at_portal));

-- A bundle that a supplier said it does not sell. Believed for a day.
create table supplier_gaps (
  supplier text not null,
  network text not null,
  volume_mb integer not null check (volume_mb > 0),
  detail text not null,
  noted_at timestamptz not null,
  primary key (supplier, network, volume_mb)
);

-- For each supplier's refusals of the last days.
create index delivery_events_by_time on delivery_events (at) where kind in ('rejected', 'failed');

-- Since when the network has been verifying the receiver's number before the data can be delivered; null when it is not.
alter table supplier_deliveries add column verifying_since timestamptz;
