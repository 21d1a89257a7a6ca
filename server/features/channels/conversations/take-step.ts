import type { ChannelName } from '../../../../shared/channel-rules.ts'
import { formatShortTime } from '../../../../shared/dates.ts'
import { formatPesewas } from '../../../../shared/money.ts'
import { NETWORKS, type Network, operatorOfNetwork, prefixWarning } from '../../../../shared/networks.ts'
import type { OrderStatus } from '../../../../shared/orders.ts'
import { normalisePhone, operatorOfNumber, spacedPhone } from '../../../../shared/phones.ts'
import { readPhone } from '../../../../shared/readers/read-phone.ts'
import type { Ctx } from '../../../platform/context.ts'
import { NotFound, TooManyAttempts } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { selectOrdersBySeq } from '../../orders/orders/orders.sql.ts'
import { readProgress } from '../../orders/orders/queries.ts'
import { selectOnTheWay } from '../../orders/purchases/purchases.sql.ts'
import { trackByReceiver } from '../../storefront/tracker/queries.ts'
import {
  type ChannelRow,
  type Customer,
  selectBought,
  selectBoughtBefore,
  selectRecentOrders,
  selectSold,
  selectSoldNetworks,
} from './customers.sql.ts'

/** What a customer sees. An option is chosen by its key. `asksPin`: what comes next may be a PIN, which nobody keeps. */
export type Screen = { text: string; options: Option[]; ended: boolean; asksPin: boolean }
export type Option = { key: string; label: string; note?: string }

/** One thing that a customer is about to buy. `purchaseId` names the attempt, however often it is sent. */
export type Buying = {
  purchaseId: string
  productId: string
  network: Network
  offer: string
  receiver: string
  pricePesewas: number
  /** They were asked whether they want another one beside what is on its way. */
  again?: true
}

/** Where a key leads. `from` are the beginnings of the pages before. */
export type Move =
  | { go: 'menu' | 'receiver' | 'again' | 'balance' | 'track' | 'help' }
  | { go: 'packages'; receiver: string; network: Network; skip: number; from: number[] }
  | { go: 'networks'; receiver: string }
  | { go: 'confirm'; buying: Omit<Buying, 'purchaseId'> & { purchaseId?: string } }
  | { go: 'tracked'; seq: number; receiver: string | null }

/** What is read if a text is none of the keys. */
export type Typed =
  | { as: 'receiver' }
  | { as: 'order' }
  | { as: 'receiver-of'; seq: number }
  | { as: 'pin'; buying: Buying }
  | { as: 'pin'; goesTo: Move }

/**
 * A screen and where it leads, as the conversation keeps it. `buying`: what was about to be bought, or was. `bare`: the screen without the sentence
 * that stands above it now.
 */
export type State = Screen & {
  keys: Record<string, Move>
  typed: Typed | null
  buying: Buying | null
  bare?: Pick<Screen, 'text' | 'options'>
}

/** What a step looks at. `fits`: whether a screen can be shown as it is. */
export type World = {
  ctx: Ctx
  limiter: RateLimiter
  channel: { name: ChannelName; fits: (screen: Screen) => boolean }
  rules: ChannelRow
  phone: string
  customer: Customer | null
  shop: { readonly name: string; readonly phone: string }
  /** The shop's address without https. */
  address: string
}

/** What a PIN is asked for goes on elsewhere: it takes a purchase, or a check of the PIN. */
export type Step = { state: State } | { pin: string; wanted: Extract<Typed, { as: 'pin' }> }

/** Data only: other products need more than a number. */
const SOLD = ['MTN', 'Telecel', 'AirtelTigo', 'MTN PULSE'] as const satisfies readonly Network[]
const PIN = /^[0-9]{4,6}$/
const MOST_OF_LIST = 7
const MOST_OF_OFFER = 30
const MOST_OF_NAME = 24
const SHORTEST_LABEL = 8
const OTHER = '8'
const MORE = '9'
const BACK = '0'
const LISTED_ORDERS = 3
/** Guesses of an order and the number that it is for. */
const TRACKING = { size: 10, everyMs: 60_000 }

