-- A cost keeps the network that its product has now, whichever version of the program sets it.
create or replace function note_network_of_cost() returns trigger language plpgsql as $$
begin
  new.network := (select network from products where id = new.product_id);
  return new;
end $$;
