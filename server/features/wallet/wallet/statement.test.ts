import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { ConfirmPaymentReply, PaymentReply } from '../../../../shared/payments.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { StatementLine } from '../../../../shared/wallet.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, type CallOptions, call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import { until } from '../../../../test/until.ts'
import { findWallet, type Wallet } from '../../../ledger/ledger.ts'
import type { Queryable } from '../../../platform/db.ts'
import { settlePayment } from '../../card/payments/settle-payment.ts'
import { selectStatement } from './statement.sql.ts'

let shop: TestShop
let admin: SignedInUser
beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true, outsideWorld: { SMS: 'off', SUPPLIER: 'off' } })
  admin = await makeUser(shop, { level: 'Admin' })
})
afterAll(() => shop.close())

async function read(as: SignedInUser, query: CallOptions['query'] = {}) {
  const { status, body, headers } = await call<StatementLine[]>(shop, 'GET', '/wallet/statement', { as, query })
  expect(status).toBe(200)
  return { lines: body, total: Number(headers['x-total-count']) }
}

/** What a person would check with a pencil: each line's balance is the one below it and its own amount. */
function expectToAddUp(lines: StatementLine[], balancePesewas: number) {
  let expected = balancePesewas
  for (const { balance, amount } of lines) {
    expect(Math.round(balance * 100)).toBe(expected)
    expected -= Math.round(amount * 100)
  }
  expect(expected).toBe(0)
}

async function changeBalance(user: SignedInUser, amount: number, note: string) {
  const { status } = await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: user._id, amount, note } })
  expect(status).toBe(200)
}

async function recharge(user: SignedInUser, amount: number): Promise<Recharge> {
  const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: user, body: { amount } })
  await call(shop, 'PUT', `/recharge/${body.recharge._id}/approve`, { as: admin })
  return body.recharge
}

async function startPayment(user: SignedInUser, body: Record<string, unknown>): Promise<string> {
  return (await call<PaymentReply>(shop, 'POST', '/payment', { as: user, body })).body.reference
}

async function rejectOrder(id: string | undefined) {
  expect((await call(shop, 'PUT', `/order/update-status/${id}`, { as: admin, body: { status: 'rejected' } })).status).toBe(200)
}

test('an empty wallet has an empty statement', async () => {
  expect(await read(await makeUser(shop))).toEqual({ lines: [], total: 0 })
})

test('a recharge, an order, its refund, a credit and a debit each have a line, newest first, though all are of one moment', async () => {
  const user = await makeUser(shop)
  const { rechargeId } = await recharge(user, 50)
  const { body } = await checkout(shop, user, [await cartLine(shop), await cartLine(shop, { phoneNumber: '0241234567' })])
  const [first, second] = body.orders
  await rejectOrder(first?._id)
  await changeBalance(user, 2.05, 'a present from Kofi')
  await changeBalance(user, -1, 'sent twice')

  const { lines, total } = await read(user)
  const createdAt = shop.clock.now.toISOString()
  const byShop = { createdAt, reference: null, details: null }
  expect(lines).toEqual(
    [
      { ...byShop, kind: 'Debit by the shop', details: 'sent twice', amount: -1, balance: 45.55 },
      { ...byShop, kind: 'Credit by the shop', amount: 2.05, balance: 46.55 },
      { createdAt, kind: 'Refund', reference: first?.number, details: 'Refund of MTN 1GB to 0551234567', amount: 5.5, balance: 44.5 },
      { createdAt, kind: 'Order', reference: second?.number, details: 'MTN 1GB to 0241234567', amount: -5.5, balance: 39 },
      { createdAt, kind: 'Order', reference: first?.number, details: 'MTN 1GB to 0551234567', amount: -5.5, balance: 44.5 },
      { createdAt, kind: 'Recharge', reference: rechargeId, details: `Recharge ${rechargeId}`, amount: 50, balance: 50 },
    ].map((line) => ({ id: expect.any(String), ...line })),
  )
  expect(total).toBe(6)
  expect(new Set(lines.map(({ id }) => id)).size).toBe(6)
  expectToAddUp(lines, await balanceOf(shop, user._id))
})

