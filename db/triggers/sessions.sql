create or replace trigger sessions_kept after insert on sessions referencing new table as added
  for each statement execute function keep_newest('user_id', '50', 'last_used_at desc, created_at desc');
