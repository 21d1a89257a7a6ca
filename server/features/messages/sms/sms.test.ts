import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JobsReply } from '../../../../shared/jobs.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, findProduct, makeUser } from '../../../../test/builders.ts'
import { clearCheckers, stockCheckers } from '../../../../test/checkers.ts'
import { until } from '../../../../test/until.ts'
import { countSeptets } from '../../../integrations/sms/gsm-text.ts'
import { selectDropped } from '../../../platform/day-caps.sql.ts'
import { DIGEST_QUEUE } from '../../../platform/queues.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'
import { selectIsDayFull } from './messages.sql.ts'

let shop: TestShop
let admin: SignedInUser
let buyer: SignedInUser
const DAY_MS = 86_400_000

beforeAll(async () => {
  // The digest waits until a test lets it go.
  shop = await openTestShop({ withSandbox: true, timings: { sms: { ...QUICK_TIMINGS.sms, digestAfterMs: 3_600_000 } } })
  admin = await makeUser(shop, { level: 'Admin' })
  buyer = await makeUser(shop, { balance: 5_000, username: 'evil.example' })
})
afterAll(() => shop.close())
beforeEach(async () => {
  // Another day: the minute's orders and the day's messages begin anew.
  shop.clock.advance(DAY_MS)
  admin = { ...admin, ...(await signIn(admin)) }
  buyer = { ...buyer, ...(await signIn(buyer)) }
  services().clearFaults()
  await change({
    operatorSms: true,
    operatorCheckerSms: true,
    operatorPhone: null,
    buyerSms: false,
    smsDailyCap: 500,
    smsDigest: false,
    smsDigestAbove: 5,
  })
})

const services = () => shop.sandbox!.sms
const change = (body: object) => call(shop, 'PUT', '/admin/settings', { as: admin, body })

async function signIn(user: SignedInUser) {
  const { body } = await call<{ token: string }>(shop, 'POST', '/user/login', {
    body: { userPhone: user.phone, password: 'a good password' },
  })
  return { token: body.token }
}

async function buy(orders = 1, network = 'MTN') {
  const line = await cartLine(shop, { network, phoneNumber: network === 'MTN' ? '0551234567' : '0271234567' })
  const { body } = await checkout(
    shop,
    buyer,
    Array.from({ length: orders }, () => line),
  )
  return body.orders
}

const about = (orderId: string, kind = 'order') =>
  shop.database.db
    .query<{ status: string; detail: string; body: string; attempts: number }>(
      'select status, detail, body, attempts from sms_messages where order_id = $1 and kind = $2',
      [orderId, kind],
    )
    .then(({ rows }) => rows[0])
/** Waits until all that is to be told was made into messages. */
const allTold = () =>
  until(async () => {
    const { ordersToRelay, queues } = (await call<JobsReply>(shop, 'GET', '/admin/jobs', { as: admin })).body
    return (
      ordersToRelay === 0 &&
      queues.every(({ queue, waiting, later, active }) => !queue.startsWith('tell') || waiting + later + active === 0)
    )
  }, 20_000)
const reaches = (orderId: string, status: string, kind = 'order') =>
  until(async () => {
    const message = await about(orderId, kind)
    return message?.status === status && message
  })
const sendJobsOf = async (orderId: string) =>
  (
    await shop.database.db.query(
      `select from jobs.job where name = 'send-sms' and data ->> 'messageId' in (select id::text from sms_messages where order_id = $1)`,
      [orderId],
    )
  ).rowCount
const statusOf = async (orderId: string) =>
  (await shop.database.db.query<{ status: string }>('select status from orders where id = $1', [orderId])).rows[0]?.status

