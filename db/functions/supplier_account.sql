-- The ledger's account of a supplier, of deliveries by hand, or of the stock of checkers. A new supplier gets the next number from 100.
create or replace function supplier_account(p_supplier text) returns bigint language plpgsql as $$
declare
  account bigint;
begin
  -- What is in the shop's own stock is paid for already.
  if p_supplier = 'checker-stock' then
    return 21;
  end if;
  loop
    select id into account from accounts where code = 'supplier:' || p_supplier;
    if found then
      return account;
    end if;
    insert into accounts (id, code) select max(id) + 1, 'supplier:' || p_supplier from accounts where id between 99 and 998
    on conflict do nothing;
  end loop;
end $$;
