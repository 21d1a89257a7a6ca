-- Makes the forms that lines of a purchase name the registrations of the orders made of these lines, which are in the lines' order. An order
-- whose form can't be used (unusable_afa_form) waits for its details, as one without a form: its money may have been taken already.
create or replace function use_afa_forms(p_user uuid, p_shop uuid, p_items jsonb, p_orders uuid[]) returns integer language plpgsql as $$
declare
  named record;
  form record;
  used integer := 0;
begin
  for named in
    select p_orders[entry.place] as order_id, f.id, f.card_hash
    from jsonb_array_elements(p_items) with ordinality entry (item, place)
    join afa_forms f on f.id = (entry.item ->> 'afa')::uuid and f.user_id is not distinct from p_user and f.shop_id is not distinct from p_shop
    join orders o on o.id = p_orders[entry.place] and o.network = 'AFA'
    where entry.item ->> 'afa' is not null
    order by f.card_hash, place
  loop
    perform pg_advisory_xact_lock(hashtextextended('afa-card:' || encode(named.card_hash, 'hex'), 0));
    if exists (
      select from afa_registrations r join orders o on o.id = r.order_id where r.card_hash = named.card_hash and o.status <> 'rejected'
    ) then
      continue;
    end if;
    delete from afa_forms where id = named.id returning details, card_hash, consented_at into form;
    if found then
      insert into afa_registrations (order_id, details, card_hash, consented_at)
      values (named.order_id, form.details, form.card_hash, form.consented_at);
      used := used + 1;
    end if;
  end loop;
  return used;
end $$;
