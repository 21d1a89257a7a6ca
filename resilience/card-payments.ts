import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { QUERY_EVERY_MS } from '../server/features/card/payments/check-payment.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { createLog } from '../server/platform/log.ts'
import { withCardSurcharge } from '../shared/money.ts'
import { sendRaw } from '../test/http-client.ts'
import { pick } from '../test/random.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { makeFolder, startProgram } from './leftovers.ts'
import { eachOf, quantile } from './measure.ts'
import { untilQuiet } from './quiet-shop.ts'
import { type Line, openShops, type Person, pesewas, type Shops, withoutGuard } from './shops.ts'

/** E. Card payments and the provider's webhook events. */
export const cardPayments: Experiment[] = [
  {
    id: 'E1',
    expects: 'paid, and the browser closed at once: the webhook event creates the orders within 5 s (p99), once under 5 replays',
    runs: { fast: 30, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      const tookMs: number[] = []
      await trial.repeat(async () => {
        const { payer, reference } = await start(shops, [shops.line()])
        const since = performance.now()
        await shops.card.pay(reference)
        await until(async () => (await shops.books(payer.id)).orders === 1, 15_000)
        tookMs.push(performance.now() - since)
        for (let time = 0; time < 5; time++) await shops.card.notifyAgain(reference)
        await untilHandled(shops, reference)
        trial.same('orders', (await shops.books(payer.id)).orders, 1)
      })
      trial.note(`p99 ${quantile(tookMs, 0.99).toFixed(0)} ms`)
      trial.within('the 99th of 100 payments', quantile(tookMs, 0.99), 5_000)
    },
  },
  {
    id: 'E2',
    expects:
      'paid, the browser closed and no webhook event: the loop that checks open payments finds it within 60 s; a late event changes nothing',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const shops = await trial.shops()
      await eachOf(Array.from({ length: trial.runs }), 10, async () => {
        const { payer, reference } = await payUnnoticed(shops)
        await until(async () => (await shops.books(payer.id)).orders === 1, 60_000).catch(() => trial.wrong('it was not found within 60 s'))
        await sendNotice(shops, JSON.stringify({ event: 'charge.success', data: { reference, late: 1 } }))
        await untilHandled(shops, reference)
        trial.same('orders', (await shops.books(payer.id)).orders, 1)
        trial.did()
      })
    },
  },
  {
    id: 'E3',
    expects: 'browser, webhook event and loop at one instant, 64 calls over two processes: fulfilled once',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const { payer, reference } = await payUnnoticed(shops)
        await shops.db.query(`update payments set check_at = now() where reference = $1`, [reference])
        const confirms = Array.from({ length: 32 }, () => ({ path: `/payment/${reference}/confirm`, as: payer, body: {} }))
        const body = JSON.stringify({ event: 'charge.success', data: { reference } })
        const [replies] = await Promise.all([
          shops.race(confirms, trial.random),
          Promise.all(Array.from({ length: 32 }, () => sendNotice(shops, body))),
        ])
        // One caller may query the provider; whoever asks the other process meanwhile is told how it stands, and asks again.
        const told = replies.map(({ status, text }) => (status === 200 ? JSON.parse(text).payment.status : status))
        trial.same(
          'told',
          told.filter((one) => one !== 'paid' && one !== 'open'),
          [],
        )
        trial.same('told that it is paid', told.includes('paid'), true)
        trial.same('asked again', (await confirm(shops, payer, reference)).body.payment?.status, 'paid')
        const books = await shops.books(payer.id)
        trial.same('orders and balance', [books.orders, books.pesewas], [1, 0])
      })
    },
  },
  {
    id: 'E4',
    expects: 'forged webhook events (no signature, wrong, cut, SHA-256, by the public key, doubled header…): 401, no row',
    runs: { fast: 150, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      const { reference } = await start(shops, [shops.line()])
      const before = await countEvents(shops)
      const { secretKey, publicKey } = shops.card
      await trial.repeat(async (run) => {
        const body = JSON.stringify({ event: 'charge.success', data: { reference, run } })
        const right = sign(body, secretKey)
        const forged = pick(
          [
            undefined,
            '',
            right.slice(0, -1),
            `${right}0`,
            right.slice(0, 64),
            ` ${right.slice(1)}`,
            sign(body, secretKey, 'sha256'),
            sign(body, secretKey, 'sha1'),
            sign(body, publicKey),
            sign(body, ''),
            sign(`${body} `, secretKey),
            sign(body, secretKey).split('').reverse().join(''),
            `sha512=${right}`,
            Buffer.from(right, 'hex').toString('base64'),
            [right.slice(0, 64), right.slice(64)],
            ['0'.repeat(128), right.replace(/./, 'g')],
          ],
          trial.random,
        )
        const { status } = await sendRaw(shops.all[run % 2]?.address as string, {
          method: 'POST',
          path: '/api/payment/webhook',
          headers: { 'content-type': 'application/json', ...(forged === undefined ? {} : { 'x-paystack-signature': forged }) },
          body,
        })
        trial.same(`signature ${String(forged).slice(0, 30)}`, status, 401)
      })
      trial.same('notices kept', await countEvents(shops), before)
    },
  },
  {
    id: 'E5',
    expects: 'one byte of a signed webhook event altered, at every position: 401 each',
    runs: { fast: 1, full: 3 },
    async go(trial) {
      const shops = await trial.shops()
      const { reference } = await start(shops, [shops.line()])
      const body = Buffer.from(
        JSON.stringify({ event: 'charge.success', data: { reference, amount: 567, currency: 'GHS', status: 'success' } }),
      )
      const signature = sign(body, shops.card.secretKey)
      for (let round = 0; round < trial.runs; round++) {
        const statuses = await eachOf([...body.keys()], 8, async (at) => {
          const altered = Buffer.from(body)
          altered[at] = (altered[at] as number) ^ (1 + Math.floor(trial.random() * 254))
          return (await sendNotice(shops, altered, signature)).status
        })
        trial.same('statuses', [...new Set(statuses)], [401])
        trial.did(statuses.length)
      }
    },
  },
  {
    id: 'E6',
    expects: 'a right signature over odd JSON (spaces, 5150.0, \\/, \\u00e9, big and doubled numbers, 1e3, a line at the end): taken',
    runs: { fast: 10, full: 10 },
    async go(trial) {
      const shops = await trial.shops()
      for (const odd of ODD_BODIES) {
        const { payer, reference } = await payUnnoticed(shops)
        trial.same(odd.slice(0, 40), (await sendNotice(shops, odd.replaceAll('REF', reference))).status, 200)
        await until(async () => (await shops.books(payer.id)).orders === 1, 15_000).catch(() => trial.wrong(`nothing came of ${odd}`))
        trial.did()
      }
    },
  },
  {
    id: 'E7',
    beside: true,
    expects: 'no key, an empty or a short one in a live shop: it does not open, and names the setting',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const live = {
        SHOP_MODE: 'live',
        PUBLIC_URL: 'https://shop.example',
        MAIL: 'off',
        SMS: 'off',
        SUPPLIER: 'off',
        PAYSTACK_PUBLIC_KEY: 'pk_live_0123456789',
      }
      for (const key of [{}, { PAYSTACK_SECRET_KEY: '' }, { PAYSTACK_SECRET_KEY: 'short' }] as Record<string, string>[]) {
        const program = startProgram('server/main.ts', {
          ...live,
          ...key,
          ...withoutGuard(trial.opening),
          DATA_DIR: makeFolder('keyless'),
          PORT: '0',
        })
        // A shop that opens in spite of it would never end by itself.
        const opened = program.prints(/is open at/, 60_000).then(() => program.process.kill('SIGTERM'))
        const code = await Promise.race([program.ended(), opened.then(() => 'it opened', program.ended)])
        trial.same(`exit with the key ${key.PAYSTACK_SECRET_KEY}`, code, 1)
        await program.ended()
        if (!program.output().includes('PAYSTACK_SECRET_KEY')) trial.wrong(`it does not name the setting: ${program.output()}`)
        trial.did()
      }
    },
  },
  {
    id: 'E8',
    expects: 'one valid webhook event 100 times, over both processes: 200 each, one effect',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const { payer, reference } = await payUnnoticed(shops)
        const body = JSON.stringify({ event: 'charge.success', data: { reference } })
        const replies = await Promise.all(Array.from({ length: 100 }, () => sendNotice(shops, body)))
        trial.same('statuses', [...new Set(replies.map(({ status }) => status))], [200])
        await untilHandled(shops, reference)
        trial.same('orders', (await shops.books(payer.id)).orders, 1)
      })
    },
  },
  {
    id: 'E9',
    expects: 'four webhook events (success, failed, refund, dispute) in all 24 orders: one fulfilment each',
    runs: { fast: 24, full: 24 },
    async go(trial) {
      const shops = await trial.shops()
      for (const order of permutations(['charge.success', 'charge.failed', 'refund.processed', 'charge.dispute.create'])) {
        const { payer, reference, amount } = await payUnnoticed(shops)
        const transaction = { reference, amount, currency: 'GHS', status: 'success' }
        const data: Record<string, object> = {
          'refund.processed': { id: `r-${reference}`, transaction_reference: reference, amount, currency: 'GHS', status: 'processed' },
          'charge.dispute.create': { id: `d-${reference}`, status: 'awaiting-merchant-feedback', transaction },
        }
        for (const event of order) {
          const body = JSON.stringify({ event, data: data[event] ?? { reference } })
          trial.same(event, (await sendNotice(shops, body)).status, 200)
        }
        await untilHandled(shops, reference)
        trial.same(`orders after ${order.join(', ')}`, (await shops.books(payer.id)).orders, 1)
        trial.did()
      }
    },
  },
  {
    id: 'E10',
    expects:
      'a pesewa less, NGN, abandoned, another world (live), unknown reference, another’s reference: never fulfilled; held with a reason or open',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        for (const [name, data, status, wallet] of MISMATCHES) {
          const { payer, reference, amount } = await start(shops, [shops.line()])
          shops.card.addFault({ call: 'verify', kind: 'data', reference, times: 1, data: data(amount) })
          const { body } = await confirm(shops, payer, reference)
          const books = await shops.books(payer.id)
          trial.same(name, [body.payment?.status, books.orders, books.pesewas], [status, 0, wallet(amount)])
          if (status === 'held') {
            const listed = await shops.call('GET', `/payment?status=held&search=${reference}`, { as: shops.admins[0] })
            if (!listed.text.includes('reason')) trial.wrong(`${name}: the admin does not see why`)
          }
        }
        trial.same('an unknown reference', (await confirm(shops, await shops.makeUser(), 'A'.repeat(20))).status, 404)
        const { reference } = await start(shops, [shops.line()])
        trial.same('another’s reference', (await confirm(shops, await shops.makeUser(), reference)).status, 404)
      })
    },
  },
  {
    id: 'E11',
    expects: 'random carts, and the 8 prices that floats get wrong, through the whole flow: charged is what was asked, no false mismatch',
    runs: { fast: 40, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      const lines = shops.products
        .filter(({ status, network }) => status === 'available' && network !== 'AirtelTigo')
        .flatMap(({ _id, packages }) =>
          packages.map(({ offer, priceCustomer }) => ({ productId: _id, offer, phoneNumber: '0551234567', amount: priceCustomer })),
        )
      const odd = await productAt(shops, [7050, 12850, 26950, 29450, 50150, 52650, 55150, 57650])
      await trial.repeat(async (run) => {
        const cart =
          run < odd.length
            ? [odd[run] as Line]
            : Array.from({ length: 1 + Math.floor(trial.random() * 6) }, () => pick(lines, trial.random))
        const { payer, reference, amount } = await start(shops, cart)
        trial.same('asked', amount, withCardSurcharge(cart.reduce((total, line) => total + pesewas(line.amount), 0)))
        lose(shops, reference)
        await shops.card.pay(reference)
        const { body } = await confirm(shops, payer, reference)
        const { rows } = await shops.db.query<{ paid: number }>(
          'select sum(price_pesewas + surcharge_pesewas) as paid from orders where payment_reference = $1',
          [reference],
        )
        trial.same('paid, status, left', [rows[0]?.paid, body.payment?.status, (await shops.books(payer.id)).pesewas], [amount, 'paid', 0])
      })
    },
  },
  {
    id: 'E12',
    beside: true,
    expects: 'the database away while people pay: webhook events get 5xx, none is lost, each payment is fulfilled once after its return',
    runs: { fast: 20, full: 200 },
    go: payWhileAway,
  },
  {
    id: 'E13',
    expects: 'supplier and message service hang: a webhook event is answered in under 250 ms (p99), the work waits',
    runs: { fast: 60, full: 600 },
    async go(trial) {
      const shops = await trial.shops()
      shops.sandbox.supplier.hubnet.addFault({ call: 'order', kind: 'hang', times: 1_000 })
      shops.sandbox.sms.addFault({ call: 'send', kind: 'hang', times: 1_000 })
      const line = shops.line({ network: 'AirtelTigo', phone: '0271234567' })
      const tookMs: number[] = []
      await trial.repeat(async () => {
        // If the work came first, the answer would wait for the supplier of these orders.
        const { payer, reference } = await payUnnoticed(shops, [line])
        const since = performance.now()
        trial.same('status', (await sendNotice(shops, JSON.stringify({ event: 'charge.success', data: { reference } }))).status, 200)
        tookMs.push(performance.now() - since)
        await until(async () => (await shops.books(payer.id)).orders === 1, 15_000)
      })
      shops.sandbox.supplier.hubnet.clearFaults()
      shops.sandbox.sms.clearFaults()
      const p99 = quantile(tookMs, 0.99)
      trial.note(`p99 ${p99.toFixed(0)} ms`)
      trial.within('the 99th of 100 webhook calls', p99, 250)
    },
  },
  {
    id: 'E14',
    expects:
      'the provider slow, 500, half a JSON, a redirect to "all is paid", 10 MB, another reference: bounded at 12 s, nothing fulfilled, then retried',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        await Promise.all(
          FAULTS.map(async (fault) => {
            const { payer, reference } = await start(shops, [shops.line()])
            shops.card.addFault({ call: 'verify', reference, times: 1, ...fault } as Parameters<typeof shops.card.addFault>[0])
            const since = performance.now()
            const { status } = await confirm(shops, payer, reference)
            trial.same(`the reply after ${fault.kind}`, status, 200)
            // The shop waits by the clock; only what it does besides takes longer on a busy machine.
            trial.within(`${fault.kind}, beyond the ${CALL_MS} ms of one call,`, performance.now() - since - CALL_MS, 2_000)
            trial.same(`orders after ${fault.kind}`, (await shops.books(payer.id)).orders, 0)
            lose(shops, reference)
            await shops.card.pay(reference)
            // The provider is queried about a payment at most once in three seconds.
            await wait(QUERY_EVERY_MS)
            await confirm(shops, payer, reference)
            trial.same(`orders once it is paid after ${fault.kind}`, (await shops.books(payer.id)).orders, 1)
          }),
        )
      })
    },
  },
  {
    id: 'E15',
    expects: 'the agent upgrade paid twice at once: one agent, and the second payment in the wallet to the pesewa',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const payer = await shops.makeUser()
        const upgrades = await Promise.all(
          Array.from(
            { length: 2 },
            async () =>
              (await shops.call<{ reference: string }>('POST', '/payment', { as: payer, body: { purpose: 'agent-upgrade' } })).body
                .reference,
          ),
        )
        for (const reference of upgrades) {
          lose(shops, reference)
          await shops.card.pay(reference)
        }
        await Promise.all(upgrades.map((reference) => confirm(shops, payer, reference)))
        const { rows } = await shops.db.query('select level from users where id = $1', [payer.id])
        trial.same('level and wallet', [rows[0], (await shops.books(payer.id)).pesewas], [{ level: 'Agent' }, 5_000])
      })
    },
  },
  {
    id: 'E16',
    expects:
      'a top-up, alone or with what it is to buy, reported by browser and webhook events at one instant while its payer buys the same from the wallet: credited once, bought once, right to the pesewa',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat((run) => settleTopUpAtOnce(trial, shops, run % 2 === 0))
    },
  },
  {
    id: 'E17',
    expects: 'sixteen top-ups of GHS 1,000 begun at once by one payer: never more than the day’s 5,000 can be paid',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const payer = await shops.makeUser()
        const begin = { path: '/payment', as: payer, body: { purpose: 'top-up', amount: 1_000 } }
        const replies = await shops.race(Array(16).fill(begin), trial.random)
        const statuses = replies.map(({ status }) => status).sort()
        trial.same('statuses', statuses, [...Array(5).fill(200), ...Array(11).fill(429)])
      })
    },
  },
]

