import { hashToken } from '../server/platform/hash-token.ts'
import { isForStaff } from '../shared/endpoint.ts'
import { hasRole, STAFF_ROLES, type StaffRole } from '../shared/staff-rules.ts'
import { sendRaw } from '../test/http-client.ts'
import { pick } from '../test/random.ts'
import { openRealtimeProbe } from '../test/realtime-probe.ts'
import { until } from '../test/until.ts'
import { ACTORS, type Actor, AGENTS_ONLY, pathFor, RULES, type Rule, type Subject } from './authorisation-rules.ts'
import { makeRecharges } from './concurrency.ts'
import type { Experiment, Trial } from './experiment.ts'
import { listRoutes, type Route } from './list-routes.ts'
import { eachOf } from './measure.ts'
import { digestTables } from './quiet-shop.ts'
import { openShops, type Person, type Shops } from './shops.ts'

/** H. Who may do what. */
export const authorisation: Experiment[] = [
  {
    id: 'H1',
    expects: 'every route of the app × 13 actors answers as declared in one file; a route without a rule fails',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const routes = (await listRoutes(shops.databaseUrl)).filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
      const names = routes.map(({ method, path }) => `${method} ${path}`)
      trial.same(
        'routes without a rule',
        names.filter((name) => !RULES[name]),
        [],
      )
      trial.same(
        'rules without a route',
        Object.keys(RULES).filter((name) => !names.includes(name)),
        [],
      )
      const subject = await makeSubject(shops)
      const tokens = await makeActors(shops, subject)
      const before = await digestTables(shops)
      // Actors that must be refused go first, so that nothing has changed by then.
      const cells = routes.flatMap((route) => ACTORS.map((actor) => ({ route, actor, rule: RULES[`${route.method} ${route.path}`] })))
      for (const { route, actor, rule } of cells) {
        const expected = rule && refusalFor(rule, actor)
        if (!expected) continue
        const { status } = await ask(shops, route, actor, tokens, rule, subject)
        trial.same(`${actor} at ${route.method} ${route.path}`, status, expected)
        trial.did()
      }
      const after = await digestTables(shops)
      trial.same(
        'tables that the refused changed',
        Object.keys(after).filter((table) => after[table] !== before[table]),
        [],
      )
      // Ending the subject's sessions would end them for the other routes, so that comes last; signing out is left out.
      const endsSessions = ({ route }: { route: Route }) => Number(route.path.endsWith('/customers/:id/sessions/end'))
      for (const { route, actor, rule } of cells.toSorted((one, other) => endsSessions(one) - endsSessions(other))) {
        if (!rule || refusalFor(rule, actor) || route.path.endsWith('/logout')) continue
        const { status } = await ask(shops, route, actor, tokens, rule, subject)
        const isForAgents = AGENTS_ONLY.has(`${route.method} ${route.path}`)
        const mayBeRefused = isForAgents && (actor === 'customer' || actor === 'other')
        if (
          status === 401 ||
          (status === 403 && !mayBeRefused) ||
          status >= 500 ||
          status === 0 ||
          (isForAgents && actor === 'other' && status < 300)
        )
          trial.wrong(`${actor} at ${route.method} ${route.path} got ${status}`)
        trial.did()
      }
    },
  },
  {
    id: 'H2',
    expects:
      "another user's order, recharge, payment or account, or an agent's list, group, time, key or webhook, named by its id: 403 or 404, and nothing of the owner in the reply",
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const subject = await makeSubject(shops)
        const [thief, agent] = [await shops.makeUser({ pesewas: 10_000 }), await shops.makeUser({ level: 'Agent', pesewas: 10_000 })]
        const owner = await shops.books(subject.customer)
        const theirs = await makeThingsOfAgent(shops)
        const attempts: [string, string, unknown?][] = [
          ...theirs.attempts,
          ['PUT', `/order/update-status/${subject.order}`, { status: 'rejected' }],
          ['GET', `/order/${subject.order}`],
          ['POST', '/order/decide-many', { ids: [subject.order], status: 'rejected' }],
          ['PUT', `/recharge/${subject.recharge}/paid`, {}],
          ['PUT', `/recharge/${subject.recharge}/approve`, {}],
          ['PUT', `/recharge/${subject.recharge}/decline`, {}],
          ['POST', `/payment/${subject.payment}/confirm`, {}],
          ['POST', '/proxy', { body: { reference: subject.reference } }],
          ['PUT', `/user/${subject.customer}/level`, { userLevel: 'Agent' }],
          ['PUT', `/user/${subject.customer}/status`, { status: 'Banned' }],
          ['PUT', '/user/balance', { chosenId: subject.customer, amount: -1 }],
        ]
        for (const as of [thief, agent]) {
          for (const [method, path, body] of attempts) {
            const { status, text } = await shops.call(method, path, { as, body })
            if (status !== 403 && status !== 404) trial.wrong(`${method} ${path} replied ${status}`)
            if ([subject.phone, theirs.agent.phone].some((phone) => text.includes(phone)))
              trial.wrong(`${method} ${path} tells the owner's phone`)
          }
          const lists = ['/user', '/user/account-balances', '/order/allorders', '/recharge']
          for (const path of lists.flatMap((one) => [
            one,
            `${one}?search=${subject.phone}`,
            `${one}?search=%25`,
            `${one}?page=1&pageSize=50`,
          ])) {
            const { text } = await shops.call('GET', path, { as })
            if (
              [subject.phone, subject.customer, subject.order, subject.recharge, subject.reference].some((secret) => text.includes(secret))
            )
              trial.wrong(`GET ${path} shows what is another's`)
          }
        }
        trial.same("the owner's books", await shops.books(subject.customer), owner)
        trial.same("the agent's things", await theirs.read(), theirs.before)
      })
    },
  },
  {
    id: 'H3',
    expects: 'replies to customers have only declared fields, and nothing of other users',
    runs: { fast: 600, full: 10_000 },
    async go(trial) {
      const shops = await trial.shops()
      const people = await shops.makeUsers(10, { pesewas: 5_000_000 })
      const others = (one: Person) =>
        people.filter(({ id }) => id !== one.id).flatMap(({ id, phone, email, username }) => [id, phone, email, `"${username}"`])
      const seen = new Set<string>()
      await eachOf(Array.from({ length: trial.runs }), 8, async () => {
        const person = pick(people, trial.random)
        const reply = await ordinaryCall(shops, person, trial)
        for (const secret of [...others(person), '$argon2', 'password_hash', 'passwordHash', 'token_hash', 'sk_test_', 'balance_pesewas'])
          if (reply.text.includes(secret)) trial.wrong(`${reply.name} holds ${secret}`)
        for (const name of namesIn(parse(reply.text))) seen.add(name)
        trial.did()
      })
      trial.same(
        'fields that are not declared',
        [...seen].filter((name) => !FIELDS.has(name) && !/^\d+$/.test(name)),
        [],
      )
      trial.note(`${seen.size} fields seen`)
    },
  },
  {
    id: 'H4',
    expects: 'PUT /extra/* without a token 401, with a customer or agent 403; the number where money goes stays',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const kept = (await shops.call('GET', '/extra/momo-details')).text
      await trial.repeat(async () => {
        for (const path of ['/extra/notice', '/extra/momo-details']) {
          const body = { noticeContent: 'x', momoPhoneNumber: '0240000001', momoAccountName: 'Thief' }
          trial.same(path, (await shops.call('PUT', path, { body })).status, 401)
          for (const level of ['Customer', 'Agent'] as const)
            trial.same(path, (await shops.call('PUT', path, { as: await shops.makeUser({ level }), body })).status, 403)
        }
        trial.same('the details', (await shops.call('GET', '/extra/momo-details')).text, kept)
      })
    },
  },
  {
    id: 'H5',
    expects: 'every path × 9 verbs, and X-HTTP-Method-Override: only declared verbs answer, TRACE is refused',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const routes = await listRoutes(shops.databaseUrl)
      const subject = await makeSubject(shops)
      const admin = shops.admins[0]
      const address = shops.all[0]?.address as string
      for (const path of new Set(routes.map((route) => route.path))) {
        const declared = routes.filter((route) => route.path === path).map(({ method }) => method)
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
          if (declared.includes(method)) continue
          const sent = {
            method,
            path: pathFor(path, subject),
            headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
          }
          const { status } = await sendRaw(address, sent)
          if (![400, 404, 405].includes(status)) trial.wrong(`${method} ${path} replied ${status}`)
          trial.did()
        }
        for (const header of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
          const headers = { authorization: `Bearer ${admin.token}`, [header]: 'DELETE' }
          const before = await digestOf(shops, 'products')
          await sendRaw(address, { method: 'GET', path: pathFor(path, subject), headers })
          if (before !== (await digestOf(shops, 'products'))) trial.wrong(`${header} at ${path} deleted something`)
          trial.did()
        }
      }
    },
  },
  {
    id: 'H6',
    expects: 'the same paths in disguise (case, slashes, %2e, dots, semicolons, encoded letters): access is checked all the same',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const subject = await makeSubject(shops)
      const person = await shops.makeUser()
      const address = shops.all[0]?.address as string
      const routes = (await listRoutes(shops.databaseUrl)).filter(({ method, path }) => isStaffOnly(RULES[`${method} ${path}`]))
      for (const { method, path } of routes) {
        const whole = pathFor(path, subject)
        for (const disguise of disguises(whole)) {
          for (const headers of [{}, { authorization: `Bearer ${person.token}` }]) {
            const body = JSON.stringify(RULES[`${method} ${path}`]?.body?.(subject) ?? {})
            const { status } = await sendRaw(address, {
              method,
              path: disguise,
              headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) } as Record<string, string>,
              ...(method === 'GET' ? {} : { body }),
            })
            // 405: such an address takes other methods, as /product/{id} does, and says so to anybody.
            if (![400, 401, 403, 404, 405].includes(status)) trial.wrong(`${method} ${disguise} replied ${status}`)
            trial.did()
          }
        }
      }
    },
  },
  {
    id: 'H7',
    expects:
      'isAdmin, userLevel, balance, status, _id, role[], __proto__ and 33 more in every body: refused or ignored, no right is gained',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      for (let round = 0; round < trial.runs; round++) await assignEnMasse(trial, shops)
    },
  },
  {
    id: 'H8',
    expects: 'a ban while token and socket live: next call 401 at both processes and the socket closed, within 1 s; money as it was',
    runs: { fast: 25, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async (run) => {
        const line = shops.line()
        const person = await shops.makeUser({ pesewas: 100_000 })
        const probes = await Promise.all(shops.all.map(({ address }) => openRealtimeProbe(address, person.token)))
        const buying = Array.from({ length: 8 }, () => shops.buy(person, [line]))
        await shops.call('PUT', `/user/${person.id}/status`, { as: shops.admins[0], body: { status: 'Banned' }, shop: run })
        const bannedAt = performance.now()
        for (const [index] of shops.all.entries())
          trial.same(`a call at process ${index}`, (await shops.call('GET', '/user', { as: person, shop: index })).status, 401)
        await until(() => probes.every((probe) => probe.closed() !== null), 3_000).catch(() => trial.wrong('a socket stayed open'))
        trial.within('closing the sockets of a banned user', performance.now() - bannedAt, 1_000)
        const replies = await Promise.all(buying)
        const bought = replies.filter(({ status }) => status === 200).length
        const others = replies.filter(({ status }) => ![200, 401, 403].includes(status)).map(({ status }) => status)
        trial.same('other answers to purchases in flight', others, [])
        trial.same('orders', (await shops.books(person.id)).orders, bought)
        for (const probe of probes) probe.close()
      })
    },
  },
  {
    id: 'H9',
    expects: 'an admin demoted mid-session: admin calls 403 at both processes within 1 s, and no announcements for admins any more',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async (run) => {
        const person = await shops.makeUser({ level: 'Admin' })
        const probe = await openRealtimeProbe((shops.all[run % shops.all.length] as { address: string }).address, person.token)
        await shops.call('PUT', `/user/${person.id}/level`, { as: shops.admins[0], body: { userLevel: 'Customer' }, shop: run + 1 })
        for (const [index] of shops.all.entries())
          trial.same(`a call at process ${index}`, (await shops.call('GET', '/order/stats', { as: person, shop: index })).status, 403)
        await until(() => probe.closed() !== null, 1_000).catch(() => trial.wrong('the admin’s channel stayed open'))
        const before = probe.heard.length
        await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: (await shops.makeUser()).id, amount: 1 } })
        trial.same('heard after', probe.heard.length, before)
        probe.close()
      })
    },
  },
  {
    id: 'H10',
    beside: true,
    expects: 'the last admin cannot be demoted or banned; two who demote each other at one instant leave one',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        await shops.db.query(`update users set level = 'Customer' where level = 'Admin'`)
        await trial.repeat(async () => {
          const [one, other] = [await shops.makeUser({ level: 'Admin' }), await shops.makeUser({ level: 'Admin' })]
          const replies = await shops.race(
            [
              { method: 'PUT', path: `/user/${other.id}/level`, as: one, body: { userLevel: 'Customer' } },
              { method: 'PUT', path: `/user/${one.id}/level`, as: other, body: { userLevel: 'Customer' } },
            ],
            trial.random,
          )
          const { rows } = await shops.db.query<{ id: string }>(`select id from users where level = 'Admin' and status = 'Active'`)
          trial.same('admins left', rows.length, 1)
          trial.same('succeeded', replies.filter(({ status }) => status === 200).length, 1)
          const last = [one, other].find(({ id }) => id === rows[0]?.id) as Person
          trial.same(
            'demoting oneself',
            (await shops.call('PUT', `/user/${last.id}/level`, { as: last, body: { userLevel: 'Customer' } })).status,
            409,
          )
          const banned = await shops.call('PUT', `/user/${last.id}/status`, { as: last, body: { status: 'Banned' } })
          if (banned.status < 400) trial.wrong(`the last admin banned themself: ${banned.status}`)
          trial.same('still an admin', (await shops.call('GET', '/order/stats', { as: last })).status, 200)
          await shops.db.query(`update users set level = 'Customer' where level = 'Admin'`)
        })
      } finally {
        await shops.close()
      }
    },
  },
]

