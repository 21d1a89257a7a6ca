import { cardSurcharge, topUpFor } from '../shared/money.ts'
import { MAX_PENDING_OF_NEWCOMER, MAX_PENDING_RECHARGES } from '../shared/recharges.ts'

/** A model of the shop: what it must answer, without database, locks or network. Amounts are pesewas. */
export type State = {
  users: Record<string, User>
  /** What a customer pays; an agent pays a cedi less. */
  price: number
  /**
   * `price` is what was paid for it, with its share of a card's surcharge, `unit` the price without it. `id` is what its buyer's client
   * calls it, `payment` the card payment that bought it.
   */
  orders: Record<string, Order>
  recharges: Record<string, { user: string; amount: number; status: 'pending' | 'approved' | 'declined' }>
  /** Card payments that were begun; `quantity` null is the agent upgrade. A top-up has `topUp`, and `quantity` 0 if it buys nothing. */
  payments: Record<string, { user: string; quantity: number | null; price: number; status: 'open' | 'paid' | 'held'; topUp?: number }>
  /** The answer stored under each key. */
  keys: Record<string, string>
}

export type Order = {
  user: string
  price: number
  unit: number
  status: 'pending' | 'completed' | 'rejected'
  id: string | null
  payment: string | null
}

export type User = { balance: number; agent: boolean; banned: boolean }

export type Command =
  | { do: 'register'; name: string }
  | { do: 'credit'; user: string; amount: number }
  | { do: 'debit'; user: string; amount: number }
  /** `bad`: the last line of the cart is of an offer that the shop does not have. */
  | { do: 'buy'; user: string; quantity: number; seen: number; key: string; bad?: boolean }
  /** `POST /order/create` from the wallet, under an id that may have been used, refused or given to a card's order before. */
  | { do: 'create'; user: string; id: string; seen: number }
  /** The same with the reference of a card payment, which is paid by then. */
  | { do: 'claim'; user: string; id: string; payment: string }
  | { do: 'request'; user: string; amount: number; name: string }
  | { do: 'approve'; recharge: string }
  | { do: 'decline'; recharge: string }
  | { do: 'complete'; order: string }
  | { do: 'reject'; order: string }
  | { do: 'level'; user: string; agent: boolean }
  | { do: 'ban'; user: string }
  | { do: 'reprice'; price: number }
  | { do: 'card'; user: string; quantity: number | null; seen: number; name: string }
  | { do: 'top-up'; user: string; amount: number; quantity: number; seen: number; name: string }
  /** Paid at the provider; then the shop is asked for the outcome. */
  | { do: 'settle'; payment: string }
  | { do: 'restart' }

export const UPGRADE_FEE = 5_000

/** A name for the n-th order of a purchase. */
export function orderName(key: string, index: number): string {
  return `${key}/${index}`
}

/** A name for the order that a wallet bought under a client's id. */
export function ownName(user: string, id: string): string {
  return `${user}'s ${id}`
}

export function priceFor(state: State, user: string): number {
  return state.users[user]?.agent ? state.price - 100 : state.price
}

/** What the shop must answer to a command, and its state afterwards. The given state is not changed. */
export function apply(before: State, command: Command): { answer: string; after: State } {
  const after: State = { ...before }
  return { answer: act(after, command), after }
}

/** The same text for equal states, whatever the order of their parts. */
export function fingerprint(state: State): string {
  return Object.values(state)
    .map((part) => (typeof part === 'object' ? fingerprintOf(part) : String(part)))
    .join('\n')
}

/** Parts are immutable, and most states share most of them. */
const known = new WeakMap<object, string>()

function fingerprintOf(part: Record<string, unknown>): string {
  let found = known.get(part)
  if (found === undefined) {
    const lines = Object.entries(part).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    found = lines.sort().join('\n')
    known.set(part, found)
  }
  return found
}

