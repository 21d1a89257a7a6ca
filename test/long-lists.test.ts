import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateShop } from '../bench/generate-shop.ts'
import type { Order } from '../shared/orders.ts'
import type { Recharge } from '../shared/recharges.ts'
import type { SignedInUser, User } from '../shared/users.ts'
import { openTestShop, type TestShop } from './app.ts'
import { call, cartLine, checkout, makeUser } from './builders.ts'

const USERS = 1_200
const ORDERS = 10_400
const RECHARGES = 1_050

let shop: TestShop
let admin: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin', username: 'kwesi boss', phone: '0240000009' })
  // They lie on both sides of a stretch's end, and so of a block's.
  await shop.database.db.query('alter table orders alter column seq restart with 994800')
  await generateShop(shop.database.db, { users: USERS, orders: ORDERS })
  // Whole hours have many orders of one moment.
  await asImport([
    `update orders set created_at = date_trunc('hour', created_at)`,
    `update order_search s set words = order_words(o, u) from orders o join users u on u.id = o.user_id where o.seq = s.seq`,
  ])
  // More than one customer may have waiting.
  await shop.database.db.query('alter table recharges disable trigger recharges_held')
  await shop.database.db.query(
    `insert into recharges (recharge_id, user_id, amount_pesewas, created_at)
     select (10000000 + n)::text, (select id from users where username = 'trader ' || (n % 3 + 1)), 5000 + n, '2026-11-20T10:00:00Z'
     from generate_series(1, ${RECHARGES}) n`,
  )
  await shop.database.db.query('alter table recharges enable trigger recharges_held')
})
afterAll(() => shop.close())

async function list<T>(path: string, query: Record<string, string> = {}, as = admin): Promise<{ rows: T[]; total: number }> {
  const { status, body, headers } = await call<T[]>(shop, 'GET', path, { as, query })
  expect(status).toBe(200)
  return { rows: body, total: Number(headers['x-total-count']) }
}