describe('the note of what the shop credits or debits', () => {
  const credit = (user: SignedInUser, body: object, key: string = crypto.randomUUID()) =>
    call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: user._id, amount: 2, ...body }, headers: { 'idempotency-key': key } })
  const details = async (user: SignedInUser, query: CallOptions['query'] = {}) =>
    (await read(user, query)).lines.map((line) => line.details)

  test('is on the statement where the admin says so, and that of a debit always', async () => {
    const user = await makeUser(shop)
    await credit(user, { note: 'he complains a lot' })
    await credit(user, { note: 'sorry for the wait', showNote: true })
    await credit(user, { note: '', showNote: true })
    await credit(user, { note: 'sent twice', amount: -1 })
    expect(await details(user)).toEqual(['sent twice', null, 'sorry for the wait', null])
  })

  test('that is private is not found by a search either', async () => {
    const user = await makeUser(shop)
    await credit(user, { note: 'he complains a lot' })
    await credit(user, { note: 'sorry for the wait', showNote: true })
    expect(await details(user, { search: 'complains' })).toEqual([])
    expect(await details(user, { search: 'for the WAIT' })).toEqual(['sorry for the wait'])
  })

  test('stays as it was first written when the request is repeated, and cannot be changed afterwards', async () => {
    const user = await makeUser(shop)
    const key = crypto.randomUUID()
    for (const note of ['first', 'second']) expect((await credit(user, { note, showNote: true }, key)).status).toBe(200)
    expect(await details(user)).toEqual(['first'])
    await expect(shop.database.db.query(`update customer_notes set note = 'other'`)).rejects.toMatchObject({ code: 'DW001' })
  })
})

describe('a card payment', () => {
  async function buyByCard(user: SignedInUser) {
    const reference = await startPayment(user, { purpose: 'order', items: [await cartLine(shop)] })
    await shop.sandbox?.cardProvider.pay(reference)
    const order = await until(async () => {
      const { body } = await call<ConfirmPaymentReply>(shop, 'POST', `/payment/${reference}/confirm`, { as: user })
      return body.orders[0]
    })
    return { reference, order }
  }

  /** The kinds and references of a statement once the provider's word has come and been booked. */
  const readOnceBooked = (user: SignedInUser, kind: StatementLine['kind']) =>
    until(async () => {
      const { lines } = await read(user)
      return lines[0]?.kind === kind && lines
    })

  test('goes through the wallet: paid in, the order, the surcharge', async () => {
    const user = await makeUser(shop)
    const { reference, order } = await buyByCard(user)
    const { lines } = await read(user)
    expect(lines.map(({ kind, reference, amount, balance }) => [kind, reference, amount, balance])).toEqual([
      ['Card surcharge', reference, -0.17, 0],
      ['Order', order.number, -5.5, 0.17],
      ['Card payment', reference, 5.67, 5.67],
    ])
    expectToAddUp(lines, 0)
  })

  test.each([
    ['Card refund', (reference: string) => shop.sandbox?.cardProvider.refund(reference, { step: 'processed' })],
    [
      'Card dispute',
      async (reference: string) => {
        await shop.sandbox?.cardProvider.dispute(reference, { step: 'create' })
        await shop.sandbox?.cardProvider.dispute(reference, { step: 'resolve', resolution: 'auto-accepted' })
      },
    ],
  ] as const)('that goes back to its payer is named: %s', async (kind, giveBack) => {
    const user = await makeUser(shop)
    const { reference, order } = await buyByCard(user)
    await rejectOrder(order._id)
    await giveBack(reference)
    const lines = await readOnceBooked(user, kind)
    expect(lines[0]).toMatchObject({ kind, reference, amount: -5.67, balance: 0 })
    expectToAddUp(lines, 0)
  })

  test('of more than an upgrade costs leaves the rest in the wallet', async () => {
    const user = await makeUser(shop)
    const reference = await startPayment(user, { purpose: 'agent-upgrade' })
    await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(5_200)), reference)
    expect((await read(user)).lines).toMatchObject([{ kind: 'Overpaid agent upgrade', reference, amount: 2, balance: 2 }])
  })
})

test('everybody has their own statement alone, an admin too', async () => {
  const [ama, kofi] = [await makeUser(shop, { balance: 10 }), await makeUser(shop, { balance: 20 })]
  await checkout(shop, ama, [await cartLine(shop)])
  const own = await read(admin)
  await changeBalance(admin, 7, '')
  const [amas, kofis, admins] = [await read(ama), await read(kofi), await read(admin, { userId: ama._id })]
  expect([amas, kofis, admins].map(({ total, lines }) => [total, lines.length, lines[0]?.balance])).toEqual([
    [2, 2, 4.5],
    [1, 1, 20],
    [own.total + 1, own.total + 1, 7],
  ])
  const everyId = [amas, kofis, admins].flatMap(({ lines }) => lines.map(({ id }) => id))
  expect(new Set(everyId).size).toBe(everyId.length)
})

test('nobody gets none', async () => {
  const { status, body } = await call<ErrorBody>(shop, 'GET', '/wallet/statement')
  expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED'])
})

