import { setTimeout as wait } from 'node:timers/promises'
import { asSmsGateway, asSmsToUrl, type Post } from '../sandbox/phone/sign-message.ts'
import { type PhoneNetwork, SENDERS, WRITES } from '../sandbox/phone/write-messages.ts'
import type { ShownFormat } from '../shared/message-format-endpoints.ts'
import type { Matches } from '../shared/received-payments.ts'
import { pick, shuffle } from '../test/random.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openShops, type Person, type Shops } from './shops.ts'

const MESSAGES = 1_000
const AT_ONCE = 8
const CUSTOMERS = 60
/** What the app on a phone does with a message that got no answer, much sooner than it would. */
const RETRY_AFTER_MS = 100
const START_PESEWAS = 1_000_000

/** X. Mobile money that the shop's phones forward. */
export const forwarding: Experiment[] = [
  {
    id: 'X1',
    expects: `of ${MESSAGES} messages that two phones forward to two processes a third are forged, repeated, reversed, out of order or reworded, while the owner writes forms down, switches them off and on and has what waits read again: every genuine payment is credited once, and nothing else`,
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const round = await openRound(shops)
        const posts = writeMessages(trial, round)
        for (let from = 0; from < posts.length; from += AT_ONCE) {
          const edit = (from / AT_ONCE) % 8 === 3 ? editForms(shops, round, from) : null
          await Promise.all([edit, ...posts.slice(from, from + AT_ONCE).map((post) => deliver(shops, post))])
          await confirmAfterLost(shops, round, posts.slice(from, from + AT_ONCE))
        }
        await confirmBalances(shops, round, [])
        await settled(shops)
        const alone = await countCredits(shops, round)
        await creditByHand(shops, round)
        await check(trial, shops, round, alone)
      })
      trial.same('what the books say', await shops.prove(), [])
    },
  },
  {
    id: 'X2',
    expects:
      'kill -9 of one of two processes again and again while the phones forward, which send again what was not answered: every genuine payment is credited once, and nothing else',
    runs: { fast: 1, full: 10 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2 })
      try {
        await trial.repeat(async () => {
          const round = await openRound(shops)
          const posts = writeMessages(trial, round, 200)
          const kills = new Set(Array.from({ length: 3 }, (_, at) => (at + 1) * 48))
          for (let from = 0; from < posts.length; from += AT_ONCE) {
            const sending: Promise<void>[] = posts.slice(from, from + AT_ONCE).map((post) => deliver(shops, post))
            if ((from / AT_ONCE) % 5 === 2) sending.push(editForms(shops, round, from))
            if (kills.has(from)) {
              await wait(trial.random() * 60)
              await killOne(shops)
            }
            await Promise.all(sending)
            await confirmAfterLost(shops, round, posts.slice(from, from + AT_ONCE))
          }
          await confirmBalances(shops, round, [])
          await settled(shops)
          const alone = await countCredits(shops, round)
          await creditByHand(shops, round)
          await check(trial, shops, round, alone)
        })
        for (const violation of await shops.prove()) trial.wrong(violation)
      } finally {
        await shops.close()
      }
    },
  },
]

type Asked = { id: string; reference: string; userId: string; pesewas: number }
type Genuine = { id: string; amount: number; asked: Asked }
type Phone = { id: string; key: string; network: PhoneNetwork; signs: boolean; balance: number }
type Round = { owner: Person; phones: Phone[]; customers: Person[]; thief: Person; asked: Asked[]; stolen: Asked[]; genuine: Genuine[] }
type Sent = { phone: Phone; post: () => Post; holds: readonly number[]; isLost: boolean }

