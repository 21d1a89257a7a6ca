create or replace trigger sub_agents_guarded before insert or update on sub_agents for each row execute function guard_sub_agent();

create or replace trigger sub_agents_kept before delete on sub_agents for each row execute function refuse_change();