describe('the operator', () => {
  test("is asked to process an order by hand, at the shop's own number, in one segment that holds no link", async () => {
    const [order] = await buy()
    const { body } = await reaches(order!._id, 'sent')
    expect(body).toMatch(/^New order \d+: MTN 1GB to 0551234567, GHS 5\.50, from evil example\. Please process it by hand\.$/)
    expect(countSeptets(body)).toBeLessThanOrEqual(160)
    expect(
      services()
        .sent()
        .filter((message) => message.body === body),
    ).toMatchObject([{ to: '0240000000', sender: 'Dwadi', segments: 1 }])
  })

  test('is told once about an AirtelTigo order, with the supplier’s status', async () => {
    const [order] = await buy(1, 'AirtelTigo')
    const { body } = await reaches(order!._id, 'sent')
    expect(body).toMatch(/AirtelTigo 1GB to 0271234567, GHS 5\.00, from evil example\. Supplier: Sent to network\.$/)
    await shop.sandbox!.supplier.hubnet.setState(order!.reference, { state: 'delivered', webhook: true })
    await until(
      async () =>
        (await shop.database.db.query(`select from supplier_deliveries where order_id = $1 and status = 'delivered'`, [order!._id])).rows
          .length,
    )
    expect(
      services()
        .sent()
        .filter((message) => message.body.includes(body.slice(0, 16))),
    ).toHaveLength(1)
  })

  test('can have the messages at another number, or none', async () => {
    await change({ operatorPhone: '0509999999' })
    const [first] = await buy()
    await reaches(first!._id, 'sent')
    expect(services().sent()[0]?.to).toBe('0509999999')
    await change({ operatorSms: false })
    const [silent] = await buy()
    await allTold()
    expect(await about(silent!._id)).toBeUndefined()
  })

  test('with a number that is no Ghanaian mobile number gets nothing', async () => {
    // As shops have it that chose the number before such ones were refused.
    await shop.database.db.query(`update operations_settings set operator_phone = '0302123456'`)
    const [order] = await buy()
    await allTold()
    expect(await about(order!._id)).toBeUndefined()
  })

  test('gets one message per order even in a rush, unless digests are switched on', async () => {
    const sentBefore = services().sent().length
    const orders = await buy(12)
    for (const { _id } of orders) await reaches(_id, 'sent')
    const bodies = services()
      .sent()
      .slice(0, services().sent().length - sentBefore)
      .map(({ body }) => body)
    expect(bodies.filter((body) => /^New order \d+: MTN 1GB to 0551234567, /.test(body))).toHaveLength(12)
  })

  test('is told together of orders that were relayed in many small rounds', async () => {
    await change({ operatorSms: false })
    const orders = await buy(6)
    await allTold()
    await change({ operatorSms: true })
    await shop.database.db.query(
      `insert into jobs.job (name, data) select 'tell-new-orders', jsonb_build_object('orderIds', jsonb_build_array(id)) from unnest($1::uuid[]) as id`,
      [orders.map(({ _id }) => _id)],
    )
    for (const { _id } of orders) await reaches(_id, 'sent')
    const rounds = await shop.database.db.query(
      `select distinct started_on from jobs.job where name = 'tell-new-orders' and data -> 'orderIds' ->> 0 = any ($1)`,
      [orders.map(({ _id }) => _id)],
    )
    expect(rounds.rowCount).toBeLessThanOrEqual(2)
  })

  test('is told of each of several new orders though one of them cannot be told of', async () => {
    await change({ operatorSms: false })
    const orders = await buy(2)
    await allTold()
    await change({ operatorSms: true })
    const ids = [orders[0]!._id, randomUUID(), orders[1]!._id]
    await shop.database.db.query(`insert into jobs.job (name, data) values ('tell-new-orders', $1)`, [{ orderIds: ids }])
    for (const { _id } of orders) await reaches(_id, 'sent')
  })

  test('gets digests beyond a number of orders a minute, if switched on', async () => {
    await change({ smsDigest: true, smsDigestAbove: 3 })
    const sentBefore = services().sent().length
    const orders = await buy(20)
    const states = () => Promise.all(orders.map(async ({ _id }) => (await about(_id))?.status)).then((all) => all.sort().join())
    const digested = (status: string) => [...Array.from({ length: 17 }, () => status), ...Array.from({ length: 3 }, () => 'sent')].join()
    await until(async () => (await states()) === digested('for-digest'), 20_000)
    expect(services().sent().length).toBe(sentBefore + 3)
    await shop.database.db.query('update jobs.job set start_after = now() where name = $1', [DIGEST_QUEUE])
    await until(async () => (await states()) === digested('in-digest'), 20_000)
    const listed = () =>
      services()
        .sent()
        .map(({ body }) => body)
        .filter((body) => body.startsWith('Dwadi: 05'))
        .flatMap((body) => body.match(/0551234567 1GB MTN/g) ?? [])
    await until(() => listed().length === 17)
  })
})

