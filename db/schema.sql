-- The whole schema as db/migrations, db/functions and db/triggers make it, to be read. Written by `npm run db:schema`; the tests compare it.
set check_function_bodies = off;

create extension if not exists pg_trgm;

create sequence afa_batches;

create sequence wallet_account_ids start 1000;

create table account_days (
  day date not null,
  account_id bigint not null,
  kind text not null,
  postings bigint not null,
  pesewas bigint not null,
  constraint account_days_pkey PRIMARY KEY (day, account_id, kind)
);

create table account_deltas (
  account_id bigint not null,
  pesewas bigint not null,
  day date not null default ((now() AT TIME ZONE 'UTC'::text))::date,
  kind text not null default ''::text
);

create table account_totals (
  account_id bigint not null,
  pesewas bigint not null,
  constraint account_totals_pkey PRIMARY KEY (account_id)
);

create table accounts (
  id bigint not null,
  code text not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_code_key UNIQUE (code)
);

create table admin_actions (
  id bigint not null generated always as identity,
  actor_id uuid,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  note text not null default ''::text,
  ip text,
  created_at timestamp with time zone not null,
  constraint admin_actions_pkey PRIMARY KEY (id)
) partition by RANGE (id);

create table afa_forms (
  id uuid not null,
  user_id uuid,
  shop_id uuid,
  details bytea not null,
  card_hash bytea not null,
  consented_at timestamp with time zone not null,
  guest_address text,
  constraint afa_forms_pkey PRIMARY KEY (id),
  constraint afa_forms_check CHECK ((user_id IS NULL) <> (shop_id IS NULL)),
  constraint afa_forms_guest_address CHECK (guest_address IS NULL OR user_id IS NULL AND length(guest_address) <= 64)
);

create table afa_registrations (
  order_id uuid not null,
  details bytea,
  card_hash bytea,
  consented_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  batch bigint,
  erased_at timestamp with time zone,
  constraint afa_registrations_pkey PRIMARY KEY (order_id),
  constraint afa_registrations_check CHECK ((sent_at IS NULL) = (batch IS NULL)),
  constraint afa_registrations_check1 CHECK ((details IS NULL) = (erased_at IS NOT NULL)),
  constraint afa_registrations_check2 CHECK ((card_hash IS NULL) = (erased_at IS NOT NULL))
);

create table agent_lists (
  days integer not null,
  starts_on date not null,
  network text,
  supplier text,
  best bytea not null,
  others bytea not null,
  others_most bigint not null default 0,
  others_least bigint not null default 0,
  constraint agent_lists_of UNIQUE NULLS NOT DISTINCT (days, starts_on, network, supplier),
  constraint agent_lists_check CHECK ((network IS NULL) = (supplier IS NULL)),
  constraint agent_lists_days_check CHECK (days = ANY (ARRAY[1, 7]))
);

create table agent_months (
  month date not null,
  agent_id uuid not null,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  constraint agent_months_pkey PRIMARY KEY (month, agent_id),
  constraint agent_months_month_check CHECK (EXTRACT(day FROM month) = 1::numeric)
);

create table agent_shop_rules (
  singleton boolean not null default true,
  enabled boolean not null default true,
  new_shops boolean not null default false,
  max_markup integer not null default 30,
  min_profit_pesewas bigint not null default 10,
  sub_agents boolean not null default false,
  most_sub_agents integer not null default 10,
  constraint agent_shop_rules_pkey PRIMARY KEY (singleton),
  constraint agent_shop_rules_max_markup_check CHECK (max_markup >= 1 AND max_markup <= 500),
  constraint agent_shop_rules_min_profit_pesewas_check CHECK (min_profit_pesewas >= 1 AND min_profit_pesewas <= 10000),
  constraint agent_shop_rules_most_sub_agents CHECK (most_sub_agents >= 1 AND most_sub_agents <= 1000),
  constraint agent_shop_rules_singleton_check CHECK (singleton)
);

create table agent_shops (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  owner_id uuid not null,
  slug text not null,
  host text,
  host_approved_at timestamp with time zone,
  name text not null,
  about text,
  colour text not null,
  logo_hash text,
  phone text,
  whatsapp text,
  open boolean not null default true,
  closed_at timestamp with time zone,
  closed_by uuid,
  closed_reason text,
  max_markup integer,
  created_at timestamp with time zone not null,
  refused_host text,
  sub_agents_sell boolean not null default true,
  constraint agent_shops_pkey PRIMARY KEY (id),
  constraint agent_shops_owner_id_key UNIQUE (owner_id),
  constraint agent_shops_seq_key UNIQUE (seq),
  constraint agent_shops_slug_key UNIQUE (slug),
  constraint agent_shops_about_check CHECK (length(about) >= 1 AND length(about) <= 80),
  constraint agent_shops_check CHECK (host IS NOT NULL OR host_approved_at IS NULL),
  constraint agent_shops_check1 CHECK ((closed_at IS NULL) = (closed_reason IS NULL) AND (closed_at IS NULL) = (closed_by IS NULL)),
  constraint agent_shops_closed_reason_check CHECK (length(closed_reason) >= 3 AND length(closed_reason) <= 200),
  constraint agent_shops_colour_check CHECK (colour = ANY (ARRAY['green'::text, 'plum'::text, 'blue'::text, 'violet'::text, 'rust'::text, 'teal'::text, 'charcoal'::text, 'red'::text])),
  constraint agent_shops_host_check CHECK (host = lower(host) AND length(host) >= 4 AND length(host) <= 100),
  constraint agent_shops_max_markup_check CHECK (max_markup >= 1 AND max_markup <= 500),
  constraint agent_shops_name_check CHECK (length(name) >= 2 AND length(name) <= 40),
  constraint agent_shops_phone_check CHECK (phone ~ '^[0-9]{10}$'::text),
  constraint agent_shops_refused_host CHECK (length(refused_host) >= 4 AND length(refused_host) <= 100),
  constraint agent_shops_slug_check CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text AND length(slug) >= 3 AND length(slug) <= 30),
  constraint agent_shops_whatsapp_check CHECK (whatsapp ~ '^[0-9]{10}$'::text)
);

create table agent_weeks (
  week date not null,
  agent_id uuid not null,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  constraint agent_weeks_pkey PRIMARY KEY (week, agent_id),
  constraint agent_weeks_week_check CHECK (EXTRACT(isodow FROM week) = 1::numeric)
);

create table agreed_prices (
  network text not null,
  offer text not null,
  price_customer_pesewas bigint not null,
  price_agent_pesewas bigint not null,
  agreed_at timestamp with time zone not null,
  constraint agreed_prices_pkey PRIMARY KEY (network, offer),
  constraint agreed_prices_agent_more_than_nothing CHECK (price_agent_pesewas > 0),
  constraint agreed_prices_customer_more_than_nothing CHECK (price_customer_pesewas > 0)
);

create table api_events (
  seq bigint not null generated always as identity,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  is_test boolean not null,
  type text not null,
  order_id uuid,
  test_order bigint,
  created_at timestamp with time zone not null,
  body text,
  constraint api_events_pkey PRIMARY KEY (seq),
  constraint api_events_id_key UNIQUE (id),
  constraint api_events_order_id_type_key UNIQUE (order_id, type),
  constraint api_events_test_order_type_key UNIQUE (test_order, type),
  constraint api_events_check CHECK ((test_order IS NULL OR is_test) AND (order_id IS NULL OR NOT is_test)),
  constraint api_events_type_check CHECK (type = ANY (ARRAY['order.delivered'::text, 'order.refused'::text, 'order.refunded'::text, 'endpoint.test'::text]))
);

create table api_keys (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  hash bytea not null,
  name text not null,
  ending text not null,
  scopes text[] not null,
  addresses text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  is_test boolean not null default false,
  used_at timestamp with time zone,
  replaced_by uuid,
  pin_proven boolean not null default false,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_kind UNIQUE (id, is_test),
  constraint api_keys_replaced_by_key UNIQUE (replaced_by),
  constraint api_keys_addresses_check CHECK (cardinality(addresses) <= 20),
  constraint api_keys_check CHECK (expires_at > created_at),
  constraint api_keys_ending_check CHECK (length(ending) = 4),
  constraint api_keys_hash_check CHECK (length(hash) = 32),
  constraint api_keys_name_check CHECK (length(name) >= 1 AND length(name) <= 40),
  constraint api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['balance:read'::text, 'catalogue:read'::text, 'orders:read'::text, 'orders:write'::text])
);

create table approvals (
  id uuid not null default gen_random_uuid(),
  action text not null,
  action_hash bytea not null,
  details jsonb not null,
  proposed_by uuid not null,
  proposed_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decision text,
  decided_by uuid,
  decided_at timestamp with time zone,
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_action_check CHECK (action = ANY (ARRAY['wallet.credit'::text, 'wallet.debit'::text, 'recharge.approve'::text, 'payment.credit'::text, 'prices.publish'::text])),
  constraint approvals_action_hash_check CHECK (length(action_hash) = 32),
  constraint approvals_by_two_people CHECK (decision IS DISTINCT FROM 'approved'::text OR decided_by <> proposed_by),
  constraint approvals_check CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decided_by IS NULL)),
  constraint approvals_decision_check CHECK (decision = ANY (ARRAY['approved'::text, 'declined'::text]))
);

create table batch_formats (
  network text not null,
  file text not null,
  columns text[] not null,
  with_header boolean not null,
  number_format text not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint batch_formats_pkey PRIMARY KEY (network),
  constraint batch_formats_columns_check CHECK (columns <@ ARRAY['number'::text, 'gb'::text, 'mb'::text, 'offer'::text, 'reference'::text] AND cardinality(columns) >= 1 AND cardinality(columns) <= 5),
  constraint batch_formats_file_check CHECK (file = ANY (ARRAY['xlsx'::text, 'csv'::text])),
  constraint batch_formats_number_format_check CHECK (number_format = ANY (ARRAY['local'::text, 'international'::text, 'plus'::text]))
);

create table batch_orders (
  batch_id uuid not null,
  order_id uuid not null,
  status text not null default 'locked'::text,
  ended_at timestamp with time zone,
  ended_by uuid,
  constraint batch_orders_pkey PRIMARY KEY (batch_id, order_id),
  constraint batch_orders_check CHECK ((status = 'locked'::text) = (ended_at IS NULL)),
  constraint batch_orders_status_check CHECK (status = ANY (ARRAY['locked'::text, 'completed'::text, 'rejected'::text, 'released'::text]))
);

create table batches (
  id uuid not null default gen_random_uuid(),
  number integer not null generated always as identity,
  network text not null,
  key text not null,
  made_by uuid not null,
  made_at timestamp with time zone not null,
  exported_at timestamp with time zone,
  constraint batches_pkey PRIMARY KEY (id),
  constraint batches_made_by_key_key UNIQUE (made_by, key),
  constraint batches_number_key UNIQUE (number)
);

create table bulk_groups (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  lines jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bulk_groups_pkey PRIMARY KEY (id),
  constraint bulk_groups_lines_check CHECK (jsonb_typeof(lines) = 'array'::text AND jsonb_array_length(lines) >= 1 AND jsonb_array_length(lines) <= 5000),
  constraint bulk_groups_name_check CHECK (name = btrim(name) AND length(name) >= 1 AND length(name) <= 60)
);

create table bulk_jobs (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  name text not null,
  placed_by text not null,
  group_id uuid,
  lines integer not null,
  left_out integer not null,
  total_pesewas bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  created_at timestamp with time zone not null,
  constraint bulk_jobs_pkey PRIMARY KEY (id),
  constraint bulk_jobs_seq_key UNIQUE (seq),
  constraint bulk_jobs_user_id_key_key UNIQUE (user_id, key),
  constraint bulk_jobs_check CHECK (last_seq >= first_seq),
  constraint bulk_jobs_key_check CHECK (length(key) >= 1 AND length(key) <= 200),
  constraint bulk_jobs_left_out_check CHECK (left_out >= 0),
  constraint bulk_jobs_lines_check CHECK (lines > 0),
  constraint bulk_jobs_name_check CHECK (name = btrim(name) AND length(name) >= 1 AND length(name) <= 60),
  constraint bulk_jobs_placed_by_check CHECK (placed_by = ANY (ARRAY['hand'::text, 'schedule'::text, 'api'::text])),
  constraint bulk_jobs_request_hash_check CHECK (length(request_hash) = 32),
  constraint bulk_jobs_total_pesewas_check CHECK (total_pesewas > 0)
);

create table bulk_lines (
  job_id uuid not null,
  line integer not null,
  order_id uuid,
  retry_of uuid,
  written text not null,
  name text not null,
  why text not null default ''::text,
  constraint bulk_lines_pkey PRIMARY KEY (job_id, line),
  constraint bulk_lines_order_id_key UNIQUE (order_id),
  constraint bulk_lines_retry_of_key UNIQUE (retry_of),
  constraint bulk_lines_check CHECK (retry_of IS NULL OR order_id IS NOT NULL),
  constraint bulk_lines_line_check CHECK (line > 0),
  constraint bulk_lines_name_check CHECK (length(name) <= 100),
  constraint bulk_lines_why_check CHECK (length(why) <= 200),
  constraint bulk_lines_written_check CHECK (length(written) <= 200)
);

create table bulk_schedules (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  group_id uuid not null,
  repeats text not null,
  day date,
  weekday smallint,
  month_day smallint,
  at_time time without time zone not null,
  most_pesewas bigint not null,
  is_paused boolean not null default false,
  next_at timestamp with time zone,
  warned_for timestamp with time zone,
  question text,
  question_due_at timestamp with time zone,
  question_total_pesewas bigint,
  last_job_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  pin_proven boolean not null default false,
  paused_why text,
  constraint bulk_schedules_pkey PRIMARY KEY (id),
  constraint bulk_schedules_check CHECK ((repeats = 'once'::text) = (day IS NOT NULL)),
  constraint bulk_schedules_check1 CHECK ((repeats = 'weekly'::text) = (weekday IS NOT NULL)),
  constraint bulk_schedules_check2 CHECK ((repeats = 'monthly'::text) = (month_day IS NOT NULL)),
  constraint bulk_schedules_check3 CHECK ((question IS NULL) = (question_due_at IS NULL)),
  constraint bulk_schedules_month_day_check CHECK (month_day >= 1 AND month_day <= 31),
  constraint bulk_schedules_most_pesewas_check CHECK (most_pesewas > 0),
  constraint bulk_schedules_paused_why_check CHECK (paused_why = ANY (ARRAY['pin'::text, 'password'::text])),
  constraint bulk_schedules_question_check CHECK (question = ANY (ARRAY['price'::text, 'balance'::text, 'missed'::text, 'lines'::text])),
  constraint bulk_schedules_repeats_check CHECK (repeats = ANY (ARRAY['once'::text, 'weekly'::text, 'monthly'::text])),
  constraint bulk_schedules_weekday_check CHECK (weekday >= 1 AND weekday <= 7)
);

create table card_refunds (
  provider_id text not null,
  seq bigint not null generated always as identity,
  reference text not null,
  amount_pesewas bigint not null,
  currency text not null,
  status text not null,
  heard_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  booked_pesewas bigint not null default 0,
  constraint card_refunds_pkey PRIMARY KEY (provider_id),
  constraint card_refunds_seq_key UNIQUE (seq),
  constraint card_refunds_amount_pesewas_check CHECK (amount_pesewas > 0),
  constraint card_refunds_check CHECK (booked_pesewas >= 0 AND booked_pesewas <= amount_pesewas),
  constraint card_refunds_status_check CHECK (status = ANY (ARRAY['pending'::text, 'processing'::text, 'needs-attention'::text, 'failed'::text, 'processed'::text]))
);

create table channel_settings (
  channel text not null,
  is_on boolean,
  most_per_order_pesewas bigint not null default 20000,
  most_per_day_pesewas bigint not null default 50000,
  constraint channel_settings_pkey PRIMARY KEY (channel),
  constraint channel_settings_channel_check CHECK (channel = ANY (ARRAY['ussd'::text, 'whatsapp'::text])),
  constraint channel_settings_check CHECK (most_per_order_pesewas <= most_per_day_pesewas),
  constraint channel_settings_most_per_day_pesewas_check CHECK (most_per_day_pesewas >= 100 AND most_per_day_pesewas <= 10000000),
  constraint channel_settings_most_per_order_pesewas_check CHECK (most_per_order_pesewas >= 100 AND most_per_order_pesewas <= 1000000)
);

create table checker_codes (
  id bigint not null generated always as identity,
  import_id uuid not null,
  kind text not null,
  serial_hash bytea not null,
  pin_hash bytea,
  sealed bytea not null,
  tail text not null,
  unit_cost_pesewas bigint not null,
  taken_back_at timestamp with time zone,
  order_id uuid,
  n smallint,
  sold_at timestamp with time zone,
  voided_at timestamp with time zone,
  voided_by uuid,
  void_reason text,
  replaces_id bigint,
  constraint checker_codes_pkey PRIMARY KEY (id),
  constraint checker_codes_order_id_n_key UNIQUE (order_id, n),
  constraint checker_codes_replaces_id_key UNIQUE (replaces_id),
  constraint checker_codes_check CHECK ((order_id IS NULL) = (sold_at IS NULL) AND (order_id IS NULL) = (n IS NULL)),
  constraint checker_codes_check2 CHECK (taken_back_at IS NULL OR order_id IS NULL),
  constraint checker_codes_check3 CHECK (replaces_id IS NULL OR order_id IS NOT NULL),
  constraint checker_codes_n_check CHECK (n >= 1 AND n <= 100),
  constraint checker_codes_tail_check CHECK (length(tail) >= 1 AND length(tail) <= 4),
  constraint checker_codes_unit_cost_pesewas_check CHECK (unit_cost_pesewas > 0),
  constraint checker_codes_void_reason_check CHECK (length(void_reason) >= 3 AND length(void_reason) <= 300),
  constraint checker_codes_voided CHECK ((voided_at IS NULL) = (void_reason IS NULL) AND (voided_at IS NULL OR order_id IS NOT NULL OR voided_by IS NOT NULL AND taken_back_at IS NULL))
);

create table checker_imports (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  kind text not null,
  distributor text not null,
  file_name text not null default ''::text,
  unit_cost_pesewas bigint not null,
  codes integer not null,
  imported_by uuid,
  imported_at timestamp with time zone not null,
  taken_back_at timestamp with time zone,
  taken_back_by uuid,
  constraint checker_imports_pkey PRIMARY KEY (id),
  constraint checker_imports_seq_key UNIQUE (seq),
  constraint checker_imports_codes_check CHECK (codes >= 1 AND codes <= 10000),
  constraint checker_imports_distributor_check CHECK (distributor = btrim(distributor) AND length(distributor) >= 2 AND length(distributor) <= 60),
  constraint checker_imports_file_name_check CHECK (length(file_name) <= 120),
  constraint checker_imports_unit_cost_pesewas_check CHECK (unit_cost_pesewas >= 1 AND unit_cost_pesewas <= 10000000)
);

create table checker_kinds (
  kind text not null,
  name text not null,
  portal text not null,
  low_stock integer not null default 20,
  told_at timestamp with time zone,
  constraint checker_kinds_pkey PRIMARY KEY (kind),
  constraint checker_kinds_kind_check CHECK (kind ~ '^[a-z0-9][a-z0-9-]{1,29}$'::text),
  constraint checker_kinds_low_stock_check CHECK (low_stock >= 0 AND low_stock <= 100000),
  constraint checker_kinds_name_check CHECK (name = btrim(name) AND length(name) >= 2 AND length(name) <= 30),
  constraint checker_kinds_portal_check CHECK (portal ~ '^https://[a-z0-9.-]+(/[^ ]*)?$'::text AND length(portal) <= 100)
);

create table checker_packages (
  product_id uuid not null,
  offer text not null,
  kind text not null,
  units smallint not null default 1,
  constraint checker_packages_pkey PRIMARY KEY (product_id, offer),
  constraint checker_packages_units_check CHECK (units >= 1 AND units <= 10)
);

create table checker_vault (
  singleton boolean not null default true,
  sealed_key bytea not null,
  constraint checker_vault_pkey PRIMARY KEY (singleton),
  constraint checker_vault_singleton_check CHECK (singleton)
);

create table commissions (
  order_id uuid not null,
  seq bigint not null generated always as identity,
  shop_id uuid not null,
  sold_in uuid not null,
  price_pesewas bigint not null,
  cost_pesewas bigint not null,
  floor_pesewas bigint not null,
  profit_pesewas bigint generated always as ((price_pesewas - cost_pesewas)) stored,
  repaid_pesewas bigint not null default 0,
  sold_at timestamp with time zone not null,
  released_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint commissions_pkey PRIMARY KEY (order_id),
  constraint commissions_seq_key UNIQUE (seq),
  constraint commissions_check CHECK (floor_pesewas > cost_pesewas),
  constraint commissions_check1 CHECK (shop_id <> sold_in),
  constraint commissions_cost_pesewas_check CHECK (cost_pesewas > 0),
  constraint commissions_in_bounds CHECK (price_pesewas >= floor_pesewas),
  constraint commissions_repaid CHECK (repaid_pesewas >= 0 AND repaid_pesewas <= (price_pesewas - cost_pesewas))
);

create table confirmed_numbers (
  phone text not null,
  user_id uuid not null,
  code_id uuid not null,
  confirmed_at timestamp with time zone not null,
  constraint confirmed_numbers_pkey PRIMARY KEY (phone),
  constraint confirmed_numbers_code_id_key UNIQUE (code_id)
);

create table contacts (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  network text not null,
  phone text not null,
  name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint contacts_pkey PRIMARY KEY (id),
  constraint contacts_user_id_network_phone_key UNIQUE (user_id, network, phone),
  constraint contacts_name_check CHECK (name = btrim(name) AND length(name) >= 1 AND length(name) <= 40),
  constraint contacts_network_check CHECK (network = ANY (ARRAY['MTN'::text, 'AirtelTigo'::text, 'Telecel'::text, 'Airtime'::text, 'AFA'::text, 'WAEC Checkers'::text, 'MTN PULSE'::text])),
  constraint contacts_phone_check CHECK (phone ~ '^[0-9]{10}$'::text)
);

create table conversations (
  id uuid not null default gen_random_uuid(),
  channel text not null,
  session text not null,
  phone text not null,
  state jsonb,
  screen jsonb,
  requests text[] not null default '{}'::text[],
  answered_at timestamp with time zone,
  busy_until timestamp with time zone,
  busy_by uuid,
  started_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_channel_session_key UNIQUE (channel, session),
  constraint conversations_phone_check CHECK (phone ~ '^[0-9]{10}$'::text),
  constraint conversations_session_check CHECK (length(session) >= 1 AND length(session) <= 100)
);

create table credit_rules (
  id boolean not null default true,
  most_pesewas bigint not null default 50000,
  daily_pesewas bigint not null default 500000,
  unsigned_pesewas bigint not null default 20000,
  claim_pesewas bigint not null default 0,
  silent_minutes integer not null default 120,
  constraint credit_rules_pkey PRIMARY KEY (id),
  constraint credit_rules_claim_pesewas_check CHECK (claim_pesewas >= 0),
  constraint credit_rules_daily_pesewas_check CHECK (daily_pesewas >= 0),
  constraint credit_rules_id_check CHECK (id),
  constraint credit_rules_most_pesewas_check CHECK (most_pesewas >= 0),
  constraint credit_rules_silent_minutes_check CHECK (silent_minutes >= 0),
  constraint credit_rules_unsigned_pesewas_check CHECK (unsigned_pesewas >= 0)
);

create table customer_notes (
  entry_id bigint not null,
  note text not null,
  constraint customer_notes_pkey PRIMARY KEY (entry_id),
  constraint customer_notes_note_check CHECK (length(note) >= 1 AND length(note) <= 200)
);

create table day_closes (
  id bigint not null generated always as identity,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  corrects bigint,
  opening_pesewas bigint not null,
  closing_pesewas bigint not null,
  sheet jsonb not null,
  counted jsonb not null,
  note text not null default ''::text,
  signed_by uuid not null,
  signed_at timestamp with time zone not null,
  constraint day_closes_pkey PRIMARY KEY (id),
  constraint day_closes_corrects_key UNIQUE (corrects),
  constraint day_closes_check CHECK (until_at > from_at),
  constraint day_closes_check1 CHECK (corrects IS NULL OR note <> ''::text),
  constraint day_closes_explained CHECK (NOT jsonb_path_exists(counted, '$[*]?((@."expectedPesewas" != null && @."countedPesewas" != @."expectedPesewas") && ((!(exists (@."note")) || @."note" == null) || @."note" == ""))'::jsonpath)),
  constraint day_closes_note_check CHECK (length(note) <= 500)
);

create table delivery_days (
  day date not null,
  network text not null,
  supplier text not null,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  constraint delivery_days_pkey PRIMARY KEY (day, network, supplier)
);

create table delivery_deltas (
  day date not null,
  network text not null,
  supplier text not null,
  agent_id uuid,
  orders integer not null default 0,
  sales_pesewas bigint not null default 0,
  cost_pesewas bigint not null default 0,
  uncosted_orders integer not null default 0,
  uncosted_pesewas bigint not null default 0,
  refunded_orders integer not null default 0,
  refunded_pesewas bigint not null default 0,
  refunded_uncosted_pesewas bigint not null default 0
);

create table delivery_events (
  id bigint not null generated always as identity,
  order_id uuid not null,
  supplier text not null,
  reference text not null,
  kind text not null,
  detail text not null,
  sent_at timestamp with time zone,
  at timestamp with time zone not null,
  constraint delivery_events_pkey PRIMARY KEY (id),
  constraint delivery_events_kind_check CHECK (kind = ANY (ARRAY['not-taken'::text, 'unknown'::text, 'asked'::text, 'rejected'::text, 'failed'::text, 'delivered-after-all'::text]))
);

create table delivery_restarts (
  id bigint not null generated always as identity,
  order_id uuid not null,
  reference text,
  to_supplier text,
  from_supplier text not null,
  from_reference text not null,
  from_status text not null,
  from_sent_at timestamp with time zone,
  from_accepted_at timestamp with time zone,
  looked_at_portal boolean not null,
  restarted_by uuid,
  restarted_at timestamp with time zone not null,
  why text,
  constraint delivery_restarts_pkey PRIMARY KEY (id),
  constraint delivery_restarts_reference_key UNIQUE (reference),
  constraint delivery_restarts_by_itself CHECK (restarted_by IS NOT NULL OR to_supplier IS NOT NULL AND to_supplier <> from_supplier AND (from_status = ANY (ARRAY['waiting'::text, 'rejected'::text, 'failed'::text])) AND NOT looked_at_portal),
  constraint delivery_restarts_check CHECK ((to_supplier IS NULL) = (reference IS NULL)),
  constraint delivery_restarts_check1 CHECK (from_status <> 'unknown'::text OR looked_at_portal),
  constraint delivery_restarts_from_status_check CHECK (from_status = ANY (ARRAY['waiting'::text, 'unknown'::text, 'rejected'::text, 'failed'::text, 'cancelled'::text])),
  constraint delivery_restarts_reference_check CHECK (reference ~ '^[A-Za-z0-9]{6,25}$'::text)
);

create table delivery_totals (
  day date not null,
  network text not null,
  supplier text not null,
  agent_id uuid,
  orders bigint not null,
  sales_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  uncosted_pesewas bigint not null,
  refunded_orders bigint not null,
  refunded_pesewas bigint not null,
  refunded_uncosted_pesewas bigint not null,
  constraint delivery_totals_of UNIQUE NULLS NOT DISTINCT (day, network, supplier, agent_id)
);

create table dismissed_debits (
  user_id uuid not null,
  up_to bigint not null,
  dismissed_at timestamp with time zone not null,
  constraint dismissed_debits_pkey PRIMARY KEY (user_id)
);

create table disputed_money (
  payment_reference text not null,
  account_id bigint not null,
  pesewas bigint not null,
  times integer not null,
  constraint disputed_money_pkey PRIMARY KEY (payment_reference, account_id),
  constraint disputed_money_counted CHECK (times > 0),
  constraint disputed_money_not_below_zero CHECK (pesewas >= 0)
);

create table disputed_orders (
  order_id uuid not null,
  payment_reference text not null,
  pesewas bigint not null,
  constraint disputed_orders_pkey PRIMARY KEY (order_id, payment_reference),
  constraint disputed_orders_share CHECK (pesewas > 0)
);

create table disputes (
  provider_id text not null,
  seq bigint not null generated always as identity,
  reference text not null,
  amount_pesewas bigint not null,
  currency text not null,
  category text not null,
  status text not null,
  resolution text,
  outcome text not null default 'open'::text,
  payer_email text,
  due_at timestamp with time zone,
  heard_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  booked_pesewas bigint not null default 0,
  decided_at timestamp with time zone,
  won_back_pesewas bigint not null default 0,
  constraint disputes_pkey PRIMARY KEY (provider_id),
  constraint disputes_seq_key UNIQUE (seq),
  constraint disputes_amount_pesewas_check CHECK (amount_pesewas >= 0),
  constraint disputes_check CHECK (booked_pesewas >= 0 AND booked_pesewas <= amount_pesewas),
  constraint disputes_check1 CHECK ((outcome = 'open'::text) = (resolved_at IS NULL)),
  constraint disputes_outcome_check CHECK (outcome = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text, 'unclear'::text])),
  constraint disputes_won_back CHECK (won_back_pesewas >= 0 AND won_back_pesewas <= amount_pesewas)
);

create table float_alarms (
  id bigint not null generated always as identity,
  float_key text not null,
  kind text not null,
  amount bigint,
  raised_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  message_id uuid,
  constraint float_alarms_pkey PRIMARY KEY (id),
  constraint float_alarms_kind_check CHECK (kind = ANY (ARRAY['low'::text, 'finished'::text, 'stopped'::text]))
);

create table float_readings (
  id bigint not null generated always as identity,
  float_key text not null,
  amount bigint not null,
  read_at timestamp with time zone not null,
  entered_by uuid,
  expected bigint,
  spent_in_hour bigint not null default 0,
  constraint float_readings_pkey PRIMARY KEY (id),
  constraint float_readings_float_key_check CHECK (length(float_key) >= 2 AND length(float_key) <= 60)
);

create table float_settings (
  singleton boolean not null default true,
  alarm_hours integer not null default 1,
  how_to_top_up jsonb not null default '{}'::jsonb,
  constraint float_settings_pkey PRIMARY KEY (singleton),
  constraint float_settings_alarm_hours_check CHECK (alarm_hours >= 1 AND alarm_hours <= 72),
  constraint float_settings_how_to_top_up_check CHECK (jsonb_typeof(how_to_top_up) = 'object'::text),
  constraint float_settings_singleton_check CHECK (singleton)
);

create table forwarded_messages (
  seq bigint not null generated always as identity,
  forwarder_id uuid not null,
  key_hash bytea not null,
  received_at timestamp with time zone not null,
  outcome text not null,
  network text not null,
  amount_pesewas bigint,
  transaction_id text,
  says text not null,
  constraint forwarded_messages_pkey PRIMARY KEY (seq),
  constraint forwarded_messages_forwarder_id_key_hash_key UNIQUE (forwarder_id, key_hash),
  constraint forwarded_messages_key_hash_check CHECK (length(key_hash) = 32),
  constraint forwarded_messages_outcome_check CHECK (outcome = ANY (ARRAY['payment'::text, 'known'::text, 'not-counted'::text, 'fake'::text]))
);

create table forwarders (
  id uuid not null default gen_random_uuid(),
  name text not null,
  app text not null,
  networks text[] not null,
  phone text,
  key bytea not null,
  old_key bytea,
  old_key_until timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone,
  message_at timestamp with time zone,
  problem text,
  battery_percent integer,
  silent_since timestamp with time zone,
  ended_at timestamp with time zone,
  constraint forwarders_pkey PRIMARY KEY (id),
  constraint forwarders_app_check CHECK (app = ANY (ARRAY['sms-gateway'::text, 'sms-to-url'::text, 'sms-forwarder'::text, 'other'::text])),
  constraint forwarders_battery_percent_check CHECK (battery_percent >= 0 AND battery_percent <= 100),
  constraint forwarders_check CHECK ((old_key IS NULL) = (old_key_until IS NULL)),
  constraint forwarders_name_check CHECK (length(name) >= 1 AND length(name) <= 40),
  constraint forwarders_networks_check CHECK (cardinality(networks) > 0 AND networks <@ ARRAY['MTN'::text, 'Telecel'::text, 'AirtelTigo'::text, 'GhanaPay'::text]),
  constraint forwarders_phone_check CHECK (phone ~ '^[0-9]{10}$'::text)
);

create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  outcome jsonb not null,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_key_check CHECK (length(key) >= 1 AND length(key) <= 200)
);

create table images (
  hash text not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamp with time zone not null,
  of_products boolean not null default true,
  constraint images_pkey PRIMARY KEY (hash),
  constraint images_bytes_check CHECK (length(bytes) <= 204800),
  constraint images_content_type_check CHECK (content_type = 'image/webp'::text),
  constraint images_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'::text)
);

create table insight_day_minutes (
  day date not null,
  minutes json not null,
  constraint insight_day_minutes_pkey PRIMARY KEY (day)
);

create table insight_days (
  day date not null,
  network text not null,
  supplier text not null,
  hours json not null,
  minutes json not null,
  hour_minutes json not null,
  constraint insight_days_pkey PRIMARY KEY (day, network, supplier)
);

create table insight_deltas (
  at timestamp with time zone not null,
  network text not null,
  supplier text not null,
  offer text not null,
  orders integer not null default 0,
  net_pesewas bigint not null default 0,
  costed_pesewas bigint not null default 0,
  cost_pesewas bigint not null default 0,
  uncosted_orders integer not null default 0,
  bought_hour smallint,
  minutes integer
);

create table insight_hour_minutes (
  day date not null,
  network text not null,
  supplier text not null,
  hour smallint not null,
  minutes integer not null,
  orders bigint not null,
  constraint insight_hour_minutes_pkey PRIMARY KEY (day, network, supplier, hour, minutes),
  constraint insight_hour_minutes_hour_check CHECK (hour >= 0 AND hour <= 23)
);

create table insight_hours (
  hour timestamp with time zone not null,
  network text not null,
  supplier text not null,
  orders bigint not null,
  net_pesewas bigint not null,
  costed_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  constraint insight_hours_pkey PRIMARY KEY (hour, network, supplier)
);

create table insight_minutes (
  day date not null,
  network text not null,
  supplier text not null,
  minutes integer not null,
  orders bigint not null,
  constraint insight_minutes_pkey PRIMARY KEY (day, network, supplier, minutes)
);

create table insight_package_weeks (
  week date not null,
  network text not null,
  supplier text not null,
  offer text not null,
  orders bigint not null,
  net_pesewas bigint not null,
  costed_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  constraint insight_package_weeks_pkey PRIMARY KEY (week, network, supplier, offer),
  constraint insight_package_weeks_week_check CHECK (EXTRACT(isodow FROM week) = 1::numeric)
);

