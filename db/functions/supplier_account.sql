-- The ledger's account of a supplier, or of deliveries by hand. A new supplier gets the next number from 100.
create or replace function supplier_account(p_supplier text) returns bigint language plpgsql as $$
declare
  account bigint;
begin
  loop
    select id into account from accounts where code = 'supplier:' || p_supplier;
    if found then
      return account;
    end if;
    insert into accounts (id, code) select max(id) + 1, 'supplier:' || p_supplier from accounts where id between 99 and 998
    on conflict do nothing;
  end loop;
end $$;
