import { findWallet, postTransfer } from '../server/ledger/ledger.ts'
import { openPool, transaction } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import type { HttpReply } from '../test/http-client.ts'
import { pick } from '../test/random.ts'
import type { Experiment, Trial } from './experiment.ts'
import { count, eachOf, quantile } from './measure.ts'
import { digestTables } from './quiet-shop.ts'
import { openShops, type Person, pesewas, type Shops } from './shops.ts'

const AT_ONCE = 64
const AFFORDED = 10

/** A. Concurrency on money. Every race runs over two processes of the shop. */
export const concurrency: Experiment[] = [
  {
    id: 'A1',
    expects: '64 checkouts at once, money for 10: exactly 10 succeed, 54 get 402, nothing is left',
    runs: { fast: 50, full: 5_000 },
    async go(trial) {
      const shops = await trial.shops()
      const tookMs: number[] = []
      await trial.repeat(async () => void tookMs.push(...(await raceForTen(trial, shops))))
      trial.note(`p99 ${quantile(tookMs, 0.99).toFixed(0)} ms`)
      trial.within('the 99th of 100 checkouts', quantile(tookMs, 0.99), 2_000)
    },
  },
  {
    id: 'A2',
    expects: '64 checkouts at once with one key: one order, 64 identical replies, 63 marked as replayed',
    runs: { fast: 50, full: 5_000 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(() => raceWithOneKey(trial, shops))
    },
  },
  {
    id: 'A3',
    expects: 'two tabs, two carts, money for one: one wins, the other is told why',
    runs: { fast: 200, full: 5_000 },
    async go(trial) {
      const shops = await trial.shops()
      const [one, other] = [shops.line({ offer: '1GB' }), shops.line({ offer: '2GB' })]
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: pesewas(Math.max(one.amount, other.amount)) })
        const replies = await raceCarts(shops, trial, buyer, [[one], [other]])
        trial.same('statuses', replies.map(({ status }) => status).sort(), [200, 402])
        const loser = replies.find(({ status }) => status !== 200)
        trial.same('what the loser is told', loser?.body.code, 'INSUFFICIENT_BALANCE')
        trial.same('orders', (await shops.books(buyer.id)).orders, 1)
      })
    },
  },
  {
    id: 'A4',
    expects: '16 carts of 5 items, money for 7: 7 whole carts, no part of one',
    runs: { fast: 50, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(() => raceCartsOfFive(trial, shops))
    },
  },
  {
    id: 'A5',
    expects: '16 writers mix purchases, credits, debits and approvals: every read of all balances sums to zero, none is below',
    runs: { fast: 2_000, full: 10_000 },
    async go(trial) {
      await bankTest(trial, await trial.shops())
    },
  },
  {
    id: 'A6',
    expects:
      'purchases, debits, credits, approvals, refunds on one wallet, 32 of each at once: the balance is the exact sum of what was acknowledged',
    runs: { fast: 8, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      let busy = 0
      await trial.repeat(async () => {
        busy += await mixOnOneWallet(trial, shops)
      })
      trial.note(`${busy} of ${trial.runs * 160} were told to try again, and had no effect`)
    },
  },
  {
    id: 'A7',
    expects: 'a recharge approved by 2 admins in 2 tabs with double clicks: credited once, the seven others are told it was decided',
    runs: { fast: 96, full: 500 },
    async go(trial) {
      const shops = await trial.shops()
      await inGroupsOfEight(trial, async (many) => {
        const [asker] = [await shops.makeUser()]
        const recharges = await makeRecharges(shops, asker, many)
        const calls = recharges.flatMap(({ id }) =>
          Array.from({ length: 8 }, (_, index) => ({ method: 'PUT', path: `/recharge/${id}/approve`, as: admin(shops, index), body: {} })),
        )
        const replies = await shops.race(calls, trial.random)
        trial.same(
          'approved',
          count(replies, ({ status }) => status === 200),
          many,
        )
        trial.same('told it was decided', count(replies, isDecided), many * 7)
        trial.same('credited', (await shops.books(asker.id)).pesewas, sum(recharges))
      })
    },
  },
  {
    id: 'A8',
    expects: 'approve against decline at one instant: one state, and money to match (a request carries no MoMo id to be claimed twice)',
    runs: { fast: 160, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      await inGroupsOfEight(trial, async (many) => {
        const asker = await shops.makeUser()
        const recharges = await makeRecharges(shops, asker, many)
        const calls = recharges.flatMap(({ id }) =>
          ['approve', 'decline'].map((verb, index) => ({
            method: 'PUT',
            path: `/recharge/${id}/${verb}`,
            as: admin(shops, index),
            body: {},
          })),
        )
        const replies = await shops.race(calls, trial.random)
        trial.same(
          'decided',
          count(replies, ({ status }) => status === 200),
          many,
        )
        trial.same('told it was decided', count(replies, isDecided), many)
        const { rows } = await shops.db.query<{ total: number }>(
          `select coalesce(sum(amount_pesewas), 0) as total from recharges where user_id = $1 and status = 'approved'`,
          [asker.id],
        )
        trial.same('credited', (await shops.books(asker.id)).pesewas, rows[0]?.total)
      })
    },
  },
  {
    id: 'A9',
    expects: 'Process against Reject against Reject at once: one terminal state, one refund for each rejected, none for completed',
    runs: { fast: 160, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      await inGroupsOfEight(trial, (many) => raceDecisions(trial, shops, many, ['completed', 'rejected', 'rejected']))
    },
  },
  {
    id: 'A10',
    expects: 'Update Wallet (-20.00) clicked twice: one posting, the second click gets the first result',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const user = await shops.makeUser({ pesewas: 5_000 })
        const headers = { 'idempotency-key': crypto.randomUUID() }
        const click = { method: 'PUT', path: '/user/balance', as: admin(shops, 0), body: { chosenId: user.id, amount: -20 }, headers }
        const replies = await shops.race([click, click], trial.random)
        trial.same(
          'replies',
          replies.map(({ status, text }) => `${status} ${text}`),
          Array(2).fill('200 {"balance":30}'),
        )
        const { entries, pesewas: left } = await shops.books(user.id)
        trial.same('entries and balance', [entries, left], [2, 3_000])
      })
    },
  },
  {
    id: 'A11',
    expects: 'two admins credit one user at once by different amounts: both count, the balance shown is the ledger',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const user = await shops.makeUser()
        const replies = await shops.race(
          [10.01, 20.02].map((amount, index) => ({
            method: 'PUT',
            path: '/user/balance',
            as: admin(shops, index),
            body: { chosenId: user.id, amount },
          })),
          trial.random,
        )
        const shown = replies.map(({ text }) => JSON.parse(text).balance as number).sort((a, b) => a - b)
        trial.same('the last balance shown', shown[1], 30.03)
        trial.same('the balance kept', (await shops.books(user.id)).pesewas, 3_003)
      })
    },
  },
  {
    id: 'A12',
    expects: 'transfers between two wallets in both directions, 16 at once: no deadlock, at least 100 a second',
    runs: { fast: 2_000, full: 10_000 },
    async go(trial) {
      const shops = await trial.shops()
      const people = await shops.makeUsers(8, { pesewas: 1_000_000 })
      const accounts = await Promise.all(people.map(async ({ id }) => (await findWallet(shops.db, id))?.accountId as number))
      // One connection each, so that all 16 run at once.
      const db = openPool({ url: shops.databaseUrl, size: 16, log: createLog('silent'), name: 'resilience' })
      const deadlocksBefore = await countDeadlocks(shops)
      const startedAt = performance.now()
      await eachOf(Array.from({ length: trial.runs }), 16, async () => {
        const from = Math.floor(trial.random() * accounts.length)
        const to = (from + 1 + Math.floor(trial.random() * (accounts.length - 1))) % accounts.length
        await transaction(db, (tx) =>
          postTransfer(tx, {
            key: `admin-balance:${crypto.randomUUID()}`,
            kind: 'admin-credit',
            memo: 'resilience',
            actorId: null,
            lines: [
              { accountId: accounts[from] as number, amountPesewas: -1 },
              { accountId: accounts[to] as number, amountPesewas: 1 },
            ],
            now: new Date(),
          }),
        ).catch((error: unknown) => trial.wrong(String(error)))
        trial.did()
      })
      const perSecond = trial.runs / ((performance.now() - startedAt) / 1000)
      trial.note(`${perSecond.toFixed(0)} a second`)
      // Each reports its count when it ends.
      await db.end()
      trial.same('deadlocks', (await countDeadlocks(shops)) - deadlocksBefore, 0)
      trial.within('one transfer', 1_000 / perSecond, 10)
      const total = (await Promise.all(people.map(({ id }) => shops.books(id)))).reduce((all, books) => all + books.pesewas, 0)
      trial.same('the sum of the wallets', total, 8_000_000)
    },
  },
  {
    id: 'A13',
    expects: '200 buyers at once on one house account: 200 succeed, p99 below 2 s',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      const tookMs: number[] = []
      await trial.repeat(async () => {
        const line = shops.line()
        const buyers = await shops.makeUsers(200, { pesewas: pesewas(line.amount) })
        const replies = await shops.race(
          buyers.map((as) => checkoutOf(as, [line])),
          trial.random,
        )
        trial.same(
          'succeeded',
          count(replies, ({ status }) => status === 200),
          200,
        )
        tookMs.push(...replies.map((reply) => reply.tookMs))
      })
      const p99 = quantile(tookMs, 0.99)
      trial.note(`p99 ${p99.toFixed(0)} ms`)
      trial.within('the 99th of 100 checkouts', p99, 2_000)
    },
  },
  {
    id: 'A14',
    expects: 'A1, A2, A4, A9 over three processes, then over five: unchanged',
    runs: { fast: 1, full: 100 },
    async go(trial) {
      for (const processes of [3, 5]) {
        const shops = await openShops({ ...trial.opening, processes, env: { DATABASE_POOL_SIZE: '10' } })
        try {
          for (let run = 0; run < trial.runs; run++) {
            await raceForTen(trial, shops)
            await raceWithOneKey(trial, shops)
            await raceCartsOfFive(trial, shops)
            await raceDecisions(trial, shops, 8, ['completed', 'rejected', 'rejected'])
            trial.did()
          }
          for (const violation of await shops.prove()) trial.wrong(violation)
        } finally {
          await shops.close()
        }
      }
    },
  },
  {
    id: 'A15',
    expects: 'a refund called twice at once: one succeeds, one is refused, the sum stays zero',
    runs: { fast: 160, full: 500 },
    async go(trial) {
      const shops = await trial.shops()
      await inGroupsOfEight(trial, (many) => raceDecisions(trial, shops, many, ['rejected', 'rejected']))
    },
  },
  {
    id: 'A16',
    expects: 'refused calls of every kind leave every table as it was (but for the note of a refused key)',
    runs: { fast: 300, full: 1_000 },
    async go(trial) {
      await refuseEverything(trial, await trial.shops())
    },
  },
  {
    id: 'A17',
    expects:
      'a report of an order ended by two admins in four ways while its order is rejected by hand: one of them counts, the money goes back once or stays, nothing is both sent again and refunded',
    runs: { fast: 80, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      await inGroupsOfEight(trial, (many) => raceEndsOfReports(trial, shops, many))
    },
  },
]