create table insight_packages (
  day date not null,
  network text not null,
  supplier text not null,
  offer text not null,
  orders bigint not null,
  net_pesewas bigint not null,
  costed_pesewas bigint not null,
  cost_pesewas bigint not null,
  uncosted_orders bigint not null,
  constraint insight_packages_pkey PRIMARY KEY (day, network, supplier, offer)
);

create table insight_progress (
  singleton boolean not null default true,
  lapsed_on date,
  constraint insight_progress_pkey PRIMARY KEY (singleton),
  constraint insight_progress_singleton_check CHECK (singleton)
);

create table insight_running_totals (
  day date not null,
  network text not null,
  supplier text not null,
  hours json not null,
  minutes json not null,
  hour_minutes json not null,
  constraint insight_running_totals_pkey PRIMARY KEY (day, network, supplier)
);

create table invariant_checks (
  id bigint not null generated always as identity,
  invariant text not null,
  whole boolean not null,
  began_at timestamp with time zone not null,
  took_ms integer not null,
  rows bigint not null,
  reached jsonb not null,
  found jsonb not null default '[]'::jsonb,
  problem text,
  constraint invariant_checks_pkey PRIMARY KEY (id)
);

create table journal_entries (
  id bigint not null generated always as identity,
  key text not null,
  kind text not null,
  memo text not null default ''::text,
  actor_id uuid,
  xact xid8 not null default pg_current_xact_id(),
  created_at timestamp with time zone not null,
  constraint journal_entries_pkey PRIMARY KEY (id),
  constraint journal_entries_key_key UNIQUE (key),
  constraint journal_entries_key_check CHECK (length(key) >= 3 AND length(key) <= 200),
  constraint journal_entries_kind_check CHECK (kind = ANY (ARRAY['order'::text, 'order-refund'::text, 'admin-credit'::text, 'admin-debit'::text, 'recharge'::text, 'card-payment'::text, 'card-surcharge'::text, 'agent-upgrade'::text, 'dispute-lost'::text, 'dispute-recovered'::text, 'card-refund'::text, 'delivery'::text, 'delivery-cost'::text, 'provider-fee'::text, 'effect-undone'::text, 'referral-undone'::text, 'dispute-won'::text, 'reservation'::text, 'reservation-returned'::text, 'checker-import'::text, 'checker-return'::text, 'checker-loss'::text, 'referral-reward'::text, 'owner-funds'::text, 'withdrawal'::text, 'withdrawal-paid'::text, 'withdrawal-returned'::text, 'refund-code'::text, 'refund-claimed'::text, 'refund-paid'::text, 'refund-to-source'::text, 'refund-returned'::text, 'guest-refund'::text]))
);

create table known_devices (
  device_hash bytea not null,
  user_id uuid not null,
  last_used_at timestamp with time zone not null,
  constraint known_devices_pkey PRIMARY KEY (device_hash, user_id)
);

create table lapsed_buyers (
  user_id uuid not null,
  weekly_orders integer not null,
  last_order_at timestamp with time zone not null,
  constraint lapsed_buyers_pkey PRIMARY KEY (user_id)
);

create table ledger_seals (
  last_entry bigint not null,
  first_entry bigint not null,
  entries bigint not null,
  seal bytea not null,
  sealed_at timestamp with time zone not null,
  constraint ledger_seals_pkey PRIMARY KEY (last_entry),
  constraint ledger_seals_first_entry_key UNIQUE (first_entry),
  constraint ledger_seals_check CHECK (first_entry <= last_entry),
  constraint ledger_seals_entries_check CHECK (entries > 0),
  constraint ledger_seals_seal_check CHECK (length(seal) = 32)
);

create table list_counts (
  list text not null,
  status text not null default ''::text,
  rows bigint not null default 0,
  constraint list_counts_pkey PRIMARY KEY (list, status)
);

create table mail_days (
  day date not null,
  used integer not null default 0,
  warned boolean not null default false,
  full_warned boolean not null default false,
  dropped integer not null default 0,
  constraint mail_days_pkey PRIMARY KEY (day)
);

create table message_formats (
  seq bigint not null generated always as identity,
  network text not null,
  name text not null,
  version integer not null,
  is_on boolean not null,
  kind text not null,
  words text,
  senders text[] not null,
  samples text[] not null,
  changed_by uuid not null,
  changed_at timestamp with time zone not null,
  constraint message_formats_pkey PRIMARY KEY (seq),
  constraint message_formats_network_name_version_key UNIQUE (network, name, version),
  constraint message_formats_check CHECK (words IS NULL OR cardinality(samples) > 0),
  constraint message_formats_kind_check CHECK (kind = ANY (ARRAY['credit'::text, 'money-out'::text, 'failed'::text, 'airtime'::text, 'refund'::text, 'interest'::text, 'other'::text])),
  constraint message_formats_name_check CHECK (length(name) >= 1 AND length(name) <= 60),
  constraint message_formats_network_check CHECK (network = ANY (ARRAY['MTN'::text, 'Telecel'::text, 'AirtelTigo'::text, 'GhanaPay'::text])),
  constraint message_formats_samples_check CHECK (cardinality(samples) <= 10),
  constraint message_formats_senders_check CHECK (cardinality(senders) <= 5),
  constraint message_formats_version_check CHECK (version > 0),
  constraint message_formats_words_check CHECK (length(words) >= 1 AND length(words) <= 1000)
);

create table momo_wallets (
  forwarder_id uuid not null,
  network text not null,
  balance_pesewas bigint,
  confirmed_at timestamp with time zone,
  confirmed_by uuid,
  constraint momo_wallets_pkey PRIMARY KEY (forwarder_id, network),
  constraint momo_wallets_balance_pesewas_check CHECK (balance_pesewas >= 0),
  constraint momo_wallets_check CHECK ((confirmed_at IS NULL) = (balance_pesewas IS NULL))
);

create table news_preferences (
  user_id uuid not null,
  sms boolean not null,
  updated_at timestamp with time zone not null,
  constraint news_preferences_pkey PRIMARY KEY (user_id)
);

create table operations_settings (
  singleton boolean not null default true,
  supplier_routes jsonb not null default '{"AirtelTigo": "hubnet"}'::jsonb,
  complete_delivered boolean not null default false,
  reject_refused boolean not null default false,
  operator_sms boolean not null default true,
  operator_phone text,
  buyer_sms boolean not null default false,
  sms_daily_cap integer not null default 500,
  sms_digest_above integer not null default 5,
  updated_at timestamp with time zone not null default now(),
  sms_digest boolean not null default false,
  top_up_minimum_pesewas bigint not null default 5000,
  top_up_maximum_pesewas bigint not null default 200000,
  top_up_daily_pesewas bigint not null default 500000,
  top_up_hold_hours integer not null default 0,
  margin_line_percent smallint not null default 9,
  refunds_to_source boolean not null default true,
  supplier_fallbacks jsonb not null default '{}'::jsonb,
  send_below_cost boolean not null default false,
  verification_days integer not null default 7,
  operator_checker_sms boolean not null default true,
  constraint operations_settings_pkey PRIMARY KEY (singleton),
  constraint operations_settings_margin_line_percent_check CHECK (margin_line_percent >= 0 AND margin_line_percent <= 90),
  constraint operations_settings_operator_phone_check CHECK (operator_phone ~ '^[0-9]{10}$'::text),
  constraint operations_settings_singleton_check CHECK (singleton),
  constraint operations_settings_sms_daily_cap_check CHECK (sms_daily_cap >= 0 AND sms_daily_cap <= 100000),
  constraint operations_settings_sms_digest_above_check CHECK (sms_digest_above >= 1 AND sms_digest_above <= 1000),
  constraint operations_settings_supplier_fallbacks_check CHECK (jsonb_typeof(supplier_fallbacks) = 'object'::text),
  constraint operations_settings_supplier_routes_check CHECK (jsonb_typeof(supplier_routes) = 'object'::text),
  constraint operations_settings_top_up CHECK (top_up_minimum_pesewas <= top_up_maximum_pesewas),
  constraint operations_settings_top_up_daily_pesewas_check CHECK (top_up_daily_pesewas >= 0 AND top_up_daily_pesewas <= 100000000),
  constraint operations_settings_top_up_hold_hours_check CHECK (top_up_hold_hours >= 0 AND top_up_hold_hours <= 720),
  constraint operations_settings_top_up_maximum_pesewas_check CHECK (top_up_maximum_pesewas >= 100 AND top_up_maximum_pesewas <= 10000000),
  constraint operations_settings_top_up_minimum_pesewas_check CHECK (top_up_minimum_pesewas >= 100),
  constraint operations_settings_verification_days_check CHECK (verification_days >= 1 AND verification_days <= 30)
);

create table order_deltas (
  day date not null,
  block integer not null,
  network text not null,
  status text not null,
  orders integer not null,
  pesewas bigint not null
);

create table order_outbox (
  order_id uuid not null
);

create table order_search (
  seq bigint not null,
  words text not null,
  constraint order_search_pkey PRIMARY KEY (seq)
) partition by RANGE (seq);

create table order_stretches (
  stretch integer not null,
  network text not null,
  status text not null,
  orders bigint not null,
  constraint order_stretches_pkey PRIMARY KEY (stretch, network, status)
);

create table order_totals (
  day date not null,
  block integer not null,
  network text not null,
  status text not null,
  orders bigint not null,
  pesewas bigint not null,
  constraint order_totals_pkey PRIMARY KEY (day, block, network, status)
);

create table orders (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity (start with 10001),
  client_id text,
  user_id uuid,
  product_id uuid not null,
  network text not null,
  offer text not null,
  image_hash text not null,
  level text not null,
  receiver text not null,
  price_pesewas bigint not null,
  surcharge_pesewas bigint not null default 0,
  paid_with text not null,
  payment_reference text,
  reference text not null,
  status text not null default 'pending'::text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by uuid,
  override_reason text,
  top_up_reference text,
  refund_reason text,
  completed_at timestamp with time zone,
  cost_supplier text,
  cost_pesewas bigint,
  shop_id uuid,
  guest_phone text,
  agent_profit_pesewas bigint not null default 0,
  channel text,
  client_reference text,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_reference_key UNIQUE (reference),
  constraint orders_seq_key UNIQUE (seq),
  constraint orders_agent_profit CHECK (agent_profit_pesewas = 0 OR shop_id IS NOT NULL AND agent_profit_pesewas >= 1 AND agent_profit_pesewas <= (price_pesewas - 1)),
  constraint orders_buyer CHECK ((user_id IS NULL) = (guest_phone IS NOT NULL) AND (guest_phone IS NULL OR shop_id IS NOT NULL)),
  constraint orders_channel CHECK (channel = ANY (ARRAY['ussd'::text, 'whatsapp'::text])),
  constraint orders_check CHECK ((status = 'pending'::text) = (decided_at IS NULL)),
  constraint orders_check1 CHECK ((paid_with = 'card'::text) = (payment_reference IS NOT NULL)),
  constraint orders_client_reference CHECK (length(client_reference) >= 1 AND length(client_reference) <= 64),
  constraint orders_cost CHECK (cost_pesewas IS NULL OR cost_pesewas > 0 AND completed_at IS NOT NULL),
  constraint orders_delivered CHECK ((completed_at IS NULL) = (cost_supplier IS NULL)),
  constraint orders_level_check CHECK (level = ANY (ARRAY['Customer'::text, 'Agent'::text, 'Admin'::text])),
  constraint orders_override_reason_check CHECK (length(override_reason) >= 3 AND length(override_reason) <= 300),
  constraint orders_paid_with_check CHECK (paid_with = ANY (ARRAY['wallet'::text, 'card'::text])),
  constraint orders_price_pesewas_check CHECK (price_pesewas > 0),
  constraint orders_receiver_check CHECK (receiver ~ '^[0-9]{10}$'::text),
  constraint orders_reference_check CHECK (reference ~ '^[A-Za-z0-9]{16,24}$'::text),
  constraint orders_refund_reason_check CHECK (length(refund_reason) >= 3 AND length(refund_reason) <= 200),
  constraint orders_status_check CHECK (status = ANY (ARRAY['pending'::text, 'completed'::text, 'rejected'::text])),
  constraint orders_surcharge_pesewas_check CHECK (surcharge_pesewas >= 0),
  constraint orders_topped_up CHECK (top_up_reference IS NULL OR paid_with = 'wallet'::text)
) with (fillfactor=85);

create table package_costs (
  id bigint not null generated always as identity,
  product_id uuid not null,
  offer text not null,
  supplier text not null,
  cost_pesewas bigint,
  valid_from timestamp with time zone not null,
  set_by uuid,
  network text,
  constraint package_costs_pkey PRIMARY KEY (id),
  constraint package_costs_more_than_nothing CHECK (cost_pesewas > 0),
  constraint package_costs_supplier_check CHECK (supplier ~ '^[a-z0-9][a-z0-9-]{1,39}$'::text)
);

create table packages (
  id uuid not null default gen_random_uuid(),
  product_id uuid not null,
  "position" smallint not null,
  offer text not null,
  price_customer_pesewas bigint not null,
  price_agent_pesewas bigint not null,
  hidden boolean not null default false,
  constraint packages_pkey PRIMARY KEY (id),
  constraint packages_product_id_offer_key UNIQUE (product_id, offer),
  constraint packages_offer_check CHECK (offer = btrim(offer) AND length(offer) >= 1 AND length(offer) <= 60),
  constraint packages_price_agent_pesewas_check CHECK (price_agent_pesewas > 0),
  constraint packages_price_customer_pesewas_check CHECK (price_customer_pesewas > 0)
);

create table password_reset_requests (
  id bigint not null generated always as identity,
  email text not null,
  requested_at timestamp with time zone not null,
  attempts integer not null default 0,
  try_at timestamp with time zone,
  last_error text,
  constraint password_reset_requests_pkey PRIMARY KEY (id)
);

create table password_resets (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_token_hash_check CHECK (length(token_hash) = 32)
);

create table payment_claims (
  seq bigint not null generated always as identity,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  transaction_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint payment_claims_pkey PRIMARY KEY (seq),
  constraint payment_claims_id_key UNIQUE (id),
  constraint payment_claims_user_id_transaction_id_key UNIQUE (user_id, transaction_id),
  constraint payment_claims_transaction_id_check CHECK (transaction_id ~ '^[A-Za-z0-9.-]{4,40}$'::text)
);

create table payment_credits (
  id bigint not null generated always as identity,
  payment_id uuid not null,
  amount_pesewas bigint not null,
  user_id uuid not null,
  recharge_id uuid,
  entry_key text not null,
  credited_at timestamp with time zone not null,
  credited_by uuid,
  taken_back_at timestamp with time zone,
  taken_back_by uuid,
  automatic boolean not null default false,
  constraint payment_credits_pkey PRIMARY KEY (id),
  constraint payment_credits_entry_key_key UNIQUE (entry_key),
  constraint payment_credits_recharge_id_key UNIQUE (recharge_id),
  constraint payment_credits_by CHECK (automatic = (credited_by IS NULL)),
  constraint payment_credits_check CHECK ((taken_back_at IS NULL) = (taken_back_by IS NULL))
);

create table payment_lists (
  reference text not null,
  list jsonb,
  created_at timestamp with time zone not null,
  user_id uuid,
  constraint payment_lists_pkey PRIMARY KEY (reference),
  constraint payment_lists_list_check CHECK (jsonb_typeof(list) = 'object'::text)
);

create table payments (
  reference text not null,
  seq bigint not null generated always as identity,
  user_id uuid,
  purpose text not null,
  lines jsonb,
  price_pesewas bigint not null,
  surcharge_pesewas bigint not null,
  access_code text,
  status text not null default 'open'::text,
  reason text,
  received_pesewas bigint,
  in_wallet boolean not null default false,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  check_at timestamp with time zone,
  checks integer not null default 0,
  hold_reason text,
  returned_pesewas bigint not null default 0,
  loss_pesewas bigint not null default 0,
  topped_up_pesewas bigint,
  on_hold_pesewas bigint not null default 0,
  on_hold_until timestamp with time zone,
  shop_id uuid,
  guest_phone text,
  list_lines integer,
  by_client boolean not null default false,
  unspent_pesewas bigint not null default 0,
  unspent_until timestamp with time zone,
  unspent_uses integer not null default 0,
  guest_address text,
  asked_at timestamp with time zone,
  guest_browser bytea,
  left_pesewas bigint not null default 0,
  waits_for_staff boolean not null default false,
  constraint payments_pkey PRIMARY KEY (reference),
  constraint payments_seq_key UNIQUE (seq),
  constraint payments_check CHECK (
CASE purpose
    WHEN 'order'::text THEN lines IS NOT NULL
    WHEN 'agent-upgrade'::text THEN lines IS NULL
    ELSE true
END),
  constraint payments_check1 CHECK ((status = ANY (ARRAY['paid'::text, 'held'::text])) = (settled_at IS NOT NULL)),
  constraint payments_check2 CHECK ((status = ANY (ARRAY['paid'::text, 'held'::text])) = (received_pesewas IS NOT NULL)),
  constraint payments_guest_address CHECK (guest_address IS NULL OR user_id IS NULL AND length(guest_address) <= 64),
  constraint payments_guest_browser CHECK (guest_browser IS NULL OR user_id IS NULL AND length(guest_browser) = 32),
  constraint payments_left CHECK (left_pesewas = 0 OR left_pesewas > 0 AND left_pesewas <= COALESCE(received_pesewas, 0::bigint) AND user_id IS NOT NULL AND purpose <> 'top-up'::text),
  constraint payments_loss CHECK (loss_pesewas >= 0 AND loss_pesewas <= returned_pesewas),
  constraint payments_on_hold CHECK (on_hold_pesewas >= 0 AND on_hold_pesewas <= (COALESCE(topped_up_pesewas, 0::bigint) + left_pesewas) AND (on_hold_pesewas > 0) = (on_hold_until IS NOT NULL)),
  constraint payments_payer CHECK ((user_id IS NULL) = (guest_phone IS NOT NULL) AND (guest_phone IS NULL OR shop_id IS NOT NULL)),
  constraint payments_price_pesewas_check CHECK (price_pesewas > 0),
  constraint payments_purpose_check CHECK (purpose = ANY (ARRAY['order'::text, 'agent-upgrade'::text, 'top-up'::text])),
  constraint payments_received_pesewas_check CHECK (received_pesewas >= 0),
  constraint payments_reference_check CHECK (reference ~ '^[A-Za-z0-9.=-]{1,64}$'::text),
  constraint payments_returned CHECK (returned_pesewas >= 0 AND returned_pesewas <= (2 * COALESCE(received_pesewas, 0::bigint))),
  constraint payments_status_check CHECK (status = ANY (ARRAY['open'::text, 'paid'::text, 'held'::text, 'failed'::text, 'expired'::text])),
  constraint payments_surcharge_pesewas_check CHECK (surcharge_pesewas >= 0),
  constraint payments_topped_up CHECK ((topped_up_pesewas IS NOT NULL) = (purpose = 'top-up'::text AND (status = ANY (ARRAY['paid'::text, 'held'::text]))) AND COALESCE(topped_up_pesewas, 0::bigint) >= 0 AND COALESCE(topped_up_pesewas, 0::bigint) <= COALESCE(received_pesewas, 0::bigint)),
  constraint payments_unspent CHECK (unspent_pesewas >= 0 AND (unspent_pesewas > 0) = (unspent_until IS NOT NULL) AND (unspent_pesewas = 0 OR by_client))
);

create table payout_codes (
  id uuid not null default gen_random_uuid(),
  shop_id uuid,
  phone text not null,
  asked_by uuid,
  asked_at timestamp with time zone not null,
  hash bytea,
  ends_at timestamp with time zone,
  wrong integer not null default 0,
  used_at timestamp with time zone,
  constraint payout_codes_pkey PRIMARY KEY (id),
  constraint payout_codes_id_shop_id_phone_key UNIQUE (id, shop_id, phone),
  constraint payout_codes_of_asker UNIQUE (id, asked_by, phone),
  constraint payout_codes_check CHECK ((hash IS NULL) = (ends_at IS NULL)),
  constraint payout_codes_check1 CHECK (used_at IS NULL OR hash IS NOT NULL),
  constraint payout_codes_hash_check CHECK (length(hash) = 32),
  constraint payout_codes_of_newcomer CHECK (asked_by IS NOT NULL OR shop_id IS NULL),
  constraint payout_codes_phone_check CHECK (phone ~ '^0[25][0-9]{8}$'::text),
  constraint payout_codes_wrong_check CHECK (wrong >= 0 AND wrong <= 5)
);

create table payout_number_removals (
  id bigint not null generated always as identity,
  shop_id uuid not null,
  phone text not null,
  removed_by uuid not null,
  removed_at timestamp with time zone not null,
  constraint payout_number_removals_pkey PRIMARY KEY (id)
);

create table payout_numbers (
  shop_id uuid not null,
  phone text not null,
  code_id uuid not null,
  confirmed_by uuid not null,
  confirmed_at timestamp with time zone not null,
  free_at timestamp with time zone not null,
  constraint payout_numbers_pkey PRIMARY KEY (shop_id, phone),
  constraint payout_numbers_code_id_key UNIQUE (code_id),
  constraint payout_numbers_check CHECK (free_at >= confirmed_at)
);

create table pin_proofs (
  hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint pin_proofs_pkey PRIMARY KEY (hash)
);

create table postings (
  entry_id bigint not null,
  line smallint not null,
  account_id bigint not null,
  amount_pesewas bigint not null,
  balance_after_pesewas bigint,
  constraint postings_pkey PRIMARY KEY (entry_id, line),
  constraint postings_amount_pesewas_check CHECK (amount_pesewas <> 0),
  constraint postings_balance_after_pesewas_check CHECK (balance_after_pesewas >= 0),
  constraint postings_check CHECK ((account_id >= 1000) = (balance_after_pesewas IS NOT NULL)),
  constraint postings_line_check CHECK (line > 0)
) partition by RANGE (entry_id);

create table price_publications (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  changes jsonb not null,
  published_at timestamp with time zone not null,
  published_by uuid not null,
  schedule_id uuid,
  undoes uuid,
  constraint price_publications_pkey PRIMARY KEY (id),
  constraint price_publications_schedule_id_key UNIQUE (schedule_id),
  constraint price_publications_seq_key UNIQUE (seq),
  constraint price_publications_undoes_key UNIQUE (undoes),
  constraint price_publications_changes_check CHECK (jsonb_typeof(changes) = 'array'::text AND changes <> '[]'::jsonb)
);

create table price_schedules (
  id uuid not null default gen_random_uuid(),
  changes jsonb not null,
  live_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  created_by uuid not null,
  ended_at timestamp with time zone,
  outcome text,
  left_out jsonb not null default '[]'::jsonb,
  constraint price_schedules_pkey PRIMARY KEY (id),
  constraint price_schedules_changes_check CHECK (jsonb_typeof(changes) = 'array'::text AND changes <> '[]'::jsonb),
  constraint price_schedules_check CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  constraint price_schedules_outcome_check CHECK (outcome = ANY (ARRAY['published'::text, 'cancelled'::text, 'refused'::text]))
);

create table products (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  network text not null,
  image_hash text not null,
  status text not null default 'available'::text,
  created_at timestamp with time zone not null,
  constraint products_pkey PRIMARY KEY (id),
  constraint products_seq_key UNIQUE (seq),
  constraint products_network_check CHECK (network = ANY (ARRAY['MTN'::text, 'AirtelTigo'::text, 'Telecel'::text, 'Airtime'::text, 'AFA'::text, 'WAEC Checkers'::text, 'MTN PULSE'::text])),
  constraint products_status_check CHECK (status = ANY (ARRAY['available'::text, 'out of stock'::text]))
);

create table profit_shares (
  order_id uuid not null,
  seq bigint not null generated always as identity,
  shop_id uuid not null,
  price_pesewas bigint not null,
  cost_pesewas bigint not null,
  floor_pesewas bigint not null,
  ceiling_pesewas bigint not null,
  profit_pesewas bigint generated always as ((price_pesewas - cost_pesewas)) stored,
  repaid_pesewas bigint not null default 0,
  sold_at timestamp with time zone not null,
  released_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint profit_shares_pkey PRIMARY KEY (order_id),
  constraint profit_shares_seq_key UNIQUE (seq),
  constraint profit_shares_check CHECK (floor_pesewas > cost_pesewas),
  constraint profit_shares_cost_pesewas_check CHECK (cost_pesewas > 0),
  constraint profit_shares_in_bounds CHECK (price_pesewas >= floor_pesewas AND price_pesewas <= ceiling_pesewas),
  constraint profit_shares_repaid CHECK (repaid_pesewas >= 0 AND repaid_pesewas <= (price_pesewas - cost_pesewas))
);

create table purchase_pauses (
  id bigint not null generated always as identity,
  paused_at timestamp with time zone not null,
  found jsonb not null,
  lifted_at timestamp with time zone,
  lifted_by uuid,
  lift_reason text,
  constraint purchase_pauses_pkey PRIMARY KEY (id),
  constraint purchase_pauses_check CHECK ((lifted_at IS NULL) = (lifted_by IS NULL) AND (lifted_at IS NULL) = (lift_reason IS NULL)),
  constraint purchase_pauses_lift_reason_check CHECK (length(lift_reason) >= 1 AND length(lift_reason) <= 500)
);

create unlogged table rate_limit_buckets (
  name text not null,
  empty_at timestamp with time zone not null,
  constraint rate_limit_buckets_pkey PRIMARY KEY (name)
);

create table read_reversals (
  transaction_id text not null,
  read_at timestamp with time zone not null,
  constraint read_reversals_pkey PRIMARY KEY (transaction_id),
  constraint read_reversals_transaction_id_check CHECK (length(transaction_id) >= 4 AND length(transaction_id) <= 40)
);

create table received_payments (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  network text not null,
  transaction_id text not null,
  amount_pesewas bigint not null,
  payer_name text,
  by_agent boolean not null default false,
  payer_phone text,
  typed_phone text,
  reference text,
  sent_at timestamp with time zone,
  balance_pesewas bigint,
  doubts text[] not null default '{}'::text[],
  raw text not null,
  source text not null,
  received_by uuid not null,
  received_at timestamp with time zone not null,
  status text not null default 'waiting'::text,
  kept_at timestamp with time zone,
  not_for uuid[] not null default '{}'::uuid[],
  forwarder_id uuid,
  constraint received_payments_pkey PRIMARY KEY (id),
  constraint received_payments_id_amount_pesewas_key UNIQUE (id, amount_pesewas),
  constraint received_payments_network_transaction_id_key UNIQUE (network, transaction_id),
  constraint received_payments_seq_key UNIQUE (seq),
  constraint received_payments_amount_pesewas_check CHECK (amount_pesewas > 0),
  constraint received_payments_network_check CHECK (network = ANY (ARRAY['MTN'::text, 'Telecel'::text, 'AirtelTigo'::text, 'GhanaPay'::text, 'Other'::text])),
  constraint received_payments_payer_phone_check CHECK (payer_phone ~ '^[0-9]{10}$'::text),
  constraint received_payments_raw_check CHECK (length(raw) <= 4000),
  constraint received_payments_source_check CHECK (source = ANY (ARRAY['message'::text, 'statement'::text, 'phone'::text])),
  constraint received_payments_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'credited'::text, 'dismissed'::text])),
  constraint received_payments_transaction_id_check CHECK (transaction_id ~ '^[A-Za-z0-9.-]{4,40}$'::text),
  constraint received_payments_typed_phone_check CHECK (typed_phone ~ '^[0-9]{10}$'::text)
);

create table receiver_corrections (
  id bigint not null generated always as identity,
  order_id uuid not null,
  from_receiver text not null,
  to_receiver text not null,
  agreed_by text not null,
  consent text not null,
  corrected_by uuid not null,
  corrected_at timestamp with time zone not null,
  constraint receiver_corrections_pkey PRIMARY KEY (id),
  constraint receiver_corrections_agreed_by_check CHECK (length(agreed_by) >= 2 AND length(agreed_by) <= 60),
  constraint receiver_corrections_check CHECK (to_receiver ~ '^[0-9]{10}$'::text AND to_receiver <> from_receiver),
  constraint receiver_corrections_consent_check CHECK (consent = ANY (ARRAY['whatsapp'::text, 'call'::text, 'sms'::text, 'in-person'::text]))
);

create table recharges (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  recharge_id text not null,
  user_id uuid not null,
  amount_pesewas bigint not null,
  status text not null default 'pending'::text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by uuid,
  said_paid_at timestamp with time zone,
  decline_reason text,
  credited_pesewas bigint,
  reopened_at timestamp with time zone,
  constraint recharges_pkey PRIMARY KEY (id),
  constraint recharges_recharge_id_key UNIQUE (recharge_id),
  constraint recharges_seq_key UNIQUE (seq),
  constraint recharges_amount_pesewas_check CHECK (amount_pesewas >= 5000),
  constraint recharges_check CHECK ((status = 'pending'::text) = (decided_at IS NULL)),
  constraint recharges_credited CHECK (credited_pesewas IS NULL OR status = 'approved'::text AND credited_pesewas > 0),
  constraint recharges_decline_reason CHECK (decline_reason IS NULL OR status = 'declined'::text AND length(decline_reason) >= 1 AND length(decline_reason) <= 200),
  constraint recharges_recharge_id_check CHECK (recharge_id ~ '^[1-9][0-9]{7}$'::text),
  constraint recharges_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text]))
);

create table recovery_codes (
  hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (hash),
  constraint recovery_codes_hash_check CHECK (length(hash) = 32)
);

create table referral_links (
  user_id uuid not null,
  code text not null,
  created_at timestamp with time zone not null,
  constraint referral_links_pkey PRIMARY KEY (user_id),
  constraint referral_links_code_key UNIQUE (code),
  constraint referral_links_code_check CHECK (code ~ '^[a-z2-9]{8}$'::text)
);

create table referral_rules (
  singleton boolean not null default true,
  enabled boolean not null default false,
  reward_pesewas bigint not null default 200,
  spend_pesewas bigint not null default 5000,
  most_a_month integer not null default 50,
  leaderboard boolean not null default false,
  constraint referral_rules_pkey PRIMARY KEY (singleton),
  constraint referral_rules_check CHECK (reward_pesewas < spend_pesewas),
  constraint referral_rules_most_a_month_check CHECK (most_a_month >= 1 AND most_a_month <= 1000),
  constraint referral_rules_reward_pesewas_check CHECK (reward_pesewas >= 1 AND reward_pesewas <= 10000),
  constraint referral_rules_singleton_check CHECK (singleton),
  constraint referral_rules_spend_pesewas_check CHECK (spend_pesewas >= 100 AND spend_pesewas <= 1000000)
);

create table referrals (
  referred_id uuid not null,
  referrer_id uuid not null,
  reward_pesewas bigint not null,
  spend_pesewas bigint not null,
  delivered_pesewas bigint not null default 0,
  created_at timestamp with time zone not null,
  check_at timestamp with time zone,
  rewarded_at timestamp with time zone,
  undone integer not null default 0,
  recheck_at timestamp with time zone,
  constraint referrals_pkey PRIMARY KEY (referred_id),
  constraint referrals_check CHECK (referred_id <> referrer_id),
  constraint referrals_check1 CHECK (rewarded_at IS NULL OR check_at IS NULL),
  constraint referrals_reward_pesewas_check CHECK (reward_pesewas > 0),
  constraint referrals_spend_pesewas_check CHECK (spend_pesewas > 0),
  constraint referrals_undone CHECK (undone >= 0)
);

create table refund_codes (
  refund_id uuid not null,
  hash bytea not null,
  shown_at timestamp with time zone not null,
  constraint refund_codes_pkey PRIMARY KEY (hash)
);

create table refunds (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  payment_reference text not null,
  order_id uuid,
  phone text not null,
  amount_pesewas bigint not null,
  reason text not null,
  status text not null default 'due'::text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  not_found integer not null default 0,
  not_found_at timestamp with time zone,
  provider_id text,
  provider_note text,
  claimed_by uuid,
  decided_by uuid,
  ended_at timestamp with time zone,
  hand_transaction_id text,
  told text,
  code_sent_at timestamp with time zone,
  codes_sent integer not null default 0,
  user_id uuid,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_order_id_key UNIQUE (order_id),
  constraint refunds_paid_by_hand UNIQUE (hand_transaction_id),
  constraint refunds_provider_id_key UNIQUE (provider_id),
  constraint refunds_seq_key UNIQUE (seq),
  constraint refunds_amount_pesewas_check CHECK (amount_pesewas > 0),
  constraint refunds_by_hand CHECK (hand_transaction_id IS NULL OR status = 'paid'::text),
  constraint refunds_claimed CHECK ((claimed_by IS NOT NULL) = (status = 'claimed'::text)),
  constraint refunds_ended CHECK ((ended_at IS NOT NULL) = (status = ANY (ARRAY['paid'::text, 'claimed'::text, 'wallet'::text, 'returned'::text]))),
  constraint refunds_of_customers CHECK (
CASE
    WHEN user_id IS NULL THEN status <> 'wallet'::text
    ELSE (status <> ALL (ARRAY['code'::text, 'claimed'::text])) AND order_id IS NOT NULL
END),
  constraint refunds_phone_check CHECK (phone ~ '^[0-9]{10}$'::text),
  constraint refunds_returned CHECK (status <> 'returned'::text OR user_id IS NULL),
  constraint refunds_status_check CHECK (status = ANY (ARRAY['due'::text, 'sending'::text, 'accepted'::text, 'unknown'::text, 'review'::text, 'paid'::text, 'code'::text, 'claimed'::text, 'wallet'::text, 'returned'::text]))
);

create table report_messages (
  id bigint not null generated always as identity,
  report_id uuid not null,
  user_id uuid,
  from_shop boolean not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint report_messages_pkey PRIMARY KEY (id),
  constraint report_messages_body_check CHECK (body = btrim(body) AND length(body) >= 1 AND length(body) <= 500)
);

create table reports (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  order_id uuid not null,
  status text not null default 'open'::text,
  opened_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_by uuid,
  resend_reference text,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_resend_reference_key UNIQUE (resend_reference),
  constraint reports_seq_key UNIQUE (seq),
  constraint reports_check CHECK ((status = 'open'::text) = (ended_at IS NULL)),
  constraint reports_check1 CHECK (resend_reference IS NULL OR status = 'resent'::text),
  constraint reports_resend_reference_check CHECK (resend_reference ~ '^[A-Za-z0-9]{6,25}$'::text),
  constraint reports_status_check CHECK (status = ANY (ARRAY['open'::text, 'delivered'::text, 'resent'::text, 'refunded'::text]))
);