/** One step of a conversation: from the screen that was shown and what came back to the next. */
export async function takeStep(world: World, state: State, text: string): Promise<Step> {
  // Banned since the screen was shown.
  if (world.customer && world.customer.status !== 'Active') return { state: showMenu(world) }
  const move = Object.hasOwn(state.keys, text) ? state.keys[text] : undefined
  if (move) return { state: await showMove(world, move) }
  const { typed } = state
  switch (typed?.as) {
    case 'receiver': {
      const receiver = readPhone(text)
      if (receiver.kind !== 'read') return { state: repeatState(world, state, 'That is not a mobile number of Ghana.') }
      return { state: await showMove(world, packagesFor(receiver.value)) }
    }
    case 'order':
      return {
        state: /^\d{1,15}$/.test(text)
          ? await showOrder(world, Number(text), null)
          : repeatState(world, state, 'An order number has digits only.'),
      }
    case 'receiver-of':
      return { state: await showOrder(world, typed.seq, normalisePhone(text)) }
    case 'pin':
      if (!PIN.test(text)) return { state: repeatState(world, state, 'A PIN has 4 to 6 digits.') }
      return { pin: text, wanted: typed }
    default:
      return { state: repeatList(world, state) }
  }
}

/** The first screen. `earlier`: where the same phone was a moment ago. */
export async function takeFirstStep(world: World, earlier: State | null): Promise<State> {
  const { customer, ctx, channel } = world
  const buying = customer && earlier?.buying
  if (!buying) return showMove(world, { go: 'menu' })
  const seq = await selectBought(ctx.db, customer.id, clientIdOf(channel.name, buying))
  if (seq !== null) return repeatState(world, await showMove(world, { go: 'menu' }), boughtWords(seq, buying))
  if (earlier.typed?.as !== 'pin') return showMove(world, { go: 'menu' })
  const text = `You were buying ${describe(buying)}, GHS ${formatPesewas(buying.pricePesewas)}. Continue?`
  const goesOn: Move = { go: 'confirm', buying }
  return { ...show(text, { '1': ['Continue', goesOn], '2': ['Start again', { go: 'menu' }] }), buying }
}

/** The same screen with a sentence above it, which the next one takes the place of; or as much of it as fits. */
export function repeatState({ channel }: Pick<World, 'channel'>, state: State, note: string): State {
  const bare = state.bare ?? { text: state.text, options: state.options }
  const candidates = [`${note}\n${bare.text}`, note].map((text) => ({ ...toScreen(state), text, options: bare.options }))
  const screen = candidates.find((one) => channel.fits(one)) ?? { ...toScreen(state), text: note, options: [] }
  return { ...state, ...screen, bare }
}

/** The first of the texts that fits, else the last; so the longest comes first. */
function fitting<S extends Screen>({ channel }: Pick<World, 'channel'>, texts: readonly string[], toState: (text: string) => S): S {
  const states = texts.map(toState)
  return (states.find((state) => channel.fits(toScreen(state))) ?? states.at(-1)) as S
}

/** What came of a purchase; sentences at its end are left out where they don't fit. */
export function showBought(world: Pick<World, 'channel'>, sentences: readonly string[], buying: Buying): State {
  const texts = sentences.map((_, at) => sentences.slice(0, sentences.length - at).join(' '))
  return fitting(world, texts, (text) => endState(text, buying))
}

/** The list once more: where the request to choose from it does not fit above it, the list alone says the same. */
function repeatList(world: World, state: State): State {
  const again = repeatState(world, state, 'Please choose from the list.')
  return again.bare && again.options.length < again.bare.options.length ? { ...again, ...again.bare } : again
}

