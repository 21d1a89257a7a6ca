import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../../../../shared/webhooks.ts'
import { type AnsweringServer, openAnsweringServer } from '../../../../test/answering-server.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, findProduct, makeUser } from '../../../../test/builders.ts'
import { allow } from '../../../../test/slowness.ts'
import { until } from '../../../../test/until.ts'
import { isPublicAddress } from '../../../integrations/webhooks/public-address.ts'
import { openWebhookGateway, signWebhook, type WebhookGateway } from '../../../integrations/webhooks/webhook-gateway.ts'
import { openJobQueue } from '../../../platform/job-queue.ts'
import { createLog } from '../../../platform/log.ts'
import { queueRules, WEBHOOK_QUEUE } from '../../../platform/queues.ts'
import { QUICK_TIMINGS } from '../../../platform/timings.ts'
import { sendWebhook, WEBHOOK_LANES } from './send-webhook.ts'

const ALL = ['order.delivered', 'order.refused', 'order.refunded']
const DAY_MS = 86_400_000

let shop: TestShop
let receiver: AnsweringServer

/** Receivers at http://slow/… never answer until they are told what to say. */
const slow = { underWay: new Map<string, number>(), most: new Map<string, number>(), says: null as 'late' | 'nothing' | null }
const toReceiver = openWebhookGateway({ allowPrivate: true, timeoutMs: allow(500) })
const gateway: WebhookGateway = {
  ...toReceiver,
  async send(message) {
    const agent = /^http:\/\/slow\/([^/]+)/.exec(message.url)?.[1]
    if (agent === undefined) return toReceiver.send(message)
    const count = (more: number) => {
      const now = (slow.underWay.get(agent) ?? 0) + more
      slow.underWay.set(agent, now)
      slow.most.set(agent, Math.max(now, slow.most.get(agent) ?? 0))
    }
    count(1)
    const says = await until(() => slow.says, 60_000)
    count(-1)
    return says === 'late' ? { answer: 200, problem: null, tookMs: 9_000 } : { answer: null, problem: 'timeout', tookMs: 10_000 }
  },
}

beforeAll(async () => {
  receiver = await openAnsweringServer()
  shop = await openTestShop({ webhookGateway: gateway })
})
afterAll(async () => {
  await shop.close()
  await receiver.close()
})

type Made = { endpoint: WebhookEndpoint; secret: string }

async function makeEndpoint(as: SignedInUser, changes: Record<string, unknown> = {}): Promise<Made> {
  const body = { url: `${receiver.url}/${as._id}`, events: ALL, ...changes }
  const reply = await call<Made>(shop, 'POST', '/webhooks', { as, body })
  expect([reply.status, reply.body]).toMatchObject([200, { secret: expect.stringMatching(/^whsec_/) }])
  return reply.body
}