async function settleTopUpAtOnce(trial: Trial, shops: Shops, buys: boolean) {
  const line = shops.line()
  const price = pesewas(line.amount)
  const had = price - 300
  const payer = await shops.makeUser({ pesewas: had })
  const topUp = buys ? 300 : 5_000
  const { body, status, text } = await shops.call<{ reference: string }>('POST', '/payment', {
    as: payer,
    body: { purpose: 'top-up', amount: topUp / 100, ...(buys && { items: [line] }) },
  })
  if (status !== 200) throw new Error(`a top-up could not be started: ${status} ${text}`)
  const { reference } = body
  lose(shops, reference)
  await shops.card.pay(reference)
  const confirms = Array.from({ length: 16 }, () => ({ path: `/payment/${reference}/confirm`, as: payer, body: {} }))
  const purchases = Array.from({ length: 4 }, () => ({
    path: '/order/checkout',
    as: payer,
    body: { items: [line] },
    headers: { 'idempotency-key': crypto.randomUUID() },
  }))
  const event = JSON.stringify({ event: 'charge.success', data: { reference } })
  const [replies] = await Promise.all([
    shops.race([...confirms, ...purchases], trial.random),
    Promise.all(Array.from({ length: 16 }, () => sendNotice(shops, event))),
  ])
  await untilHandled(shops, reference)
  await wait(QUERY_EVERY_MS)
  trial.same('in the end', (await confirm(shops, payer, reference)).body.payment?.status, 'paid')
  const bought = replies.slice(confirms.length).filter(({ status }) => status === 200).length
  // What it brings is spent at once where it is to buy something: nothing else can be bought with it.
  if (buys) trial.same('bought from the wallet besides', bought, 0)
  const books = await shops.books(payer.id)
  const orders = bought + (buys ? 1 : 0)
  trial.same('orders and balance', [books.orders, books.pesewas], [orders, had + topUp - orders * price])
}

