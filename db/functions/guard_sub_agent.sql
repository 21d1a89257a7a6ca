-- One level only: the agent is nobody's sub-agent, the sub-agent has none and comes without a shop. A row ends once and is otherwise kept.
create or replace function guard_sub_agent() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if exists (select from agent_shops a join sub_agents s on s.user_id = a.owner_id and s.ended_at is null where a.id = new.shop_id)
      or exists (select from agent_shops a where a.owner_id = new.user_id) then
      raise exception 'user % cannot be a sub-agent of shop %', new.user_id, new.shop_id using errcode = 'DW010';
    end if;
    return new;
  end if;
  if old.ended_at is not null or (new.id, new.shop_id, new.user_id, new.invitation_id, new.joined_at)
    is distinct from (old.id, old.shop_id, old.user_id, old.invitation_id, old.joined_at) then
    raise exception 'sub-agent % cannot be changed', old.id using errcode = 'DW010';
  end if;
  return new;
end $$;
