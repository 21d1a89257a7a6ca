-- A reference of 20 letters and digits from a cryptographic source: 119 bits.
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
      -- Octets 6 and 8 of a version 4 UUID carry its version and variant.
      continue when i = 6 or i = 8;
      octet := get_byte(random_bytes, i);
      -- 248 is the largest multiple of 62 below 256: the rest would make some letters likelier.
      if octet < 248 and length(result) < 20 then
        result := result || substr(alphabet, octet % 62 + 1, 1);
      end if;
    end loop;
  end loop;
  return result;
end $$;