create table restore_rehearsals (
  id bigint not null generated always as identity,
  rehearsed_at timestamp with time zone not null default now(),
  restored_to timestamp with time zone not null,
  source text not null,
  orders bigint not null,
  entries bigint not null,
  took_ms integer,
  constraint restore_rehearsals_pkey PRIMARY KEY (id),
  constraint restore_rehearsals_entries_check CHECK (entries >= 0),
  constraint restore_rehearsals_orders_check CHECK (orders >= 0),
  constraint restore_rehearsals_source_check CHECK (source = ANY (ARRAY['file'::text, 'archive'::text])),
  constraint restore_rehearsals_took_ms_check CHECK (took_ms >= 0)
);

create table second_factors (
  user_id uuid not null,
  kind text not null,
  secret bytea not null,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint second_factors_pkey PRIMARY KEY (user_id, kind),
  constraint second_factors_kind_check CHECK (kind = 'totp'::text)
);

create table sessions (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  device text,
  password_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_device_check CHECK (length(device) >= 1 AND length(device) <= 60),
  constraint sessions_token_hash_check CHECK (length(token_hash) = 32)
);

create table shop_prices (
  shop_id uuid not null,
  product_id uuid not null,
  offer text not null,
  price_pesewas bigint,
  hidden boolean not null default false,
  changed_at timestamp with time zone not null,
  constraint shop_prices_pkey PRIMARY KEY (shop_id, product_id, offer),
  constraint shop_prices_price_pesewas_check CHECK (price_pesewas > 0)
);

create table shop_settings (
  singleton boolean not null default true,
  notice_content text not null,
  momo_phone_number text not null,
  momo_account_name text not null,
  updated_at timestamp with time zone not null default now(),
  name text,
  tagline text,
  phone text,
  email text,
  whatsapp text[],
  work_hours text,
  brand text,
  logo_hash text,
  icon_hash text,
  payment_numbers jsonb not null default '[]'::jsonb,
  card_surcharge integer,
  agent_fee_pesewas bigint,
  setup_hidden_at timestamp with time zone,
  constraint shop_settings_pkey PRIMARY KEY (singleton),
  constraint shop_settings_agent_fee_pesewas_check CHECK (agent_fee_pesewas >= 100 AND agent_fee_pesewas <= 1000000),
  constraint shop_settings_brand_check CHECK (brand = ANY (ARRAY['green'::text, 'blue'::text, 'purple'::text, 'wine'::text, 'teal'::text, 'ink'::text])),
  constraint shop_settings_card_surcharge_check CHECK (card_surcharge >= 0 AND card_surcharge <= 1000),
  constraint shop_settings_email_check CHECK (email = lower(btrim(email))),
  constraint shop_settings_name_check CHECK (length(name) >= 1 AND length(name) <= 60),
  constraint shop_settings_payment_numbers_check CHECK (jsonb_typeof(payment_numbers) = 'array'::text),
  constraint shop_settings_phone_check CHECK (phone ~ '^[0-9]{10}$'::text),
  constraint shop_settings_singleton_check CHECK (singleton),
  constraint shop_settings_tagline_check CHECK (length(tagline) >= 1 AND length(tagline) <= 120),
  constraint shop_settings_whatsapp_check CHECK (cardinality(whatsapp) >= 1 AND cardinality(whatsapp) <= 2),
  constraint shop_settings_work_hours_check CHECK (length(work_hours) >= 1 AND length(work_hours) <= 100)
);

create table sms_days (
  day date not null,
  used integer not null default 0,
  warned boolean not null default false,
  full_warned boolean not null default false,
  dropped integer not null default 0,
  constraint sms_days_pkey PRIMARY KEY (day)
);

create table sms_messages (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  order_id uuid,
  receiver text not null,
  body text not null,
  status text not null default 'waiting'::text,
  digest_id uuid,
  attempts integer not null default 0,
  detail text not null default ''::text,
  provider_id text,
  sending_since timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  report_message_id bigint,
  refund_id uuid,
  payout_code_id uuid,
  checker_code_id bigint,
  asked_at timestamp with time zone,
  reserved boolean not null default false,
  constraint sms_messages_pkey PRIMARY KEY (id),
  constraint sms_messages_report_message_id_key UNIQUE (report_message_id),
  constraint sms_messages_body_check CHECK (length(body) >= 1 AND length(body) <= 160),
  constraint sms_messages_check CHECK ((order_id IS NULL) = (kind = ANY (ARRAY['digest'::text, 'checker'::text, 'reply'::text, 'alarm'::text, 'refund'::text, 'refund-code'::text, 'payout-code'::text, 'payout-number'::text]))),
  constraint sms_messages_check1 CHECK ((status = 'in-digest'::text) = (digest_id IS NOT NULL)),
  constraint sms_messages_kind_check CHECK (kind = ANY (ARRAY['order'::text, 'completed'::text, 'digest'::text, 'checker'::text, 'rejected'::text, 'verifying'::text, 'reply'::text, 'alarm'::text, 'refund'::text, 'refund-code'::text, 'payout-code'::text, 'payout-number'::text])),
  constraint sms_messages_of_checker CHECK ((checker_code_id IS NOT NULL) = (kind = 'checker'::text) AND (checker_code_id IS NULL) = (asked_at IS NULL)),
  constraint sms_messages_of_payout_code CHECK ((payout_code_id IS NOT NULL) = (kind = 'payout-code'::text)),
  constraint sms_messages_of_refund CHECK ((refund_id IS NOT NULL) = (kind = ANY (ARRAY['refund'::text, 'refund-code'::text]))),
  constraint sms_messages_of_report CHECK ((report_message_id IS NOT NULL) = (kind = 'reply'::text)),
  constraint sms_messages_receiver_check CHECK (receiver ~ '^0[25][0-9]{8}$'::text),
  constraint sms_messages_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'unknown'::text, 'for-digest'::text, 'in-digest'::text, 'over-cap'::text]))
);

create unlogged table socket_io_attachments (
  id bigint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  payload bytea,
  constraint socket_io_attachments_pkey PRIMARY KEY (id)
);

create table staff_roles (
  user_id uuid not null,
  role text not null,
  constraint staff_roles_pkey PRIMARY KEY (user_id, role),
  constraint staff_roles_role_check CHECK (role = ANY (ARRAY['orders'::text, 'finance'::text, 'products'::text, 'support'::text, 'owner'::text]))
);

create table staff_rules (
  id boolean not null default true,
  second_factor_required boolean,
  password_above_pesewas bigint default 50000,
  second_person_above_pesewas bigint,
  updated_at timestamp with time zone not null default now(),
  constraint staff_rules_pkey PRIMARY KEY (id),
  constraint staff_rules_id_check CHECK (id),
  constraint staff_rules_password_above_pesewas_check CHECK (password_above_pesewas >= 0),
  constraint staff_rules_second_person_above_pesewas_check CHECK (second_person_above_pesewas >= 0)
);

create table stale_days (
  totals text not null,
  day date not null,
  constraint stale_days_pkey PRIMARY KEY (totals, day),
  constraint stale_days_totals_check CHECK (totals = ANY (ARRAY['deliveries'::text, 'insight'::text, 'agents'::text, 'months'::text, 'packages'::text]))
);

create table sub_agent_invitations (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  shop_id uuid not null,
  code text not null,
  created_at timestamp with time zone not null,
  withdrawn_at timestamp with time zone,
  used_at timestamp with time zone,
  constraint sub_agent_invitations_pkey PRIMARY KEY (id),
  constraint sub_agent_invitations_code_key UNIQUE (code),
  constraint sub_agent_invitations_seq_key UNIQUE (seq),
  constraint sub_agent_invitations_check CHECK (withdrawn_at IS NULL OR used_at IS NULL),
  constraint sub_agent_invitations_code_check CHECK (code ~ '^[a-z2-9]{24}$'::text)
);

create table sub_agent_prices (
  shop_id uuid not null,
  product_id uuid not null,
  offer text not null,
  price_pesewas bigint not null,
  changed_at timestamp with time zone not null,
  constraint sub_agent_prices_pkey PRIMARY KEY (shop_id, product_id, offer),
  constraint sub_agent_prices_price_pesewas_check CHECK (price_pesewas > 0)
);

create table sub_agents (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  shop_id uuid not null,
  user_id uuid not null,
  invitation_id uuid not null,
  joined_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_by uuid,
  constraint sub_agents_pkey PRIMARY KEY (id),
  constraint sub_agents_invitation_id_key UNIQUE (invitation_id),
  constraint sub_agents_seq_key UNIQUE (seq),
  constraint sub_agents_check CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);

create table supplier_calls (
  supplier text not null,
  endpoint text not null,
  recent timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  promised_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  urgent_promised_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint supplier_calls_pkey PRIMARY KEY (supplier, endpoint)
);

create table supplier_deliveries (
  order_id uuid not null,
  reference text not null,
  supplier text not null,
  volume_mb integer,
  status text not null default 'waiting'::text,
  detail text not null default ''::text,
  supplier_reference text,
  attempts integer not null default 0,
  resent integer not null default 0,
  asked integer not null default 0,
  not_found integer not null default 0,
  not_found_at timestamp with time zone,
  sent_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  not_found_apart_ms integer not null default 120000,
  accepted_at timestamp with time zone,
  delivered_at timestamp with time zone,
  verifying_since timestamp with time zone,
  airtime_operator text,
  airtime_pesewas integer,
  constraint supplier_deliveries_pkey PRIMARY KEY (order_id),
  constraint supplier_deliveries_reference_key UNIQUE (reference),
  constraint supplier_deliveries_not_found_apart_ms_check CHECK (not_found_apart_ms > 0),
  constraint supplier_deliveries_reference_check CHECK (reference ~ '^[A-Za-z0-9]{6,25}$'::text),
  constraint supplier_deliveries_resent_check CHECK (resent <= 2),
  constraint supplier_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'accepted'::text, 'unknown'::text, 'rejected'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text])),
  constraint supplier_deliveries_volume_mb_check CHECK (volume_mb > 0),
  constraint supplier_deliveries_ware CHECK (num_nonnulls(volume_mb, airtime_pesewas) = 1 AND num_nonnulls(airtime_operator, airtime_pesewas) <> 1 AND (airtime_pesewas > 0) IS NOT FALSE AND (airtime_operator = ANY (ARRAY['MTN'::text, 'Telecel'::text, 'AirtelTigo'::text])) IS NOT FALSE)
);

create table supplier_gaps (
  supplier text not null,
  network text not null,
  volume_mb integer not null,
  detail text not null,
  noted_at timestamp with time zone not null,
  constraint supplier_gaps_pkey PRIMARY KEY (supplier, network, volume_mb),
  constraint supplier_gaps_volume_mb_check CHECK (volume_mb > 0)
);

create table supplier_health (
  supplier text not null,
  failures integer not null default 0,
  pauses integer not null default 0,
  paused_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  reason text not null default ''::text,
  balance_pesewas bigint,
  balance_at timestamp with time zone,
  cause text not null default ''::text,
  failed_at timestamp with time zone,
  constraint supplier_health_pkey PRIMARY KEY (supplier)
);

create table supplier_webhook (
  singleton boolean not null default true,
  secret text not null default replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text),
  constraint supplier_webhook_pkey PRIMARY KEY (singleton),
  constraint supplier_webhook_singleton_check CHECK (singleton)
);

create table test_movements (
  seq bigint not null generated always as identity,
  user_id uuid not null,
  kind text not null,
  test_order bigint,
  amount_pesewas bigint not null,
  balance_after_pesewas bigint not null,
  created_at timestamp with time zone not null,
  constraint test_movements_pkey PRIMARY KEY (seq),
  constraint test_movements_test_order_kind_key UNIQUE (test_order, kind),
  constraint test_movements_amount_pesewas_check CHECK (amount_pesewas <> 0),
  constraint test_movements_balance_after_pesewas_check CHECK (balance_after_pesewas >= 0),
  constraint test_movements_check CHECK ((kind = 'top-up'::text) = (test_order IS NULL)),
  constraint test_movements_kind_check CHECK (kind = ANY (ARRAY['order'::text, 'order-refund'::text, 'top-up'::text]))
);

create table test_orders (
  seq bigint not null generated always as identity,
  purchase_id uuid not null,
  user_id uuid not null,
  network text not null,
  offer text not null,
  receiver text not null,
  price_pesewas bigint not null,
  status text not null default 'pending'::text,
  next_status text,
  next_at timestamp with time zone,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  line integer,
  constraint test_orders_pkey PRIMARY KEY (seq),
  constraint test_orders_check CHECK ((next_status IS NULL) = (next_at IS NULL)),
  constraint test_orders_next_status_check CHECK (next_status = ANY (ARRAY['completed'::text, 'rejected'::text])),
  constraint test_orders_price_pesewas_check CHECK (price_pesewas > 0),
  constraint test_orders_status_check CHECK (status = ANY (ARRAY['pending'::text, 'completed'::text, 'rejected'::text]))
);

create table test_purchases (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  key_id uuid not null,
  is_test boolean not null default true,
  key text not null,
  request_hash bytea not null,
  created_at timestamp with time zone not null,
  balance_pesewas bigint,
  list_name text,
  first_order bigint,
  constraint test_purchases_pkey PRIMARY KEY (id),
  constraint test_purchases_user_id_key_key UNIQUE (user_id, key),
  constraint test_purchases_is_test_check CHECK (is_test),
  constraint test_purchases_key_check CHECK (length(key) >= 1 AND length(key) <= 150),
  constraint test_purchases_list CHECK ((list_name IS NULL) = (first_order IS NULL)),
  constraint test_purchases_request_hash_check CHECK (length(request_hash) = 32)
);

create table test_wallets (
  user_id uuid not null,
  balance_pesewas bigint not null,
  constraint test_wallets_pkey PRIMARY KEY (user_id),
  constraint test_wallets_balance_pesewas_check CHECK (balance_pesewas >= 0)
);

create table transaction_pins (
  user_id uuid not null,
  pin bytea not null,
  at_checkout boolean not null,
  changed_at timestamp with time zone not null,
  tries integer not null default 0,
  locks integer not null default 0,
  locked_until timestamp with time zone,
  reset_asked_at timestamp with time zone,
  resets integer not null default 0,
  reset_hash bytea,
  reset_tries integer not null default 0,
  reset_message_id uuid,
  constraint transaction_pins_pkey PRIMARY KEY (user_id),
  constraint transaction_pins_reset_message_id_key UNIQUE (reset_message_id),
  constraint transaction_pins_locks_check CHECK (locks >= 0),
  constraint transaction_pins_tries_check CHECK (tries >= 0 AND tries <= 4)
);

create unlogged table tries (
  bucket text not null,
  empty_at timestamp with time zone not null,
  constraint tries_pkey PRIMARY KEY (bucket)
);

create table undone_effects (
  payment_reference text not null,
  effect text not null,
  order_id uuid,
  caused_pesewas bigint not null,
  undone_pesewas bigint not null,
  times integer not null,
  changed_at timestamp with time zone not null,
  constraint undone_effects_payment_reference_effect_order_id_key UNIQUE NULLS NOT DISTINCT (payment_reference, effect, order_id),
  constraint undone_effects_caused_pesewas_check CHECK (caused_pesewas > 0),
  constraint undone_effects_effect_check CHECK (effect = ANY (ARRAY['profit'::text, 'commission'::text, 'upgrade'::text])),
  constraint undone_effects_of CHECK ((order_id IS NULL) = (effect = 'upgrade'::text)),
  constraint undone_effects_once CHECK (undone_pesewas >= 0 AND undone_pesewas <= caused_pesewas),
  constraint undone_effects_times_check CHECK (times > 0)
);

create table unmatched_payments (
  reference text not null,
  amount_pesewas bigint not null,
  currency text not null,
  is_test boolean not null,
  payer_email text,
  found_at timestamp with time zone not null,
  constraint unmatched_payments_pkey PRIMARY KEY (reference),
  constraint unmatched_payments_amount_pesewas_check CHECK (amount_pesewas >= 0),
  constraint unmatched_payments_reference_check CHECK (length(reference) >= 1 AND length(reference) <= 200)
);

create table user_blocks (
  block integer not null,
  users integer not null,
  constraint user_blocks_pkey PRIMARY KEY (block),
  constraint user_blocks_users_check CHECK (users >= 0 AND users <= 1000)
);

create table user_notes (
  id bigint not null generated always as identity,
  user_id uuid not null,
  author_id uuid not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint user_notes_pkey PRIMARY KEY (id),
  constraint user_notes_body_check CHECK (body = btrim(body) AND length(body) >= 1 AND length(body) <= 500)
);

create table users (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  username text not null,
  username_skeleton text not null,
  email text not null,
  phone text not null,
  password_hash text not null,
  level text not null default 'Customer'::text,
  status text not null default 'Active'::text,
  created_at timestamp with time zone not null default now(),
  login_changed_at timestamp with time zone,
  email_confirmed_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_phone_key UNIQUE (phone),
  constraint users_seq_key UNIQUE (seq),
  constraint users_username_skeleton_key UNIQUE (username_skeleton),
  constraint users_email_check CHECK (email = lower(btrim(email))),
  constraint users_level_check CHECK (level = ANY (ARRAY['Customer'::text, 'Agent'::text, 'Admin'::text])),
  constraint users_phone_check CHECK (phone ~ '^[0-9]{10}$'::text),
  constraint users_status_check CHECK (status = ANY (ARRAY['Active'::text, 'Banned'::text])),
  constraint users_username_check CHECK (username = lower(btrim(username)) AND length(username) >= 2 AND length(username) <= 30)
);

create table ussd_phones (
  user_id uuid not null,
  phone text not null,
  confirmed_at timestamp with time zone not null,
  constraint ussd_phones_pkey PRIMARY KEY (user_id),
  constraint ussd_phones_phone_check CHECK (phone ~ '^[0-9]{10}$'::text)
);

create table ussd_settings (
  singleton boolean not null default true,
  gateway text not null default 'arkesel'::text,
  secret_hash bytea,
  addresses text[] not null default '{}'::text[],
  most_characters smallint not null default 160,
  seen_at timestamp with time zone,
  problem text,
  problem_at timestamp with time zone,
  constraint ussd_settings_pkey PRIMARY KEY (singleton),
  constraint ussd_settings_addresses_check CHECK (cardinality(addresses) <= 50),
  constraint ussd_settings_gateway_check CHECK (gateway = ANY (ARRAY['arkesel'::text, 'nalo'::text, 'hubtel'::text])),
  constraint ussd_settings_most_characters_check CHECK (most_characters >= 100 AND most_characters <= 182),
  constraint ussd_settings_secret_hash_check CHECK (length(secret_hash) = 32),
  constraint ussd_settings_singleton_check CHECK (singleton)
);

create table wallet_movements (
  seq bigint not null generated always as identity,
  forwarder_id uuid not null,
  network text not null,
  text_hash bytea not null,
  opening_pesewas bigint not null,
  closing_pesewas bigint not null,
  payment_id uuid,
  facts jsonb,
  read_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  left_out_at timestamp with time zone,
  constraint wallet_movements_pkey PRIMARY KEY (seq),
  constraint wallet_movements_forwarder_id_network_text_hash_key UNIQUE (forwarder_id, network, text_hash),
  constraint wallet_movements_check CHECK (proven_at IS NULL OR left_out_at IS NULL),
  constraint wallet_movements_closing_pesewas_check CHECK (closing_pesewas >= 0),
  constraint wallet_movements_text_hash_check CHECK (length(text_hash) = 32)
);

create table wallets (
  account_id bigint not null,
  user_id uuid,
  balance_pesewas bigint not null default 0,
  total_purchase_pesewas bigint not null default 0,
  version bigint not null default 0,
  shop_id uuid,
  debt_pesewas bigint not null default 0,
  reserved_pesewas bigint not null default 0,
  reserved_until timestamp with time zone,
  constraint wallets_pkey PRIMARY KEY (account_id),
  constraint wallets_shop_id_key UNIQUE (shop_id),
  constraint wallets_user_id_key UNIQUE (user_id),
  constraint wallet_not_below_zero CHECK (balance_pesewas >= 0),
  constraint wallets_debt CHECK (debt_pesewas >= 0),
  constraint wallets_owner CHECK ((user_id IS NULL) <> (shop_id IS NULL)),
  constraint wallets_reserved CHECK (reserved_pesewas >= 0 AND (reserved_pesewas > 0) = (reserved_until IS NOT NULL)),
  constraint wallets_total_purchase_pesewas_check CHECK (total_purchase_pesewas >= 0)
) with (fillfactor=70);

create table webhook_deliveries (
  seq bigint not null generated always as identity,
  id uuid not null default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null,
  status text not null default 'waiting'::text,
  attempts integer not null default 0,
  answer integer,
  problem text,
  took_ms integer,
  attempted_at timestamp with time zone,
  next_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (seq),
  constraint webhook_deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id),
  constraint webhook_deliveries_id_key UNIQUE (id),
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))
);

create table webhook_endpoints (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  is_test boolean not null default false,
  url text not null,
  events text[] not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  ended_at timestamp with time zone,
  slow_since timestamp with time zone,
  proven_at timestamp with time zone,
  unproven_calls integer not null default 0,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_check CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  constraint webhook_endpoints_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY['order.delivered'::text, 'order.refused'::text, 'order.refunded'::text]),
  constraint webhook_endpoints_url_check CHECK (length(url) >= 10 AND length(url) <= 500)
);

create table webhook_events (
  id bigint not null generated always as identity,
  body_hash bytea not null,
  event text not null,
  reference text,
  body text not null,
  received_at timestamp with time zone not null,
  handled_at timestamp with time zone,
  queued_at timestamp with time zone,
  constraint webhook_events_pkey PRIMARY KEY (id),
  constraint webhook_events_body_hash_key UNIQUE (body_hash)
);

create table whatsapp_chats (
  phone text not null,
  heard_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  session text,
  list text,
  constraint whatsapp_chats_pkey PRIMARY KEY (phone),
  constraint whatsapp_chats_phone_check CHECK (phone ~ '^0[0-9]{9}$'::text)
);

create table whatsapp_claims (
  id text not null,
  by uuid not null,
  until timestamp with time zone not null,
  session text,
  constraint whatsapp_claims_pkey PRIMARY KEY (id),
  constraint whatsapp_claims_id_check CHECK (length(id) >= 1 AND length(id) <= 200)
);

create table whatsapp_days (
  day date not null,
  used integer not null default 0,
  warned boolean not null default false,
  full_warned boolean not null default false,
  dropped integer not null default 0,
  constraint whatsapp_days_pkey PRIMARY KEY (day),
  constraint whatsapp_days_used_check CHECK (used >= 0)
);

create table whatsapp_links (
  user_id uuid not null,
  phone text not null,
  linked_at timestamp with time zone,
  code_hash bytea,
  code_until timestamp with time zone,
  code_tries integer not null default 0,
  constraint whatsapp_links_pkey PRIMARY KEY (user_id),
  constraint whatsapp_links_check CHECK ((code_hash IS NULL) = (code_until IS NULL)),
  constraint whatsapp_links_check1 CHECK (linked_at IS NOT NULL OR code_hash IS NOT NULL),
  constraint whatsapp_links_code_hash_check CHECK (length(code_hash) = 32),
  constraint whatsapp_links_code_tries_check CHECK (code_tries >= 0 AND code_tries <= 5),
  constraint whatsapp_links_phone_check CHECK (phone ~ '^0[0-9]{9}$'::text)
);

create table whatsapp_messages (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  kind text not null,
  phone text,
  reply_to text,
  order_id uuid,
  body jsonb not null,
  status text not null,
  detail text not null default ''::text,
  provider_id text,
  attempts integer not null default 0,
  sending_since timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint whatsapp_messages_pkey PRIMARY KEY (id),
  constraint whatsapp_messages_order_id_kind_key UNIQUE (order_id, kind),
  constraint whatsapp_messages_provider_id_key UNIQUE (provider_id),
  constraint whatsapp_messages_reply_to_key UNIQUE (reply_to),
  constraint whatsapp_messages_seq_key UNIQUE (seq),
  constraint whatsapp_messages_check CHECK ((kind = 'reply'::text) = (reply_to IS NOT NULL)),
  constraint whatsapp_messages_check1 CHECK ((kind = ANY (ARRAY['delivered'::text, 'refunded'::text])) = (order_id IS NOT NULL)),
  constraint whatsapp_messages_kind_check CHECK (kind = ANY (ARRAY['reply'::text, 'delivered'::text, 'refunded'::text, 'test'::text, 'unnumbered'::text])),
  constraint whatsapp_messages_phone_check CHECK (phone ~ '^0[0-9]{9}$'::text),
  constraint whatsapp_messages_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'unknown'::text, 'over-cap'::text, 'left-out'::text])),
  constraint whatsapp_messages_unnumbered_check CHECK ((kind = 'unnumbered'::text) = (phone IS NULL))
);

create table whatsapp_received (
  id text not null,
  phone text not null,
  received_at timestamp with time zone not null,
  constraint whatsapp_received_pkey PRIMARY KEY (id),
  constraint whatsapp_received_id_check CHECK (length(id) >= 1 AND length(id) <= 200)
);

create table whatsapp_settings (
  id boolean not null default true,
  daily_cap integer not null default 1000,
  template text,
  template_language text not null default 'en'::text,
  constraint whatsapp_settings_pkey PRIMARY KEY (id),
  constraint whatsapp_settings_daily_cap_check CHECK (daily_cap >= 0 AND daily_cap <= 100000),
  constraint whatsapp_settings_id_check CHECK (id),
  constraint whatsapp_settings_template_check CHECK (template ~ '^[a-z0-9_]+$'::text AND length(template) <= 512),
  constraint whatsapp_settings_template_language_check CHECK (template_language ~ '^[a-z]{2,3}(_[A-Z]{2})?$'::text)
);

create table whatsapp_statuses (
  provider_id text not null,
  status text not null,
  at timestamp with time zone not null,
  reason text not null,
  constraint whatsapp_statuses_pkey PRIMARY KEY (provider_id, status),
  constraint whatsapp_statuses_provider_id_check CHECK (length(provider_id) >= 1 AND length(provider_id) <= 200),
  constraint whatsapp_statuses_status_check CHECK (status = ANY (ARRAY['sent'::text, 'delivered'::text, 'read'::text, 'failed'::text]))
);

create table withdrawal_rules (
  singleton boolean not null default true,
  enabled boolean not null default true,
  minimum_pesewas bigint not null default 2000,
  fee_pesewas bigint not null default 100,
  unapproved_pesewas bigint not null default 20000,
  hold_nights integer not null default 1,
  by_hand boolean not null default false,
  number_hold_hours integer not null default 24,
  constraint withdrawal_rules_pkey PRIMARY KEY (singleton),
  constraint withdrawal_rules_fee_pesewas_check CHECK (fee_pesewas >= 0 AND fee_pesewas <= 10000),
  constraint withdrawal_rules_hold_nights_check CHECK (hold_nights >= 0 AND hold_nights <= 14),
  constraint withdrawal_rules_minimum_pesewas_check CHECK (minimum_pesewas >= 100 AND minimum_pesewas <= 1000000),
  constraint withdrawal_rules_number_hold_hours_check CHECK (number_hold_hours >= 0 AND number_hold_hours <= 168),
  constraint withdrawal_rules_singleton_check CHECK (singleton),
  constraint withdrawal_rules_unapproved_pesewas_check CHECK (unapproved_pesewas >= 0 AND unapproved_pesewas <= 10000000)
);

create table withdrawals (
  id uuid not null default gen_random_uuid(),
  seq bigint not null generated always as identity,
  shop_id uuid not null,
  requested_by uuid not null,
  key text not null,
  reference text not null,
  amount_pesewas bigint not null,
  fee_pesewas bigint not null,
  network text not null,
  phone text not null,
  name text not null,
  new_number boolean not null,
  status text not null,
  unapproved boolean not null,
  reason text,
  provider_note text,
  recipient_code text,
  sent_at timestamp with time zone,
  asks integer not null default 0,
  ask_at timestamp with time zone,
  not_found integer not null default 0,
  not_found_at timestamp with time zone,
  hand_transaction_id text,
  paid_late_at timestamp with time zone,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint withdrawals_pkey PRIMARY KEY (id),
  constraint withdrawals_reference_key UNIQUE (reference),
  constraint withdrawals_seq_key UNIQUE (seq),
  constraint withdrawals_shop_id_key_key UNIQUE (shop_id, key),
  constraint withdrawals_amount_pesewas_check CHECK (amount_pesewas > 0),
  constraint withdrawals_check CHECK (hand_transaction_id IS NULL OR status = 'paid'::text),
  constraint withdrawals_check1 CHECK (fee_pesewas >= 0 AND fee_pesewas < amount_pesewas),
  constraint withdrawals_check2 CHECK ((ended_at IS NULL) = (status = ANY (ARRAY['approval'::text, 'ready'::text, 'sending'::text, 'accepted'::text, 'unknown'::text]))),
  constraint withdrawals_key_check CHECK (length(key) >= 1 AND length(key) <= 100),
  constraint withdrawals_name_check CHECK (length(name) >= 2 AND length(name) <= 60),
  constraint withdrawals_network_check CHECK (network = ANY (ARRAY['MTN'::text, 'Telecel'::text, 'AirtelTigo'::text])),
  constraint withdrawals_phone_check CHECK (phone ~ '^[0-9]{10}$'::text),
  constraint withdrawals_reference_check CHECK (reference ~ '^[a-z0-9]{20,40}$'::text),
  constraint withdrawals_status_check CHECK (status = ANY (ARRAY['approval'::text, 'ready'::text, 'sending'::text, 'accepted'::text, 'unknown'::text, 'paid'::text, 'failed'::text, 'declined'::text, 'cancelled'::text, 'reversed'::text]))
);

create table admin_actions_1 partition of admin_actions FOR VALUES FROM (MINVALUE) TO ('4000000');

create table admin_actions_2 partition of admin_actions FOR VALUES FROM ('4000000') TO ('8000000');

create table admin_actions_3 partition of admin_actions FOR VALUES FROM ('8000000') TO ('12000000');

create table order_search_1 partition of order_search FOR VALUES FROM (MINVALUE) TO ('4000000');

create table order_search_2 partition of order_search FOR VALUES FROM ('4000000') TO ('8000000');

create table order_search_3 partition of order_search FOR VALUES FROM ('8000000') TO ('12000000');

create table postings_1 partition of postings FOR VALUES FROM (MINVALUE) TO ('4000000');

create table postings_2 partition of postings FOR VALUES FROM ('4000000') TO ('8000000');

create table postings_3 partition of postings FOR VALUES FROM ('8000000') TO ('12000000');

alter table account_totals add constraint account_totals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table admin_actions add constraint admin_actions_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id);

alter table afa_forms add constraint afa_forms_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table afa_forms add constraint afa_forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table afa_registrations add constraint afa_registrations_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table agent_shops add constraint agent_shops_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id);

alter table agent_shops add constraint agent_shops_logo_hash_fkey FOREIGN KEY (logo_hash) REFERENCES images(hash);

alter table agent_shops add constraint agent_shops_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table api_events add constraint api_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table api_events add constraint api_events_test_order_fkey FOREIGN KEY (test_order) REFERENCES test_orders(seq) ON DELETE CASCADE;

alter table api_events add constraint api_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table api_keys add constraint api_keys_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES api_keys(id);

alter table api_keys add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table approvals add constraint approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id);

alter table approvals add constraint approvals_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES users(id);

alter table batch_formats add constraint batch_formats_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id);

alter table batch_orders add constraint batch_orders_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id);

alter table batch_orders add constraint batch_orders_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id);

alter table batch_orders add constraint batch_orders_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table batches add constraint batches_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id);

alter table bulk_groups add constraint bulk_groups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table bulk_jobs add constraint bulk_jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table bulk_lines add constraint bulk_lines_job_id_fkey FOREIGN KEY (job_id) REFERENCES bulk_jobs(id);

alter table bulk_lines add constraint bulk_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table bulk_lines add constraint bulk_lines_retry_of_fkey FOREIGN KEY (retry_of) REFERENCES orders(id);

alter table bulk_schedules add constraint bulk_schedules_group_id_fkey FOREIGN KEY (group_id) REFERENCES bulk_groups(id) ON DELETE CASCADE;

alter table bulk_schedules add constraint bulk_schedules_last_job_id_fkey FOREIGN KEY (last_job_id) REFERENCES bulk_jobs(id);

alter table bulk_schedules add constraint bulk_schedules_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table checker_codes add constraint checker_codes_import_id_fkey FOREIGN KEY (import_id) REFERENCES checker_imports(id);

alter table checker_codes add constraint checker_codes_kind_fkey FOREIGN KEY (kind) REFERENCES checker_kinds(kind);

alter table checker_codes add constraint checker_codes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table checker_codes add constraint checker_codes_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES checker_codes(id);

alter table checker_codes add constraint checker_codes_voided_by_fkey FOREIGN KEY (voided_by) REFERENCES users(id);

alter table checker_imports add constraint checker_imports_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES users(id);

alter table checker_imports add constraint checker_imports_kind_fkey FOREIGN KEY (kind) REFERENCES checker_kinds(kind);

alter table checker_imports add constraint checker_imports_taken_back_by_fkey FOREIGN KEY (taken_back_by) REFERENCES users(id);

alter table checker_packages add constraint checker_packages_kind_fkey FOREIGN KEY (kind) REFERENCES checker_kinds(kind);

alter table checker_packages add constraint checker_packages_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE;

alter table commissions add constraint commissions_order_id_fkey FOREIGN KEY (order_id) REFERENCES profit_shares(order_id) ON DELETE CASCADE;

alter table commissions add constraint commissions_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table commissions add constraint commissions_sold_in_fkey FOREIGN KEY (sold_in) REFERENCES agent_shops(id);

alter table confirmed_numbers add constraint confirmed_numbers_code_id_user_id_phone_fkey FOREIGN KEY (code_id, user_id, phone) REFERENCES payout_codes(id, asked_by, phone);

alter table confirmed_numbers add constraint confirmed_numbers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table contacts add constraint contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table conversations add constraint conversations_channel_fkey FOREIGN KEY (channel) REFERENCES channel_settings(channel);

alter table customer_notes add constraint customer_notes_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES journal_entries(id);

alter table day_closes add constraint day_closes_corrects_fkey FOREIGN KEY (corrects) REFERENCES day_closes(id);

alter table day_closes add constraint day_closes_signed_by_fkey FOREIGN KEY (signed_by) REFERENCES users(id);

alter table delivery_events add constraint delivery_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table delivery_restarts add constraint delivery_restarts_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table delivery_restarts add constraint delivery_restarts_restarted_by_fkey FOREIGN KEY (restarted_by) REFERENCES users(id);

alter table dismissed_debits add constraint dismissed_debits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table disputed_money add constraint disputed_money_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table disputed_money add constraint disputed_money_payment_reference_fkey FOREIGN KEY (payment_reference) REFERENCES payments(reference);

alter table disputed_orders add constraint disputed_orders_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table disputed_orders add constraint disputed_orders_payment_reference_fkey FOREIGN KEY (payment_reference) REFERENCES payments(reference);

