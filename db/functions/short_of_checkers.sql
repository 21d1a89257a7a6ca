-- Locks what the lines of a purchase need of the stock of checkers, and returns the place (from 1) of the first line that it does not suffice for,
-- or null. Codes that another purchase holds at this moment count as sold. Call it after everything else that may refuse the purchase.
create or replace function short_of_checkers(p_products uuid[], p_offers text[]) returns integer language plpgsql as $$
declare
  need record;
  held bigint;
  short integer;
  first_short integer;
begin
  for need in
    select m.kind, sum(m.units) as units from unnest(p_products, p_offers) as line (product, offer)
    join checker_packages m on m.product_id = line.product and m.offer = line.offer
    group by m.kind order by m.kind
  loop
    perform from checker_codes
    where kind = need.kind and order_id is null and voided_at is null and taken_back_at is null
    order by id limit need.units for update skip locked;
    get diagnostics held = row_count;
    if held < need.units then
      select min(place) into short from (
        select line.place, sum(m.units) over (order by line.place) as so_far
        from unnest(p_products, p_offers) with ordinality as line (product, offer, place)
        join checker_packages m on m.product_id = line.product and m.offer = line.offer
        where m.kind = need.kind
      ) wanted where so_far > held;
      first_short := least(short, first_short);
    end if;
  end loop;
  return first_short;
end $$;
