import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { WhatsappText } from '../server/integrations/whatsapp/whatsapp-gateway.ts'
import { allow } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openShops, PASSWORD, type Person, type Shops } from './shops.ts'

const PIN = '7392'
const GUESSES = ['1111', '2222', '3333', '4444', '5555', '6666', '8888']
const OFFERS = { '1GB': 550, '2GB': 1_050 }
type Offer = keyof typeof OFFERS
const CHANGE = 100
/** A customer who has heard nothing for this long writes again. */
const PATIENCE_MS = 12_000
/** One of five waits this long. */
const HURRY_MS = 500
const RETRIED_AFTER_MS = [50, 200, 500, 1_000]
const MOST_DELIVERIES = 120
const MOST_STEPS = 30
const MOST_LATE_MS = 2_500

/** U. Buying in a chat; U1 is in ussd.ts. */
export const whatsapp: Experiment[] = [
  {
    id: 'U2',
    expects:
      'four customers buy in chats whose webhooks come up to three times each, slowly, late and out of order, to 2 processes that are killed meanwhile: each purchase at most once, paid once and told; no two answers that contradict; five wrong PINs lock it',
    runs: { fast: 6, full: 60 },
    beside: true,
    async go(trial) {
      const shops = await openShops(trial.opening)
      const counts: Counts = { messages: 0, deliveries: 0, cutOff: 0, kills: 0, orders: 0, lost: 0 }
      await slowDown(shops)
      // The owner's cap of the day would otherwise end the talks.
      await shops.call('PUT', '/admin/whatsapp', { as: shops.admins[0], body: { dailyCap: 100_000 } })
      try {
        await trial.repeat((run) => buyInChats(trial, shops, counts, run))
        trial.same('what the books say', await shops.prove(), [])
        const { messages, deliveries, cutOff, kills, orders, lost } = counts
        trial.note(
          `${messages} messages, delivered ${deliveries} times, of which ${cutOff} were cut off; ${kills} kills; ${orders} orders, ${lost} of them told otherwise than by the answer to the PIN`,
        )
      } finally {
        await shops.close()
      }
    },
  },
]

type Counts = { messages: number; deliveries: number; cutOff: number; kills: number; orders: number; lost: number }
type Said = { id: string; offer: Offer | null; isPin: boolean }
type Customer = Person & { startPesewas: number; wants: Offer[]; said: Said[]; deliveries: Promise<void>[] }

/** The moments between a purchase and what is noted of it last longer, so that more falls into them. */
async function slowDown({ db }: Shops) {
  await db.query(`create function trial_wait() returns trigger language plpgsql as $$ begin perform pg_sleep(random() * 0.3); return new; end $$;
    create trigger trial_wait before insert on whatsapp_received for each row execute function trial_wait();
    create trigger trial_wait before update on conversations for each row when (new.busy_until is null) execute function trial_wait()`)
}

async function buyInChats(trial: Trial, shops: Shops, counts: Counts, run: number) {
  const all = OFFERS['1GB'] + OFFERS['2GB'] + CHANGE
  const steady = await makeCustomer(shops, all, ['1GB', '2GB'])
  const hasty = await makeCustomer(shops, all, ['2GB'])
  const poor = await makeCustomer(shops, OFFERS['1GB'] + CHANGE, ['1GB', '2GB'])
  const guesser = await makeCustomer(shops, all, [])
  const customers = [steady, hasty, poor, guesser]
  const chat = openChats(trial, shops, counts)
  // While a PIN is under way, and in every other run as soon as it has bought something.
  const killAt = 1 + Math.floor(trial.random() * 5)
  const killing = chat.untilPins(killAt).then(async () => {
    if (run % 2 === 0) await wait(trial.random() * 600)
    else await untilBought(shops, customers)
    // In every third run nobody is left for a moment.
    for (let left = run % 3 === 2 ? 2 : 1; left > 0; left -= 1) await killOne(trial, shops, counts)
    while (shops.all.length < 2) await shops.startAnother()
  })
  const got = await Promise.all([
    chat.buy(steady, '1GB').then(async (first) => [first, await chat.buy(steady, '2GB')]),
    chat.buy(hasty, '2GB', 2).then((one) => [one]),
    chat.buy(poor, '1GB').then(async (first) => [first, await chat.buy(poor, '2GB')]),
    chat.guess(guesser).then(() => []),
  ])
  await killing
  for (const customer of customers) await Promise.all(customer.deliveries)
  await untilSent(shops, customers)
  trial.same('what came of it, as the customers were told', got, [['bought', 'bought'], ['bought'], ['bought', 'too little'], []])
  const expected: Offer[][] = [['1GB', '2GB'], ['2GB'], ['1GB'], []]
  for (const [index, customer] of customers.entries()) counts.orders += await expectOnce(trial, shops, customer, expected[index] as Offer[])
  await expectFewGuesses(trial, shops, guesser)
  trial.progress(`run ${run + 1}: ${JSON.stringify(counts)}`)
}

