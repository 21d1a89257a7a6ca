import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { topUpFor } from '../shared/money.ts'
import type { HttpReply } from '../test/http-client.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openInProcessShop } from './in-process.ts'
import { apply, type Command, fingerprint, orderName, ownName, priceFor, type State, UPGRADE_FEE } from './model.ts'
import { makeUser, type Person, pesewas, type Shops } from './shops.ts'

const FIRST_USERS = ['u0', 'u1', 'u2']
const OFFER = 'model'
/** The most states followed at once, where the answers do not tell which one the shop is in. */
const MOST_STATES = 500

/** Q. The shop against a model of it that has no database, no locks and no network. */
export const againstModel: Experiment[] = [
  {
    id: 'Q1',
    beside: true,
    expects: 'sequences of 60 (full: 200) steps, restarts among them: every answer and every balance is the model’s',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shop = await openInProcessShop(trial.opening.spoil)
      const target: Target = {
        db: shop.db,
        admin: shop.admin,
        call: (method, path, asked) => shop.call(method, path, asked),
        pay: async (reference) => void (await shop.card.pay(reference)),
        restart: () => shop.restart(),
        prove: () => shop.prove(),
      }
      try {
        await compare(trial, target, {
          steps: trial.tier === 'full' ? 200 : 60,
          atOnce: 1,
          kinds: [...KINDS, ...CARD_KINDS, ...TOP_UP_AND_BUY_KINDS, ...CLAIM_KINDS, 'restart'],
        })
      } finally {
        await shop.close()
      }
    },
  },
  {
    id: 'Q2',
    expects: 'four actors at once, 30 (full: 60) rounds, over two processes: every answer fits some serial order of the model',
    runs: { fast: 20, full: 200 },
    async go(trial) {
      const shops = await trial.shops()
      await compare(trial, targetOf(shops), {
        steps: trial.tier === 'full' ? 240 : 120,
        atOnce: 4,
        kinds: [...KINDS, ...CARD_KINDS],
      })
    },
  },
]

/** What the steps act on. */
export type Target = {
  db: Shops['db']
  admin: Person
  call(
    method: string,
    path: string,
    asked: { as?: { token: string }; body?: unknown; headers?: Record<string, string>; shop: number },
  ): Promise<HttpReply>
  /** The payer pays at the provider, which sends no webhook event. */
  pay(reference: string): Promise<void>
  restart(): Promise<void>
  prove(): Promise<string[]>
}

function targetOf(shops: Shops): Target {
  return {
    db: shops.db,
    admin: shops.admins[0],
    call: (method, path, asked) => shops.call(method, path, asked),
    async pay(reference) {
      shops.card.addFault({ call: 'webhook', kind: 'lose', reference, times: 100 })
      // The shop does not poll either: the model could not tell when.
      await shops.db.query(`update payments set check_at = now() + interval '1 day' where reference = $1 and status = 'open'`, [reference])
      await shops.card.pay(reference)
    },
    restart: async () => undefined,
    prove: () => shops.prove(),
  }
}

/** A step before its subject is known: numbers that choose among what exists when it runs. */
type Step = { kind: number; user: number; which: number; amount: number }

const KINDS = [
  ...['credit', 'credit', 'debit', 'buy', 'buy', 'buy', 'buy', 'again', 'stale', 'bad', 'request', 'approve', 'approve', 'decline'],
  ...['complete', 'complete', 'reject', 'reject', 'level', 'level', 'reprice', 'reprice', 'ban', 'register', 'create', 'create', 'create'],
] as const
/** Run alone: of two concurrent queries about a payment, the second gets the stored status. */
const CLAIM_KINDS = ['claim', 'claim', 'claim'] as const
const CARD_KINDS = ['card', 'card', 'upgrade', 'top-up', 'settle', 'settle', 'settle'] as const
/** Run alone: prices and balance are read one after the other when it begins, and compared again when it is paid. */
const TOP_UP_AND_BUY_KINDS = ['top-up-and-buy', 'top-up-and-buy', 'settle'] as const

function anyStep(kinds: readonly string[]) {
  return fc.record({
    kind: fc.nat(kinds.length - 1),
    user: fc.nat(1_000),
    which: fc.nat(1_000),
    amount: fc.integer({ min: 1, max: 3_000 }),
  })
}

type Plan = { steps: number; atOnce: number; kinds: readonly string[] }

