-- Whether fewer than so many checkers of a kind are left. False where nothing is needed of the stock.
create or replace function too_few_checkers(p_kind text, p_units bigint) returns boolean language sql stable as $$
  select count(*) < p_units from (
    select from checker_codes where kind = p_kind and order_id is null and voided_at is null and taken_back_at is null limit p_units
  ) left_over
$$;