async function raceForTen(trial: Trial, shops: Shops): Promise<number[]> {
  const line = pick(bundles(shops), trial.random)
  const buyer = await shops.makeUser({ pesewas: AFFORDED * pesewas(line.amount) })
  const replies = await raceCarts(shops, trial, buyer, Array(AT_ONCE).fill([line]))
  const refused = count(replies, ({ status, body }) => status === 402 && body.code === 'INSUFFICIENT_BALANCE')
  const books = await shops.books(buyer.id)
  trial.same(
    'succeeded, refused with 402, orders, balance, postings',
    [count(replies, ({ status }) => status === 200), refused, books.orders, books.pesewas, books.postings, books.unbalanced],
    [AFFORDED, AT_ONCE - AFFORDED, AFFORDED, 0, 0, 0],
  )
  return replies.map(({ tookMs }) => tookMs)
}

async function raceWithOneKey(trial: Trial, shops: Shops) {
  const line = pick(bundles(shops), trial.random)
  const buyer = await shops.makeUser({ pesewas: AFFORDED * pesewas(line.amount) })
  const key = crypto.randomUUID()
  const replies = await shops.race(Array(AT_ONCE).fill(checkoutOf(buyer, [line], key)), trial.random)
  const books = await shops.books(buyer.id)
  trial.same(
    'succeeded, kinds of reply, marked as replayed, orders, balance',
    [
      count(replies, ({ status }) => status === 200),
      new Set(replies.map(({ text }) => text)).size,
      count(replies, ({ headers }) => headers['idempotency-replayed'] === 'true'),
      books.orders,
      books.pesewas,
    ],
    [AT_ONCE, 1, AT_ONCE - 1, 1, (AFFORDED - 1) * pesewas(line.amount)],
  )
}