/** All pages of a list, one after the other, until one is empty. */
async function readPages<T>(path: string, query: Record<string, string> = {}, from = 1): Promise<T[]> {
  const all: T[] = []
  for (let page = from; ; page++) {
    const { rows } = await list<T>(path, { ...query, page: `${page}`, pageSize: '50' })
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

async function seqsWhere(condition: string): Promise<string[]> {
  const { rows } = await shop.database.db.query<{ seq: number }>(
    `select o.seq from orders o join users u on u.id = o.user_id where ${condition} order by o.seq desc`,
  )
  return rows.map(({ seq }) => String(seq))
}

const ids = (orders: Order[]) => orders.map(({ id }) => id)

describe('beyond ten thousand orders', () => {
  test('they lie in two stretches of a million numbers', async () => {
    const { rows } = await shop.database.db.query<{ stretch: number; orders: number }>(
      'select stretch, sum(orders) as orders from order_stretch_counts group by stretch order by stretch',
    )
    expect(rows).toEqual([
      { stretch: 0, orders: 5_200 },
      { stretch: 1, orders: 5_200 },
    ])
  })

  test('all pages together are the whole list, newest first, each order once', async () => {
    expect(ids(await readPages<Order>('/order/allorders'))).toEqual(await seqsWhere('true'))
  })

  test.each([
    [{ status: 'completed' }, `o.status = 'completed'`],
    [{ network: 'MTN' }, `o.network = 'MTN'`],
    [{ network: 'MTN', status: 'completed' }, `o.network = 'MTN' and o.status = 'completed'`],
  ])('the last pages of %j hold its oldest orders', async (filter, condition) => {
    const expected = await seqsWhere(condition)
    const { total } = await list<Order>('/order/allorders', { ...filter, page: '1', pageSize: '50' })
    expect(total).toBe(expected.length)
    const from = Math.floor(total / 50)
    expect(ids(await readPages<Order>('/order/allorders', filter as Record<string, string>, from))).toEqual(expected.slice((from - 1) * 50))
  })

  test('a list without pages holds the newest 500 and says how many there are', async () => {
    const { rows, total } = await list<Order>('/order/allorders')
    expect([rows.length, total, ids(rows)]).toEqual([500, ORDERS, (await seqsWhere('true')).slice(0, 500)])
  })

  test('a search that many match gives the newest thousand, page by page', async () => {
    const found = await readPages<Order>('/order/allorders', { search: 'trader' })
    expect(ids(found)).toEqual((await seqsWhere('true')).slice(0, 1_000))
    expect((await list('/order/allorders', { search: 'trader', page: '1' })).total).toBe(1_000)
  })

  test('a search narrowed by a filter finds all that it should, however many other orders match', async () => {
    // None of the newest have the words, more than a thousand of the others do, and few of those are rejected.
    const wanted = 'seq % 7 = 0 and seq < (select max(seq) - 2000 from orders)'
    await shop.database.db.query(`update order_search set words = words || ' rare-name' where ${wanted}`)
    const few = await seqsWhere(`o.status = 'rejected' and o.seq in (select seq from orders where ${wanted})`)
    expect(few.length).toBeGreaterThan(20)
    const found = await readPages<Order>('/order/allorders', { search: 'rare-name', status: 'rejected' })
    expect(ids(found)).toEqual(few)
  })

  test('a status in a search has all its orders, and their whole number', async () => {
    const expected = await seqsWhere(`o.status = 'completed'`)
    const { rows, total } = await list<Order>('/order/allorders', { search: 'completed', page: '150', pageSize: '50' })
    expect([total, ids(rows)]).toEqual([expected.length, expected.slice(7_450, 7_500)])
  })

  test('a time of decision is found among them, whether few orders have it or many', async () => {
    const { rows } = await shop.database.db.query<{ shown: string; day: string }>(
      `select to_char(decided_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS') as shown, to_char(decided_at at time zone 'UTC', 'DD/MM/YYYY') as day
       from orders where seq = (select min(seq) + 3 from orders where status = 'completed')`,
    )
    const { shown, day } = rows[0] as { shown: string; day: string }
    const times = (text: string) =>
      seqsWhere(
        `to_char(o.decided_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS') like '%${text}%' or to_char(o.created_at at time zone 'UTC', 'DD/MM/YYYY HH24:MI:SS') like '%${text}%'`,
      )
    for (const text of [shown, day, day.slice(3)]) {
      expect(ids(await readPages<Order>('/order/allorders', { search: text }))).toEqual((await times(text)).slice(0, 1_000))
    }
  })

  test('a time of decision is found where very many orders of other days have it', async () => {
    const decided = `decided_at is not null and seq > (select max(seq) - 2000 from orders) and seq % 3 = 0`
    await asImport([`update orders set decided_at = '2027-05-06T07:08:09Z' where ${decided}`])
    const expected = await seqsWhere(`o.decided_at = '2027-05-06T07:08:09Z'`)
    expect(expected.length).toBeGreaterThan(200)
    const completed = await seqsWhere(`o.decided_at = '2027-05-06T07:08:09Z' and o.status = 'completed'`)
    for (const [query, seqs] of [
      [{ search: '06/05/2027' }, expected],
      [{ search: '06/05/2027 07:08', status: 'completed' }, completed],
    ] as const) {
      const { rows, total } = await list<Order>('/order/allorders', { ...query, page: '2', pageSize: '50' })
      expect([query, total, ids(rows)]).toEqual([query, seqs.length, seqs.slice(50, 100)])
    }
  })

  test('an order that was committed after thousands of later ones is found as soon as it is there', async () => {
    const early = await shop.database.db.connect()
    try {
      await early.query('begin')
      await early.query('set local session_replication_role = replica')
      const { rows } = await early.query<{ seq: number }>(copyOfAnOrder('0209990001', 'LateLateLateLate0001'))
      const seq = (rows[0] as { seq: number }).seq
      await shop.database.db.query(
        `insert into order_search (seq, words) select ${seq} + n, 'an order that came later' from generate_series(1, 3000) n`,
      )
      expect((await list('/order/allorders', { search: 'ateLateLateLate0001' })).total).toBe(0)
      await early.query('commit')
      for (const indexed of [false, true]) {
        if (indexed) await shop.database.db.query('select index_new_orders()')
        expect([indexed, ids((await list<Order>('/order/allorders', { search: 'ateLateLateLate0001' })).rows)]).toEqual([
          indexed,
          [String(seq)],
        ])
      }
    } finally {
      await early.query('rollback')
      early.release()
      await removeCopies()
    }
  })

  test('at night even an order that was later than any margin becomes searchable', async () => {
    await asImport([copyOfAnOrder('0209990002', 'LateLateLateLate0002')])
    await shop.database.db.query(
      `insert into order_search (seq, words) select seq + 50000, 'an order that came later' from orders where ${IS_COPY}`,
    )
    expect((await list('/order/allorders', { search: 'ateLateLateLate0002' })).total).toBe(0)
    // A whole reference has an index of its own.
    expect((await list('/order/allorders', { search: 'LateLateLateLate0002' })).total).toBe(1)
    await shop.database.db.query('select index_late_orders()')
    expect((await list('/order/allorders', { search: 'ateLateLateLate0002' })).total).toBe(1)
    await removeCopies()
  })
})

describe('beyond a thousand users', () => {
  test('all pages together are the whole list, each user once', async () => {
    const { rows } = await shop.database.db.query<{ id: string }>('select id from users order by seq desc')
    expect((await readPages<User>('/user')).map(({ _id }) => _id)).toEqual(rows.map(({ id }) => id))
  })

  test('a search that more than a thousand match is paged to its thousandth', async () => {
    const { total, rows } = await list<User>('/user', { search: 'trader', page: '100', pageSize: '10' })
    const newest = await shop.database.db.query<{ username: string }>('select username from users order by seq desc offset 999 limit 1')
    expect([total, rows.length, rows[9]?.username]).toEqual([1_000, 10, newest.rows[0]?.username])
    // Nearer to the top it counts ten after the page.
    expect((await list<User>('/user', { search: 'customer', page: '1', pageSize: '10' })).total).toBe(20)
  })

  test("an admin's own record comes with `mine`, and among the newest 500", async () => {
    const mine = await list<User>('/user', { mine: 'true' })
    expect([mine.rows.map(({ _id }) => _id), mine.total]).toEqual([[admin._id], 1])
    const { rows, total } = await list<User>('/user')
    expect([rows.length, total, rows[0]?.username, rows.at(-1)?._id]).toEqual([500, USERS + 1, `trader ${USERS}`, admin._id])
  })

  test("an admin buys in the store, at the agent's price and from their own wallet", async () => {
    await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: admin._id, amount: 100 } })
    const asCustomer = await checkout(shop, admin, [await cartLine(shop)])
    expect(asCustomer.status).toBe(409)
    const { status, body } = await checkout(shop, admin, [await cartLine(shop, { as: 'Agent' })])
    expect([status, body.orders[0]?.user, body.orders[0]?.totalAmount, body.balance]).toEqual([200, 'kwesi boss', 4.7, 95.3])
    const { rows, total } = await list<Order>('/order/allorders', { mine: 'true' })
    expect([rows.map(({ _id }) => _id), total]).toEqual([[body.orders[0]?._id], 1])
    expect((await list<User>('/user', { mine: 'true' })).rows[0]).toMatchObject({ balance: 95.3, totalPurchase: 4.7 })
  })
})