type Tokens = Record<Actor, string | null>

function isStaffOnly(rule: Rule | undefined): boolean {
  return rule !== undefined && rule.access !== 'self' && rule.access !== 'secret' && isForStaff(rule.access)
}

/** What the token alone decides; null when the actor is let through. */
function refusalFor({ access }: Rule, actor: Actor): number | null {
  if (access === 'anyone') return null
  if (access === 'secret') return null
  if (['visitor', 'banned', 'expired', 'forged', 'signedOut'].includes(actor)) return 401
  if (access === 'self') return actor === 'owner' ? null : actor === 'customer' ? 402 : 403
  if (isForStaff(access)) return hasRole({ roles: STAFF_ROLES.filter((role) => role === actor) }, access) ? null : 403
  return null
}

async function ask(shops: Shops, { method, path }: Route, actor: Actor, tokens: Tokens, rule: Rule, subject: Subject) {
  const token = tokens[actor]
  const body = rule.body?.(subject)
  const reply = await shops.call(method, pathFor(path, subject).replace(/^\/api/, ''), {
    ...(token === null ? {} : { as: { token } }),
    body,
  })
  if (rule.access === 'secret') return { status: [401, 403, 404].includes(reply.status) ? 200 : 403 }
  return reply
}

/** A customer with an order, a recharge and a card payment of their own. */
async function makeSubject(shops: Shops): Promise<Subject> {
  const customer = await shops.makeUser({ pesewas: 10_000 })
  const line = shops.line()
  const bought = await shops.buy(customer, [line])
  const order = (bought.body.orders as { _id: string; reference: string }[])[0] as { _id: string; reference: string }
  const [recharge] = await makeRecharges(shops, customer, 1)
  const payment = await shops.call('POST', '/payment', { as: customer, body: { purpose: 'order', items: [line] } })
  const subject = {
    customer: customer.id,
    order: order._id,
    recharge: recharge?.id as string,
    payment: payment.body.reference as string,
    product: await makeProduct(shops),
    reference: order.reference,
    phone: customer.phone,
  }
  tokenOf.set(subject.customer, customer.token)
  return subject
}

