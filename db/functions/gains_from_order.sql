-- A refund is its buyer's gain; a delivery is the gain of the shop that sold it, of the agent above, and of whoever invited the buyer.
create or replace function gains_from_order(p_person uuid, p_order uuid, p_status text) returns boolean language sql stable as $$
  select case when p_status = 'rejected' then gains_from(p_person, array[o.user_id], array[o.guest_phone], null)
    else gains_from(p_person, array(select referrer_id from referrals where referred_id = o.user_id and rewarded_at is null), null, array[o.shop_id]) end
  from orders o where o.id = p_order
$$;
