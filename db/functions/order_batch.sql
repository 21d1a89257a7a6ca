-- The batch that an order is locked in, and whose that is; null when it is in none.
create or replace function order_batch(p_order uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('number', b.number, 'by', u.username)
  from batch_orders l join batches b on b.id = l.batch_id join users u on u.id = b.made_by
  where l.order_id = p_order and l.status = 'locked'
$$;
