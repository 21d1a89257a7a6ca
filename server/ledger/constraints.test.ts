import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/database.ts'

type Row = Record<string, unknown>

const NOW = new Date('2026-11-21T12:00:00Z')
const NOBODY = '00000000-0000-4000-8000-000000000000'

let database: TestDatabase
/** A row that the database takes, for each table; the tests change one column of it. */
let valid: Record<string, Row>

beforeAll(async () => {
  database = await openTestDatabase()
  const { rows } = await database.db.query<{ id: string }>(
    `insert into users (username, username_skeleton, email, phone, password_hash)
     values ('ama', 'ama', 'ama@example.com', '0240000001', 'x'), ('kofi', 'kofi', 'kofi@example.com', '0240000002', 'x') returning id`,
  )
  const [ama, kofi] = rows.map(({ id }) => id)
  // The first wallet has the first number that is a wallet's: 1000.
  await database.db.query('select create_wallet($1)', [ama])
  await database.db.query(`insert into images (hash, content_type, bytes, created_at) values (repeat('a', 64), 'image/webp', 'x', $1)`, [
    NOW,
  ])
  const product = await database.db.query<{ id: string }>(
    `insert into products (network, image_hash, created_at) values ('MTN', repeat('a', 64), $1) returning id`,
    [NOW],
  )
  const productId = product.rows[0]!.id
  const bought = { user_id: ama, product_id: productId, network: 'MTN', offer: '1GB', image_hash: 'a', receiver: '0241234567' }
  valid = {
    accounts: { id: 5_000, code: 'another' },
    wallets: { account_id: 5, user_id: kofi },
    journal_entries: { key: 'key', kind: 'order', created_at: NOW },
    postings: { entry_id: 900, line: 1, account_id: 1, amount_pesewas: 1 },
    account_totals: { account_id: 1, pesewas: 0 },
    packages: { product_id: productId, position: 1, offer: '1GB', price_customer_pesewas: 1, price_agent_pesewas: 1 },
    orders: { ...bought, level: 'Customer', price_pesewas: 1, paid_with: 'wallet', reference: 'R'.repeat(16), created_at: NOW },
    idempotency_keys: { user_id: ama, key: 'k', request_hash: 'hash', outcome: '{}', created_at: NOW },
    recharges: { recharge_id: '12345678', user_id: ama, amount_pesewas: 5_000, created_at: NOW },
    payments: {
      reference: 'P'.repeat(16),
      user_id: ama,
      purpose: 'order',
      lines: '[]',
      price_pesewas: 1,
      surcharge_pesewas: 0,
      created_at: NOW,
    },
  }
})
afterAll(() => database.close())

/** Runs statements that leave nothing behind. */
async function inVain<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const tx = await database.db.connect()
  try {
    await tx.query('begin')
    await tx.query(`insert into accounts (id, code) values (999, 'the last of the house')`)
    await tx.query(`insert into journal_entries (id, key, kind, created_at) overriding system value values (900, 'entry', 'order', $1)`, [
      NOW,
    ])
    return await work(tx)
  } finally {
    await tx.query('rollback')
    tx.release()
  }
}

async function insert(tx: pg.PoolClient, table: string, row: Row): Promise<Row> {
  const columns = Object.keys(row)
  const values = columns.map((_, index) => `$${index + 1}`)
  const { rows } = await tx.query<Row>(
    `insert into ${table} (${columns}) overriding system value values (${values}) returning *`,
    Object.values(row),
  )
  return rows[0]!
}

/** The constraint that refuses rows of these columns in a table, or null when the database takes them. */
async function refusal(table: string, ...changes: Row[]): Promise<string | null | undefined> {
  try {
    await inVain(async (tx) => {
      for (const change of changes) await insert(tx, table, { ...valid[table], ...change })
    })
    return null
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    return error.constraint ?? error.code
  }
}

const decided = { decided_at: NOW }
const settled = { settled_at: NOW, received_pesewas: 0 }

