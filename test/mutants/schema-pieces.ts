import type { Queryable } from '../../server/platform/db.ts'
import { type Mutation, mutateSql } from './sql-mutations.ts'

/** A mutation of the database: the statements that put it into a migrated one. */
export type SchemaMutant = Pick<Mutation, 'kind' | 'at'> & { piece: string; install: string }

/** What sells, refunds and pays out comes first. */
const FUNCTIONS = [
  'post_entry',
  'place_wallet_orders',
  'price_lines',
  'refused_lines',
  'place_shop_orders',
  'price_shop_lines',
  'shop_offers',
  'shop_closed',
  'release_profit',
  'take_back_profit',
  'owe_refund',
  'guard_refund',
  'place_bulk_orders',
  'place_key_orders',
  'post_entries',
  'post_delivery',
  'undelivered_pesewas',
  'supplier_account',
  'package_cost',
  'fix_delivery_cost',
  'guard_withdrawal',
  'create_shop_wallet',
  'check_entry_balances',
  'check_posting_is_of_its_transaction',
  'refuse_change',
  'refuse_second_decision',
  'refuse_second_recharge_decision',
  'create_wallet',
  'fold_account_deltas',
  'count_order',
  'fold_order_deltas',
  'guard_delivery',
  'guard_rejection',
  'guard_report',
  'check_report_is_refunded',
  'guard_batch_order',
  'check_batch_order_ended',
  'refuse_locked_order',
  'guard_receiver',
  'guard_approval',
  'guard_day_close',
  'account_movements',
  'guard_payment_credit',
  'guard_received_payment',
  'seal_entries',
  'take_attempts',
  'settle_attempts',
  'guard_api_key',
  'note_api_event',
  'guard_checker_code',
  'sell_checkers',
  'short_of_checkers',
  'sold_out',
  'on_the_way',
  'place_asking_orders',
  'place_asking_key_orders',
  'place_channel_orders',
  'place_proven_orders',
  'take_pin_proof',
]
const TABLES = [
  'accounts',
  'wallets',
  'journal_entries',
  'postings',
  'account_totals',
  'account_deltas',
  'packages',
  'orders',
  'order_totals',
  'order_deltas',
  'idempotency_keys',
  'recharges',
  'payments',
  'disputes',
  'card_refunds',
  'supplier_deliveries',
  'reports',
  'profit_shares',
  'withdrawals',
  'refunds',
  'agent_shops',
  'shop_prices',
  'batch_orders',
  'receiver_corrections',
  'package_costs',
  'payment_credits',
  'received_payments',
  'approvals',
  'account_days',
  'day_closes',
  'refund_codes',
  'referral_rules',
  'referral_links',
  'referrals',
  'bulk_jobs',
  'bulk_lines',
  'bulk_schedules',
  'api_keys',
  'api_events',
  'webhook_endpoints',
  'webhook_deliveries',
  'checker_kinds',
  'checker_packages',
  'checker_vault',
  'checker_imports',
  'checker_codes',
  'payment_claims',
  'transaction_pins',
  'pin_proofs',
  'afa_registrations',
  'channel_settings',
  'conversations',
  'ussd_phones',
  'ussd_settings',
  'whatsapp_links',
  'whatsapp_chats',
  'whatsapp_received',
  'whatsapp_claims',
  'whatsapp_messages',
  'whatsapp_statuses',
  'whatsapp_days',
  'whatsapp_settings',
  'message_formats',
]
const VIEWS = ['house_balances', 'order_counts']
/** Triggers of these tables that move no money: they feed the counts of lists and the jobs. */
const OTHER_TRIGGERS = ['recharges_counted', 'recharges_recounted', 'orders_noted']

/** Every mutation of what moves or guards money in a migrated database. */
export async function schemaMutants(db: Queryable): Promise<SchemaMutant[]> {
  const parts = await Promise.all([functions(db), constraints(db), uniqueIndexes(db), triggers(db), defaults(db), views(db)])
  return parts.flat()
}