async function compare(trial: Trial, target: Target, plan: Plan) {
  const { steps, kinds } = plan
  const step = anyStep(kinds)
  // A failure without a guard says nothing about the shop.
  const isUnguarded = trial.opening.without !== undefined || trial.opening.spoil !== undefined
  const kept = isUnguarded ? null : readKeptCase(trial.id)
  if (kept) {
    const fault = await play(target, kept, plan)
    if (fault !== null) return trial.wrong(`the case kept from before still fails: ${fault}`)
    forgetCase(trial.id)
  }
  let done = 0
  let startedAt = Date.now()
  const property = fc.asyncProperty(fc.array(step, { minLength: steps, maxLength: steps }), async (sequence) => {
    const fault = await play(target, sequence, plan)
    trial.did()
    done += 1
    if (done % 20 === 0) {
      trial.progress(`${done} sequences, ${((Date.now() - startedAt) / 20_000).toFixed(2)} s each`)
      startedAt = Date.now()
    }
    if (fault !== null) throw new Error(fault)
  })
  const details = await fc.check(property, {
    numRuns: trial.runs,
    seed: trial.seed,
    endOnFailure: true,
    ...(trial.minutes === undefined ? {} : { interruptAfterTimeLimit: trial.minutes * 60_000 }),
  })
  trial.note(`${done * steps} steps`)
  if (details.failed) {
    const [found = []] = details.counterexample ?? []
    const shrunk = await shrink(target, found, plan)
    const where = isUnguarded ? '' : `, kept in ${keepCase(trial.id, { seed: details.seed, sequence: shrunk })}`
    trial.wrong(
      `seed ${details.seed}: ${String(details.errorInstance)}; shrunk from ${found.length} steps to ${shrunk.length}${where}: ${await play(target, shrunk, plan)}`,
    )
  }
  for (const violation of await target.prove()) trial.wrong(violation)
}

/** For the tests: runs some sequences one after the other and returns the first mismatch, or null. */
export async function playSome(
  target: Target,
  { seed, runs, steps }: { seed: number; runs: number; steps: number },
): Promise<string | null> {
  const kinds = [...KINDS, ...CARD_KINDS, ...TOP_UP_AND_BUY_KINDS, ...CLAIM_KINDS, ...CLAIM_KINDS, 'create', 'create', 'create']
  const plan = { steps, atOnce: 1, kinds }
  const sequences = fc.sample(fc.array(anyStep(kinds), { minLength: steps, maxLength: steps }), { seed, numRuns: runs })
  for (const sequence of sequences) {
    const fault = await play(target, sequence, plan)
    if (fault !== null) return fault
  }
  return null
}

/** Shrinks a failing sequence by leaving out ever smaller parts while it still fails. */
async function shrink(target: Target, sequence: Step[], plan: Plan): Promise<Step[]> {
  let shortest = sequence
  for (let part = Math.ceil(sequence.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let at = 0; at < shortest.length; ) {
      const without = [...shortest.slice(0, at), ...shortest.slice(at + part)]
      if (without.length > 0 && (await play(target, without, plan)) !== null) shortest = without
      else at += part
    }
  }
  return shortest
}

const FAILURES = new URL('./failures/', import.meta.url)

/** A failed sequence is stored until it passes, and is tried before all others. */
function readKeptCase(id: string): Step[] | null {
  try {
    const name = readdirSync(FAILURES).find((one) => one === `${id}.json`)
    return name === undefined ? null : JSON.parse(readFileSync(new URL(name, FAILURES), 'utf8')).sequence
  } catch {
    return null
  }
}

function keepCase(id: string, found: { seed: number; sequence: Step[] }): string {
  mkdirSync(FAILURES, { recursive: true })
  writeFileSync(new URL(`${id}.json`, FAILURES), `${JSON.stringify(found, null, 2)}\n`)
  return `resilience/failures/${id}.json`
}

function forgetCase(id: string) {
  rmSync(new URL(`${id}.json`, FAILURES), { force: true })
}

type World = {
  target: Target
  people: Map<string, Person>
  product: string
  ids: Map<string, string>
  bought: Extract<Command, { do: 'buy' }>[]
  /** Orders that have a name already. */
  named: Set<string>
}

/** Runs a sequence on the shop and on the model; returns the first difference, or null. */
async function play(target: Target, sequence: Step[], plan: Plan): Promise<string | null> {
  const product = await makeProduct(target)
  try {
    return (await playWith(target, product, sequence, plan)) ?? (await findTrouble(target))
  } finally {
    // Otherwise the catalogue grows with every sequence and slows every read of it down.
    await target.db.query('delete from products where id = $1', [product])
  }
}