test.each<[table: string, change: Row]>([
  ['accounts', {}],
  ['wallets', {}],
  ['wallets', { balance_pesewas: 0, total_purchase_pesewas: 0 }],
  ['wallets', { balance_pesewas: 1, total_purchase_pesewas: 1 }],
  ...['order', 'order-refund', 'admin-credit', 'admin-debit', 'recharge', 'card-payment', 'card-surcharge', 'agent-upgrade'].map(
    (kind): [string, Row] => ['journal_entries', { kind }],
  ),
  ['journal_entries', { key: 'k'.repeat(200) }],
  ['postings', {}],
  ['postings', { amount_pesewas: -1, line: 2 }],
  ['postings', { account_id: 1_000, balance_after_pesewas: 0 }],
  ['postings', { account_id: 1_000, balance_after_pesewas: 1 }],
  ['postings', { account_id: 999, balance_after_pesewas: null }],
  ['account_totals', {}],
  ['packages', {}],
  ['packages', { offer: 'x' }],
  ['packages', { offer: 'x'.repeat(60) }],
  ['orders', {}],
  ['orders', { level: 'Agent', surcharge_pesewas: 0 }],
  ['orders', { level: 'Admin', surcharge_pesewas: 1 }],
  ['orders', { reference: 'aZ09'.repeat(6) }],
  ['orders', { paid_with: 'card', payment_reference: 'P' }],
  ['orders', { status: 'completed', ...decided }],
  ['orders', { status: 'rejected', ...decided }],
  ['idempotency_keys', {}],
  ['idempotency_keys', { key: 'k'.repeat(200) }],
  ['recharges', {}],
  ['recharges', { status: 'approved', ...decided }],
  ['recharges', { status: 'declined', ...decided }],
  ['recharges', { status: 'approved', credited_pesewas: 1, ...decided }],
  ['payments', {}],
  ['payments', { reference: 'aZ09'.repeat(6) }],
  ['payments', { purpose: 'agent-upgrade', lines: null }],
  ['payments', { status: 'failed', surcharge_pesewas: 1 }],
  ['payments', { status: 'expired' }],
  ['payments', { status: 'paid', ...settled, received_pesewas: 1 }],
  ['payments', { status: 'held', ...settled }],
])('%s: %j is taken', async (table, change) => {
  expect(await refusal(table, change)).toBeNull()
})

