import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { count } from './measure.ts'
import { untilQuiet } from './quiet-shop.ts'
import { openShops, type Person, pesewas, type Shops } from './shops.ts'

/** D. The same request again, and work that waits. */
export const idempotency: Experiment[] = [
  {
    id: 'D1',
    expects: 'one key and one body five times, the last after 24 hours: the same reply, marked as replayed, one effect',
    runs: { fast: 30, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: 10_000 })
        const key = crypto.randomUUID()
        const replies: Awaited<ReturnType<typeof shops.buy>>[] = []
        for (let time = 0; time < 5; time++) {
          if (time === 4)
            await shops.db.query(`update idempotency_keys set created_at = created_at - interval '24 hours' where user_id = $1`, [buyer.id])
          replies.push(await shops.buy(buyer, [line], key))
        }
        trial.same('kinds of reply', new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
        trial.same(
          'replayed',
          replies.map(({ headers }) => headers['idempotency-replayed']),
          [null, 'true', 'true', 'true', 'true'],
        )
        trial.same('orders', (await shops.books(buyer.id)).orders, 1)
      })
    },
  },
  {
    id: 'D2',
    expects: 'one key with another body: 409 and no effect',
    runs: { fast: 30, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      const [one, other] = [shops.line(), shops.line({ offer: '2GB' })]
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: 10_000 })
        const key = crypto.randomUUID()
        await shops.buy(buyer, [one], key)
        for (const cart of [[other], [one, one], [{ ...one, phoneNumber: '0241234567' }]]) {
          const { status, body } = await shops.buy(buyer, cart, key)
          trial.same('the second', [status, body.code], [409, 'KEY_REUSED'])
        }
        trial.same('orders', (await shops.books(buyer.id)).orders, 1)
      })
    },
  },
  {
    id: 'D3',
    expects: 'one key used by two users at once, and by a third afterwards: each has their own order',
    runs: { fast: 30, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      await trial.repeat(async () => {
        const buyers = await shops.makeUsers(3, { pesewas: 10_000 })
        const key = crypto.randomUUID()
        const replies = await Promise.all(buyers.slice(1).map((buyer) => shops.buy(buyer, [line], key)))
        replies.push(await shops.buy(buyers[0] as Person, [line], key))
        trial.same(
          'statuses',
          replies.map(({ status }) => status),
          [200, 200, 200],
        )
        for (const { id } of buyers) trial.same('orders', (await shops.books(id)).orders, 1)
      })
    },
  },
  {
    id: 'D4',
    expects: 'no key, a key of 19 or of 300 characters, of strange ones: 400 naming it, no effect',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: 10_000 })
        for (const key of [undefined, '', 'a'.repeat(19), 'a'.repeat(300), `${'a'.repeat(20)} `, `${'a'.repeat(20)}'`, '../'.repeat(10)]) {
          const headers = key === undefined ? {} : { 'idempotency-key': key }
          const { status } = await shops.call('POST', '/order/checkout', { as: buyer, body: { items: [shops.line()] }, headers })
          if (key?.trim().length === 20 && status === 200) continue
          trial.same(`key ${key}`, status, 400)
        }
        if ((await shops.books(buyer.id)).orders > 1) trial.wrong('more than one order was made')
      })
    },
  },
  {
    id: 'D5',
    expects: 'a key that was forgotten after its time: the order’s own id still finds the first one, and no second is made',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      await trial.repeat(async () => {
        const buyer = await shops.makeUser({ pesewas: 10_000 })
        const newOrder = { id: crypto.randomUUID(), network: 'MTN', offer: line.offer, receiver: '0551234567', totalAmount: line.amount }
        await shops.call('POST', '/order/create', { as: buyer, body: { newOrder } })
        await shops.db.query('delete from idempotency_keys where user_id = $1', [buyer.id])
        const again = await shops.call('POST', '/order/create', { as: buyer, body: { newOrder } })
        const books = await shops.books(buyer.id)
        trial.same('again', [again.status, books.orders, books.pesewas], [200, 1, 10_000 - pesewas(line.amount)])
      })
    },
  },
  {
    id: 'D6',
    expects: 'a refusal is kept under its key, a failure of the database is not: the same key buys once it is well again',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      await trial.repeat(async () => {
        const buyer = await shops.makeUser()
        const key = crypto.randomUUID()
        trial.same('too little money', (await shops.buy(buyer, [line], key)).status, 402)
        await shops.call('PUT', '/user/balance', { as: shops.admins[0], body: { chosenId: buyer.id, amount: 50 } })
        trial.same('the same key again', (await shops.buy(buyer, [line], key)).status, 402)
        trial.same('a new key', (await shops.buy(buyer, [line])).status, 200)
        const another = crypto.randomUUID()
        const pids = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dwadi' and wait_event_type = 'Lock'`
        const holder = await shops.db.connect()
        await holder.query('begin')
        await holder.query('select from wallets where user_id = $1 for update', [buyer.id])
        const cut = shops.buy(buyer, [line], another)
        await until(async () => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          return ((await shops.db.query(pids)).rowCount ?? 0) > 0
        })
        await holder.query('commit')
        holder.release()
        trial.same('cut off', (await cut).status, 503)
        trial.same('the same key again', (await shops.buy(buyer, [line], another)).status, 200)
        trial.same('orders', (await shops.books(buyer.id)).orders, 2)
      })
    },
  },
  {
    id: 'D9',
    expects: 'out-of-order commits: an order whose number is lower but which commits later is relayed all the same',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line()
      await trial.repeat(async () => {
        const [slow, quick] = await shops.makeUsers(2, { pesewas: 10_000 })
        const client = await shops.db.connect()
        await client.query('begin')
        const { rows } = await client.query<{ id: string; seq: number }>(
          `select p -> 'id' ->> 0 as id from (select place_wallet_orders($1, $2, '\\x00', $3, now()) -> 'orders' -> 0 as p) made`,
          [
            slow?.id,
            `checkout:${crypto.randomUUID()}`,
            JSON.stringify([
              {
                product: line.productId,
                network: null,
                offer: line.offer,
                receiver: '0551234567',
                seen: pesewas(line.amount),
                clientId: null,
              },
            ]),
          ],
        )
        trial.same('the slow one is there', rows.length, 1)
        await shops.buy(quick as NonNullable<typeof quick>, [line])
        await until(async () => (await waiting(quick?.id)) === 0)
        await client.query('commit')
        client.release()
        await until(async () => (await waiting(slow?.id)) === 0).catch(() => trial.wrong('the slower order was forgotten'))
        async function waiting(user: string | undefined) {
          const found = await shops.db.query<{ left: number }>(
            'select count(*) as left from order_outbox join orders on orders.id = order_outbox.order_id where orders.user_id = $1',
            [user],
          )
          return found.rows[0]?.left
        }
      })
    },
  },
  {
    id: 'D10',
    expects: 'two processes work on one queue: every order for a supplier arrives there once, none is lost',
    runs: { fast: 200, full: 10_000 },
    async go(trial) {
      const shops = await trial.shops()
      const line = shops.line({ network: 'AirtelTigo', phone: '0271234567' })
      const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
      const { hubnet } = shops.sandbox.supplier
      const before = hubnet.tally()
      // The supplier's refusal of duplicates would hide that the shop sends twice.
      await hubnet.change({ callsPerMinute: null, balancePesewas: 1_000_000_000, refusesDuplicates: false })
      for (let done = 0; done < trial.runs; done += 100) {
        await shops.buy(buyer, Array(Math.min(100, trial.runs - done)).fill(line))
        trial.did(Math.min(100, trial.runs - done))
      }
      const arrived = () => hubnet.tally().references - before.references
      await until(() => arrived() >= trial.runs, 60_000 + trial.runs * 60).catch(() => trial.wrong(`only ${arrived()} arrived`))
      await untilQuiet(shops)
      trial.same('delivered twice', hubnet.tally().duplicates - before.duplicates, 0)
      await hubnet.change({ refusesDuplicates: true })
    },
  },
  {
    id: 'D11',
    beside: true,
    expects: 'a job that always fails: tried six times, then failed with an alarm; the others go on, and once it is mended it is done once',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        await trial.repeat(() => poisonOne(trial, shops))
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
]