async function makeCustomer(shops: Shops, pesewas: number, wants: Offer[]): Promise<Customer> {
  const person = await shops.makeUser({ pesewas })
  const made = await shops.call('POST', '/user/me/pin', { as: person, body: { password: PASSWORD, pin: PIN, atCheckout: false } })
  if (made.status !== 200) throw new Error(`no PIN: ${made.text}`)
  return { ...person, startPesewas: pesewas, wants, said: [], deliveries: [] }
}

/** Until one of them has an order more than now. */
async function untilBought(shops: Shops, customers: Customer[]) {
  const ids = customers.map(({ id }) => id)
  const count = async () => (await shops.db.query('select from orders where user_id = any ($1)', [ids])).rowCount ?? 0
  const before = await count()
  const givenUpAt = performance.now() + allow(PATIENCE_MS)
  while ((await count()) === before && performance.now() < givenUpAt) await wait(5)
}

async function killOne(trial: Trial, shops: Shops, counts: Counts) {
  const [dying] = shops.all.splice(Math.floor(trial.random() * shops.all.length), 1)
  if (!dying) return
  dying.program.process.kill('SIGKILL')
  await dying.program.ended()
  counts.kills += 1
}

type Outcome = 'bought' | 'too little'
type Answer = WhatsappText

/** Customers with a phone each, who read what the shop answers and go on from there, as people do. */
function openChats(trial: Trial, shops: Shops, counts: Counts) {
  let pins = 0
  const waiting: { from: number; go: () => void }[] = []

  /** Says something, which arrives up to three times, and returns the answer; null after a while without one. */
  async function say(customer: Customer, text: string, more: { option?: string; offer?: Offer; at?: Date } = {}): Promise<Answer | null> {
    const { option, offer = null, at } = more
    const { message, webhook } = shops.sandbox.whatsapp.chats.write(customer.phone, { text, option, at })
    const isPin = /^\d{4}$/.test(text)
    customer.said.push({ id: message.id, offer, isPin })
    counts.messages += 1
    const copies = 1 + Math.floor(trial.random() * 3)
    for (let copy = 0; copy < copies; copy += 1) {
      const lateMs = copy === 0 || trial.random() < 0.5 ? 0 : trial.random() * MOST_LATE_MS
      customer.deliveries.push(wait(lateMs).then(() => deliver(trial, shops, counts, webhook)))
    }
    if (isPin) {
      pins += 1
      for (const { from, go } of waiting) if (pins >= from) go()
    }
    return at ? null : readAnswer(shops, customer, message.id, trial.random() < 0.2 ? HURRY_MS : PATIENCE_MS)
  }

  /** Something else that arrives when the talk has gone on. */
  function sayAside(customer: Customer) {
    if (trial.random() < 0.3) void say(customer, 'prices', { at: new Date(Date.now() - 2_000) })
  }

  async function connect(customer: Customer) {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const reply = await shops.call<{ code: string }>('POST', '/user/me/whatsapp', { as: customer })
      if (reply.status !== 200) await wait(200)
      else if ((await say(customer, `LINK ${reply.body.code}`))?.text.includes('is connected')) return
    }
    throw new Error('a number was never connected')
  }

  /** `hands`: how many send the PIN, each in a message of its own. */
  async function buy(customer: Customer, offer: Offer, hands = 1): Promise<Outcome> {
    if (customer.said.length === 0) await connect(customer)
    let answer: Answer | null = await say(customer, 'hi')
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const isTold = shownOn(shops, customer.phone).some(
        (one) => one.includes(` ${offer} `) && /Thank you! Order \d+|Order \d+ is in/.test(one),
      )
      const text = answer?.text ?? ''
      const isAbout = text.includes(` ${offer} `) || text.includes(` ${offer},`)
      if (isTold || (isAbout && /Thank you! Order \d+|Order \d+ is in|still on its way/.test(text))) {
        if (!text.startsWith('Thank you!')) counts.lost += 1
        return 'bought'
      }
      if (/Your wallet has/.test(text) && text.includes(`${offer} costs`)) return 'too little'
      sayAside(customer)
      if (isAbout && text.includes('Enter your PIN to buy')) answer = await givePin(customer, offer, hands)
      else if (text.includes('You were buying')) answer = await press(customer, answer, isAbout ? 'Continue' : 'Start again')
      else answer = (await press(customer, answer, offer)) ?? (await press(customer, answer, 'Buy for me')) ?? (await say(customer, 'menu'))
    }
    throw new Error(`never came to an end: ${answer?.text}`)
  }

  async function givePin(customer: Customer, offer: Offer, hands: number): Promise<Answer | null> {
    const answers = await Promise.all(Array.from({ length: hands }, () => say(customer, PIN, { offer })))
    return answers.find((answer) => answer?.text.startsWith('Thank you!')) ?? answers[0] ?? null
  }

  /** Presses the row whose title begins so; null when there is none, and also without an answer. */
  async function press(customer: Customer, shown: Answer | null, title: string): Promise<Answer | null> {
    const option = shown?.options?.find((one) => one.title.startsWith(title))
    return option ? say(customer, option.title, { option: option.id }) : null
  }

  /** Guesses, three one after the other and the others at once, until it is locked; and then the right one. */
  async function guess(customer: Customer) {
    await connect(customer)
    const isLocked = (answers: (Answer | null)[]) => answers.some((answer) => answer?.text.includes('locked'))
    for (let round = 0; ; round += 1) {
      if (round === 5) throw new Error('wrong PINs never locked it')
      // A process that was killed with a guess may have counted it, so that it is locked before the answers say so.
      if (isLocked([await reachPin(customer)])) break
      const answers: (Answer | null)[] = []
      for (const pin of GUESSES.slice(0, 3)) answers.push(await say(customer, pin))
      answers.push(...(await Promise.all(GUESSES.slice(3).map((pin) => say(customer, pin)))))
      if (isLocked(answers)) break
    }
    await reachPin(customer, 5)
    await say(customer, PIN)
  }

  async function reachPin(customer: Customer, steps = MOST_STEPS): Promise<Answer | null> {
    let answer: Answer | null = await say(customer, 'menu')
    for (let step = 0; step < steps && !/Enter your PIN|PIN is locked/.test(answer?.text ?? ''); step += 1)
      answer =
        (await press(customer, answer, 'Continue')) ??
        (await press(customer, answer, '1GB')) ??
        (await press(customer, answer, 'Buy for me')) ??
        (await say(customer, 'menu'))
    return answer
  }

  const untilPins = (from: number) => new Promise<void>((go) => waiting.push({ from, go }))
  return { buy, guess, untilPins }
}

