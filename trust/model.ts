/** The shop in miniature: what it must answer, with nothing of how. Amounts are pesewas. */
export type State = {
  users: { balance: number; agent: boolean; banned: boolean }[]
  /** What a customer pays; an agent pays a cedi less. */
  price: number
  orders: Record<string, { user: number; price: number; status: 'pending' | 'completed' | 'rejected' }>
  recharges: Record<string, { user: number; amount: number; status: 'pending' | 'approved' | 'declined' }>
  /** What was answered under a key. */
  keys: Record<string, string>
}

export type Command =
  | { do: 'credit'; user: number; amount: number }
  | { do: 'debit'; user: number; amount: number }
  | { do: 'buy'; user: number; quantity: number; seen: number; key: string }
  | { do: 'request'; user: number; amount: number; name: string }
  | { do: 'approve'; recharge: string }
  | { do: 'decline'; recharge: string }
  | { do: 'complete'; order: string }
  | { do: 'reject'; order: string }
  | { do: 'level'; user: number; agent: boolean }
  | { do: 'ban'; user: number }
  | { do: 'reprice'; price: number }

/** A name for the n-th order of a purchase. */
export function orderName(key: string, index: number): string {
  return `${key}/${index}`
}

export function priceFor(state: State, user: number): number {
  return state.users[user]?.agent ? state.price - 100 : state.price
}

/** What the shop must answer to a command, and how it stands afterwards. The given state stays as it is. */
export function apply(before: State, command: Command): { answer: string; after: State } {
  const after = structuredClone(before)
  return { answer: act(after, command), after }
}

function act(state: State, command: Command): string {
  switch (command.do) {
    case 'credit':
      return move(state, command.user, command.amount)
    case 'debit':
      return move(state, command.user, -command.amount)
    case 'buy':
      return buy(state, command)
    case 'request':
      if (userOf(state, command.user).banned) return 'no'
      state.recharges[command.name] = { user: command.user, amount: command.amount, status: 'pending' }
      return 'ok'
    case 'approve':
    case 'decline':
      return decideRecharge(state, command)
    case 'complete':
    case 'reject':
      return decideOrder(state, command)
    case 'level':
      userOf(state, command.user).agent = command.agent
      return 'ok'
    case 'ban':
      userOf(state, command.user).banned = true
      return 'ok'
    case 'reprice':
      state.price = command.price
      return 'ok'
  }
}

function move(state: State, index: number, amount: number): string {
  const user = userOf(state, index)
  if (user.balance + amount < 0) return 'too little'
  user.balance += amount
  return `ok ${user.balance}`
}

/** The whole cart or nothing; the same key gives the same answer, whatever has happened since. */
function buy(state: State, { user: index, quantity, seen, key }: Extract<Command, { do: 'buy' }>): string {
  const user = userOf(state, index)
  if (user.banned) return 'no'
  const known = state.keys[key]
  if (known !== undefined) return known
  const price = priceFor(state, index)
  let answer: string
  if (seen !== price) answer = 'price changed'
  else if (user.balance < quantity * price) answer = 'too little'
  else {
    user.balance -= quantity * price
    for (let order = 0; order < quantity; order++) state.orders[orderName(key, order)] = { user: index, price, status: 'pending' }
    answer = `ok ${user.balance}`
  }
  state.keys[key] = answer
  return answer
}

function decideRecharge(state: State, command: Extract<Command, { do: 'approve' | 'decline' }>): string {
  const recharge = state.recharges[command.recharge]
  if (recharge === undefined) return 'absent'
  if (recharge.status !== 'pending') return 'decided'
  recharge.status = command.do === 'approve' ? 'approved' : 'declined'
  if (command.do === 'decline') return 'ok'
  return move(state, recharge.user, recharge.amount)
}

function decideOrder(state: State, command: Extract<Command, { do: 'complete' | 'reject' }>): string {
  const order = state.orders[command.order]
  if (order === undefined) return 'absent'
  if (order.status !== 'pending') return 'decided'
  order.status = command.do === 'complete' ? 'completed' : 'rejected'
  if (command.do === 'reject') move(state, order.user, order.price)
  return 'ok'
}

function userOf(state: State, index: number) {
  const user = state.users[index]
  if (user === undefined) throw new Error(`there is no user ${index}`)
  return user
}
