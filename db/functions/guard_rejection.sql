-- No refund of an order that a supplier may deliver, unless an admin gave a reason. The application checks this too.
create or replace function guard_rejection() returns trigger language plpgsql as $$
declare
  standing text;
begin
  select status into standing from supplier_deliveries where order_id = new.id;
  if standing = 'sending' or (standing in ('accepted', 'unknown', 'delivered') and new.override_reason is null) then
    raise exception 'order % is % at the supplier and cannot be rejected', new.id, standing using errcode = 'DW007';
  end if;
  return new;
end $$;