/** Longer than the simulator repeats its webhook events, so that some are never accepted. */
const AWAY_MS = { fast: 4_000, full: 60_000 }

async function payWhileAway(trial: Trial) {
  const dataDir = makeFolder('away')
  const log = createLog('silent')
  let database = await startEmbeddedPostgres({ dataDir, log })
  const shops = await openShops({ ...trial.opening, processes: 2, databaseUrl: database.url() })
  try {
    const payments: { payer: Person; reference: string }[] = []
    for (let run = 0; run < trial.runs; run++) payments.push(await start(shops, [shops.line()]))
    await database.stop()
    const answers = await eachOf(payments, 4, async ({ reference }) => {
      await shops.card.pay(reference)
      return (await sendNotice(shops, JSON.stringify({ event: 'charge.success', data: { reference } }))).status
    })
    trial.same('answers to notices while it is away', [...new Set(answers)], [503])
    await wait(AWAY_MS[trial.tier])
    database = await startEmbeddedPostgres({ dataDir, log })
    const since = performance.now()
    const made = async () => (await Promise.all(payments.map(({ payer }) => shops.books(payer.id)))).map(({ orders }) => orders)
    await until(async () => (await made()).every((orders) => orders > 0), 120_000).catch(() => undefined)
    trial.same('orders of each', [...new Set(await made())], [1])
    trial.note(`all fulfilled ${((performance.now() - since) / 1000).toFixed(1)} s after the return`)
    // Late events change nothing.
    for (const { reference } of payments) await shops.card.notifyAgain(reference)
    await untilQuiet(shops)
    trial.same('orders of each in the end', [...new Set(await made())], [1])
    trial.did(payments.length)
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
    await database.stop()
  }
}

