-- The shop of the agent whose sub-agent a shop's owner is; null for an agent's own shop.
create or replace function agent_above(p_shop uuid) returns uuid language sql stable as $$
  select s.shop_id from agent_shops a join sub_agents s on s.user_id = a.owner_id and s.ended_at is null where a.id = p_shop
$$;
