-- A reference of 20 cryptographically random letters and digits (119 bits).
create or replace function new_reference() returns text language plpgsql volatile as $$
declare
  alphabet constant text := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  random_bytes bytea;
  result text := '';
  octet integer;
begin
  while length(result) < 20 loop
    random_bytes := uuid_send(gen_random_uuid());
    for i in 0 .. 15 loop
      -- Octets 6 and 8 of a version 4 UUID hold its version and variant, which are not random.
      continue when i = 6 or i = 8;
      octet := get_byte(random_bytes, i);
      -- Reject bytes from 248 (the largest multiple of 62 below 256) on, so that all letters are equally likely.
      if octet < 248 and length(result) < 20 then
        result := result || substr(alphabet, octet % 62 + 1, 1);
      end if;
    end loop;
  end loop;
  return result;
end $$;
