import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { BOUNDARIES, dieAt } from './failpoints.ts'
import { count, eachOf, quantile, residentMb } from './measure.ts'
import { untilQuiet } from './quiet-shop.ts'
import { openShops, type Person, type Shops } from './shops.ts'

type Fault = Parameters<Shops['sandbox']['supplier']['hubnet']['addFault']>[0]

/** L. The data supplier, messages and mails. */
export const outside: Experiment[] = [
  {
    id: 'L1',
    expects: 'the supplier takes an order, then hangs or cuts the line: found out by asking, delivered once',
    runs: { fast: 20, full: 500 },
    go: (trial) => withFault(trial, (run) => ({ call: 'order', kind: run % 2 ? 'hang' : 'drop', acts: true })),
  },
  {
    id: 'L2',
    expects: 'the supplier cuts the line before it takes an order: asked twice, sent again under the same reference, delivered once',
    runs: { fast: 10, full: 200 },
    go: (trial) => withFault(trial, () => ({ call: 'order', kind: 'drop', acts: false })),
  },
  {
    id: 'L4',
    expects:
      'half a JSON, HTML, 10 MB, 500, 200 with an unknown word, another order’s reply: never guessed but asked about, delivered once, the order stays pending',
    runs: { fast: 12, full: 120 },
    go: (trial) => withFault(trial, (run) => ODD[run % ODD.length] as Fault),
  },
  {
    id: 'L6',
    expects:
      'an admin decides an order before, while and after it is sent: one delivery at most, nothing is sent after it was decided, no money goes back while it is on its way',
    runs: { fast: 20, full: 300 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await readyBuyer(shops)
      await trial.repeat(async (run) => {
        const phone = `026${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`
        // Every second one takes long, so that a decision comes while it is being sent.
        if (run % 4 > 1) shops.sandbox.supplier.hubnet.addFault({ call: 'order', kind: 'slow', delayMs: 400, phone } as Fault)
        const order = await buy(shops, buyer, phone)
        await wait(Math.floor(trial.random() * 400))
        const decided = await shops.call('PUT', `/order/update-status/${order._id}`, {
          as: shops.admins[0],
          body: { status: run % 2 ? 'completed' : 'rejected' },
        })
        if (![200, 409].includes(decided.status)) trial.wrong(`the decision got ${decided.status}`)
        const found = await standing(shops, order._id)
        const isUnsent = found === 'waiting' || found === 'cancelled'
        if (run % 2 === 0 && decided.status === 200 && ['sending', 'accepted', 'unknown', 'delivered'].includes(found ?? ''))
          trial.wrong(`its money went back while it was ${found}`)
        await until(
          async () => (await standing(shops, order._id)) !== 'waiting' && (await standing(shops, order._id)) !== 'sending',
          15_000,
        )
        if (deliveries(shops, order.reference) > 1) trial.wrong('it was delivered twice')
        if ((await standing(shops, order._id)) === 'cancelled' && deliveries(shops, order.reference) > 0)
          trial.wrong('a cancelled order was delivered')
        if (decided.status === 200 && isUnsent && deliveries(shops, order.reference) > 0) trial.wrong('it was sent after it was decided')
      })
      await decideWhileWaiting(trial, shops, buyer)
    },
  },
  {
    id: 'L7',
    expects: 'the supplier is down: people go on buying, nothing is lost, all of it arrives once when it is back',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await readyBuyer(shops)
      const { hubnet } = shops.sandbox.supplier
      hubnet.addFault({ call: 'order', kind: 'reply', status: 503, body: 'down', times: 10_000 } as Fault)
      hubnet.addFault({ call: 'status', kind: 'reply', status: 503, body: 'down', times: 10_000 } as Fault)
      const orders: { _id: string; reference: string }[] = []
      await trial.repeat(async () => void orders.push(await buy(shops, buyer)))
      await wait(1_000)
      hubnet.clearFaults()
      for (const { _id, reference } of orders) {
        await until(async () => ['accepted', 'delivered'].includes((await standing(shops, _id)) ?? ''), 60_000).catch(() =>
          trial.wrong(`${reference} never arrived`),
        )
        trial.same('deliveries', deliveries(shops, reference), 1)
      }
    },
  },
  {
    id: 'L8',
    expects: 'no money at the supplier: orders wait, none is called completed, they go out once there is money',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await readyBuyer(shops)
      const { hubnet } = shops.sandbox.supplier
      await hubnet.change({ balancePesewas: 0 })
      const orders: { _id: string; reference: string }[] = []
      await trial.repeat(async () => void orders.push(await buy(shops, buyer)))
      await wait(1_500)
      const { rows } = await shops.db.query<{ done: number }>(
        `select count(*) as done from orders where id = any ($1) and status <> 'pending'`,
        [orders.map(({ _id }) => _id)],
      )
      trial.same('decided while there was no money', rows[0]?.done, 0)
      trial.same(
        'delivered while there was no money',
        count(orders, ({ reference }) => deliveries(shops, reference) > 0),
        0,
      )
      await hubnet.change({ balancePesewas: 1_000_000_000 })
      for (const { _id, reference } of orders) {
        await until(async () => ['accepted', 'delivered'].includes((await standing(shops, _id)) ?? ''), 60_000).catch(async () =>
          trial.wrong(`an order is ${await standing(shops, _id)} although there is money`),
        )
        trial.same('deliveries', deliveries(shops, reference), 1)
      }
    },
  },
  {
    id: 'L9',
    expects: 'messages down, hanging or refused: purchases are not held up (median within 50 % or 20 ms), none fails',
    runs: { fast: 60, full: 600 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await readyBuyer(shops)
      // Each purchase creates a message.
      await shops.db.query(`update operations_settings set operator_phone = '0241112223', sms_digest_above = 1000, sms_daily_cap = 100000`)
      const measure = async () => {
        const tookMs: number[] = []
        for (let run = 0; run < trial.runs; run++) {
          const since = performance.now()
          trial.same('a purchase', (await shops.buy(buyer, [shops.line()])).status, 200)
          tookMs.push(performance.now() - since)
          trial.did()
        }
        return quantile(tookMs, 0.5)
      }
      const well = await measure()
      shops.sandbox.sms.addFault({ call: 'send', kind: 'hang', times: 10_000 })
      const ill = await measure()
      const { rows } = await shops.db.query<{ held: number }>(
        `select count(*) as held from sms_messages where status in ('waiting', 'sending', 'unknown')`,
      )
      if ((rows[0]?.held ?? 0) === 0) trial.wrong('no message was held up')
      shops.sandbox.sms.clearFaults()
      await shops.db.query(`update operations_settings set operator_phone = null, sms_digest_above = 5, sms_daily_cap = 500`)
      trial.note(`median ${well.toFixed(1)} ms, with messages down ${ill.toFixed(1)} ms`)
      if (ill > well * 1.5 && ill > well + 20) trial.wrong(`the median went from ${well.toFixed(1)} to ${ill.toFixed(1)} ms`)
    },
  },
  {
    id: 'L10',
    beside: true,
    expects:
      '300 orders in a burst: at most one message each, a digest beyond the limit, never more than the day’s cap, to the operator alone',
    runs: { fast: 300, full: 1_000 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        await shops.db.query(
          `update operations_settings set operator_phone = '0241112223', operator_sms = true, sms_digest = true, sms_digest_above = 5, sms_daily_cap = 20`,
        )
        const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
        await Promise.all(Array.from({ length: trial.runs / 10 }, () => shops.buy(buyer, Array(10).fill(shops.line()))))
        await untilQuiet(shops, 60_000).catch(() => undefined)
        const sent = shops.sandbox.sms.sent()
        trial.note(`${sent.length} messages for ${trial.runs} orders`)
        if (sent.length > 20) trial.wrong(`${sent.length} messages were sent, more than the day’s 20`)
        if (sent.length === 0) trial.wrong('no message was sent at all')
        trial.same('other receivers', [...new Set(sent.map(({ to }) => to))], ['0241112223'])
        trial.did(trial.runs)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'L12',
    beside: true,
    expects: 'the mail service is down: a forgotten password answers the same, and the mail goes out when it is back',
    runs: { fast: 6, full: 30 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      const { mail } = shops.sandbox
      try {
        await eachOf(Array.from({ length: trial.runs }), 6, async () => {
          const person = await shops.makeUser()
          const usual = await shops.call('POST', '/user/forget-password', { body: { email: 'nobody@example.com' } })
          mail.addFault({ kind: 'refuse', code: 451, to: person.email } as Parameters<typeof mail.addFault>[0])
          const reply = await shops.call('POST', '/user/forget-password', { body: { email: person.email } })
          trial.same('reply', [reply.status, reply.text], [usual.status, usual.text])
          await until(() => mail.messages().some(({ to }) => to.includes(person.email)), 90_000).catch(() =>
            trial.wrong('the mail never came'),
          )
          trial.did()
        })
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'L3',
    beside: true,
    expects: 'a supplier that cannot say that it has not got an order loses its reply: the order goes to a person and is never sent again',
    runs: { fast: 6, full: 60 },
    go: leaveToPerson,
  },
  {
    id: 'L5',
    beside: true,
    expects: 'kill -9 before and after the call that orders, and around the marks beside it: delivered once each',
    runs: { fast: 2, full: 50 },
    async go(trial) {
      const around = BOUNDARIES.filter(({ name }) => name.startsWith('supplier'))
      await dieAt(trial, around, trial.runs)
      trial.note(`${around.length} boundaries`)
    },
  },
  {
    id: 'L11',
    beside: true,
    expects:
      'messages about offers and names full of links, line ends, other alphabets and 10 kB: our own words, one segment, nothing to press',
    runs: { fast: 1, full: 3 },
    go: sendOddWords,
  },
  {
    id: 'L13',
    beside: true,
    expects:
      'a supplier that redirects (302, 307, 308) or answers 50 MB: no other address is asked, memory stays, nothing is taken for done',
    runs: { fast: 4, full: 20 },
    go: answerElsewhere,
  },
]

const ODD = [
  { call: 'order', kind: 'malformed' },
  { call: 'order', kind: 'html' },
  { call: 'order', kind: 'huge' },
  { call: 'order', kind: 'reply', status: 500, body: { status: true, message: 'ok' } },
  { call: 'order', kind: 'reply', status: 200, body: { status: 'perhaps' } },
  { call: 'order', kind: 'wrong-reference' },
] as Fault[]

async function withFault(trial: Trial, fault: (run: number) => Fault | object) {
  const shops = await trial.shops()
  const buyer = await readyBuyer(shops)
  const { hubnet } = shops.sandbox.supplier
  await trial.repeat(async (run) => {
    const phone = `027${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`
    hubnet.addFault({ ...fault(run), phone } as Fault)
    const order = await buy(shops, buyer, phone)
    await until(async () => ['accepted', 'delivered'].includes((await standing(shops, order._id)) ?? ''), 30_000).catch(async () =>
      trial.wrong(`it is ${await standing(shops, order._id)} after 30 s`),
    )
    trial.same('deliveries', deliveries(shops, order.reference), 1)
    // Under whatever reference.
    const arrived = count(hubnet.deliveries(), (delivery) => delivery.phone === phone)
    if (arrived > 1) trial.wrong(`${arrived} deliveries came to its receiver`)
    const { rows } = await shops.db.query<{ status: string }>('select status from orders where id = $1', [order._id])
    trial.same('the order', rows[0]?.status, 'pending')
  })
  hubnet.clearFaults()
  trial.same('delivered twice, of all', hubnet.tally().duplicates, 0)
}

async function readyBuyer(shops: Shops): Promise<Person> {
  shops.sandbox.supplier.hubnet.clearFaults()
  await shops.sandbox.supplier.hubnet.change({ callsPerMinute: null, balancePesewas: 1_000_000_000 })
  return shops.makeUser({ pesewas: 1_000_000_000 })
}

async function buy(shops: Shops, buyer: Person, phone = '0271234567') {
  const { body, text } = await shops.buy(buyer, [shops.line({ network: 'AirtelTigo', phone })])
  const [order] = (body.orders ?? []) as { _id: string; reference: string }[]
  if (!order) throw new Error(`nothing was bought: ${text}`)
  return order
}

async function standing(shops: Shops, order: string): Promise<string | undefined> {
  return (await shops.db.query<{ status: string }>('select status from supplier_deliveries where order_id = $1', [order])).rows[0]?.status
}

function deliveries(shops: Shops, reference: string): number {
  return shops.sandbox.supplier.hubnet.deliveries().filter((one) => one.reference === reference).length
}

/** While the supplier refuses for lack of money, orders wait; those decided meanwhile are not sent once there is money. */
async function decideWhileWaiting(trial: Trial, shops: Shops, buyer: Person) {
  const { hubnet } = shops.sandbox.supplier
  await hubnet.change({ balancePesewas: 0 })
  const orders = [await buy(shops, buyer), await buy(shops, buyer)]
  for (const [index, { _id }] of orders.entries()) {
    await until(async () => (await standing(shops, _id)) === 'waiting', 15_000)
    const body = { status: index % 2 ? 'completed' : 'rejected', override: { reason: 'tried by hand' } }
    // Refused while a new attempt is under way.
    await until(async () => (await shops.call('PUT', `/order/update-status/${_id}`, { as: shops.admins[0], body })).status === 200, 15_000)
  }
  await hubnet.change({ balancePesewas: 1_000_000_000 })
  await untilQuiet(shops, 60_000)
  for (const { reference } of orders) trial.same('sent after it was decided', deliveries(shops, reference), 0)
}

/** RemaData only knows its own references, so it cannot answer about an order whose reply was lost. */
async function leaveToPerson(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 2 })
  try {
    await shops.db.query(`update operations_settings set supplier_routes = '{"Telecel": "remadata"}'`)
    const { remadata } = shops.sandbox.supplier
    const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
    const orders: { _id: string; reference: string; acts: boolean }[] = []
    await trial.repeat(async (run) => {
      const phone = `020${String(run).padStart(7, '0')}`
      const acts = run % 2 === 0
      remadata.addFault({ call: 'order', kind: 'drop', acts, phone } as Parameters<typeof remadata.addFault>[0])
      const { body, text } = await shops.buy(buyer, [shops.line({ network: 'Telecel', phone })])
      const [order] = (body.orders ?? []) as { _id: string; reference: string }[]
      if (!order) throw new Error(`nothing was bought: ${text}`)
      orders.push({ ...order, acts })
    })
    const told = () => count(orders, ({ reference }) => shops.all.some(({ program }) => isTold(program.output(), reference)))
    await until(() => told() === orders.length, 60_000).catch(() => trial.wrong(`the operator was told of ${told()} of ${orders.length}`))
    // Long enough for a shop that would resend.
    await wait(3_000)
    for (const { _id, reference, acts } of orders) {
      const { rows } = await shops.db.query<{ status: string; attempts: number }>(
        'select status, attempts from supplier_deliveries where order_id = $1',
        [_id],
      )
      const arrived = remadata.deliveries().filter((one) => one.reference === reference).length
      trial.same('status, attempts, deliveries', [rows[0]?.status, rows[0]?.attempts, arrived], ['unknown', 1, acts ? 1 : 0])
      const decided = await shops.call('PUT', `/order/update-status/${_id}`, { as: shops.admins[0], body: { status: 'completed' } })
      trial.same('a person decides it', decided.status, 200)
    }
    for (const violation of await shops.prove()) trial.wrong(violation)
  } finally {
    await shops.close()
  }
}

