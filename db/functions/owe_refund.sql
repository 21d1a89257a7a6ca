-- Notes money that goes back to a guest, for an order or for a payment that bought nothing. The caller books it to account 15.
create or replace function owe_refund(
  p_payment text, p_order uuid, p_phone text, p_pesewas bigint, p_reason text, p_now timestamptz
) returns void language sql as $$
  insert into refunds (payment_reference, order_id, phone, amount_pesewas, reason, created_at, ask_at)
  values (p_payment, p_order, p_phone, p_pesewas, p_reason, p_now, p_now);
$$;
