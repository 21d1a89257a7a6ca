import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvAmount, csvLine } from '../../../../shared/csv.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser } from '../../../../test/builders.ts'
import { makeRefundedByCard } from '../../../../test/card-orders.ts'
import { until } from '../../../../test/until.ts'
import { streamCsv } from './stream-csv.ts'

const NAMES = ['admin-stats', 'admin-orders', 'admin-finance', 'admin-products'] as const
const PRODUCT_OF_NONE = '00000000-0000-4000-8000-000000000000'

let shop: TestShop
let admin: SignedInUser

beforeAll(async () => {
  shop = await openTestShop()
  admin = await makeUser(shop, { level: 'Admin', username: 'the owner' })
})
afterAll(() => shop.close())

function fetchCsv(name: string, { as = admin, query = {} }: { as?: { token: string }; query?: Record<string, string> } = {}) {
  return call<string>(shop, 'GET', `/export/${name}`, { as, query })
}

/** The rows of a file, as a reader that knows RFC 4180 and nothing else sees them. */
async function rowsOf(name: string, query: Record<string, string> = {}): Promise<string[][]> {
  const { status, body } = await fetchCsv(name, { query })
  expect([status, body.startsWith('\uFEFF')]).toEqual([200, true])
  return parseCsv(body.slice(1))
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') at += 1
        cell += text[at]
      }
      at += 1
    } else {
      const end = /[,\r]/g
      end.lastIndex = at
      const stop = end.exec(text)?.index ?? text.length
      cell = text.slice(at, stop)
      expect(cell).not.toMatch(/["\n]/)
      at = stop
    }
    row.push(cell)
    if (text[at] === ',') {
      at += 1
      continue
    }
    expect(text.slice(at, at + 2)).toBe('\r\n')
    at += 2
    rows.push(row)
    row = []
  }
  return rows
}

/** Orders as they might have come to stand in the table, past the forms that would refuse them. */
async function insertOrders(user: SignedInUser, orders: { id: string; offer: string }[]) {
  await shop.database.db.query(`select place_order($1, line ->> 'id', line ->> 'offer') from jsonb_array_elements($2::jsonb) as line`, [
    user._id,
    JSON.stringify(orders),
  ])
}

/** The ledger is proved at the end, so an order made by hand is paid for as well. */
async function letOrdersBeInserted() {
  await shop.database.db.query(
    `create function place_order(buyer uuid, client text, bundle text) returns void language plpgsql as $$
     declare made uuid; wallet bigint;
     begin
       insert into orders (client_id, user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
       select client, buyer, '${PRODUCT_OF_NONE}', 'MTN', bundle, image_hash, 'Customer', '0241234567', 550, 'wallet',
         substr(md5(random()::text), 1, 20), '2026-11-21T12:00:00Z' from products limit 1 returning id into made;
       select account_id into wallet from wallets where user_id = buyer;
       perform post_entry('order:' || made, 'order', '', buyer, array[wallet, 1], array[-550::bigint, 550], now());
       update wallets set total_purchase_pesewas = total_purchase_pesewas + 550 where account_id = wallet;
     end $$`,
  )
}