describe('the database refuses:', () => {
  test.each<[table: string, change: Row, constraint: string]>([
    ['wallets', { balance_pesewas: -1 }, 'wallet_not_below_zero'],
    ['wallets', { total_purchase_pesewas: -1 }, 'wallets_total_purchase_pesewas_check'],
    ['journal_entries', { key: 'ke' }, 'journal_entries_key_check'],
    ['journal_entries', { key: 'k'.repeat(201) }, 'journal_entries_key_check'],
    ['journal_entries', { kind: 'gift' }, 'journal_entries_kind_check'],
    ['journal_entries', { kind: '' }, 'journal_entries_kind_check'],
    ['postings', { amount_pesewas: 0 }, 'postings_amount_pesewas_check'],
    ['postings', { line: 0 }, 'postings_line_check'],
    ['postings', { line: -1 }, 'postings_line_check'],
    ['postings', { account_id: 1_000, balance_after_pesewas: -1 }, 'postings_balance_after_pesewas_check'],
    ['postings', { account_id: 1_000 }, 'postings_check'],
    ['postings', { account_id: 999, balance_after_pesewas: 1 }, 'postings_check'],
    ['packages', { price_customer_pesewas: 0 }, 'packages_price_customer_pesewas_check'],
    ['packages', { price_customer_pesewas: -1 }, 'packages_price_customer_pesewas_check'],
    ['packages', { price_agent_pesewas: 0 }, 'packages_price_agent_pesewas_check'],
    ['packages', { price_agent_pesewas: -1 }, 'packages_price_agent_pesewas_check'],
    ['packages', { offer: '' }, 'packages_offer_check'],
    ['packages', { offer: ' 1GB' }, 'packages_offer_check'],
    ['packages', { offer: 'x'.repeat(61) }, 'packages_offer_check'],
    ['orders', { price_pesewas: 0 }, 'orders_price_pesewas_check'],
    ['orders', { price_pesewas: -1 }, 'orders_price_pesewas_check'],
    ['orders', { surcharge_pesewas: -1 }, 'orders_surcharge_pesewas_check'],
    ['orders', { level: 'Owner' }, 'orders_level_check'],
    ['orders', { level: '' }, 'orders_level_check'],
    ['orders', { receiver: '024123456' }, 'orders_receiver_check'],
    ['orders', { receiver: '02412345678' }, 'orders_receiver_check'],
    ['orders', { reference: 'R'.repeat(15) }, 'orders_reference_check'],
    ['orders', { reference: 'R'.repeat(25) }, 'orders_reference_check'],
    ['orders', { reference: `${'R'.repeat(16)}-` }, 'orders_reference_check'],
    ['orders', { status: 'lost', ...decided }, 'orders_status_check'],
    ['orders', { status: '', ...decided }, 'orders_status_check'],
    ['orders', { status: 'completed' }, 'orders_check'],
    ['orders', decided, 'orders_check'],
    ['orders', { paid_with: 'cash' }, 'orders_paid_with_check'],
    ['orders', { paid_with: '' }, 'orders_paid_with_check'],
    ['orders', { paid_with: 'card' }, 'orders_check1'],
    ['orders', { payment_reference: 'P' }, 'orders_check1'],
    ['idempotency_keys', { key: '' }, 'idempotency_keys_key_check'],
    ['idempotency_keys', { key: 'k'.repeat(201) }, 'idempotency_keys_key_check'],
    ['recharges', { amount_pesewas: 4_999 }, 'recharges_amount_pesewas_check'],
    ['recharges', { amount_pesewas: -5_000 }, 'recharges_amount_pesewas_check'],
    ['recharges', { recharge_id: '02345678' }, 'recharges_recharge_id_check'],
    ['recharges', { recharge_id: '1234567' }, 'recharges_recharge_id_check'],
    ['recharges', { recharge_id: '123456789' }, 'recharges_recharge_id_check'],
    ['recharges', { status: 'lost', ...decided }, 'recharges_status_check'],
    ['recharges', { status: '', ...decided }, 'recharges_status_check'],
    ['recharges', { status: 'approved' }, 'recharges_check'],
    ['recharges', { status: 'approved', credited_pesewas: 0, ...decided }, 'recharges_credited'],
    ['recharges', { status: 'declined', credited_pesewas: 1, ...decided }, 'recharges_credited'],
    ['recharges', decided, 'recharges_check'],
    ['payments', { reference: '' }, 'payments_reference_check'],
    ['payments', { reference: 'P'.repeat(65) }, 'payments_reference_check'],
    ['payments', { price_pesewas: 0 }, 'payments_price_pesewas_check'],
    ['payments', { price_pesewas: -1 }, 'payments_price_pesewas_check'],
    ['payments', { surcharge_pesewas: -1 }, 'payments_surcharge_pesewas_check'],
    ['payments', { status: 'paid', ...settled, received_pesewas: -1 }, 'payments_received_pesewas_check'],
    ['payments', { purpose: 'gift', lines: null }, 'payments_purpose_check'],
    ['payments', { purpose: '', lines: null }, 'payments_purpose_check'],
    ['payments', { status: 'lost' }, 'payments_status_check'],
    ['payments', { status: '' }, 'payments_status_check'],
    ['payments', { lines: null }, 'payments_check'],
    ['payments', { purpose: 'agent-upgrade' }, 'payments_check'],
    ['payments', { status: 'paid', received_pesewas: 1 }, 'payments_check1'],
    ['payments', { status: 'held', received_pesewas: 1 }, 'payments_check1'],
    ['payments', { settled_at: NOW }, 'payments_check1'],
    ['payments', { status: 'paid', settled_at: NOW }, 'payments_check2'],
    ['payments', { status: 'held', settled_at: NOW }, 'payments_check2'],
    ['payments', { received_pesewas: 1 }, 'payments_check2'],
  ])('%s: %j', async (table, change, constraint) => {
    expect(await refusal(table, change)).toBe(constraint)
  })

  test.each<[table: string, change: Row, constraint: string]>([
    ['wallets', { account_id: 4_999 }, 'wallets_account_id_fkey'],
    ['wallets', { user_id: NOBODY }, 'wallets_user_id_fkey'],
    ['journal_entries', { actor_id: NOBODY }, 'journal_entries_actor_id_fkey'],
    ['postings', { entry_id: 901 }, 'postings_entry_id_fkey'],
    ['postings', { account_id: 998 }, 'postings_account_id_fkey'],
    ['account_totals', { account_id: 998 }, 'account_totals_account_id_fkey'],
    ['packages', { product_id: NOBODY }, 'packages_product_id_fkey'],
    ['orders', { user_id: NOBODY }, 'orders_user_id_fkey'],
    ['orders', { status: 'completed', decided_at: NOW, decided_by: NOBODY }, 'orders_decided_by_fkey'],
    ['idempotency_keys', { user_id: NOBODY }, 'idempotency_keys_user_id_fkey'],
    ['recharges', { user_id: NOBODY }, 'recharges_user_id_fkey'],
    ['recharges', { status: 'approved', decided_at: NOW, decided_by: NOBODY }, 'recharges_decided_by_fkey'],
    ['payments', { user_id: NOBODY }, 'payments_user_id_fkey'],
  ])('%s of what is not there: %j', async (table, change, constraint) => {
    expect(await refusal(table, change)).toBe(constraint)
  })

  test.each<[table: string, first: Row, second: Row, constraint: string]>([
    ['accounts', {}, { code: 'a third' }, 'accounts_pkey'],
    ['accounts', {}, { id: 5_001 }, 'accounts_code_key'],
    ['wallets', {}, { account_id: 6 }, 'wallets_user_id_key'],
    ['wallets', {}, { user_id: NOBODY }, 'wallets_pkey'],
    ['journal_entries', {}, {}, 'journal_entries_key_key'],
    ['journal_entries', { id: 901 }, { id: 901, key: 'another' }, 'journal_entries_pkey'],
    ['postings', {}, { account_id: 2 }, 'postings_1_pkey'],
    ['account_totals', {}, { pesewas: 1 }, 'account_totals_pkey'],
    ['packages', {}, {}, 'packages_product_id_offer_key'],
    ['packages', { id: NOBODY }, { id: NOBODY, offer: '2GB' }, 'packages_pkey'],
    ['orders', {}, {}, 'orders_reference_key'],
    ['orders', { id: NOBODY }, { id: NOBODY, reference: 'S'.repeat(16) }, 'orders_pkey'],
    ['orders', { seq: 1 }, { seq: 1, reference: 'S'.repeat(16) }, 'orders_seq_key'],
    ['orders', { client_id: 'c' }, { client_id: 'c', reference: 'S'.repeat(16) }, 'orders_client_id'],
    ['idempotency_keys', {}, { request_hash: 'another' }, 'idempotency_keys_pkey'],
    ['recharges', {}, {}, 'recharges_recharge_id_key'],
    ['recharges', { id: NOBODY }, { id: NOBODY, recharge_id: '12345679' }, 'recharges_pkey'],
    ['recharges', { seq: 1 }, { seq: 1, recharge_id: '12345679' }, 'recharges_seq_key'],
    ['payments', {}, {}, 'payments_pkey'],
    ['payments', { seq: 1 }, { seq: 1, reference: 'Q'.repeat(16) }, 'payments_seq_key'],
  ])('%s twice the same: %j and %j', async (table, first, second, constraint) => {
    expect(await refusal(table, first, second)).toBe(constraint)
  })

  test('an order under a browser’s own id is one for its buyer alone, and a cart’s orders have none', async () => {
    expect(await refusal('orders', {}, { reference: 'S'.repeat(16) })).toBeNull()
    expect(await refusal('orders', { client_id: 'c' }, { client_id: 'd', reference: 'S'.repeat(16) })).toBeNull()
    const other = { user_id: valid.wallets?.user_id }
    expect(await refusal('orders', { client_id: 'c' }, { client_id: 'c', ...other, reference: 'S'.repeat(16) })).toBeNull()
  })
})