alter table float_alarms add constraint float_alarms_message_id_fkey FOREIGN KEY (message_id) REFERENCES sms_messages(id);

alter table float_readings add constraint float_readings_entered_by_fkey FOREIGN KEY (entered_by) REFERENCES users(id);

alter table forwarded_messages add constraint forwarded_messages_forwarder_id_fkey FOREIGN KEY (forwarder_id) REFERENCES forwarders(id);

alter table forwarders add constraint forwarders_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table idempotency_keys add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table journal_entries add constraint journal_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id);

alter table known_devices add constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table lapsed_buyers add constraint lapsed_buyers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table message_formats add constraint message_formats_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id);

alter table momo_wallets add constraint momo_wallets_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES users(id);

alter table momo_wallets add constraint momo_wallets_forwarder_id_fkey FOREIGN KEY (forwarder_id) REFERENCES forwarders(id);

alter table news_preferences add constraint news_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table orders add constraint orders_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id);

alter table orders add constraint orders_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table orders add constraint orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table package_costs add constraint package_costs_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id);

alter table packages add constraint packages_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE;

alter table password_resets add constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table payment_claims add constraint payment_claims_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table payment_credits add constraint payment_credits_credited_by_fkey FOREIGN KEY (credited_by) REFERENCES users(id);

alter table payment_credits add constraint payment_credits_payment_id_amount_pesewas_fkey FOREIGN KEY (payment_id, amount_pesewas) REFERENCES received_payments(id, amount_pesewas);

alter table payment_credits add constraint payment_credits_recharge_id_fkey FOREIGN KEY (recharge_id) REFERENCES recharges(id);

alter table payment_credits add constraint payment_credits_taken_back_by_fkey FOREIGN KEY (taken_back_by) REFERENCES users(id);

alter table payment_credits add constraint payment_credits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table payment_lists add constraint payment_lists_reference_fkey FOREIGN KEY (reference) REFERENCES payments(reference);

alter table payments add constraint payments_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table payments add constraint payments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table payout_codes add constraint payout_codes_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id);

alter table payout_codes add constraint payout_codes_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table payout_number_removals add constraint payout_number_removals_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES users(id);

alter table payout_number_removals add constraint payout_number_removals_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table payout_numbers add constraint payout_numbers_code_id_shop_id_phone_fkey FOREIGN KEY (code_id, shop_id, phone) REFERENCES payout_codes(id, shop_id, phone);

alter table payout_numbers add constraint payout_numbers_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES users(id);

alter table payout_numbers add constraint payout_numbers_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table pin_proofs add constraint pin_proofs_user_id_fkey FOREIGN KEY (user_id) REFERENCES transaction_pins(user_id) ON DELETE CASCADE;

alter table postings add constraint postings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table postings add constraint postings_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES journal_entries(id);

alter table price_publications add constraint price_publications_published_by_fkey FOREIGN KEY (published_by) REFERENCES users(id);

alter table price_publications add constraint price_publications_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES price_schedules(id);

alter table price_publications add constraint price_publications_undoes_fkey FOREIGN KEY (undoes) REFERENCES price_publications(id);

alter table price_schedules add constraint price_schedules_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table products add constraint products_image_hash_fkey FOREIGN KEY (image_hash) REFERENCES images(hash);

alter table profit_shares add constraint profit_shares_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table profit_shares add constraint profit_shares_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table purchase_pauses add constraint purchase_pauses_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES users(id);

alter table received_payments add constraint received_payments_forwarder_id_fkey FOREIGN KEY (forwarder_id) REFERENCES forwarders(id);

alter table received_payments add constraint received_payments_received_by_fkey FOREIGN KEY (received_by) REFERENCES users(id);

alter table receiver_corrections add constraint receiver_corrections_corrected_by_fkey FOREIGN KEY (corrected_by) REFERENCES users(id);

alter table receiver_corrections add constraint receiver_corrections_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table recharges add constraint recharges_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id);

alter table recharges add constraint recharges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table referral_links add constraint referral_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table referrals add constraint referrals_referred_id_fkey FOREIGN KEY (referred_id) REFERENCES users(id);

alter table referrals add constraint referrals_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id);

alter table refund_codes add constraint refund_codes_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id);

alter table refunds add constraint refunds_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES users(id);

alter table refunds add constraint refunds_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id);

alter table refunds add constraint refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table refunds add constraint refunds_payment_reference_fkey FOREIGN KEY (payment_reference) REFERENCES payments(reference);

alter table refunds add constraint refunds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table report_messages add constraint report_messages_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id);

alter table report_messages add constraint report_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table reports add constraint reports_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id);

alter table reports add constraint reports_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table second_factors add constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table shop_prices add constraint shop_prices_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE;

alter table shop_prices add constraint shop_prices_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table shop_settings add constraint shop_settings_icon_hash_fkey FOREIGN KEY (icon_hash) REFERENCES images(hash);

alter table shop_settings add constraint shop_settings_logo_hash_fkey FOREIGN KEY (logo_hash) REFERENCES images(hash);

alter table sms_messages add constraint sms_messages_checker_code_id_fkey FOREIGN KEY (checker_code_id) REFERENCES checker_codes(id);

alter table sms_messages add constraint sms_messages_digest_id_fkey FOREIGN KEY (digest_id) REFERENCES sms_messages(id);

alter table sms_messages add constraint sms_messages_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table sms_messages add constraint sms_messages_payout_code_id_fkey FOREIGN KEY (payout_code_id) REFERENCES payout_codes(id);

alter table sms_messages add constraint sms_messages_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id);

alter table sms_messages add constraint sms_messages_report_message_id_fkey FOREIGN KEY (report_message_id) REFERENCES report_messages(id);

alter table staff_roles add constraint staff_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table sub_agent_invitations add constraint sub_agent_invitations_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table sub_agent_prices add constraint sub_agent_prices_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id) ON DELETE CASCADE;

alter table sub_agent_prices add constraint sub_agent_prices_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table sub_agents add constraint sub_agents_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id);

alter table sub_agents add constraint sub_agents_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES sub_agent_invitations(id);

alter table sub_agents add constraint sub_agents_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table sub_agents add constraint sub_agents_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table supplier_deliveries add constraint supplier_deliveries_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table test_movements add constraint test_movements_test_order_fkey FOREIGN KEY (test_order) REFERENCES test_orders(seq) ON DELETE CASCADE;

alter table test_movements add constraint test_movements_user_id_fkey FOREIGN KEY (user_id) REFERENCES test_wallets(user_id);

alter table test_orders add constraint test_orders_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES test_purchases(id) ON DELETE CASCADE;

alter table test_orders add constraint test_orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table test_purchases add constraint test_purchases_key_id_is_test_fkey FOREIGN KEY (key_id, is_test) REFERENCES api_keys(id, is_test);

alter table test_purchases add constraint test_purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table test_wallets add constraint test_wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table transaction_pins add constraint transaction_pins_reset_message_id_fkey FOREIGN KEY (reset_message_id) REFERENCES sms_messages(id);

alter table transaction_pins add constraint transaction_pins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table undone_effects add constraint undone_effects_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table undone_effects add constraint undone_effects_payment_reference_fkey FOREIGN KEY (payment_reference) REFERENCES payments(reference);

alter table user_notes add constraint user_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id);

alter table user_notes add constraint user_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table ussd_phones add constraint ussd_phones_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table wallet_movements add constraint wallet_movements_forwarder_id_network_fkey FOREIGN KEY (forwarder_id, network) REFERENCES momo_wallets(forwarder_id, network);

alter table wallet_movements add constraint wallet_movements_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES received_payments(id);

alter table wallets add constraint wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table wallets add constraint wallets_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

alter table wallets add constraint wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id);

alter table webhook_deliveries add constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES api_events(id) ON DELETE CASCADE;

alter table webhook_endpoints add constraint webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table whatsapp_links add constraint whatsapp_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table whatsapp_messages add constraint whatsapp_messages_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id);

alter table withdrawals add constraint withdrawals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id);

alter table withdrawals add constraint withdrawals_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id);

alter table withdrawals add constraint withdrawals_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES agent_shops(id);

CREATE OR REPLACE FUNCTION public.account_movements(p_from timestamp with time zone, p_until timestamp with time zone)
 RETURNS TABLE(account_id bigint, kind text, postings bigint, pesewas bigint)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  is_newest boolean := p_until = 'infinity' or not exists (select from journal_entries e where e.created_at >= p_until);
  first_day date := (p_from at time zone 'UTC')::date + case when p_from > date_trunc('day', p_from, 'UTC') then 1 else 0 end;
  end_day date := (p_until at time zone 'UTC')::date + case when is_newest then 1 else 0 end;
  until_first timestamptz := least(p_until, first_day::timestamp at time zone 'UTC');
  since_end timestamptz := greatest(p_from, end_day::timestamp at time zone 'UTC');
  -- Where it is false, the plan leaves the entries out: planning how to read all of their ranges takes longer than reading the days.
  has_hours boolean := (p_from < until_first and exists (select from journal_entries e where e.created_at >= p_from))
    or (first_day <= end_day and since_end < p_until);
begin
  return query
  select m.account_id, m.kind, sum(m.postings)::bigint, sum(m.pesewas)::bigint
  from (
    select d.account_id, d.kind, d.postings, d.pesewas from account_days d where d.day >= first_day and d.day < end_day
    union all
    select d.account_id, d.kind, 1, d.pesewas from account_deltas d where d.day >= first_day and d.day < end_day
    union all
    select p.account_id, e.kind, 1, p.amount_pesewas
    from journal_entries e join postings p on p.entry_id = e.id and p.account_id < 1000
    where has_hours and (
      (e.created_at >= p_from and e.created_at < until_first)
      or (first_day <= end_day and e.created_at >= since_end and e.created_at < p_until)
    )
  ) m
  group by m.account_id, m.kind;
end $function$;

CREATE OR REPLACE FUNCTION public.add_up_days(p_now timestamp with time zone, p_most integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  due stale_days;
  changed date;
  next_day date;
begin
  for due in
    delete from stale_days where (totals, day) in (
      select totals, day from stale_days
      where totals <> 'months' and day + case when totals in ('agents', 'packages') then 6 else 0 end < (p_now at time zone 'UTC')::date
      order by day desc, totals limit p_most for update
    ) or (totals, day) in (
      select totals, day from stale_days where totals = 'months' order by day desc limit greatest(p_most / 20, 1) for update
    ) returning *
  loop
    if due.totals = 'insight' then
      delete from insight_days where day = due.day;
      insert into insight_days (day, network, supplier, hours, minutes, hour_minutes)
      select due.day, o.network, o.supplier, o.hours, o.minutes, o.hour_minutes from insight_of_day(due.day) o;
      delete from insight_day_minutes where day = due.day;
      insert into insight_day_minutes
      select due.day, ('[' || string_agg(minutes || ',' || orders, ',' order by minutes) || ']')::json
      from (select minutes, sum(orders) as orders from insight_minutes where day = due.day group by minutes) taken having count(*) > 0;
      changed := least(changed, due.day);
    elsif due.totals = 'agents' then
      delete from agent_weeks where week = due.day;
      insert into agent_weeks
      select due.day, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
        sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
      from delivery_totals where day between due.day and due.day + 6 and agent_id is not null group by agent_id;
      delete from agent_lists where days = 7 and starts_on = due.day;
      insert into agent_lists select 7, due.day, o.* from agents_of_days(due.day, due.day + 6) o;
    elsif due.totals = 'packages' then
      delete from insight_package_weeks where week = due.day;
      insert into insight_package_weeks
      select due.day, network, supplier, offer, sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas), sum(uncosted_orders)
      from insight_packages where day between due.day and due.day + 6 group by network, supplier, offer;
    elsif due.totals = 'months' then
      delete from agent_months where month = due.day;
      insert into agent_months
      select due.day, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
        sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
      from delivery_totals where day >= due.day and day < due.day + interval '1 month' and agent_id is not null group by agent_id;
    else
      delete from delivery_days where day = due.day;
      insert into delivery_days
      select day, network, supplier, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
        sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
      from delivery_totals where day = due.day group by day, network, supplier;
      delete from agent_lists where days = 1 and starts_on = due.day;
      insert into agent_lists select 1, due.day, o.* from agents_of_days(due.day, due.day) o;
    end if;
  end loop;
  -- Running totals go on, a day after the other, as far as no day before has changed.
  delete from insight_running_totals where day >= changed;
  for turn in 1 .. p_most loop
    select min(d.day) into next_day from insight_days d where d.day > coalesce((select max(day) from insight_running_totals), '-infinity');
    exit when next_day is null or exists (select from stale_days where totals = 'insight' and day <= next_day);
    insert into insight_running_totals select next_day, o.network, o.supplier, o.hours, o.minutes, o.hour_minutes from insight_until(next_day) o;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.agent_above(p_shop uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select s.shop_id from agent_shops a join sub_agents s on s.user_id = a.owner_id and s.ended_at is null where a.id = p_shop
$function$;

CREATE OR REPLACE FUNCTION public.agents_of_days(p_from date, p_to date)
 RETURNS TABLE(network text, supplier text, best bytea, others bytea, others_most bigint, others_least bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with bought as (
    select t.network, t.supplier, u.seq::integer as seq, sum(t.orders)::integer as orders, sum(t.sales_pesewas - t.refunded_pesewas)::bigint as net,
      row_number() over (partition by t.network, t.supplier order by sum(t.sales_pesewas - t.refunded_pesewas) desc, u.seq) as place
    from delivery_totals t join users u on u.id = t.agent_id where t.day between p_from and p_to
    group by grouping sets ((t.network, t.supplier, u.seq), (u.seq))
  )
  select network, supplier, string_agg(packed, '' order by place) filter (where place <= 400),
    coalesce(string_agg(packed, '' order by place) filter (where place > 400), ''),
    coalesce(max(net) filter (where place > 400), 0), coalesce(min(net) filter (where place > 400), 0)
  from (select *, int4send(seq) || int4send(orders) || int8send(net) as packed from bought) packed group by network, supplier
$function$;

CREATE OR REPLACE FUNCTION public.all_ended_before(p_horizon xid8)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select not exists (
    select from pg_locks written
    join pg_locks own on own.virtualtransaction = written.virtualtransaction and own.pid = written.pid
    cross join (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) now
    where written.locktype = 'relation' and written.mode = 'RowExclusiveLock'
      and written.database = (select oid from pg_database where datname = current_database())
      and own.locktype = 'transactionid' and own.mode = 'ExclusiveLock' and own.granted
      -- pg_locks shows only 32 bits of a transaction id.
      and now.next - (now.next - own.transactionid::text::bigint) % 4294967296 < p_horizon::text::bigint
  )
$function$;

CREATE OR REPLACE FUNCTION public.analyze_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  grown name;
begin
  for grown in
    select whole.relname from pg_class whole join pg_inherits i on i.inhparent = whole.oid join pg_class part on part.oid = i.inhrelid
    where whole.relkind = 'p' and whole.relnamespace = 'public'::regnamespace
    group by whole.oid, whole.relname, whole.reltuples
    having sum(greatest(part.reltuples, 0)) > 1.2 * greatest(whole.reltuples, 0) + 100
  loop
    execute format('analyze %I', grown);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.change_loss(p_payment text, p_returned bigint, p_loss bigint, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  payer uuid;
begin
  update payments set returned_pesewas = returned_pesewas + p_returned, loss_pesewas = loss_pesewas + p_loss
    where reference = p_payment returning user_id into payer;
  perform undo_effects(p_payment, p_now);
  -- What was delivered to an invited customer counts as far as it was paid for.
  update referrals set recheck_at = p_now where referred_id = payer and rewarded_at is not null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_batch_order_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from orders where id = new.order_id and status = new.status) then
    raise exception 'order % is not %, as its batch says', new.order_id, new.status using errcode = 'DW009';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_entry_balances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  total numeric;
  lines integer;
begin
  select coalesce(sum(amount_pesewas), 0), count(*) into total, lines from postings where entry_id = new.id;
  if lines < 2 then
    raise exception 'journal entry % (%) has % postings, at least two are needed', new.id, new.key, lines using errcode = 'DW003';
  end if;
  if total <> 0 then
    raise exception 'journal entry % (%) does not balance: its postings sum to %', new.id, new.key, total using errcode = 'DW003';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_posting_is_of_its_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select 1 from added join journal_entries entry on entry.id = added.entry_id
    where entry.xact <> pg_current_xact_id()
  ) then
    raise exception 'a posting may only join an entry of its own transaction' using errcode = 'DW002';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_report_is_refunded()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from orders where id = new.order_id and status = 'rejected') then
    raise exception 'report % ended in a refund, but its order is not refunded', new.id using errcode = 'DW008';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sale bigint := new.price_pesewas - new.agent_profit_pesewas;
  delivered_on date := (new.completed_at at time zone 'UTC')::date;
  agent uuid := case when new.level = 'Agent' then new.user_id end;
  uncosted boolean := new.cost_pesewas is null;
begin
  if new.status = 'completed' and old.status = 'pending' then
    insert into delivery_deltas (day, network, supplier, agent_id, orders, sales_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas)
    values (delivered_on, new.network, new.cost_supplier, agent, 1, sale, coalesce(new.cost_pesewas, 0),
      uncosted::integer, case when uncosted then sale else 0 end);
  elsif new.status = 'rejected' and old.completed_at is not null and old.status = 'completed' then
    insert into delivery_deltas (day, network, supplier, agent_id, refunded_orders, refunded_pesewas, refunded_uncosted_pesewas)
    values ((new.decided_at at time zone 'UTC')::date, new.network, new.cost_supplier, agent, 1, sale,
      case when uncosted then sale else 0 end);
  end if;
  if old.completed_at is not null and old.cost_pesewas is null and new.cost_pesewas is not null then
    insert into delivery_deltas (day, network, supplier, agent_id, cost_pesewas, uncosted_orders, uncosted_pesewas)
    values (delivered_on, new.network, new.cost_supplier, agent, new.cost_pesewas, -1, -sale);
    if new.status = 'rejected' then
      insert into delivery_deltas (day, network, supplier, agent_id, refunded_uncosted_pesewas)
      values ((new.decided_at at time zone 'UTC')::date, new.network, new.cost_supplier, agent, -sale);
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_insight()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  sale bigint := new.price_pesewas - new.agent_profit_pesewas;
  costed boolean := new.cost_pesewas is not null;
  delivered_at timestamptz;
begin
  if new.status = 'completed' and old.status = 'pending' then
    select d.delivered_at into delivered_at from supplier_deliveries d where d.order_id = new.id;
    insert into insight_deltas (at, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders, bought_hour, minutes)
    values (new.completed_at, new.network, new.cost_supplier, new.offer, 1, sale,
      case when costed then sale else 0 end, coalesce(new.cost_pesewas, 0), (not costed)::integer,
      extract(hour from new.created_at at time zone 'UTC'),
      delivery_minutes(least(delivered_at, new.completed_at) - new.created_at));
  elsif new.status = 'rejected' and old.status = 'completed' and old.completed_at is not null then
    insert into insight_deltas (at, network, supplier, offer, net_pesewas, costed_pesewas)
    values (new.decided_at, new.network, new.cost_supplier, new.offer, -sale, case when costed then -sale else 0 end);
  end if;
  if old.completed_at is not null and old.cost_pesewas is null and costed then
    insert into insight_deltas (at, network, supplier, offer, costed_pesewas, cost_pesewas, uncosted_orders)
    values (new.completed_at, new.network, new.cost_supplier, new.offer, sale, new.cost_pesewas, -1);
    if old.status = 'rejected' then
      insert into insight_deltas (at, network, supplier, offer, costed_pesewas)
      values (new.decided_at, new.network, new.cost_supplier, new.offer, -sale);
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_lapsed_buyers(p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  today constant date := (p_now at time zone 'UTC')::date;
begin
  update insight_progress set lapsed_on = today where lapsed_on is distinct from today;
  if not found then
    return;
  end if;
  delete from lapsed_buyers;
  insert into lapsed_buyers (user_id, weekly_orders, last_order_at)
  with recent as (
    select user_id, created_at, max(created_at) over (partition by user_id) as last from orders
    where seq >= coalesce((select min(block) from order_totals where day between today - 63 and today) * 10000::bigint, 0)
      and created_at > p_now - interval '63 days' and status <> 'rejected' and user_id is not null
  ),
  weeks as (
    select user_id, last, floor(extract(epoch from last - created_at) / 604800) as week, count(*) as orders from recent
    where last < p_now - interval '7 days' and last > p_now - interval '35 days' and created_at > last - interval '28 days'
    group by user_id, last, week
  )
  select user_id, round(sum(orders) / 4.0), last from weeks group by user_id, last having count(*) = 4;
end $function$;

CREATE OR REPLACE FUNCTION public.count_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    insert into order_deltas (day, block, network, status, orders, pesewas)
    values ((old.created_at at time zone 'UTC')::date, old.seq / 10000, old.network, old.status, -1, -old.price_pesewas);
  end if;
  insert into order_deltas (day, block, network, status, orders, pesewas)
  values ((new.created_at at time zone 'UTC')::date, new.seq / 10000, new.network, new.status, 1, new.price_pesewas);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_recharge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    update list_counts set rows = rows - 1 where list = 'recharges' and status = old.status;
  end if;
  update list_counts set rows = rows + 1 where list = 'recharges' and status = new.status;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update list_counts set rows = rows + 1 where list = coalesce(tg_argv[0], tg_table_name) and status = '';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_user_blocks(p_now timestamp with time zone, p_most integer)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into user_blocks (block, users)
  select block, (select count(*) from users u where u.seq >= block * 1000::bigint and u.seq < (block + 1) * 1000::bigint)
  from (select coalesce(max(block) + 1, 0) as first from user_blocks) next,
    (select seq from users where created_at < p_now - interval '1 hour' order by seq desc limit 1) newest,
    generate_series(first, least(first + p_most, newest.seq / 1000) - 1) block
  on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION public.create_shop_wallet(p_shop uuid)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  account bigint := nextval('wallet_account_ids');
begin
  insert into accounts (id, code) values (account, 'earnings:' || p_shop);
  insert into wallets (account_id, shop_id) values (account, p_shop);
  return account;
end $function$;

CREATE OR REPLACE FUNCTION public.create_wallet(p_user uuid)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  account bigint := nextval('wallet_account_ids');
begin
  insert into accounts (id, code) values (account, 'wallet:' || p_user);
  insert into wallets (account_id, user_id) values (account, p_user);
  return account;
end $function$;

CREATE OR REPLACE FUNCTION public.delivery_minutes(p_took interval)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when minutes <= 60 then minutes
    when minutes <= 240 then (minutes + 4) / 5 * 5
    when minutes <= 1440 then (minutes + 29) / 30 * 30
    when minutes <= 10080 then (minutes + 1439) / 1440 * 1440
    else 10080
  end
  from (select greatest(1, least(ceil(extract(epoch from p_took) / 60), 1000000))::integer as minutes) taken
$function$;

CREATE OR REPLACE FUNCTION public.drop_confirmations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.phone is distinct from old.phone then delete from confirmed_numbers where user_id = new.id; end if;
  if new.email is distinct from old.email then new.email_confirmed_at := null; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fix_delivery_cost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.completed_at := greatest(new.decided_at, (select max(until_at) from day_closes));
  if new.network = 'WAEC Checkers' then
    new.cost_pesewas := (select sum(unit_cost_pesewas) from checker_codes where order_id = new.id);
    if new.cost_pesewas is not null then
      new.cost_supplier := 'checker-stock';
      return new;
    end if;
  end if;
  new.cost_supplier := coalesce((
    select supplier from supplier_deliveries where order_id = new.id and status in ('sending', 'accepted', 'unknown', 'delivered')
  ), (
    select supplier from delivery_events where order_id = new.id and kind = 'delivered-after-all' order by at desc, id desc limit 1
  ), 'by-hand');
  new.cost_pesewas := package_cost(new.product_id, new.offer, new.cost_supplier, new.decided_at);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_account_deltas()
 RETURNS void
 LANGUAGE sql
AS $function$
  with folded as (delete from account_deltas returning account_id, pesewas, day, kind),
  days as (
    insert into account_days as kept (day, account_id, kind, postings, pesewas)
    select day, account_id, kind, count(*), sum(pesewas) from folded group by day, account_id, kind
    on conflict (day, account_id, kind) do update
    set postings = kept.postings + excluded.postings, pesewas = kept.pesewas + excluded.pesewas
  )
  insert into account_totals as kept (account_id, pesewas)
  select account_id, sum(pesewas) from folded group by account_id
  on conflict (account_id) do update set pesewas = kept.pesewas + excluded.pesewas
$function$;

CREATE OR REPLACE FUNCTION public.fold_delivery_deltas()
 RETURNS void
 LANGUAGE sql
AS $function$
  with folded as (delete from delivery_deltas returning *),
  changed as (
    insert into stale_days
    select 'deliveries', day from folded union select 'agents', date_trunc('week', day::timestamp)::date from folded where agent_id is not null
    on conflict do nothing
  ),
  months as (
    insert into agent_months as kept
    select date_trunc('month', day::timestamp)::date, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders),
      sum(uncosted_pesewas), sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
    from folded where agent_id is not null group by 1, 2
    on conflict (month, agent_id) do update set
      orders = kept.orders + excluded.orders, sales_pesewas = kept.sales_pesewas + excluded.sales_pesewas,
      cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
      uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders, uncosted_pesewas = kept.uncosted_pesewas + excluded.uncosted_pesewas,
      refunded_orders = kept.refunded_orders + excluded.refunded_orders, refunded_pesewas = kept.refunded_pesewas + excluded.refunded_pesewas,
      refunded_uncosted_pesewas = kept.refunded_uncosted_pesewas + excluded.refunded_uncosted_pesewas
  )
  insert into delivery_totals as kept
  select day, network, supplier, agent_id, sum(orders), sum(sales_pesewas), sum(cost_pesewas), sum(uncosted_orders), sum(uncosted_pesewas),
    sum(refunded_orders), sum(refunded_pesewas), sum(refunded_uncosted_pesewas)
  from folded group by day, network, supplier, agent_id
  on conflict on constraint delivery_totals_of do update set
    orders = kept.orders + excluded.orders, sales_pesewas = kept.sales_pesewas + excluded.sales_pesewas,
    cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
    uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders, uncosted_pesewas = kept.uncosted_pesewas + excluded.uncosted_pesewas,
    refunded_orders = kept.refunded_orders + excluded.refunded_orders, refunded_pesewas = kept.refunded_pesewas + excluded.refunded_pesewas,
    refunded_uncosted_pesewas = kept.refunded_uncosted_pesewas + excluded.refunded_uncosted_pesewas
$function$;

CREATE OR REPLACE FUNCTION public.fold_insight_deltas()
 RETURNS void
 LANGUAGE sql
AS $function$
  with folded as (delete from insight_deltas returning *),
  changed as (
    insert into stale_days
    select 'insight', (at at time zone 'UTC')::date from folded union select 'packages', date_trunc('week', at at time zone 'UTC')::date from folded
    on conflict do nothing
  ),
  hours as (
    insert into insight_hours as kept (hour, network, supplier, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)
    select date_trunc('hour', at, 'UTC'), network, supplier, sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas), sum(uncosted_orders)
    from folded group by 1, network, supplier
    on conflict (hour, network, supplier) do update set
      orders = kept.orders + excluded.orders, net_pesewas = kept.net_pesewas + excluded.net_pesewas,
      costed_pesewas = kept.costed_pesewas + excluded.costed_pesewas, cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
      uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders
  ),
  packages as (
    insert into insight_packages as kept (day, network, supplier, offer, orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)
    select (at at time zone 'UTC')::date, network, supplier, offer, sum(orders), sum(net_pesewas), sum(costed_pesewas), sum(cost_pesewas),
      sum(uncosted_orders)
    from folded group by 1, network, supplier, offer
    on conflict (day, network, supplier, offer) do update set
      orders = kept.orders + excluded.orders, net_pesewas = kept.net_pesewas + excluded.net_pesewas,
      costed_pesewas = kept.costed_pesewas + excluded.costed_pesewas, cost_pesewas = kept.cost_pesewas + excluded.cost_pesewas,
      uncosted_orders = kept.uncosted_orders + excluded.uncosted_orders
  ),
  times as (
    insert into insight_minutes as kept (day, network, supplier, minutes, orders)
    select (at at time zone 'UTC')::date, network, supplier, minutes, count(*) from folded where minutes is not null group by 1, network, supplier, minutes
    on conflict (day, network, supplier, minutes) do update set orders = kept.orders + excluded.orders
  )
  insert into insight_hour_minutes as kept (day, network, supplier, hour, minutes, orders)
  select (at at time zone 'UTC')::date, network, supplier, bought_hour, rough_minutes(minutes), count(*)
  from folded where minutes is not null group by 1, network, supplier, bought_hour, rough_minutes(minutes)
  on conflict (day, network, supplier, hour, minutes) do update set orders = kept.orders + excluded.orders
$function$;

CREATE OR REPLACE FUNCTION public.fold_order_deltas()
 RETURNS void
 LANGUAGE sql
AS $function$
  with folded as (delete from order_deltas returning *),
  days as (
    select day, block, network, status, orders, pesewas from folded
    union all select 'infinity', -1, network, status, orders, pesewas from folded
  ),
  stretches as (
    insert into order_stretches as kept (stretch, network, status, orders)
    select block / 100, network, status, sum(orders) from folded group by 1, 2, 3
    on conflict (stretch, network, status) do update set orders = kept.orders + excluded.orders
  )
  insert into order_totals as kept (day, block, network, status, orders, pesewas)
  select day, block, network, status, sum(orders), sum(pesewas) from days group by day, block, network, status
  on conflict (day, block, network, status) do update set orders = kept.orders + excluded.orders, pesewas = kept.pesewas + excluded.pesewas
$function$;

CREATE OR REPLACE FUNCTION public.follow_loss()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform undo_effects(new.reference, now());
  update referrals set recheck_at = now() where referred_id = new.user_id and rewarded_at is not null and recheck_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.gains_from(p_person uuid, p_users uuid[], p_phones text[], p_shops uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select p_person = any (p_users)
    or exists (select from users u where u.id = p_person and u.phone = any (p_phones))
    or exists (select from unnest(p_shops) shop join agent_shops a on a.id in (shop, agent_above(shop)) where a.owner_id = p_person)
$function$;

CREATE OR REPLACE FUNCTION public.gains_from_order(p_person uuid, p_order uuid, p_status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select case when p_status = 'rejected' then gains_from(p_person, array[o.user_id], array[o.guest_phone], null)
    else gains_from(p_person, array(select referrer_id from referrals where referred_id = o.user_id and rewarded_at is null), null, array[o.shop_id]) end
  from orders o where o.id = p_order
$function$;

CREATE OR REPLACE FUNCTION public.guard_api_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.user_id, new.hash, new.is_test, new.scopes) is distinct from (old.id, old.user_id, old.hash, old.is_test, old.scopes)
    or (old.ended_at is not null and new.ended_at is distinct from old.ended_at)
    or (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at)) then
    raise exception 'key % can only be ended, or expire sooner', old.id using errcode = 'DW013';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.decision is not null
    or (new.id, new.action, new.action_hash, new.details, new.proposed_by, new.proposed_at, new.expires_at)
      is distinct from (old.id, old.action, old.action_hash, old.details, old.proposed_by, old.proposed_at, old.expires_at) then
    raise exception 'an approval is decided once, as it was proposed' using errcode = 'DW001';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_batch_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ordered text;
begin
  if tg_op = 'UPDATE' then
    if old.status <> 'locked' and new is distinct from old then
      raise exception 'order % has left its batch as %', old.order_id, old.status using errcode = 'DW009';
    end if;
    if (new.batch_id, new.order_id) is distinct from (old.batch_id, old.order_id) then
      raise exception 'order % cannot change its batch', old.order_id using errcode = 'DW009';
    end if;
    return new;
  end if;
  -- A decision and a delivery of the order wait for this transaction, or are seen here.
  select status into ordered from orders where id = new.order_id for update;
  if ordered <> 'pending' or new.status <> 'locked' then
    raise exception 'order % is % and cannot be batched', new.order_id, ordered using errcode = 'DW009';
  end if;
  if exists (select from supplier_deliveries where order_id = new.order_id
      and status in ('waiting', 'sending', 'accepted', 'unknown', 'delivered'))
    or exists (select from order_outbox where order_id = new.order_id) then
    raise exception 'order % is on its way to a supplier and cannot be batched', new.order_id using errcode = 'DW009';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_checker_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'code % cannot be deleted', old.id using errcode = 'DW013';
  end if;
  if (new.id, new.import_id, new.kind, new.serial_hash, new.pin_hash, new.tail, new.unit_cost_pesewas)
    is distinct from (old.id, old.import_id, old.kind, old.serial_hash, old.pin_hash, old.tail, old.unit_cost_pesewas) then
    raise exception 'what code % is cannot be changed', old.id using errcode = 'DW013';
  end if;
  if old.order_id is not null and (new.order_id, new.n, new.sold_at, new.replaces_id)
    is distinct from (old.order_id, old.n, old.sold_at, old.replaces_id) then
    raise exception 'code % was sold already', old.id using errcode = 'DW013';
  end if;
  if old.order_id is null and new.order_id is not null and (old.voided_at is not null or old.taken_back_at is not null) then
    raise exception 'code % is not for sale', old.id using errcode = 'DW013';
  end if;
  if (old.voided_at is not null and (new.voided_at, new.voided_by, new.void_reason) is distinct from (old.voided_at, old.voided_by, old.void_reason))
    or (old.taken_back_at is not null and new.taken_back_at is distinct from old.taken_back_at) then
    raise exception 'code % was taken out of the stock for good', old.id using errcode = 'DW013';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_confirmed_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from payout_codes c where c.id = new.code_id and c.shop_id is null and c.used_at is not null) then
    raise exception 'no code has confirmed the number %', new.phone using errcode = 'DW018';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_day_close()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  last timestamptz;
begin
  if new.corrects is not null then
    if not exists (select from day_closes where id = new.corrects and (from_at, until_at) = (new.from_at, new.until_at)) then
      raise exception 'a correction has the range of the close that it corrects' using errcode = 'DW011';
    end if;
    return new;
  end if;
  select max(until_at) into last from day_closes;
  if new.from_at <> last then
    raise exception 'a close begins where the last one ended, at %', last using errcode = 'DW011';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  restarted boolean;
