create or replace trigger afa_forms_held after insert on afa_forms referencing new table as added
  for each statement execute function hold_share('forms to be used', 'user_id', '300');
create or replace trigger afa_forms_of_shop_held after insert on afa_forms referencing new table as added
  for each statement execute function hold_share('forms of a shop', 'shop_id', '1000');
