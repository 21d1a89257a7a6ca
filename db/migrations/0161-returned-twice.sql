-- A card payment may go back twice: the shop sends it back, and the bank takes it as well. Each of the two is no more than it brought in.
set local lock_timeout = '3s';
alter table payments
  drop constraint payments_returned,
  add constraint payments_returned check (returned_pesewas between 0 and 2 * coalesce(received_pesewas, 0)) not valid;
alter table payments validate constraint payments_returned;
