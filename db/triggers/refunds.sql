create or replace trigger refunds_within_payment before insert on refunds for each row execute function guard_refund_to_source();

create or replace trigger refunds_guarded before update on refunds for each row execute function guard_refund();

create or replace trigger refunds_kept before delete on refunds for each row execute function refuse_change();

create or replace trigger refunds_decided_by_others before update of decided_by on refunds for each row
  when (new.decided_by is not null and new.decided_by is distinct from old.decided_by) execute function refuse_own_gain('refunds');