describe('a decision is final, and its order does not change:', () => {
  const DECIDED = /was decided already$/
  const CHANGED = /cannot be changed$/
  const complete = `status = 'completed', decided_at = now()`
  const approve = `status = 'approved', decided_at = now()`

  test.each<[table: string, changes: string[], refused: RegExp | null]>([
    ['orders', [complete], null],
    ['orders', [`status = 'rejected', decided_at = now()`], null],
    ['orders', [complete, `client_id = 'c'`], null],
    ['orders', [complete, 'status = status'], null],
    ['orders', [complete, `status = 'rejected'`], DECIDED],
    ['orders', [complete, `status = 'pending', decided_at = null`], DECIDED],
    ['orders', [`status = 'rejected', decided_at = now()`, `status = 'completed'`], DECIDED],
    ['orders', [complete, 'price_pesewas = 2'], CHANGED],
    ['orders', [`user_id = (select id from users where username = 'kofi')`], CHANGED],
    ['orders', ['price_pesewas = 2'], CHANGED],
    ['orders', ['surcharge_pesewas = 1'], CHANGED],
    ['orders', [`reference = repeat('x', 20)`], CHANGED],
    ['orders', [`receiver = '0200000000'`], CHANGED],
    ['orders', [`offer = '2GB'`], CHANGED],
    ['orders', [`network = 'AFA'`], CHANGED],
    ['recharges', [approve], null],
    ['recharges', [`status = 'declined', decided_at = now()`], null],
    ['recharges', ['created_at = now()'], null],
    ['recharges', [approve, `status = 'declined'`], DECIDED],
    ['recharges', [approve, 'status = status'], DECIDED],
    ['recharges', [approve, `status = 'pending', decided_at = null`], DECIDED],
    ['recharges', [`user_id = (select id from users where username = 'kofi')`], CHANGED],
    ['recharges', ['amount_pesewas = 5001'], CHANGED],
    ['recharges', [`recharge_id = '87654321'`], CHANGED],
  ])('%s, %j', async (table, changes, refused) => {
    const error = await inVain(async (tx) => {
      const { id } = await insert(tx, table, valid[table]!)
      for (const change of changes) await tx.query(`update ${table} set ${change} where id = $1`, [id])
      return null
    }).catch((thrown: unknown) => thrown)
    if (refused) expect(error).toMatchObject({ code: 'DW005', message: expect.stringMatching(refused) })
    else expect(error).toBeNull()
  })
})