/** As Meta does: again until it is taken, each time to either process. */
async function deliver(trial: Trial, shops: Shops, counts: Counts, webhook: Webhook) {
  for (let attempt = 0; attempt < MOST_DELIVERIES; attempt += 1) {
    const shop = shops.all[Math.floor(trial.random() * shops.all.length)]
    const status = shop ? await post(shop.address, webhook, trial.random() < 0.3 ? 40 + trial.random() * 160 : 0) : 0
    counts.deliveries += 1
    if (status === 200) return
    if (status === 0) counts.cutOff += 1
    else if (status !== 503) trial.wrong(`a webhook was answered with ${status}`)
    await wait(RETRIED_AFTER_MS[attempt] ?? 1_500)
  }
  trial.wrong('a webhook was never taken')
}

type Webhook = { body: string; headers: Record<string, string> }
const PIECES = 5

/** The status; 0 without a reply. With `everyMs` the body comes in five pieces so far apart. */
async function post(address: string, { body, headers }: Webhook, everyMs: number): Promise<number> {
  const bytes = Buffer.from(body)
  const size = Math.ceil(bytes.length / PIECES)
  try {
    return await new Promise<number>((resolve, reject) => {
      const all = { ...headers, 'content-length': String(bytes.length) }
      const sent = request(`${address}/api/whatsapp/webhook`, { method: 'POST', headers: all, timeout: 30_000, agent: false })
      sent.once('timeout', () => sent.destroy(new Error('no reply')))
      sent.once('error', reject)
      sent.once('response', (reply) => {
        reply.resume()
        reply.once('error', reject)
        reply.once('end', () => resolve(reply.statusCode ?? 0))
      })
      const write = async () => {
        for (let from = 0; from < bytes.length && everyMs > 0 && !sent.destroyed; from += size) {
          sent.write(bytes.subarray(from, from + size))
          await wait(everyMs)
        }
        sent.end(everyMs > 0 ? undefined : bytes)
      }
      void write()
    })
  } catch {
    return 0
  }
}