describe('beyond a thousand recharges of one moment', () => {
  test.each([{}, { status: 'pending' }, { search: 'trader' }, { search: '20/11/2026 10:00' }])(
    'all pages of %j are the whole list',
    async (query) => {
      const { rows } = await shop.database.db.query<{ id: string }>('select id from recharges order by seq desc')
      expect((await readPages<Recharge>('/recharge', query as Record<string, string>)).map(({ _id }) => _id)).toEqual(
        rows.map(({ id }) => id),
      )
    },
  )

  test('a search that few match finds the oldest of them', async () => {
    const { rows, total } = await list<Recharge>('/recharge', { search: '¢50.01', page: '1' })
    expect([rows.map(({ rechargeId }) => rechargeId), total]).toEqual([['10000001'], 1])
    expect((await list('/recharge', { search: 'trader 2', status: 'approved' })).total).toBe(0)
    expect((await list('/recharge', { search: 'trader 2', page: '35', pageSize: '10' })).total).toBe(RECHARGES / 3)
  })

  test("an admin's own recharge comes with `mine`, whoever asked after it", async () => {
    const { body } = await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: admin, body: { amount: 50 } })
    const mine = await list<Recharge>('/recharge', { mine: 'true' })
    expect([mine.rows.map(({ _id }) => _id), mine.total]).toEqual([[body.recharge._id], 1])
  })
})

/** Without the triggers, as rows are restored or generated. */
async function asImport(statements: string[]) {
  const client = await shop.database.db.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const statement of statements) await client.query(statement)
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
}

const IS_COPY = `receiver like '020999%'`

function copyOfAnOrder(receiver: string, reference: string): string {
  return `insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
    select user_id, product_id, network, offer, image_hash, level, '${receiver}', price_pesewas, 'wallet', '${reference}', created_at
    from orders where seq = (select min(seq) from orders) returning seq`
}

/** Bare rows were never paid, which the ledger check would report. */
async function removeCopies() {
  await asImport([
    `delete from order_search where words = 'an order that came later' or seq in (select seq from orders where ${IS_COPY})`,
    `delete from orders where ${IS_COPY}`,
  ])
}
