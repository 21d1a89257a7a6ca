-- Why an agent's shop sells nothing now: by the owner (of this shop, or of all shops), because its agent is none any more, or by the agent.
-- Null while it sells.
create or replace function shop_closed(p_shop uuid) returns text language sql stable as $$
  select case
    when not r.enabled then 'all'
    when a.closed_at is not null then 'owner'
    when u.status <> 'Active' or u.level = 'Customer' then 'no-agent'
    when not a.open then 'agent'
  end
  from agent_shops a join users u on u.id = a.owner_id cross join agent_shop_rules r where a.id = p_shop
$$;
