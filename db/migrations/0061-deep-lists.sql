set local lock_timeout = '3s';

-- A word that names actions is looked up among the few names, one in a reason by its own index, so that neither is looked for among all.
create index admin_actions_action on admin_actions (action, id desc);
create index admin_actions_note on admin_actions using gin (note gin_trgm_ops) where note <> '';
drop index admin_actions_words;

-- How many users each thousand numbers have, once all of these were given out: a page far down the list is reached by whole blocks.
create table user_blocks (
  block integer primary key,
  users integer not null check (users between 0 and 1000)
);
