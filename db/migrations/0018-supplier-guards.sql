-- Why an order that a supplier has was rejected all the same. Null for every other order.
alter table orders add column override_reason text check (length(override_reason) between 3 and 300);

-- How far apart two answers of "not found" must be before the order may be sent again.
alter table supplier_deliveries add column not_found_apart_ms integer not null default 120000 check (not_found_apart_ms > 0);

-- A digest of the operator's messages only where the owner wants one: by default each order has its own.
alter table operations_settings add column sms_digest boolean not null default false;