describe('the daily cap', () => {
  test('stops messages, with a warning at 80 %, and delays no order', async () => {
    // Of ten, half are for codes to confirmed numbers, and one is for other codes.
    await change({ smsDailyCap: 10, operatorSms: false, buyerSms: true })
    const day = shop.clock.now.toISOString().slice(0, 10)
    const used = () =>
      shop.database.db.query('select used, warned, full_warned from sms_days where day = $1', [day]).then(({ rows }) => rows[0])
    const sentBefore = services().sent().length
    const orders = (await buy(11)).map(({ _id }) => _id)
    const tell = async (orderIds: string[]) => {
      for (const id of orderIds) await call(shop, 'PUT', `/order/update-status/${id}`, { as: admin, body: { status: 'completed' } })
      return orderIds
    }
    for (const id of await tell(orders.slice(0, 3))) await reaches(id, 'sent', 'completed')
    expect(await used()).toEqual({ used: 3, warned: false, full_warned: false })
    for (const id of await tell(orders.slice(3, 4))) await reaches(id, 'sent', 'completed')
    expect(await used()).toEqual({ used: 4, warned: true, full_warned: false })
    const late = await tell(orders.slice(4, 9))
    for (const id of late) await reaches(id, 'over-cap', 'completed')
    expect(await used()).toEqual({ used: 4, warned: true, full_warned: true })
    expect(services().sent().length).toBe(sentBefore + 4)
    expect(new Set(await Promise.all(late.map(statusOf)))).toEqual(new Set(['completed']))

    // From then on nothing is begun that could not end well, until the owner allows more.
    const [beyond, again] = orders.slice(9) as [string, string]
    await tell([beyond])
    expect(await reaches(beyond, 'over-cap', 'completed')).toMatchObject({ detail: "the day's 4 messages are used up", attempts: 0 })
    expect(await sendJobsOf(beyond)).toBe(0)
    await change({ smsDailyCap: 500 })
    await tell([again])
    await reaches(again, 'sent', 'completed')
    expect(await sendJobsOf(again)).toBe(1)
  })

  const statesOf = async (orders: { _id: string }[]) => {
    const all = await Promise.all(orders.map(async ({ _id }) => (await about(_id))?.status ?? 'none'))
    return Object.fromEntries([...new Set(all)].toSorted().map((status) => [status, all.filter((one) => one === status).length]))
  }
  const become = (orders: { _id: string }[], states: object) =>
    until(async () => JSON.stringify(await statesOf(orders)) === JSON.stringify(states), 20_000)

  test('has room for codes, however many orders the operator is told of: these go together and none is dropped', async () => {
    await change({ smsDailyCap: 16 })
    const orders = await buy(40)
    await become(orders, { 'for-digest': 36, sent: 4 })
    await shop.database.db.query('update jobs.job set start_after = now() where name = $1', [DIGEST_QUEUE])
    await become(orders, { 'in-digest': 36, sent: 4 })
    await until(() =>
      services()
        .sent()
        .some(({ body }) => body.endsWith(': 36 more new orders. They are in the list of orders.')),
    )
    expect(await selectIsDayFull(shop.database.db, shop.clock.now)).toBe(false)
    expect(await selectDropped(shop.database.db, shop.clock.now.toISOString().slice(0, 10))).toEqual([])
  })

  test('is not one customer’s: after twenty orders of a day, theirs are told of together, and another’s by itself', async () => {
    const orders = await buy(23)
    await become(orders, { 'for-digest': 3, sent: 20 })
    const other = await makeUser(shop, { balance: 100 })
    const { body } = await checkout(shop, other, [await cartLine(shop, { network: 'MTN', phoneNumber: '0551234567' })])
    await reaches(body.orders[0]!._id, 'sent')
  })
})

