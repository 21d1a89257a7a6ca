-- A code that is faulty may be taken out of the stock before anybody buys it.
set local lock_timeout = '3s';
alter table checker_codes drop constraint checker_codes_check1;
alter table checker_codes add constraint checker_codes_voided
  check ((voided_at is null) = (void_reason is null)
    and (voided_at is null or order_id is not null or (voided_by is not null and taken_back_at is null)));
