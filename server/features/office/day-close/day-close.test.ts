import { randomInt } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CountedPlace, DaySheet, SignedClose, WholeClose } from '../../../../shared/day-close.ts'
import type { WholeStats } from '../../../../shared/stats.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'

const MINUTE_MS = 60_000

type Reply = { sheet: DaySheet; places: CountedPlace[]; isNext: boolean; closes: SignedClose[]; message: string }

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
let productId: string

beforeAll(async () => {
  shop = await openTestShop()
  productId = (await findProduct(shop, 'MTN'))._id
})
beforeEach(async () => {
  // Credits of builders are of the real clock's day; the shop's clock stands still on another one.
  shop.clock.advance(MINUTE_MS)
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop)
  await credit(100)
})
afterEach(async () => {
  await shop.database.db.query(
    'alter table day_closes disable trigger user; delete from day_closes; alter table day_closes enable trigger user',
  )
})
afterAll(() => shop.close())

async function credit(amount: number) {
  const { status } = await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: buyer._id, amount } })
  expect(status).toBe(200)
}

async function topUp(amount: number) {
  const asked = await call<{ rechargeId: string }>(shop, 'POST', '/recharge', { as: buyer, body: { amount } })
  expect((await call(shop, 'PUT', `/recharge/${asked.body.rechargeId}/approve`, { as: admin })).status).toBe(200)
}

async function buy(status?: 'completed' | 'rejected') {
  const { body } = await checkout(shop, buyer, [await cartLine(shop)])
  const order = body.orders[0]!
  if (status) await call(shop, 'PUT', `/order/update-status/${order._id}`, { as: admin, body: { status } })
  return order
}

async function setCost(cost: number | null) {
  const costs = [{ productId, offer: '1GB', supplier: 'by-hand', cost }]
  expect((await call(shop, 'PUT', '/admin/costs', { as: admin, body: { costs } })).status).toBe(200)
}

async function read(query: { from?: string; until?: string } = {}): Promise<Reply> {
  const { status, body } = await call<Reply>(shop, 'GET', '/admin/day-close', { as: admin, query })
  expect([status, body.message]).toEqual([200, undefined])
  return body
}

type Signing = { from: string; until: string; closing: number; counted?: unknown[]; note?: string; corrects?: string }

function sign(body: Signing, as: { token: string } = admin) {
  return call<{ close: WholeClose; message: string; code: string; issues: { path: string; message: string }[] }>(
    shop,
    'POST',
    '/admin/day-close',
    { as, body },
  )
}

async function signNext(more: Partial<Signing> = {}) {
  shop.clock.advance(MINUTE_MS)
  const { sheet } = await read()
  return sign({ from: sheet.from, until: sheet.until, closing: sheet.wallets.closing, ...more })
}

/** What all wallets held then, added up from their own postings. */
async function walletsAt(at: string) {
  const { rows } = await shop.database.db.query<{ pesewas: number }>(
    `select coalesce(sum(p.amount_pesewas), 0) as pesewas from postings p join journal_entries e on e.id = p.entry_id
     where p.account_id >= 1000 and e.created_at < $1`,
    [at],
  )
  return rows[0]!.pesewas / 100
}

/** Mobile money for which nobody asked, credited to the buyer. */
async function receivePayment(amount: number) {
  const text = `Payment received for GHS ${amount}.00 from AMA SAMPLE. Reference: x. Transaction ID: 83724298138.`
  await call(shop, 'POST', '/received-payment/messages', { as: admin, body: { text } })
  const { rows } = await shop.database.db.query<{ id: string }>('select id from received_payments')
  const credited = await call(shop, 'POST', `/received-payment/${rows[0]!.id}/credit`, { as: admin, body: { amount, userId: buyer._id } })
  expect(credited.status).toBe(200)
}

