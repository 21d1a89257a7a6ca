-- Whether the operator gets a message for a checker that the shop hands over from its stock by itself, too.
set local lock_timeout = '3s';

alter table operations_settings add column operator_checker_sms boolean not null default true;
