import fc from 'fast-check'
import type { Experiment, Trial } from './experiment.ts'
import { apply, type Command, orderName, priceFor, type State } from './model.ts'
import { type Person, pesewas, type Shops } from './shops.ts'

const USERS = 3
const OFFER = 'model'

/** Q. The shop against a model of it that has no database, no locks and no network. */
export const againstModel: Experiment[] = [
  {
    id: 'Q1',
    expects: 'sequences of 60 (full: 200) steps: every answer and every balance is the model’s',
    runs: { fast: 100, full: 1_000 },
    go: (trial) => compare(trial, { steps: trial.tier === 'full' ? 200 : 60, atOnce: 1 }),
  },
  {
    id: 'Q2',
    expects: 'four actors at once, 30 (full: 60) rounds, over two processes: every answer fits some serial order of the model',
    runs: { fast: 20, full: 200 },
    go: (trial) => compare(trial, { steps: trial.tier === 'full' ? 240 : 120, atOnce: 4 }),
  },
]

/** A step before it is known what there is: numbers that choose among what is there when its turn comes. */
type Step = { kind: number; user: number; which: number; amount: number }

const KINDS = [
  'credit',
  'debit',
  'buy',
  'buy',
  'buy',
  'again',
  'stale',
  'request',
  'approve',
  'approve',
  'decline',
  'complete',
  'reject',
  'reject',
  'level',
  'reprice',
  'ban',
] as const

async function compare(trial: Trial, { steps, atOnce }: { steps: number; atOnce: number }) {
  const shops = await trial.shops()
  const step = fc.record({
    kind: fc.nat(KINDS.length - 1),
    user: fc.nat(USERS - 1),
    which: fc.nat(1_000),
    amount: fc.integer({ min: 1, max: 3_000 }),
  })
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: steps, size: 'max' }), async (sequence) => {
    const fault = await play(shops, sequence, atOnce)
    trial.did()
    if (fault !== null) throw new Error(fault)
  })
  const details = await fc.check(property, {
    numRuns: trial.runs,
    seed: trial.seed,
    endOnFailure: false,
    interruptAfterTimeLimit: 3_600_000,
  })
  if (!details.failed) return
  trial.wrong(
    `seed ${details.seed}, path ${details.counterexamplePath}: ${String(details.errorInstance)}; shrunk to ${JSON.stringify(details.counterexample)}`,
  )
}

type World = {
  shops: Shops
  people: Person[]
  product: string
  ids: Map<string, string>
  keys: { key: string; command: Extract<Command, { do: 'buy' }> }[]
}

/** Plays a sequence on the shop and on the model; replies what does not fit, or null. */
async function play(shops: Shops, sequence: Step[], atOnce: number): Promise<string | null> {
  const people = await shops.makeUsers(USERS, { pesewas: 2_000 })
  const world: World = { shops, people, product: await makeProduct(shops), ids: new Map(), keys: [] }
  let states: State[] = [
    { users: people.map(() => ({ balance: 2_000, agent: false, banned: false })), price: 700, orders: {}, recharges: {}, keys: {} },
  ]
  const history: string[] = []
  for (let at = 0; at < sequence.length; at += atOnce) {
    const commands = sequence.slice(at, at + atOnce).map((step, index) => resolve(world, states[0] as State, step, at + index))
    const answers = await Promise.all(commands.map((command, index) => perform(world, command, index)))
    history.push(commands.map((command, index) => `${JSON.stringify(command)} → ${answers[index]}`).join(' ‖ '))
    const next = new Map<string, State>()
    for (const state of states) for (const found of serialOrders(state, commands, answers)) next.set(JSON.stringify(found), found)
    if (next.size === 0) return `no order of these fits: ${history.slice(-3).join(' ; ')}`
    states = [...next.values()].slice(0, 50)
  }
  const balances = JSON.stringify(await Promise.all(people.map(async ({ id }) => (await shops.books(id)).pesewas)))
  if (!states.some((state) => JSON.stringify(state.users.map(({ balance }) => balance)) === balances))
    return `in the end the balances are ${balances}`
  return null
}

/** The states after all orders of the commands that give the answers. */
function serialOrders(state: State, commands: Command[], answers: string[], left = commands.map((_, index) => index)): State[] {
  if (left.length === 0) return [state]
  return left.flatMap((index) => {
    const { answer, after } = apply(state, commands[index] as Command)
    if (answer !== answers[index]) return []
    return serialOrders(
      after,
      commands,
      answers,
      left.filter((other) => other !== index),
    )
  })
}