async function raceCartsOfFive(trial: Trial, shops: Shops) {
  const cart = Array.from({ length: 5 }, () => pick(bundles(shops), trial.random))
  const price = cart.reduce((total, line) => total + pesewas(line.amount), 0)
  const buyer = await shops.makeUser({ pesewas: 7 * price + price - 1 })
  const replies = await raceCarts(shops, trial, buyer, Array(16).fill(cart))
  const { orders, pesewas: left } = await shops.books(buyer.id)
  const told = (status: number) => count(replies, (reply) => reply.status === status)
  trial.same('carts, refused with 402, orders, balance', [told(200), told(402), orders, left], [7, 9, 35, price - 1])
}

async function raceDecisions(trial: Trial, shops: Shops, many: number, decisions: string[]) {
  const line = shops.line()
  const price = pesewas(line.amount)
  const buyer = await shops.makeUser({ pesewas: many * price })
  const bought = await shops.buy(buyer, Array(many).fill(line))
  const orders = bought.body.orders as { _id: string }[]
  const calls = orders.flatMap(({ _id }) =>
    decisions.map((status, index) => ({ method: 'PUT', path: `/order/update-status/${_id}`, as: admin(shops, index), body: { status } })),
  )
  const replies = await shops.race(calls, trial.random)
  const { rows } = await shops.db.query<{ rejected: number; refunds: number; decided: number }>(
    `select count(*) filter (where status = 'rejected') as rejected, count(*) filter (where status <> 'pending') as decided,
      (select count(*) from journal_entries e join orders o on e.key = 'order-refund:' || o.id where o.user_id = $1) as refunds
    from orders where user_id = $1`,
    [buyer.id],
  )
  const found = rows[0] as { rejected: number; refunds: number; decided: number }
  trial.same(
    'decided, told so, decided in the database, refunds, balance',
    [
      count(replies, ({ status }) => status === 200),
      count(replies, isDecided),
      found.decided,
      found.refunds,
      (await shops.books(buyer.id)).pesewas,
    ],
    [many, many * (decisions.length - 1), many, found.rejected, found.rejected * price],
  )
}