/** What the shop answers to this message, once it is on the customer's phone; null after a while without. */
async function readAnswer(shops: Shops, { phone }: Customer, id: string, patienceMs: number): Promise<Answer | null> {
  const asked = performance.now()
  while (performance.now() - asked < allow(patienceMs)) {
    const { rows } = await shops.db.query<{ body: Answer }>('select body from whatsapp_messages where reply_to = $1 order by seq limit 1', [
      id,
    ])
    const body = rows[0]?.body
    if (body && shownOn(shops, phone).includes(body.text)) return body
    await wait(60)
  }
  return null
}

function shownOn(shops: Shops, phone: string): string[] {
  return shops.sandbox.whatsapp.chats
    .list()
    .filter((one) => one.phone === phone && one.from === 'shop')
    .map(({ body }) => body)
}

async function untilSent(shops: Shops, customers: Customer[]) {
  const phones = customers.map(({ phone }) => phone)
  const open = `select from whatsapp_messages where phone = any ($1) and status in ('waiting', 'sending')`
  await until(async () => (await shops.db.query(open, [phones])).rowCount === 0, 60_000, 'all answers to be sent')
}

type Reply = { replyTo: string; text: string; at: Date }
type OrderRow = { seq: number; offer: string; pesewas: number; at: Date }

async function readReplies(shops: Shops, phone: string): Promise<Reply[]> {
  const { rows } = await shops.db.query<Reply>(
    `select reply_to as "replyTo", body ->> 'text' as text, created_at as at from whatsapp_messages where phone = $1 and kind = 'reply' order by seq`,
    [phone],
  )
  return rows
}

/** The orders are those that the customer wanted, once each, paid once, and nothing that they were told is untrue. */
async function expectOnce(trial: Trial, shops: Shops, customer: Customer, wanted: Offer[]): Promise<number> {
  const { rows: orders } = await shops.db.query<OrderRow>(
    `select seq, offer, price_pesewas + surcharge_pesewas as pesewas, created_at as at from orders where user_id = $1 order by seq`,
    [customer.id],
  )
  trial.same(
    'orders',
    orders.map(({ offer }) => offer),
    wanted,
  )
  const { pesewas, postings, unbalanced } = await shops.books(customer.id)
  const left = orders.reduce((total, order) => total - order.pesewas, customer.startPesewas)
  trial.same('what is left, and what the ledger says', [pesewas, postings, unbalanced], [left, left, 0])
  if (pesewas < 0) trial.wrong(`a wallet has ${pesewas}`)

  const replies = await readReplies(shops, customer.phone)
  const shown = shownOn(shops, customer.phone)
  for (const { id } of customer.said) {
    const answers = replies.filter(({ replyTo }) => replyTo === id)
    if (new Set(answers.map(({ text }) => text)).size > 1)
      trial.wrong(`one message got different answers: ${answers.map(({ text }) => text).join(' | ')}`)
    else if (answers.length !== 1) trial.wrong(`a message got ${answers.length} answers`)
  }
  for (const { seq } of orders)
    if (!shown.some((text) => text.includes(`Order ${seq}`))) trial.wrong(`nobody was told of order ${seq}: ${shown.join(' | ')}`)
  const told = shown.flatMap((text) => [...text.matchAll(/Order (\d+)/g)].map(([, seq]) => Number(seq)))
  trial.same(
    'orders that were told and are not theirs',
    told.filter((seq) => !orders.some((order) => order.seq === seq)),
    [],
  )
  for (const { offer, at } of orders) {
    const pins = customer.said.filter((one) => one.isPin && one.offer === offer)
    for (const { text, replyTo, at: answeredAt } of replies) {
      if (answeredAt < at || !pins.some(({ id }) => id === replyTo)) continue
      if (text.includes('Nothing was bought') || (pins.length === 1 && text.includes('did nothing')))
        trial.wrong(`${offer} was bought, and the answer to its PIN was: ${text}`)
    }
  }
  return orders.length
}

async function expectFewGuesses(trial: Trial, shops: Shops, { phone }: Customer) {
  const texts = (await readReplies(shops, phone)).map(({ text }) => text)
  const left = texts.flatMap((text) => /You have (\d) tr/.exec(text)?.[1] ?? [])
  trial.same('the tries that were left, as they were told, each once', left, [...new Set(left)])
  if (left.length > 4) trial.wrong(`${left.length} wrong PINs were looked at before the lock`)
  if (!texts.some((text) => /locked/.test(text))) trial.wrong('nothing was said of a lock')
}
