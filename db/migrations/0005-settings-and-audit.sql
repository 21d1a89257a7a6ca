-- One row: what the operator sets from the Info screen.
create table shop_settings (
  singleton boolean primary key default true check (singleton),
  notice_content text not null,
  momo_phone_number text not null,
  momo_account_name text not null,
  updated_at timestamptz not null default now()
);

insert into shop_settings (notice_content, momo_phone_number, momo_account_name) values (
  'Check the receiver''s number before you pay: a bundle sent to a wrong number cannot be taken back. Bundles arrive within 5 minutes to 2 hours.',
  '0240000000',
  'Dwadi Enterprise'
);

-- Who did what as an admin, written in the transaction that did it.
create table admin_actions (
  id bigint generated always as identity primary key,
  actor_id uuid references users (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  note text not null default '',
  ip text,
  created_at timestamptz not null
);

create index admin_actions_subject on admin_actions (subject_type, subject_id, id desc);
