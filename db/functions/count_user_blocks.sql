-- Counts the next p_most blocks of a thousand users, whose numbers were all given out more than an hour ago: no open transaction adds to them.
create or replace function count_user_blocks(p_now timestamptz, p_most integer) returns void language sql as $$
  insert into user_blocks (block, users)
  select block, (select count(*) from users u where u.seq >= block * 1000::bigint and u.seq < (block + 1) * 1000::bigint)
  from (select coalesce(max(block) + 1, 0) as first from user_blocks) next,
    (select seq from users where created_at < p_now - interval '1 hour' order by seq desc limit 1) newest,
    generate_series(first, least(first + p_most, newest.seq / 1000) - 1) block
  on conflict do nothing
$$;
