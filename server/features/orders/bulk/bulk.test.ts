import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BulkGroup, BulkJob, BulkJobLine, BulkPreview, BulkSchedule, NewBulkLine } from '../../../../shared/bulk.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import type { LineRow } from './bulk.sql.ts'
import { placeBulkWithKey } from './place-bulk.ts'
import { placeScheduledLists } from './place-scheduled-lists.ts'
import { toFile } from './present.ts'
import { readAllLines } from './queries.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
  // Who is found when somebody else's row is taken for the buyer's.
  await makeUser(shop)
})
afterAll(() => shop.close())

type Placed = { job: BulkJob; balance: number; code?: string; message?: string; issues?: { path: string }[] }
type Lines = { job: BulkJob; lines: BulkJobLine[]; next: string | null }

const agent = (balance = 1_000) => makeUser(shop, { level: 'Agent', balance })
const list = (count: number, size = 1) => Array.from({ length: count }, (_, n) => `0244${String(n).padStart(6, '0')} ${size}`).join('\n')

async function preview(as: SignedInUser, body: object): Promise<BulkPreview> {
  const { status, body: reply } = await call<BulkPreview>(shop, 'POST', '/bulk/preview', { as, body })
  expect(status).toBe(200)
  return reply
}

/** What a preview would buy, as the request that buys it. */
function order({ lines }: BulkPreview, change: object = {}) {
  const bought = lines.filter(({ productId }) => productId !== null)
  const wanted = bought.map(({ number, text, name, productId, offer, phoneNumber, amount, retryOf }) => {
    return { number, text, name, productId, offer, phoneNumber, amount, ...(retryOf && { retryOf }) }
  }) as NewBulkLine[]
  const leftOut = lines.filter(({ productId }) => productId === null).map(({ number, text, why }) => ({ number, text, why }))
  const total = Math.round(wanted.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100
  return { total, lines: wanted, leftOut, ...change }
}

function place(as: SignedInUser, body: object, key: string = randomUUID()) {
  return call<Placed>(shop, 'POST', '/bulk', { as, body, headers: { 'idempotency-key': key } })
}

const read = async (as: SignedInUser, id: string, query = {}) => (await call<Lines>(shop, 'GET', `/bulk/${id}`, { as, query })).body

async function expectNothingBought(user: SignedInUser, cedis: number) {
  expect(await balanceOf(shop, user._id)).toBe(cedis * 100)
  expect((await call<{ jobs: BulkJob[] }>(shop, 'GET', '/bulk', { as: user })).body.jobs).toEqual([])
}

describe('a preview', () => {
  test('says what is understood, wrong and doubtful, also about orders on their way, with the total against the balance', async () => {
    const buyer = await agent(5)
    const before = order(await preview(buyer, { text: '0244123456 1' }))
    expect((await place(buyer, before)).status).toBe(200)
    const reply = await preview(buyer, { text: '0244123456 1\nKofi 0245550199, 1GB\n0245550199 1\n024555 5\nTelecel 0245550177 5GB' })
    expect(reply.lines.map(({ number, state, name }) => [number, state, name])).toEqual([
      [1, 'doubtful', ''],
      [2, 'ready', 'Kofi'],
      [3, 'doubtful', ''],
      [4, 'wrong', ''],
      [5, 'doubtful', ''],
    ])
    expect(reply.onItsWay).toMatchObject([{ phoneNumber: '0244123456', offer: '1GB', network: 'MTN' }])
    expect(reply).toMatchObject({ ready: { lines: 1 }, wrong: 1 })
    expect(reply.missing).toBeCloseTo(reply.ready.amount - reply.balance, 5)
  })

  test('asks about what was delivered in the last hours, so that a list pasted or repeated once more is not paid twice', async () => {
    const [buyer, owner] = [await agent(50), await makeUser(shop, { level: 'Admin' })]
    const list = '0244123471 1\n0244123472 1'
    const { body } = await place(buyer, order(await preview(buyer, { text: list })))
    const { lines } = await read(buyer, body.job._id)
    for (const { order: bought } of lines) {
      await call(shop, 'PUT', `/order/update-status/${bought?._id}`, { as: owner, body: { status: 'completed' } })
    }
    for (const wanted of [{ text: list }, { repeatOf: body.job._id }]) {
      const again = await preview(buyer, wanted)
      expect(again.lines.map(({ state, short }) => [state, short])).toEqual(
        lines.map((line) => ['doubtful', `Delivered already (order ${line.order?.number})`]),
      )
      expect(again).toMatchObject({ ready: { lines: 0, amount: 0 }, doubtful: { lines: 2 } })
    }
    // Another package, another agent, and the next day are no repeats.
    expect((await preview(buyer, { text: '0244123471 2' })).ready.lines).toBe(1)
    expect((await preview(await agent(), { text: list })).ready.lines).toBe(2)
    const then = shop.clock.now
    shop.clock.now = new Date(then.getTime() + 13 * 3_600_000)
    expect((await preview(buyer, { text: list })).ready.lines).toBe(2)
    shop.clock.now = then
  })

  test('is for agents, and of one list of one’s own with at most 5,000 lines', async () => {
    const buyer = await agent()
    const customer = await makeUser(shop)
    const of = async (body: object, as = buyer) => (await call(shop, 'POST', '/bulk/preview', { as, body })).status
    expect(await of({ text: '0244123456 1' }, customer)).toBe(403)
    expect(await of({})).toBe(400)
    expect(await of({ text: '' })).toBe(400)
    expect(await of({ text: list(5_001) })).toBe(400)
    expect(await of({ groupId: randomUUID() })).toBe(404)
    expect(await of({ retryOf: randomUUID() })).toBe(404)
  })
})

describe('a list', () => {
  test('is bought in one purchase: each line with its order, and the ledger adds up', async () => {
    const buyer = await agent(6_000)
    const text = Array.from({ length: 300 }, (_, n) => `0244${String(n).padStart(6, '0')} ${[1, 5, 2][n % 3]}`).join('\n')
    const body = order(await preview(buyer, { text: `${text}\nhello` }), { name: 'Staff' })
    const { status, body: placed } = await place(buyer, body)
    expect(status).toBe(200)
    expect(placed.job).toMatchObject({
      name: 'Staff',
      lines: 300,
      leftOut: 1,
      pending: 300,
      completed: 0,
      total: body.total,
      placedBy: 'hand',
    })
    expect(placed.balance).toBeCloseTo(6_000 - body.total, 5)
    expect(await balanceOf(shop, buyer._id)).toBe(600_000 - Math.round(body.total * 100))
    const { lines, next } = await read(buyer, placed.job._id)
    expect(next).toBeNull()
    expect(
      lines.slice(0, 300).map(({ number, text, order: made }) => [number, text, made?.phoneNumber, made?.offer, made?.amount]),
    ).toEqual(body.lines.map(({ number, text, phoneNumber, offer, amount }) => [number, text, phoneNumber, offer, amount]))
    const numbers = lines.flatMap(({ order: made }) => (made ? [Number(made.number)] : []))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(lines.at(-1)).toMatchObject({ number: 301, text: 'hello', order: null, why: 'Left out: no number, no size.' })
    expect((await read(buyer, placed.job._id, { state: 'left-out' })).lines).toHaveLength(1)
    const headers = { authorization: `Bearer ${buyer.token}` }
    const { db } = shop.database
    const file = await shop.app.inject({ url: `/api/bulk/${placed.job._id}/file`, headers })
    const rows = file.body.trim().split('\r\n')
    expect([rows.length, file.body.charCodeAt(0), rows[1]?.split(',')[0], rows[251]?.split(',')[0], rows[301]?.split(',')[0]]).toEqual([
      302,
      0xfeff,
      '1',
      '251',
      '301',
    ])
    // Who reads slowly keeps a few pieces in memory, and no connection.
    const asked: unknown[] = []
    const counted = {
      query(text: string, values: unknown[]) {
        asked.push(values)
        return db.query(text, values)
      },
    } as unknown as typeof db
    const pages = readAllLines(counted, placed.job._id)
    expect([(await pages.next()).value?.length, asked.length]).toEqual([250, 1])
    expect([(await pages.next()).value?.length, (await pages.next()).done, asked.length]).toEqual([51, true, 2])
    let made = 0
    async function* manyPages() {
      for (const page = (await readAllLines(db, placed.job._id).next()).value as LineRow[]; ; made += 1) yield page
    }
    const slow = toFile(manyPages())
    await once(slow, 'readable')
    slow.read(1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(made).toBeLessThan(10)
    slow.destroy()
    const other = await agent()
    expect((await call(shop, 'GET', `/bulk/${placed.job._id}`, { as: other })).status).toBe(404)
    expect((await call(shop, 'GET', `/bulk/${placed.job._id}/file`, { as: other })).status).toBe(404)
    expect(await checkLedger(shop.database.db)).toEqual([])

    await until(async () => (await db.query('select from order_outbox')).rowCount === 0)
    const told = await db.query<{ id: string }>(
      `select jsonb_array_elements_text(data -> 'orderIds') as id from jobs.job where name = 'tell-new-orders'`,
    )
    // Orders of others may have been relayed together with these.
    const own = lines.flatMap(({ order: made }) => made?._id ?? [])
    expect(told.rows.map(({ id }) => id).filter((id) => own.includes(id))).toEqual([own[0]])
  })

  test('sent twice is bought once; the same key for something else is refused', async () => {
    const buyer = await agent()
    const body = order(await preview(buyer, { text: list(30) }))
    const key = randomUUID()
    const replies = await Promise.all([1, 2, 3].map(() => place(buyer, body, key)))
    expect(new Set(replies.map(({ body: { job } }) => job._id)).size).toBe(1)
    expect(await balanceOf(shop, buyer._id)).toBe(100_000 - Math.round(body.total * 100))
    expect((await place(buyer, order(await preview(buyer, { text: list(2, 2) })), key)).body.code).toBe('KEY_REUSED')
  })

  test('is refused as a whole when a price, a product, the total or the balance is another', async () => {
    const buyer = await agent(20)
    const body = order(await preview(buyer, { text: list(3) }))
    const [first, ...others] = body.lines as [NewBulkLine, ...NewBulkLine[]]
    const refused = async (change: object) => {
      const { status, body: reply } = await place(buyer, { ...body, ...change })
      return [status, reply.code, reply.issues?.map(({ path }) => path)]
    }
    expect(await refused({ lines: [{ ...first, amount: 0.01 }, ...others] })).toEqual([409, 'PRICE_CHANGED', ['lines.0.amount']])
    expect(await refused({ lines: [...others, { ...first, offer: '999GB' }] })).toEqual([409, 'NOT_AVAILABLE', ['lines.2.offer']])
    expect(await refused({ total: body.total + 0.01 })).toEqual([409, 'PRICE_CHANGED', ['total']])
    expect(await refused({ lines: [first, first] })).toEqual([400, 'INVALID', ['lines']])
    const much = order(await preview(buyer, { text: list(100) }))
    expect((await place(buyer, much)).body.code).toBe('INSUFFICIENT_BALANCE')
    const unknown = much.lines.map((line) => ({ ...line, offer: '999GB' }))
    const wrong = [...unknown, { ...unknown[0], number: 101, phoneNumber: '0244999999' }]
    const { body: many } = await place(buyer, { ...much, lines: wrong })
    // No more than a reader looks at.
    expect([wrong.length, many.issues?.length]).toEqual([101, 100])
    await expectNothingBought(buyer, 20)
    const customer = await makeUser(shop, { balance: 20 })
    expect((await place(customer, body)).status).toBe(403)
    await expectNothingBought(customer, 20)
  })

  test('may cost all that is there', async () => {
    const text = list(3)
    const { total } = order(await preview(await agent(), { text }))
    const buyer = await agent(total)
    const { status, body } = await place(buyer, order(await preview(buyer, { text })))
    expect([status, body.balance, await balanceOf(shop, buyer._id)]).toEqual([200, 0, 0])
  })

  test('is refused during a pause of purchases, and for a user banned meanwhile', async () => {
    const buyer = await agent()
    const body = order(await preview(buyer, { text: list(2) }))
    const { db } = shop.database
    const { rows } = await db.query(`insert into purchase_pauses (found, paused_at) values ('[]', now()) returning id`)
    expect((await place(buyer, body)).body.code).toBe('PURCHASES_PAUSED')
    await db.query(`update purchase_pauses set lifted_at = now(), lifted_by = $2, lift_reason = 'well' where id = $1`, [
      rows[0]?.id,
      buyer._id,
    ])
    expect((await place(buyer, body)).status).toBe(200)

    const other = await db.connect()
    await other.query('begin')
    await other.query(`update users set status = 'Banned' where id = $1`, [buyer._id])
    const late = place(buyer, body)
    await until(() => isWaitedFor(other))
    await other.query('commit')
    other.release()
    expect((await late).status).toBe(401)
    const job = { key: 'banned', name: '', placedBy: 'hand', groupId: null }
    const { rows: refused } = await db.query(`select place_bulk_orders($1, $2, '', '[]', '[]', 0, now()) as outcome`, [buyer._id, job])
    expect(refused[0]?.outcome).toEqual({ outcome: 'refused', code: 'BANNED' })
    expect(await balanceOf(shop, buyer._id)).toBe(100_000 - Math.round(body.total * 100))
  })

  test('has its refunded lines bought again, each once', async () => {
    const buyer = await agent()
    const owner = await makeUser(shop, { level: 'Admin' })
    const { body: first } = await place(buyer, order(await preview(buyer, { text: list(4) })))
    const { lines } = await read(buyer, first.job._id)
    for (const { order: made } of lines.slice(0, 3)) {
      await call(shop, 'PUT', `/order/update-status/${made?._id}`, { as: owner, body: { status: 'rejected' } })
    }
    const again = order(await preview(buyer, { retryOf: first.job._id }))
    expect(again.lines.map(({ retryOf }) => retryOf)).toEqual(lines.slice(0, 3).map(({ order: made }) => made?._id))
    const stranger = await agent()
    expect((await place(stranger, again)).body.code).toBe('CONFLICT')
    const [one, two, three] = again.lines.map((line) => ({ ...again, lines: [line], total: line.amount })) as [object, object, object]
    const onItsWay = { ...again.lines[0], retryOf: lines[3]?.order?._id } as NewBulkLine
    expect((await place(buyer, { ...again, lines: [onItsWay], total: onItsWay.amount })).body.code).toBe('CONFLICT')
    for (const part of [one, two, three]) expect((await place(buyer, part)).status).toBe(200)
    expect((await place(buyer, again)).body.code).toBe('CONFLICT')
    expect((await preview(buyer, { repeatOf: first.job._id })).lines).toHaveLength(4)
    expect((await call(shop, 'POST', '/bulk/preview', { as: buyer, body: { retryOf: first.job._id } })).status).toBe(400)
    const stand = await read(buyer, first.job._id)
    expect(stand.job).toMatchObject({ pending: 1, rejected: 3 })
    expect(stand.job.refunded).toBeCloseTo(again.total, 5)
    expect(stand.lines[0]?.retried).not.toBeNull()
    expect((await place(stranger, again)).body.code).toBe('CONFLICT')
  })

  test('is listed by pages, newest first', async () => {
    const buyer = await agent()
    const body = order(await preview(buyer, { text: list(1) }))
    for (let count = 0; count < 12; count++) await place(buyer, { ...body, name: `List ${count}` })
    const page = async (query = {}) =>
      (await call<{ jobs: BulkJob[]; next: string | null }>(shop, 'GET', '/bulk', { as: buyer, query })).body
    const { jobs, next } = await page()
    expect(jobs.map(({ name }) => name)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((count) => `List ${count}`))
    const rest = await page({ cursor: next })
    expect([rest.jobs.map(({ name }) => name), rest.next]).toEqual([['List 1', 'List 0'], null])
  })
})

const lineFor = (phoneNumber: string, offer = '1GB') => ({ name: 'Ama 30', phoneNumber, network: 'MTN', offer })

test('a working key of the developer API buys a list for its owner, and no other key does', async () => {
  const buyer = await agent()
  const { db } = shop.database
  const { body: made } = await call<{ key: { _id: string }; secret: string }>(shop, 'POST', '/api-keys', {
    as: buyer,
    body: { name: 'Till', scopes: ['orders:write'] },
  })
  const { rows } = await db.query(`select p.id, k.price_agent_pesewas as price from products p join packages k on k.product_id = p.id
    where p.network = 'MTN' and p.status = 'available' and k.offer = '1GB' limit 1`)
  const { id, price } = rows[0] as { id: string; price: number }
  const announced: unknown[] = []
  const buy = (secret: string) => {
    const line = { number: 1, text: '', name: '', product: id, network: null, offer: '1GB', receiver: '0244123456', retryOf: null }
    const realtime = { announce: (audience: object, event: string) => announced.push([Object.keys(audience)[0], event]) }
    const ctx = { db, realtime, now: shop.clock.now, log: shop.app.log } as never
    return placeBulkWithKey(ctx, hashToken(secret), {
      key: 'v1:list',
      name: 'Till',
      placedBy: 'api',
      groupId: null,
      lines: [{ ...line, expectedPricePesewas: price }],
      leftOut: [],
      totalPesewas: price,
      pathOf: () => 'orders.0',
    })
  }
  const bought = await buy(made.secret)
  // However many orders it has.
  expect(announced).toEqual([
    ['user', 'bulkUpdated'],
    ['staff', 'bulkUpdated'],
    ['user', 'CurrUserUpdated'],
    ['staff', 'userUpdated'],
  ])
  expect(bought).toMatchObject({ replayed: false, balancePesewas: 100_000 - price })
  expect(await buy(made.secret)).toMatchObject({ replayed: true, jobId: bought.jobId })
  // Switched on while the request was on its way, a PIN is asked of the key.
  const pin = (path: string, body: object) => call(shop, 'POST', `/user/me/pin${path}`, { as: buyer, body })
  await pin('', { password: PASSWORD, pin: '7392', atCheckout: true })
  await expect(buy(made.secret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await pin('/end', { currentPin: '7392' })
  expect(await buy(made.secret)).toMatchObject({ replayed: true })
  await call(shop, 'DELETE', `/api-keys/${made.key._id}`, { as: buyer })
  await expect(buy(made.secret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect(await balanceOf(shop, buyer._id)).toBe(100_000 - price)
})

describe('a group', () => {
  test('is saved, changed, previewed with its names, and deleted with its schedules', async () => {
    const buyer = await agent()
    const lines = [lineFor('0244123456'), lineFor('0244123457', '2GB')]
    const { body } = await call<{ group: BulkGroup }>(shop, 'POST', '/bulk-groups', { as: buyer, body: { name: 'Staff', lines } })
    expect(body.group).toMatchObject({ name: 'Staff', lines: 2 })
    const path = `/bulk-groups/${body.group._id}`
    expect((await call(shop, 'POST', '/bulk-groups', { as: buyer, body: { name: 'STAFF', lines } })).status).toBe(409)
    expect((await call(shop, 'POST', '/bulk-groups', { as: await makeUser(shop), body: { name: 'Staff', lines } })).status).toBe(403)
    const seen = await preview(buyer, { groupId: body.group._id })
    expect(seen.lines.map(({ name, offer, state }) => [name, offer, state])).toEqual([
      ['Ama 30', '1GB', 'ready'],
      ['Ama 30', '2GB', 'ready'],
    ])
    await call(shop, 'PUT', path, { as: buyer, body: { name: 'Drivers', lines: lines.slice(1) } })
    expect((await call<object>(shop, 'GET', path, { as: buyer })).body).toMatchObject({
      group: { name: 'Drivers', lines: 1 },
      lines: [lines[1]],
    })
    const stranger = await agent()
    for (const method of ['GET', 'DELETE'] as const) expect((await call(shop, method, path, { as: stranger })).status).toBe(404)
    await makeSchedule(buyer, body.group._id)
    expect((await call(shop, 'DELETE', path, { as: buyer })).status).toBe(200)
    expect((await call(shop, 'GET', '/bulk-schedules', { as: buyer })).body).toEqual([])
    expect((await call(shop, 'GET', '/bulk-groups', { as: buyer })).body).toEqual([])
  })
})

async function makeSchedule(as: SignedInUser, groupId: string, change = {}) {
  const body = { groupId, repeats: 'weekly', day: null, weekday: 1, monthDay: null, time: '08:00', most: 100, ...change }
  return call<{ schedule: BulkSchedule }>(shop, 'POST', '/bulk-schedules', { as, body })
}

describe('a schedule', () => {
  const groupOf = async (as: SignedInUser) =>
    (await call<{ group: BulkGroup }>(shop, 'POST', '/bulk-groups', { as, body: { name: 'Staff', lines: [lineFor('0244123456')] } })).body
      .group._id
  const schedules = async (as: SignedInUser) => (await call<BulkSchedule[]>(shop, 'GET', '/bulk-schedules', { as })).body
  const jobsOf = async (as: SignedInUser) => (await call<{ jobs: BulkJob[] }>(shop, 'GET', '/bulk', { as })).body.jobs

  /** Every process looks at this moment. */
  async function runAt(moment: Date, processes = 2) {
    const log = { error: (fact: object) => Promise.reject(fact), warn: () => undefined } as never
    const jobs = { enqueue: () => Promise.resolve(), wake: () => undefined } as never
    const ctx = { db: shop.database.db, log, realtime: shop.app.realtime, jobs, now: moment, actor: null, ip: null }
    await Promise.all(Array.from({ length: processes }, () => placeScheduledLists(ctx, { sender: null } as never, () => undefined)))
  }

  test('places its group once at its time, and then a week later', async () => {
    const buyer = await agent()
    const { body } = await makeSchedule(buyer, await groupOf(buyer))
    const due = new Date(body.schedule.nextAt as string)
    await runAt(new Date(due.getTime() - 1_000))
    expect(await jobsOf(buyer)).toEqual([])
    await runAt(due)
    await runAt(due)
    expect(await jobsOf(buyer)).toMatchObject([{ name: 'Staff', placedBy: 'schedule', lines: 1 }])
    const [after] = await schedules(buyer)
    expect(after).toMatchObject({ question: null, nextAt: new Date(due.getTime() + 7 * 86_400_000).toISOString() })
  })

  test('that comes due with a hundred others waits for none of them', async () => {
    const buyers = [await agent(), await agent(), await agent()]
    let nextAt = ''
    for (const buyer of buyers) {
      const { body } = await makeSchedule(buyer, await groupOf(buyer), { most: 0.01 })
      nextAt = body.schedule.nextAt as string
      await shop.database.db.query(
        `insert into bulk_schedules (user_id, group_id, repeats, weekday, at_time, most_pesewas, next_at, created_at, updated_at)
         select user_id, group_id, repeats, weekday, at_time, most_pesewas, next_at, created_at, updated_at
         from bulk_schedules, generate_series(1, 34) where id = $1`,
        [body.schedule._id],
      )
    }
    await runAt(new Date(nextAt), 1)
    const { rows } = await shop.database.db.query('select question from bulk_schedules where user_id = any ($1) and question is null', [
      buyers.map(({ _id }) => _id),
    ])
    expect(rows).toEqual([])
  })

  test.each([
    ['price', { most: 0.01 }, 100, 0],
    ['balance', {}, 0, 0],
    ['missed', {}, 100, 86_400_001],
  ] as const)('asks instead: %s', async (why, change, balance, lateMs) => {
    const buyer = await agent(balance)
    const { body } = await makeSchedule(buyer, await groupOf(buyer), change)
    const due = new Date(body.schedule.nextAt as string)
    await runAt(new Date(due.getTime() + lateMs))
    expect(await jobsOf(buyer)).toEqual([])
    const [asks] = await schedules(buyer)
    expect(asks?.question).toMatchObject({ why, dueAt: due.toISOString() })
    if (why === 'price') {
      const placed = await place(
        buyer,
        order(await preview(buyer, { groupId: asks?.groupId }), { scheduleId: asks?._id, groupId: asks?.groupId }),
      )
      expect(await schedules(buyer)).toMatchObject([{ question: null, lastJobId: placed.body.job._id }])
    } else {
      await call(shop, 'POST', `/bulk-schedules/${asks?._id}/skip`, { as: buyer })
      expect(await schedules(buyer)).toMatchObject([{ question: null, lastJobId: null }])
    }
  })

  test.each([
    ['the password changes', 'password', '/user/me/password', { password: PASSWORD, newPassword: 'seven green umbrellas' }],
    ['a PIN is switched on', 'pin', '/user/me/pin', { password: PASSWORD, pin: '7392', atCheckout: true }],
  ])('for which nobody gave a PIN is paused when %s, until its owner says so', async (_what, why, path, body) => {
    const buyer = await agent()
    const made = await makeSchedule(buyer, await groupOf(buyer))
    const resume = (headers = {}) =>
      call<{ schedule: BulkSchedule; code?: string }>(shop, 'POST', `/bulk-schedules/${made.body.schedule._id}/resume`, {
        as: buyer,
        headers,
      })
    expect((await call(shop, why === 'pin' ? 'POST' : 'PUT', path, { as: buyer, body })).status).toBe(200)
    expect(await schedules(buyer)).toMatchObject([{ isPaused: true, pausedWhy: why }])
    await runAt(new Date(made.body.schedule.nextAt as string))
    expect(await jobsOf(buyer)).toEqual([])
    const headers: Record<string, string> = {}
    if (why === 'pin') {
      expect((await resume()).body.code).toBe('PIN_REQUIRED')
      const proof = await call<{ proof: string }>(shop, 'POST', '/user/me/pin/proof', { as: buyer, body: { pin: '7392' } })
      headers['pin-proof'] = proof.body.proof
    }
    expect((await resume(headers)).body.schedule).toMatchObject({ isPaused: false, pausedWhy: null })
    await runAt(new Date(made.body.schedule.nextAt as string))
    expect(await jobsOf(buyer)).toHaveLength(1)
    if (why !== 'pin') return
    // With its PIN given, it goes on whatever changes.
    const change = { password: PASSWORD, newPassword: 'seven green umbrellas' }
    expect((await call(shop, 'PUT', '/user/me/password', { as: buyer, body: change })).status).toBe(200)
    expect(await schedules(buyer)).toMatchObject([{ isPaused: false }])
  })

  test('is left out while it is paused, and belongs to its agent', async () => {
    const buyer = await agent()
    const { body } = await makeSchedule(buyer, await groupOf(buyer))
    const path = `/bulk-schedules/${body.schedule._id}`
    expect((await call(shop, 'POST', `${path}/pause`, { as: await agent() })).status).toBe(404)
    expect((await call<{ schedule: BulkSchedule }>(shop, 'POST', `${path}/pause`, { as: buyer })).body.schedule.isPaused).toBe(true)
    const due = new Date(body.schedule.nextAt as string)
    await runAt(due)
    expect(await jobsOf(buyer)).toEqual([])
    expect((await call<{ schedule: BulkSchedule }>(shop, 'POST', `${path}/resume`, { as: buyer })).body.schedule.isPaused).toBe(false)
    expect((await makeSchedule(buyer, body.schedule.groupId, { repeats: 'once', weekday: null, day: '2020-01-01' })).status).toBe(400)
    expect((await makeSchedule(buyer, body.schedule.groupId, { weekday: null })).status).toBe(400)
    expect((await makeSchedule(buyer, randomUUID())).status).toBe(404)
    expect((await call(shop, 'DELETE', path, { as: await agent() })).status).toBe(404)
    expect((await call(shop, 'DELETE', path, { as: buyer })).status).toBe(200)
    expect(await schedules(buyer)).toEqual([])
  })
})
