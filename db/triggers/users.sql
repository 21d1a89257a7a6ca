create or replace trigger users_counted after insert on users for each row execute function count_row();
