-- A large top-up needs a second person as well, whether it is approved by hand or by a payment that was read.
set local lock_timeout = '3s';
alter table approvals drop constraint approvals_action_check;
alter table approvals add constraint approvals_action_check
  check (action in ('wallet.credit', 'wallet.debit', 'recharge.approve', 'payment.credit'));