test.each<[table: string, state: Row]>([
  ['wallets', { balance_pesewas: 0, total_purchase_pesewas: 0, version: 0 }],
  ['journal_entries', { memo: '', actor_id: null }],
  ['orders', { status: 'pending', surcharge_pesewas: 0, decided_at: null, decided_by: null }],
  ['recharges', { status: 'pending', decided_at: null, decided_by: null }],
  ['payments', { status: 'open', in_wallet: false, checks: 0, received_pesewas: null, settled_at: null }],
])('a new row of %s begins as %j', async (table, state) => {
  expect(await inVain((tx) => insert(tx, table, valid[table]!))).toMatchObject(state)
})

test('accounts below 1000 are the house’s and have no running balance, the others are wallets', async () => {
  const lines = await inVain(async (tx) => {
    await tx.query(`select post_entry('edge', 'recharge', '', null, array[1000, 999, 1], array[30, -20, -10], $1)`, [NOW])
    const { rows } = await tx.query(
      `select p.account_id, p.balance_after_pesewas, d.pesewas from postings p left join account_deltas d using (account_id)
       join journal_entries e on e.id = p.entry_id where e.key = 'edge' order by p.line`,
    )
    const { rows: house } = await tx.query('select account_id from house_balances where account_id >= 999')
    return { rows, house }
  })
  expect(lines).toEqual({
    rows: [
      { account_id: 1_000, balance_after_pesewas: 30, pesewas: null },
      { account_id: 999, balance_after_pesewas: null, pesewas: -20 },
      { account_id: 1, balance_after_pesewas: null, pesewas: -10 },
    ],
    house: [{ account_id: 999 }],
  })
})