/** An agent with a list, a group, a time for it, a key and a webhook, and what others may try with these. */
async function makeThingsOfAgent(shops: Shops) {
  const agent = await shops.makeUser({ level: 'Agent', pesewas: 10_000 })
  const as = agent
  const item = { ...shops.line({ level: 'Agent' }), number: 1, text: '', name: '' }
  const made = async (path: string, body: unknown, headers = {}) => {
    const reply = await shops.call<Record<string, { _id: string } | undefined>>('POST', path, { as, body, headers })
    if (reply.status !== 200) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`)
    const [id] = Object.values(reply.body).flatMap((part) => part?._id ?? [])
    return id as string
  }
  const list = await made('/bulk', { total: item.amount, lines: [item] }, { 'idempotency-key': crypto.randomUUID() })
  const saved = { name: 'Staff', lines: [{ name: '', phoneNumber: agent.phone, network: 'MTN', offer: item.offer }] }
  const group = await made('/bulk-groups', saved)
  const time = { groupId: group, repeats: 'monthly', day: null, weekday: null, monthDay: 1, time: '08:00', most: 1 }
  const schedule = await made('/bulk-schedules', time)
  const key = await made('/api-keys', { name: 'Till', scopes: ['balance:read'] })
  const hook = { url: 'https://example.com/hooks', events: ['order.delivered'] }
  const webhook = await made('/webhooks', hook)
  const attempts: [string, string, unknown?][] = [
    ['GET', `/bulk/${list}`],
    ['GET', `/bulk/${list}/file`],
    ['POST', '/bulk/preview', { retryOf: list }],
    ['POST', '/bulk/preview', { repeatOf: list }],
    ['POST', '/bulk/preview', { groupId: group }],
    ['GET', `/bulk-groups/${group}`],
    ['PUT', `/bulk-groups/${group}`, saved],
    ['DELETE', `/bulk-groups/${group}`],
    ['POST', '/bulk-schedules', time],
    ['PUT', `/bulk-schedules/${schedule}`, time],
    ['POST', `/bulk-schedules/${schedule}/pause`, {}],
    ['POST', `/bulk-schedules/${schedule}/resume`, {}],
    ['DELETE', `/bulk-schedules/${schedule}`],
    ['POST', `/api-keys/${key}/rotate`, { overlapHours: 0 }],
    ['DELETE', `/api-keys/${key}`],
    ['PUT', `/webhooks/${webhook}`, { ...hook, url: 'https://evil.example/hooks' }],
    ['POST', `/webhooks/${webhook}/rotate`, {}],
    ['POST', `/webhooks/${webhook}/test`, {}],
    ['GET', `/webhooks/${webhook}/deliveries`],
    ['DELETE', `/webhooks/${webhook}`],
  ]
  const read = async () => {
    const paths = [`/bulk/${list}`, '/bulk-groups', '/bulk-schedules', '/api-keys', '/webhooks']
    return Promise.all(paths.map(async (path) => (await shops.call('GET', path, { as })).text))
  }
  return { agent, attempts, read, before: await read() }
}

/** A separate product, since an admin who is let through deletes it. */
async function makeProduct(shops: Shops): Promise<string> {
  const { rows } = await shops.db.query<{ id: string }>(
    `insert into products (network, image_hash, status, created_at) select network, image_hash, 'out of stock', now() from products limit 1 returning id`,
  )
  return rows[0]?.id as string
}

const tokenOf = new Map<string, string>()

async function makeActors(shops: Shops, { customer }: Subject): Promise<Tokens> {
  const [other, agent, banned, expired, signedOut] = [
    await shops.makeUser({ pesewas: 10_000 }),
    await shops.makeUser({ level: 'Agent', pesewas: 10_000 }),
    await shops.makeUser(),
    await shops.makeUser(),
    await shops.makeUser(),
  ]
  const staff = Object.fromEntries(
    await Promise.all(
      STAFF_ROLES.map(async (role) => {
        const { id, token } = await shops.makeUser({ level: 'Admin' })
        await shops.db.query('update staff_roles set role = $2 where user_id = $1', [id, role])
        return [role, token] as const
      }),
    ),
  ) as Record<StaffRole, string>
  await shops.db.query(`update users set status = 'Banned' where id = $1`, [banned.id])
  await shops.db.query(`update sessions set expires_at = now() - interval '1 second' where token_hash = $1`, [hashToken(expired.token)])
  await shops.call('POST', '/user/logout', { as: signedOut, body: {} })
  return {
    visitor: null,
    customer: tokenOf.get(customer) as string,
    other: other.token,
    agent: agent.token,
    ...staff,
    banned: banned.token,
    expired: expired.token,
    forged: 'A'.repeat(43),
    signedOut: signedOut.token,
  }
}

async function ordinaryCall(shops: Shops, as: Person, trial: Trial): Promise<{ name: string; text: string }> {
  const line = shops.line()
  const calls: [string, string, unknown?, Record<string, string>?][] = [
    ['GET', '/user'],
    ['GET', '/user/account-balances'],
    ['GET', '/order/allorders'],
    ['GET', '/recharge'],
    ['GET', '/product'],
    ['GET', '/shop'],
    ['GET', '/extra/momo-details'],
    ['POST', '/order/checkout', { items: [line] }, { 'idempotency-key': crypto.randomUUID() }],
    [
      'POST',
      '/order/create',
      { newOrder: { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: line.amount } },
    ],
    ['POST', '/recharge', { amount: 60 }],
    ['POST', '/payment', { purpose: 'order', items: [line] }],
    ['POST', '/payment', { purpose: 'top-up', amount: 60 }],
    ['GET', '/payment/top-up'],
    ['POST', '/user/login', { userPhone: as.phone, password: 'not the word' }],
    ['GET', '/order/stats'],
    ['GET', '/no-such-call'],
  ]
  const [method, path, body, headers] = pick(calls, trial.random)
  const { text } = await shops.call(method, path, { as, body, ...(headers ? { headers } : {}) })
  return { name: `${method} ${path}`, text }
}

/** Every field that anyone but an admin may be sent, of any reply. */
const FIELDS = new Set(
  (
    '_id id productId transactionId claim username email phone userLevel isAdmin status totalPurchase balance balanceVersion createdAt token ' +
    'user agent network number receiver offer totalAmount surcharge items service phoneNumber amount image reference paidWith paymentReference date ' +
    'actionTimestamp supplierStatus orders order rechargeId recharge saidPaidAt declineReason credited message code issues path requestId packages priceCustomer ' +
    'priceAgent noticeContent momoPhoneNumber momoAccountName currency publicKey accessCode payment data received minimum maximum leftToday holdHours onHold until ' +
    'likeOurs registration fullName ghanaCard keepDays refusal pin atCheckout changedAt lockedUntil refund state why byHand requestedAt endedAt refundReason correction name slug tagline whatsapp ussdCode workHours hours days opens closes closesAt copyrightYear developerCredit mode logo icon brand agentFee accountName ' +
    'soldOut checkers portal serial pin replaced isOn linkedAt newsStopped expiresAt form needsDetails'
  ).split(' '),
)

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function disguises(path: string): string[] {
  const rest = path.replace(/^\/api/, '')
  const second = rest.slice(1)
  return [
    path.toUpperCase(),
    `/API${rest}`,
    `/${path}`,
    `/api/${rest}`,
    `${path}/`,
    `${path}//`,
    `${path}.`,
    `${path}.json`,
    `${path};a=b`,
    `/api;a=b${rest}`,
    `/api/.${rest}`,
    `/api/x/..${rest}`,
    `/api/%2e${rest}`,
    `/api/x/%2e%2e${rest}`,
    `/api%2f${second}`,
    `/api/%${second.charCodeAt(0).toString(16)}${second.slice(1)}`,
    `/%61pi${rest}`,
    `/api\\${second}`,
    `${path}%00`,
    `${path}%20`,
    `${path}%0d%0a`,
    `${path}?access=anyone`,
    `/healthz/..${path}`,
    `/api/product/..${rest}`,
  ]
}