async function countDeadlocks(shops: Shops): Promise<number> {
  const { rows } = await shops.db.query<{ deadlocks: number }>('select deadlocks from pg_stat_database where datname = current_database()')
  return rows[0]?.deadlocks as number
}

async function bankTest(trial: Trial, shops: Shops) {
  const people = await shops.makeUsers(8, { pesewas: 5_000 })
  const line = shops.line()
  let reading = true
  let written = 0
  const writers = Array.from({ length: 16 }, async () => {
    while (reading) {
      const person = pick(people, trial.random)
      const which = Math.floor(trial.random() * 4)
      if (which === 0) await shops.buy(person, [line])
      else if (which === 3) {
        const [recharge] = await makeRecharges(shops, person, 1)
        await shops.call('PUT', `/recharge/${recharge?.id}/approve`, { as: admin(shops, 0), body: {} })
      } else {
        const amount = ((which === 1 ? 1 : -1) * (1 + Math.floor(trial.random() * 2_000))) / 100
        await shops.call('PUT', '/user/balance', { as: admin(shops, 1), body: { chosenId: person.id, amount } })
      }
      written += 1
    }
  })
  await eachOf(Array.from({ length: trial.runs }), 2, async () => {
    const { rows } = await shops.db.query<{ wallets: number; least: number; total: number }>(
      `select count(*) filter (where user_id = any ($1)) as wallets, min(balance_pesewas) as least,
        sum(balance_pesewas) + (select sum(pesewas) from house_balances) as total from wallets`,
      [people.map(({ id }) => id)],
    )
    const read = rows[0] as { wallets: number; least: number; total: number }
    trial.same('accounts and sum', [read.wallets, read.total], [8, 0])
    if (read.least < 0) trial.wrong(`a balance of ${read.least} was read`)
    trial.did()
  })
  reading = false
  await Promise.all(writers)
  trial.note(`${written} writes meanwhile`)
}

