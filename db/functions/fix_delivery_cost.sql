-- Fixes who delivered an order and what that costs as it is completed. Here and not in the application, since an older version beside
-- completes orders too. A supplier that has the order, or may have it, delivers it, whoever completes it; else one that delivered it after all.
create or replace function fix_delivery_cost() returns trigger language plpgsql as $$
begin
  new.completed_at := greatest(new.decided_at, (select max(until_at) from day_closes));
  if new.network = 'WAEC Checkers' then
    new.cost_pesewas := (select sum(unit_cost_pesewas) from checker_codes where order_id = new.id);
    if new.cost_pesewas is not null then
      new.cost_supplier := 'checker-stock';
      return new;
    end if;
  end if;
  new.cost_supplier := coalesce((
    select supplier from supplier_deliveries where order_id = new.id and status in ('sending', 'accepted', 'unknown', 'delivered')
  ), (
    select supplier from delivery_events where order_id = new.id and kind = 'delivered-after-all' order by at desc, id desc limit 1
  ), 'by-hand');
  new.cost_pesewas := package_cost(new.product_id, new.offer, new.cost_supplier, new.decided_at);
  return new;
end $$;
