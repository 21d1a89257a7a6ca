import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openShops, PASSWORD, pesewas, type Shops } from './shops.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const SHIFTS = [0, DAY_MS, -DAY_MS, 5 * MINUTE_MS, -5 * MINUTE_MS]

/** G2. Processes that disagree about what time it is. */
export const clocks: Experiment[] = [
  {
    id: 'G2',
    beside: true,
    expects:
      'five processes, their clocks right, a day and five minutes fast and slow: orders in the order of their making and all of them listed, money right, sessions and password resets good at each',
    runs: { fast: 6, full: 60 },
    go: disagreeAboutTime,
  },
]

async function disagreeAboutTime(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 1, env: { DATABASE_POOL_SIZE: '10' } })
  const clock = new URL('../test/fixtures/shifted-clock.mjs', import.meta.url).href
  try {
    for (const shift of SHIFTS.slice(1)) await shops.startAnother({ NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: String(shift) })
    await trial.repeat(() => buyEverywhere(trial, shops))
    await trial.repeat(() => signInEverywhere(trial, shops))
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
  }
}

async function buyEverywhere(trial: Trial, shops: Shops) {
  const line = shops.line()
  const times = 10
  const buyer = await shops.makeUser({ pesewas: times * pesewas(line.amount) })
  const made: string[] = []
  for (let time = 0; time < times; time++) {
    const { status, body, text } = await shops.buy(buyer, [line], undefined, Math.floor(trial.random() * SHIFTS.length))
    if (status !== 200) trial.wrong(`a purchase got ${status} ${text}`)
    else made.push((body.orders as { _id: string }[])[0]?._id as string)
  }
  for (const shop of shops.all.keys()) {
    const listed = await shops.call<{ _id: string }[]>('GET', '/order/allorders?page=1&pageSize=50', { as: buyer, shop })
    trial.same(
      `the list of process ${shop}`,
      listed.body.map(({ _id }) => _id),
      [...made].reverse(),
    )
  }
  const books = await shops.books(buyer.id)
  trial.same('orders and balance', [books.orders, books.pesewas], [times, 0])
}

async function signInEverywhere(trial: Trial, shops: Shops) {
  for (const here of shops.all.keys()) {
    const person = await shops.makeUser()
    const { body } = await shops.call<{ token: string }>('POST', '/user/login', {
      body: { userPhone: person.phone, password: PASSWORD },
      shop: here,
    })
    for (const there of shops.all.keys())
      trial.same(`signed in at ${here}, asked at ${there}`, (await shops.call('GET', '/user', { as: body, shop: there })).status, 200)
    await shops.call('POST', '/user/forget-password', { body: { email: person.email }, shop: here })
    const mail = await until(() => shops.sandbox.mail.messages().find(({ to }) => to.includes(person.email)), 20_000)
    const token = /reset-password\/([\w-]+)/.exec(mail.body)?.[1]
    const there = Math.floor(trial.random() * shops.all.length)
    const reset = await shops.call('POST', `/user/reset-password/${token}`, { body: { password: 'another password' }, shop: there })
    trial.same(`a reset asked for at ${here}, used at ${there}`, reset.status, 200)
  }
}