begin
  -- Sent again, because of a report or by an admin: under a new reference, once the supplier is done with the old one.
  if new.reference <> old.reference then
    restarted := exists (select from delivery_restarts r join orders o on o.id = r.order_id where r.order_id = old.order_id
      and r.reference = new.reference and r.to_supplier = new.supplier and (r.from_reference, r.from_status) = (old.reference, old.status)
      and o.status = 'pending'
      -- By itself it never goes back to who refused it, nor on from a supplier that may have had it.
      and (r.restarted_by is not null or ((old.resent = 0 or old.status = 'failed') and not exists (select from delivery_restarts b
        where b.order_id = old.order_id and b.from_supplier = new.supplier and b.from_status in ('rejected', 'failed')))));
    if not (restarted and (old.status in ('waiting', 'rejected', 'failed', 'cancelled') or (old.status = 'unknown' and old.not_found >= 2)))
      and not (old.status in ('rejected', 'delivered', 'failed', 'cancelled') and new.supplier = old.supplier
        and exists (select from reports where order_id = old.order_id and status = 'resent' and resend_reference = new.reference))
      or (new.order_id, new.volume_mb, new.airtime_operator, new.airtime_pesewas, new.not_found_apart_ms)
        is distinct from (old.order_id, old.volume_mb, old.airtime_operator, old.airtime_pesewas, old.not_found_apart_ms)
      or (new.status, new.attempts, new.resent, new.asked, new.not_found) <> ('waiting', 0, 0, 0, 0)
      or coalesce(new.not_found_at, new.sent_at, new.accepted_at, new.delivered_at) is not null
      or new.supplier_reference is not null then
      raise exception 'what was ordered from the supplier for order % cannot be changed', old.order_id using errcode = 'DW006';
    end if;
    return new;
  end if;
  if (new.order_id, new.reference, new.supplier, new.volume_mb, new.airtime_operator, new.airtime_pesewas, new.not_found_apart_ms)
    is distinct from (old.order_id, old.reference, old.supplier, old.volume_mb, old.airtime_operator, old.airtime_pesewas, old.not_found_apart_ms) then
    raise exception 'what was ordered from the supplier for order % cannot be changed', old.order_id using errcode = 'DW006';
  end if;
  if new.status = 'sending' and not (old.status = 'waiting' or (old.status = 'unknown' and old.not_found >= 2)) then
    raise exception 'order % is % at the supplier and cannot be sent', old.order_id, old.status using errcode = 'DW006';
  end if;
  -- Taken back from a supplier that may have it: only by an admin who looked on its portal, after it was twice not found.
  if old.status = 'unknown' and new.status = 'cancelled' and not (old.not_found >= 2 and exists (select from delivery_restarts
      where order_id = old.order_id and to_supplier is null and (from_reference, from_status) = (old.reference, 'unknown'))) then
    raise exception 'order % may be at the supplier and cannot be cancelled', old.order_id using errcode = 'DW006';
  end if;
  -- Count each "not found" answer once, and only if it came long enough after the one before.
  if new.not_found > old.not_found then
    if new.not_found > old.not_found + 1
      or clock_timestamp() < old.not_found_at + old.not_found_apart_ms * interval '1 millisecond' then
      raise exception 'order % was not found too soon after the last time', old.order_id using errcode = 'DW006';
    end if;
    new.not_found_at := clock_timestamp();
  elsif new.not_found = old.not_found then
    new.not_found_at := old.not_found_at;
  elsif new.not_found = 0 then
    new.not_found_at := null;
  else
    raise exception 'order % was not found % times, which cannot become %', old.order_id, old.not_found, new.not_found using errcode = 'DW006';
  end if;
  -- The first time counts: a repeated answer changes updated_at only.
  if new.status in ('accepted', 'delivered') then
    new.accepted_at := coalesce(old.accepted_at, new.updated_at);
  end if;
  if new.status = 'delivered' then
    new.delivered_at := coalesce(old.delivered_at, new.updated_at);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_new_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  removed timestamptz := (select max(r.removed_at) from payout_number_removals r where r.shop_id = new.shop_id and r.phone = new.phone);
begin
  if not exists (
      select from payout_numbers n where n.shop_id = new.shop_id and n.phone = new.phone and n.free_at <= new.created_at and removed is null
    ) and not exists (
      select from withdrawals w
      where w.shop_id = new.shop_id and w.network = new.network and w.phone = new.phone and w.status = 'paid'
        and (removed is null or w.created_at > removed)
    ) then
    raise exception 'withdrawal % goes to a number that nobody has confirmed', new.reference using errcode = 'DW012';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_payment_credit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or old.taken_back_at is not null
    or (new.payment_id, new.amount_pesewas, new.user_id, new.recharge_id, new.entry_key, new.credited_at, new.credited_by)
      is distinct from (old.payment_id, old.amount_pesewas, old.user_id, old.recharge_id, old.entry_key, old.credited_at, old.credited_by) then
    raise exception 'credit % of a received payment cannot be changed', old.id using errcode = 'DW010';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_received_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'received payment % cannot be deleted', old.transaction_id using errcode = 'DW010';
  end if;
  if new.transaction_id <> old.transaction_id
    or new.network <> old.network and not (old.status = 'waiting' and old.doubts @> array['unknown-form']) then
    raise exception 'received payment % cannot become another one', old.transaction_id using errcode = 'DW010';
  end if;
  if new.amount_pesewas <> old.amount_pesewas and exists (select from payment_credits where payment_id = old.id) then
    raise exception 'the amount of received payment % was credited', old.transaction_id using errcode = 'DW010';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_receiver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status, new.status) <> ('pending', 'pending')
    or exists (select from supplier_deliveries where order_id = old.id and status in ('sending', 'accepted', 'unknown', 'delivered'))
    or exists (select from batch_orders where order_id = old.id and status = 'locked')
    or (old.receiver, new.receiver) is distinct from
      (select (from_receiver, to_receiver) from receiver_corrections where order_id = old.id order by id desc limit 1) then
    raise exception 'the receiver of order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.payment_reference, new.order_id, new.phone, new.amount_pesewas, new.reason, new.created_at, new.user_id) is distinct from
     (old.id, old.payment_reference, old.order_id, old.phone, old.amount_pesewas, old.reason, old.created_at, old.user_id) then
    raise exception 'what is owed in refund % cannot be changed', old.id using errcode = 'DW013';
  end if;
  -- What is a code for a guest is the wallet for a customer; the table's checks say which of them it may be.
  if new.status <> old.status and not (case old.status
    when 'due' then new.status in ('sending', 'code', 'wallet', 'paid') or (new.status = 'returned' and new.sent_at is null)
    when 'sending' then new.status in ('accepted', 'unknown', 'code', 'wallet', 'paid')
    when 'accepted' then new.status in ('unknown', 'code', 'wallet', 'paid')
    when 'unknown' then new.status in ('accepted', 'code', 'wallet', 'paid') or (new.status = 'review' and new.not_found >= 2)
    when 'review' then new.status in ('sending', 'accepted', 'code', 'wallet', 'paid')
    -- A guest who wants no wallet is paid from the shop's phone.
    when 'code' then new.status in ('claimed', 'returned') or (new.status = 'paid' and new.hand_transaction_id is not null)
    -- The shop won the dispute after all, so that it is owed again.
    when 'returned' then new.status in ('due', 'code')
    else false
  end) then
    raise exception 'refund % is %, not to become %', old.id, old.status, new.status using errcode = 'DW013';
  end if;
  if new.status = 'paid' and new.hand_transaction_id is not null and old.status not in ('due', 'review', 'code', 'paid') then
    raise exception 'refund % is %, not to be paid by hand', old.id, old.status using errcode = 'DW013';
  end if;
  if old.sent_at is not null and new.sent_at is null then
    raise exception 'refund % was sent', old.id using errcode = 'DW013';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_refund_to_source()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  room bigint;
begin
  if new.user_id is null then return new; end if;
  if not exists (select from orders o where o.id = new.order_id and o.user_id = new.user_id and o.status = 'rejected'
      and o.payment_reference = new.payment_reference and new.amount_pesewas <= o.price_pesewas + o.surcharge_pesewas) then
    raise exception 'no refunded order of customer % is worth refund of %', new.user_id, new.payment_reference using errcode = 'DW013';
  end if;
  select coalesce(m.received_pesewas, 0) - m.returned_pesewas into room from payments m where m.reference = new.payment_reference for update;
  room := room - (select coalesce(sum(r.amount_pesewas), 0) from refunds r where r.payment_reference = new.payment_reference
    and r.status <> 'wallet' and (r.status <> 'paid' or r.hand_transaction_id is not null));
  if new.amount_pesewas > room then
    raise exception 'payment % has % left to give back, not %', new.payment_reference, room, new.amount_pesewas using errcode = 'DW013';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_rejection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  standing text;
begin
  select status into standing from supplier_deliveries where order_id = new.id;
  if standing = 'sending' or (standing in ('accepted', 'unknown', 'delivered') and new.override_reason is null) then
    raise exception 'order % is % at the supplier and cannot be rejected', new.id, standing using errcode = 'DW007';
  end if;
  if exists (select from reports where order_id = new.id and status = 'resent') and coalesce(standing not in ('rejected', 'failed'), true) then
    raise exception 'order % was sent again and cannot be refunded', new.id using errcode = 'DW007';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ordered text;
  standing text;
begin
  if tg_op = 'UPDATE' then
    if old.status <> 'open' and new is distinct from old then
      raise exception 'report % has ended as %', old.id, old.status using errcode = 'DW008';
    end if;
    if (new.order_id, new.opened_at) is distinct from (old.order_id, old.opened_at) then
      raise exception 'what report % is about cannot be changed', old.id using errcode = 'DW008';
    end if;
  end if;
  -- A decision of the order waits for this transaction, or is seen here.
  select status into ordered from orders where id = new.order_id for update;
  if new.status in ('open', 'resent') and ordered = 'rejected' then
    raise exception 'order % is refunded, so nothing is left to report or to send again', new.order_id using errcode = 'DW008';
  end if;
  select status into standing from supplier_deliveries where order_id = new.order_id;
  if new.status = 'resent' and standing in ('waiting', 'sending', 'accepted', 'unknown') then
    raise exception 'order % is % at the supplier and cannot be sent again', new.order_id, standing using errcode = 'DW008';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_sub_agent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if exists (select from agent_shops a join sub_agents s on s.user_id = a.owner_id and s.ended_at is null where a.id = new.shop_id)
      or exists (select from agent_shops a where a.owner_id = new.user_id) then
      raise exception 'user % cannot be a sub-agent of shop %', new.user_id, new.shop_id using errcode = 'DW010';
    end if;
    return new;
  end if;
  if old.ended_at is not null or (new.id, new.shop_id, new.user_id, new.invitation_id, new.joined_at)
    is distinct from (old.id, old.shop_id, old.user_id, old.invitation_id, old.joined_at) then
    raise exception 'sub-agent % cannot be changed', old.id using errcode = 'DW010';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_withdrawal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.shop_id, new.requested_by, new.key, new.reference, new.amount_pesewas, new.fee_pesewas, new.network, new.phone, new.name,
      new.created_at) is distinct from (old.id, old.shop_id, old.requested_by, old.key, old.reference, old.amount_pesewas, old.fee_pesewas,
      old.network, old.phone, old.name, old.created_at) then
    raise exception 'what was asked for in withdrawal % cannot be changed', old.reference using errcode = 'DW012';
  end if;
  if new.status <> old.status and not (case old.status
    when 'approval' then new.status in ('ready', 'paid', 'failed', 'declined', 'cancelled', 'accepted', 'unknown')
    when 'ready' then new.status in ('sending', 'approval', 'failed', 'accepted', 'unknown', 'paid')
    when 'sending' then new.status in ('accepted', 'unknown', 'approval', 'failed', 'paid')
    when 'accepted' then new.status in ('paid', 'failed', 'unknown')
    when 'unknown' then new.status in ('accepted', 'paid', 'failed', 'approval')
    when 'paid' then new.status = 'reversed' and old.hand_transaction_id is null
    else false
  end) then
    raise exception 'withdrawal % is %, not to become %', old.reference, old.status, new.status using errcode = 'DW012';
  end if;
  if old.status = 'unknown' and new.status = 'approval' and new.not_found < 2 then
    raise exception 'withdrawal % may have been paid', old.reference using errcode = 'DW012';
  end if;
  if old.sent_at is not null and new.sent_at is null then
    raise exception 'withdrawal % was sent', old.reference using errcode = 'DW012';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_withdrawal_pin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not take_pin_proof(new.requested_by, decode(nullif(current_setting('shop.pin_proof', true), ''), 'hex'), new.created_at) then
    raise exception 'withdrawal % lacks a proof of the PIN', new.reference using errcode = 'DW014';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.hold_share()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  share text := tg_argv[0];
  measure text := coalesce(nullif(tg_argv[3], ''), 'count(*)');
  condition text := coalesce(nullif(tg_argv[4], ''), 'true');
  owner text;
  used bigint;
begin
  for owner in
    execute format('select distinct %1$I::text from added where %1$I is not null order by 1', tg_argv[1])
  loop
    perform pg_advisory_xact_lock(hashtextextended(share || ' ' || owner, 0));
    -- A statement of its own: it sees what was committed while it waited.
    execute format('select coalesce(%s, 0) from %I.%I where %I = $1::%s and %s', measure, tg_table_schema, tg_table_name, tg_argv[1],
      (select format_type(atttypid, null) from pg_attribute where attrelid = tg_relid and attname = tg_argv[1]), condition)
      into used using owner;
    if used > tg_argv[2]::bigint then
      raise exception 'the share "%" of % is used up', share, owner using errcode = 'DW015', constraint = share;
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.index_late_orders()
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into order_search (seq, words)
  select o.seq, order_words(o, u) from orders o left join users u on u.id = o.user_id
  where not exists (select from order_search s where s.seq = o.seq)
  on conflict (seq) do nothing
$function$;

CREATE OR REPLACE FUNCTION public.index_new_orders()
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into order_search (seq, words)
  select seq, words from orders_not_searchable order by seq limit 20000
  on conflict (seq) do nothing
$function$;

CREATE OR REPLACE FUNCTION public.insight_of_day(p_day date)
 RETURNS TABLE(network text, supplier text, hours json, minutes json, hour_minutes json)
 LANGUAGE sql
 STABLE
AS $function$
  select network, supplier, coalesce(h.hours, '{}')::json, coalesce(m.minutes, '[]')::json, coalesce(t.hour_minutes, '{}')::json
  from (
    select network, supplier, '{' || string_agg(format('"%s":[%s,%s,%s,%s,%s]', extract(hour from hour at time zone 'UTC'), orders, net_pesewas,
        costed_pesewas, cost_pesewas, uncosted_orders), ',' order by hour) || '}' as hours
    from insight_hours where hour >= p_day::timestamp at time zone 'UTC' and hour < (p_day + 1)::timestamp at time zone 'UTC'
    group by network, supplier
  ) h
  full join (
    select network, supplier, '[' || string_agg(minutes || ',' || orders, ',' order by minutes) || ']' as minutes
    from insight_minutes where day = p_day group by network, supplier
  ) m using (network, supplier)
  full join (
    select network, supplier, '{' || string_agg('"' || hour || '":[' || taken || ']', ',' order by hour) || '}' as hour_minutes
    from (
      select network, supplier, hour, string_agg(minutes || ',' || orders, ',' order by minutes) as taken
      from insight_hour_minutes where day = p_day group by network, supplier, hour
    ) by_hour group by network, supplier
  ) t using (network, supplier)
$function$;

CREATE OR REPLACE FUNCTION public.insight_of_range(p_from date, p_to date, p_network text, p_supplier text)
 RETURNS TABLE(day date, network text, supplier text, sign integer, hours json, minutes json, hour_minutes json)
 LANGUAGE sql
 STABLE
AS $function$
  with kept_until as (
    -- No running total from the first day on that has changed since.
    select max(r.day) as day from insight_running_totals r
    where r.day < coalesce((select min(s.day) from stale_days s where s.totals = 'insight'), 'infinity')
  ),
  summed as (select k.day as until from kept_until k where k.day >= p_from),
  chosen as (
    select null::date as day, r.network, r.supplier, 1 as sign, r.hours, r.minutes, r.hour_minutes from insight_running_totals r
    where r.day = (select max(t.day) from insight_running_totals t where t.day <= p_to and t.day <= (select until from summed))
    union all select null, r.network, r.supplier, -1, r.hours, r.minutes, r.hour_minutes from insight_running_totals r
    where r.day = (select max(t.day) from insight_running_totals t where t.day < p_from and exists (select from summed))
    union all select k.day, k.network, k.supplier, 1, k.hours, k.minutes, k.hour_minutes from insight_days k
    where k.day between p_from and p_to and not exists (select from summed where k.day <= until)
      and not exists (select from stale_days s where s.totals = 'insight' and s.day = k.day)
    union all select s.day, o.network, o.supplier, 1, o.hours, o.minutes, o.hour_minutes
    from stale_days s cross join lateral insight_of_day(s.day) o where s.totals = 'insight' and s.day between p_from and p_to
    union all select f.day, f.network, f.supplier, 1, f.hours, f.minutes, f.hour_minutes from insight_fresh f where f.day between p_from and p_to
  )
  select * from chosen where (p_network is null or network = p_network) and (p_supplier is null or supplier = p_supplier)
  union all select m.day, null, null, 1, '{}'::json, m.minutes, '{}'::json from insight_day_minutes m, summed
  where p_network is null and p_supplier is null and m.day between p_from and least(p_to, until)
  union all select k.day, null, null, 1, '{}', k.minutes, '{}' from insight_days k, summed
  where (p_network is not null or p_supplier is not null) and k.day between p_from and least(p_to, until)
    and (p_network is null or k.network = p_network) and (p_supplier is null or k.supplier = p_supplier)
$function$;

CREATE OR REPLACE FUNCTION public.insight_until(p_day date)
 RETURNS TABLE(network text, supplier text, hours json, minutes json, hour_minutes json)
 LANGUAGE sql
 STABLE
AS $function$
  with known as (
    select network, supplier, hours, minutes, hour_minutes from insight_running_totals
    where day = (select max(day) from insight_running_totals where day < p_day)
    union all select network, supplier, hours, minutes, hour_minutes from insight_days where day = p_day
  ),
  by_hour as (
    select network, supplier, key::integer as hour, array_to_string(array[sum((value->>0)::bigint), sum((value->>1)::bigint), sum((value->>2)::bigint),
      sum((value->>3)::bigint), sum((value->>4)::bigint)], ',') as sums
    from known cross join lateral json_each(hours) group by network, supplier, key
  ),
  -- Every other number is how many took as long as the one before it says. Without an hour those of all.
  by_minutes as (
    select network, supplier, hour, taken, sum(orders) as orders
    from (
      select network, supplier, hour, (pairs->>at)::integer as taken, (pairs->>at + 1)::bigint as orders
      from (
        select network, supplier, null::integer as hour, minutes as pairs from known
        union all select network, supplier, key::integer, value from known cross join lateral json_each(hour_minutes)
      ) lists cross join lateral generate_series(0, json_array_length(pairs) - 1, 2) at
    ) one group by network, supplier, hour, taken
  ),
  times as (
    select network, supplier, hour, '[' || string_agg(taken || ',' || orders, ',' order by taken) || ']' as pairs from by_minutes group by network, supplier, hour
  )
  select network, supplier, coalesce(h.hours, '{}')::json, coalesce(t.minutes, '[]')::json, coalesce(t.hour_minutes, '{}')::json
  from (select network, supplier, '{' || string_agg('"' || hour || '":[' || sums || ']', ',' order by hour) || '}' as hours from by_hour group by 1, 2) h
  full join (
    select network, supplier, max(pairs) filter (where hour is null) as minutes,
      '{' || string_agg('"' || hour || '":' || pairs, ',' order by hour) filter (where hour is not null) || '}' as hour_minutes
    from times group by 1, 2
  ) t using (network, supplier)
$function$;

CREATE OR REPLACE FUNCTION public.is_only_owner(p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from staff_roles r join users u on u.id = r.user_id
      where u.id = p_person and r.role = 'owner' and u.level = 'Admin' and u.status = 'Active')
    and not exists (select from staff_roles r join users u on u.id = r.user_id
      where u.id <> p_person and r.role = 'owner' and u.level = 'Admin' and u.status = 'Active')
$function$;

CREATE OR REPLACE FUNCTION public.keep_newest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owner text;
begin
  for owner in execute format('select distinct %1$I::text from added where %1$I is not null order by 1', tg_argv[0])
  loop
    perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ' of ' || owner, 0));
    execute format('delete from %1$I.%2$I where ctid = any (array(select ctid from %1$I.%2$I where %3$I = $1::%5$s order by %4$s offset $2))',
      tg_table_schema, tg_table_name, tg_argv[0], tg_argv[2],
      (select format_type(atttypid, null) from pg_attribute where attrelid = tg_relid and attname = tg_argv[0])) using owner, tg_argv[1]::integer;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_staff_roles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.level = 'Admin' then
    insert into staff_roles (user_id, role)
      select new.id, 'owner' where not exists (select from staff_roles where user_id = new.id);
  else
    delete from staff_roles where user_id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_ledger()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  lock table journal_entries in share row exclusive mode;
end $function$;

CREATE OR REPLACE FUNCTION public.make_partitions()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '500ms'
AS $function$
declare
  size constant bigint := 4000000;
  kept record;
  ranges bigint;
  range_end bigint;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('make_partitions')) then return 0; end if;
  for kept in
    select name, pg_sequence_last_value(numbers::regclass) as newest from (values
      ('admin_actions', pg_get_serial_sequence('admin_actions', 'id')),
      ('order_search', pg_get_serial_sequence('orders', 'seq')),
      ('postings', pg_get_serial_sequence('journal_entries', 'id'))
    ) kept_in_ranges (name, numbers)
  loop
    select count(*), max(substring(pg_get_expr(p.relpartbound, p.oid) from 'TO \(''(\d+)''\)')::bigint) into ranges, range_end
    from pg_inherits i join pg_class p on p.oid = i.inhrelid where i.inhparent = kept.name::regclass;
    while range_end < coalesce(kept.newest, 0) + 2 * size loop
      ranges := ranges + 1;
      execute format('create table %I (like %I including defaults including constraints)', kept.name || '_' || ranges, kept.name);
      execute format('alter table %I attach partition %I for values from (%s) to (%s)',
        kept.name, kept.name || '_' || ranges, range_end, range_end + size);
      range_end := range_end + size;
      made := made + 1;
    end loop;
  end loop;
  return made;
exception when lock_not_available then return 0;
end $function$;

CREATE OR REPLACE FUNCTION public.new_reference()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  alphabet constant text := 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  random_bytes bytea;
  result text := '';
  octet integer;
begin
  while length(result) < 20 loop
    random_bytes := uuid_send(gen_random_uuid());
    for i in 0 .. 15 loop
      -- Octets 6 and 8 of a version 4 UUID hold its version and variant, which are not random.
      continue when i = 6 or i = 8;
      octet := get_byte(random_bytes, i);
      -- Reject bytes from 248 (the largest multiple of 62 below 256) on, so that all letters are equally likely.
      if octet < 248 and length(result) < 20 then
        result := result || substr(alphabet, octet % 62 + 1, 1);
      end if;
    end loop;
  end loop;
  return result;
end $function$;

CREATE OR REPLACE FUNCTION public.note_api_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into api_events (user_id, is_test, type, order_id, created_at)
  select new.user_id, false,
    case when new.status = 'completed' then 'order.delivered' when old.status = 'pending' then 'order.refused' else 'order.refunded' end,
    new.id, coalesce(new.decided_at, now())
  where exists (select from webhook_endpoints where user_id = new.user_id and not is_test and ended_at is null)
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_delivery_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  happened text := case
    when old.status = 'sending' and new.status = 'waiting' then 'not-taken'
    when old.status = 'sending' and new.status in ('unknown', 'rejected') then new.status
    when new.status = 'failed' and old.status <> 'failed' then 'failed'
    when new.status = 'unknown' and new.asked > old.asked then 'asked'
  end;