async function mixOnOneWallet(trial: Trial, shops: Shops): Promise<number> {
  const EACH = 32
  const line = shops.line()
  const price = pesewas(line.amount)
  const user = await shops.makeUser({ pesewas: EACH * price + 10_000 })
  const { body } = await shops.buy(user, Array(EACH).fill(line))
  const orders = body.orders as { _id: string }[]
  const recharges = await makeRecharges(shops, user, EACH)
  const change = (amount: number) => ({ method: 'PUT', path: '/user/balance', as: admin(shops, 1), body: { chosenId: user.id, amount } })
  const calls = Array.from({ length: EACH }, (_, index) => [
    { call: checkoutOf(user, [line]), effect: -price },
    { call: change(-7), effect: -700 },
    { call: change(3), effect: 300 },
    {
      call: { method: 'PUT', path: `/recharge/${recharges[index]?.id}/approve`, as: admin(shops, 0), body: {} },
      effect: recharges[index]?.pesewas as number,
    },
    {
      call: { method: 'PUT', path: `/order/update-status/${orders[index]?._id}`, as: admin(shops, 0), body: { status: 'rejected' } },
      effect: price,
    },
  ]).flat()
  const replies = await shops.race(
    calls.map(({ call }) => call),
    trial.random,
  )
  const expected = replies.reduce((total, { status }, index) => total + (status === 200 ? (calls[index]?.effect as number) : 0), 10_000)
  const books = await shops.books(user.id)
  trial.same('balance and postings', [books.pesewas, books.postings], [expected, expected])
  // An overloaded shop may refuse, if it then changed nothing: the sum above proves that.
  const others = replies.filter(({ status }) => ![200, 402, 503].includes(status))
  trial.same(
    'other answers',
    others.map(({ status, text }) => `${status} ${text}`),
    [],
  )
  return count(replies, ({ status }) => status === 503)
}

