-- Brings what a payment caused into agreement with what of it is lost: the profit and commission of each of its delivered orders are undone in
-- the proportion of the loss to what those orders cost, an upgrade as far as its fee is lost. What is undone already counts, so that calling
-- it again changes nothing, and a smaller loss gives back. Locks the payment, then earnings in the order of their accounts.
create or replace function undo_effects(p_payment text, p_now timestamptz) returns void language plpgsql as $$
declare
  payment payments;
  share record;
  worth bigint;
begin
  select * into payment from payments where reference = p_payment for update;
  if not found or (payment.loss_pesewas = 0 and not exists (select from undone_effects where payment_reference = p_payment)) then
    return;
  end if;
  if payment.purpose = 'agent-upgrade' then
    perform undo_upgrade(payment, p_now);
    return;
  end if;
  select sum(o.price_pesewas + o.surcharge_pesewas) into worth
  from orders o join profit_shares s on s.order_id = o.id where o.payment_reference = p_payment and s.ended_at is null;
  for share in
    select s.*, w.account_id from (
      select order_id, 'profit' as effect, shop_id, profit_pesewas, released_at, ended_at from profit_shares
      union all select order_id, 'commission', shop_id, profit_pesewas, released_at, ended_at from commissions
    ) s join orders o on o.id = s.order_id join wallets w on w.shop_id = s.shop_id
    where o.payment_reference = p_payment and s.released_at is not null and s.ended_at is null order by w.account_id, o.seq
  loop
    perform undo_profit(p_payment, share.effect, share.order_id, share.account_id, share.profit_pesewas,
      share.profit_pesewas * least(payment.loss_pesewas, worth) / worth, p_now);
  end loop;
end $$;
