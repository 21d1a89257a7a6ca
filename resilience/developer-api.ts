import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { settleReferrals } from '../server/features/people/referrals/settle-referrals.ts'
import { signWebhook } from '../server/integrations/webhooks/webhook-gateway.ts'
import { callAt, HeldConnection } from '../test/http-client.ts'
import { shuffle } from '../test/random.ts'
import { makeCtx } from '../test/settling.ts'
import { until } from '../test/until.ts'
import { namedTricks, openTrap, type Trap, typedTricks } from './address-tricks.ts'
import type { Experiment, Trial } from './experiment.ts'
import { type Held, openShops, type Person, pesewas, type Shop, type Shops, withoutGuard } from './shops.ts'

const CALLERS = 16
const MONEY = 100_000
const REWARD = 200
/** A reward takes about as long. */
const LOOKS_WITHIN_MS = 4
const TWO_DAYS_MS = 2 * 86_400_000
const EVENTS_WITHIN_MS = 60_000
/** Starting a process anew takes longer than all else, so a kill is for this many agents. */
const TOLD_AT_ONCE = 5

/** V. Agents' programs: keys, lists and webhooks, and the agents who invite. */
export const developerApi: Experiment[] = [
  {
    id: 'V1',
    expects: `${CALLERS} programs send one Idempotency-Key to two processes at once, half of them an order and half a list of two: one of the two is bought, once`,
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const bought = { orders: 0, lists: 0 }
      await trial.repeat(async () => {
        const { agent, secret } = await makeKey(shops)
        const order = orderIn(shops)
        const key = crypto.randomUUID()
        const single = held('/v1/orders', secret, key, order)
        const list = held('/v1/lists', secret, key, { orders: [order, order] })
        const replies = await shops.race(
          Array.from({ length: CALLERS }, (_, i) => (i % 4 < 2 ? single : list)),
          trial.random,
        )
        const taken = replies.filter(({ status }) => status === 201)
        const refused = replies.filter(({ status, body }) => status === 409 && body.code === 'KEY_REUSED')
        trial.same('callers that got it, and callers that were refused', [taken.length, refused.length], [CALLERS / 2, CALLERS / 2])
        trial.same('what they got', new Set(taken.map(({ body }) => body.id)).size, 1)
        trial.same(
          'replies that say it was bought before',
          taken.filter(({ headers }) => headers['idempotency-replayed']).length,
          CALLERS / 2 - 1,
        )
        const isList = String(taken[0]?.body.id).startsWith('list_')
        bought[isList ? 'lists' : 'orders'] += 1
        await expectPaid(trial, shops, agent, isList ? 2 : 1)
      })
      trial.note(`${bought.orders} orders, ${bought.lists} lists`)
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'V2',
    expects:
      'a key is ended, replaced, or its owner banned or demoted in the middle of a stream of orders over two processes: what was confirmed is paid for, the rest is not, and nothing comes after',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const counts = { bought: 0, refused: 0 }
      await trial.repeat(async (run) => {
        const { agent, secret, id } = await makeKey(shops)
        const order = orderIn(shops)
        const underWay = await Promise.all(shops.all.slice(0, 2).map(({ address }) => holdBack(address, secret, order)))
        const send = () => held('/v1/orders', secret, crypto.randomUUID(), order)
        const [stopped, ...replies] = await shops.race(
          [stopOf(run, shops, agent, id), ...Array.from({ length: CALLERS }, send)],
          trial.random,
        )
        trial.same('the stop', stopped?.status, 200)
        trial.same(
          'other replies than 201, 401',
          replies.filter(({ status }) => status !== 201 && status !== 401).map(({ text }) => text),
          [],
        )
        const bought = replies.filter(({ status }) => status === 201).length
        counts.bought += bought
        counts.refused += replies.length - bought
        for (const letGo of underWay) trial.same('an order that was still being sent', (await letGo()).status, 401)
        for (const shop of [0, 1]) {
          const { path, ...late } = send()
          trial.same('an order after the stop', (await shops.call('POST', path, { ...late, shop })).status, 401)
        }
        await expectPaid(trial, shops, agent, bought)
      })
      trial.note(`${counts.bought} bought, ${counts.refused} refused`)
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'V3',
    beside: true,
    expects: `kill -9 of a process, for ${TOLD_AT_ONCE} agents at a time, while their orders are decided and programs that fail, redirect, hang up or answer late are told: each event arrives under one id, signed, and is taken in the end`,
    runs: { fast: 6, full: 200 },
    async go(trial) {
      const told = await openReceiver(trial.random)
      const here = pathToFileURL(`${import.meta.dirname}/webhooks-to-this-machine.ts`).href
      const shops = await openShops({ ...trial.opening, processes: 2, env: { NODE_OPTIONS: `--import ${here}` } })
      try {
        let kills = 0
        for (let left = trial.runs; left > 0; left -= TOLD_AT_ONCE) {
          const agents = Math.min(left, TOLD_AT_ONCE)
          await killWhileTelling(trial, shops, told, agents).catch((error: unknown) => trial.wrong(`kill ${kills + 1}: ${String(error)}`))
          kills += 1
          trial.did(agents)
        }
        trial.same('that the receiver was told of orders', told.events.size > 0, true)
        trial.note(
          `${kills} kills, ${told.events.size} events in ${told.received()} messages, ${told.refused()} of them refused by the receiver`,
        )
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
        await told.close()
      }
    },
  },
  {
    id: 'V4',
    expects:
      'the reward for an invited customer is looked at six times at once, while the order that earned it is refunded or the agent is banned: rewarded once or never, and what was refunded before counts for nothing',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await shops.db.query('update referral_rules set enabled = true, reward_pesewas = $1, most_a_month = 1000', [REWARD])
      const outcomes = { rewarded: 0, not: 0 }
      await trial.repeat(async (run) => {
        if (await raceReward(trial, shops, run)) outcomes.rewarded += 1
        else outcomes.not += 1
      })
      trial.note(`${outcomes.rewarded} rewarded, ${outcomes.not} not`)
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'V5',
    beside: true,
    expects:
      'an agent’s webhook leads to this machine or its network: typed in every notation, by names that lead there at once, later or in turns, by redirects, other ports and schemes: nothing there is ever reached',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const trap = await openTrap()
      const here = pathToFileURL(`${import.meta.dirname}/internet-on-this-machine.ts`).href
      const NODE_OPTIONS = [withoutGuard(trial.opening).NODE_OPTIONS, `--import ${here}`].filter(Boolean).join(' ')
      const shops = await openShops({ ...trial.opening, processes: 2, env: { NODE_OPTIONS, NAMES_AT: trap.namesAt } })
      const counts = { typed: 0, saved: 0, sent: 0 }
      try {
        await trial.repeat((run) => tryAddresses(trial, shops, trap, run, counts))
        trial.same('connections to this machine, later', trap.reached, [])
        trial.same('that something arrived where it may', trap.arrived.length > 0, true)
        trial.note(
          `${counts.typed} addresses typed, ${counts.saved} of them saved; ${counts.sent} sent to, ${trap.arrived.length} arrived outside`,
        )
      } finally {
        await shops.close()
        await trap.close()
      }
    },
  },
]