async function functions(db: Queryable): Promise<SchemaMutant[]> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select proname as name, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any ($1) order by array_position($1, proname::text)`,
    [FUNCTIONS],
  )
  if (rows.length !== FUNCTIONS.length) throw new Error(`not all of these functions are there: ${FUNCTIONS.join(', ')}`)
  return rows.flatMap(({ name, definition }) => {
    const [header = '', body = ''] = definition.split('$function$')
    return mutateSql(body).map(({ kind, at, text }) => ({ piece: name, kind, at, install: `${header}$function$${text}$function$` }))
  })
}

async function constraints(db: Queryable): Promise<SchemaMutant[]> {
  const { rows } = await db.query<{ relation: string; name: string; type: string; definition: string }>(
    `select conrelid::regclass::text as relation, conname as name, contype as type, pg_get_constraintdef(oid, true) as definition
     from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('c', 'u', 'p', 'f') order by 1, 2`,
    [TABLES],
  )
  return rows.flatMap(({ relation, name, type, definition }) => {
    const drop = `alter table ${relation} drop constraint ${name} cascade`
    const dropped: SchemaMutant = { piece: `table ${relation}`, kind: 'statement', at: `${name} dropped: ${definition}`, install: drop }
    if (type !== 'c') return [dropped]
    const changed = mutateSql(definition).map(({ kind, at, text }) => ({
      piece: `table ${relation}`,
      kind,
      at: `${name}: ${at}`,
      install: `${drop}; alter table ${relation} add constraint ${name} ${text}`,
    }))
    return [dropped, ...changed]
  })
}

async function uniqueIndexes(db: Queryable): Promise<SchemaMutant[]> {
  const { rows } = await db.query<{ relation: string; name: string; definition: string }>(
    `select i.indrelid::regclass::text as relation, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = any ($1::regclass[]) and i.indisunique
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u')) order by 2`,
    [TABLES],
  )
  return rows.flatMap(({ relation, name, definition }) => [
    { piece: `table ${relation}`, kind: 'statement' as const, at: `${name} dropped`, install: `drop index ${name}` },
    ...mutateSql(definition).map(({ kind, at, text }) => ({
      piece: `table ${relation}`,
      kind,
      at: `${name}: ${at}`,
      install: `drop index ${name}; ${text}`,
    })),
  ])
}

async function triggers(db: Queryable): Promise<SchemaMutant[]> {
  const { rows } = await db.query<{ relation: string; name: string; definition: string }>(
    `select tgrelid::regclass::text as relation, tgname as name, pg_get_triggerdef(oid, true) as definition
     from pg_trigger where tgrelid = any ($1::regclass[]) and not tgisinternal and tgname <> all ($2) order by 1, 2`,
    [TABLES, OTHER_TRIGGERS],
  )
  return rows.flatMap(({ relation, name, definition }) => {
    const drop = `drop trigger ${name} on ${relation}`
    return [
      { piece: `table ${relation}`, kind: 'statement' as const, at: `trigger ${name} dropped`, install: drop },
      ...mutateSql(definition).map(({ kind, at, text }) => ({
        piece: `table ${relation}`,
        kind,
        at: `trigger ${at}`,
        install: `${drop}; ${text}`,
      })),
    ]
  })
}

async function defaults(db: Queryable): Promise<SchemaMutant[]> {
  const { rows } = await db.query<{ relation: string; name: string; expression: string }>(
    `select d.adrelid::regclass::text as relation, a.attname as name, pg_get_expr(d.adbin, d.adrelid) as expression
     from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where d.adrelid = any ($1::regclass[]) order by 1, 2`,
    [TABLES],
  )
  return rows.flatMap(({ relation, name, expression }) =>
    mutateSql(expression).map(({ kind, at, text }) => ({
      piece: `table ${relation}`,
      kind,
      at: `default of ${name}: ${at}`,
      install: `alter table ${relation} alter column ${name} set default ${text}`,
    })),
  )
}

async function views(db: Queryable): Promise<SchemaMutant[]> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select relname as name, pg_get_viewdef(oid, true) as definition from pg_class where oid = any ($1::regclass[]) order by 1`,
    [VIEWS],
  )
  return rows.flatMap(({ name, definition }) =>
    mutateSql(definition).map(({ kind, at, text }) => ({
      piece: `view ${name}`,
      kind,
      at,
      install: `create or replace view ${name} as ${text}`,
    })),
  )
}