begin
  if happened is not null and new.reference = old.reference then
    insert into delivery_events (order_id, supplier, reference, kind, detail, sent_at, at)
    values (new.order_id, new.supplier, new.reference, happened, new.detail, case when old.status = 'sending' then old.sent_at end, new.updated_at);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_login_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.login_changed_at := clock_timestamp();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.note_network_of_cost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.network := (select network from products where id = new.product_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.note_new_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into order_outbox (order_id) values (new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_undone_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update referrals set recheck_at = new.decided_at where referred_id = new.user_id and rewarded_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.offers_under(p_shop uuid, p_above uuid)
 RETURNS TABLE(product_id uuid, product_seq bigint, place smallint, network text, image_hash text, offer text, house_pesewas bigint, agent_pesewas bigint, agent_own boolean, cost_pesewas bigint, floor_pesewas bigint, ceiling_pesewas bigint, price_pesewas bigint, own boolean, state text)
 LANGUAGE sql
 STABLE
AS $function$
  select p.id, p.seq, k.position, p.network, p.image_hash, k.offer, k.price_customer_pesewas, k.price_agent_pesewas, t.price_pesewas is not null,
    cost.pesewas, bounds.floor, bounds.ceiling, priced.price, s.price_pesewas is not null,
    case when p.status <> 'available' or (p.network = 'WAEC Checkers' and sold_out(p.id, k.offer)) then 'not-available' when s.hidden then 'hidden'
      when priced.price < bounds.floor or (p_above is not null and cost.pesewas < k.price_agent_pesewas + r.min_profit_pesewas) then 'below-cost'
      when priced.price > bounds.ceiling then 'above-highest' else 'on-sale' end
  from agent_shop_rules r cross join products p join packages k on k.product_id = p.id and not k.hidden
  left join agent_shops a on a.id = p_shop
  left join shop_prices s on s.shop_id = p_shop and s.product_id = p.id and s.offer = k.offer
  left join sub_agent_prices t on t.shop_id = p_above and t.product_id = p.id and t.offer = k.offer
  cross join lateral (
    select case when p_above is null then k.price_agent_pesewas else coalesce(t.price_pesewas, greatest(
      k.price_agent_pesewas + r.min_profit_pesewas, round(k.price_agent_pesewas * 105 / 1000.0)::bigint * 10
    )) end as pesewas
  ) cost
  cross join lateral (
    select k.price_agent_pesewas * (100 + coalesce(a.max_markup, r.max_markup)) as times
  ) most
  cross join lateral (
    select cost.pesewas + r.min_profit_pesewas as floor, greatest(
      k.price_agent_pesewas + r.min_profit_pesewas, k.price_customer_pesewas,
      least(round(most.times / 5000.0)::bigint * 50, most.times / 100)
    ) as ceiling
  ) bounds
  cross join lateral (
    select coalesce(s.price_pesewas, greatest(k.price_customer_pesewas, bounds.floor)) as price
  ) priced
$function$;

CREATE OR REPLACE FUNCTION public.on_the_way(p_user uuid, p_products uuid[], p_offers text[], p_receivers text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_agg(jsonb_build_object('index', found.place - 1, 'seq', found.seq, 'network', found.network, 'offer', found.offer,
    'receiver', found.receiver) order by found.place)
  from (
    select line.place, o.seq, o.network, o.offer, o.receiver
    from unnest(p_products, p_offers, p_receivers) with ordinality as line (product, offer, receiver, place)
    cross join lateral (
      select seq, network, offer, receiver from orders
      where receiver = line.receiver and user_id = p_user and status = 'pending' and offer = line.offer and product_id = line.product
      order by seq desc limit 1
    ) o
    order by line.place limit 100
  ) found
$function$;

CREATE OR REPLACE FUNCTION public.order_batch(p_order uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('number', b.number, 'by', u.username)
  from batch_orders l join batches b on b.id = l.batch_id join users u on u.id = b.made_by
  where l.order_id = p_order and l.status = 'locked'
$function$;

CREATE OR REPLACE FUNCTION public.order_words(made orders, buyer users)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws(' ', made.seq::text, buyer.username, buyer.phone, made.guest_phone, made.network, made.receiver, made.offer, made.reference,
    made.payment_reference, made.client_reference, to_char(made.created_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS'), shown_amount(made.price_pesewas),
    case when made.surcharge_pesewas > 0 then shown_amount(made.price_pesewas + made.surcharge_pesewas) end)
$function$;

CREATE OR REPLACE FUNCTION public.owe_refund(p_payment text, p_order uuid, p_phone text, p_pesewas bigint, p_reason text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into refunds (payment_reference, order_id, phone, amount_pesewas, reason, created_at, ask_at)
  values (p_payment, p_order, p_phone, p_pesewas, p_reason, p_now, p_now);
$function$;

CREATE OR REPLACE FUNCTION public.package_cost(p_product uuid, p_offer text, p_supplier text, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select cost_pesewas from package_costs
  where product_id = p_product and offer = p_offer and supplier = p_supplier and valid_from <= p_at
  order by valid_from desc, id desc limit 1
$function$;

CREATE OR REPLACE FUNCTION public.pause_unproven_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update bulk_schedules set is_paused = true, paused_why = case tg_table_name when 'users' then 'password' else 'pin' end
  where user_id = (to_jsonb(new) ->> case tg_table_name when 'users' then 'id' else 'user_id' end)::uuid and next_at is not null and not pin_proven;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.place_asking_channel_orders(p_channel text, p_on_by_default boolean, p_proof bytea, p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  outcome jsonb;
begin
  perform set_config('shop.asks_on_the_way', 'yes', true);
  outcome := place_channel_orders(p_channel, p_on_by_default, p_proof, p_user, p_key, p_request_hash, p_items, p_now);
  perform set_config('shop.asks_on_the_way', '', true);
  return outcome;
end $function$;

CREATE OR REPLACE FUNCTION public.place_asking_key_orders(p_hash bytea, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  outcome jsonb;
begin
  perform set_config('shop.asks_on_the_way', 'yes', true);
  outcome := place_key_orders(p_hash, p_key, p_request_hash, p_items, p_now);
  perform set_config('shop.asks_on_the_way', '', true);
  return outcome;
end $function$;

CREATE OR REPLACE FUNCTION public.place_asking_orders(p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone, p_proof bytea DEFAULT NULL::bytea)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  outcome jsonb;
begin
  perform set_config('shop.asks_on_the_way', 'yes', true);
  outcome := case when p_proof is null then place_wallet_orders(p_user, p_key, p_request_hash, p_items, p_now)
    else place_proven_orders(p_proof, p_user, p_key, p_request_hash, p_items, p_now) end;
  perform set_config('shop.asks_on_the_way', '', true);
  return outcome;
end $function$;

CREATE OR REPLACE FUNCTION public.place_bulk_orders(p_user uuid, p_job jsonb, p_request_hash bytea, p_lines jsonb, p_left_out jsonb, p_total bigint, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  -- No more than a reader looks at.
  most_refused constant integer := 100;
  payment constant text := p_job ->> 'payment';
  surcharge constant bigint := coalesce((p_job ->> 'surcharge')::bigint, 0);
  wallet record;
  buyer record;
  known record;
  made record;
  refusals jsonb;
  total bigint;
  keys text[];
  memos text[];
  prices bigint[];
  retries uuid[];
  job uuid;
  short integer;
begin
  select account_id, balance_pesewas, total_purchase_pesewas, version, reserved_pesewas into wallet from wallets where user_id = p_user for update;

  -- Requests with the same key queue on the wallet's lock above, so the second one finds the list here.
  select id, request_hash into known from bulk_jobs where user_id = p_user and key = p_job ->> 'key';
  if found then
    if known.request_hash <> p_request_hash then
      return jsonb_build_object('outcome', 'key-reused');
    end if;
    return jsonb_build_object('outcome', 'placed', 'replayed', true, 'jobId', known.id, 'balancePesewas', wallet.balance_pesewas,
      'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version);
  end if;

  -- A card payment is settled even during a pause, since its money has been taken already.
  if payment is null and exists (select from purchase_pauses where lifted_at is null) then
    return jsonb_build_object('outcome', 'refused', 'code', 'PAUSED');
  end if;
  -- Read after locking the wallet, so that a demotion or ban committed meanwhile counts.
  select level, status into buyer from users where id = p_user;
  if buyer.status <> 'Active' then
    return jsonb_build_object('outcome', 'refused', 'code', 'BANNED');
  end if;

  -- What the buyer's client set aside for this purchase, or for another, can be spent.
  if wallet.reserved_pesewas > 0 then
    perform return_reserved(wallet.account_id, p_now);
    wallet.balance_pesewas := wallet.balance_pesewas + wallet.reserved_pesewas;
  end if;

  -- A refunded order is bought again at most once; bulk_lines.retry_of is unique.
  select array_agg((line ->> 'retryOf')::uuid) into retries from jsonb_array_elements(p_lines) line where line ->> 'retryOf' is not null;
  if retries is not null and (
    (select count(*) from orders where id = any (retries) and user_id = p_user and status = 'rejected') <> cardinality(retries)
    or exists (select from bulk_lines where retry_of = any (retries))
  ) then
    return jsonb_build_object('outcome', 'refused', 'code', 'RETRIED');
  end if;

  -- Each package is priced once, however many lines have it.
  with line as materialized (
    select *, concat_ws('|', product, network, seen, offer) as kind
    from rows from (jsonb_to_recordset(p_lines) as (
      product uuid, network text, offer text, receiver text, seen bigint, "retryOf" uuid, number integer, text text, name text)) with ordinality
      as line (product, network, offer, receiver, seen, retry_of, number, written, name, place)
  ), kinds as materialized (
    select kind, row_number() over (order by kind) as place,
      jsonb_build_object('product', min(product::text), 'network', min(network), 'offer', min(offer), 'receiver', '', 'seen', min(seen)) as wanted
    from line group by kind
  ), priced as materialized (
    select kinds.kind, found.product_id, found.network, found.image_hash, found.price_pesewas, found.refused
    from kinds join price_lines(buyer.level, (select jsonb_agg(wanted order by place) from kinds)) with ordinality
      as found (product_id, network, offer, image_hash, receiver, client_id, price_pesewas, refused, place) using (place)
  ), one as (
    select line.*, priced.product_id, coalesce(priced.network, line.network) as sold_network, priced.image_hash, priced.price_pesewas,
      priced.refused, gen_random_uuid() as order_id
    from line join priced using (kind)
  )
  select array_agg(order_id order by place) as ids, array_agg(product_id order by place) as products, array_agg(sold_network order by place) as networks,
    array_agg(offer order by place) as offers, array_agg(image_hash order by place) as images, array_agg(receiver order by place) as receivers,
    array_agg(price_pesewas order by place) as prices, array_agg(retry_of order by place) as retries, array_agg(number order by place) as numbers,
    array_agg(written order by place) as written, array_agg(name order by place) as names, coalesce(sum(price_pesewas), 0)::bigint as total,
    coalesce(bool_or(refused is not null), false) as is_refused,
    (jsonb_agg(refused || jsonb_build_object('index', place - 1) order by place) filter (where refused is not null)) as refused
  into made from one;
  total := made.total;
  if made.is_refused then
    select jsonb_agg(entry order by place) into refusals
    from jsonb_array_elements(made.refused) with ordinality as listed (entry, place) where place <= most_refused;
    return jsonb_build_object('outcome', 'refused', 'code', refusals -> 0 ->> 'code', 'items', refusals, 'totalPesewas', total);
  end if;
  if total <> p_total then
    return jsonb_build_object('outcome', 'refused', 'code', 'TOTAL', 'totalPesewas', total);
  end if;
  if total + surcharge > wallet.balance_pesewas then
    return jsonb_strip_nulls(jsonb_build_object('outcome', 'refused', 'code', 'INSUFFICIENT_BALANCE', 'totalPesewas', total, 'balancePesewas', wallet.balance_pesewas,
      'dispute', (
        select jsonb_build_object('heldPesewas', sum(m.pesewas), 'paidPesewas', sum(p.received_pesewas), 'payments', count(*))
        from disputed_money m join payments p on p.reference = m.payment_reference where m.account_id = wallet.account_id and m.pesewas > 0
        having count(*) > 0)));
  end if;
  if 'WAEC Checkers' = any (made.networks) then
    short := short_of_checkers(made.products, made.offers);
    if short is not null then
      return jsonb_build_object('outcome', 'refused', 'code', 'NOT_AVAILABLE', 'totalPesewas', total, 'items', jsonb_build_array(
        jsonb_build_object('index', short - 1, 'code', 'NOT_AVAILABLE', 'offer', made.offers[short], 'network', made.networks[short], 'soldOut', true)));
    end if;
  end if;

  if p_job ? 'asks' then
    refusals := on_the_way(p_user, made.products, made.offers, made.receivers);
    if refusals is not null then
      return jsonb_build_object('outcome', 'refused', 'code', 'ON_THE_WAY', 'items', refusals);
    end if;
  end if;

  -- A schedule asked when it was made, a payment when it began; the developer API's keys are a proof of their own.
  if p_job ->> 'placedBy' = 'hand' and payment is null and not p_job ? 'topUp'
    and not take_pin_proof(p_user, decode(p_job ->> 'pinProof', 'hex'), p_now) then
    return jsonb_build_object('outcome', 'refused', 'code', 'PIN_REQUIRED');
  end if;

  if wallet.reserved_pesewas > 0 then
    perform return_set_aside(p_user, p_now);
  end if;
  prices := made.prices;
  with inserted as (
    insert into orders (id, user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, surcharge_pesewas, paid_with,
      payment_reference, top_up_reference, reference, created_at)
    select id, p_user, product, network, offer, image, buyer.level, receiver, price,
      surcharge * so_far / total - surcharge * (so_far - price) / total, case when payment is null then 'wallet' else 'card' end,
      payment, p_job ->> 'topUp', new_reference(), p_now
    from (
      select *, (sum(price) over (order by place))::bigint as so_far
      from unnest(made.ids, made.products, made.networks, made.offers, made.images, made.receivers, made.prices) with ordinality
        as line (id, product, network, offer, image, receiver, price, place)
    ) line
    order by place
    returning seq
  ), job_made as (
    insert into bulk_jobs (user_id, key, request_hash, name, placed_by, group_id, lines, left_out, total_pesewas, first_seq, last_seq, created_at)
    select p_user, p_job ->> 'key', p_request_hash, p_job ->> 'name', p_job ->> 'placedBy', (p_job ->> 'groupId')::uuid, count(*),
      jsonb_array_length(p_left_out), p_total, min(seq), max(seq), p_now
    from inserted
    returning id
  )
  select id into job from job_made;

  select array_agg('order:' || id order by place), array_agg(network || ' ' || offer || ' to ' || receiver order by place) into keys, memos
  from unnest(made.ids, made.networks, made.offers, made.receivers) with ordinality as line (id, network, offer, receiver, place);
  perform post_entries('order', p_user, wallet.account_id, 8, keys, memos, prices, p_now);
  if surcharge > 0 then
    perform post_entry('card-surcharge:' || payment, 'card-surcharge', 'Card surcharge', p_user,
      array[wallet.account_id, 2], array[-surcharge, surcharge], p_now);
  end if;

  insert into bulk_lines (job_id, line, order_id, retry_of, written, name)
  select job, number, id, retry_of, written, name
  from unnest(made.numbers, made.ids, made.retries, made.written, made.names) as line (number, id, retry_of, written, name);
  insert into bulk_lines (job_id, line, written, name, why)
  select job, (line ->> 'number')::integer, line ->> 'text', '', line ->> 'why' from jsonb_array_elements(p_left_out) line;
  if 'WAEC Checkers' = any (made.networks) then
    perform sell_checkers(made.ids, p_now);
  end if;

  update wallets set total_purchase_pesewas = total_purchase_pesewas + total where account_id = wallet.account_id
  returning balance_pesewas, total_purchase_pesewas, version into wallet.balance_pesewas, wallet.total_purchase_pesewas, wallet.version;
  return jsonb_build_object('outcome', 'placed', 'replayed', false, 'jobId', job, 'balancePesewas', wallet.balance_pesewas,
    'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version, 'networks', (
      select jsonb_object_agg(network, orders) from (select network, count(*) as orders from unnest(made.networks) network group by network) sold));
end $function$;

CREATE OR REPLACE FUNCTION public.place_channel_orders(p_channel text, p_on_by_default boolean, p_proof bytea, p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  rules record;
  wanted bigint;
  spent bigint;
  result jsonb;
begin
  -- Purchases of one customer queue here, so that two at once cannot both fit under the day's limit.
  perform from wallets where user_id = p_user for update;
  -- What was bought already is answered whatever the rules are now.
  if not exists (select from orders where user_id = p_user and client_id = p_items -> 0 ->> 'clientId') then
    select coalesce(is_on, p_on_by_default) as is_on, most_per_order_pesewas, most_per_day_pesewas into rules
    from channel_settings where channel = p_channel for share;
    select sum((line ->> 'seen')::bigint) into wanted from jsonb_array_elements(p_items) as line;
    select coalesce(sum(price_pesewas), 0) into spent from orders
    where user_id = p_user and channel = p_channel and status <> 'rejected' and created_at >= date_trunc('day', p_now at time zone 'UTC') at time zone 'UTC';
    if rules.is_on is not true then
      return '{"outcome": "refused", "replayed": false, "code": "CHANNEL_OFF"}';
    elsif wanted > rules.most_per_order_pesewas then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'ORDER_LIMIT', 'mostPesewas', rules.most_per_order_pesewas);
    elsif spent + wanted > rules.most_per_day_pesewas then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'DAY_LIMIT',
        'mostPesewas', greatest(rules.most_per_day_pesewas - spent, 0));
    end if;
  end if;
  perform set_config('shop.channel', p_channel, true);
  result := place_proven_orders(p_proof, p_user, p_key, p_request_hash, p_items, p_now);
  perform set_config('shop.channel', '', true);
  return result;
end $function$;

CREATE OR REPLACE FUNCTION public.place_key_orders(p_hash bytea, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  buyer uuid;
begin
  select u.id into buyer from api_keys k join users u on u.id = k.user_id
  where k.hash = p_hash and not k.is_test and 'orders:write' = any (k.scopes)
    and k.ended_at is null and (k.expires_at is null or k.expires_at > p_now)
    and u.status = 'Active' and u.level <> 'Customer'
    and (k.pin_proven or not exists (select from transaction_pins t where t.user_id = u.id and t.at_checkout))
  for share of k, u;
  if not found then
    return null;
  end if;
  -- A key that bought a list buys nothing else. The wallet's lock makes this wait for such a list.
  perform from wallets where user_id = buyer for update;
  if exists (select from bulk_jobs where user_id = buyer and key = p_key) then
    return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
  end if;
  return place_wallet_orders(buyer, p_key, p_request_hash, p_items, p_now);
end $function$;

CREATE OR REPLACE FUNCTION public.place_proven_orders(p_proof bytea, p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
begin
  -- The older function keeps its arguments, since processes of the release before call it.
  perform set_config('shop.pin_proof', encode(p_proof, 'hex'), true);
  return place_wallet_orders(p_user, p_key, p_request_hash, p_items, p_now);
end $function$;

CREATE OR REPLACE FUNCTION public.place_shop_orders(p_shop uuid, p_phone text, p_payment text, p_surcharge bigint, p_lines jsonb, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  made record;
  placed jsonb;
  above uuid;
  -- What the agent pays the house, for each line; of a sub-agent's shop that is less than what the line costs the sub-agent.
  bases bigint[];
begin
  -- Wait for whoever changes limits, the shop or the catalogue at this moment: what is sold is within the bounds of one moment.
  perform from agent_shop_rules for share;
  perform from agent_shops where id = p_shop for share;
  select s.shop_id into above from agent_shops a join sub_agents s on s.user_id = a.owner_id and s.ended_at is null where a.id = p_shop;
  if above is not null then
    -- The agent's prices and the end of the sub-agent wait as well; which of them came first is read anew.
    perform from agent_shops where id = above for share;
    perform from sub_agents where user_id = (select owner_id from agent_shops where id = p_shop) and ended_at is null for share;
    above := agent_above(p_shop);
  end if;
  perform from products where id in (select (entry ->> 'product')::uuid from jsonb_array_elements(p_lines) entry) order by id for share;
  if shop_closed(p_shop) is not null then
    return jsonb_build_object('outcome', 'refused', 'code', 'CLOSED');
  end if;

  select array_agg(gen_random_uuid() order by place) as ids, array_agg(product_id order by place) as products, array_agg(network order by place) as networks,
    array_agg(offer order by place) as offers, array_agg(image_hash order by place) as images, array_agg(receiver order by place) as receivers,
    array_agg(price_pesewas order by place) as prices, array_agg(cost_pesewas order by place) as costs, array_agg(floor_pesewas order by place) as floors,
    array_agg(ceiling_pesewas order by place) as ceilings, sum(price_pesewas)::bigint as total,
    (array_agg(refused ->> 'code' order by place) filter (where refused is not null))[1] as refused
  into made
  from price_shop_lines(p_shop, p_lines) with ordinality as priced (product_id, network, offer, image_hash, receiver, price_pesewas, cost_pesewas,
    floor_pesewas, ceiling_pesewas, refused, place);
  if made.refused is not null then
    return jsonb_build_object('outcome', 'refused', 'code', made.refused);
  end if;
  if 'WAEC Checkers' = any (made.networks) and short_of_checkers(made.products, made.offers) is not null then
    return jsonb_build_object('outcome', 'refused', 'code', 'NOT_AVAILABLE');
  end if;

  if above is null then
    bases := made.costs;
  else
    select array_agg(k.price_agent_pesewas order by line.place) into bases
    from unnest(made.products, made.offers) with ordinality as line (product, offer, place)
    join packages k on k.product_id = line.product and k.offer = line.offer;
  end if;

  with inserted as (
    insert into orders (id, product_id, network, offer, image_hash, level, receiver, price_pesewas, surcharge_pesewas, paid_with, payment_reference,
      reference, created_at, shop_id, guest_phone, agent_profit_pesewas)
    select id, product, network, offer, image, 'Customer', receiver, price,
      p_surcharge * so_far / made.total - p_surcharge * (so_far - price) / made.total, 'card', p_payment, new_reference(), p_now, p_shop, p_phone,
      price - cost
    from (
      select *, (sum(price) over (order by place))::bigint as so_far
      from unnest(made.ids, made.products, made.networks, made.offers, made.images, made.receivers, made.prices, bases) with ordinality
        as line (id, product, network, offer, image, receiver, price, cost, place)
    ) line
    order by place
    returning *
  )
  select jsonb_agg(to_jsonb(inserted) order by seq) into placed from inserted;
  insert into profit_shares (order_id, shop_id, price_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, sold_at)
  select id, p_shop, price, cost, floor, ceiling, p_now
  from unnest(made.ids, made.prices, made.costs, made.floors, made.ceilings) with ordinality as line (id, price, cost, floor, ceiling, place)
  order by place;
  if above is not null then
    insert into commissions (order_id, shop_id, sold_in, price_pesewas, cost_pesewas, floor_pesewas, sold_at)
    select id, above, p_shop, cost, base, base + r.min_profit_pesewas, p_now
    from unnest(made.ids, made.costs, bases) with ordinality as line (id, cost, base, place) cross join agent_shop_rules r
    order by place;
  end if;
  perform post_entries('order', null, 9, 8,
    (select array_agg('order:' || id order by place) from unnest(made.ids) with ordinality as line (id, place)),
    (select array_agg(network || ' ' || offer || ' to ' || receiver order by place)
      from unnest(made.networks, made.offers, made.receivers) with ordinality as line (network, offer, receiver, place)),
    made.prices, p_now);
  if p_surcharge > 0 then
    perform post_entry('card-surcharge:' || p_payment, 'card-surcharge', 'Card surcharge', null,
      array[9, 2]::bigint[], array[-p_surcharge, p_surcharge], p_now);
  end if;
  if 'WAEC Checkers' = any (made.networks) and sell_checkers(made.ids, p_now) > 0 then
    select jsonb_agg(to_jsonb(o) order by o.seq) into placed from orders o where o.id = any (made.ids);
  end if;
  if p_lines @? '$[*].afa' then
    perform use_afa_forms(null, p_shop, p_lines, made.ids);
  end if;
  return jsonb_build_object('outcome', 'placed', 'orders', placed);
end $function$;

CREATE OR REPLACE FUNCTION public.place_wallet_orders(p_user uuid, p_key text, p_request_hash bytea, p_items jsonb, p_now timestamp with time zone, p_payment text DEFAULT NULL::text, p_surcharge bigint DEFAULT 0)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  wallet record;
  buyer record;
  known record;
  asked record;
  line record;
  lines jsonb := '[]';
  refused jsonb := '[]';
  total bigint := 0;
  so_far bigint := 0;
  placed jsonb := '[]';
  made orders;
  -- An old refusal has expired: the request is decided again.
  most_refusals constant integer := 20;
  ids uuid[] := array[]::uuid[];
  short integer;
  own_reference constant text := case when jsonb_array_length(p_items) = 1 then p_items -> 0 ->> 'clientReference' end;
  own_id constant text := case when jsonb_array_length(p_items) = 1 then p_items -> 0 ->> 'clientId' end;
  result jsonb;
begin
  select account_id, balance_pesewas, total_purchase_pesewas, version, reserved_pesewas into wallet from wallets where user_id = p_user for update;

  -- Requests with the same key queue on the wallet's lock above, so the second one finds the stored outcome here.
  select request_hash, outcome into known from idempotency_keys where user_id = p_user and key = p_key;
  if found then
    if known.request_hash <> p_request_hash then
      return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
    end if;
    if known.outcome ? 'lines' then
      return known.outcome - 'lines' || jsonb_build_object('replayed', true, 'items', refused_lines(p_items, known.outcome ->> 'lines'));
    end if;
    return known.outcome || '{"replayed": true}';
  end if;

  -- The order may exist without its key: bought by card, or the key was deleted since.
  if own_id is not null then
    select * into made from orders where user_id = p_user and client_id = own_id;
    if found then
      select * into asked
      from jsonb_to_record(p_items -> 0) as field(product uuid, network text, offer text, receiver text, seen bigint);
      if (made.offer, made.receiver, made.price_pesewas) is distinct from (asked.offer, asked.receiver, asked.seen)
        or (asked.product is null and made.network <> asked.network) or made.product_id <> asked.product then
        return jsonb_build_object('outcome', 'key-reused', 'replayed', false);
      end if;
      return jsonb_build_object('outcome', 'placed', 'replayed', true, 'orders', jsonb_build_array(to_jsonb(made)),
        'balancePesewas', wallet.balance_pesewas, 'totalPurchasePesewas', wallet.total_purchase_pesewas, 'balanceVersion', wallet.version);
    end if;
  end if;

  -- A card payment is settled even during a pause, since its money has been taken already.
  if p_payment is null and exists (select from purchase_pauses where lifted_at is null) then
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'PAUSED');
  end if;

  -- Read after locking the wallet, so that a demotion or ban committed meanwhile counts.
  select level, status into buyer from users where id = p_user;
  if buyer.status <> 'Active' then
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'BANNED');
  end if;

  -- What the buyer's client set aside for this purchase, or for another, can be spent.
  if wallet.reserved_pesewas > 0 then
    perform return_reserved(wallet.account_id, p_now);
    wallet.balance_pesewas := wallet.balance_pesewas + wallet.reserved_pesewas;
  end if;

  for line in select * from price_lines(buyer.level, p_items) loop
    if line.refused is null then
      lines := lines || to_jsonb(line);
      total := total + line.price_pesewas;
    else
      refused := refused || line.refused;
    end if;
  end loop;

  -- A version before this one reads the payment of a list as one without lines: its money then stays in the wallet.
  if refused = '[]' and lines = '[]' then
    result := '{"outcome": "refused", "replayed": false, "code": "NOT_AVAILABLE", "items": []}';
  elsif refused <> '[]' then
    result := jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', refused -> 0 ->> 'code', 'items', refused);
  elsif total + p_surcharge > wallet.balance_pesewas then
    result := jsonb_strip_nulls(jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'INSUFFICIENT_BALANCE',
      'totalPesewas', total, 'balancePesewas', wallet.balance_pesewas, 'dispute', (
        select jsonb_build_object('heldPesewas', sum(m.pesewas), 'paidPesewas', sum(p.received_pesewas), 'payments', count(*))
        from disputed_money m join payments p on p.reference = m.payment_reference where m.account_id = wallet.account_id and m.pesewas > 0
        having count(*) > 0)));
  elsif lines @> '[{"network": "WAEC Checkers"}]' then
    select short_of_checkers(array_agg((entry.line ->> 'product_id')::uuid order by entry.place), array_agg(entry.line ->> 'offer' order by entry.place))
    into short from jsonb_array_elements(lines) with ordinality entry (line, place);
    if short is not null then
      refused := jsonb_build_array(jsonb_build_object('index', short - 1, 'code', 'NOT_AVAILABLE', 'offer', lines -> short - 1 ->> 'offer',
        'network', lines -> short - 1 ->> 'network', 'soldOut', true));
      result := jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'NOT_AVAILABLE', 'items', refused);
    end if;
  end if;

  -- What a payment settles is placed in any case, and then waits for its details. Not stored: the same attempt goes on with a form that can be used.
  if result is null and p_payment is null and p_key !~ '^payment:' and p_items @? '$[*].afa' then
    short := unusable_afa_form(p_user, null, p_items);
    if short is not null then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'AFA_DETAILS', 'index', short);
    end if;
  end if;

  -- With the wallet locked, two of the same purchase can't both find nothing. Not stored: the same attempt goes on without the question.
  if result is null and current_setting('shop.asks_on_the_way', true) = 'yes' then
    select on_the_way(p_user, array_agg((entry.line ->> 'product_id')::uuid order by entry.place),
      array_agg(entry.line ->> 'offer' order by entry.place), array_agg(entry.line ->> 'receiver' order by entry.place))
    into refused from jsonb_array_elements(lines) with ordinality entry (line, place);
    if refused is not null then
      return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'ON_THE_WAY', 'items', refused);
    end if;
  end if;

  if result is null and p_payment is null and p_key !~ '^(payment|v1):'
    and not take_pin_proof(p_user, decode(nullif(current_setting('shop.pin_proof', true), ''), 'hex'), p_now) then
    -- Not stored: the same attempt goes on with a proof.
    return jsonb_build_object('outcome', 'refused', 'replayed', false, 'code', 'PIN_REQUIRED');
  end if;

  if result is null then
    for line in
      select * from jsonb_to_recordset(lines) as line (
        product_id uuid, network text, offer text, image_hash text, receiver text, client_id text, price_pesewas bigint)
    loop
      insert into orders (client_id, user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas,
        surcharge_pesewas, paid_with, payment_reference, reference, created_at, channel, client_reference)
      values (line.client_id, p_user, line.product_id, line.network, line.offer, line.image_hash, buyer.level, line.receiver, line.price_pesewas,
        p_surcharge * (so_far + line.price_pesewas) / total - p_surcharge * so_far / total,
        case when p_payment is null then 'wallet' else 'card' end, p_payment, new_reference(), p_now,
        nullif(current_setting('shop.channel', true), ''), own_reference)
      returning * into made;
      perform post_entry('order:' || made.id, 'order', made.network || ' ' || made.offer || ' to ' || made.receiver, p_user,
        array[wallet.account_id, 8], array[-made.price_pesewas, made.price_pesewas], p_now);
      so_far := so_far + line.price_pesewas;
      placed := placed || to_jsonb(made);
      if made.network = 'WAEC Checkers' then
        ids := ids || made.id;
      end if;
    end loop;
    if p_surcharge > 0 then
      -- A further order of the same payment has "payment:<reference>:<number>" for a key.
      perform post_entry('card-surcharge' || coalesce('-' || substring(p_key from '^payment:.*:([0-9]+)$'), '') || ':' || p_payment,
        'card-surcharge', 'Card surcharge', p_user,
        array[wallet.account_id, 2], array[-p_surcharge, p_surcharge], p_now);
    end if;
    if cardinality(ids) > 0 and sell_checkers(ids, p_now) > 0 then
      select jsonb_agg(to_jsonb(o) order by entry.place) into placed
      from jsonb_array_elements(placed) with ordinality entry (bought, place) join orders o on o.id = (entry.bought ->> 'id')::uuid;
    end if;
    if placed @> '[{"network": "AFA"}]' then
      perform use_afa_forms(p_user, null, p_items, array(
        select (entry.bought ->> 'id')::uuid from jsonb_array_elements(placed) with ordinality entry (bought, place) order by entry.place));
      select jsonb_agg(case when entry.bought ->> 'network' = 'AFA' and not exists (
          select from afa_registrations where order_id = (entry.bought ->> 'id')::uuid
        ) then entry.bought || '{"needs_details": true}' else entry.bought end order by entry.place) into placed
      from jsonb_array_elements(placed) with ordinality entry (bought, place);
    end if;
    update wallets set total_purchase_pesewas = total_purchase_pesewas + total where account_id = wallet.account_id
    returning jsonb_build_object('outcome', 'placed', 'replayed', false, 'orders', placed, 'balancePesewas', balance_pesewas,
      'totalPurchasePesewas', total_purchase_pesewas, 'balanceVersion', version) into result;
    if wallet.reserved_pesewas > 0 then
      perform return_set_aside(p_user, p_now);
    end if;
  end if;

  if result ->> 'outcome' = 'refused' then
    -- A refusal is not stored under a client's order id: the buyer may top up, accept the new price or pay by card and then get
    -- the order under the same id.
    if own_id is not null then
      return result;
    end if;
    delete from idempotency_keys where user_id = p_user and outcome ->> 'outcome' = 'refused' and key in (
      select key from idempotency_keys where user_id = p_user and outcome ->> 'outcome' = 'refused'
      order by created_at desc, key offset most_refusals - 1
    );
  end if;

  insert into idempotency_keys (user_id, key, request_hash, outcome, created_at)
  values (p_user, p_key, p_request_hash, case when result ? 'items' then result - 'items' || (
    -- Refused lines are stored in short form: "3" means line 3 is not available; "4:550" means line 4 now costs 550;
    -- "5:sold-out" is on sale, but none is left.
    select jsonb_build_object('lines', string_agg(concat_ws(':', entry.line ->> 'index', entry.line ->> 'pricePesewas',
      case when entry.line ? 'soldOut' then 'sold-out' end), ' ' order by entry.place))
    from jsonb_array_elements(refused) with ordinality entry (line, place)
  ) else result end, p_now);
  return result;
end $function$;

CREATE OR REPLACE FUNCTION public.post_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  undelivered bigint := undelivered_pesewas(new.id);
  moved bigint[] := array[]::bigint[];
  amounts bigint[] := array[]::bigint[];
  share record;
begin
  if undelivered > 0 then
    moved := array[8, 1];
    amounts := array[-undelivered, undelivered - new.agent_profit_pesewas];
  end if;
  if new.status = 'completed' and new.agent_profit_pesewas > 0 then
    -- Locked before the earnings, as by whoever books what went back of it.
    perform from payments where reference = new.payment_reference for update;
    select * into share from release_profit(new.id, new.completed_at);
    moved := moved || share.accounts;
    amounts := amounts || share.amounts;
  end if;
  if new.status = 'completed' and new.cost_pesewas is not null then
    moved := moved || array[10, supplier_account(new.cost_supplier)];
    amounts := amounts || array[-new.cost_pesewas, new.cost_pesewas];
  end if;
  if cardinality(moved) = 0 then
    return null;
  end if;
  if new.status = 'completed' then
    perform post_entry('delivery:' || new.id, 'delivery', new.network || ' ' || new.offer || ' to ' || new.receiver, new.decided_by,
      moved, amounts, new.decided_at);
    if new.agent_profit_pesewas > 0 then
      perform undo_effects(new.payment_reference, new.decided_at);
    end if;
  else
    perform post_entry('refund-source:' || new.id, 'order-refund', 'Refunded before it was delivered', new.decided_by,
      moved, amounts, new.decided_at);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.post_entries(p_kind text, p_actor uuid, p_from bigint, p_to bigint, p_keys text[], p_memos text[], p_amounts bigint[], p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  total constant bigint := (select sum(amount) from unnest(p_amounts) amount);
  moved_at constant timestamptz := greatest(p_now, (select max(until_at) from day_closes));
  from_before bigint;
  to_before bigint;
  entries bigint[];
begin
  -- Lock in sorted order, so that entries over the same wallets cannot deadlock.
  perform 1 from wallets where account_id in (p_from, p_to) order by account_id for update;

  -- A posting to a wallet without its balance is refused, so an unknown wallet is an error below.
  if p_from >= 1000 then
    update wallets set balance_pesewas = balance_pesewas - total, version = version + cardinality(p_keys)
    where account_id = p_from returning balance_pesewas + total into from_before;
  end if;
  if p_to >= 1000 then
    update wallets set balance_pesewas = balance_pesewas + total, version = version + cardinality(p_keys)
    where account_id = p_to returning balance_pesewas - total into to_before;
  end if;
  -- One line for each posting: the totals of a day also count them.
  insert into account_deltas (account_id, pesewas, day, kind)
  select account, pesewas, (moved_at at time zone 'UTC')::date, p_kind
  from unnest(p_amounts) amount cross join lateral (values (p_from, -amount), (p_to, amount)) posting (account, pesewas)
  where account < 1000;

  with made as (
    insert into journal_entries (key, kind, memo, actor_id, created_at)
    select key, p_kind, memo, p_actor, moved_at from unnest(p_keys, p_memos) with ordinality as wanted (key, memo, place) order by place
    returning id
  )
  select array_agg(id order by id) into entries from made;

  -- The arrays are read side by side, never joined: no plan can make this quadratic.
  insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
  select id, line, account, pesewas, after
  from (
    select id, amount, place, (sum(amount) over (order by place))::bigint as so_far
    from unnest(entries, p_amounts) with ordinality as entry (id, amount, place)
  ) moved cross join lateral (
    values (1, p_from, -amount, from_before - so_far), (2, p_to, amount, to_before + so_far)
  ) posting (line, account, pesewas, after)
  order by id, line;
end $function$;

CREATE OR REPLACE FUNCTION public.post_entry(p_key text, p_kind text, p_memo text, p_actor uuid, p_accounts bigint[], p_amounts bigint[], p_now timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  entry bigint;
  same boolean;
  after bigint;
  moved_at timestamptz;
begin
  -- Lock in sorted order, so that entries over the same wallets cannot deadlock.
  perform 1 from wallets where account_id = any (p_accounts) order by account_id for update;

  insert into journal_entries (key, kind, memo, actor_id, created_at)
  values (p_key, p_kind, p_memo, p_actor, greatest(p_now, (select max(until_at) from day_closes)))
  on conflict (key) do nothing
  returning id, created_at into entry, moved_at;

  if entry is null then
    select e.id, e.kind = p_kind and (
      select array_agg(p.account_id order by p.line) = p_accounts and array_agg(p.amount_pesewas order by p.line) = p_amounts
      from postings p where p.entry_id = e.id
    ) into entry, same from journal_entries e where e.key = p_key;
    if same is not true then
      raise exception 'journal key % was used for another entry', p_key using errcode = 'DW004';
    end if;
    return entry;
  end if;

  for i in 1 .. cardinality(p_accounts) loop
    after := null;
    if p_accounts[i] >= 1000 then
      update wallets set balance_pesewas = balance_pesewas + p_amounts[i], version = version + 1
      where account_id = p_accounts[i]
      returning balance_pesewas into strict after;
    else
      insert into account_deltas (account_id, pesewas, day, kind)
      values (p_accounts[i], p_amounts[i], (moved_at at time zone 'UTC')::date, p_kind);
    end if;
    insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
    values (entry, i, p_accounts[i], p_amounts[i], after);
  end loop;
  return entry;
end $function$;

CREATE OR REPLACE FUNCTION public.price_lines(p_level text, p_lines jsonb)
 RETURNS TABLE(product_id uuid, network text, offer text, image_hash text, receiver text, client_id text, price_pesewas bigint, refused jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select wanted.id, wanted.network, wanted.offer, wanted.image_hash, wanted.receiver, wanted."clientId", wanted.price,
    case
      when wanted.price is null or wanted.status <> 'available' then jsonb_build_object('index', wanted.place - 1, 'code', 'NOT_AVAILABLE',
        'offer', wanted.offer, 'network', coalesce(wanted.asked, wanted.network))
      when wanted.network = 'WAEC Checkers' and too_few_checkers(wanted.kind, wanted.so_far) then jsonb_build_object('index', wanted.place - 1,
        'code', 'NOT_AVAILABLE', 'offer', wanted.offer, 'network', wanted.network, 'soldOut', true)
      when wanted.price <> wanted.seen then jsonb_build_object('index', wanted.place - 1, 'code', 'PRICE_CHANGED',
        'offer', wanted.offer, 'network', wanted.network, 'pricePesewas', wanted.price)
    end
  from (
    select entry.place, line.network as asked, line.offer, line.receiver, line.seen, line."clientId", found.*, m.kind,
      sum(m.units) over (partition by m.kind order by entry.place) as so_far
    from jsonb_array_elements(p_lines) with ordinality entry (line, place)
    cross join jsonb_to_record(entry.line) as line (product uuid, network text, offer text, receiver text, seen bigint, "clientId" text)
    left join lateral (
      select p.id, p.network, p.status, p.image_hash, priced.price
      from products p
      left join packages k on k.product_id = p.id and k.offer = line.offer and not k.hidden
      cross join lateral (select case p_level when 'Customer' then k.price_customer_pesewas else k.price_agent_pesewas end as price) priced
      where p.id = line.product or (line.product is null and p.network = line.network)
      -- Without a product id, several products of the network may have the offer: prefer one available at the price seen.
      order by k.offer is not null desc, p.status = 'available' desc, priced.price = line.seen desc, p.seq
      limit 1
    ) found on true
    left join checker_packages m on found.network = 'WAEC Checkers' and m.product_id = found.id and m.offer = line.offer
  ) wanted
  order by wanted.place
$function$;

CREATE OR REPLACE FUNCTION public.price_shop_lines(p_shop uuid, p_lines jsonb)
 RETURNS TABLE(product_id uuid, network text, offer text, image_hash text, receiver text, price_pesewas bigint, cost_pesewas bigint, floor_pesewas bigint, ceiling_pesewas bigint, refused jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select wanted.product_id, wanted.network, wanted.offer, wanted.image_hash, wanted.receiver, wanted.price_pesewas, wanted.cost_pesewas,
    wanted.floor_pesewas, wanted.ceiling_pesewas,
    case
      when wanted.state is distinct from 'on-sale' then jsonb_build_object('index', wanted.place - 1, 'code', 'NOT_AVAILABLE',
        'offer', wanted.offer, 'network', wanted.network)
      when wanted.network = 'WAEC Checkers' and too_few_checkers(wanted.kind, wanted.so_far) then jsonb_build_object('index', wanted.place - 1,
        'code', 'NOT_AVAILABLE', 'offer', wanted.offer, 'network', wanted.network, 'soldOut', true)
      when wanted.price_pesewas <> wanted.seen then jsonb_build_object('index', wanted.place - 1, 'code', 'PRICE_CHANGED',
        'offer', wanted.offer, 'network', wanted.network, 'pricePesewas', wanted.price_pesewas)
    end
  from (
    select entry.place, line.offer, line.receiver, line.seen, found.product_id, found.network, found.image_hash, found.price_pesewas,
      found.cost_pesewas, found.floor_pesewas, found.ceiling_pesewas, found.state, m.kind,
      sum(m.units) over (partition by m.kind order by entry.place) as so_far
    from jsonb_array_elements(p_lines) with ordinality entry (line, place)
    cross join jsonb_to_record(entry.line) as line (product uuid, offer text, receiver text, seen bigint)
    left join shop_offers(p_shop) found on found.product_id = line.product and found.offer = line.offer
    left join checker_packages m on found.network = 'WAEC Checkers' and m.product_id = found.product_id and m.offer = line.offer
  ) wanted
  order by wanted.place
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: % refused', regexp_replace(tg_table_name, '_\d+$', ''), lower(tg_op) using errcode = 'DW001';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_locked_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  locked uuid := case tg_table_name when 'orders' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'order_id' end;
begin
  if exists (select from batch_orders where order_id = locked and status = 'locked') then
    raise exception 'order % is locked in a batch', locked using errcode = 'DW009';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_own_gain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_person uuid;
  v_gains boolean;
begin
  case tg_argv[0]
  when 'withdrawals', 'refunds' then
    v_person := new.decided_by;
    if tg_argv[0] = 'refunds' then v_gains := gains_from(v_person, array[new.user_id], array[new.phone], null);
    else v_gains := gains_from(v_person, null, null, array[new.shop_id]); end if;
  when 'orders' then
    v_person := new.decided_by;
    v_gains := gains_from_order(v_person, new.id, new.status);
  when 'journal_entries' then
    v_person := new.actor_id;
    v_gains := exists (select from postings p join wallets w on w.account_id = p.account_id
      where p.entry_id = new.id and p.amount_pesewas > 0 and gains_from(v_person, array[w.user_id], null, array[w.shop_id]));
  end case;
  if v_gains and not is_only_owner(v_person) then
    raise exception '% decides a row of % that they gain from', v_person, tg_argv[0] using errcode = 'DW015';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_second_decision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'pending' and new.status is distinct from old.status
    and not (old.status = 'completed' and new.status = 'rejected' and new.override_reason is not null
      and exists (select from reports where order_id = old.id and status = 'refunded')) then
    raise exception 'order % was decided already', old.id using errcode = 'DW005';
  end if;
  if (new.user_id, new.price_pesewas, new.surcharge_pesewas, new.reference, new.offer, new.network, new.shop_id, new.guest_phone, new.agent_profit_pesewas)
    is distinct from (old.user_id, old.price_pesewas, old.surcharge_pesewas, old.reference, old.offer, old.network,
      old.shop_id, old.guest_phone, old.agent_profit_pesewas) then
    raise exception 'what was bought in order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  if old.top_up_reference is not null and new.top_up_reference is distinct from old.top_up_reference then
    raise exception 'what paid for order % cannot be changed', old.id using errcode = 'DW005';
  end if;
  -- Set by fix_delivery_cost after this; a cost that was not known then may be set once.
  if (new.completed_at, new.cost_supplier) is distinct from (old.completed_at, old.cost_supplier)
    or (new.cost_pesewas is distinct from old.cost_pesewas and (old.cost_pesewas is not null or old.completed_at is null)) then
    raise exception 'what the delivery of order % cost cannot be changed', old.id using errcode = 'DW005';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_second_recharge_decision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A wrong decline may be reopened. What was approved stays approved.
  if old.status <> 'pending' and not (old.status = 'declined' and new.status = 'pending' and new.decided_at is null) then
    raise exception 'recharge % was decided already', old.recharge_id using errcode = 'DW005';
  end if;
  if (new.user_id, new.amount_pesewas, new.recharge_id) is distinct from (old.user_id, old.amount_pesewas, old.recharge_id) then
    raise exception 'what was asked for in recharge % cannot be changed', old.recharge_id using errcode = 'DW005';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refused_lines(p_items jsonb, p_lines text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_agg(
    jsonb_build_object('index', at, 'code', case when price is null then 'NOT_AVAILABLE' else 'PRICE_CHANGED' end, 'offer', item ->> 'offer',
      'network', coalesce(item ->> 'network', p.network))
    || case when sold_out then '{"soldOut": true}' when price is null then '{}' else jsonb_build_object('pricePesewas', price) end
    order by place
  )
  from unnest(string_to_array(p_lines, ' ')) with ordinality line (code, place),
    lateral (select split_part(code, ':', 1)::integer as at, nullif(nullif(split_part(code, ':', 2), ''), 'sold-out')::bigint as price,
      split_part(code, ':', 2) = 'sold-out' as sold_out) refused,
    lateral (select p_items -> at as item) asked
    left join lateral (select network from products where id = (item ->> 'product')::uuid) p on true
$function$;

CREATE OR REPLACE FUNCTION public.release_profit(p_order uuid, p_now timestamp with time zone, OUT accounts bigint[], OUT amounts bigint[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  share record;
  wallet wallets;
  repaid bigint;
  all_repaid bigint := 0;
begin
  select * into strict share from profit_shares where order_id = p_order for update;
  if share.released_at is not null or share.ended_at is not null then
    raise exception 'the profit of order % was released or has ended before', p_order using errcode = 'DW010';
  end if;
  accounts := array[]::bigint[];
  amounts := array[]::bigint[];
  -- Both wallets in the order of their accounts, as everything that locks several.
  for share in
    select s.*, w.account_id from (
      select shop_id, profit_pesewas, false as is_commission from profit_shares where order_id = p_order
      union all select shop_id, profit_pesewas, true from commissions where order_id = p_order
    ) s join wallets w on w.shop_id = s.shop_id order by w.account_id
  loop
    select * into strict wallet from wallets where account_id = share.account_id for update;
    repaid := least(wallet.debt_pesewas, share.profit_pesewas);
    if share.is_commission then
      update commissions set released_at = p_now, repaid_pesewas = repaid where order_id = p_order;
    else
      update profit_shares set released_at = p_now, repaid_pesewas = repaid where order_id = p_order;
    end if;
    if repaid > 0 then
      update wallets set debt_pesewas = debt_pesewas - repaid where account_id = wallet.account_id;
      all_repaid := all_repaid + repaid;
    end if;
    if share.profit_pesewas > repaid then
      accounts := accounts || wallet.account_id;
      amounts := amounts || share.profit_pesewas - repaid;
    end if;
  end loop;
  if all_repaid > 0 then
    accounts := accounts || 19::bigint;
    amounts := amounts || all_repaid;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.return_reserved(p_account bigint, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  reserved constant bigint := (select reserved_pesewas from wallets where account_id = p_account);
begin
  if reserved > 0 then
    update wallets set reserved_pesewas = 0, reserved_until = null where account_id = p_account;
    perform post_entry('reservation-returned:' || gen_random_uuid(), 'reservation-returned', 'Back from what was set aside', null,
      array[p_account, 23], array[reserved, -reserved], p_now);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.return_set_aside(p_user uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  select settle_attempts('money to and fro ' || p_user, 200, 432000, -1, p_now)
$function$;

CREATE OR REPLACE FUNCTION public.rough_minutes(p_minutes integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_minutes <= 5 then p_minutes
    when p_minutes <= 10 then 10
    when p_minutes <= 30 then (p_minutes + 4) / 5 * 5
    when p_minutes <= 60 then (p_minutes + 9) / 10 * 10
    when p_minutes <= 120 then (p_minutes + 29) / 30 * 30
    when p_minutes <= 240 then (p_minutes + 59) / 60 * 60
    when p_minutes <= 480 then 480
    when p_minutes <= 1440 then 1440
    else 10080
  end
$function$;

CREATE OR REPLACE FUNCTION public.seal_entries(p_before bytea, p_first bigint, p_last bigint, OUT entries bigint, OUT seal bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select count(*), sha256(p_before || coalesce(string_agg(sha256(convert_to(line, 'UTF8')), ''::bytea order by id), ''::bytea))
  from (
    select e.id, row(e.id, e.key, e.kind, e.memo, e.actor_id, (extract(epoch from e.created_at) * 1000000)::bigint)::text
      || coalesce(string_agg(row(p.line, p.account_id, p.amount_pesewas, p.balance_after_pesewas)::text, '' order by p.line), '') as line
    from journal_entries e left join postings p on p.entry_id = e.id and p.entry_id between p_first and p_last
    where e.id between p_first and p_last group by e.id
  ) lines
$function$;

CREATE OR REPLACE FUNCTION public.sell_checkers(p_orders uuid[], p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  need record;
  given bigint;
  done integer;
begin
  for need in
    select m.kind, sum(m.units) as units from orders o join checker_packages m on m.product_id = o.product_id and m.offer = o.offer
    where o.id = any (p_orders) group by m.kind order by m.kind
  loop
    with free as materialized (
      select id, row_number() over (order by id) as place from (
        select id from checker_codes
        where kind = need.kind and order_id is null and voided_at is null and taken_back_at is null
        order by id limit need.units for update skip locked
      ) held
    ), wanted as materialized (
      select o.id, n, row_number() over (order by o.seq, n) as place
      from orders o join checker_packages m on m.product_id = o.product_id and m.offer = o.offer, generate_series(1, m.units) n
      where o.id = any (p_orders) and m.kind = need.kind
    )
    update checker_codes c set order_id = wanted.id, n = wanted.n, sold_at = p_now
    from wanted join free using (place) where c.id = free.id;
    get diagnostics given = row_count;
    if given <> need.units then
      raise exception 'there are too few % checkers', need.kind;
    end if;
  end loop;
  with handed_over as (
    update orders o set status = 'completed', decided_at = p_now
    where o.id = any (p_orders) and exists (select from checker_packages m where m.product_id = o.product_id and m.offer = o.offer)
    returning id, seq
  ), noted as (
    -- As every decision: nobody made this one.
    insert into admin_actions (action, subject_type, subject_id, before, after, note, created_at)
    select 'order.completed', 'order', id, '{"status": "pending"}', '{"status": "completed"}', 'Handed over from the stock.', p_now
    from handed_over order by seq returning id
  )
  select count(*) into done from noted;
  return done;
end $function$;

CREATE OR REPLACE FUNCTION public.settle_attempts(p_name text, p_size integer, p_every_ms integer, p_cost integer, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into rate_limit_buckets as kept (name, empty_at) values (p_name, p_now + greatest(p_cost, 0) * p_every_ms * interval '1 millisecond')
  on conflict (name) do update set empty_at = least(
    greatest(kept.empty_at, p_now) + p_cost * p_every_ms * interval '1 millisecond',
    p_now + p_size * p_every_ms * interval '1 millisecond')
$function$;

CREATE OR REPLACE FUNCTION public.settle_tries(p_bucket text, p_size integer, p_every_ms integer, p_cost integer, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  select settle_attempts(p_bucket, p_size, p_every_ms, p_cost, p_now)
$function$;

CREATE OR REPLACE FUNCTION public.shop_closed(p_shop uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when not r.enabled then 'all'
    when a.closed_at is not null then 'owner'
    when u.status <> 'Active' then 'no-agent'
    when s.id is null and u.level = 'Customer' then case when exists (select from sub_agents e where e.user_id = u.id) then 'ended' else 'no-agent' end
    when s.id is not null and not r.sub_agents then 'no-sub-agents'
    when above.closed_at is not null or not above.sub_agents_sell or agent.status <> 'Active' or agent.level = 'Customer' then 'agent-above'
    when not a.open then 'agent'
  end
  from agent_shops a join users u on u.id = a.owner_id cross join agent_shop_rules r
  left join sub_agents s on s.user_id = a.owner_id and s.ended_at is null
  left join agent_shops above on above.id = s.shop_id left join users agent on agent.id = above.owner_id
  where a.id = p_shop
$function$;

CREATE OR REPLACE FUNCTION public.shop_offers(p_shop uuid)
 RETURNS TABLE(product_id uuid, product_seq bigint, place smallint, network text, image_hash text, offer text, house_pesewas bigint, cost_pesewas bigint, floor_pesewas bigint, ceiling_pesewas bigint, price_pesewas bigint, own boolean, state text)
 LANGUAGE sql
 STABLE
AS $function$
  select product_id, product_seq, place, network, image_hash, offer, house_pesewas, cost_pesewas, floor_pesewas, ceiling_pesewas, price_pesewas, own,
    state
  from offers_under(p_shop, agent_above(p_shop))
$function$;

CREATE OR REPLACE FUNCTION public.short_of_checkers(p_products uuid[], p_offers text[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  need record;
  held bigint;
  short integer;
  first_short integer;
begin
  for need in
    select m.kind, sum(m.units) as units from unnest(p_products, p_offers) as line (product, offer)
    join checker_packages m on m.product_id = line.product and m.offer = line.offer
    group by m.kind order by m.kind
  loop
    perform from checker_codes
    where kind = need.kind and order_id is null and voided_at is null and taken_back_at is null
    order by id limit need.units for update skip locked;
    get diagnostics held = row_count;
    if held < need.units then
      select min(place) into short from (
        select line.place, sum(m.units) over (order by line.place) as so_far
        from unnest(p_products, p_offers) with ordinality as line (product, offer, place)
        join checker_packages m on m.product_id = line.product and m.offer = line.offer
        where m.kind = need.kind
      ) wanted where so_far > held;
      first_short := least(short, first_short);
    end if;
  end loop;
  return first_short;
end $function$;

CREATE OR REPLACE FUNCTION public.shown_amount(pesewas bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select '¢' || (pesewas / 100.0)::numeric(20, 2)::text
$function$;

CREATE OR REPLACE FUNCTION public.shown_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select to_char(at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS')
$function$;

CREATE OR REPLACE FUNCTION public.sold_out(p_product uuid, p_offer text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from checker_packages m
    where m.product_id = p_product and m.offer = p_offer and m.units > (
      select count(*) from (
        select from checker_codes c
        where c.kind = m.kind and c.order_id is null and c.voided_at is null and c.taken_back_at is null limit m.units
      ) left_over
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.supplier_account(p_supplier text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  account bigint;
begin
  -- What is in the shop's own stock is paid for already.
  if p_supplier = 'checker-stock' then
    return 21;
  end if;
  loop
    select id into account from accounts where code = 'supplier:' || p_supplier;
    if found then
      return account;
    end if;
    insert into accounts (id, code) select max(id) + 1, 'supplier:' || p_supplier from accounts where id between 99 and 998
    on conflict do nothing;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.take_attempt_of(p_name text, p_size integer, p_every_ms integer, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  wait integer := take_attempts(array[p_name], array[p_size], array[p_every_ms], array[1], p_now);
  used_ms numeric;
begin
  select greatest(extract(epoch from empty_at - p_now) * 1000, 0) into used_ms from rate_limit_buckets where name = p_name;
  return jsonb_build_object('waitMs', wait, 'left', greatest(p_size - ceil(coalesce(used_ms, 0) / p_every_ms), 0)::integer,
    'allAfterMs', ceil(coalesce(used_ms, 0))::integer);
end $function$;

CREATE OR REPLACE FUNCTION public.take_attempts(p_names text[], p_sizes integer[], p_every_ms integer[], p_costs integer[], p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  bucket record;
  found timestamptz;
  wait interval := interval '0';
begin
  -- Lock in order of name, so that concurrent calls cannot deadlock.
  for bucket in
    select * from unnest(p_names, p_sizes, p_every_ms) as t (name, size, every_ms) order by name
  loop
    insert into rate_limit_buckets as kept (name, empty_at) values (bucket.name, p_now)
      on conflict (name) do update set empty_at = case
        -- Filled before the clock was set back: it counts as unused.
        when kept.empty_at > p_now + bucket.size * bucket.every_ms * interval '1 millisecond' + interval '1 minute' then p_now
        else kept.empty_at end
      returning empty_at into found;
    wait := greatest(wait, found - p_now - (bucket.size - 1) * bucket.every_ms * interval '1 millisecond');
  end loop;
  if wait <= interval '0' then
    update rate_limit_buckets kept set empty_at = greatest(empty_at, p_now) + cost * every_ms * interval '1 millisecond'
    from unnest(p_names, p_every_ms, p_costs) as t (name, every_ms, cost) where kept.name = t.name and cost > 0;
  end if;
  -- Delete last, and skip locked rows, so that nobody waits for this.
  delete from rate_limit_buckets where name in
    (select name from rate_limit_buckets where empty_at < p_now - interval '1 hour' order by empty_at limit 5 for update skip locked);
  return greatest(ceil(extract(epoch from wait) * 1000), 0)::integer;
end $function$;

CREATE OR REPLACE FUNCTION public.take_back_profit(p_order uuid, p_now timestamp with time zone, OUT accounts bigint[], OUT amounts bigint[])
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  share record;
  wallet wallets;
  taken bigint;
  all_owed bigint := 0;
begin
  accounts := array[]::bigint[];
  amounts := array[]::bigint[];
  select * into strict share from profit_shares where order_id = p_order for update;
  if share.ended_at is not null then
    raise exception 'the profit of order % has ended before', p_order using errcode = 'DW010';
  end if;
  update profit_shares set ended_at = p_now where order_id = p_order;
  update commissions set ended_at = p_now where order_id = p_order;
  if share.released_at is null then
    return;
  end if;
  for share in
    select s.*, w.account_id, o.payment_reference from (
      select 'profit' as effect, shop_id, profit_pesewas from profit_shares where order_id = p_order
      union all select 'commission', shop_id, profit_pesewas from commissions where order_id = p_order
    ) s join wallets w on w.shop_id = s.shop_id join orders o on o.id = p_order order by w.account_id
  loop
    -- What the payment's loss had undone is given back first, so that all of it is taken back here, once.
    perform undo_profit(share.payment_reference, share.effect, p_order, share.account_id, share.profit_pesewas, 0, p_now);
    select * into strict wallet from wallets where account_id = share.account_id for update;
    taken := least(wallet.balance_pesewas, share.profit_pesewas);
    if taken > 0 then
      accounts := accounts || wallet.account_id;
      amounts := amounts || -taken;
    end if;
    if share.profit_pesewas > taken then
      update wallets set debt_pesewas = debt_pesewas + share.profit_pesewas - taken where account_id = wallet.account_id;
      all_owed := all_owed + share.profit_pesewas - taken;
    end if;
  end loop;
  if all_owed > 0 then
    accounts := accounts || 19::bigint;
    amounts := amounts || -all_owed;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.take_pin_proof(p_user uuid, p_hash bytea, p_now timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if p_hash is null then
    return not exists (select from transaction_pins where user_id = p_user and at_checkout);
  end if;
  delete from pin_proofs where hash = p_hash and user_id = p_user and expires_at > p_now;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.take_supplier_turn(p_supplier text, p_endpoint text, p_per_minute integer, p_waited boolean, p_urgent boolean)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  calls supplier_calls;
  at timestamptz;
  free_at timestamptz;
  promised timestamptz;
begin
  insert into supplier_calls (supplier, endpoint) values (p_supplier, p_endpoint) on conflict do nothing;
  select * into calls from supplier_calls where supplier = p_supplier and endpoint = p_endpoint for update;
  at := clock_timestamp();
  -- The clock was set back: the times before are worth nothing.
  if calls.recent[cardinality(calls.recent)] > at + interval '1 minute' then
    update supplier_calls set recent = '{}', promised_at = at, urgent_promised_at = at
    where supplier = p_supplier and endpoint = p_endpoint returning * into calls;
  end if;
  promised := case when p_urgent then calls.urgent_promised_at else calls.promised_at end;
  calls.recent := array(select call from unnest(calls.recent) call where call > at - interval '61 seconds' order by call);
  free_at := case when cardinality(calls.recent) < p_per_minute then at
    else calls.recent[cardinality(calls.recent) - p_per_minute + 1] + interval '61 seconds' end;
  if free_at <= at and (p_waited or promised <= at) then
    update supplier_calls set recent = calls.recent || at where supplier = p_supplier and endpoint = p_endpoint;
    return 0;
  end if;
  if not p_waited then
    free_at := greatest(free_at, promised + interval '60 seconds' / p_per_minute);
    update supplier_calls set promised_at = case when p_urgent then promised_at else free_at end,
      urgent_promised_at = case when p_urgent then free_at else urgent_promised_at end
    where supplier = p_supplier and endpoint = p_endpoint;
  end if;
  return greatest(ceil(extract(epoch from free_at - at) * 1000)::integer, 1);
end $function$;

CREATE OR REPLACE FUNCTION public.take_tries(p_buckets text[], p_sizes integer[], p_every_ms integer[], p_costs integer[], p_now timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
AS $function$
  select take_attempts(p_buckets, p_sizes, p_every_ms, p_costs, p_now)
$function$;

CREATE OR REPLACE FUNCTION public.too_few_checkers(p_kind text, p_units bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select count(*) < p_units from (
    select from checker_codes where kind = p_kind and order_id is null and voided_at is null and taken_back_at is null limit p_units
  ) left_over
$function$;

CREATE OR REPLACE FUNCTION public.undelivered_pesewas(p_order uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(p.amount_pesewas), 0)::bigint
  from journal_entries e join postings p on p.entry_id = e.id and p.account_id = 8
  where e.key in ('order:' || p_order, 'order-refund:' || p_order, 'delivery:' || p_order, 'refund-source:' || p_order)
$function$;

CREATE OR REPLACE FUNCTION public.undo_effects(p_payment text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  payment payments;
  share record;
  worth bigint;
begin
  select * into payment from payments where reference = p_payment for update;
  if not found or (payment.loss_pesewas = 0 and not exists (select from undone_effects where payment_reference = p_payment)) then
    return;
  end if;
  if payment.purpose = 'agent-upgrade' then
    perform undo_upgrade(payment, p_now);
    return;
  end if;
  select sum(o.price_pesewas + o.surcharge_pesewas) into worth
  from orders o join profit_shares s on s.order_id = o.id where o.payment_reference = p_payment and s.ended_at is null;
  for share in
    select s.*, w.account_id from (
      select order_id, 'profit' as effect, shop_id, profit_pesewas, released_at, ended_at from profit_shares
      union all select order_id, 'commission', shop_id, profit_pesewas, released_at, ended_at from commissions
    ) s join orders o on o.id = s.order_id join wallets w on w.shop_id = s.shop_id
    where o.payment_reference = p_payment and s.released_at is not null and s.ended_at is null order by w.account_id, o.seq
  loop
    perform undo_profit(p_payment, share.effect, share.order_id, share.account_id, share.profit_pesewas,
      share.profit_pesewas * least(payment.loss_pesewas, worth) / worth, p_now);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.undo_profit(p_payment text, p_effect text, p_order uuid, p_account bigint, p_caused bigint, p_undone bigint, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  wallet wallets;
  change bigint;
  owed bigint;
  counted integer;
begin
  select p_undone - coalesce(sum(undone_pesewas), 0), coalesce(max(times), 0) + 1 into change, counted
  from undone_effects where payment_reference = p_payment and effect = p_effect and order_id = p_order;
  if change = 0 then
    return;
  end if;
  insert into undone_effects (payment_reference, effect, order_id, caused_pesewas, undone_pesewas, times, changed_at)
  values (p_payment, p_effect, p_order, p_caused, p_undone, counted, p_now)
  on conflict (payment_reference, effect, order_id) do update set undone_pesewas = p_undone, times = counted, changed_at = p_now;
  select * into strict wallet from wallets where account_id = p_account for update;
  owed := case when change > 0 then greatest(0, change - wallet.balance_pesewas) else -least(-change, wallet.debt_pesewas) end;
  if owed <> 0 then
    update wallets set debt_pesewas = debt_pesewas + owed where account_id = p_account;
  end if;
  perform post_entry(p_effect || '-undone:' || p_order || ':' || counted, 'effect-undone',
    case when change > 0 then 'The payment of an order went back to its payer' else 'The payment of an order came back from its payer' end, null,
    array[17] || case when change <> owed then array[p_account] else '{}' end || case when owed <> 0 then array[19::bigint] else '{}' end,
    array[change] || case when change <> owed then array[owed - change] else '{}' end || case when owed <> 0 then array[-owed] else '{}' end, p_now);
end $function$;

CREATE OR REPLACE FUNCTION public.undo_upgrade(p_payment payments, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  target bigint := case when p_payment.status = 'paid' then least(p_payment.price_pesewas, p_payment.loss_pesewas) else 0 end;
  note text := 'Agent upgrade, reference ' || p_payment.reference;
  undone bigint;
  counted integer;
  became text;
  latest admin_actions;
begin
  select coalesce(sum(undone_pesewas), 0), coalesce(max(times), 0) + 1 into undone, counted
  from undone_effects where payment_reference = p_payment.reference and effect = 'upgrade';
  if target = undone then
    return;
  end if;
  insert into undone_effects (payment_reference, effect, caused_pesewas, undone_pesewas, times, changed_at)
  values (p_payment.reference, 'upgrade', p_payment.price_pesewas, target, counted, p_now)
  on conflict (payment_reference, effect, order_id) do update set undone_pesewas = target, times = counted, changed_at = p_now;
  perform post_entry('upgrade-undone:' || p_payment.reference || ':' || counted, 'effect-undone',
    note || case when target > undone then ': the fee went back to its payer' else ': the fee came back from its payer' end, null,
    array[3, 17]::bigint[], array[undone - target, target - undone], p_now);

  select * into latest from admin_actions where action = 'user.level' and subject_type = 'user' and subject_id = p_payment.user_id::text order by id desc limit 1;
  if target = p_payment.price_pesewas and not exists (
    select from payments m where m.user_id = p_payment.user_id and m.purpose = 'agent-upgrade' and m.status = 'paid'
      and m.loss_pesewas < m.price_pesewas and m.reference <> p_payment.reference
  ) and (latest.id is null or latest.created_at <= p_payment.settled_at or latest.actor_id is null or latest.actor_id = p_payment.user_id) then
    update users set level = 'Customer' where id = p_payment.user_id and level = 'Agent' returning level into became;
  elsif target < p_payment.price_pesewas and latest.actor_id is null and latest.note = note then
    update users set level = 'Agent' where id = p_payment.user_id and level = 'Customer' returning level into became;
  end if;
  -- Or they would work again for whoever has them, once the user is an agent again.
  if became = 'Customer' then
    update api_keys set ended_at = p_now where user_id = p_payment.user_id and ended_at is null;
  end if;
  if became is not null then
    insert into admin_actions (actor_id, action, subject_type, subject_id, before, after, note, created_at)
    values (null, 'user.level', 'user', p_payment.user_id::text, jsonb_build_object('level', case became when 'Agent' then 'Customer' else 'Agent' end),
      jsonb_build_object('level', became), note, p_now);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.unusable_afa_form(p_user uuid, p_shop uuid, p_items jsonb)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  named record;
  first integer;
  cards bytea[] := '{}';
begin
  for named in
    select entry.place::integer - 1 as index, f.id, f.card_hash, coalesce(p.network, entry.item ->> 'network') as network
    from jsonb_array_elements(p_items) with ordinality entry (item, place)
    left join products p on p.id = (entry.item ->> 'product')::uuid
    left join afa_forms f on f.id = (entry.item ->> 'afa')::uuid and f.user_id is not distinct from p_user and f.shop_id is not distinct from p_shop
    where entry.item ->> 'afa' is not null
    order by f.card_hash nulls first, place
  loop
    if named.id is not null and named.network = 'AFA' and named.card_hash <> all (cards) then
      perform pg_advisory_xact_lock(hashtextextended('afa-card:' || encode(named.card_hash, 'hex'), 0));
      perform from afa_forms where id = named.id for update;
      if found and not exists (
        select from afa_registrations r join orders o on o.id = r.order_id where r.card_hash = named.card_hash and o.status <> 'rejected'
      ) then
        cards := cards || named.card_hash;
        continue;
      end if;
    end if;
    first := least(first, named.index);
  end loop;
  return first;
end $function$;

CREATE OR REPLACE FUNCTION public.use_afa_forms(p_user uuid, p_shop uuid, p_items jsonb, p_orders uuid[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  named record;
  form record;
  used integer := 0;
begin
  for named in
    select p_orders[entry.place] as order_id, f.id, f.card_hash
    from jsonb_array_elements(p_items) with ordinality entry (item, place)
    join afa_forms f on f.id = (entry.item ->> 'afa')::uuid and f.user_id is not distinct from p_user and f.shop_id is not distinct from p_shop
    join orders o on o.id = p_orders[entry.place] and o.network = 'AFA'
    where entry.item ->> 'afa' is not null
    order by f.card_hash, place
  loop
    perform pg_advisory_xact_lock(hashtextextended('afa-card:' || encode(named.card_hash, 'hex'), 0));
    if exists (
      select from afa_registrations r join orders o on o.id = r.order_id where r.card_hash = named.card_hash and o.status <> 'rejected'
    ) then
      continue;
    end if;
    delete from afa_forms where id = named.id returning details, card_hash, consented_at into form;
    if found then
      insert into afa_registrations (order_id, details, card_hash, consented_at)
      values (named.order_id, form.details, form.card_hash, form.consented_at);
      used := used + 1;
    end if;
  end loop;
  return used;
end $function$;

create view delivery_counts as
 SELECT delivery_totals.day,
    delivery_totals.network,
    delivery_totals.supplier,
    delivery_totals.agent_id,
    delivery_totals.orders,
    delivery_totals.sales_pesewas,
    delivery_totals.cost_pesewas,
    delivery_totals.uncosted_orders,
    delivery_totals.uncosted_pesewas,
    delivery_totals.refunded_orders,
    delivery_totals.refunded_pesewas,
    delivery_totals.refunded_uncosted_pesewas
   FROM delivery_totals
UNION ALL
 SELECT delivery_deltas.day,
    delivery_deltas.network,
    delivery_deltas.supplier,
    delivery_deltas.agent_id,
    delivery_deltas.orders,
    delivery_deltas.sales_pesewas,
    delivery_deltas.cost_pesewas,
    delivery_deltas.uncosted_orders,
    delivery_deltas.uncosted_pesewas,
    delivery_deltas.refunded_orders,
    delivery_deltas.refunded_pesewas,
    delivery_deltas.refunded_uncosted_pesewas
   FROM delivery_deltas;

create view delivery_day_counts as
 SELECT k.day,
    k.network,
    k.supplier,
    k.orders,
    k.sales_pesewas,
    k.cost_pesewas,
    k.uncosted_orders,
    k.uncosted_pesewas,
    k.refunded_orders,
    k.refunded_pesewas,
    k.refunded_uncosted_pesewas
   FROM delivery_days k
  WHERE NOT (EXISTS ( SELECT
           FROM stale_days s
          WHERE s.totals = 'deliveries'::text AND s.day = k.day))
UNION ALL
 SELECT t.day,
    t.network,
    t.supplier,
    t.orders,
    t.sales_pesewas,
    t.cost_pesewas,
    t.uncosted_orders,
    t.uncosted_pesewas,
    t.refunded_orders,
    t.refunded_pesewas,
    t.refunded_uncosted_pesewas
   FROM stale_days s
     JOIN delivery_totals t ON t.day = s.day
  WHERE s.totals = 'deliveries'::text
UNION ALL
 SELECT delivery_deltas.day,
    delivery_deltas.network,
    delivery_deltas.supplier,
    delivery_deltas.orders,
    delivery_deltas.sales_pesewas,
    delivery_deltas.cost_pesewas,
    delivery_deltas.uncosted_orders,
    delivery_deltas.uncosted_pesewas,
    delivery_deltas.refunded_orders,
    delivery_deltas.refunded_pesewas,
    delivery_deltas.refunded_uncosted_pesewas
   FROM delivery_deltas;

create view house_balances as
 SELECT a.id AS account_id,
    a.code,
    COALESCE(kept.pesewas, 0::bigint)::numeric + COALESCE(added.pesewas, 0::numeric) AS pesewas
   FROM accounts a
     LEFT JOIN account_totals kept ON kept.account_id = a.id
     LEFT JOIN ( SELECT account_deltas.account_id,
            sum(account_deltas.pesewas) AS pesewas
           FROM account_deltas
          GROUP BY account_deltas.account_id) added ON added.account_id = a.id
  WHERE a.id < 1000;

create view insight_fresh as
 SELECT (at AT TIME ZONE 'UTC'::text)::date AS day,
    network,
    supplier,
    json_build_object(EXTRACT(hour FROM (at AT TIME ZONE 'UTC'::text)), json_build_array(orders, net_pesewas, costed_pesewas, cost_pesewas, uncosted_orders)) AS hours,
        CASE
            WHEN minutes IS NULL THEN '[]'::json
            ELSE json_build_array(minutes, 1)
        END AS minutes,
        CASE
            WHEN minutes IS NULL THEN '{}'::json
            ELSE json_build_object(bought_hour, json_build_array(rough_minutes(minutes), 1))
        END AS hour_minutes
   FROM insight_deltas;

create view insight_hour_counts as
 SELECT insight_hours.hour,
    insight_hours.network,
    insight_hours.supplier,
    insight_hours.orders,
    insight_hours.net_pesewas,
    insight_hours.costed_pesewas,
    insight_hours.cost_pesewas,
    insight_hours.uncosted_orders
   FROM insight_hours
UNION ALL
 SELECT date_trunc('hour'::text, insight_deltas.at, 'UTC'::text) AS hour,
    insight_deltas.network,
    insight_deltas.supplier,
    insight_deltas.orders,
    insight_deltas.net_pesewas,
    insight_deltas.costed_pesewas,
    insight_deltas.cost_pesewas,
    insight_deltas.uncosted_orders
   FROM insight_deltas;

create view insight_package_counts as
 SELECT insight_packages.day,
    insight_packages.network,
    insight_packages.supplier,
    insight_packages.offer,
    insight_packages.orders,
    insight_packages.net_pesewas,
    insight_packages.costed_pesewas,
    insight_packages.cost_pesewas,
    insight_packages.uncosted_orders
   FROM insight_packages
UNION ALL
 SELECT (insight_deltas.at AT TIME ZONE 'UTC'::text)::date AS day,
    insight_deltas.network,
    insight_deltas.supplier,
    insight_deltas.offer,
    insight_deltas.orders,
    insight_deltas.net_pesewas,
    insight_deltas.costed_pesewas,
    insight_deltas.cost_pesewas,
    insight_deltas.uncosted_orders
   FROM insight_deltas;

create view order_counts as
 SELECT order_totals.day,
    order_totals.block,
    order_totals.network,
    order_totals.status,
    order_totals.orders,
    order_totals.pesewas
   FROM order_totals
UNION ALL
 SELECT order_deltas.day,
    order_deltas.block,
    order_deltas.network,
    order_deltas.status,
    order_deltas.orders,
    order_deltas.pesewas
   FROM order_deltas
UNION ALL
 SELECT 'infinity'::date AS day,
    '-1'::integer AS block,
    order_deltas.network,
    order_deltas.status,
    order_deltas.orders,
    order_deltas.pesewas
   FROM order_deltas;

create view order_stretch_counts as
 SELECT order_stretches.stretch,
    order_stretches.network,
    order_stretches.status,
    order_stretches.orders
   FROM order_stretches
UNION ALL
 SELECT order_deltas.block / 100 AS stretch,
    order_deltas.network,
    order_deltas.status,
    order_deltas.orders
   FROM order_deltas;

create view orders_not_searchable as
 SELECT o.seq,
    o.network,
    o.status,
    order_words(o.*, u.*) AS words
   FROM orders o
     LEFT JOIN users u ON u.id = o.user_id
  WHERE o.seq = ANY ((ARRAY( SELECT orders.seq
           FROM orders
          WHERE orders.seq > (( SELECT COALESCE(max(order_search.seq), 0::bigint) - 10000
                   FROM order_search))
        EXCEPT
         SELECT order_search.seq
           FROM order_search
          WHERE order_search.seq > (( SELECT COALESCE(max(order_search_1.seq), 0::bigint) - 10000
                   FROM order_search order_search_1)))));

create view shop_profits as
 SELECT profit_shares.order_id,
    profit_shares.shop_id,
    profit_shares.profit_pesewas,
    profit_shares.repaid_pesewas,
    profit_shares.sold_at,
    profit_shares.released_at,
    profit_shares.ended_at
   FROM profit_shares
UNION ALL
 SELECT commissions.order_id,
    commissions.shop_id,
    commissions.profit_pesewas,
    commissions.repaid_pesewas,
    commissions.sold_at,
    commissions.released_at,
    commissions.ended_at
   FROM commissions;

CREATE INDEX admin_actions_action ON public.admin_actions USING btree (action, id DESC);

CREATE INDEX admin_actions_actor ON public.admin_actions USING btree (actor_id, id DESC);

CREATE INDEX admin_actions_created ON public.admin_actions USING btree (created_at);

CREATE INDEX admin_actions_note ON public.admin_actions USING gin (note gin_trgm_ops) WHERE (note <> ''::text);

CREATE INDEX admin_actions_subject ON public.admin_actions USING btree (subject_type, subject_id, id DESC);

CREATE INDEX afa_forms_consented ON public.afa_forms USING btree (consented_at);

CREATE INDEX afa_forms_of_user ON public.afa_forms USING btree (user_id, consented_at) WHERE (user_id IS NOT NULL);

CREATE INDEX afa_registrations_of_batch ON public.afa_registrations USING btree (batch) WHERE (batch IS NOT NULL);

CREATE INDEX afa_registrations_of_card ON public.afa_registrations USING btree (card_hash) WHERE (card_hash IS NOT NULL);

CREATE INDEX afa_registrations_unsent ON public.afa_registrations USING btree (consented_at) WHERE ((sent_at IS NULL) AND (erased_at IS NULL));

CREATE INDEX agent_months_by_net ON public.agent_months USING btree (month, ((sales_pesewas - refunded_pesewas)) DESC, agent_id);

CREATE UNIQUE INDEX agent_shops_approved_host ON public.agent_shops USING btree (host) WHERE (host_approved_at IS NOT NULL);

CREATE INDEX agent_shops_claimed_host ON public.agent_shops USING btree (host) WHERE (host IS NOT NULL);

CREATE INDEX api_events_created ON public.api_events USING btree (created_at);

CREATE INDEX api_events_new ON public.api_events USING btree (seq) WHERE (body IS NULL);

CREATE INDEX api_events_of_tests ON public.api_events USING btree (user_id) WHERE (is_test OR (type = 'endpoint.test'::text));

CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id, created_at DESC);

CREATE INDEX approvals_newest ON public.approvals USING btree (proposed_at DESC);

CREATE UNIQUE INDEX approvals_open ON public.approvals USING btree (action_hash) WHERE (decision IS NULL);

CREATE UNIQUE INDEX batch_orders_locked ON public.batch_orders USING btree (order_id) WHERE (status = 'locked'::text);

CREATE INDEX batch_orders_open ON public.batch_orders USING btree (batch_id) WHERE (status = 'locked'::text);

CREATE UNIQUE INDEX bulk_groups_name ON public.bulk_groups USING btree (user_id, lower(name));

CREATE INDEX bulk_jobs_user ON public.bulk_jobs USING btree (user_id, seq DESC);

CREATE INDEX bulk_schedules_due ON public.bulk_schedules USING btree (next_at) WHERE ((next_at IS NOT NULL) AND (NOT is_paused));

CREATE INDEX bulk_schedules_group ON public.bulk_schedules USING btree (group_id);

CREATE INDEX bulk_schedules_user ON public.bulk_schedules USING btree (user_id);

CREATE INDEX card_refunds_reference ON public.card_refunds USING btree (reference);

CREATE INDEX checker_codes_of_import ON public.checker_codes USING btree (import_id);

CREATE UNIQUE INDEX checker_codes_pin ON public.checker_codes USING btree (kind, pin_hash) WHERE (taken_back_at IS NULL);

CREATE UNIQUE INDEX checker_codes_serial ON public.checker_codes USING btree (kind, serial_hash) WHERE (taken_back_at IS NULL);

CREATE INDEX checker_codes_stock ON public.checker_codes USING btree (kind, id) WHERE ((order_id IS NULL) AND (voided_at IS NULL) AND (taken_back_at IS NULL));

CREATE INDEX commissions_of_shop ON public.commissions USING btree (shop_id, seq);

CREATE INDEX commissions_released ON public.commissions USING btree (shop_id, released_at) WHERE (released_at IS NOT NULL);

CREATE INDEX commissions_sold ON public.commissions USING btree (shop_id, sold_in, sold_at);

CREATE INDEX confirmed_numbers_of_user ON public.confirmed_numbers USING btree (user_id);

CREATE INDEX conversations_expired ON public.conversations USING btree (expires_at);

CREATE INDEX conversations_of_phone ON public.conversations USING btree (channel, phone, started_at DESC);

CREATE UNIQUE INDEX day_closes_in_a_row ON public.day_closes USING btree (from_at) WHERE (corrects IS NULL);

CREATE INDEX day_closes_until ON public.day_closes USING btree (until_at);

CREATE UNIQUE INDEX delivery_events_after_all ON public.delivery_events USING btree (reference) WHERE (kind = 'delivered-after-all'::text);

CREATE INDEX delivery_events_by_time ON public.delivery_events USING btree (at) WHERE (kind = ANY (ARRAY['rejected'::text, 'failed'::text]));

CREATE INDEX delivery_events_of_order ON public.delivery_events USING btree (order_id, id);

CREATE INDEX delivery_restarts_from_reference ON public.delivery_restarts USING btree (from_reference);

CREATE INDEX delivery_restarts_of_order ON public.delivery_restarts USING btree (order_id, id);

CREATE INDEX delivery_totals_by_agent ON public.delivery_totals USING btree (agent_id, day);

CREATE INDEX disputed_money_account ON public.disputed_money USING btree (account_id) WHERE (pesewas > 0);

CREATE INDEX disputed_orders_payment ON public.disputed_orders USING btree (payment_reference);

CREATE INDEX disputes_reference ON public.disputes USING btree (reference);

CREATE INDEX float_alarms_newest ON public.float_alarms USING btree (float_key, kind, raised_at DESC);

CREATE UNIQUE INDEX float_alarms_once ON public.float_alarms USING btree (float_key, kind) WHERE (ended_at IS NULL);

CREATE INDEX float_readings_newest ON public.float_readings USING btree (float_key, read_at DESC, id DESC);

CREATE INDEX forwarded_messages_newest ON public.forwarded_messages USING btree (forwarder_id, seq DESC);

CREATE INDEX forwarded_messages_old ON public.forwarded_messages USING btree (received_at);

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX idempotency_keys_refused ON public.idempotency_keys USING btree (user_id, created_at) WHERE ((outcome ->> 'outcome'::text) = 'refused'::text);

CREATE INDEX invariant_checks_age ON public.invariant_checks USING btree (began_at);

CREATE INDEX invariant_checks_newest ON public.invariant_checks USING btree (invariant, id DESC);

CREATE INDEX journal_entries_created ON public.journal_entries USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX known_devices_user ON public.known_devices USING btree (user_id, last_used_at DESC);

CREATE INDEX order_search_words ON public.order_search USING gin (words gin_trgm_ops);

CREATE INDEX order_totals_block ON public.order_totals USING btree (block);

CREATE UNIQUE INDEX orders_client_id ON public.orders USING btree (user_id, client_id) WHERE (client_id IS NOT NULL);

CREATE INDEX orders_completed ON public.orders USING btree (completed_at) WHERE (completed_at IS NOT NULL);

CREATE INDEX orders_decided_words ON public.orders USING gin (shown_time(decided_at) gin_trgm_ops) WHERE (decided_at IS NOT NULL);

CREATE INDEX orders_filter ON public.orders USING btree (network, status, seq);

CREATE INDEX orders_payment ON public.orders USING btree (payment_reference) WHERE (payment_reference IS NOT NULL);

CREATE INDEX orders_receiver ON public.orders USING btree (receiver, seq DESC);

CREATE INDEX orders_top_up ON public.orders USING btree (top_up_reference) WHERE (top_up_reference IS NOT NULL);

CREATE INDEX orders_user ON public.orders USING btree (user_id, seq DESC);

CREATE INDEX orders_without_cost ON public.orders USING btree (product_id, offer, cost_supplier, seq) WHERE ((completed_at IS NOT NULL) AND (cost_pesewas IS NULL));

CREATE INDEX package_costs_newest ON public.package_costs USING btree (product_id, offer, supplier, valid_from DESC, id DESC);

CREATE INDEX package_costs_of_network ON public.package_costs USING btree (network, offer, supplier);

CREATE INDEX password_reset_requests_due ON public.password_reset_requests USING btree (try_at) WHERE (try_at IS NOT NULL);

CREATE INDEX password_reset_requests_email ON public.password_reset_requests USING btree (email, requested_at);

CREATE INDEX password_resets_user ON public.password_resets USING btree (user_id);

CREATE INDEX payment_claims_of_transaction ON public.payment_claims USING btree (transaction_id);

CREATE INDEX payment_credits_automatic ON public.payment_credits USING btree (credited_at) WHERE automatic;

CREATE INDEX payment_credits_of_user ON public.payment_credits USING btree (user_id, id DESC);

CREATE UNIQUE INDEX payment_credits_once ON public.payment_credits USING btree (payment_id) WHERE (taken_back_at IS NULL);

CREATE INDEX payment_lists_waiting ON public.payment_lists USING btree (user_id) WHERE (list IS NOT NULL);

CREATE INDEX payments_due ON public.payments USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX payments_for_staff ON public.payments USING btree (seq DESC) WHERE waits_for_staff;

CREATE INDEX payments_held ON public.payments USING btree (seq DESC) WHERE (status = 'held'::text);

CREATE INDEX payments_of_guest ON public.payments USING btree (guest_phone) WHERE (guest_phone IS NOT NULL);

CREATE INDEX payments_on_hold ON public.payments USING btree (on_hold_until) WHERE (on_hold_until IS NOT NULL);

CREATE INDEX payments_open_of_address ON public.payments USING btree (guest_address) WHERE (status = 'open'::text);

CREATE INDEX payments_open_of_user ON public.payments USING btree (user_id) WHERE (status = 'open'::text);

CREATE INDEX payments_paid_in_browser ON public.payments USING btree (guest_browser) WHERE ((guest_browser IS NOT NULL) AND (status = 'paid'::text));

CREATE INDEX payments_top_ups ON public.payments USING btree (user_id, created_at) WHERE (purpose = 'top-up'::text);

CREATE INDEX payments_unspent_until ON public.payments USING btree (unspent_until) WHERE (unspent_until IS NOT NULL);

CREATE INDEX payments_user ON public.payments USING btree (user_id, seq DESC);

CREATE INDEX payments_with_rest ON public.payments USING btree (user_id, created_at) WHERE (left_pesewas > 0);

CREATE INDEX payout_codes_of_account ON public.payout_codes USING btree (asked_by, asked_at DESC);

CREATE INDEX payout_codes_of_newcomers ON public.payout_codes USING btree (asked_at) WHERE (asked_by IS NULL);

CREATE INDEX payout_codes_of_phone ON public.payout_codes USING btree (phone, asked_at DESC);

CREATE INDEX payout_codes_of_shop ON public.payout_codes USING btree (shop_id, asked_at DESC);

CREATE INDEX payout_number_removals_of_shop ON public.payout_number_removals USING btree (shop_id, phone, removed_at DESC);

CREATE INDEX pin_proofs_of_user ON public.pin_proofs USING btree (user_id);

CREATE INDEX postings_account ON public.postings USING btree (account_id, entry_id);

CREATE INDEX price_schedules_ended ON public.price_schedules USING btree (ended_at DESC) WHERE (ended_at IS NOT NULL);

CREATE INDEX price_schedules_waiting ON public.price_schedules USING btree (live_at) WHERE (ended_at IS NULL);

CREATE INDEX profit_shares_of_shop ON public.profit_shares USING btree (shop_id, seq);

CREATE INDEX profit_shares_released ON public.profit_shares USING btree (shop_id, released_at) WHERE (released_at IS NOT NULL);

CREATE INDEX profit_shares_sold ON public.profit_shares USING btree (shop_id, sold_at);

CREATE UNIQUE INDEX purchase_pauses_one ON public.purchase_pauses USING btree (((lifted_at IS NULL))) WHERE (lifted_at IS NULL);

CREATE INDEX rate_limit_buckets_empty_at ON public.rate_limit_buckets USING btree (empty_at);

CREATE INDEX received_payments_balances ON public.received_payments USING btree (network, seq DESC) WHERE (balance_pesewas IS NOT NULL);

CREATE INDEX received_payments_forked ON public.received_payments USING btree (seq) WHERE ((status = 'credited'::text) AND (doubts @> ARRAY['fork'::text]));

CREATE INDEX received_payments_of_transaction ON public.received_payments USING btree (transaction_id);

CREATE INDEX received_payments_payers ON public.received_payments USING btree (network, lower(payer_name)) WHERE ((status = 'credited'::text) AND (payer_name IS NOT NULL));

CREATE INDEX received_payments_questioned ON public.received_payments USING btree (seq) WHERE ((status = 'credited'::text) AND (doubts @> ARRAY['reversal'::text]));

CREATE INDEX received_payments_to_credit ON public.received_payments USING btree (seq) WHERE ((status = 'waiting'::text) AND (doubts = '{}'::text[]) AND (forwarder_id IS NOT NULL));

CREATE INDEX received_payments_unread ON public.received_payments USING btree (seq) WHERE (doubts @> ARRAY['unknown-form'::text]);

CREATE INDEX received_payments_waiting ON public.received_payments USING btree (seq) WHERE (status = 'waiting'::text);

CREATE INDEX received_payments_words ON public.received_payments USING gin ((((((((((transaction_id || ' '::text) || COALESCE(payer_name, ''::text)) || ' '::text) || COALESCE(payer_phone, ''::text)) || ' '::text) || COALESCE(reference, ''::text)) || ' '::text) || shown_amount(amount_pesewas))) gin_trgm_ops);

CREATE INDEX receiver_corrections_of_order ON public.receiver_corrections USING btree (order_id, id);

CREATE INDEX recharges_pending ON public.recharges USING btree (seq DESC) WHERE (status = 'pending'::text);

CREATE INDEX recharges_user ON public.recharges USING btree (user_id, seq DESC);

CREATE INDEX recharges_words ON public.recharges USING gin ((((((recharge_id || ' '::text) || shown_time(created_at)) || ' '::text) || shown_amount(amount_pesewas))) gin_trgm_ops);

CREATE INDEX recovery_codes_user ON public.recovery_codes USING btree (user_id);

CREATE INDEX referrals_due ON public.referrals USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX referrals_of_referrer ON public.referrals USING btree (referrer_id, created_at DESC, referred_id);

CREATE INDEX referrals_recheck ON public.referrals USING btree (recheck_at) WHERE (recheck_at IS NOT NULL);

CREATE INDEX referrals_rewarded ON public.referrals USING btree (referrer_id, rewarded_at) WHERE (rewarded_at IS NOT NULL);

CREATE INDEX refund_codes_of_refund ON public.refund_codes USING btree (refund_id, shown_at);

CREATE INDEX refunds_in_review ON public.refunds USING btree (seq) WHERE (status = ANY (ARRAY['due'::text, 'review'::text]));

CREATE INDEX refunds_of_orders_payment ON public.refunds USING btree (payment_reference);

CREATE UNIQUE INDEX refunds_of_payment ON public.refunds USING btree (payment_reference) WHERE ((order_id IS NULL) AND (status <> 'returned'::text));

CREATE INDEX refunds_open ON public.refunds USING btree (seq) WHERE (ended_at IS NULL);

CREATE INDEX refunds_to_ask ON public.refunds USING btree (ask_at) WHERE (ask_at IS NOT NULL);

CREATE INDEX refunds_to_tell ON public.refunds USING btree (seq) WHERE ((status = ANY (ARRAY['accepted'::text, 'paid'::text, 'code'::text])) AND (told IS DISTINCT FROM status));

CREATE INDEX report_messages_of_report ON public.report_messages USING btree (report_id, id);

CREATE INDEX reports_of_order ON public.reports USING btree (order_id, seq);

CREATE UNIQUE INDEX reports_one_open ON public.reports USING btree (order_id) WHERE (status = 'open'::text);

CREATE UNIQUE INDEX reports_one_refund ON public.reports USING btree (order_id) WHERE (status = 'refunded'::text);

CREATE UNIQUE INDEX reports_one_resend ON public.reports USING btree (order_id) WHERE (status = 'resent'::text);

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX shop_prices_product ON public.shop_prices USING btree (product_id);

CREATE UNIQUE INDEX sms_messages_checker ON public.sms_messages USING btree (checker_code_id, asked_at) WHERE (checker_code_id IS NOT NULL);

CREATE INDEX sms_messages_for_digest ON public.sms_messages USING btree (created_at) WHERE (status = 'for-digest'::text);

CREATE INDEX sms_messages_of_payout_codes ON public.sms_messages USING btree (payout_code_id) WHERE (payout_code_id IS NOT NULL);

CREATE INDEX sms_messages_of_refunds ON public.sms_messages USING btree (refund_id) WHERE (refund_id IS NOT NULL);

CREATE UNIQUE INDEX sms_messages_once ON public.sms_messages USING btree (kind, order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX sms_messages_recent ON public.sms_messages USING btree (created_at) WHERE (kind = 'order'::text);

CREATE INDEX sub_agent_invitations_open ON public.sub_agent_invitations USING btree (shop_id, seq) WHERE ((withdrawn_at IS NULL) AND (used_at IS NULL));

CREATE INDEX sub_agent_prices_product ON public.sub_agent_prices USING btree (product_id);

CREATE INDEX sub_agents_by_user ON public.sub_agents USING btree (user_id, seq);

CREATE INDEX sub_agents_of_shop ON public.sub_agents USING btree (shop_id, seq);

CREATE UNIQUE INDEX sub_agents_of_user ON public.sub_agents USING btree (user_id) WHERE (ended_at IS NULL);

CREATE INDEX supplier_deliveries_open ON public.supplier_deliveries USING btree (updated_at) WHERE (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'accepted'::text, 'unknown'::text]));

CREATE INDEX supplier_deliveries_waiting ON public.supplier_deliveries USING btree (supplier) WHERE (status = 'waiting'::text);

CREATE INDEX test_movements_created ON public.test_movements USING btree (created_at);

CREATE INDEX test_movements_user ON public.test_movements USING btree (user_id, seq DESC);

CREATE INDEX test_orders_next ON public.test_orders USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX test_orders_purchase ON public.test_orders USING btree (purchase_id);

CREATE INDEX test_orders_user ON public.test_orders USING btree (user_id, seq DESC);

CREATE INDEX test_purchases_created ON public.test_purchases USING btree (created_at);

CREATE INDEX test_purchases_lists ON public.test_purchases USING btree (user_id, first_order DESC) WHERE (first_order IS NOT NULL);

CREATE INDEX tries_empty_at ON public.tries USING btree (empty_at);

CREATE INDEX undone_effects_of_order ON public.undone_effects USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX user_notes_of_user ON public.user_notes USING btree (user_id, id DESC);

CREATE INDEX users_admins ON public.users USING btree (id) WHERE (level = 'Admin'::text);

CREATE INDEX users_words ON public.users USING gin ((((((username || ' '::text) || phone) || ' '::text) || email)) gin_trgm_ops);

CREATE INDEX wallet_movements_openings ON public.wallet_movements USING btree (forwarder_id, network, opening_pesewas);

CREATE INDEX wallet_movements_payment ON public.wallet_movements USING btree (payment_id);

CREATE INDEX wallet_movements_waiting ON public.wallet_movements USING btree (forwarder_id, network, seq) WHERE ((proven_at IS NULL) AND (left_out_at IS NULL));

CREATE INDEX wallets_reserved_until ON public.wallets USING btree (reserved_until) WHERE (reserved_until IS NOT NULL);

CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (endpoint_id, seq DESC);

CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (event_id);

CREATE INDEX webhook_endpoints_user ON public.webhook_endpoints USING btree (user_id, created_at DESC);

CREATE INDEX webhook_events_waiting ON public.webhook_events USING btree (id) WHERE ((handled_at IS NULL) AND (queued_at IS NULL));

CREATE INDEX whatsapp_chats_heard ON public.whatsapp_chats USING btree (heard_at);

CREATE INDEX whatsapp_claims_old ON public.whatsapp_claims USING btree (until);

CREATE UNIQUE INDEX whatsapp_links_phone ON public.whatsapp_links USING btree (phone) WHERE (linked_at IS NOT NULL);

CREATE INDEX whatsapp_messages_old ON public.whatsapp_messages USING btree (created_at);

CREATE INDEX whatsapp_received_old ON public.whatsapp_received USING btree (received_at);

CREATE INDEX whatsapp_statuses_old ON public.whatsapp_statuses USING btree (at);

CREATE INDEX withdrawals_due ON public.withdrawals USING btree (ask_at) WHERE (ask_at IS NOT NULL);

CREATE INDEX withdrawals_of_shop ON public.withdrawals USING btree (shop_id, seq DESC);

CREATE INDEX withdrawals_open ON public.withdrawals USING btree (seq) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX withdrawals_paid_by_hand ON public.withdrawals USING btree (network, hand_transaction_id) WHERE (hand_transaction_id IS NOT NULL);

CREATE TRIGGER admin_actions_append_only BEFORE DELETE OR UPDATE ON admin_actions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER admin_actions_counted AFTER INSERT ON admin_actions FOR EACH ROW EXECUTE FUNCTION count_row('admin_actions');

CREATE TRIGGER admin_actions_no_truncate BEFORE TRUNCATE ON admin_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER afa_forms_held AFTER INSERT ON afa_forms REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('forms to be used', 'user_id', '300');

CREATE TRIGGER afa_forms_of_shop_held AFTER INSERT ON afa_forms REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('forms of a shop', 'shop_id', '1000');

CREATE TRIGGER api_keys_held AFTER INSERT ON api_keys REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('keys', 'user_id', '2000');

CREATE TRIGGER api_keys_stay BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION guard_api_key();

CREATE TRIGGER approvals_decided_once BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION guard_approval();

CREATE TRIGGER approvals_kept BEFORE DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE CONSTRAINT TRIGGER batch_orders_ended AFTER UPDATE ON batch_orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.status = 'locked'::text AND (new.status = ANY (ARRAY['completed'::text, 'rejected'::text]))) EXECUTE FUNCTION check_batch_order_ended();

CREATE TRIGGER batch_orders_guarded BEFORE INSERT OR UPDATE ON batch_orders FOR EACH ROW EXECUTE FUNCTION guard_batch_order();

CREATE TRIGGER bulk_groups_bytes_held AFTER INSERT ON bulk_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('bytes of groups', 'user_id', '8000000', 'sum(pg_column_size(lines))');

CREATE TRIGGER bulk_groups_bytes_held_changed AFTER UPDATE ON bulk_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('bytes of groups', 'user_id', '8000000', 'sum(pg_column_size(lines))');

CREATE TRIGGER bulk_groups_held AFTER INSERT ON bulk_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('groups', 'user_id', '50');

CREATE TRIGGER bulk_schedules_held AFTER INSERT ON bulk_schedules REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('schedules', 'user_id', '50');

CREATE TRIGGER checker_codes_guarded BEFORE DELETE OR UPDATE ON checker_codes FOR EACH ROW EXECUTE FUNCTION guard_checker_code();

CREATE TRIGGER checker_codes_no_truncate BEFORE TRUNCATE ON checker_codes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER confirmed_numbers_guarded BEFORE INSERT ON confirmed_numbers FOR EACH ROW EXECUTE FUNCTION guard_confirmed_number();

CREATE TRIGGER confirmed_numbers_held AFTER INSERT ON confirmed_numbers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('confirmed numbers', 'user_id', '5');

CREATE TRIGGER confirmed_numbers_never_changed BEFORE UPDATE ON confirmed_numbers FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contacts_held AFTER INSERT ON contacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('contacts', 'user_id', '500');

CREATE TRIGGER customer_notes_append_only BEFORE DELETE OR UPDATE ON customer_notes FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER customer_notes_no_truncate BEFORE TRUNCATE ON customer_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER day_closes_append_only BEFORE DELETE OR UPDATE ON day_closes FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER day_closes_in_order BEFORE INSERT ON day_closes FOR EACH ROW EXECUTE FUNCTION guard_day_close();

CREATE TRIGGER day_closes_no_truncate BEFORE TRUNCATE ON day_closes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER delivery_events_append_only BEFORE DELETE OR UPDATE ON delivery_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER delivery_events_no_truncate BEFORE TRUNCATE ON delivery_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER delivery_restarts_append_only BEFORE DELETE OR UPDATE ON delivery_restarts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER delivery_restarts_no_truncate BEFORE TRUNCATE ON delivery_restarts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER journal_entries_append_only BEFORE DELETE OR UPDATE ON journal_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE CONSTRAINT TRIGGER journal_entries_balance AFTER INSERT ON journal_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_entry_balances();

CREATE CONSTRAINT TRIGGER journal_entries_credited_by_others AFTER INSERT ON journal_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.actor_id IS NOT NULL AND (new.kind = ANY (ARRAY['admin-credit'::text, 'recharge'::text]))) EXECUTE FUNCTION refuse_own_gain('journal_entries');

CREATE TRIGGER journal_entries_no_truncate BEFORE TRUNCATE ON journal_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER ledger_seals_append_only BEFORE DELETE OR UPDATE ON ledger_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER ledger_seals_no_truncate BEFORE TRUNCATE ON ledger_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER message_formats_append_only BEFORE DELETE OR UPDATE ON message_formats FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER message_formats_no_truncate BEFORE TRUNCATE ON message_formats FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER orders_api_event AFTER UPDATE OF status ON orders FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status AND new.user_id IS NOT NULL) EXECUTE FUNCTION note_api_event();

CREATE TRIGGER orders_counted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();

CREATE TRIGGER orders_decided_by_others BEFORE UPDATE OF decided_by ON orders FOR EACH ROW WHEN (new.decided_by IS NOT NULL AND new.status <> 'pending'::text) EXECUTE FUNCTION refuse_own_gain('orders');

CREATE TRIGGER orders_decided_once BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_second_decision();

CREATE TRIGGER orders_delivered AFTER UPDATE OF status ON orders FOR EACH ROW WHEN (old.status = 'pending'::text AND new.status <> 'pending'::text) EXECUTE FUNCTION post_delivery();

CREATE TRIGGER orders_delivery_cost BEFORE UPDATE OF status ON orders FOR EACH ROW WHEN (new.status = 'completed'::text AND old.status = 'pending'::text) EXECUTE FUNCTION fix_delivery_cost();

CREATE TRIGGER orders_delivery_counted AFTER UPDATE OF status, cost_pesewas ON orders FOR EACH ROW WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION count_delivery();

CREATE TRIGGER orders_insight AFTER UPDATE OF status, cost_pesewas ON orders FOR EACH ROW WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION count_insight();

CREATE TRIGGER orders_not_locked BEFORE UPDATE OF status ON orders FOR EACH ROW WHEN (old.status = 'pending'::text AND new.status <> 'pending'::text) EXECUTE FUNCTION refuse_locked_order();

CREATE TRIGGER orders_noted AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION note_new_order();

CREATE TRIGGER orders_receiver_corrected BEFORE UPDATE OF receiver ON orders FOR EACH ROW WHEN (old.receiver IS DISTINCT FROM new.receiver) EXECUTE FUNCTION guard_receiver();

CREATE TRIGGER orders_recounted AFTER UPDATE OF status ON orders FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION count_order();

CREATE TRIGGER orders_rejected_knowingly BEFORE UPDATE OF status ON orders FOR EACH ROW WHEN (new.status = 'rejected'::text AND old.status <> 'rejected'::text) EXECUTE FUNCTION guard_rejection();

CREATE TRIGGER orders_undone AFTER UPDATE OF status ON orders FOR EACH ROW WHEN (old.status = 'completed'::text AND new.status = 'rejected'::text AND new.user_id IS NOT NULL) EXECUTE FUNCTION note_undone_order();

CREATE TRIGGER package_costs_append_only BEFORE DELETE OR UPDATE ON package_costs FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER package_costs_network BEFORE INSERT ON package_costs FOR EACH ROW EXECUTE FUNCTION note_network_of_cost();

CREATE TRIGGER package_costs_no_truncate BEFORE TRUNCATE ON package_costs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payment_credits_guarded BEFORE DELETE OR UPDATE ON payment_credits FOR EACH ROW EXECUTE FUNCTION guard_payment_credit();

CREATE TRIGGER payment_lists_held AFTER INSERT ON payment_lists REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('lists to be paid', 'user_id', '20', '', 'list is not null');

CREATE CONSTRAINT TRIGGER payments_loss_followed AFTER UPDATE OF loss_pesewas ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.loss_pesewas <> new.loss_pesewas) EXECUTE FUNCTION follow_loss();

CREATE TRIGGER payments_open_held AFTER INSERT ON payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('open payments', 'user_id', '60', '', 'status = ''open''');

CREATE TRIGGER payments_open_of_guests_held AFTER INSERT ON payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('open guest payments', 'guest_address', '1200', '', 'status = ''open''');

CREATE TRIGGER payout_number_removals_append_only BEFORE DELETE OR UPDATE ON payout_number_removals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payout_number_removals_no_truncate BEFORE TRUNCATE ON payout_number_removals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payout_numbers_append_only BEFORE DELETE OR UPDATE ON payout_numbers FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payout_numbers_no_truncate BEFORE TRUNCATE ON payout_numbers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pin_proofs_kept AFTER INSERT ON pin_proofs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_newest('user_id', '20', 'expires_at desc');

CREATE TRIGGER postings_append_only BEFORE DELETE OR UPDATE ON postings FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER postings_no_truncate BEFORE TRUNCATE ON postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER postings_of_their_transaction AFTER INSERT ON postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_posting_is_of_its_transaction();

CREATE TRIGGER price_publications_append_only BEFORE DELETE OR UPDATE ON price_publications FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER price_publications_no_truncate BEFORE TRUNCATE ON price_publications FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER received_payments_counted AFTER INSERT ON received_payments FOR EACH ROW EXECUTE FUNCTION count_row();

CREATE TRIGGER received_payments_guarded BEFORE DELETE OR UPDATE ON received_payments FOR EACH ROW EXECUTE FUNCTION guard_received_payment();

CREATE TRIGGER receiver_corrections_append_only BEFORE DELETE OR UPDATE ON receiver_corrections FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER receiver_corrections_no_truncate BEFORE TRUNCATE ON receiver_corrections FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER recharges_counted AFTER INSERT ON recharges FOR EACH ROW EXECUTE FUNCTION count_recharge();

CREATE TRIGGER recharges_decided_once BEFORE UPDATE ON recharges FOR EACH ROW EXECUTE FUNCTION refuse_second_recharge_decision();

CREATE TRIGGER recharges_held AFTER INSERT ON recharges REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('recharges that wait', 'user_id', '20', '', 'status = ''pending''');

CREATE TRIGGER recharges_recounted AFTER UPDATE OF status ON recharges FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION count_recharge();

CREATE TRIGGER refunds_decided_by_others BEFORE UPDATE OF decided_by ON refunds FOR EACH ROW WHEN (new.decided_by IS NOT NULL AND new.decided_by IS DISTINCT FROM old.decided_by) EXECUTE FUNCTION refuse_own_gain('refunds');

CREATE TRIGGER refunds_guarded BEFORE UPDATE ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund();

CREATE TRIGGER refunds_kept BEFORE DELETE ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER refunds_within_payment BEFORE INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION guard_refund_to_source();

CREATE TRIGGER report_messages_append_only BEFORE DELETE OR UPDATE ON report_messages FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER report_messages_held AFTER INSERT ON report_messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('lines of a report', 'report_id', '100', '', 'not from_shop');

CREATE TRIGGER report_messages_no_truncate BEFORE TRUNCATE ON report_messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER reports_guarded BEFORE INSERT OR UPDATE ON reports FOR EACH ROW EXECUTE FUNCTION guard_report();

CREATE CONSTRAINT TRIGGER reports_refunded AFTER INSERT OR UPDATE ON reports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'refunded'::text) EXECUTE FUNCTION check_report_is_refunded();

CREATE TRIGGER restore_rehearsals_append_only BEFORE DELETE OR UPDATE ON restore_rehearsals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER restore_rehearsals_no_truncate BEFORE TRUNCATE ON restore_rehearsals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER sessions_kept AFTER INSERT ON sessions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_newest('user_id', '50', 'last_used_at desc, created_at desc');

CREATE TRIGGER sub_agents_guarded BEFORE INSERT OR UPDATE ON sub_agents FOR EACH ROW EXECUTE FUNCTION guard_sub_agent();

CREATE TRIGGER sub_agents_kept BEFORE DELETE ON sub_agents FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER supplier_deliveries_guarded BEFORE UPDATE ON supplier_deliveries FOR EACH ROW EXECUTE FUNCTION guard_delivery();

CREATE TRIGGER supplier_deliveries_not_locked BEFORE INSERT OR UPDATE OF status ON supplier_deliveries FOR EACH ROW WHEN (new.status = ANY (ARRAY['waiting'::text, 'sending'::text])) EXECUTE FUNCTION refuse_locked_order();

CREATE TRIGGER supplier_deliveries_told AFTER UPDATE ON supplier_deliveries FOR EACH ROW WHEN (new.status = ANY (ARRAY['waiting'::text, 'unknown'::text, 'rejected'::text, 'failed'::text])) EXECUTE FUNCTION note_delivery_event();

CREATE TRIGGER test_orders_held AFTER INSERT ON test_orders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('test orders', 'user_id', '10000');

CREATE TRIGGER transaction_pins_pause_schedules AFTER UPDATE OF at_checkout ON transaction_pins FOR EACH ROW WHEN (new.at_checkout AND NOT old.at_checkout) EXECUTE FUNCTION pause_unproven_schedules();

CREATE TRIGGER transaction_pins_pause_schedules_new AFTER INSERT ON transaction_pins FOR EACH ROW WHEN (new.at_checkout) EXECUTE FUNCTION pause_unproven_schedules();

CREATE TRIGGER users_confirmations_dropped BEFORE UPDATE OF phone, email ON users FOR EACH ROW WHEN (old.phone IS DISTINCT FROM new.phone OR old.email IS DISTINCT FROM new.email) EXECUTE FUNCTION drop_confirmations();

CREATE TRIGGER users_counted AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION count_row();

CREATE TRIGGER users_login_change_noted BEFORE UPDATE OF phone, email, password_hash ON users FOR EACH ROW WHEN (old.phone IS DISTINCT FROM new.phone OR old.email IS DISTINCT FROM new.email OR old.password_hash IS DISTINCT FROM new.password_hash) EXECUTE FUNCTION note_login_change();

CREATE TRIGGER users_pause_schedules AFTER UPDATE OF password_hash ON users FOR EACH ROW WHEN (old.password_hash IS DISTINCT FROM new.password_hash) EXECUTE FUNCTION pause_unproven_schedules();

CREATE TRIGGER users_staff_roles_added AFTER INSERT ON users FOR EACH ROW WHEN (new.level = 'Admin'::text) EXECUTE FUNCTION keep_staff_roles();

CREATE TRIGGER users_staff_roles_kept AFTER UPDATE OF level ON users FOR EACH ROW WHEN ((old.level = 'Admin'::text) IS DISTINCT FROM (new.level = 'Admin'::text)) EXECUTE FUNCTION keep_staff_roles();

CREATE TRIGGER webhook_endpoints_held AFTER INSERT ON webhook_endpoints REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('webhooks', 'user_id', '10', '', 'ended_at is null');

CREATE TRIGGER withdrawals_decided_by_others BEFORE UPDATE OF decided_by ON withdrawals FOR EACH ROW WHEN (new.decided_by IS NOT NULL AND new.decided_by IS DISTINCT FROM old.decided_by) EXECUTE FUNCTION refuse_own_gain('withdrawals');

CREATE TRIGGER withdrawals_guarded BEFORE UPDATE ON withdrawals FOR EACH ROW EXECUTE FUNCTION guard_withdrawal();

CREATE TRIGGER withdrawals_held AFTER INSERT ON withdrawals REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_share('withdrawals on their way', 'shop_id', '5', '', 'ended_at is null');

CREATE TRIGGER withdrawals_kept BEFORE DELETE ON withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER withdrawals_proven BEFORE INSERT ON withdrawals FOR EACH ROW EXECUTE FUNCTION guard_withdrawal_pin();

CREATE TRIGGER withdrawals_to_confirmed_numbers BEFORE INSERT ON withdrawals FOR EACH ROW WHEN (new.unapproved) EXECUTE FUNCTION guard_new_withdrawal();
