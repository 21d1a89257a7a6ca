create or replace trigger refunds_within_payment before insert on refunds for each row execute function guard_refund_to_source();

create or replace trigger refunds_guarded before update on refunds for each row execute function guard_refund();

create or replace trigger refunds_kept before delete on refunds for each row execute function refuse_change();
