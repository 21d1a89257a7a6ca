create or replace trigger pin_proofs_kept after insert on pin_proofs referencing new table as added
  for each statement execute function keep_newest('user_id', '20', 'expires_at desc');