async function openRound(shops: Shops): Promise<Round> {
  const owner = await shops.makeUser({ level: 'Admin' })
  const phones: Phone[] = []
  for (const network of ['MTN', 'Telecel'] as const) {
    const signs = network === 'MTN'
    const body = { name: `Till ${network}`, app: signs ? 'sms-gateway' : 'sms-to-url', networks: [network] }
    const made = await shops.call<{ forwarder: { _id: string }; key: string }>('POST', '/forwarder', { as: owner, body })
    const phone = { id: made.body.forwarder._id, key: made.body.key, network, signs, balance: START_PESEWAS }
    await confirm(shops, owner, phone, START_PESEWAS)
    phones.push(phone)
  }
  await shops.call('PUT', '/forwarder/rules', { as: owner, body: { most: 50_000, daily: 1_000_000, unsigned: 50_000 } })
  const [thief, ...customers] = (await shops.makeUsers(CUSTOMERS + 1)) as [Person, ...Person[]]
  const ask = async (users: readonly Person[], many: number) => {
    const { rows } = await shops.db.query<Asked>(
      `insert into recharges (recharge_id, user_id, amount_pesewas, created_at)
       select (10000000 + ($3::bigint + n) * 48271 % 89999999)::text, ($1::uuid[])[1 + n % cardinality($1::uuid[])], 5000 + n * 7, now()
       from generate_series(1, $2::int) n
       returning id, recharge_id as reference, user_id as "userId", amount_pesewas as pesewas`,
      [users.map(({ id }) => id), many, references],
    )
    references += many
    return rows
  }
  return { owner, phones, customers, thief, asked: await ask(customers, MESSAGES), stolen: await ask([thief], 100), genuine: [] }
}

/** How many eight-digit references were given out. Drawn at random, two of eleven thousand are the same more often than not. */
let references = Date.now() % 10_000_000

let drawn = 60_000_000_000 + (Date.now() % 1_000_000_000)

/** Two thirds are genuine and in order. The rest is what goes wrong with messages, and what people try. */
function writeMessages(trial: Trial, round: Round, many = MESSAGES): Sent[] {
  const { random } = trial
  const below = (most: number) => Math.floor(random() * most)
  const sent: Sent[] = []
  const kinds = shuffle(
    Array.from({ length: many }, (_, at) =>
      at * 3 < many * 2
        ? 'genuine'
        : (['forged', 'copied', 'repeated', 'again', 'reversed', 'late', 'reworded', 'a person', 'unsigned', 'out'] as const)[at % 10],
    ),
    random,
  )
  const late: { at: number; sent: Sent }[] = []
  const counts: Record<string, number> = {}
  for (const [at, kind = 'genuine'] of kinds.entries()) {
    const phone = pick(round.phones, random)
    const writes = WRITES[phone.network]
    const sms = (text: string, sender: string = SENDERS[phone.network], right = true): Sent => {
      const written = { sender, text, at: new Date(), id: crypto.randomUUID() }
      const key = right ? phone.key : 'not the key'
      // A phone signs each attempt anew.
      const post = () => (phone.signs ? asSmsGateway(written, key, new Date()) : asSmsToUrl(written, key))
      return { phone, post, holds: [], isLost: false }
    }
    const pay = () => {
      const asked = round.asked.pop() as Asked
      const id = String(++drawn)
      phone.balance += asked.pesewas
      round.genuine.push({ id, amount: asked.pesewas, asked })
      return { id, amount: asked.pesewas, reference: asked.reference, balance: phone.balance }
    }
    const steal = () => {
      const { reference, pesewas } = pick(round.stolen, random)
      return { reference, amount: pesewas, id: String(++drawn), balance: 1 + below(90_000_000) + pesewas }
    }
    counts[kind] = (counts[kind] ?? 0) + 1
    switch (kind) {
      case 'genuine':
        sent.push(sms(writes.received(pay())))
        break
      case 'late':
        late.push({ at: at + 1 + below(12), sent: sms(writes.received(pay())) })
        break
      case 'out': {
        const amount = 1 + below(20_000)
        phone.balance -= amount
        sent.push(sms(writes.withdrawn({ amount, balance: phone.balance, id: String(++drawn) })))
        break
      }
      case 'forged':
        sent.push(sms(writes.received(steal())))
        break
      case 'copied': {
        // The id of a payment of somebody else's, perhaps of one that is still under way.
        const seen = pick(round.genuine, random)
        if (seen) sent.push(sms(writes.received({ ...steal(), id: seen.id, amount: seen.amount })))
        break
      }
      case 'repeated':
        if (sent.length > 0) sent.push({ ...pick(sent, random), holds: [], isLost: false })
        break
      case 'again': {
        const before = pick(sent, random)
        const { body } = before?.post() ?? {}
        // The network sends the same text twice, as two messages.
        const text = body && (JSON.parse(body).payload?.message ?? JSON.parse(body).text)
        if (before && text) sent.push({ ...before, holds: [], isLost: false, post: repost(before.phone, text) })
        break
      }
      case 'reversed': {
        const seen = pick(round.genuine, random)
        if (seen) sent.push(sms(`Reversal of GHS 50.00 has been made on your account. Transaction ID: ${++drawn}. Original: ${seen.id}.`))
        break
      }
      case 'a person':
        sent.push(sms(writes.received(steal()), '+233551234567'))
        break
      case 'unsigned':
        sent.push(sms(writes.received(steal()), SENDERS[phone.network], false))
        break
      default: {
        const { id, amount, reference, balance } = pay()
        const cedis = (pesewas: number) => (pesewas / 100).toFixed(2)
        const text = reword(phone.network, { amount: cedis(amount), payer: 'AMA SAMPLE', reference, id, balance: cedis(balance) })
        sent.push({ ...sms(text), isLost: true })
      }
    }
    for (const one of late.filter((other) => other.at === at)) sent.push(one.sent)
    const holds = round.phones.map(({ balance }) => balance)
    for (let last = sent.length - 1; last >= 0 && sent[last]?.holds.length === 0; last--) sent[last] = { ...(sent[last] as Sent), holds }
  }
  const holds = round.phones.map(({ balance }) => balance)
  for (const one of late.filter((other) => other.at >= kinds.length)) sent.push({ ...one.sent, holds })
  trial.note(
    Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .sort()
      .join(', '),
  )
  return sent
}