describe('a faulty message service', () => {
  test.each([
    ['refuses the key', { kind: 'refuse', cause: 'bad-key', times: 2 }],
    ['has no money of ours', { kind: 'refuse', cause: 'no-money', times: 2 }],
    ['is called too often', { kind: 'refuse', cause: 'too-often', times: 1 }],
    ['says error with 200', { kind: 'refuse', cause: 'error', times: 1 }],
  ] as const)('that %s is retried, and the order is unaffected', async (_name, fault) => {
    services().addFault({ call: 'send', ...fault })
    const [order] = await buy()
    expect(order?.status).toBe('pending')
    const message = await reaches(order!._id, 'sent')
    expect(message.attempts).toBe(fault.times + 1)
    expect(
      services()
        .sent()
        .filter(({ body }) => body === message.body),
    ).toHaveLength(1)
  })

  test('that refuses one of several leaves the others alone', async () => {
    services().addFault({ call: 'send', kind: 'refuse', cause: 'too-often', times: 1 })
    const orders = await buy(4)
    const messages = await Promise.all(orders.map(({ _id }) => reaches(_id, 'sent')))
    expect(messages.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 1, 2])
  })

  test.each([
    ['never answers, though it sends', { kind: 'hang' }],
    ['cuts the connection, though it sends', { kind: 'drop' }],
    ['answers with a page', { kind: 'html' }],
  ] as const)('that %s is not sent the same message twice', async (_name, fault) => {
    services().addFault({ call: 'send', ...fault })
    const [order] = await buy()
    const message = await reaches(order!._id, 'unknown')
    expect([message.attempts, await statusOf(order!._id)]).toEqual([1, 'pending'])
  })

  test('that calls a number invalid is not retried', async () => {
    services().addFault({ call: 'send', kind: 'invalid-number' })
    const [order] = await buy()
    expect((await reaches(order!._id, 'failed')).attempts).toBe(1)
  })
})

test('a buyer is told once that an order is done, if switched on', async () => {
  const [silent, loud] = await buy(2)
  const complete = (orderId: string) => call(shop, 'PUT', `/order/update-status/${orderId}`, { as: admin, body: { status: 'completed' } })
  await complete(silent!._id)
  await allTold()
  await change({ buyerSms: true })
  await complete(loud!._id)
  const { body } = await reaches(loud!._id, 'sent', 'completed')
  expect(body).toMatch(/^Dwadi: your MTN 1GB for 0551234567 is done\. Order \d+\. Thank you for buying from us\.$/)
  expect(
    services()
      .sent()
      .filter((message) => message.body === body),
  ).toMatchObject([{ to: buyer.phone }])
  expect(await about(silent!._id, 'completed')).toBeUndefined()
})