/** Whatever customers do, no records disagree and purchases are not paused. */
async function findTrouble(target: Target): Promise<string | null> {
  const [violation] = await target.prove()
  if (violation !== undefined) return violation
  const { rows } = await target.db.query<{ pauses: number }>('select count(*)::int as pauses from purchase_pauses')
  return rows[0]?.pauses === 0 ? null : 'purchases were paused'
}

async function playWith(target: Target, product: string, sequence: Step[], { atOnce, kinds }: Plan): Promise<string | null> {
  const people = new Map<string, Person>()
  for (const name of FIRST_USERS) people.set(name, await makeUser(target.db, 'none', { pesewas: 2_000 }))
  const world: World = { target, people, product, ids: new Map(), bought: [], named: new Set() }
  let states: State[] = [
    {
      users: Object.fromEntries(FIRST_USERS.map((name) => [name, { balance: 2_000, agent: false, banned: false }])),
      price: 700,
      orders: {},
      recharges: {},
      payments: {},
      keys: {},
    },
  ]
  const history: string[] = []
  for (let at = 0; at < sequence.length; at += atOnce) {
    const commands = sequence
      .slice(at, at + atOnce)
      .map((step, index) => resolve(world, states[0] as State, kinds[step.kind] as string, step, `${at + index}`))
    const answers = await Promise.all(commands.map((command, index) => perform(world, command, index)))
    history.push(commands.map((command, index) => `${JSON.stringify(command)} → ${answers[index]}`).join(' ‖ '))
    const next = new Map<string, State>()
    for (const state of states)
      for (const found of serialOrders(state, commands, answers)) next.set(atOnce === 1 ? '' : fingerprint(found), found)
    if (next.size === 0) return `no order of these fits: ${history.slice(-3).join(' ; ')}`
    states = [...next.values()].slice(0, MOST_STATES)
  }
  const names = [...people.keys()].sort()
  const balances = await readBalances(
    target,
    names.map((name) => people.get(name) as Person),
  )
  const found = names.map((name) => `${name} ${balances.get(people.get(name)?.id as string)}`).join(', ')
  const expected = states.map((state) => names.map((name) => `${name} ${state.users[name]?.balance}`).join(', '))
  return expected.includes(found) ? null : `in the end the balances are ${found}, not ${expected[0]}`
}

/** The states after every order of the commands that explains the answers. */
function serialOrders(state: State, commands: Command[], answers: string[], left = commands.map((_, index) => index)): State[] {
  if (left.length === 0) return [state]
  return left.flatMap((index) => {
    const { answer, after } = apply(state, commands[index] as Command)
    const isStoredOne = answers[index] === 'open' && isSettledBeside(commands, answers, index)
    if (answer !== answers[index] && !isStoredOne) return []
    return serialOrders(
      isStoredOne ? state : after,
      commands,
      answers,
      left.filter((other) => other !== index),
    )
  })
}

/** Of two concurrent queries about a payment one may be told the status stored so far, while the other asks the provider. */
function isSettledBeside(commands: Command[], answers: string[], index: number): boolean {
  const asked = commands[index] as Command
  if (asked.do !== 'settle') return false
  return commands.some(
    (other, at) => at !== index && other.do === 'settle' && other.payment === asked.payment && ['paid', 'held'].includes(answers[at] ?? ''),
  )
}