export function endState(text: string, buying: Buying | null = null): State {
  return { text, options: [], ended: true, asksPin: false, keys: {}, typed: null, buying }
}

export function toScreen({ text, options, ended, asksPin }: Screen): Screen {
  return { text, options, ended, asksPin }
}

/** The order's own id, for good: it is never bought twice, in whichever conversation. */
export function clientIdOf(channel: ChannelName, { purchaseId }: Pick<Buying, 'purchaseId'>): string {
  return `${channel}-${purchaseId}`
}

/** Of a purchase whose own answer may have got lost. */
export function boughtWords(seq: number, buying: Buying): string {
  return `Order ${seq} is in: ${describe(buying)}.`
}

export function describe({ network, offer, receiver }: Pick<Buying, 'network' | 'offer' | 'receiver'>): string {
  return `${network} ${shorten(offer, MOST_OF_OFFER)} to ${spacedPhone(receiver)}`
}

/** Names are the owner's, and what stands below them must not fall off a small screen. */
function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}.`
}

export async function showMove(world: World, move: Move): Promise<State> {
  switch (move.go) {
    case 'menu':
      return showMenu(world)
    case 'receiver':
      return show('Which number is it for?', { [BACK]: ['Back', { go: 'menu' }] }, { as: 'receiver' })
    case 'packages':
      return showPackages(world, move)
    case 'networks':
      return showNetworks(world, move.receiver)
    case 'confirm':
      return showConfirm(world, move.buying)
    case 'again':
      return needsPin(world, move) ?? showAgain(world)
    case 'balance':
      return needsPin(world, move) ?? showBalance(world)
    case 'track':
      return showTrack(world)
    case 'tracked':
      return showOrder(world, move.seq, move.receiver)
    case 'help':
      return showHelp(world)
  }
}

type Keys = Record<string, [label: string, move: Move, note?: string]>

function show(text: string, keys: Keys, typed: Typed | null = null): State {
  const options = Object.entries(keys).map(([key, [label, , note]]) => ({ key, label, ...(note === undefined ? {} : { note }) }))
  // Objects put keys of digits in order, so that 0 would come first.
  options.sort((one, other) => (Number(one.key) || 10) - (Number(other.key) || 10))
  return {
    text,
    options,
    ended: false,
    asksPin: typed?.as === 'pin',
    keys: Object.fromEntries(Object.entries(keys).map(([key, [, move]]) => [key, move])),
    typed,
    buying: null,
  }
}

function packagesFor(receiver: string, network?: Network): Move {
  const operator = operatorOfNumber(receiver)
  const found = network ?? SOLD.find((one) => operator !== null && operatorOfNetwork(one) === operator)
  return found ? { go: 'packages', receiver, network: found, skip: 0, from: [] } : { go: 'networks', receiver }
}

function showMenu({ customer, shop, phone, address, channel }: World): State {
  if (!customer) {
    const text = `${shorten(shop.name, MOST_OF_NAME)}: ${spacedPhone(phone)} has no account yet. Register at ${address}`
    return show(text, { '5': ['Track an order', { go: 'track' }], '6': ['Help', { go: 'help' }] })
  }
  if (customer.status !== 'Active') return endState(`This account has been banned. If you think that is a mistake, call ${shop.phone}.`)
  // A chat has room for a greeting.
  const greeting = channel.name === 'whatsapp' ? `${shop.name}: what can we do for you?` : shorten(shop.name, MOST_OF_NAME)
  return show(greeting, {
    '1': ['Buy for me', packagesFor(phone)],
    '2': ['Buy for another', { go: 'receiver' }],
    '3': ['Buy again', { go: 'again' }],
    '4': ['Balance', { go: 'balance' }],
    '5': ['Track', { go: 'track' }],
    '6': ['Help', { go: 'help' }],
  })
}

/** A page of a list, with as many items as fit. */
function showList(
  { channel }: World,
  text: string,
  items: [label: string, move: Move, note?: string][],
  { skip = 0, more, others }: { skip?: number; more?: (skip: number) => Move; others: Keys },
  typed: Typed | null = null,
): State {
  const rest = items.slice(skip)
  for (let count = Math.min(rest.length, MOST_OF_LIST); ; count -= 1) {
    const listed = Object.fromEntries(rest.slice(0, count).map((item, at) => [String(at + 1), item]))
    const isCut = count < rest.length && more !== undefined && count > 0
    const keys: Keys = { ...others, ...(isCut ? { [MORE]: ['More', more(skip + count)] } : {}) }
    const state = show(text, { ...listed, ...keys }, typed)
    if (channel.fits(toScreen(state)) || count === 0) return state
    if (count > 1) continue
    // Not even one with its whole name: as much of the name as fits, so that More and Back are there.
    const [label, ...leads] = rest[0] as (typeof items)[number]
    for (let most = label.length - 1; most > SHORTEST_LABEL; most -= 1) {
      const short = show(text, { '1': [shorten(label, most), ...leads], ...keys }, typed)
      if (channel.fits(toScreen(short))) return short
    }
    return state
  }
}

async function showPackages(world: World, { receiver, network, skip, from }: Extract<Move, { go: 'packages' }>): Promise<State> {
  const { ctx, customer } = world
  if (!customer) return showMenu(world)
  const sold = await selectSold(ctx.db, customer.level, network)
  const page = (to: number, before: number[]): Move => ({ go: 'packages', receiver, network, skip: to, from: before })
  const earlier = from.at(-1)
  const others: Keys = {
    [OTHER]: [`Not ${network}?`, { go: 'networks', receiver }],
    [BACK]: ['Back', earlier === undefined ? { go: 'menu' } : page(earlier, from.slice(0, -1))],
  }
  if (sold.length === 0) return show(`${network} is not on sale now.`, others)
  const items = sold.map(({ productId, offer, pricePesewas }): [string, Move, string] => {
    return [offer, { go: 'confirm', buying: { productId, network, offer, receiver, pricePesewas } }, `GHS ${formatPesewas(pricePesewas)}`]
  })
  const start = skip < items.length ? skip : 0
  const more = (to: number) => page(to, [...from, start])
  return showList(world, `${network} for ${spacedPhone(receiver)}`, items, { skip: start, more, others })
}

async function showNetworks(world: World, receiver: string): Promise<State> {
  const networks = await selectSoldNetworks(
    world.ctx.db,
    NETWORKS.filter((network) => (SOLD as readonly Network[]).includes(network)),
  )
  const items = networks.map((network): [string, Move] => [network, packagesFor(receiver, network)])
  return showList(world, `Which network is ${spacedPhone(receiver)}?`, items, { others: { [BACK]: ['Back', { go: 'menu' }] } })
}

/** @param wanted at the price that was shown; what has changed meanwhile is said before the PIN is asked for. */
export async function showConfirm(world: World, wanted: Extract<Move, { go: 'confirm' }>['buying']): Promise<State> {
  const { ctx, customer, rules, address } = world
  if (!customer) return showMenu(world)
  const { network, offer, receiver, productId } = wanted
  const back: Keys = { [BACK]: ['Back', packagesFor(receiver, network)] }
  const found = (await selectSold(ctx.db, customer.level, network)).find((one) => one.productId === productId && one.offer === offer)
  const name = shorten(offer, MOST_OF_OFFER)
  if (!found) return show(`${network} ${name} is not on sale now.`, back)
  const { pricePesewas } = found
  const price = `GHS ${formatPesewas(pricePesewas)}`
  if (pricePesewas > rules.mostPerOrderPesewas) {
    const here = `Here you can buy for up to GHS ${formatPesewas(rules.mostPerOrderPesewas)}; for more, go to ${address}`
    return fitting(world, [`${network} ${name} costs ${price}. ${here}`, here], (text) => show(text, back))
  }
  if (customer.balancePesewas < pricePesewas) {
    const held = `Your wallet has GHS ${formatPesewas(customer.balancePesewas)}`
    // The balance is for those who have shown that the account is theirs.
    return show(`${customer.isConfirmed ? held : 'Your wallet has too little'}; ${name} costs ${price}. Top up at ${address}`, back)
  }
  const blocked = pinProblem(world)
  if (blocked) return show(blocked, back)
  const { purchaseId, again } = wanted
  // What was bought under this name already is answered as bought, and not asked about.
  const isNew =
    purchaseId === undefined || (await selectBought(ctx.db, customer.id, clientIdOf(world.channel.name, { purchaseId }))) === null
  if (!again && isNew) {
    const asked = await askOnTheWay(world, wanted)
    if (asked) return asked
  }
  const buying = {
    productId,
    network,
    offer,
    receiver,
    pricePesewas,
    purchaseId: purchaseId ?? crypto.randomUUID(),
    ...(again && { again }),
  }
  const isOther = prefixWarning(network, receiver) !== null
  const changed = pricePesewas === wanted.pricePesewas ? [] : ['The price has changed.']
  const warned = isOther ? [`(${receiver.slice(0, 3)} is usually ${operatorOfNumber(receiver)})`] : []
  const texts = [
    [...changed, describe(buying), ...warned, `${price} from your wallet. Enter your PIN to buy.`],
    [...changed, describe(buying), ...warned, `${price}. Enter your PIN to buy.`],
    [...changed, describe(buying), `${price}. Enter your PIN to buy.`],
    [describe(buying), `${price}. Enter your PIN.`],
  ]
  return fitting(
    world,
    texts.map((lines) => lines.join('\n')),
    (text) => ({ ...show(text, back, { as: 'pin', buying }), buying }),
  )
}

/** The question whether somebody wants the bundle that is on its way to the same number already once more; null when none is. */
export async function askOnTheWay(world: World, wanted: Extract<Move, { go: 'confirm' }>['buying']): Promise<State | null> {
  const { ctx, customer } = world
  const { network, offer, receiver, productId, pricePesewas } = wanted
  const line = { product: productId, network, offer, receiver, expectedPricePesewas: pricePesewas, clientId: null }
  const [found] = (customer && (await selectOnTheWay(ctx.db, customer.id, [line]))) ?? []
  if (!found) return null
  const keys: Keys = {
    '1': ['Buy another', { go: 'confirm', buying: { ...wanted, again: true } }],
    [BACK]: ['Back', { go: 'menu' }],
  }
  const texts = [
    `Order ${found.seq}, ${describe(wanted)}, is still on its way. Buy another one?`,
    `Order ${found.seq} is still on its way.`,
  ]
  return fitting(world, texts, (text) => show(text, keys))
}

async function showAgain(world: World): Promise<State> {
  const { ctx, customer } = world
  if (!customer) return showMenu(world)
  const others: Keys = { [BACK]: ['Back', { go: 'menu' }] }
  const bought = await selectBoughtBefore(ctx.db, customer, SOLD, LISTED_ORDERS)
  if (bought.length === 0) return show('You have not bought data yet.', others)
  const items = bought.map((one): [string, Move, string] => {
    return [`${one.offer} ${one.receiver}`, { go: 'confirm', buying: one }, `GHS ${formatPesewas(one.pricePesewas)}`]
  })
  return showList(world, 'Buy again:', items, { others })
}

function showBalance({ customer, address }: World): State {
  const text = `Your wallet: GHS ${formatPesewas(customer?.balancePesewas ?? 0)}\nTop up at ${address}`
  return show(text, { [BACK]: ['Back', { go: 'menu' }] })
}

async function showTrack(world: World): Promise<State> {
  const { ctx, customer } = world
  const others: Keys = { [BACK]: ['Back', { go: 'menu' }] }
  const orders = customer?.isConfirmed ? await selectRecentOrders(ctx.db, customer.id, LISTED_ORDERS) : []
  const items = orders.map(({ seq, offer, status }): [string, Move] => [
    `${seq} ${offer} ${status}`,
    { go: 'tracked', seq, receiver: null },
  ])
  const text = items.length > 0 ? 'Choose, or type an order number:' : 'Type the order number:'
  return showList(world, text, items, { others }, { as: 'order' })
}

/** An order of the caller's, or for their number; of others, who asks names the receiver as well, since numbers are easy to guess. */
async function showOrder(world: World, seq: number, receiver: string | null): Promise<State> {
  const { ctx, phone, customer, channel, limiter } = world
  const others: Keys = { [BACK]: ['Back', { go: 'menu' }] }
  try {
    await limiter.take([{ name: `${channel.name} tracking by ${phone}`, ...TRACKING }])
  } catch (error) {
    if (error instanceof TooManyAttempts) return show('Too many tries. Please wait a few minutes.', others)
    throw error
  }
  const order = (await selectOrdersBySeq(ctx.db, [seq]))[0]
  const isOwn = customer?.isConfirmed && order?.userId === customer.id
  if (order && (isOwn || order.receiver === phone)) {
    const { expected } = await readProgress(ctx, order)
    return showWords(world, { ...order, number: String(seq), expected }, others)
  }
  if (receiver === null) return show(`Which number was order ${seq} for?`, others, { as: 'receiver-of', seq })
  try {
    // What is said here is nothing of messages.
    const tracked = await trackByReceiver(ctx, { limiter, sms: { sender: null } }, { reference: String(seq), phoneNumber: receiver })
    return showWords(world, { ...tracked, receiver }, others)
  } catch (error) {
    if (error instanceof NotFound) return show(`We found no order ${seq} for that number.`, others)
    if (error instanceof TooManyAttempts) return show('Too many tries. Please wait a few minutes.', others)
    throw error
  }
}

type Tracked = {
  number: string
  network: string
  offer: string
  receiver: string
  status: OrderStatus
  expected: { fromMinutes: number; toMinutes: number } | null
}

function showWords(world: World, { number, network, offer, receiver, status, expected }: Tracked, keys: Keys): State {
  const usual = expected && status === 'pending' ? ` Usually ${expected.fromMinutes} to ${expected.toMinutes} minutes.` : ''
  const words = (name: string) => `Order ${number}: ${network} ${name} to ${spacedPhone(receiver)} is ${status}.`
  const short = words(shorten(offer, MOST_OF_OFFER))
  return fitting(world, [`${words(offer)}${usual}`, `${short}${usual}`, short], (text) => show(text, keys))
}

function showHelp(world: World): State {
  const { shop, address } = world
  const ways = `Call ${shop.phone}. Top up, or choose your PIN under My account, at ${address}`
  const texts = [`${shorten(shop.name, MOST_OF_NAME)}: c${ways.slice(1)}`, ways]
  return fitting(world, texts, (text) => show(text, { [BACK]: ['Back', { go: 'menu' }] }))
}

/** The screen that asks for the PIN before what is private is shown; null when none is needed. */
function needsPin(world: World, goesTo: Move): State | null {
  const { customer } = world
  if (!customer) return showMenu(world)
  if (customer.isConfirmed) return null
  const back: Keys = { [BACK]: ['Back', { go: 'menu' }] }
  const blocked = pinProblem(world)
  return blocked ? show(blocked, back) : show('Enter your PIN to go on.', back, { as: 'pin', goesTo })
}

function pinProblem({ customer, ctx, address }: World): string | null {
  if (!customer?.hasPin) return `You need a PIN for this. Choose one at ${address} under My account, then come back.`
  const until = customer.pinLockedUntil
  return until && until > ctx.now
    ? `Your PIN is locked after too many wrong tries. Try again from ${formatShortTime(until, ctx.now)}.`
    : null
}