describe('a buyer whose number the network checks first', () => {
  const hubnet = () => shop.sandbox!.supplier.hubnet
  const checks = {
    call: 'delivery' as const,
    kind: 'end' as const,
    state: 'processing' as const,
    word: 'awaiting_verification',
    afterMs: 0,
  }
  const toBuyer = () =>
    services()
      .sent()
      .filter(({ to, body }) => to === buyer.phone && body.includes('checks new numbers first'))
  const isChecked = (orderId: string, times = 1) =>
    until(async () => {
      const { rows } = await shop.database.db.query(
        'select from supplier_deliveries where order_id = $1 and verifying_since is not null and asked >= $2',
        [orderId, times],
      )
      return rows.length === 1
    })

  test('is told so once, in one segment, however often the supplier says it', async () => {
    await change({ buyerSms: true })
    hubnet().addFault(checks)
    const [order] = await buy(1, 'AirtelTigo')
    const { body } = await reaches(order!._id, 'sent', 'verifying')
    expect(body).toMatch(
      /^Dwadi: AirtelTigo checks new numbers first, so 1GB for 0271234567 can take up to 7 days\. You need do nothing\. Order \d+\.$/,
    )
    await isChecked(order!._id, 3)
    await shop.database.db.query('update supplier_deliveries set verifying_since = null where order_id = $1', [order!._id])
    await isChecked(order!._id, 4)
    await allTold()
    expect(toBuyer()).toHaveLength(1)
    await hubnet().setState(order!.reference, { state: 'delivered' })
  })

  test('is told nothing if they want no messages or the shop sends none, nor of each line of a list', async () => {
    const before = toBuyer().length
    hubnet().addFault({ ...checks, times: 3 })
    const [unsaid] = await buy(1, 'AirtelTigo')
    await isChecked(unsaid!._id)
    await allTold()
    await change({ buyerSms: true })
    await call(shop, 'PUT', '/user/news', { as: buyer, body: { sms: false } })
    const [unwanted] = await buy(1, 'AirtelTigo')
    await isChecked(unwanted!._id)
    await allTold()
    await call(shop, 'PUT', '/user/news', { as: buyer, body: { sms: true } })
    const airtelTigo = await cartLine(shop, { network: 'AirtelTigo' })
    const agent = await makeUser(shop, { level: 'Agent', balance: 20 })
    const { priceAgent } = (await findProduct(shop, 'AirtelTigo')).packages.find(({ offer }) => offer === airtelTigo.offer)!
    const list = await call(shop, 'POST', '/bulk', {
      as: agent,
      headers: { 'idempotency-key': 'a-list-with-a-new-number-1' },
      body: {
        total: priceAgent,
        lines: [{ ...airtelTigo, amount: priceAgent, number: 1, text: '0271234567 1', name: '', phoneNumber: '0271234567' }],
        leftOut: [],
      },
    })
    expect([list.status, list.body]).toEqual([200, expect.anything()])
    const { rows } = await shop.database.db.query<{ orderId: string }>('select order_id as "orderId" from bulk_lines')
    await isChecked(rows[0]!.orderId)
    await allTold()
    expect(toBuyer()).toHaveLength(before)
    expect(
      services()
        .sent()
        .filter(({ to }) => to === agent.phone),
    ).toEqual([])
  })
})