describe('the files', () => {
  test('of an empty shop have headings and no rows', async () => {
    await shop.database.db.query('delete from products')
    expect(await rowsOf('admin-orders')).toEqual([
      [
        ...['ID', 'Agent', 'Network', 'Receiver', 'Offer', 'Reference', 'Payment Date', 'Amount', 'Status', 'Action Timestamp'],
        ...['Phone Number', 'Order Reference', 'Client Reference'],
      ],
    ])
    expect(await rowsOf('admin-finance')).toEqual([['Date', 'Reference', 'Username', 'Amount', 'Status', 'Phone Number']])
    expect(await rowsOf('admin-products')).toEqual([['ID', 'Network', 'Offer', 'Customer Price', 'Agent Price', 'Status']])
    expect(await rowsOf('admin-stats')).toEqual([
      ['Finance', 'Amount'],
      ['Total payments received', '0.00'],
      ['Total funds in wallets', '0.00'],
      [''],
      ['Orders placed', 'Count', 'Value'],
      ['Total', '0', '0.00'],
      ['Completed', '0', '0.00'],
      ['Rejected', '0', '0.00'],
      ['Pending', '0', '0.00'],
      ['Today (Saturday)', '0', '0.00'],
      ['This week', '0', '0.00'],
      ['This month (November)', '0', '0.00'],
      ['Last month (October)', '0', '0.00'],
      [''],
      ['Username', 'Phone Number', 'Email', 'Level', 'Total Purchase', 'Wallet Balance', 'Status'],
      ['the owner', spacedPhone(admin.phone), admin.email, 'Admin', '0.00', '0.00', 'Active'],
    ])
    await shop.database.db.query(
      `with made as (insert into products (network, image_hash, created_at) select 'MTN', hash, now() from images limit 1 returning id)
       insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas)
       select id, 1, '1GB', 550, 480 from made union all select id, 2, '10GB', 4000, 3999 from made`,
    )
  })

  test.each(NAMES)('%s is a download of that name, in UTF-8 with its mark, kept by nobody on the way', async (name) => {
    const { status, headers, body } = await fetchCsv(name)
    expect([status, headers['content-type'], headers['content-disposition'], headers['cache-control']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="dwadi-${name}.csv"`,
      'no-store',
    ])
    expect(body.charCodeAt(0)).toBe(0xfeff)
    expect(body.endsWith('\r\n')).toBe(true)
  })

  test.each(NAMES)('%s is for admins only', async (name) => {
    for (const level of ['Customer', 'Agent'] as const) {
      const { status, body } = await call<ErrorBody>(shop, 'GET', `/export/${name}`, { as: await makeUser(shop, { level }) })
      expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect((await call(shop, 'GET', `/export/${name}`)).status).toBe(401)
  })

  test('the catalogue has a row for each package, and one for a product that has none', async () => {
    await shop.database.db.query(
      `insert into products (network, image_hash, status, created_at) select 'AFA', hash, 'out of stock', now() from images limit 1`,
    )
    const rows = await rowsOf('admin-products')
    expect(rows.slice(1).map(([, ...cells]) => cells)).toEqual([
      ['MTN', '1GB', '5.50', '4.80', 'available'],
      ['MTN', '10GB', '40.00', '39.99', 'available'],
      ['AFA', '', '', '', 'out of stock'],
    ])
  })

  test('orders are as on the screen, newest first, and match the filter', async () => {
    const [ama, kofi] = [
      await makeUser(shop, { username: 'ama mensah', balance: 100 }),
      await makeUser(shop, { username: 'kofi', balance: 100 }),
    ]
    const { body: first } = await checkout(shop, ama, [await cartLine(shop), await cartLine(shop, { offer: '10GB' })])
    const { body: second } = await checkout(shop, kofi, [await cartLine(shop)])
    await call(shop, 'PUT', `/order/update-status/${first.orders[0]!._id}`, { as: admin, body: { status: 'completed' } })
    const asRow = (order: Order, status = 'pending', decided = '') => [
      order.id,
      order.user,
      'MTN',
      // With its zero: a spreadsheet would make a number of ten digits in a row.
      '055 123 4567',
      order.offer,
      order.reference,
      '21/11/2026 12:00:00',
      order.totalAmount.toFixed(2),
      status,
      decided,
      spacedPhone(order.user === 'kofi' ? kofi.phone : ama.phone),
      '',
      order === second.orders[0] ? '1764252000123' : '',
    ]
    await shop.database.db.query('update orders set client_reference = $2 where id = $1', [second.orders[0]!._id, '1764252000123'])
    const [one, two] = [asRow(first.orders[0]!, 'completed', '21/11/2026 12:00:00'), asRow(first.orders[1]!)]
    const three = asRow(second.orders[0]!)
    expect((await rowsOf('admin-orders')).slice(1)).toEqual([three, two, one])
    const find = async (query: Record<string, string>) => (await rowsOf('admin-orders', query)).slice(1)
    expect(await find({ status: 'completed' })).toEqual([one])
    expect(await find({ segment: 'to-decide' })).toEqual(await find({ status: 'pending' }))
    expect(await find({ segment: 'all' })).toEqual(await find({}))
    expect(await find({ search: 'ama' })).toEqual([two, one])
    expect(await find({ search: '10GB', status: 'pending', network: 'MTN' })).toEqual([two])
    expect(await find({ network: 'Telecel' })).toEqual([])
    expect(await find({ search: '%' })).toEqual([])
    expect(await find({ page: '2', pageSize: '5' })).toEqual([three, two, one])
    expect((await fetchCsv('admin-orders', { query: { status: 'lost' } })).status).toBe(400)
    const stats = await rowsOf('admin-stats', { search: 'kofi' })
    expect(stats.find(([name]) => name === 'Total')).toEqual(['Total', '3', '51.00'])
    expect(stats.slice(stats.findIndex(([name]) => name === 'Username') + 1)).toEqual([
      ['kofi', spacedPhone(kofi.phone), kofi.email, 'Customer', '5.50', '94.50', 'Active'],
    ])
  })

  test('an order paid by card is under the reference of its payment, with its own beside it, as on the screen', async () => {
    const { _id } = await makeUser(shop, { username: 'efua payer' })
    const { reference, orderIds } = await makeRefundedByCard(shop, _id)
    const { rows } = await shop.database.db.query<{ reference: string }>('select reference from orders where id = any($1)', [orderIds])
    const [headings, ...lines] = await rowsOf('admin-orders', { search: 'efua payer' })
    const cellsOf = (heading: string) => lines.map((cells) => cells[headings!.indexOf(heading)])
    expect([cellsOf('Reference'), cellsOf('Order Reference')]).toEqual([[reference], [rows[0]!.reference]])
  })

  test('recharges match the filter, with a numeric amount', async () => {
    const asker = await makeUser(shop, { username: 'esi' })
    const asked: Recharge[] = []
    for (const amount of [50, 75.5, 1234.05]) {
      asked.push((await call<{ recharge: Recharge }>(shop, 'POST', '/recharge', { as: asker, body: { amount } })).body.recharge)
      // Until one is approved, a customer has two waiting at most.
      if (asked.length === 1) await call(shop, 'PUT', `/recharge/${asked[0]!._id}/approve`, { as: admin })
    }
    const rows = asked.map(({ rechargeId, amount }, index) => [
      '21/11/2026 12:00:00',
      rechargeId,
      'esi',
      amount.toFixed(2),
      index === 0 ? 'approved' : 'pending',
      spacedPhone(asker.phone),
    ])
    expect((await rowsOf('admin-finance')).slice(1)).toEqual(rows.toReversed())
    expect((await rowsOf('admin-finance', { status: 'approved' })).slice(1)).toEqual([rows[0]])
    expect((await rowsOf('admin-finance', { search: asked[2]!.rechargeId })).slice(1)).toEqual([rows[2]])
  })
})

describe('a cell', () => {
  const HOSTILE: [string, string][] = [
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1:A9)', "'@SUM(A1:A9)"],
    ['＝1+1', "'＝1+1"],
    ['say "1GB"', 'say "1GB"'],
    ['1GB, or 2GB', '1GB, or 2GB'],
    ['two\nlines', 'two\nlines'],
    ['two\r\nlines', 'two\r\nlines'],
    ['\u202E1GB', '\u202E1GB'],
    ['مرحبا 1GB', 'مرحبا 1GB'],
    ['₵5 📶', '₵5 📶'],
  ]

  test('that a spreadsheet would run as a formula becomes text, and reads back unchanged', async () => {
    const buyer = await makeUser(shop, { balance: 500, username: 'hostile buyer' })
    await letOrdersBeInserted()
    await insertOrders(
      buyer,
      HOSTILE.map(([text], index) => ({ id: `${text} ${index}`, offer: text })),
    )
    const rows = (await rowsOf('admin-orders', { search: 'hostile buyer' })).slice(1).toReversed()
    // The shop's own number; what the client calls the order is in no file.
    expect(rows.map(([number, , , , offer]) => [number, offer])).toEqual(
      HOSTILE.map(([, shown]) => [expect.stringMatching(/^\d+$/), shown]),
    )
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([13]))
  })

  test.each([
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['=1,2', '"\'=1,2"'],
    ['="a"', '"\'=""a"""'],
    ["it's = fine", "it's = fine"],
    ['', ''],
  ])('%j is written %j', (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`)
  })

  test('with a number stays a number, also below zero; a missing one is empty', () => {
    expect(csvLine([-1, 0, 5.5, csvAmount(-1), csvAmount(1), csvAmount(999_999_999_999_999), null])).toBe(
      '-1,0,5.5,-0.01,0.01,9999999999999.99,\r\n',
    )
  })
})

describe('a long file', () => {
  const ROWS = 20_000

  /** How many of the pool's connections are out. */
  function connectionsOut(): number {
    return shop.database.db.totalCount - shop.database.db.idleCount
  }

  /** The ids of earlier recharges are random: the number before the first ROWS that none of them has. */
  async function firstOfFreeIds(): Promise<number> {
    const { rows } = await shop.database.db.query<{ before: number }>(
      `select before from generate_series(20000000, 90000000, $1::int) before
        where not exists (select from recharges where recharge_id::int between before and before + $1) limit 1`,
      [ROWS],
    )
    return rows[0]!.before
  }

  test(`of ${ROWS} rows arrives complete and in order, with little memory`, async () => {
    const asker = await makeUser(shop, { username: 'many' })
    const before = await firstOfFreeIds()
    for (let made = 0; made < ROWS; made += 1000) {
      await shop.database.db.query(
        `insert into recharges (recharge_id, user_id, amount_pesewas, created_at, status, decided_at)
         select ($3 + n)::text, $1, 5000 + n, '2026-11-21', 'declined', '2026-11-22' from generate_series($2::int + 1, $2 + 1000) n`,
        [asker._id, made, before],
      )
    }
    const url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const response = await fetch(`${url}/api/export/admin-finance?search=many`, { headers: { authorization: `Bearer ${admin.token}` } })
    let [text, most] = ['', 0]
    const start = process.memoryUsage.rss()
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      most = Math.max(most, process.memoryUsage.rss() - start)
    }
    const references = parseCsv(text)
      .slice(1)
      .map(([, reference]) => reference)
    expect(references).toEqual(Array.from({ length: ROWS }, (_, index) => String(before + ROWS - index)))
    expect(most).toBeLessThan(50_000_000)
    await until(() => connectionsOut() === 0)
  })

  test('takes at most four connections with others, however slow their readers; the next begins as one ends', async () => {
    const { db } = shop.database
    const statement = { text: 'select n from generate_series(1, 50000) n', values: [] }
    const parts = [{ headings: ['n'], statement, toCells: ({ n }: { n: number }) => [n] }]
    const files = Array.from({ length: 7 }, (_, index) => streamCsv(db, `account ${index}`, parts))
    const readers = files.map((file) => file[Symbol.asyncIterator]() as AsyncIterator<string>)
    // The mark, and the headings: neither needs the database.
    for (let chunk = 0; chunk < 2; chunk++) await Promise.all(readers.map((reader) => reader.next()))
    const begun = new Set<number>()
    const third = readers.map(async (reader, index) => {
      await reader.next()
      begun.add(index)
    })
    await until(() => begun.size === 4)
    expect([[...begun].toSorted(), connectionsOut()]).toEqual([[0, 1, 2, 3], 4])
    // The shop sells on beside them.
    expect((await call(shop, 'GET', '/user/me', { as: admin })).status).toBe(200)
    files[2]!.destroy()
    await until(() => begun.has(4))
    expect(connectionsOut()).toBe(4)
    let lines = 0
    for await (const chunk of { [Symbol.asyncIterator]: () => readers[0]! }) lines += chunk.split('\r\n').length - 1
    expect(lines).toBeGreaterThan(40_000)
    for (const file of files) file.destroy()
    await Promise.allSettled(third)
    await until(() => connectionsOut() === 0)
  })

  test('is read one at a time for each account, so that nobody takes the turns of all', async () => {
    const { db } = shop.database
    const statement = { text: 'select n from generate_series(1, 50000) n', values: [] }
    const toCells = ({ n }: { n: number }) => [n]
    const files = ['ama', 'ama', 'ama', 'ama', 'ama', 'kofi'].map((account) =>
      streamCsv(db, account, [{ headings: ['n'], statement, toCells }]),
    )
    const begun: number[] = []
    const readers = files.map(async (file, index) => {
      const reader = file[Symbol.asyncIterator]() as AsyncIterator<string>
      for (let chunk = 0; chunk < 3; chunk++) await reader.next()
      begun.push(index)
    })
    await until(() => begun.length === 2)
    expect([begun.toSorted(), connectionsOut()]).toEqual([[0, 5], 2])
    files[0]!.destroy()
    await until(() => begun.length === 3)
    expect(begun[2]).toBe(1)
    for (const file of files) file.destroy()
    await Promise.allSettled(readers)
    await until(() => connectionsOut() === 0)
  })

  test('whose reader stands still loses its connection and its turn, and breaks off', async () => {
    const { db } = shop.database
    const statement = { text: 'select n from generate_series(1, 50000) n', values: [] }
    const file = () => streamCsv(db, 'ama', [{ headings: ['n'], statement, toCells: ({ n }: { n: number }) => [n] }], { idleMs: 300 })
    const stalled = file()[Symbol.asyncIterator]() as AsyncIterator<string>
    for (let chunk = 0; chunk < 3; chunk++) await stalled.next()
    expect(connectionsOut()).toBe(1)
    await until(() => connectionsOut() === 0)
    let lines = 0
    for await (const chunk of file()) lines += String(chunk).split('\r\n').length - 1
    expect(lines).toBe(50_001)
    const rest = async () => {
      while (!(await stalled.next()).done);
    }
    await expect(rest()).rejects.toThrow('took nothing for too long')
  })

  test('whose reader disconnects releases its connection, every time', async () => {
    const { port } = shop.app.server.address() as { port: number }
    for (let round = 0; round < 15; round++) {
      await new Promise<void>((resolve, reject) => {
        const request = get(
          { port, path: '/api/export/admin-finance', headers: { authorization: `Bearer ${admin.token}` }, agent: false },
          (response) => {
            response.once('data', () => {
              response.pause()
              request.destroy()
              resolve()
            })
          },
        )
        request.once('error', reject)
      })
    }
    await until(() => connectionsOut() === 0)
    expect(shop.database.db.waitingCount).toBe(0)
    expect((await rowsOf('admin-finance', { search: '20000001' })).length).toBe(2)
  })
})
