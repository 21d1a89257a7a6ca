-- Whether a package that is sold from the stock of checkers has too few left for one more. False of every other package.
create or replace function sold_out(p_product uuid, p_offer text) returns boolean language sql stable as $$
  select exists (
    select from checker_packages m
    where m.product_id = p_product and m.offer = p_offer and m.units > (
      select count(*) from (
        select from checker_codes c
        where c.kind = m.kind and c.order_id is null and c.voided_at is null and c.taken_back_at is null limit m.units
      ) left_over
    )
  )
$$;