function resolve(world: World, state: State, kind: string, { user: whose, which, amount }: Step, at: string): Command {
  const names = Object.keys(state.users)
  const user = names[whose % names.length] as string
  // The same in all attempts of a sequence, and unique to it.
  const name = `${at}-${world.product}`
  const one = (found: string[]) => found[which % Math.max(1, found.length)]
  const order = one(Object.keys(state.orders))
  const recharge = one(Object.keys(state.recharges))
  const payment = one(Object.keys(state.payments))
  const seen = priceFor(state, user)
  const purchase: Command = { do: 'buy', user, quantity: 1 + (which % 3), seen, key: name }
  const request: Command = { do: 'request', user, amount: 5_000 + amount, name }
  switch (kind) {
    case 'credit':
    case 'debit':
      return { do: kind, user, amount }
    case 'again':
      return world.bought[which % Math.max(1, world.bought.length)] ?? purchase
    case 'stale':
      return { ...purchase, seen: seen + 1 }
    case 'bad':
      return { ...purchase, bad: true }
    case 'create':
      return { do: 'create', user, id: `id-${which % 4}`, seen: amount % 5 === 0 ? seen + 1 : seen }
    case 'claim': {
      const payer = state.payments[payment ?? '']?.user
      if (payment === undefined || payer === undefined) return { do: 'card', user, quantity: 1 + (which % 3), seen, name }
      // Sometimes another user knows the reference.
      return { do: 'claim', user: amount % 5 === 0 ? user : payer, id: `id-${amount % 4}`, payment }
    }
    case 'request':
      return request
    case 'approve':
    case 'decline':
      return recharge === undefined ? request : { do: kind, recharge }
    case 'complete':
    case 'reject':
      return order === undefined ? purchase : { do: kind, order }
    case 'level':
      return { do: 'level', user, agent: which % 2 === 0 }
    case 'reprice':
      return { do: 'reprice', price: 600 + (which % 200) }
    case 'ban':
      // Rarely, or no active user is left.
      return which % 8 === 0 ? { do: 'ban', user } : purchase
    case 'register':
      return which % 4 === 0 ? { do: 'register', name } : purchase
    case 'card':
      return { do: 'card', user, quantity: 1 + (which % 3), seen, name }
    case 'upgrade':
      return { do: 'card', user, quantity: null, seen: UPGRADE_FEE, name }
    case 'top-up':
      return { do: 'top-up', user, amount: 5_000 + amount, quantity: 0, seen: 0, name }
    case 'top-up-and-buy': {
      const quantity = 1 + (which % 6)
      const missing = topUpFor(quantity * seen, state.users[user]?.balance ?? 0)
      // Sometimes not what is missing.
      return { do: 'top-up', user, amount: Math.max(100, amount % 5 === 0 ? missing + 1 : missing), quantity, seen, name }
    }
    case 'settle':
      return payment === undefined ? { do: 'card', user, quantity: 1 + (which % 3), seen, name } : { do: 'settle', payment }
    case 'restart':
      return which % 10 === 0 ? { do: 'restart' } : purchase
    default:
      return purchase
  }
}

/** Sends the command to the shop and returns the answer in the model's terms. */
async function perform(world: World, command: Command, shop: number): Promise<string> {
  const { target, people, product, ids } = world
  const person = (name: string) => people.get(name) as Person
  const call = (method: string, path: string, as: Person, body: unknown, headers: Record<string, string> = {}) =>
    target.call(method, path, { as, body, headers, shop })
  const cartOf = (quantity: number, seen: number, bad = false) =>
    Array.from({ length: quantity }, (_, index) => ({
      productId: product,
      offer: bad && index === quantity - 1 ? 'no such offer' : OFFER,
      phoneNumber: '0551234567',
      amount: seen / 100,
    }))
  switch (command.do) {
    case 'register': {
      const details = newDetails()
      const reply = await target.call('POST', '/user/register', { body: details, shop })
      const { _id, token } = reply.body as { _id: string; token: string }
      people.set(command.name, { ...details, id: _id, token, level: 'Customer' })
      return inWords({ ...reply, body: {} })
    }
    case 'credit':
    case 'debit': {
      const amount = (command.do === 'credit' ? command.amount : -command.amount) / 100
      return inWords(await call('PUT', '/user/balance', target.admin, { chosenId: person(command.user).id, amount }))
    }
    case 'buy': {
      const items = cartOf(command.quantity, command.seen, command.bad)
      const reply = await call('POST', '/order/checkout', person(command.user), { items }, { 'idempotency-key': command.key })
      if (!world.bought.some(({ key }) => key === command.key)) world.bought.push(command)
      noteOrders(command.key, reply)
      return inWords(reply)
    }
    case 'create':
    case 'claim': {
      const reference = command.do === 'claim' ? (ids.get(command.payment) as string) : undefined
      if (reference !== undefined) await target.pay(reference)
      const newOrder = { id: command.id, network: 'MTN', offer: OFFER, receiver: '0551234567', productId: product }
      const totalAmount = (command.do === 'create' ? command.seen : 700) / 100
      const reply = await call('POST', '/order/create', person(command.user), { newOrder: { ...newOrder, totalAmount, reference } })
      if (command.do === 'claim') await noteOrdersOf(command.payment, reference as string)
      else if (reply.status === 200 && !world.named.has((reply.body.order as { _id: string })._id))
        nameOrder(ownName(command.user, command.id), (reply.body.order as { _id: string })._id)
      return inWords(reply)
    }
    case 'request': {
      const reply = await call('POST', '/recharge', person(command.user), { amount: command.amount / 100 })
      ids.set(command.name, String(reply.body.rechargeId))
      return inWords(reply)
    }
    case 'approve':
    case 'decline':
      return inWords(await call('PUT', `/recharge/${ids.get(command.recharge)}/${command.do}`, target.admin, {}))
    case 'complete':
    case 'reject':
      return inWords(
        await call('PUT', `/order/update-status/${ids.get(command.order)}`, target.admin, {
          status: command.do === 'complete' ? 'completed' : 'rejected',
        }),
      )
    case 'level':
      return inWords(
        await call('PUT', `/user/${person(command.user).id}/level`, target.admin, { userLevel: command.agent ? 'Agent' : 'Customer' }),
      )
    case 'ban':
      return inWords(await call('PUT', `/user/${person(command.user).id}/status`, target.admin, { status: 'Banned' }))
    case 'reprice': {
      const packages = [{ offer: OFFER, priceCustomer: command.price / 100, priceAgent: (command.price - 100) / 100 }]
      return inWords(await call('PUT', `/product/${product}`, target.admin, { network: 'MTN', status: 'available', packages }))
    }
    case 'card': {
      const wanted =
        command.quantity === null ? { purpose: 'agent-upgrade' } : { purpose: 'order', items: cartOf(command.quantity, command.seen) }
      const reply = await call('POST', '/payment', person(command.user), wanted)
      ids.set(command.name, String(reply.body.reference))
      owners.set(String(reply.body.reference), command.user)
      return inWords(reply)
    }
    case 'top-up': {
      const items = command.quantity === 0 ? {} : { items: cartOf(command.quantity, command.seen) }
      const reply = await call('POST', '/payment', person(command.user), { purpose: 'top-up', amount: command.amount / 100, ...items })
      ids.set(command.name, String(reply.body.reference))
      owners.set(String(reply.body.reference), command.user)
      return inWords(reply)
    }
    case 'settle': {
      const reference = ids.get(command.payment) as string
      await target.pay(reference)
      const reply = await call('POST', `/payment/${reference}/confirm`, person(owners.get(reference) as string), {})
      noteOrders(command.payment, reply)
      return reply.status === 200 ? (reply.body as { payment: { status: string } }).payment.status : inWords(reply)
    }
    case 'restart':
      await target.restart()
      return 'ok'
  }

  function noteOrders(name: string, { body }: HttpReply) {
    for (const [index, order] of ((body.orders ?? []) as { _id: string }[]).entries()) nameOrder(orderName(name, index), order._id)
  }

  async function noteOrdersOf(payment: string, reference: string) {
    const { rows } = await target.db.query<{ _id: string }>(
      'select id as _id from orders where $1 in (payment_reference, top_up_reference) order by seq',
      [reference],
    )
    for (const [index, { _id }] of rows.entries()) nameOrder(orderName(payment, index), _id)
  }

  function nameOrder(name: string, id: string) {
    ids.set(name, id)
    world.named.add(id)
  }
}