describe('a buyer whose order is refunded or whose report is answered', () => {
  type Answered = { report: { _id: string } }
  const reject = (orderId: string) => call(shop, 'PUT', `/order/update-status/${orderId}`, { as: admin, body: { status: 'rejected' } })
  const news = (as: SignedInUser, sms?: boolean) =>
    call<{ offered: boolean; sms: boolean; phone: string }>(shop, sms === undefined ? 'GET' : 'PUT', '/user/news', {
      as,
      ...(sms === undefined ? {} : { body: { sms } }),
    })
  const sentTo = (phone: string) =>
    services()
      .sent()
      .filter(({ to }) => to === phone)
      .map(({ body }) => body)

  /** A buyer of their own with a reported order. */
  async function reportedOrder() {
    const person = await makeUser(shop, { balance: 20 })
    const { body: bought } = await checkout(shop, person, [await cartLine(shop)])
    const { _id } = bought.orders[0]!
    await shop.database.db.query(`update orders set created_at = created_at - interval '3 hours' where id = $1`, [_id])
    const { body } = await call<Answered>(shop, 'POST', `/order/${_id}/report`, { as: person, body: {} })
    return { person, orderId: _id, reportId: body.report._id }
  }
  const answer = (reportId: string, text: string) =>
    call(shop, 'POST', `/report/${reportId}/message`, { as: admin, body: { text } }).then(({ status }) => expect(status).toBe(200))

  test('is told of each answer and of the refund, once, and not of their own lines', async () => {
    await change({ buyerSms: true })
    const { person, orderId, reportId } = await reportedOrder()
    expect((await news(person)).body).toEqual({ offered: true, sms: true, phone: person.phone })
    await call(shop, 'POST', `/report/${reportId}/message`, { as: person, body: { text: 'Hello?' } })
    await answer(reportId, 'We are asking. 😀')
    await answer(reportId, 'Still asking.')
    await until(() => sentTo(person.phone).length === 2)
    // Longer than the reason of a refund may be.
    const text = `It never left. ${'We asked twice. '.repeat(15)}`.trim()
    await call(shop, 'PUT', `/admin/reports/${reportId}/end`, { as: admin, body: { outcome: 'refunded', text } })
    await reaches(orderId, 'sent', 'rejected')
    await allTold()
    expect(sentTo(person.phone)).toEqual([
      expect.stringMatching(/^Dwadi: we refunded order \d+, MTN 1GB for 0551234567\. It never left We asked twice/),
      expect.stringMatching(/^Dwadi: we answered your report about MTN 1GB for 0551234567\. Please see order \d+\.$/),
      expect.stringMatching(/^Dwadi: we answered your report/),
    ])
  })

  test('is told nothing if they want no messages, or if the shop sends none', async () => {
    await change({ buyerSms: true })
    const { person, orderId, reportId } = await reportedOrder()
    expect((await news(person, false)).body).toMatchObject({ offered: true, sms: false })
    await answer(reportId, 'We are asking.')
    await reject(orderId)
    await allTold()
    await change({ buyerSms: false })
    expect((await news(person, true)).body).toMatchObject({ offered: false, sms: true })
    const { reportId: other, person: second } = await reportedOrder()
    await answer(other, 'We are asking.')
    await allTold()
    expect([...sentTo(person.phone), ...sentTo(second.phone)]).toEqual([])
  })

  test('gets no message twice when the service may have sent it', async () => {
    await change({ buyerSms: true, operatorSms: false })
    services().addFault({ call: 'send', kind: 'drop' })
    const { orderId } = await reportedOrder()
    await reject(orderId)
    const message = await reaches(orderId, 'unknown', 'rejected')
    expect(message.attempts).toBe(1)
  })
})

describe('a checker from the stock', () => {
  afterEach(() => clearCheckers(shop))

  async function buyChecker(network = 'WAEC Checkers', offer = 'BECE') {
    const { body } = await checkout(shop, buyer, [await cartLine(shop, { network, offer, phoneNumber: '0551234567' })])
    return body.orders[0]!
  }

  test('is told to the operator like any other order, and that it is done', async () => {
    await stockCheckers(shop, 'BECE', 1)
    const order = await buyChecker()
    expect(order.status).toBe('completed')
    const { body } = await reaches(order._id, 'sent')
    expect(body).toMatch(/^New order \d+: WAEC Checkers BECE to 0551234567, .* It is done\.$/)
    expect(
      services()
        .messages()
        .filter((message) => message.body === body),
    ).toHaveLength(1)
  })

  test('is told to nobody once the owner has switched that off, while other orders still are', async () => {
    await stockCheckers(shop, 'BECE', 1)
    await change({ operatorCheckerSms: false })
    const [checker, byHand] = [await buyChecker(), await buyChecker('MTN', '1GB')]
    expect(checker.status).toBe('completed')
    await reaches(byHand._id, 'sent')
    await allTold()
    expect(await about(checker._id)).toBeUndefined()
  })
})
