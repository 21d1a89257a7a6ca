-- The one decision that may change: a completed order whose report ends in a refund, in the transaction that ends it.
create or replace function refuse_second_decision() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' and new.status is distinct from old.status
    and not (old.status = 'completed' and new.status = 'rejected' and new.override_reason is not null
      and exists (select from reports where order_id = old.id and status = 'refunded')) then
    raise exception 'order % was decided already', old.id using errcode = 'DW005';
  end if;
  if (new.user_id, new.price_pesewas, new.surcharge_pesewas, new.reference, new.offer, new.network, new.shop_id, new.guest_phone, new.agent_profit_pesewas)
    is distinct from (old.user_id, old.price_pesewas, old.surcharge_pesewas, old.reference, old.offer, old.network,
      old.shop_id, old.guest_phone, old.agent_profit_pesewas) then
    raise exception 'what was bought in order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  if old.top_up_reference is not null and new.top_up_reference is distinct from old.top_up_reference then
    raise exception 'what paid for order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  -- Set by fix_delivery_cost after this; a cost that was not known then may be set once.
  if (new.completed_at, new.cost_supplier) is distinct from (old.completed_at, old.cost_supplier)
    or (new.cost_pesewas is distinct from old.cost_pesewas and (old.cost_pesewas is not null or old.completed_at is null)) then
    raise exception 'what the delivery of order % cost cannot be changed', old.id using errcode = 'DW005';
  end if;
  return new;
end $$;