/** A request that is refused, and with which status. */
function refusals(shops: Shops, person: Person, order: string, recharge: string) {
  const line = shops.line()
  const visitor = undefined
  const root = admin(shops, 0)
  const key = { 'idempotency-key': crypto.randomUUID() }
  return [
    [402, 'POST', '/order/checkout', person, { items: [line] }, key],
    [409, 'POST', '/order/checkout', person, { items: [{ ...line, amount: 0.01 }] }, key],
    [400, 'POST', '/order/checkout', person, { items: [] }, key],
    [400, 'POST', '/order/checkout', person, { items: [line] }, {}],
    [409, 'POST', '/order/checkout', person, { items: [{ ...line, offer: '999GB' }] }, key],
    [401, 'POST', '/order/checkout', visitor, { items: [line] }, key],
    [403, 'PUT', '/user/balance', person, { chosenId: person.id, amount: 100 }, {}],
    [402, 'PUT', '/user/balance', root, { chosenId: person.id, amount: -1_000 }, {}],
    [400, 'PUT', '/user/balance', root, { chosenId: person.id, amount: 0 }, {}],
    [404, 'PUT', '/user/balance', root, { chosenId: crypto.randomUUID(), amount: 1 }, {}],
    [403, 'PUT', `/order/update-status/${order}`, person, { status: 'rejected' }, {}],
    [409, 'PUT', `/order/update-status/${order}`, root, { status: 'rejected' }, {}],
    [404, 'PUT', `/order/update-status/${crypto.randomUUID()}`, root, { status: 'rejected' }, {}],
    [409, 'PUT', `/recharge/${recharge}/approve`, root, {}, {}],
    [409, 'PUT', `/recharge/${recharge}/decline`, root, {}, {}],
    [403, 'PUT', `/recharge/${recharge}/approve`, person, {}, {}],
    [400, 'POST', '/recharge', person, { amount: 49.99 }, {}],
    [402, 'PUT', `/user/${person.id}/level`, person, { userLevel: 'Agent' }, {}],
    [403, 'PUT', `/user/${person.id}/level`, person, { userLevel: 'Admin' }, {}],
    [403, 'PUT', '/extra/momo-details', person, { momoPhoneNumber: '0240000001', momoAccountName: 'Thief' }, {}],
    [401, 'PUT', '/extra/notice', visitor, { noticeContent: 'x' }, {}],
    [401, 'POST', '/payment/webhook', visitor, { event: 'charge.success', data: { reference: 'x' } }, {}],
    [404, 'POST', '/payment/AAAAAAAAAAAAAAAAAAAA/confirm', person, {}, {}],
    [409, 'POST', '/payment', person, { purpose: 'order', items: [{ ...line, amount: 1 }] }, {}],
    [400, 'POST', '/payment', person, { purpose: 'top-up', amount: 1 }, {}],
    [409, 'POST', '/payment', person, { purpose: 'top-up', amount: 1, items: [line] }, {}],
    [404, 'PUT', `/admin/reports/${crypto.randomUUID()}/end`, root, { outcome: 'refunded', text: 'never came' }, {}],
    [404, 'POST', `/order/${order}/report`, person, {}, {}],
    [400, 'POST', '/user/register', visitor, { username: 'x', email: 'x', phone: '1', password: 'short' }, {}],
    [401, 'POST', '/user/login', visitor, { userPhone: person.phone, password: 'wrong password' }, {}],
    [404, 'POST', '/proxy', person, { body: { reference: 'not-mine' } }, {}],
  ] as const
}

async function refuseEverything(trial: Trial, shops: Shops) {
  const person = await shops.makeUser({ pesewas: 100 })
  const rich = await shops.makeUser({ pesewas: 10_000 })
  const { body } = await shops.buy(rich, [shops.line()])
  const order = (body.orders as { _id: string }[])[0]?._id as string
  await shops.call('PUT', `/order/update-status/${order}`, { as: admin(shops, 0), body: { status: 'completed' } })
  const [recharge] = await makeRecharges(shops, rich, 1)
  await shops.call('PUT', `/recharge/${recharge?.id}/approve`, { as: admin(shops, 0), body: {} })

  const before = await digestTables(shops)
  for (let done = 0; done < trial.runs; ) {
    for (const [status, method, path, as, sent, headers] of refusals(shops, person, order, recharge?.id as string)) {
      const reply = await shops.call(method, path, { as, body: sent, headers })
      if (reply.status !== status) trial.wrong(`${method} ${path} replied ${reply.status}, not ${status}: ${reply.text.slice(0, 200)}`)
      trial.did()
      done += 1
    }
  }
  const after = await digestTables(shops)
  trial.same(
    'tables that changed',
    Object.keys(after).filter((table) => after[table] !== before[table]),
    [],
  )
}