test('house balances are the same before, during and after folding', async () => {
  const post = (tx: pg.PoolClient, amount: number) =>
    tx.query(`select post_entry($1, 'recharge', '', null, array[2, 3], array[$2::bigint, -$2::bigint], $3)`, [randomUUID(), amount, NOW])
  const readings = await inVain(async (tx) => {
    const read = async () => {
      const { rows } = await tx.query<{ pesewas: number }>(
        'select pesewas from house_balances where account_id in (1, 2, 3) order by account_id',
      )
      return rows.map(({ pesewas }) => pesewas)
    }
    const seen = [await read()]
    for (const amount of [10, 5]) {
      await post(tx, amount)
      await post(tx, amount * 2)
      seen.push(await read())
      await tx.query('select fold_account_deltas()')
      seen.push(await read())
    }
    return seen
  })
  expect(readings).toEqual([
    [0, 0, 0],
    [0, 30, -30],
    [0, 30, -30],
    [0, 45, -45],
    [0, 45, -45],
  ])
})

test('order counts are the same before and after folding, by day, block, network and status', async () => {
  const midnight = { created_at: new Date('2026-11-21T23:59:59Z') }
  const readings = await inVain(async (tx) => {
    // A session far from Ghana: the day is counted in UTC all the same.
    await tx.query(`set local time zone 'Pacific/Kiritimati'`)
    const read = async () => {
      const { rows } = await tx.query<Row>(
        `select day::text, block, network, status, sum(orders) as orders, sum(pesewas) as pesewas from order_counts
         group by day, block, network, status having sum(orders) <> 0 or sum(pesewas) <> 0 order by day, block, network, status`,
      )
      return rows.map((row) => Object.values(row).join(' '))
    }
    const order = (change: Row) =>
      insert(tx, 'orders', { ...valid.orders, reference: randomUUID().replaceAll('-', '').slice(0, 20), ...change })
    const last = await order({ seq: 9_999, price_pesewas: 100, ...midnight })
    const first = await order({ seq: 10_000, price_pesewas: 20, ...midnight })
    await order({ seq: 10_001, price_pesewas: 3, ...midnight })
    const before = await read()
    await tx.query('select fold_order_deltas()')
    const folded = await read()
    await tx.query(`update orders set status = 'completed', decided_at = $2 where id = any ($1)`, [[last.id, first.id], NOW])
    await tx.query(`update orders set status = status`)
    const decidedTwo = await read()
    await tx.query('select fold_order_deltas()')
    return { before, folded, decidedTwo, after: await read() }
  })
  const before = ['2026-11-21 0 MTN pending 1 100', '2026-11-21 1 MTN pending 2 23', 'infinity -1 MTN pending 3 123']
  const after = [
    '2026-11-21 0 MTN completed 1 100',
    '2026-11-21 1 MTN completed 1 20',
    '2026-11-21 1 MTN pending 1 3',
    'infinity -1 MTN completed 2 120',
    'infinity -1 MTN pending 1 3',
  ]
  expect(readings).toEqual({ before, folded: before, decidedTwo: after, after })
})

test('a wallet’s account is named for its user', async () => {
  const { rows } = await database.db.query(
    `select a.id, a.code = 'wallet:' || u.id as named from accounts a join wallets w on w.account_id = a.id join users u on u.id = w.user_id`,
  )
  expect(rows).toEqual([{ id: 1_000, named: true }])
})
