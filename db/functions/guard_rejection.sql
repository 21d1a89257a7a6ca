-- No refund of an order that a supplier may deliver, unless an admin gave a reason, and none of an order that was sent again
-- because of a report, unless the supplier has refused or failed to deliver it again. The application checks this too.
create or replace function guard_rejection() returns trigger language plpgsql as $$
declare
  standing text;
begin
  select status into standing from supplier_deliveries where order_id = new.id;
  if standing = 'sending' or (standing in ('accepted', 'unknown', 'delivered') and new.override_reason is null) then
    raise exception 'order % is % at the supplier and cannot be rejected', new.id, standing using errcode = 'DW007';
  end if;
  if exists (select from reports where order_id = new.id and status = 'resent') and coalesce(standing not in ('rejected', 'failed'), true) then
    raise exception 'order % was sent again and cannot be refunded', new.id using errcode = 'DW007';
  end if;
  return new;
end $$;