async function start(shops: Shops, items: Line[], payer?: Person): Promise<{ payer: Person; reference: string; amount: number }> {
  const person = payer ?? (await shops.makeUser())
  const { status, body, text } = await shops.call<{ reference: string; amount: number }>('POST', '/payment', {
    as: person,
    body: { purpose: 'order', items },
  })
  if (status !== 200) throw new Error(`a payment could not be started: ${status} ${text}`)
  return { payer: person, reference: body.reference, amount: body.amount }
}

function confirm(shops: Shops, payer: Person, reference: string) {
  return shops.call<{ payment?: { status: string; message: string | null } }>('POST', `/payment/${reference}/confirm`, {
    as: payer,
    body: {},
  })
}

/** No webhook event about this payment reaches the shop. */
function lose(shops: Shops, reference: string) {
  shops.card.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
}

/** One bundle, paid for by card; the shop has not been notified yet. */
async function payUnnoticed(shops: Shops, items = [shops.line()]) {
  const started = await start(shops, items)
  lose(shops, started.reference)
  await shops.card.pay(started.reference)
  return started
}

/** Waits until no webhook event about this payment is left. */
async function untilHandled(shops: Shops, reference: string) {
  await until(async () => {
    const { rows } = await shops.db.query('select from webhook_events where reference = $1 and handled_at is null', [reference])
    return rows.length === 0
  }, 15_000)
}