function resolve(world: World, state: State, { kind, user, which, amount }: Step, at: number): Command {
  const name = KINDS[kind] as (typeof KINDS)[number]
  const key = `${at}-${crypto.randomUUID()}`
  const one = (names: string[]) => names[which % names.length]
  const order = one(Object.keys(state.orders))
  const recharge = one(Object.keys(state.recharges))
  const bought = world.keys[which % Math.max(1, world.keys.length)]
  const fallback: Command = { do: 'buy', user, quantity: 1 + (which % 3), seen: priceFor(state, user), key }
  switch (name) {
    case 'credit':
    case 'debit':
      return { do: name, user, amount }
    case 'again':
      return bought?.command ?? fallback
    case 'stale':
      return { ...fallback, seen: fallback.seen + 1 }
    case 'request':
      return { do: 'request', user, amount: 5_000 + amount, name: key }
    case 'approve':
    case 'decline':
      return recharge === undefined ? { do: 'request', user, amount: 5_000 + amount, name: key } : { do: name, recharge }
    case 'complete':
    case 'reject':
      return order === undefined ? fallback : { do: name, order }
    case 'level':
      return { do: 'level', user, agent: which % 2 === 0 }
    case 'reprice':
      return { do: 'reprice', price: 600 + (which % 200) }
    case 'ban':
      // Seldom, or nobody is left.
      return which % 8 === 0 ? { do: 'ban', user } : fallback
    default:
      return fallback
  }
}

/** Has the shop do it, and says its answer in the model's words. */
async function perform(world: World, command: Command, shop: number): Promise<string> {
  const { shops, people, product, ids } = world
  const [admin] = shops.admins
  const person = (index: number) => people[index] as Person
  const call = (method: string, path: string, as: Person, body: unknown, headers: Record<string, string> = {}) =>
    shops.call<Record<string, unknown>>(method, path, { as, body, headers, shop })
  switch (command.do) {
    case 'credit':
    case 'debit': {
      const amount = (command.do === 'credit' ? command.amount : -command.amount) / 100
      return inWords(await call('PUT', '/user/balance', admin, { chosenId: person(command.user).id, amount }))
    }
    case 'buy': {
      const line = { productId: product, offer: OFFER, phoneNumber: '0551234567', amount: command.seen / 100 }
      const reply = await call(
        'POST',
        '/order/checkout',
        person(command.user),
        { items: Array(command.quantity).fill(line) },
        { 'idempotency-key': command.key },
      )
      if (!world.keys.some(({ key }) => key === command.key)) world.keys.push({ key: command.key, command })
      for (const [index, order] of ((reply.body.orders ?? []) as { _id: string }[]).entries())
        ids.set(orderName(command.key, index), order._id)
      return inWords(reply)
    }
    case 'request': {
      const reply = await call('POST', '/recharge', person(command.user), { amount: command.amount / 100 })
      ids.set(command.name, String(reply.body.rechargeId))
      return inWords(reply)
    }
    case 'approve':
    case 'decline':
      return inWords(await call('PUT', `/recharge/${ids.get(command.recharge)}/${command.do}`, admin, {}))
    case 'complete':
    case 'reject':
      return inWords(
        await call('PUT', `/order/update-status/${ids.get(command.order)}`, admin, {
          status: command.do === 'complete' ? 'completed' : 'rejected',
        }),
      )
    case 'level':
      return inWords(
        await call('PUT', `/user/${person(command.user).id}/level`, admin, { userLevel: command.agent ? 'Agent' : 'Customer' }),
      )
    case 'ban':
      return inWords(await call('PUT', `/user/${person(command.user).id}/status`, admin, { status: 'Banned' }))
    case 'reprice': {
      const packages = [{ offer: OFFER, priceCustomer: command.price / 100, priceAgent: (command.price - 100) / 100 }]
      return inWords(await call('PUT', `/product/${product}`, admin, { network: 'MTN', status: 'available', packages }))
    }
  }
}

function inWords({ status, body, text }: { status: number; body: Record<string, unknown>; text: string }): string {
  if (status === 200) return typeof body.balance === 'number' ? `ok ${pesewas(body.balance)}` : 'ok'
  if (status === 401 || status === 403) return 'no'
  if (body.code === 'INSUFFICIENT_BALANCE') return 'too little'
  if (body.code === 'PRICE_CHANGED') return 'price changed'
  if (body.code === 'ALREADY_DECIDED') return 'decided'
  if (status === 404) return 'absent'
  return `${status} ${text}`
}

async function makeProduct(shops: Shops): Promise<string> {
  const { rows } = await shops.db.query<{ id: string }>(
    `with made as (insert into products (network, image_hash, status, created_at) select 'MTN', image_hash, 'available', now() from products limit 1 returning id)
    insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) select id, 1, '${OFFER}', 700, 600 from made returning product_id as id`,
  )
  return rows[0]?.id as string
}