function held(path: string, secret: string, key: string, body: unknown): Held {
  return { method: 'POST', path: `/${path}`, as: { token: secret }, body, headers: { 'idempotency-key': key } }
}

/** An order of which all has arrived but the last byte: the key worked when it began. The returned function sends that, too. */
async function holdBack(address: string, secret: string, order: object) {
  const connection = new HeldConnection(address)
  await connection.open()
  const letGo = await connection.load(held('/v1/orders', secret, crypto.randomUUID(), order))
  return () => letGo().finally(() => connection.close())
}

function orderIn(shops: Shops) {
  const { offer, amount, phoneNumber } = shops.line({ level: 'Agent' })
  return { network: 'MTN', offer, receiver: phoneNumber, expected_price: amount.toFixed(2) }
}

async function makeKey(shops: Shops): Promise<{ agent: Person; secret: string; id: string }> {
  const agent = await shops.makeUser({ level: 'Agent', pesewas: MONEY })
  const body = { name: 'Till', scopes: ['balance:read', 'orders:read', 'orders:write'] }
  const made = await shops.call<{ key: { _id: string }; secret: string }>('POST', '/api-keys', { as: agent, body })
  return { agent, secret: made.body.secret, id: made.body.key._id }
}

function stopOf(run: number, shops: Shops, agent: Person, keyId: string): Held {
  const [as] = shops.admins
  const ways: Held[] = [
    { method: 'DELETE', path: `/api-keys/${keyId}`, as: agent, body: {} },
    { method: 'POST', path: `/api-keys/${keyId}/rotate`, as: agent, body: { overlapHours: 0 } },
    { method: 'PUT', path: `/user/${agent.id}/status`, as, body: { status: 'Banned' } },
    { method: 'PUT', path: `/user/${agent.id}/level`, as, body: { userLevel: 'Customer' } },
  ]
  return ways[run % ways.length] as Held
}