function sendNotice(shops: Shops, body: string | Buffer, signature = sign(body, shops.card.secretKey)) {
  const shop = shops.all[Math.floor(Math.random() * shops.all.length)]
  return sendRaw(shop?.address as string, {
    method: 'POST',
    path: '/api/payment/webhook',
    headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
    body,
  })
}

function sign(body: string | Buffer, key: string, algorithm = 'sha512'): string {
  return createHmac(algorithm, key).update(body).digest('hex')
}

async function countEvents(shops: Shops): Promise<number | undefined> {
  const { rows } = await shops.db.query<{ total: number }>('select count(*) as total from webhook_events')
  return rows[0]?.total
}

const ODD_BODIES = [
  '{ "event" : "charge.success" , "data" : { "reference" : "REF" } }',
  '{"event":"charge.success","data":{"amount":5150.0,"reference":"REF"}}',
  '{"event":"charge.success","data":{"reference":"REF","url":"https:\\/\\/a\\/b"}}',
  '{"event":"charge.success","data":{"reference":"REF","name":"caf\\u00e9"}}',
  '{"event":"charge.success","data":{"reference":"REF","name":"café 😀"}}',
  '{"event":"charge.success","data":{"reference":"REF","id":12345678901234567890}}',
  '{"event":"charge.success","data":{"reference":"other","reference":"REF"}}',
  '{"event":"charge.success","data":{"2":1,"1":2,"reference":"REF"}}',
  '{"event":"charge.success","data":{"amount":1e3,"reference":"REF"}}',
  '{"event":"charge.success","data":{"reference":"REF"}}\n',
]