/** The database refuses all work on one order, as it would if something about it were not as the program believes. */
async function poisonOne(trial: Trial, shops: Shops) {
  const buyer = await shops.makeUser({ pesewas: 1_000_000 })
  const line = shops.line({ network: 'AirtelTigo', phone: '0271234567' })
  await shops.db.query('create table if not exists resilience_poisoned (receiver text)')
  await shops.db.query(`insert into resilience_poisoned values ('0279999999')`)
  await shops.db.query(`create or replace function resilience_poison() returns trigger language plpgsql security definer as $$ begin
    if exists (select from resilience_poisoned p join orders o on o.receiver = p.receiver where o.id = new.order_id)
    then raise exception 'poisoned'; end if; return new; end $$`)
  await shops.db.query(
    'create or replace trigger resilience_poison before update on supplier_deliveries for each row execute function resilience_poison()',
  )
  const bought = await shops.buy(buyer, [line, { ...line, phoneNumber: '0279999999' }, line])
  const orders = bought.body.orders as { _id: string; reference: string; receiver?: string }[]
  const arrived = (at: number) => count(shops.sandbox.supplier.hubnet.deliveries(), ({ reference }) => reference === orders[at]?.reference)
  await until(() => arrived(0) === 1 && arrived(2) === 1, 20_000).catch(() => trial.wrong('the others were held up'))
  type Jobs = { failed: { _id: string; data: { orderId?: string }; attempts: number }[] }
  const failed = async () =>
    (await shops.call<Jobs>('GET', '/admin/jobs?page=1&pageSize=50', { as: shops.admins[0] })).body.failed.find(
      ({ data }) => data.orderId === orders[1]?._id,
    )
  const job = await until(failed, 60_000).catch(() => null)
  if (job === null) return trial.wrong('it never failed for good')
  trial.same('attempts', job.attempts, 6)
  trial.same('deliveries while it is poisoned', arrived(1), 0)
  const told = shops.all.some(({ program }) =>
    program
      .output()
      .split('\n')
      .some((text) => text.includes('job-failed') && text.includes(String(orders[1]?._id))),
  )
  if (!told) trial.wrong('there was no alarm')
  await shops.db.query('delete from resilience_poisoned')
  trial.same('tried again', (await shops.call('POST', `/admin/jobs/${job._id}/retry`, { as: shops.admins[0], body: {} })).status, 200)
  await until(() => arrived(1) === 1, 20_000).catch(() => trial.wrong('it was not done once it was mended'))
  trial.same('deliveries', [arrived(0), arrived(1), arrived(2)], [1, 1, 1])
}
