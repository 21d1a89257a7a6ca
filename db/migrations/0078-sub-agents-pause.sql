-- An agent may stop the shops of their sub-agents for a while, apart from their own.
set local lock_timeout = '3s';

alter table agent_shops add column sub_agents_sell boolean not null default true;