function isTold(log: string, reference: string): boolean {
  return log.split('\n').some((line) => line.includes('supplier-order-unclear') && line.includes(reference))
}

const ODD_WORDS = [
  'http://evil.example/login',
  'evil.example',
  'WIN! www.evil.example',
  '1GB\nCall 0900123456',
  '1GB\r\nSent by the bank',
  '١GB ٢',
  '𝟙𝔾𝔹',
  '1GB\u202egro.live',
  '1GB 😀😀😀',
  '{}[]~|^€\\',
  '1GB from http : // evil . example',
]

/** Whatever a package is called, the message is our sentence with at most a plain word or two of its name. */
async function sendOddWords(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 1, env: { JOB_TIMINGS: 'quick' } })
  try {
    await shops.db.query(
      `update operations_settings set operator_phone = '0241112223', operator_sms = true, buyer_sms = true, sms_digest_above = 1000, sms_daily_cap = 10000`,
    )
    const { rows } = await shops.db.query<{ id: string }>(
      `insert into products (network, image_hash, status, created_at) select 'MTN', image_hash, 'available', now() from products limit 1 returning id`,
    )
    const product = rows[0]?.id
    const offers = [...ODD_WORDS, 'x'.repeat(10_000), ' '.repeat(5_000)]
    await trial.repeat(async () => {
      for (const [_index, offer] of offers.entries()) {
        const buyer = await shops.makeUser({ pesewas: 1_000 })
        // Names that no admin could type today may come from an import or an earlier version.
        const added = await shops.db
          .query(
            `insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas)
             select $1, coalesce(max(position), 0) + 1, $2, 700, 600 from packages where product_id = $1`,
            [product, offer],
          )
          .catch(() => null)
        if (added === null) continue
        const bought = await shops.buy(buyer, [{ productId: product as string, offer, phoneNumber: '0551234567', amount: 7 }])
        if (bought.status !== 200) continue
        const [order] = bought.body.orders as { _id: string }[]
        await shops.call('PUT', `/order/update-status/${order?._id}`, { as: shops.admins[0], body: { status: 'completed' } })
      }
    })
    await until(
      async () => (await shops.db.query(`select from sms_messages where status in ('waiting', 'sending')`)).rowCount === 0,
      30_000,
    )
    const sent = shops.sandbox.sms.sent()
    trial.note(`${sent.length} messages`)
    if (sent.length < 10) trial.wrong(`only ${sent.length} messages were sent`)
    for (const { body, segments } of sent) {
      if (segments !== 1) trial.wrong(`${segments} segments: ${body}`)
      if (!/^[A-Za-z0-9 .,:'()+/-]*$/.test(body)) trial.wrong(`odd characters: ${JSON.stringify(body)}`)
      if (/https?:|www\.|evil\.example|:\/\//i.test(body)) trial.wrong(`something to press: ${body}`)
      if (!/^New order \d+: MTN |^[\w ]+: your MTN /.test(body)) trial.wrong(`not our words: ${body}`)
    }
  } finally {
    await shops.close()
  }
}

/** A supplier of the experiment's own, which gives only these answers. */
async function answerElsewhere(trial: Trial) {
  let hits = 0
  let asked = 0
  const canary = createServer((_request, reply) => {
    hits += 1
    reply.setHeader('content-type', 'application/json').end('{"status":true,"message":"0000","code":"0000","data":{"status":"delivered"}}')
  })
  const port = await listen(canary)
  const supplier = createServer((request, reply) => {
    request.resume()
    asked += 1
    const kind = asked % 4
    if (kind < 3) return void reply.writeHead([302, 307, 308][kind] as number, { location: `http://127.0.0.1:${port}/taken` }).end()
    reply.writeHead(200, { 'content-type': 'application/json' }).write('{"status":true,"padding":"')
    const block = 'x'.repeat(64 * 1024)
    let left = 800
    const pump = () => {
      while (left-- > 0) if (!reply.write(block)) return void reply.once('drain', pump)
      reply.end('"}')
    }
    reply.on('error', () => undefined)
    pump()
  })
  const supplierPort = await listen(supplier)
  const shops = await openShops({ ...trial.opening, processes: 1, env: { SUPPLIER_HUBNET_BASE_URL: `http://127.0.0.1:${supplierPort}` } })
  try {
    const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
    const pid = shops.all[0]?.program.process.pid as number
    const before = residentMb(pid)
    const orders: { _id: string; reference: string }[] = []
    await trial.repeat(async () => void orders.push(await buy(shops, buyer)))
    await until(() => asked >= 4 + trial.runs, 60_000).catch(() => trial.wrong(`the supplier was asked ${asked} times only`))
    for (const { _id } of orders) {
      const stands = await standing(shops, _id)
      if (!['waiting', 'sending', 'unknown'].includes(stands ?? '')) trial.wrong(`an order stands as ${stands}`)
      const { rows } = await shops.db.query<{ status: string }>('select status from orders where id = $1', [_id])
      trial.same('the order', rows[0]?.status, 'pending')
    }
    trial.same('calls to where it was redirected', hits, 0)
    const grown = residentMb(pid) - before
    trial.note(`${asked} answers, ${grown.toFixed(0)} MB more`)
    if (grown > 150) trial.wrong(`the process grew by ${grown.toFixed(0)} MB`)
  } finally {
    await shops.close()
    for (const server of [canary, supplier]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}
