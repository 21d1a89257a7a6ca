-- A customer's refund is of their own refunded order, and a payment never gives back more than it brought in. The payment is locked, so
-- that two of its orders see each other.
create or replace function guard_refund_to_source() returns trigger language plpgsql as $$
declare
  room bigint;
begin
  if new.user_id is null then return new; end if;
  if not exists (select from orders o where o.id = new.order_id and o.user_id = new.user_id and o.status = 'rejected'
      and o.payment_reference = new.payment_reference and new.amount_pesewas <= o.price_pesewas + o.surcharge_pesewas) then
    raise exception 'no refunded order of customer % is worth refund of %', new.user_id, new.payment_reference using errcode = 'DW013';
  end if;
  select coalesce(m.received_pesewas, 0) - m.returned_pesewas into room from payments m where m.reference = new.payment_reference for update;
  room := room - (select coalesce(sum(r.amount_pesewas), 0) from refunds r where r.payment_reference = new.payment_reference
    and r.status <> 'wallet' and (r.status <> 'paid' or r.hand_transaction_id is not null));
  if new.amount_pesewas > room then
    raise exception 'payment % has % left to give back, not %', new.payment_reference, room, new.amount_pesewas using errcode = 'DW013';
  end if;
  return new;
end $$;