test.each([
  [{ page: '0' }, 'page'],
  [{ page: 'last' }, 'page'],
  [{ page: '1.5' }, 'page'],
  [{ page: '1000001' }, 'page'],
  [{ page: '1', pageSize: '7' }, 'pageSize'],
] as [CallOptions['query'], string][])('%j is refused, and the field named', async (query, path) => {
  const { status, body } = await call<ErrorBody>(shop, 'GET', '/wallet/statement', { as: admin, query: query ?? {} })
  expect([status, body.code, body.issues?.[0]?.path]).toEqual([400, 'INVALID', path])
})

test('pages together are the whole statement, without gap or double, though all is of one moment', async () => {
  const user = await makeUser(shop)
  await addCredits(user, 203)
  const { lines } = await read(user)
  const pages: Awaited<ReturnType<typeof read>>[] = []
  for (let page = 1; page <= 6; page++) pages.push(await read(user, { page: `${page}`, pageSize: '50' }))
  expect(pages.map((page) => [page.lines.length, page.total])).toEqual([50, 50, 50, 50, 3, 0].map((length) => [length, 203]))
  expect(pages.flatMap((page) => page.lines)).toEqual(lines)
  expect(new Set(lines.map(({ id }) => id)).size).toBe(203)
  expectToAddUp(lines, await balanceOf(shop, user._id))
  expect((await read(user, { page: '2' })).lines).toEqual(lines.slice(10, 20))
})

describe('ten thousand movements', () => {
  const MOVEMENTS = 10_001
  let trader: SignedInUser

  beforeAll(async () => {
    trader = await makeUser(shop)
    // Half of them lie in the next range of the ledger.
    await shop.database.db.query(`select setval(pg_get_serial_sequence('journal_entries', 'id'), $1)`, [4_000_000 - 25_000])
    // Where one wallet is half of a range, reading all of it would be quicker than by an index.
    await addCredits(await makeUser(shop), 2 * MOVEMENTS)
    await addCredits(trader, MOVEMENTS)
    await addCredits(await makeUser(shop), 2 * MOVEMENTS)
    await shop.database.db.query('vacuum analyze postings, journal_entries')
  })

  test('end with the first, and come as the newest 500 without a page', async () => {
    const [all, last] = [await read(trader), await read(trader, { page: '201', pageSize: '50' })]
    expect([all.total, all.lines.length, all.lines[0]?.balance]).toEqual([MOVEMENTS, 500, 100.01])
    expect(last.lines.map(({ balance }) => balance)).toEqual([0.01])
  })

  test.each([
    [0, 51],
    [MOVEMENTS - 51, MOVEMENTS],
  ])('a page from %d on is found by the indexes, and reads %d postings at most', async (offset, most) => {
    const { accountId } = (await findWallet(shop.database.db, trader._id)) as Wallet
    const [page, count] = await plansOf((db) => selectStatement(db, { accountId, limit: 50, offset, month: null, search: null }))
    for (const { how, table, rows } of [page, count].flat() as Node[])
      if (how === 'Seq Scan' && rows > 0) expect(table).not.toMatch(/^(postings|journal_entries)/)
    const read = (nodes: Node[] = []) => nodes.reduce((sum, { table, rows }) => sum + (table?.startsWith('postings') ? rows : 0), 0)
    expect([read(page), read(count)]).toEqual([most, MOVEMENTS])
  })

  test('the newest range is read first, as they lie', async () => {
    const { accountId } = (await findWallet(shop.database.db, trader._id)) as Wallet
    const [page] = await plansOf((db) => selectStatement(db, { accountId, limit: 50, offset: 0, month: null, search: null }))
    const ranges = page?.flatMap(({ table, rows }) => (table?.startsWith('postings') ? [[table, rows]] : []))
    expect(ranges).toEqual([
      ['postings_3', 0],
      ['postings_2', 51],
      ['postings_1', 0],
    ])
    // Only the two lines of an entry are put in order.
    expect(page?.filter(({ how }) => how === 'Incremental Sort')).toHaveLength(1)
  })
})

/** Credits of 0.01, written as an import would write them: without the triggers, which take seconds for so many. */
async function addCredits(user: SignedInUser, count: number) {
  const client = await shop.database.db.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `with made as (
         insert into journal_entries (key, kind, created_at)
         select 'admin-credit:' || $1::text || ':' || n, 'admin-credit', now() from generate_series(1, $2::int) n returning id
       ), numbered as (select id, row_number() over (order by id) as n from made), lines as (
         insert into postings (entry_id, line, account_id, amount_pesewas, balance_after_pesewas)
         select id, 1, (select account_id from wallets where user_id = $1::uuid), 1, n from numbered union all select id, 2, 6, -1, null from numbered
       ), house as (
         insert into account_deltas (account_id, pesewas, kind) select 6, -1, 'admin-credit' from numbered
       )
       update wallets set balance_pesewas = $2::int where user_id = $1::uuid`,
      [user._id, count],
    )
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Actual Rows': number; Plans?: Plan[] }

