-- What a package costs the shop at a supplier, or by hand, at a time, in pesewas. Null while that is not known.
create or replace function package_cost(p_product uuid, p_offer text, p_supplier text, p_at timestamptz) returns bigint
language sql stable as $$
  select cost_pesewas from package_costs
  where product_id = p_product and offer = p_offer and supplier = p_supplier and valid_from <= p_at
  order by valid_from desc, id desc limit 1
$$;
