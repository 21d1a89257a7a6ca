-- Closes follow each other without a gap; a correction is of the range that it corrects. The application checks this too.
create or replace function guard_day_close() returns trigger language plpgsql as $$
declare
  last timestamptz;
begin
  if new.corrects is not null then
    if not exists (select from day_closes where id = new.corrects and (from_at, until_at) = (new.from_at, new.until_at)) then
      raise exception 'a correction has the range of the close that it corrects' using errcode = 'DW011';
    end if;
    return new;
  end if;
  select max(until_at) into last from day_closes;
  if new.from_at <> last then
    raise exception 'a close begins where the last one ended, at %', last using errcode = 'DW011';
  end if;
  return new;
end $$;