/** Parts are replaced, never changed, so that the states of different orders of things may share the rest. */
function act(state: State, command: Command): string {
  switch (command.do) {
    case 'register':
      setUser(state, command.name, { balance: 0, agent: false, banned: false })
      return 'ok'
    case 'credit':
      return move(state, command.user, command.amount)
    case 'debit':
      return move(state, command.user, -command.amount)
    case 'buy':
      return buy(state, command)
    case 'create':
      return create(state, command)
    case 'claim':
      return claim(state, command)
    case 'request':
      if (userOf(state, command.user).banned || mayAskNoMore(state, command.user)) return 'no'
      state.recharges = { ...state.recharges, [command.name]: { user: command.user, amount: command.amount, status: 'pending' } }
      return 'ok'
    case 'approve':
    case 'decline':
      return decideRecharge(state, command)
    case 'complete':
    case 'reject':
      return decideOrder(state, command)
    case 'level':
      setUser(state, command.user, { ...userOf(state, command.user), agent: command.agent })
      return 'ok'
    case 'ban':
      setUser(state, command.user, { ...userOf(state, command.user), banned: true })
      return 'ok'
    case 'reprice':
      state.price = command.price
      return 'ok'
    case 'card':
      return beginPayment(state, command)
    case 'top-up':
      return beginTopUp(state, command)
    case 'settle':
      return settle(state, command.payment)
    case 'restart':
      return 'ok'
  }
}

function move(state: State, name: string, amount: number): string {
  const user = userOf(state, name)
  if (user.balance + amount < 0) return 'too little'
  setUser(state, name, { ...user, balance: user.balance + amount })
  return `ok ${user.balance + amount}`
}

/** The whole cart or nothing; the same key gives the same answer, whatever has happened since. */
function buy(state: State, { user: name, quantity, seen, key, bad }: Extract<Command, { do: 'buy' }>): string {
  const user = userOf(state, name)
  if (user.banned) return 'no'
  const known = state.keys[key]
  if (known !== undefined) return known
  const price = priceFor(state, name)
  let answer: string
  if (bad || seen !== price) answer = 'refused'
  else if (user.balance < quantity * price) answer = 'too little'
  else {
    answer = move(state, name, -quantity * price)
    addOrders(state, name, key, { prices: Array(quantity).fill(price), unit: price, payment: null })
  }
  state.keys = { ...state.keys, [key]: answer }
  return answer
}

/** An order keeps its id for good; a refusal leaves the id free. */
function create(state: State, { user: name, id, seen }: Extract<Command, { do: 'create' }>): string {
  const user = userOf(state, name)
  if (user.banned) return 'no'
  const known = Object.values(state.orders).find((order) => order.user === name && order.id === id)
  if (known) return known.unit === seen ? 'ok' : 'reused'
  if (seen !== priceFor(state, name)) return 'refused'
  if (user.balance < seen) return 'too little'
  move(state, name, -seen)
  const made: Order = { user: name, price: seen, unit: seen, status: 'pending', id, payment: null }
  state.orders = { ...state.orders, [ownName(name, id)]: made }
  return 'ok'
}

/** Each order of a payment is returned once, to its payer. */
function claim(state: State, { user: name, id, payment: asked }: Extract<Command, { do: 'claim' }>): string {
  if (userOf(state, name).banned) return 'no'
  const payment = state.payments[asked]
  if (payment === undefined || payment.user !== name) return 'absent'
  if (settle(state, asked) !== 'paid') return 'unpaid'
  const ofPayment = Object.entries(state.orders).filter(([, order]) => order.payment === asked)
  if (ofPayment.some(([, order]) => order.id === id)) return 'ok'
  const free = ofPayment.find(([, order]) => order.id === null)
  if (!free) return 'conflict'
  if (Object.values(state.orders).some((order) => order.user === name && order.id === id)) return 'reused'
  state.orders = { ...state.orders, [free[0]]: { ...free[1], id } }
  return 'ok'
}

type NewOrders = { prices: number[]; unit: number; payment: string | null }

function addOrders(state: State, user: string, key: string, { prices, unit, payment }: NewOrders) {
  const made = prices.map((price, index) => [orderName(key, index), { user, price, unit, status: 'pending' as const, id: null, payment }])
  state.orders = { ...state.orders, ...Object.fromEntries(made) }
}

function beginPayment(state: State, { user: name, quantity, seen, name: payment }: Extract<Command, { do: 'card' }>): string {
  const user = userOf(state, name)
  if (user.banned) return 'no'
  if (quantity === null && user.agent) return 'conflict'
  if (quantity !== null && seen !== priceFor(state, name)) return 'refused'
  state.payments = { ...state.payments, [payment]: { user: name, quantity, price: seen, status: 'open' } }
  return 'ok'
}