type Node = { how: string; table: string | null; rows: number }

/** How the database answers each of the statements that `ask` sends. */
async function plansOf(ask: (db: Queryable) => Promise<unknown>): Promise<Node[][]> {
  const asked: Promise<Plan>[] = []
  const explained = async (text: string, values: unknown[]) => {
    const { rows } = await shop.database.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${text}`, values)
    return (rows[0] as (typeof rows)[number])['QUERY PLAN'][0].Plan
  }
  const query = async (text: string, values: unknown[]) => {
    asked.push(explained(text, values))
    return { rows: [] }
  }
  await ask({ query } as unknown as Queryable)
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  return (await Promise.all(asked)).map((plan) =>
    nodes(plan).map((node) => ({ how: node['Node Type'], table: node['Relation Name'] ?? null, rows: node['Actual Rows'] })),
  )
}

describe('a search and a month', () => {
  let user: SignedInUser
  let order: string | undefined
  let rechargeId: string

  beforeAll(async () => {
    shop.clock.now = new Date('2026-10-31T23:59:59.000Z')
    admin = await makeUser(shop, { level: 'Admin' })
    user = await makeUser(shop)
    rechargeId = (await recharge(user, 1200)).rechargeId
    shop.clock.now = new Date('2026-11-01T00:00:00.000Z')
    order = (await checkout(shop, user, [await cartLine(shop, { phoneNumber: '0241112223' })])).body.orders[0]?.number
    await changeBalance(user, 2.05, '100% sorry')
  })

  test.each([
    ['the kind', () => 'recharge', ['Recharge']],
    ['what it was', () => 'mtn 1gb', ['Order']],
    ['a receiver as the screen shows it', () => '+233 24 111 2223', ['Order']],
    ['the number of an order', () => `#${order}`, ['Order']],
    ['the reference of a recharge', () => rechargeId, ['Recharge']],
    ['an amount with its sign', () => '¢5.50', ['Order']],
    ['an amount with a thousands separator', () => '1,200.00', ['Recharge']],
    ['a balance', () => '¢1194.50', ['Order']],
    ['a date as shown', () => '01/11/2026', ['Credit by the shop', 'Order']],
    ['nothing that matches', () => 'zebra', []],
    ['a sign with a meaning for the database', () => '_', []],
  ] as [string, () => string, string[]][])('%s is found', async (_, text, kinds) => {
    const { lines, total } = await read(user, { search: text() })
    expect([lines.map(({ kind }) => kind), total]).toEqual([kinds, kinds.length])
  })

  test('a month has what was booked in it, to the second, and pages count what matches', async () => {
    expect((await read(user, { month: '2026-10' })).lines.map(({ kind }) => kind)).toEqual(['Recharge'])
    const november = await read(user, { month: '2026-11', page: '2', pageSize: '5' })
    expect([november.lines, november.total]).toEqual([[], 2])
    expect((await read(user, { month: '2026-11', search: 'recharge' })).total).toBe(0)
  })

  test.each(['2026-13', '2026-1', '1999-01', 'november'])('%s is no month', async (month) => {
    const { status, body } = await call<ErrorBody>(shop, 'GET', '/wallet/statement', { as: user, query: { month } })
    expect([status, body.issues]).toEqual([400, [{ path: 'month', message: 'Choose a month, such as 2026-11.' }]])
  })

  test('a file has every line that matches, and nobody else’s', async () => {
    const file = async (as: SignedInUser, query: Record<string, string> = {}) =>
      (await call<string>(shop, 'GET', '/export/statement', { as, query })).body.replace('\uFEFF', '').trimEnd().split('\r\n')
    const lines = await file(user, { month: '2026-11' })
    expect(lines).toEqual([
      'Date,What,Details,Reference,Amount,Balance',
      expect.stringMatching(/^01\/11\/2026 00:00:00,Credit by the shop,/),
      `01/11/2026 00:00:00,Order,MTN 1GB to 0241112223,${order},-5.50,1194.50`,
    ])
    expect(await file(user)).toHaveLength(4)
    expect(await file(await makeUser(shop))).toHaveLength(1)
    expect((await call(shop, 'GET', '/export/statement')).status).toBe(401)
  })
})
