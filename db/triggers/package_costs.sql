create or replace trigger package_costs_append_only before update or delete on package_costs
  for each row execute function refuse_change();

create or replace trigger package_costs_no_truncate before truncate on package_costs
  for each statement execute function refuse_change();

create or replace trigger package_costs_network before insert on package_costs
  for each row execute function note_network_of_cost();