async function expectPaid(trial: Trial, shops: Shops, agent: Person, orders: number) {
  const paid = orders * pesewas(shops.line({ level: 'Agent' }).amount)
  const books = await shops.books(agent.id)
  trial.same('orders and balance', { orders: books.orders, pesewas: books.pesewas }, { orders, pesewas: MONEY - paid })
}

type Receiver = {
  url: string
  /** By the path that an agent's endpoint has. */
  secrets: Map<string, string>
  /** By event: the order's id and kind, and whether the receiver took it. */
  events: Map<string, { about: string; taken: boolean }>
  wrong: string[]
  received(): number
  refused(): number
  close(): Promise<void>
}

/** Takes an event at its third message at the latest; before, it fails in one of the ways in which receivers do. */
async function openReceiver(random: () => number): Promise<Receiver> {
  let received = 0
  let refused = 0
  const tries = new Map<string, number>()
  const told: Receiver = {
    ...{ url: '', secrets: new Map(), events: new Map(), wrong: [] },
    received: () => received,
    refused: () => refused,
    close: () => new Promise((done) => server.close(() => done())),
  }
  const server = createServer((request, reply) => void take(request, reply))
  async function take(request: IncomingMessage, reply: ServerResponse) {
    received += 1
    const id = String(request.headers['webhook-id'])
    let body = ''
    for await (const part of request) body += part
    const at = new Date(Number(request.headers['webhook-timestamp']) * 1000)
    const secret = told.secrets.get(request.url ?? '')
    if (secret === undefined) told.wrong.push(`a redirect was followed to ${request.url}`)
    else if (request.headers['webhook-signature'] !== signWebhook({ id, at, body, secrets: [secret] }))
      told.wrong.push(`signature of ${id}`)
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } }
    const about = `${data.id} ${type}`
    const known = told.events.get(id) ?? { about, taken: false }
    if (known.about !== about) told.wrong.push(`${id} is about ${known.about} and ${about}`)
    told.events.set(id, known)
    const before = tries.get(id) ?? 0
    tries.set(id, before + 1)
    const way = before >= 2 ? 0 : Math.floor(random() * 5)
    if (way === 1) reply.writeHead(500).end()
    else if (way === 2) reply.writeHead(302, { location: '/elsewhere' }).end()
    else if (way === 3) request.socket.destroy()
    else {
      if (way === 4) await wait(300)
      known.taken = true
      reply.writeHead(200).end()
    }
    if (way >= 1 && way <= 3) refused += 1
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  told.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${HOOK}`
  return told
}

const DECIDED = 6
const LONGEST_KILL_MS = 400
const HOOK = '/hook'

async function killWhileTelling(trial: Trial, shops: Shops, told: Receiver, howMany: number) {
  const seqs = (await Promise.all(Array.from({ length: howMany }, () => buyTold(trial, shops, told)))).flat()
  const { rows } = await shops.db.query<{ id: string }>('select id from orders where seq = any ($1) order by seq', [seqs])
  const dying = shops.all.pop() as Shop
  let answered = 0
  const deciding = shuffle(rows, trial.random).map(async ({ id }, i) => {
    const body = i % 2 === 0 ? { status: 'completed' } : { status: 'rejected', reason: 'Wrong number' }
    await callAt(dying.address, 'PUT', `/order/update-status/${id}`, { as: shops.admins[0], body })
    answered += 1
  })
  const enough = 1 + Math.floor(trial.random() * rows.length)
  await until(() => answered >= enough)
  await wait(trial.random() * LONGEST_KILL_MS)
  dying.program.process.kill('SIGKILL')
  await dying.program.ended()
  await Promise.all(deciding)
  await shops.startAnother()
  const decided = await shops.db.query<{ about: string }>(
    `select 'ord_' || seq || case status when 'completed' then ' order.delivered' else ' order.refused' end as about
     from orders where seq = any ($1) and status <> 'pending' order by seq`,
    [seqs],
  )
  const wanted = decided.rows.map(({ about }) => about)
  const takenOf = () =>
    [...told.events.values()].filter(({ about, taken }) => taken && seqs.includes(Number(/\d+/.exec(about)?.[0]))).map(({ about }) => about)
  await until(() => takenOf().length >= wanted.length, EVENTS_WITHIN_MS).catch(() => {})
  trial.same('the events that were taken', takenOf().toSorted(), wanted.toSorted())
  trial.same('what the receiver found wrong', told.wrong.splice(0), [])
}

/** The orders of a new agent whose endpoint leads to the receiver, by number. */
async function buyTold(trial: Trial, shops: Shops, told: Receiver): Promise<number[]> {
  const { agent, secret } = await makeKey(shops)
  const path = `/${agent.id}`
  const hook = await shops.call<{ secret: string }>('POST', '/webhooks', {
    as: agent,
    body: { url: told.url + path, events: ['order.delivered', 'order.refused'] },
  })
  trial.same('the webhook', hook.status, 200)
  told.secrets.set(HOOK + path, hook.body.secret)
  const orders = Array.from({ length: DECIDED }, () => orderIn(shops))
  const bought = await shops.call<{ data: { id: string }[] }>('POST', '//v1/orders/bulk', {
    as: { token: secret },
    body: { orders },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  return bought.body.data.map(({ id }) => Number(id.replace('ord_', '')))
}

/** True when the agent was rewarded. */
async function raceReward(trial: Trial, shops: Shops, run: number): Promise<boolean> {
  const agent = await shops.makeUser({ level: 'Agent' })
  const invited = await shops.makeUser({ pesewas: MONEY })
  const [as] = shops.admins
  trial.same('the link', (await shops.call('POST', '/referrals/link', { as: agent })).status, 200)
  const line = shops.line()
  const bought = await shops.buy(invited, [line])
  trial.same('the order', bought.status, 200)
  const { rows } = await shops.db.query<{ id: string }>('select id from orders where user_id = $1', [invited.id])
  const order = (rows[0] as { id: string }).id
  trial.same('the delivery', (await shops.call('PUT', `/order/update-status/${order}`, { as, body: { status: 'completed' } })).status, 200)
  const report = await shops.db.query<{ id: string }>(
    `insert into reports (order_id, status, opened_at) values ($1, 'open', now()) returning id`,
    [order],
  )
  await shops.db.query(
    `insert into referrals (referred_id, referrer_id, reward_pesewas, spend_pesewas, created_at, check_at) values ($1, $2, $3, $4, now(), now())`,
    [invited.id, agent.id, REWARD, pesewas(line.amount)],
  )
  const later = { database: { db: shops.db }, clock: { now: new Date(Date.now() + TWO_DAYS_MS) } } as Parameters<typeof makeCtx>[0]
  const look = async () => {
    await wait(trial.random() * LOOKS_WITHIN_MS)
    return settleReferrals({ ...makeCtx(later).ctx, jobs: undefined as never })
  }
  const end = run % 3 === 0 ? null : run % 3 === 1 ? 'refund' : 'ban'
  const stop = async () => {
    await wait(trial.random() * LOOKS_WITHIN_MS)
    if (end === 'refund') {
      return shops.call('PUT', `/admin/reports/${report.rows[0]?.id}/end`, { as, body: { outcome: 'refunded', text: 'It never came' } })
    }
    return end === 'ban' ? shops.call('PUT', `/user/${agent.id}/status`, { as, body: { status: 'Banned' } }) : null
  }
  const [stopped] = await Promise.all([stop(), ...Array.from({ length: 6 }, look)])
  if (stopped) trial.same(`the ${end}`, stopped.status, 200)
  await look()
  const { entries, rewarded } = await readReward(shops, invited)
  trial.same('rewards', [entries <= 1, entries === 1], [true, rewarded])
  trial.same('the agent’s balance', (await shops.books(agent.id)).pesewas, entries * REWARD)
  if (end === null) trial.same('a reward that nothing was in the way of', entries, 1)
  return rewarded
}

async function readReward(shops: Shops, invited: Person): Promise<{ entries: number; rewarded: boolean }> {
  const { rows } = await shops.db.query<{ entries: number; rewarded: boolean }>(
    `select (select count(*) from journal_entries where key like 'referral:' || referred_id || '%') as entries, rewarded_at is not null as rewarded
     from referrals where referred_id = $1`,
    [invited.id],
  )
  return rows[0] as { entries: number; rewarded: boolean }
}

const EVENTS = ['order.delivered']
/** The most endpoints that an agent may have. */
const ENDPOINTS = 10

type Counts = { typed: number; saved: number; sent: number }

/** Each address in a new endpoint or, in every other run, in one that was public before; each name is sent to twice. */
async function tryAddresses(trial: Trial, shops: Shops, trap: Trap, run: number, counts: Counts) {
  const agents: Person[] = []
  const endpoints: { agent: Person; id: string }[] = []
  const save = async (url: string, instead?: { agent: Person; id: string }) => {
    if (endpoints.length >= agents.length * ENDPOINTS) agents.push(await shops.makeUser({ level: 'Agent' }))
    const agent = instead?.agent ?? (agents.at(-1) as Person)
    const path = instead ? `/webhooks/${instead.id}` : '/webhooks'
    const reply = await shops.call<{ endpoint?: { _id: string } }>(instead ? 'PUT' : 'POST', path, {
      as: agent,
      body: { url, events: EVENTS },
    })
    const id = reply.body.endpoint?._id
    trial.same(`saving ${JSON.stringify(url)}`, reply.status, id === undefined ? 400 : 200)
    if (id !== undefined && !instead) endpoints.push({ agent, id })
    return id === undefined ? null : { agent, id }
  }
  const nameUrl = (host: string, path: string) => `https://${host}.r${run}.example.com:${trap.port}${path}`
  const first = run % 2 === 0 ? null : await save(nameUrl('sends-on', '/hook'))
  const test = ({ agent, id }: { agent: Person; id: string }) => {
    counts.sent += 1
    return shops.call('POST', `/webhooks/${id}/test`, { as: agent, body: {} })
  }
  for (const url of typedTricks(trap.port)) {
    counts.typed += 1
    const saved = await save(url, first ?? undefined)
    if (!saved) continue
    counts.saved += 1
    await test(saved)
  }
  const named: { agent: Person; id: string }[] = []
  for (const { host, path } of namedTricks()) {
    const saved = await save(nameUrl(host, path))
    if (saved) named.push(saved)
    else trial.wrong(`the name of ${host} was refused as such`)
  }
  for (const nth of [1, 2]) {
    await Promise.all(named.map(test))
    const ids = named.map(({ id }) => id)
    await until(async () => (await triedAt(shops, ids)) >= nth * ids.length, EVENTS_WITHIN_MS)
  }
  trial.same('connections to this machine', trap.reached.splice(0), [])
  trial.same(
    'requests that followed a redirect',
    trap.arrived.filter((one) => one.endsWith('/inside')),
    [],
  )
  for (const { agent, id } of endpoints) await shops.call('DELETE', `/webhooks/${id}`, { as: agent })
}

/** How many of the deliveries to these endpoints were tried. */
async function triedAt(shops: Shops, endpoints: string[]): Promise<number> {
  const { rows } = await shops.db.query<{ tried: number }>(
    'select count(*) as tried from webhook_deliveries where endpoint_id = any ($1) and attempts > 0',
    [endpoints],
  )
  return rows[0]?.tried ?? 0
}
