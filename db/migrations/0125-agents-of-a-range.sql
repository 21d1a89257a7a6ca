-- What one agent bought in some days, for the best agents of any range of days and for the figures of one of them.
set local lock_timeout = '3s';

create index delivery_totals_agent on delivery_totals (agent_id, day) where agent_id is not null;