/** A wording that each network begins to use now and then, and that the owner writes down. */
const REWORDED = { MTN: 'Hello. GHS {amount} has come in.', Telecel: 'Good day. GHS {amount} was paid in.' } as const
const REWORDED_END = ' From: {payer}. Note: {reference}. Transaction ID: {id}. You now have GHS {balance}.'

function reword(network: PhoneNetwork, said: Record<'amount' | 'payer' | 'reference' | 'id' | 'balance', string>): string {
  return (REWORDED[network] + REWORDED_END).replace(/\{(\w+)\}/g, (_, name) => said[name as keyof typeof said])
}

/**
 * The owner writes the new wording down, or switches it off, or switches a form off that came with the shop and back on, and has what waits
 * read again. A process that is killed meanwhile leaves the form as it was, and the next edit begins from there.
 */
async function editForms(shops: Shops, { owner }: Round, at: number) {
  const { formats } = (await shops.call<{ formats?: ShownFormat[] }>('GET', '/message-format', { as: owner })).body ?? {}
  // The process that was asked is the one that was killed.
  if (!formats) return
  for (const network of ['MTN', 'Telecel'] as const) {
    const name = 'has come in'
    const known = formats.find((one) => one.network === network && one.name === name)
    const words = REWORDED[network] + REWORDED_END
    const sample = reword(network, { amount: '5.00', payer: 'AMA SAMPLE', reference: '1', id: '61234567890', balance: '9.00' })
    const body = { network, name, kind: 'credit', words, senders: [], samples: [sample], on: at % 2 === 0, version: known?.version ?? 0 }
    await shops.call('PUT', '/message-format', { as: owner, body })
  }
  const bill = formats.find(({ name }) => name === 'bill')
  const off = {
    network: 'MTN',
    name: 'bill',
    kind: 'money-out',
    words: null,
    senders: [],
    samples: [],
    on: bill?.on === false,
    version: bill?.version ?? 0,
  }
  await shops.call('PUT', '/message-format', { as: owner, body: off })
  const again = await shops.call('POST', '/forwarder/read-again', { as: owner })
  if (again.status === 500) throw new Error('what waits cannot be read again')
}

function repost(phone: Phone, text: string): () => Post {
  const written = { sender: SENDERS[phone.network], text, at: new Date(), id: crypto.randomUUID() }
  return () => (phone.signs ? asSmsGateway(written, phone.key, new Date()) : asSmsToUrl(written, phone.key))
}

/** Sends until the shop has taken it, refused it for good, or said that it knows it. */
async function deliver(shops: Shops, { phone, post }: Sent): Promise<void> {
  for (;;) {
    const { body, headers } = post()
    const shop = Math.floor(Math.random() * shops.all.length)
    const status = await fetch(`${shops.all[shop]?.address}/api/forwarder/${phone.id}/message`, { method: 'POST', headers, body })
      .then((reply) => reply.status)
      .catch(() => 0)
    if (status === 200 || status === 401 || status === 400) return
    await wait(RETRY_AFTER_MS)
  }
}

async function killOne(shops: Shops) {
  const [victim] = shops.all.splice(0, 1)
  victim?.program.process.kill('SIGKILL')
  await shops.startAnother()
}

async function confirm(shops: Shops, owner: Person, { id, network }: Phone, pesewas: number) {
  await shops.call('PUT', `/forwarder/${id}/balance`, { as: owner, body: { network, balance: pesewas / 100 } })
}

