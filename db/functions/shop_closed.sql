-- Why an agent's shop sells nothing now: by the owner (of this shop, or of all shops), because its agent is none any more, or by the agent;
-- a sub-agent's also because there are to be none, because of the agent above, or because it ended. Null while it sells.
create or replace function shop_closed(p_shop uuid) returns text language sql stable as $$
  select case
    when not r.enabled then 'all'
    when a.closed_at is not null then 'owner'
    when u.status <> 'Active' then 'no-agent'
    when s.id is null and u.level = 'Customer' then case when exists (select from sub_agents e where e.user_id = u.id) then 'ended' else 'no-agent' end
    when s.id is not null and not r.sub_agents then 'no-sub-agents'
    when above.closed_at is not null or not above.sub_agents_sell or agent.status <> 'Active' or agent.level = 'Customer' then 'agent-above'
    when not a.open then 'agent'
  end
  from agent_shops a join users u on u.id = a.owner_id cross join agent_shop_rules r
  left join sub_agents s on s.user_id = a.owner_id and s.ended_at is null
  left join agent_shops above on above.id = s.shop_id left join users agent on agent.id = above.owner_id
  where a.id = p_shop
$$;