/** Every second order is completed before, the others are pending. */
async function raceEndsOfReports(trial: Trial, shops: Shops, many: number) {
  const line = shops.line()
  const price = pesewas(line.amount)
  const buyer = await shops.makeUser({ pesewas: many * price })
  const { body } = await shops.buy(buyer, Array(many).fill(line))
  const orders = (body.orders as { _id: string }[]).map(({ _id }) => _id)
  const decide = (order: string, status: string) => ({
    method: 'PUT',
    path: `/order/update-status/${order}`,
    as: admin(shops, 0),
    body: { status },
  })
  for (const order of orders.filter((_, index) => index % 2)) {
    const { path, ...asked } = decide(order, 'completed')
    trial.same('completed', (await shops.call('PUT', path, asked)).status, 200)
  }
  // The API takes reports only after the network's usual time.
  const { rows: reports } = await shops.db.query<{ id: string }>(
    'insert into reports (order_id, opened_at) select id, now() from unnest($1::uuid[]) id returning id',
    [orders],
  )
  const replies = await shops.race(
    orders.flatMap((order, index) => [
      ...['refunded', 'refunded', 'resent', 'delivered'].map((outcome, which) => ({
        method: 'PUT',
        path: `/admin/reports/${reports[index]?.id}/end`,
        as: admin(shops, which),
        body: { outcome, text: 'tried at once' },
      })),
      decide(order, 'rejected'),
    ]),
    trial.random,
  )
  const strange = replies.filter(({ status }) => ![200, 409, 503].includes(status))
  trial.same('strange replies', [...new Set(strange.map(({ status, text }) => `${status} ${text}`))], [])
  trial.same(
    'of five replies for each order those that succeeded',
    orders.map((_, index) => count(replies.slice(5 * index, 5 * index + 5), ({ status }) => status === 200)),
    orders.map(() => 1),
  )
  const { rows } = await shops.db.query<{ status: string; refunds: number; refunded: boolean; resent: boolean }>(
    `select o.status, (select count(*) from journal_entries where key like 'order-refund:' || o.id || '%') as refunds,
       exists (select from reports where order_id = o.id and status = 'refunded') as refunded,
       exists (select from reports where order_id = o.id and status = 'resent') as resent
     from orders o where o.id = any ($1)`,
    [orders],
  )
  for (const { status, refunds, refunded, resent } of rows) {
    const isRejected = status === 'rejected'
    trial.same(
      `refunds, refunded, resent of an order that is ${status}`,
      [refunds, refunded, isRejected && resent],
      [isRejected ? 1 : 0, isRejected, false],
    )
  }
  const back = count(rows, ({ status }) => status === 'rejected') * price
  trial.same('balance', (await shops.books(buyer.id)).pesewas, back)
}

function bundles(shops: Shops) {
  return shops.products
    .filter(({ status, network }) => status === 'available' && network !== 'AirtelTigo')
    .flatMap(({ _id, packages }) =>
      packages.map(({ offer, priceCustomer }) => ({ productId: _id, offer, phoneNumber: '0551234567', amount: priceCustomer })),
    )
}

export function checkoutOf(as: Person, items: unknown[], key = crypto.randomUUID()) {
  return { path: '/order/checkout', as, body: { items }, headers: { 'idempotency-key': key } }
}

function raceCarts(shops: Shops, trial: Trial, buyer: Person, carts: unknown[][]): Promise<HttpReply[]> {
  return shops.race(
    carts.map((cart) => checkoutOf(buyer, cart)),
    trial.random,
  )
}

/** Recharge requests, inserted directly: the API allows twenty pending ones per user. */
export async function makeRecharges(shops: Shops, asker: Person, many: number): Promise<{ id: string; pesewas: number }[]> {
  const { rows } = await shops.db.query<{ id: string; pesewas: number }>(
    `insert into recharges (recharge_id, user_id, amount_pesewas, created_at)
    select (10000000 + floor(random() * 89999999))::bigint::text, $1, 5000 + n * 101, now() from generate_series(1, $2::int) n
    returning id, amount_pesewas as pesewas`,
    [asker.id, many],
  )
  return rows
}

async function inGroupsOfEight(trial: Trial, race: (many: number) => Promise<void>) {
  for (let done = 0; done < trial.runs; done += 8) {
    await race(8).catch((error: unknown) => trial.wrong(String(error)))
    trial.did(8)
  }
}

function admin(shops: Shops, index: number): Person {
  return shops.admins[index % 2] as Person
}

function isDecided({ status, body }: HttpReply): boolean {
  return status === 409 && body.code === 'ALREADY_DECIDED'
}

function sum(values: { pesewas: number }[]): number {
  return values.reduce((total, value) => total + value.pesewas, 0)
}
