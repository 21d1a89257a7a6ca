-- Books the delivery of an order as it is completed: its price becomes sales (without what is the agent's of a shop), and its cost is owed to whoever delivered it. An order
-- that is decided leaves nothing with the undelivered ones: an older version beside refunds from the sales, which is put right here.
create or replace function post_delivery() returns trigger language plpgsql as $$
declare
  undelivered bigint := undelivered_pesewas(new.id);
  moved bigint[] := array[]::bigint[];
  amounts bigint[] := array[]::bigint[];
  share record;
begin
  if undelivered > 0 then
    moved := array[8, 1];
    amounts := array[-undelivered, undelivered - new.agent_profit_pesewas];
  end if;
  if new.status = 'completed' and new.agent_profit_pesewas > 0 then
    -- Locked before the earnings, as by whoever books what went back of it.
    perform from payments where reference = new.payment_reference for update;
    select * into share from release_profit(new.id, new.completed_at);
    moved := moved || share.accounts;
    amounts := amounts || share.amounts;
  end if;
  if new.status = 'completed' and new.cost_pesewas is not null then
    moved := moved || array[10, supplier_account(new.cost_supplier)];
    amounts := amounts || array[-new.cost_pesewas, new.cost_pesewas];
  end if;
  if cardinality(moved) = 0 then
    return null;
  end if;
  if new.status = 'completed' then
    perform post_entry('delivery:' || new.id, 'delivery', new.network || ' ' || new.offer || ' to ' || new.receiver, new.decided_by,
      moved, amounts, new.decided_at);
    if new.agent_profit_pesewas > 0 then
      perform undo_effects(new.payment_reference, new.decided_at);
    end if;
  else
    perform post_entry('refund-source:' || new.id, 'order-refund', 'Refunded before it was delivered', new.decided_by,
      moved, amounts, new.decided_at);
  end if;
  return null;
end $$;
