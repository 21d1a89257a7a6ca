import { setTimeout as wait } from 'node:timers/promises'
import { callAt } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import { checkoutOf } from './concurrency.ts'
import type { Experiment, Trial } from './experiment.ts'
import { quantile } from './measure.ts'
import { openShops, pesewas, type Shop, type Shops } from './shops.ts'

const BUYERS = 64
const CODES = 10
/** Of W2. */
const CUSTOMERS = 16
/** Of W3. */
const AT_ONCE = 8
const MONEY = 10_000
const KIND = 'novdec'

/** W. Checkers from the stock. */
export const checkers: Experiment[] = [
  {
    id: 'W1',
    expects: `${BUYERS} buyers want the last ${CODES} checkers at once, over two processes: ${CODES} are sold, each to one buyer, and the others are refused and not charged`,
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await sellFromStock(shops)
      await trial.repeat(async () => {
        // A run that could not begin, as for want of a connection, leaves its codes to no other.
        await emptyStock(shops)
        await fill(shops, CODES)
        const buyers = await shops.makeUsers(BUYERS, { pesewas: MONEY })
        const line = checkerLine(shops)
        const replies = await shops.race(
          buyers.map((buyer) => ({ method: 'POST', ...checkoutOf(buyer, [line]) })),
          trial.random,
        )
        const bought = replies.filter(({ status }) => status === 200).length
        const refused = replies.filter(({ status, body }) => status === 409 && String(body.message).includes('is sold out')).length
        trial.same('buyers who got one, and who were refused', [bought, refused], [CODES, BUYERS - CODES])
        await expectOneEach(trial, shops, buyers, CODES)
      })
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'W2',
    expects: `kill -9 of one of two processes while ${CUSTOMERS} customers buy checkers: whoever tries again has one, no code is lost or given twice`,
    runs: { fast: 10, full: 60 },
    beside: true,
    async go(trial) {
      const shops = await openShops(trial.opening)
      let unanswered = 0
      try {
        await sellFromStock(shops)
        await trial.repeat(async () => {
          await emptyStock(shops)
          await fill(shops, 2 * CUSTOMERS)
          const buyers = await shops.makeUsers(CUSTOMERS, { pesewas: MONEY })
          const line = checkerLine(shops)
          const calls = buyers.map((buyer) => checkoutOf(buyer, [line]))
          const dying = shops.all.pop() as Shop
          let answered = 0
          const enough = 1 + Math.floor(trial.random() * CUSTOMERS)
          const first = calls.map(async ({ path, ...asked }) => {
            const reply = await callAt(dying.address, 'POST', path, asked)
            answered += 1
            return reply.status
          })
          await until(() => answered >= enough)
          dying.program.process.kill('SIGKILL')
          const statuses = await Promise.all(first)
          unanswered += statuses.filter((status) => status === 0).length
          trial.same(
            'other replies than 200 and none',
            statuses.filter((status) => status !== 200 && status !== 0),
            [],
          )
          await dying.program.ended()
          for (const { path, ...asked } of calls) trial.same('the second try', (await shops.call('POST', path, asked)).status, 200)
          await expectOneEach(trial, shops, buyers, CUSTOMERS)
          await shops.startAnother()
          await wait(50)
        })
        trial.note(`${unanswered} of ${trial.runs * CUSTOMERS} got no reply at first`)
        trial.same('what the books say', await shops.prove(), [])
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'W3',
    expects: `${AT_ONCE} buyers at once, over two processes, pay from the wallet and read the serial and PIN: 99 of 100 have it within a second of pressing Buy`,
    runs: { fast: 40, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await sellFromStock(shops)
      const tookMs: number[] = []
      await trial.repeat(async () => {
        await emptyStock(shops)
        await fill(shops, AT_ONCE)
        const buyers = await shops.makeUsers(AT_ONCE, { pesewas: MONEY })
        const line = checkerLine(shops)
        const shown = await Promise.all(
          buyers.map(async (as) => {
            const { path, ...asked } = checkoutOf(as, [line])
            const pressedAt = performance.now()
            const bought = await shops.call('POST', path, asked)
            const [order] = (bought.body.orders ?? []) as { _id: string }[]
            const { body } = await shops.call('GET', `/order/${order?._id}/checkers`, { as })
            tookMs.push(performance.now() - pressedAt)
            return ((body.checkers ?? []) as { pin: string }[])[0]?.pin
          }),
        )
        trial.same('different PINs that were shown', new Set(shown.filter(Boolean)).size, AT_ONCE)
      })
      const p99 = quantile(tookMs, 0.99)
      trial.note(`p99 ${p99.toFixed(0)} ms`)
      trial.within('the 99th of 100 buyers', p99, 1_000)
    },
  },
]

/** BECE is sold from a stock of its own, so that the samples stay out of it. */
async function sellFromStock(shops: Shops) {
  const { productId } = checkerLine(shops)
  const [as] = shops.admins
  const saved = await shops.call('PUT', '/admin/checkers/packages', { as, body: { productId, offer: 'BECE', kind: KIND, units: 1 } })
  if (saved.status !== 200) throw new Error(`the package was not saved: ${saved.text}`)
  await emptyStock(shops)
}

function checkerLine(shops: Shops) {
  return shops.line({ network: 'WAEC Checkers', offer: 'BECE', phone: '0551234567' })
}

let made = 100_000_000

async function fill(shops: Shops, codes: number) {
  const lines = Array.from({ length: codes }, () => {
    made += 1
    return { serial: `W${made}`, pin: `900${made}` }
  })
  const [as] = shops.admins
  const filled = await shops.call('POST', '/admin/checkers/imports', {
    as,
    body: { kind: KIND, distributor: 'Kwame', unitCost: 15, lines },
  })
  if (filled.status !== 200) throw new Error(`nothing was imported: ${filled.text}`)
}

/** What a run leaves is bought by one customer more. */
async function emptyStock(shops: Shops) {
  const { rows } = await shops.db.query<{ left: number }>(
    'select count(*)::integer as left from checker_codes where kind = $1 and order_id is null and taken_back_at is null',
    [KIND],
  )
  const left = rows[0]?.left ?? 0
  if (left === 0) return
  const line = checkerLine(shops)
  const buyer = await shops.makeUser({ pesewas: left * MONEY })
  await shops.buy(buyer, Array(left).fill(line))
}

/** So many of the buyers have an order with a code of its own, and have paid for it; the others have neither. */
async function expectOneEach(trial: Trial, shops: Shops, buyers: readonly { id: string }[], sold: number) {
  const { rows } = await shops.db.query(
    `select count(*)::integer as orders, count(distinct o.user_id)::integer as buyers, count(c.id)::integer as codes,
       count(distinct c.id)::integer as different, count(*) filter (where o.status <> 'completed')::integer as open
     from orders o left join checker_codes c on c.order_id = o.id where o.user_id = any ($1)`,
    [buyers.map(({ id }) => id)],
  )
  trial.same('orders, buyers and codes', rows[0], { orders: sold, buyers: sold, codes: sold, different: sold, open: 0 })
  const { rows: wallets } = await shops.db.query<{ pesewas: string }>(
    'select sum(balance_pesewas)::bigint as pesewas from wallets where user_id = any ($1)',
    [buyers.map(({ id }) => id)],
  )
  trial.same('what they have left', Number(wallets[0]?.pesewas), buyers.length * MONEY - sold * pesewas(checkerLine(shops).amount))
}