const amounts = ({ wallets }: DaySheet) => Object.fromEntries(wallets.lines.map(({ what, count, amount }) => [what, [count, amount]]))
const sumOf = (lines: readonly { amount: number }[]) => Math.round(lines.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100

describe('the sheet', () => {
  test('shows rewards for invited customers among the wallets, and takes them off the profit', async () => {
    await signNext()
    const invited = await makeUser(shop)
    await shop.database.db.query(
      `insert into referrals (referred_id, referrer_id, reward_pesewas, spend_pesewas, created_at, rewarded_at) values ($1, $2, 200, 5000, $3, $3)`,
      [invited._id, buyer._id, shop.clock.now],
    )
    await shop.database.db.query(
      `select post_entry('referral:' || $1, 'referral-reward', '', null, array[20, account_id], array[-200, 200], $3) from wallets where user_id = $2`,
      [invited._id, buyer._id, shop.clock.now],
    )
    shop.clock.advance(MINUTE_MS)
    const { sheet } = await read()
    expect(amounts(sheet)).toMatchObject({ rewards: [1, 2] })
    expect(sheet.earned).toMatchObject({ lines: expect.arrayContaining([{ what: 'referral-rewards', count: 0, amount: -2 }]), profit: -2 })
  })

  test('leads from the opening to the closing wallets', async () => {
    await setCost(4)
    const first = (await signNext()).body.close
    await topUp(50)
    await receivePayment(20)
    await credit(10)
    await call(shop, 'PUT', '/user/balance', { as: admin, body: { chosenId: buyer._id, amount: -3 } })
    await buy('completed')
    await buy('completed')
    await buy('rejected')
    await buy()
    shop.clock.advance(MINUTE_MS)
    const { sheet, isNext } = await read()
    expect(isNext).toBe(true)
    expect(amounts(sheet)).toEqual({
      'mobile-money': [2, 70],
      card: [0, 0],
      credit: [1, 10],
      sales: [4, -22],
      refunds: [1, 5.5],
      debit: [1, -3],
    })
    expect(sheet.wallets.opening).toBe(first.closing)
    expect(sheet.wallets.closing).toBe(sheet.wallets.opening + sumOf(sheet.wallets.lines))
    expect(sheet.earned).toEqual({
      lines: [
        { what: 'delivered', count: 2, amount: 11 },
        { what: 'cost', count: 2, amount: -8 },
      ],
      sales: 11,
      grossProfit: 3,
      profit: 3,
    })
    expect(sheet.networks).toEqual([{ network: 'MTN', orders: 2, sales: 11, cost: 8, profit: 3, uncostedOrders: 0 }])
  })

  test('counts an order without a cost apart, and earns it in the range in which its cost becomes known', async () => {
    await setCost(null)
    await signNext()
    await buy('completed')
    shop.clock.advance(MINUTE_MS)
    const before = await read()
    expect(before.sheet.earned).toMatchObject({ profit: 0 })
    expect(before.sheet.uncostedOrders).toBe(1)
    const { body } = await signNext()
    expect(body.close.profit).toBe(0)
    const recorded = await call(shop, 'POST', '/admin/profit/uncosted', {
      as: admin,
      body: { productId, offer: '1GB', supplier: 'by-hand', cost: 4 },
    })
    expect(recorded.status).toBe(200)
    shop.clock.advance(MINUTE_MS)
    const after = await read()
    expect(after.sheet.earned.lines).toContainEqual({ what: 'late-costs', count: 1, amount: 1.5 })
    expect(after.sheet.earned.profit).toBe(1.5)
    // Looked at again, the closed range says what it said.
    expect((await read({ from: body.close.from, until: body.close.until })).sheet.earned.profit).toBe(0)
  })

  test('equals the ledger for any range, also over days that are not whole, before and after folding', async () => {
    const times: string[] = [shop.clock.now.toISOString()]
    for (let step = 0; step < 30; step++) {
      shop.clock.advance(randomInt(1, 300) * MINUTE_MS)
      admin = await makeUser(shop, { level: 'Admin' })
      buyer = await makeUser(shop)
      await credit(randomInt(20, 90))
      await [() => topUp(randomInt(50, 90)), () => buy(), () => buy('completed'), () => buy('rejected'), () => credit(1)][randomInt(5)]!()
      shop.clock.advance(randomInt(0, 90) * MINUTE_MS)
      times.push(shop.clock.now.toISOString())
      if (step % 9 === 8) await shop.database.db.query('select fold_account_deltas(), fold_delivery_deltas(), fold_order_deltas()')
      if (step === 17) await shop.database.db.query('select add_up_days($1, 1000)', [shop.clock.now])
    }
    for (let pick = 0; pick < 25; pick++) {
      const [from, until] = [times[randomInt(times.length)]!, times[randomInt(times.length)]!].sort() as [string, string]
      if (from === until) continue
      const { sheet } = await read({ from, until })
      expect([from, until, sheet.wallets.opening]).toEqual([from, until, await walletsAt(from)])
      expect([from, until, sheet.wallets.closing]).toEqual([from, until, await walletsAt(until)])
      expect(sheet.wallets.closing).toBeCloseTo(sheet.wallets.opening + sumOf(sheet.wallets.lines), 2)
      const { rows } = await shop.database.db.query<{ orders: number }>(
        'select count(*) as orders from orders where completed_at >= $1 and completed_at < $2',
        [from, until],
      )
      expect([from, until, sheet.delivered]).toEqual([from, until, rows[0]!.orders])
    }
  })

  test('reads what was delivered on a day that is not over from its totals, but not up to a time before the last delivery', async () => {
    await buy('completed')
    shop.clock.advance(MINUTE_MS)
    const from = new Date(shop.clock.now).toISOString().slice(0, 10)
    const { sheet } = await read({ from: `${from}T00:00:00Z` })
    await shop.database.db.query(`insert into delivery_deltas (day, network, supplier, orders) values ($1, 'MTN', 'by-hand', 1000)`, [from])
    expect((await read({ from: `${from}T00:00:00Z` })).sheet.delivered).toBe(sheet.delivered + 1_000)
    const until = shop.clock.now.toISOString()
    shop.clock.advance(MINUTE_MS)
    await buy('completed')
    shop.clock.advance(MINUTE_MS)
    expect((await read({ from: `${from}T00:00:00Z`, until })).sheet.delivered).toBe(sheet.delivered)
    await shop.database.db.query('delete from delivery_deltas where orders = 1000')
  })
})

describe('a close', () => {
  test('is signed once, by whom and when, and the next begins where it ended', async () => {
    const signed = await signNext()
    expect([signed.status, signed.body.message]).toEqual([200, undefined])
    const { close } = signed.body
    expect(close).toMatchObject({ signedBy: admin.username, signedAt: shop.clock.now.toISOString(), corrects: null, correctedBy: null })
    const again = await sign({ from: close.from, until: close.until, closing: close.closing })
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    shop.clock.advance(MINUTE_MS)
    const next = await read()
    expect([next.sheet.from, next.sheet.wallets.opening, next.closes.map(({ _id }) => _id)]).toEqual([
      close.until,
      close.closing,
      [close._id],
    ])
    expect((await call<{ close: WholeClose }>(shop, 'GET', `/admin/day-close/${close._id}`, { as: admin })).body.close).toEqual(close)
  })

  test('is not signed a second time while nothing has moved, until the next day, or unless something was counted', async () => {
    await credit(5)
    expect((await signNext()).status).toBe(200)
    const again = await signNext()
    expect([again.status, again.body.message]).toEqual([409, 'This day is signed off already, and nothing has moved since.'])
    expect((await signNext({ counted: [{ key: 'mobile-money', counted: 500 }] })).status).toBe(200)
    await credit(5)
    expect((await signNext()).status).toBe(200)
    shop.clock.advance(24 * 60 * MINUTE_MS)
    admin = await makeUser(shop, { level: 'Admin' })
    expect((await signNext()).status).toBe(200)
  })

  test('says how many of the pending orders are to be decided', async () => {
    const before = (await read()).sheet.pending
    await buy()
    shop.clock.advance(MINUTE_MS)
    const { pending } = (await read()).sheet
    expect([pending.orders, pending.toDecide]).toEqual([before.orders + 1, (before.toDecide ?? 0) + 1])
  })

  test('of two who sign at the same time is that of one', async () => {
    shop.clock.advance(MINUTE_MS)
    const { sheet } = await read()
    const asked = { from: sheet.from, until: sheet.until, closing: sheet.wallets.closing }
    const replies = await Promise.all([sign(asked), sign(asked)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('is refused when money moved in it meanwhile, in a range that is not over, and for customers', async () => {
    shop.clock.advance(MINUTE_MS)
    const { sheet } = await read()
    const asked = { from: sheet.from, until: sheet.until, closing: sheet.wallets.closing }
    expect((await sign({ ...asked, closing: asked.closing + 1 })).body.message).toMatch(/^Money has moved since you looked/)
    const later = new Date(shop.clock.now.getTime() + MINUTE_MS).toISOString()
    expect((await sign({ ...asked, until: later })).status).toBe(400)
    expect((await sign({ ...asked, until: asked.from })).status).toBe(400)
    expect((await sign(asked, buyer)).status).toBe(403)
    expect((await read()).closes).toEqual([])
  })

  test('waits for money that is being moved, and lets no entry into its range afterwards', async () => {
    shop.clock.advance(MINUTE_MS)
    const { sheet } = await read()
    const writing = await shop.database.db.connect()
    await writing.query('begin')
    const late = (key: string) => [key, buyer._id, new Date(sheet.from)]
    const post = `select post_entry($1, 'admin-credit', '', null, array[account_id, 6], array[500, -500], $3) from wallets where user_id = $2`
    await writing.query(post, late('admin-credit:before'))
    const signing = sign({ from: sheet.from, until: sheet.until, closing: sheet.wallets.closing })
    await until(() => isWaitedFor(writing))
    await writing.query('commit')
    writing.release()
    expect((await signing).body.message).toMatch(/^Money has moved since you looked/)
    const { body } = await signNext()
    await shop.database.db.query(post, late('admin-credit:after'))
    const { rows } = await shop.database.db.query(`select created_at as at from journal_entries where key = 'admin-credit:after'`)
    expect(rows).toEqual([{ at: new Date(body.close.until) }])
    expect((await read({ from: body.close.from, until: body.close.until })).sheet.wallets.closing).toBe(body.close.closing)
  })

  test('says what was counted, and why it differs', async () => {
    const first = await signNext({ counted: [{ key: 'mobile-money', counted: 500 }] })
    expect(first.body.close.counted).toEqual([
      { key: 'mobile-money', name: 'Mobile money', expected: null, moved: 0, counted: 500, note: '', parts: [] },
    ])
    await topUp(50)
    shop.clock.advance(MINUTE_MS)
    const { sheet, places } = await read()
    expect(places[0]).toEqual({ key: 'mobile-money', name: 'Mobile money', expected: 550, read: null, readAt: null, parts: [] })
    const asked = { from: sheet.from, until: sheet.until, closing: sheet.wallets.closing }
    const line = { key: 'mobile-money', counted: 630, moved: -20 }
    const refused = await sign({ ...asked, counted: [line] })
    expect([refused.status, refused.body.issues]).toEqual([
      400,
      [{ path: 'counted.0.note', message: 'Say why Mobile money differs by ¢100.00.' }],
    ])
    expect((await sign({ ...asked, counted: [{ key: 'a shoe box', counted: 1 }] })).status).toBe(400)
    const signed = await sign({ ...asked, counted: [{ ...line, note: 'Kojo paid 100 without a request.' }] })
    expect(signed.body.close.counted[0]).toMatchObject({ expected: 530, counted: 630, note: 'Kojo paid 100 without a request.' })
  })

  test('books what the owner paid in or took out within its range, once, and a correction does not move it', async () => {
    const first = await signNext({ counted: [{ key: 'mobile-money', counted: 500 }] })
    expect(first.status).toBe(200)
    shop.clock.advance(MINUTE_MS)
    const { sheet } = await read()
    const counted = [{ key: 'mobile-money', counted: 470, moved: -30 }]
    const asked = { from: sheet.from, until: sheet.until, closing: sheet.wallets.closing, counted }
    const received = async () => (await call<WholeStats>(shop, 'GET', '/order/stats', { as: admin })).body.finance.totalPayments
    const before = await received()
    const replies = await Promise.all([sign(asked), sign(asked)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    // What customers have paid stays what it was, wherever the owner has put it since.
    expect(await received()).toBe(before)
    const { close } = replies.find(({ status }) => status === 200)!.body
    const { rows } = await shop.database.db.query(
      `select a.code, p.amount_pesewas::int as pesewas, e.created_at >= $1 and e.created_at < $2 as within
       from journal_entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id
       where e.key like 'owner-funds:' || $3 || ':%' order by p.line`,
      [close.from, close.until, close.from],
    )
    expect(rows).toEqual([
      { code: 'mobile-money-received', pesewas: 3000, within: true },
      { code: 'owner-funds', pesewas: -3000, within: true },
    ])
    const moved = await sign({ ...asked, corrects: close._id, note: 'Wrong', counted: [{ ...counted[0]!, moved: 0, note: 'So' }] })
    expect([moved.status, moved.body.issues[0]!.path]).toEqual([400, 'counted.0.moved'])
    shop.clock.advance(MINUTE_MS)
    const { places, sheet: next } = await read()
    // Each close begins at what was counted: what was booked before it is not counted a second time.
    expect(places.find(({ key }) => key === 'mobile-money')?.expected).toBe(470)
    expect(next.wallets.opening).toBe(sheet.wallets.closing)
    expect(await checkLedger(shop.database.db)).toEqual([])
  })

  test('does not take a balance that was read long ago for counted', async () => {
    const { db } = shop.database
    const place = async () => (await read()).places.find(({ key }) => key === 'by-hand')!
    await db.query(`insert into float_readings (float_key, amount, read_at, entered_by) values ('by-hand:MTN', 20000, $1, $2)`, [
      shop.clock.now,
      admin._id,
    ])
    const { read: amount, readAt } = await place()
    const line = { key: 'by-hand', counted: amount!, readAt: readAt! }
    shop.clock.advance(31 * MINUTE_MS)
    const { sheet } = await read()
    const asked = { from: sheet.from, until: sheet.until, closing: sheet.wallets.closing }
    const refused = async (change: object) => (await sign({ ...asked, counted: [{ ...line, ...change }] })).body.issues
    expect(await refused({})).toEqual([
      { path: 'counted.0.counted', message: 'Portals, by hand was read more than 30 minutes ago. Count it again.' },
    ])
    expect((await refused({ readAt: sheet.until }))[0]!.message).toContain('was read again')
    expect((await sign({ ...asked, counted: [{ key: 'by-hand', counted: 200, moved: 150 }] })).status).toBe(200)
    const { rows } = await db.query(
      `select p.amount_pesewas::int as pesewas from postings p join accounts a on a.id = p.account_id
       join journal_entries e on e.id = p.entry_id where e.kind = 'owner-funds' and a.code = 'supplier:by-hand'`,
    )
    expect(rows).toEqual([{ pesewas: -15_000 }])
  })

  test('counts several payment numbers one by one', async () => {
    const numbers = [
      { network: 'MTN', phoneNumber: '0244000001', accountName: 'Dwadi' },
      { network: 'Telecel', phoneNumber: '0204000001', accountName: 'Dwadi' },
      { network: 'AirtelTigo', phoneNumber: '0204000001', accountName: 'Dwadi' },
    ]
    expect((await call(shop, 'PUT', '/admin/shop/payment-numbers', { as: admin, body: { numbers } })).status).toBe(200)
    const { places } = await read()
    expect(places[0]!.parts).toEqual([
      { key: '0244000001', name: 'MTN 024 400 0001' },
      { key: '0204000001', name: 'Telecel, AirtelTigo 020 400 0001' },
    ])
    const parts = [
      { key: '0244000001', counted: 300 },
      { key: '0204000001', counted: 50.5 },
    ]
    const wrong = await signNext({ counted: [{ key: 'mobile-money', counted: 350, parts }] })
    expect(wrong.body.issues[0]!.message).toBe('The numbers of Mobile money do not add up to what was counted.')
    const { close } = (await signNext({ counted: [{ key: 'mobile-money', counted: 350.5, parts }] })).body
    expect(close.counted[0]!.parts).toEqual([
      { key: '0244000001', name: 'MTN 024 400 0001', counted: 300 },
      { key: '0204000001', name: 'Telecel, AirtelTigo 020 400 0001', counted: 50.5 },
    ])
  })

  test('is corrected by a further close of the same range alone, once, with a reason', async () => {
    const { close } = (await signNext({ counted: [{ key: 'mobile-money', counted: 500 }] })).body
    const again = { from: close.from, until: close.until, closing: close.closing, corrects: close._id }
    expect((await sign(again)).body.message).toBe('Say what was wrong.')
    expect((await sign({ ...again, until: shop.clock.now.toISOString(), from: close.until, note: 'x' })).status).toBe(400)
    expect((await sign({ ...again, corrects: '999999', note: 'Counted again' })).status).toBe(404)
    const corrected = await sign({ ...again, note: 'Counted again', counted: [{ key: 'mobile-money', counted: 510 }] })
    expect([corrected.status, corrected.body.close.corrects]).toEqual([200, close._id])
    expect((await sign({ ...again, note: 'And again' })).status).toBe(409)
    shop.clock.advance(MINUTE_MS)
    const { closes, places } = await read()
    expect(closes.map(({ corrects, correctedBy }) => [corrects, correctedBy !== null])).toEqual([
      [close._id, false],
      [null, true],
    ])
    expect(places[0]?.expected).toBe(510)
  })

  test.each(['update day_closes set closing_pesewas = 1', 'delete from day_closes', 'truncate day_closes'])(
    'is kept by the database: no %s',
    async (sql) => {
      await signNext()
      await expect(shop.database.db.query(sql)).rejects.toMatchObject({ code: 'DW001' })
    },
  )

  test.each([
    ['a gap before it', `until_at, until_at + interval '1 hour', null, '[]'`, `from_at - interval '1 minute'`],
    [
      'a difference without a sentence',
      `until_at, until_at + interval '1 hour', null, '[{"expectedPesewas": 1, "countedPesewas": 2, "note": ""}]'`,
      '',
    ],
    ['a correction of another range', `from_at, until_at + interval '1 hour', id, '[]'`, ''],
  ])('is refused by the database with %s', async (what, values) => {
    await signNext()
    const from = what === 'a gap before it' ? values.replace('until_at,', `until_at + interval '1 minute',`) : values
    await expect(
      shop.database.db.query(
        `insert into day_closes (from_at, until_at, corrects, counted, note, opening_pesewas, closing_pesewas, sheet, signed_by, signed_at)
         select ${from}, 'x', 0, 0, '{}', signed_by, signed_at from day_closes`,
      ),
    ).rejects.toThrow(/begins where the last one ended|day_closes_explained|has the range/)
  })

  test('is a file for a spreadsheet, before and after it is signed', async () => {
    const open = await call<string>(shop, 'GET', '/export/day-close', { as: admin })
    expect([open.status, open.body]).toEqual([200, expect.stringContaining('Not signed')])
    const { close } = (await signNext({ counted: [{ key: 'mobile-money', counted: 500, note: '=1+1' }] })).body
    const { body } = await call<string>(shop, 'GET', '/export/day-close', { as: admin, query: { id: close._id } })
    expect(body).toContain(`Signed by,${admin.username}`)
    expect(body).toContain(`Mobile money,,500.00,,'=1+1`)
  })
})

test('from closing time on the inbox asks for the close, until it is signed', async () => {
  const closes = new Date('2026-12-14T20:30:00Z')
  const inbox = async () => {
    admin = await makeUser(shop, { level: 'Admin' })
    const { body } = await call<{ groups: { kind: string }[] }>(shop, 'GET', '/admin/inbox', { as: admin })
    return body.groups.map(({ kind }) => kind)
  }
  shop.clock.advance(closes.getTime() - shop.clock.now.getTime() - MINUTE_MS)
  buyer = await makeUser(shop)
  expect(await inbox()).not.toContain('day-close')
  await credit(5)
  shop.clock.advance(MINUTE_MS)
  expect((await inbox())[0]).toBe('day-close')
  expect((await signNext()).status).toBe(200)
  expect(await inbox()).not.toContain('day-close')
})