const MASS: Record<string, unknown>[] = [
  { isAdmin: true },
  { userLevel: 'Admin' },
  { userLevel: ['Admin'] },
  { level: 'Admin' },
  { balance: 1_000_000 },
  { balancePesewas: 1_000_000 },
  { balance_pesewas: 1_000_000 },
  { status: 'completed' },
  { _id: '00000000-0000-4000-8000-000000000000' },
  { id: '00000000-0000-4000-8000-000000000000' },
  { totalPurchase: 1_000_000 },
  { 'role[]': 'admin' },
  { role: 'admin' },
  { roles: ['admin'] },
  { admin: 1 },
  { permissions: ['*'] },
  { user: { isAdmin: true } },
  { actor: { level: 'Admin' } },
  { user_id: '00000000-0000-4000-8000-000000000000' },
  { userId: '00000000-0000-4000-8000-000000000000' },
  { agent: 'someone else' },
  { date: '01/01/2020 00:00:00' },
  { createdAt: '2020-01-01T00:00:00Z' },
  { actionTimestamp: '01/01/2020 00:00:00' },
  { pricePesewas: 1 },
  { price: 0.01 },
  { surcharge: 0 },
  { paidWith: 'card' },
  { paymentReference: 'AAAAAAAAAAAAAAAAAAAA' },
  { seq: 1 },
  { version: 99 },
  { balanceVersion: 99 },
  { constructor: { prototype: { isAdmin: true } } },
  { token: 'A'.repeat(43) },
  { password_hash: 'x' },
  { passwordHash: 'x' },
  { verified: true },
  { active: true },
  { sessionHash: 'x' },
]