async function buy(as: SignedInUser) {
  const { _id, packages } = await findProduct(shop, 'MTN')
  const [line] = packages
  if (!line) throw new Error('MTN has no package')
  const item = { productId: _id, offer: line.offer, phoneNumber: '0244123456', amount: line.priceAgent }
  const { body } = await call<{ orders: { _id: string; number: string }[] }>(shop, 'POST', '/order/checkout', {
    as,
    body: { items: [item] },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const [order] = body.orders
  if (!order) throw new Error('nothing was bought')
  return order
}

const heardBy = ({ _id }: SignedInUser) => receiver.heard.filter(({ url }) => url === `/${_id}`)
async function deliveriesOf(as: SignedInUser, { _id }: WebhookEndpoint) {
  return (await call<{ deliveries: WebhookDelivery[] }>(shop, 'GET', `/webhooks/${_id}/deliveries`, { as })).body.deliveries
}
async function decide(number: string, status: string) {
  const as = await makeUser(shop, { level: 'Admin' })
  expect((await call(shop, 'PUT', `/order/update-status/${number}`, { as, body: { status } })).status).toBe(200)
}

describe('an event', () => {
  test('is signed, says what became of the order, and reaches each endpoint that wants it, once', async () => {
    receiver.answer({ status: 204 })
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const { endpoint, secret } = await makeEndpoint(agent)
    await makeEndpoint(agent, { test: true })
    await makeEndpoint(agent, { events: ['order.refunded'] })
    const [first, second] = [await buy(agent), await buy(agent)]
    await decide(first._id, 'completed')
    await decide(second._id, 'rejected')
    const deliveries = await until(async () => {
      const all = await deliveriesOf(agent, endpoint)
      return all.length === 2 && all.every(({ status }) => status === 'delivered') && all
    })
    expect(deliveries.map(({ event, order, answer, attempts }) => [event, order, answer, attempts])).toEqual([
      ['order.refused', `ord_${second.number}`, 204, 1],
      ['order.delivered', `ord_${first.number}`, 204, 1],
    ])
    const heard = heardBy(agent)
    expect(heard).toHaveLength(2)
    const delivered = heard.find(({ body }) => (body as { type: string }).type === 'order.delivered')
    expect(delivered?.body).toMatchObject({ data: { id: `ord_${first.number}`, status: 'completed', receiver: '0244123456', test: false } })
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = delivered?.headers ?? {}
    const signed = { id: String(id), at: new Date(Number(at) * 1000), body: JSON.stringify(delivered?.body), secrets: [secret] }
    expect([String(id), signature]).toEqual([deliveries[1]?.eventId, signWebhook(signed)])
    const { rows } = await shop.database.db.query<{ kept: string }>('select to_jsonb(p)::text as kept from webhook_endpoints p')
    for (const { kept } of rows) expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
  })

  test('is tried again until it arrives, and sent once more under the same id when that is asked for', async () => {
    receiver.answer({ status: 503 })
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const stranger = await makeUser(shop, { level: 'Agent' })
    const { endpoint } = await makeEndpoint(agent)
    await decide((await buy(agent))._id, 'completed')
    await until(async () => (await deliveriesOf(agent, endpoint)).some(({ attempts, status }) => attempts === 4 && status === 'failed'))
    expect((await call<WebhookEndpoint[]>(shop, 'GET', '/webhooks', { as: agent })).body[0]?.failingSince).toBe(
      shop.clock.now.toISOString(),
    )

    receiver.answer({ status: 200 })
    const [delivery] = await deliveriesOf(agent, endpoint)
    const resend = (as: SignedInUser) => call(shop, 'POST', `/webhooks/deliveries/${delivery?._id}/resend`, { as, body: {} })
    expect((await resend(stranger)).status).toBe(404)
    expect((await resend(agent)).status).toBe(200)
    await until(async () => (await deliveriesOf(agent, endpoint)).every(({ status }) => status === 'delivered'))
    expect(new Set(heardBy(agent).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await call<WebhookEndpoint[]>(shop, 'GET', '/webhooks', { as: agent })).body[0]?.failingSince).toBeNull()
    expect((await call(shop, 'GET', `/webhooks/${endpoint._id}/deliveries`, { as: stranger })).status).toBe(404)
  })

  test('of a test order goes to test endpoints alone', async () => {
    receiver.answer({ status: 200 })
    const agent = await makeUser(shop, { level: 'Agent' })
    const { endpoint: live } = await makeEndpoint(agent)
    const { endpoint } = await makeEndpoint(agent, { test: true })
    const wanted = { name: 'Trying out', scopes: ['orders:write'], test: true }
    const { secret } = (await call<{ secret: string }>(shop, 'POST', '/api-keys', { as: agent, body: wanted })).body
    const [line] = (await findProduct(shop, 'MTN')).packages
    const reply = await shop.app.inject({
      method: 'POST',
      url: '/v1/orders',
      headers: { authorization: `Bearer ${secret}`, 'idempotency-key': 'one' },
      payload: { network: 'MTN', offer: line?.offer, receiver: '0244120005', expected_price: line?.priceAgent.toFixed(2) },
    })
    expect(reply.statusCode).toBe(201)
    await until(async () => (await deliveriesOf(agent, endpoint)).filter(({ status }) => status === 'delivered').length === 2)
    expect((await deliveriesOf(agent, endpoint)).map(({ event, order }) => [event, order])).toEqual([
      ['order.refunded', reply.json().id],
      ['order.delivered', reply.json().id],
    ])
    expect(await deliveriesOf(agent, live)).toEqual([])
  })
})

describe('an endpoint', () => {
  test('that takes nothing for five days is switched off, and works again once it is saved', async () => {
    receiver.answer({ status: 500 })
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const { endpoint } = await makeEndpoint(agent)
    const sendTest = () => call(shop, 'POST', `/webhooks/${endpoint._id}/test`, { as: agent, body: {} })
    const read = async () => (await call<WebhookEndpoint[]>(shop, 'GET', '/webhooks', { as: agent })).body[0]
    await sendTest()
    await until(async () => (await deliveriesOf(agent, endpoint)).every(({ status }) => status === 'failed'))
    expect((await read())?.disabledAt).toBeNull()
    shop.clock.advance(5 * DAY_MS)
    await sendTest()
    await until(async () => (await read())?.disabledAt)
    expect((await sendTest()).status).toBe(409)

    receiver.answer({ status: 200 })
    expect((await call(shop, 'PUT', `/webhooks/${endpoint._id}`, { as: agent, body: { url: endpoint.url, events: ALL } })).status).toBe(200)
    const before = heardBy(agent).length
    expect((await sendTest()).status).toBe(200)
    await until(() => heardBy(agent).length === before + 1)

    receiver.answer({ status: 410 })
    await sendTest()
    await until(async () => (await read())?.disabledAt)
  })

  test('that was switched off gets what it missed once it is saved, also what happened meanwhile', async () => {
    receiver.answer({ status: 410 })
    const agent = await makeUser(shop, { level: 'Agent', balance: 100 })
    const { endpoint } = await makeEndpoint(agent)
    const [first, second] = [await buy(agent), await buy(agent)]
    await decide(first._id, 'completed')
    await until(async () => (await call<WebhookEndpoint[]>(shop, 'GET', '/webhooks', { as: agent })).body[0]?.disabledAt)
    await decide(second._id, 'rejected')
    const states = async () => (await deliveriesOf(agent, endpoint)).map(({ event, status, problem }) => [event, status, problem])
    await until(async () => (await states()).length === 2)
    expect(await states()).toEqual([
      ['order.refused', 'failed', 'switched off'],
      ['order.delivered', 'failed', null],
    ])
    expect(heardBy(agent)).toHaveLength(1)

    receiver.answer({ status: 200 })
    expect((await call(shop, 'PUT', `/webhooks/${endpoint._id}`, { as: agent, body: { url: endpoint.url, events: ALL } })).status).toBe(200)
    await until(async () => (await states()).every(([, status]) => status === 'delivered'))
    expect(
      heardBy(agent)
        .slice(1)
        .map(({ body }) => (body as { data: { id: string } }).data.id)
        .sort(),
    ).toEqual([`ord_${first.number}`, `ord_${second.number}`].sort())
  })

  test('gets both signatures for a day after its secret was replaced, and nothing after its end', async () => {
    receiver.answer({ status: 200 })
    const agent = await makeUser(shop, { level: 'Agent' })
    const { endpoint, secret } = await makeEndpoint(agent)
    const fresh = (await call<Made>(shop, 'POST', `/webhooks/${endpoint._id}/rotate`, { as: agent, body: {} })).body.secret
    const signatures = async () => {
      const before = heardBy(agent).length
      await call(shop, 'POST', `/webhooks/${endpoint._id}/test`, { as: agent, body: {} })
      const { headers, body } = await until(() => heardBy(agent)[before])
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      const sign = (one: string) => signWebhook({ id: String(headers['webhook-id']), at, body: JSON.stringify(body), secrets: [one] })
      const sent = String(headers['webhook-signature']).split(' ')
      return [sent.length, sent.includes(sign(fresh)), sent.includes(sign(secret))]
    }
    expect(await signatures()).toEqual([2, true, true])
    shop.clock.advance(DAY_MS)
    expect(await signatures()).toEqual([1, true, false])
    expect((await call(shop, 'DELETE', `/webhooks/${endpoint._id}`, { as: agent })).status).toBe(200)
    expect((await call(shop, 'POST', `/webhooks/${endpoint._id}/test`, { as: agent, body: {} })).status).toBe(404)
    expect((await call<WebhookEndpoint[]>(shop, 'GET', '/webhooks', { as: agent })).body).toEqual([])
  })

  test('is for agents, ten at most, and its owner’s alone', async () => {
    const body = { url: `${receiver.url}/x`, events: ALL }
    expect((await call(shop, 'POST', '/webhooks', { as: await makeUser(shop), body })).status).toBe(403)
    const [agent, stranger] = [await makeUser(shop, { level: 'Agent' }), await makeUser(shop, { level: 'Agent' })]
    const made = await Promise.all(Array.from({ length: 12 }, () => call<Made>(shop, 'POST', '/webhooks', { as: agent, body })))
    expect(made.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 200), 409, 409])
    const id = made.find(({ status }) => status === 200)?.body.endpoint._id
    const attempts = [
      call(shop, 'PUT', `/webhooks/${id}`, { as: stranger, body }),
      call(shop, 'DELETE', `/webhooks/${id}`, { as: stranger }),
      call(shop, 'POST', `/webhooks/${id}/rotate`, { as: stranger, body: {} }),
      call(shop, 'POST', `/webhooks/${id}/test`, { as: stranger, body: {} }),
    ]
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

describe('endpoints that are slow', () => {
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, one) => total + one, 0)
  const behind = async (user: SignedInUser) => {
    const { rows } = await shop.database.db.query<{ behind: number }>(
      'select count(*) as behind from webhook_endpoints where user_id = $1 and (failing_since is not null or slow_since is not null)',
      [user._id],
    )
    return rows[0]?.behind
  }

  test('hold up no other agent’s events, in any process, and from then on all others go first', async () => {
    receiver.answer({ status: 200 })
    const { db } = shop.database
    const log = createLog('silent')
    const jobs = await openJobQueue({ db, log, queues: queueRules(QUICK_TIMINGS), timings: QUICK_TIMINGS.jobs })
    const ctx = () => ({ db, log, jobs, now: shop.clock.now, actor: null, ip: null, realtime: undefined as never })
    const sending = { gateway, secretsKey: 'the key of the secrets of a test', ...QUICK_TIMINGS.webhooks }
    jobs.workInLanes(WEBHOOK_QUEUE, WEBHOOK_LANES, (job: { deliveryId: string }, how) => sendWebhook(ctx(), sending, job, how))

    const agents = await Promise.all(Array.from({ length: 8 }, () => makeUser(shop, { level: 'Agent' })))
    const other = await makeUser(shop, { level: 'Agent' })
    const { endpoint: prompt } = await makeEndpoint(other)
    const slowOnes = await Promise.all(
      agents.map((as) =>
        Promise.all(
          Array.from({ length: 10 }, async (_, i) => (await makeEndpoint(as, { url: `http://slow/${as._id}/${i}` })).endpoint._id),
        ),
      ),
    )
    const tell = (as: SignedInUser, id: string) => call(shop, 'POST', `/webhooks/${id}/test`, { as, body: {} })
    const tellAll = (some: readonly number[]) =>
      Promise.all(some.flatMap((i) => slowOnes[i]?.map((id) => tell(agents[i] as SignedInUser, id)) ?? []))
    const arrives = async () => {
      const before = heardBy(other).length
      expect((await tell(other, prompt._id)).status).toBe(200)
      await until(() => heardBy(other).length === before + 1)
    }

    // Twenty endpoints of two agents hang, which are known for nothing yet.
    await tellAll([0, 1])
    await until(() => sum(slow.underWay) === 2 * WEBHOOK_LANES.usual.perGroup)
    await arrives()
    // Two agents’ endpoints answer late, those of the others not at all, until all are known for it.
    slow.says = 'late'
    await until(async () => (await behind(agents[0] as SignedInUser)) === 10 && (await behind(agents[1] as SignedInUser)) === 10)
    slow.says = 'nothing'
    const others = [2, 3, 4, 5, 6, 7]
    await tellAll(others)
    await until(async () => (await Promise.all(others.map((i) => behind(agents[i] as SignedInUser)))).every((count) => count === 10))
    expect(Math.max(...slow.most.values())).toBe(WEBHOOK_LANES.usual.perGroup)

    // Now all eighty hang at once: more than both processes would call, and the usual lane stays free of them.
    await until(() => sum(slow.underWay) === 0)
    slow.says = null
    slow.most.clear()
    await tellAll([0, 1, ...others])
    await until(() => sum(slow.underWay) === 2 * WEBHOOK_LANES.behind.atOnce)
    for (let i = 0; i < 3; i++) await arrives()
    expect(Math.max(...slow.most.values())).toBe(WEBHOOK_LANES.behind.perGroup)
    // They take turns: each agent is served before the first one's last.
    slow.says = 'late'
    await until(() => slow.most.size === agents.length)
    await jobs.stop()
  })
})

describe('sending', () => {
  const message = { id: 'one', body: '{}', at: new Date(0), secrets: ['whsec_AAAA'] }
  const guarded = (found: string[]) =>
    openWebhookGateway({
      allowPrivate: false,
      timeoutMs: allow(500),
      resolve: async () => found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    })

  test.each([
    'http://example.com/hooks',
    'https://user:secret@example.com/',
    'https://localhost/',
    'https://localhost./',
    'https://metadata/',
    'https://shop.internal/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://example.com:22/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'nonsense',
  ])('never goes to %s', async (url) => {
    const gateway = guarded(['93.184.215.14'])
    expect(gateway.urlProblem(url)).toEqual(expect.any(String))
    expect(await gateway.send({ ...message, url })).toMatchObject({ answer: null })
  })

  test('asks a name once, goes nowhere if any of its addresses is not public, and to the address that was checked', async () => {
    for (const private_ of [
      '10.1.2.3',
      '192.168.1.1',
      '172.16.0.1',
      '100.64.1.1',
      '169.254.169.254',
      '127.0.0.1',
      '::1',
      'fe80::1',
      'fc00::1',
      '64:ff9b::7f00:1',
      '::ffff:127.0.0.1',
      '0.0.0.0',
    ]) {
      expect([private_, isPublicAddress(private_)]).toEqual([private_, false])
      const sent = await guarded(['93.184.215.14', private_]).send({ ...message, url: 'https://hooks.example.com/' })
      expect([private_, sent.problem]).toEqual([private_, 'not on the public internet'])
    }
    expect(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'].map(isPublicAddress)).toEqual([true, true])

    let asked = 0
    const gateway = openWebhookGateway({
      allowPrivate: true,
      timeoutMs: allow(500),
      // The second answer would lead elsewhere, where nobody listens.
      resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    })
    receiver.answer({ status: 302, location: `${receiver.url}/elsewhere` })
    const url = `${receiver.url.replace('127.0.0.1', 'hooks.example.com')}/pinned`
    expect(await gateway.send({ ...message, url })).toMatchObject({ answer: 302, problem: null })
    expect([asked, receiver.heard.filter(({ url }) => url === '/elsewhere')]).toEqual([1, []])
  })

  test('ends when nothing answers, and says so', async () => {
    const gateway = openWebhookGateway({ allowPrivate: true, timeoutMs: 50 })
    receiver.answer({ hang: true })
    expect(await gateway.send({ ...message, url: receiver.url })).toMatchObject({ answer: null, problem: 'timeout' })
    receiver.answer({ cut: true })
    const patient = openWebhookGateway({ allowPrivate: true, timeoutMs: allow(500) })
    expect(await patient.send({ ...message, url: receiver.url })).toMatchObject({ answer: null, problem: 'connection cut' })
  })

  test('asks for names by itself, not in line with the names of the supplier and of payments, and gives up in time', async () => {
    const server = createSocket('udp4').bind(0, '127.0.0.1')
    await once(server, 'listening')
    const asked: Buffer[] = []
    server.on('message', (question, { port }) => {
      asked.push(question)
      if (!question.includes('private')) return
      // Its id, "no error, one answer", the question without its options, and, whatever was asked, the IPv4 address 10.0.0.1.
      const [id, name] = [question.subarray(0, 2), question.subarray(12, question.indexOf(0, 12) + 5)]
      const answer = Buffer.from('c00c000100010000000100040a000001', 'hex')
      server.send(Buffer.concat([id, Buffer.from('81800001000100000000', 'hex'), name, answer]), port, '127.0.0.1')
    })
    const nameservers = [`127.0.0.1:${server.address().port}`]
    const gateway = openWebhookGateway({ allowPrivate: false, timeoutMs: allow(300), nameservers })
    const hosts = ['never1', 'never2', 'private']
    const sent = await Promise.all(hosts.map((host) => gateway.send({ ...message, url: `https://${host}.example.com/` })))
    server.close()
    expect(sent.map(({ problem }) => problem)).toEqual(['timeout', 'timeout', 'not on the public internet'])
    for (const host of hosts) expect(asked.some((question) => question.includes(host))).toBe(true)
  })

  test('signs as Standard Webhooks says', () => {
    // The example of https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    const example = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }
    expect(signWebhook(example)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
})
