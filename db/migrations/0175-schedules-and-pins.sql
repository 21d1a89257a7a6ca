-- Whether the PIN was given when a schedule was set, and why the shop has paused it. Schedules of whoever's wallet asks for a PIN now go on as before.
set local lock_timeout = '3s';
alter table bulk_schedules add column pin_proven boolean not null default false,
  add column paused_why text constraint bulk_schedules_paused_why_check check (paused_why in ('pin', 'password'));
update bulk_schedules s set pin_proven = true where exists (select from transaction_pins t where t.user_id = s.user_id and t.at_checkout);