const nothing = () => 0
const MISMATCHES: [string, (amount: number) => Record<string, unknown>, string, (amount: number) => number][] = [
  ['a pesewa less', (amount) => ({ status: 'success', amount: amount - 1, requested_amount: amount - 1 }), 'held', (amount) => amount - 1],
  ['NGN', () => ({ status: 'success', currency: 'NGN' }), 'held', nothing],
  ['abandoned', () => ({ status: 'abandoned' }), 'open', nothing],
  ['the live world', () => ({ status: 'success', domain: 'live' }), 'held', nothing],
  ['another reference', () => ({ status: 'success', reference: 'anotherReference00' }), 'open', nothing],
  ['a word that nobody knows', () => ({ status: 'SUCCESS!' }), 'open', nothing],
]

/** How long the shop waits for the provider's answer. */
const CALL_MS = 10_000

const FAULTS = [
  { kind: 'hang' },
  { kind: 'error' },
  { kind: 'malformed' },
  { kind: 'redirect' },
  { kind: 'huge' },
  { kind: 'drop' },
  { kind: 'reply', status: 200, body: '<html>paid</html>' },
  { kind: 'data', data: { status: 'success', reference: 'anotherReference00' } },
]

function permutations<T>(values: T[]): T[][] {
  if (values.length <= 1) return [values]
  return values.flatMap((value, index) => permutations(values.filter((_, other) => other !== index)).map((rest) => [value, ...rest]))
}

async function productAt(shops: Shops, prices: number[]): Promise<Line[]> {
  const { rows } = await shops.db.query<{ id: string }>(
    `insert into products (network, image_hash, status, created_at) select network, image_hash, 'available', now() from products limit 1 returning id`,
  )
  const id = rows[0]?.id as string
  for (const [index, price] of prices.entries())
    await shops.db.query(
      'insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) values ($1, $2, $3, $4, $4)',
      [id, index + 1, `odd ${index}`, price],
    )
  return prices.map((price, index) => ({ productId: id, offer: `odd ${index}`, phoneNumber: '0551234567', amount: price / 100 }))
}