/** The payer, who alone may query the payment. */
const owners = new Map<string, string>()

function inWords({ status, body, text }: Pick<HttpReply, 'status' | 'body' | 'text'>): string {
  if (status === 200) return typeof body.balance === 'number' ? `ok ${pesewas(body.balance)}` : 'ok'
  if (status === 401 || status === 403) return 'no'
  if (body.code === 'INSUFFICIENT_BALANCE') return 'too little'
  // Which code is returned depends on the first faulty line.
  if (body.code === 'PRICE_CHANGED' || body.code === 'NOT_AVAILABLE') return 'refused'
  if (body.code === 'ALREADY_DECIDED') return 'decided'
  if (body.code === 'CONFLICT') return 'conflict'
  if (body.code === 'KEY_REUSED') return 'reused'
  if (body.code === 'UNPAID') return 'unpaid'
  if (status === 429) return 'no'
  if (status === 404) return 'absent'
  return `${status} ${text}`
}

let registered = 0

function newDetails() {
  registered += 1
  const digits = String(registered).padStart(7, '0')
  // Letters that do not look like others.
  const username = `q ${process.pid % 2 === 0 ? 'v' : 'w'}${[...digits].map((digit) => 'abcdefghjk'[Number(digit)]).join('')}`
  return { username, email: `q${digits}@example.com`, phone: `050${digits}`, password: 'a good password' }
}

async function makeProduct({ db }: Target): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `with made as (insert into products (network, image_hash, status, created_at) select 'MTN', image_hash, 'available', now() from products limit 1 returning id)
    insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) select id, 1, '${OFFER}', 700, 600 from made returning product_id as id`,
  )
  return rows[0]?.id as string
}

async function readBalances({ db }: Target, people: Person[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; balance: number }>(
    'select user_id as id, balance_pesewas as balance from wallets where user_id = any ($1)',
    [people.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, balance }) => [id, balance]))
}
