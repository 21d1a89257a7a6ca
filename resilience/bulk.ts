import { setTimeout as wait } from 'node:timers/promises'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { startProgram } from './leftovers.ts'
import { openShops, type Person, pesewas, type Shop, type Shops } from './shops.ts'

const LINES = 50
const MANY = 1_000
/** A list of a thousand lines takes about as long. */
const LONGEST_KILL_MS = 500

/** Lists of many orders: sent twice, priced anew meanwhile, and cut off in the middle. */
export const bulk: Experiment[] = [
  {
    id: 'A19',
    expects: `a list of ${LINES} lines is sent four times at once to two processes under one key: bought once, and each reply names the same list`,
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const { agent, list } = await makeList(shops)
        const replies = await shops.race(Array(4).fill(list), trial.random)
        trial.same('the replies', [...new Set(replies.map(({ status }) => status))], [200])
        trial.same('the lists', new Set(replies.map(({ body }) => (body as unknown as Reply).job._id)).size, 1)
        await expectBought(trial, shops, agent, list.total, true)
      })
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'A20',
    expects: 'a price changes while a list is paid for: all lines at the total that was agreed, or none',
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      let refused = 0
      await trial.repeat(async (run) => {
        const { agent, list } = await makeList(shops)
        const item = shops.line({ level: 'Agent' })
        const to = (pesewas(item.amount) + 1 + (run % 2)) / 100
        const change = { productId: item.productId, offer: item.offer, priceAgent: { from: item.amount, to } }
        const publish = { method: 'POST', path: '/admin/prices/publish', as: shops.admins[0], body: { changes: [change] } }
        const [bought, published] = await shops.race([list, publish], trial.random)
        trial.same('the publication', published?.status, 200)
        const isBought = bought?.status === 200
        if (!isBought) {
          refused += 1
          trial.same('the list that came too late', bought?.body.code, 'PRICE_CHANGED')
        }
        await expectBought(trial, shops, agent, list.total, isBought)
        const back = { ...change, priceAgent: { from: to, to: item.amount } }
        const undone = await shops.call('POST', '/admin/prices/publish', { as: shops.admins[0], body: { changes: [back] } })
        trial.same('the price is what it was', undone.status, 200)
      })
      trial.note(`${refused} refused`)
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'A21',
    beside: true,
    expects:
      'kill -9 of the process that buys a list of 1,000 lines: all of it or nothing is there, and the same key at the other process buys it once',
    runs: { fast: 6, full: 200 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      const stood = { whole: 0, nothing: 0 }
      try {
        await trial.repeat(async () => {
          if (await killWhileBuying(trial, shops)) stood.whole += 1
          else stood.nothing += 1
        })
        trial.note(`${stood.whole} times all of it was there after the kill, ${stood.nothing} times nothing`)
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'A22',
    expects:
      'a schedule is due on the first of the month, two processes look at that minute, one is killed meanwhile, others look later: placed once; what costs more than was allowed, and what the wallet lacks money for, is asked about and not placed',
    runs: { fast: 6, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      let kills = 0
      for (let left = trial.runs; left > 0; left -= SETS_AT_ONCE) {
        const sets = Math.min(left, SETS_AT_ONCE)
        await lookTogether(trial, shops, kills, sets).catch((error: unknown) => trial.wrong(`kill ${kills + 1}: ${String(error)}`))
        kills += 1
        trial.did(sets)
      }
      trial.note(`${kills} kills`)
      trial.same('what the books say', await shops.prove(), [])
    },
  },
]

/** A group is worth looking at while it is placed. */
const GROUP_LINES = 300
const KILLED_WITHIN_MS = 800
/** Starting processes takes longer than all else, so these look at several runs' schedules, one of each case, at once. */
const SETS_AT_ONCE = 3

async function lookTogether(trial: Trial, shops: Shops, kill: number, sets: number) {
  // Months ahead, so that the shop's own look finds nothing.
  const due = new Date(Date.UTC(new Date().getUTCFullYear() + 1, kill, 1, 8))
  const cost = GROUP_LINES * pesewas(shops.line({ level: 'Agent' }).amount)
  const cases = [
    { what: 'enough money', pesewas: 2 * cost, most: cost, question: null },
    { what: 'exactly the money', pesewas: cost, most: 2 * cost, question: null },
    { what: 'a price that rose', pesewas: cost, most: cost - 1, question: 'price' },
    { what: 'a pesewa too little', pesewas: cost - 1, most: cost, question: 'balance' },
  ]
  const subjects = Array.from({ length: sets }, () => cases).flat()
  const agents = await Promise.all(subjects.map(async (one) => ({ ...one, agent: await makeSchedule(shops, due, one) })))
  const programs = [1, 2].map(() => look(shops, [due]))
  await Promise.all(programs.map((program) => program.prints(/looks/)))
  await wait(trial.random() * KILLED_WITHIN_MS)
  programs[0]?.process.kill('SIGKILL')
  await Promise.all(programs.map((program) => program.ended()))
  // What the killed one held is free by now, and a minute later nothing is placed again.
  const later = [60_000, 120_000].map((late) => new Date(due.getTime() + late))
  await look(shops, later).ended()
  for (const { what, agent, question, pesewas: had } of agents) {
    const { rows } = await shops.db.query('select question, next_at as "nextAt" from bulk_schedules where user_id = $1', [agent.id])
    const books = await shops.books(agent.id)
    const placed = question === null
    trial.same(`orders and balance with ${what}`, [books.orders, books.pesewas], placed ? [GROUP_LINES, had - cost] : [0, had])
    const next = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 1, 8))
    trial.same(`the schedule with ${what}`, rows, [{ question, nextAt: next }])
  }
  // A month later it is due again, when the next run looks.
  await Promise.all(agents.map(({ agent }) => endSchedules(shops, agent)))
}