/** With something to buy, it is for exactly what is missing. */
function beginTopUp(state: State, { user: name, amount, quantity, seen, name: payment }: Extract<Command, { do: 'top-up' }>): string {
  const user = userOf(state, name)
  if (user.banned) return 'no'
  if (quantity > 0 && seen !== priceFor(state, name)) return 'refused'
  if (quantity > 0 && amount !== topUpFor(quantity * seen, user.balance)) return 'conflict'
  state.payments = { ...state.payments, [payment]: { user: name, quantity, price: seen, status: 'open', topUp: amount } }
  return 'ok'
}

/** Paid orders are created once, at the price paid; what cannot be created any more is credited to the wallet. */
function settle(state: State, name: string): string {
  const payment = state.payments[name]
  if (payment === undefined) return 'absent'
  const user = userOf(state, payment.user)
  if (user.banned) return 'no'
  if (payment.status !== 'open') return payment.status
  if (payment.topUp !== undefined) return settleTopUp(state, name, payment.topUp)
  const isMade = payment.quantity === null ? !user.agent : priceFor(state, payment.user) === payment.price
  state.payments = { ...state.payments, [name]: { ...payment, status: isMade ? 'paid' : 'held' } }
  if (payment.quantity === null) {
    if (isMade) setUser(state, payment.user, { ...user, agent: true })
    else move(state, payment.user, UPGRADE_FEE)
  } else {
    const total = payment.quantity * payment.price
    if (isMade) {
      const prices = withShares(payment.quantity, payment.price)
      addOrders(state, payment.user, name, { prices, unit: payment.price, payment: name })
    } else move(state, payment.user, total + cardSurcharge(total))
  }
  return isMade ? 'paid' : 'held'
}

/** The money is in the wallet first, and buys from there what it was for, or stays. */
function settleTopUp(state: State, name: string, amount: number): string {
  const payment = state.payments[name] as State['payments'][string]
  move(state, payment.user, amount)
  const quantity = payment.quantity ?? 0
  const user = userOf(state, payment.user)
  const isMade = quantity === 0 || (priceFor(state, payment.user) === payment.price && user.balance >= quantity * payment.price)
  state.payments = { ...state.payments, [name]: { ...payment, status: isMade ? 'paid' : 'held' } }
  if (!isMade) return 'held'
  move(state, payment.user, -quantity * payment.price)
  addOrders(state, payment.user, name, { prices: Array(quantity).fill(payment.price), unit: payment.price, payment: null })
  return 'paid'
}

/** Each order's price with its share of the surcharge: the shares sum to it exactly. */
function withShares(quantity: number, price: number): number[] {
  const surcharge = cardSurcharge(quantity * price)
  const upTo = (orders: number) => Math.floor((surcharge * orders) / quantity)
  return Array.from({ length: quantity }, (_, index) => price + upTo(index + 1) - upTo(index))
}

function decideRecharge(state: State, command: Extract<Command, { do: 'approve' | 'decline' }>): string {
  const recharge = state.recharges[command.recharge]
  if (recharge === undefined) return 'absent'
  if (recharge.status !== 'pending') return 'decided'
  const status = command.do === 'approve' ? 'approved' : 'declined'
  state.recharges = { ...state.recharges, [command.recharge]: { ...recharge, status } }
  return status === 'declined' ? 'ok' : move(state, recharge.user, recharge.amount)
}

function decideOrder(state: State, command: Extract<Command, { do: 'complete' | 'reject' }>): string {
  const order = state.orders[command.order]
  if (order === undefined) return 'absent'
  if (order.status !== 'pending') return 'decided'
  const status = command.do === 'complete' ? 'completed' : 'rejected'
  state.orders = { ...state.orders, [command.order]: { ...order, status } }
  if (status === 'rejected') move(state, order.user, order.price)
  return 'ok'
}

function userOf(state: State, name: string): User {
  const user = state.users[name]
  if (user === undefined) throw new Error(`there is no user ${name}`)
  return user
}

function setUser(state: State, name: string, user: User) {
  state.users = { ...state.users, [name]: user }
}

function mayAskNoMore(state: State, user: string): boolean {
  const own = Object.values(state.recharges).filter((recharge) => recharge.user === user)
  const most = own.some(({ status }) => status === 'approved') ? MAX_PENDING_RECHARGES : MAX_PENDING_OF_NEWCOMER
  return own.filter(({ status }) => status === 'pending').length >= most
}
