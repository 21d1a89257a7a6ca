create or replace trigger approvals_decided_once before update on approvals for each row execute function guard_approval();

create or replace trigger approvals_kept before delete on approvals for each row execute function refuse_change();
