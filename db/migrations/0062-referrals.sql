-- Agents invite customers by a link, and are rewarded for what those customers were really delivered.
set local lock_timeout = '3s';

insert into accounts (id, code) values (20, 'referral-rewards') on conflict (id) do nothing;

-- Whatever kinds there are by now stay, whichever migrations have run.
do $$
declare
  kinds text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'journal_entries_kind_check');
begin
  alter table journal_entries drop constraint journal_entries_kind_check;
  execute 'alter table journal_entries add constraint journal_entries_kind_check '
    || replace(kinds, '''provider-fee''::text', '''provider-fee''::text, ''referral-reward''::text');
end $$;

create table referral_rules (
  singleton boolean primary key default true check (singleton),
  enabled boolean not null default false,
  reward_pesewas bigint not null default 200 check (reward_pesewas between 1 and 10000),
  -- What the invited customer has to be delivered before.
  spend_pesewas bigint not null default 5000 check (spend_pesewas between 100 and 1000000),
  -- The most rewards that one agent gets in a month.
  most_a_month integer not null default 50 check (most_a_month between 1 and 1000),
  leaderboard boolean not null default false,
  check (reward_pesewas < spend_pesewas)
);
insert into referral_rules default values;

create table referral_links (
  user_id uuid primary key references users,
  code text not null unique check (code ~ '^[a-z2-9]{8}$'),
  created_at timestamptz not null
);

-- The reward and what has to be delivered for it are those of the day on which the customer registered.
create table referrals (
  referred_id uuid primary key references users,
  referrer_id uuid not null references users,
  reward_pesewas bigint not null check (reward_pesewas > 0),
  spend_pesewas bigint not null check (spend_pesewas > 0),
  -- What was delivered when it was last looked at.
  delivered_pesewas bigint not null default 0,
  created_at timestamptz not null,
  -- When it is looked at next; null once it has ended.
  check_at timestamptz,
  rewarded_at timestamptz,
  check (referred_id <> referrer_id),
  check (rewarded_at is null or check_at is null)
);
create index referrals_due on referrals (check_at) where check_at is not null;
create index referrals_of_referrer on referrals (referrer_id, created_at desc, referred_id);
create index referrals_rewarded on referrals (referrer_id, rewarded_at) where rewarded_at is not null;
