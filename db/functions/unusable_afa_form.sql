-- Of the lines of a purchase that name a form of AFA details ("afa"), the place (from 0) of the first whose form can't be used: it is gone, is another's, is
-- named twice, the line is not for AFA, or its card is being registered already, or is. Null when all can be, and for lines without a form.
-- The forms stay locked, and their cards, until the transaction ends; cards in one order, so that two purchases never wait for one another.
create or replace function unusable_afa_form(p_user uuid, p_shop uuid, p_items jsonb) returns integer language plpgsql as $$
declare
  named record;
  first integer;
  cards bytea[] := '{}';
begin
  for named in
    select entry.place::integer - 1 as index, f.id, f.card_hash, coalesce(p.network, entry.item ->> 'network') as network
    from jsonb_array_elements(p_items) with ordinality entry (item, place)
    left join products p on p.id = (entry.item ->> 'product')::uuid
    left join afa_forms f on f.id = (entry.item ->> 'afa')::uuid and f.user_id is not distinct from p_user and f.shop_id is not distinct from p_shop
    where entry.item ->> 'afa' is not null
    order by f.card_hash nulls first, place
  loop
    if named.id is not null and named.network = 'AFA' and named.card_hash <> all (cards) then
      perform pg_advisory_xact_lock(hashtextextended('afa-card:' || encode(named.card_hash, 'hex'), 0));
      perform from afa_forms where id = named.id for update;
      if found and not exists (
        select from afa_registrations r join orders o on o.id = r.order_id where r.card_hash = named.card_hash and o.status <> 'rejected'
      ) then
        cards := cards || named.card_hash;
        continue;
      end if;
    end if;
    first := least(first, named.index);
  end loop;
  return first;
end $$;