async function assignEnMasse(trial: Trial, shops: Shops) {
  const line = shops.line()
  for (const extra of [...MASS, '__proto__' as const]) {
    const mixed = (body: Record<string, unknown>) =>
      extra === '__proto__'
        ? `{"__proto__":{"isAdmin":true,"level":"Admin"},${JSON.stringify(body).slice(1)}`
        : JSON.stringify({ ...extra, ...body })
    const name = `mass ${[...crypto.randomUUID().replace(/[^a-f]/g, '')].join('')}${Math.floor(trial.random() * 1e6)}`.slice(0, 28).trim()
    const registered = await shops.call<Record<string, unknown>>('POST', '/user/register', {
      body: mixed({
        username: name,
        email: `${crypto.randomUUID()}@example.com`,
        phone: `057${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`,
        password: 'a good password',
      }),
    })
    if (registered.status === 200) {
      const { userLevel, isAdmin, balance, status, totalPurchase } = registered.body
      trial.same(
        `register with ${JSON.stringify(extra)}`,
        [userLevel, isAdmin, balance, status, totalPurchase],
        ['Customer', false, 0, 'Active', 0],
      )
    } else if (registered.status !== 400 && registered.status !== 409)
      trial.wrong(`register with ${JSON.stringify(extra)} replied ${registered.status}`)
    trial.did()

    const person = await shops.makeUser({ pesewas: 10_000 })
    const order = { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: line.amount }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const inner = extra === '__proto__' ? {} : extra
    const calls: [string, string, string, Record<string, string>?][] = [
      ['POST', '/order/checkout', mixed({ items: [{ ...inner, ...line }] }), key],
      ['POST', '/order/create', mixed({ newOrder: { ...inner, ...order } })],
      ['POST', '/recharge', mixed({ amount: 60 })],
      ['POST', '/payment', mixed({ purpose: 'agent-upgrade' })],
      ['PUT', `/user/${person.id}/level`, mixed({ userLevel: 'Agent' })],
      ['PUT', '/user/balance', mixed({ chosenId: person.id, amount: 100 })],
      ['PUT', '/extra/notice', mixed({ noticeContent: 'x' })],
      ['PUT', `/user/${person.id}/status`, mixed({ status: 'Active' })],
    ]
    for (const [method, path, body, headers = {}] of calls) {
      const { status } = await shops.call(method, path, { as: person, body, headers })
      if (status >= 500 || status === 0) trial.wrong(`${method} ${path} with ${JSON.stringify(extra)} replied ${status}`)
      trial.did()
    }
    const { rows } = await shops.db.query(
      `select u.level, u.status, (select count(*) from orders where user_id = u.id and (status <> 'pending' or price_pesewas <> $2 or paid_with <> 'wallet')) as wrong,
        (select balance_pesewas + total_purchase_pesewas from wallets where user_id = u.id) as money from users u where u.id = $1`,
      [person.id, Math.round(line.amount * 100)],
    )
    trial.same(`after ${JSON.stringify(extra)}`, rows, [{ level: 'Customer', status: 'Active', wrong: 0, money: 10_000 }])
  }
}

async function digestOf(shops: Shops, table: string): Promise<string> {
  const { rows } = await shops.db.query<{ text: string }>(
    `select coalesce(string_agg(t::text, '|' order by t::text), '') as text from ${table} t`,
  )
  return rows[0]?.text ?? ''
}
