-- Whether a person gains where something is decided for these accounts, numbers that pay or are paid, and shops: their own, or under theirs.
create or replace function gains_from(p_person uuid, p_users uuid[], p_phones text[], p_shops uuid[]) returns boolean language sql stable as $$
  select p_person = any (p_users)
    or exists (select from users u where u.id = p_person and u.phone = any (p_phones))
    or exists (select from unnest(p_shops) shop join agent_shops a on a.id in (shop, agent_above(shop)) where a.owner_id = p_person)
$$;