async function endSchedules(shops: Shops, agent: Person) {
  const { rows } = await shops.db.query<{ id: string }>('select id from bulk_schedules where user_id = $1', [agent.id])
  await Promise.all(rows.map(({ id }) => shops.call('DELETE', `/bulk-schedules/${id}`, { as: agent })))
}

async function makeSchedule(shops: Shops, due: Date, { pesewas: money, most }: { pesewas: number; most: number }): Promise<Person> {
  const agent = await shops.makeUser({ level: 'Agent', pesewas: money })
  const { offer } = shops.line({ level: 'Agent' })
  const lines = Array.from({ length: GROUP_LINES }, (_, index) => {
    return { name: '', phoneNumber: `0244${String(index).padStart(6, '0')}`, network: 'MTN', offer }
  })
  const saved = await shops.call<{ group: { _id: string } }>('POST', '/bulk-groups', { as: agent, body: { name: 'Staff', lines } })
  const times = { repeats: 'monthly', day: null, weekday: null, monthDay: 1, time: '08:00' }
  await shops.call('POST', '/bulk-schedules', { as: agent, body: { groupId: saved.body.group._id, ...times, most: most / 100 } })
  await shops.db.query('update bulk_schedules set next_at = $2 where user_id = $1', [agent.id, due])
  return agent
}

/** A process that looks at the schedules as at each of these moments. */
function look(shops: Shops, moments: Date[]) {
  const NOW = moments.map((now) => now.toISOString()).join()
  return startProgram('test/fixtures/place-schedules.ts', { DATABASE_URL: shops.databaseUrl, NOW })
}

/** True when the list was bought before the process died. */
async function killWhileBuying(trial: Trial, shops: Shops): Promise<boolean> {
  const { agent, list } = await makeList(shops, MANY)
  const staying = shops.all[0] as Shop
  const dying = shops.all.pop() as Shop
  const { method, path, ...sent } = list
  const cutOff = callAt(dying.address, method, path, sent)
  await wait(trial.random() * LONGEST_KILL_MS)
  dying.program.process.kill('SIGKILL')
  await dying.program.ended()
  await cutOff
  // The database may still be ending what the process began.
  await until(async () => {
    const { rows } = await shops.db.query<{ busy: number }>(
      `select count(*) as busy from pg_stat_activity where datname = current_database() and query like '%place_bulk_orders%' and state <> 'idle' and pid <> pg_backend_pid()`,
    )
    return rows[0]?.busy === 0
  })
  const { orders } = await shops.books(agent.id)
  trial.same('all lines or none', orders === 0 || orders === MANY, true)
  for (const attempt of ['second', 'third'])
    trial.same(`the ${attempt} try`, (await callAt(staying.address, method, path, sent)).status, 200)
  await expectBought(trial, shops, agent, list.total, true, MANY)
  await shops.startAnother()
  return orders === MANY
}

type Reply = { job: { _id: string } }

/** An agent who can pay for exactly two lists, and a list. */
async function makeList(shops: Shops, count = LINES) {
  const item = shops.line({ level: 'Agent' })
  const lines = Array.from({ length: count }, (_, index) => {
    return { ...item, number: index + 1, text: '', name: '', phoneNumber: `0244${String(index).padStart(6, '0')}` }
  })
  const total = pesewas(item.amount) * count
  const agent = await shops.makeUser({ level: 'Agent', pesewas: 2 * total })
  const body = { total: total / 100, lines }
  const list = { method: 'POST', path: '/bulk', as: agent, body, headers: { 'idempotency-key': crypto.randomUUID() }, total }
  return { agent, list }
}

/** All of the list, or nothing: orders, entries and the balance say the same. */
async function expectBought(trial: Trial, shops: Shops, agent: Person, total: number, isBought: boolean, count = LINES) {
  const { pesewas: balance, orders, totalPurchase } = await shops.books(agent.id)
  const expected = isBought ? { balance: total, orders: count, totalPurchase: total } : { balance: 2 * total, orders: 0, totalPurchase: 0 }
  trial.same('balance, orders and purchases', { balance, orders, totalPurchase }, expected)
}