/** What nobody could read was money too: the owner looks at the phones, and says what they hold. */
async function confirmAfterLost(shops: Shops, round: Round, sent: readonly Sent[]) {
  if (sent.some(({ isLost }) => isLost)) await confirmBalances(shops, round, sent.at(-1)?.holds ?? [])
}

/** What each phone holds by now, as its owner reads it off the phone. */
async function confirmBalances(shops: Shops, { owner, phones }: Round, holds: readonly number[]) {
  for (const [at, phone] of phones.entries()) await confirm(shops, owner, phone, holds[at] ?? phone.balance)
}

/** The loops have credited all that is certain, however long that takes as long as they go on. */
async function settled(shops: Shops) {
  const open = async () => {
    const { rows } = await shops.db.query<{ open: number }>(
      `select count(*) as open from received_payments p join recharges r on p.reference like '%' || r.recharge_id || '%'
       where p.status = 'waiting' and p.doubts = '{}' and p.forwarder_id is not null and r.status = 'pending' and r.amount_pesewas = p.amount_pesewas`,
    )
    return Number(rows[0]?.open)
  }
  for (let left = await open(); left > 0; left = await open()) {
    const before = left
    await until(async () => (await open()) < before)
  }
}

async function countCredits(shops: Shops, { phones }: Round): Promise<number> {
  const { rows } = await shops.db.query<{ count: number }>(
    `select count(*) from payment_credits c join received_payments p on p.id = c.payment_id where c.automatic and p.forwarder_id = any ($1)`,
    [phones.map(({ id }) => id)],
  )
  return Number(rows[0]?.count)
}

/** What waits for a person: the owner compares it with the phone, which knows the genuine ones. */
async function creditByHand(shops: Shops, { owner, genuine }: Round) {
  const known = new Map(genuine.map((one) => [one.id, one]))
  for (;;) {
    const { certain, doubtful, unmatched, kept } = (await shops.call<Matches>('GET', '/received-payment/matches', { as: owner })).body
    const waiting = [...certain, ...doubtful, ...unmatched, ...kept]
    if (waiting.length === 0) return
    for (const { payment } of waiting) {
      const one = known.get(payment.transactionId)
      const isGenuine = one && Math.round(payment.amount * 100) === one.amount
      if (!isGenuine) await shops.call('PUT', `/received-payment/${payment._id}/set-aside`, { as: owner, body: { how: 'dismiss' } })
      else {
        const body = { amount: payment.amount, rechargeId: one.asked.id }
        await shops.call('POST', `/received-payment/${payment._id}/credit`, { as: owner, body })
      }
    }
  }
}

async function check(trial: Trial, shops: Shops, { genuine, customers, thief, phones }: Round, alone: number) {
  const { rows } = await shops.db.query<{ id: string; userId: string; pesewas: number; rechargeId: string }>(
    `select p.transaction_id as id, c.user_id as "userId", c.amount_pesewas as pesewas, c.recharge_id as "rechargeId"
     from payment_credits c join received_payments p on p.id = c.payment_id where p.forwarder_id = any ($1) and c.taken_back_at is null`,
    [phones.map(({ id }) => id)],
  )
  const booked = rows.map(({ id, userId, pesewas, rechargeId }) => `${id} ${userId} ${pesewas} ${rechargeId}`).sort()
  const expected = genuine.map(({ id, amount, asked }) => `${id} ${asked.userId} ${amount} ${asked.id}`).sort()
  trial.same(
    'credits that are not of a genuine payment',
    booked.filter((one) => !expected.includes(one)),
    [],
  )
  trial.same(
    'genuine payments that nobody got',
    expected.filter((one) => !booked.includes(one)),
    [],
  )
  trial.same('credits', booked.length, expected.length)
  const books = await Promise.all([...customers, thief].map(({ id }) => shops.books(id)))
  trial.same(
    'what the wallets hold',
    books.reduce((sum, { pesewas }) => sum + pesewas, 0),
    genuine.reduce((sum, { amount }) => sum + amount, 0),
  )
  trial.same('what the thief has', books.at(-1)?.pesewas, 0)
  trial.note(`${genuine.length} genuine: ${alone} credited by itself, ${genuine.length - alone} by a person`)
  if (alone * 2 < genuine.length) trial.wrong(`only ${alone} of ${genuine.length} were credited without a person`)
}
